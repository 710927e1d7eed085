// SPDX-License-Identifier: Apache-2.0
#include "core/search/budget.h"

#include <algorithm>

namespace foresight {

Result<void> BudgetMeter::check(const SearchBudget& limits)
{
    const bool good = (!limits.measurements || *limits.measurements >= 0) &&
                      (!limits.gpuSeconds || *limits.gpuSeconds >= 0) &&
                      (!limits.wallSeconds || *limits.wallSeconds >= 0);
    if (good)
        return {};
    return makeError(ErrorCode::InvalidArgument, "a budget must not be negative",
                     "leave it out for no limit");
}

std::optional<std::string> BudgetMeter::exhausted(std::int64_t chosen, double wallSeconds) const
{
    if (m_limits.measurements && chosen >= *m_limits.measurements)
        return "measurements";
    if (m_limits.gpuSeconds && m_gpuSeconds >= *m_limits.gpuSeconds)
        return "GPU seconds";
    if (m_limits.wallSeconds && wallSeconds >= *m_limits.wallSeconds)
        return "wall seconds";
    return std::nullopt;
}

std::optional<std::int64_t> BudgetMeter::remaining(std::int64_t chosen) const
{
    if (!m_limits.measurements)
        return std::nullopt;
    return std::max<std::int64_t>(0, *m_limits.measurements - chosen);
}

} // namespace foresight
