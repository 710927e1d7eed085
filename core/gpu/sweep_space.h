// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a sweep: which configurations to measure again, and how records become a recorded space.
// Pure functions of the records, so that a resumed sweep ends with the same file.
#pragma once

#include "core/gpu/recorded_space.h"
#include "core/gpu/sweep.h"
#include "core/gpu/sweep_log.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace foresight {

class SweepTable
{
public:
    SweepTable(const SweepOptions& options, const std::vector<SweepRecord>& records);

    double anchorNs() const { return m_anchorNs; } // median of all anchor measurements; 0: none
    // Time of a configuration with the anchor's drift divided out; nothing when it failed or is not measured.
    std::optional<double> estimateNs(std::int64_t index) const;
    bool measured(std::int64_t index) const { return m_main.contains(index); }
    bool measuredAgain(std::int64_t index) const { return m_again.contains(index); }
    std::size_t failures() const;
    std::optional<std::int64_t> best() const;

    // The best and the random rows that must be measured again; a function of the first measurements only.
    std::vector<std::int64_t> chosenForAgain() const;
    // Rows that were not measured again although they now look better than the best that was: what regression
    // to the mean leaves over.
    std::vector<std::int64_t> overtaken() const;
    // Relative standard deviation of one measurement; 0 when nothing was measured twice.
    double noiseFloor() const;
    std::string driftNote() const;

    RecordedRow row(std::int64_t index) const;

private:
    std::vector<std::int64_t> randomRows() const;
    std::vector<std::int64_t> sortedValid() const;

    const SweepOptions& m_options;
    std::map<std::int64_t, const GpuReply*> m_main, m_again;
    std::vector<double> m_anchors;
    double m_anchorNs = 0;
};

std::vector<std::int64_t> sweepOrder(std::size_t configurations, std::size_t limit, std::uint64_t seed,
                                     std::int64_t anchorIndex);

} // namespace foresight
