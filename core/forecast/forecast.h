// SPDX-License-Identifier: Apache-2.0
// A forecast: what a forecaster says of a candidate that has not been run.
#pragma once

#include "core/forecast/bins.h"

#include <cstdint>
#include <string>

namespace foresight {

struct Forecast {
    BinProbabilities bins{};           // speedup over the baseline, conditional on success; sums to 1
    BinScheme scheme = BinScheme::Gf8Label;
    double failsToRun = 0;             // P(does not build or run)
    double wrongResult = 0;            // P(builds and runs, wrong result)
    double meanLog2 = 0, sdLog2 = 0;   // of log2 S given success, when the forecaster thinks in them (sd > 0)
    double expectedImprovement = 0;    // in the forecaster's own target; > = 0; ranks candidates
    std::string forecaster;            // "gp", "roofline", ...
    std::uint32_t modelVersion = 0;    // counts refits
    bool coldStart = false;            // made without any label

    double successProbability() const { return (1 - failsToRun) * (1 - wrongResult); }
};

} // namespace foresight
