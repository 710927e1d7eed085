// SPDX-License-Identifier: Apache-2.0
// The hard stops of a search, asked before anything is spent. Engine's thread.
#pragma once

#include "core/search/engine.h"

#include <cstdint>
#include <optional>
#include <string>

namespace foresight {

class BudgetMeter
{
public:
    explicit BudgetMeter(SearchBudget limits) : m_limits(limits) {}
    static Result<void> check(const SearchBudget& limits); // InvalidArgument for negative or NaN limits

    void addGpuSeconds(double seconds) { m_gpuSeconds += seconds; }
    void setGpuSeconds(double seconds) { m_gpuSeconds = seconds; }
    double gpuSeconds() const { return m_gpuSeconds; }
    // `chosen`: measurements spent or promised. Says which budget is used up.
    std::optional<std::string> exhausted(std::int64_t chosen, double wallSeconds) const;
    std::optional<std::int64_t> remaining(std::int64_t chosen) const; // nothing: no limit

private:
    SearchBudget m_limits;
    double m_gpuSeconds = 0;
};

} // namespace foresight
