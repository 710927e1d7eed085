// SPDX-License-Identifier: Apache-2.0
// Timing by quads (design 04, "Timing"): a c c a or c a a c by a fair coin, looks at 12, 24 and 48, clocks
// watched.
#pragma once

#include "core/base/random.h"
#include "core/gpu/measure/sampler.h"

namespace foresight::measure {

struct QuadOptions
{
    Regime regime = Regime::Cold;
    int maxQuads = 12;
    bool stopWhenDecided = true; // at a look whose interval excludes 1
    bool futility = true;
    double deadlineSeconds = 10; // of one sample
    double budgetSeconds = 10;   // of all; then the row is truncated
    bool graphs = false;         // both sides as graphs whatever they take
};

// Fills everything of `timing` but floors and the other regime. `rejected` counts quads dropped for their
// clocks.
Result<Timing> timeQuads(Device& device, Support& support, const TimedWork& anchor,
                         const TimedWork& candidate, const QuadOptions& options, Random& random,
                         int* rejected);

// Median of a few samples in the regime: decides how work is timed.
Result<double> roughNs(Device& device, Support& support, const TimedWork& work, double deadlineSeconds);

} // namespace foresight::measure
