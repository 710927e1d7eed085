// SPDX-License-Identifier: Apache-2.0
// Makers of the forecasters behind makeForecaster(). The context is already checked.
#pragma once

#include "core/forecast/forecaster.h"

#include <memory>

namespace foresight {

// No data: a wide normal in log2 S between "four times slower" and the roofline's limit.
std::unique_ptr<Forecaster> makeRooflineForecaster(ForecasterContext context);
// Gaussian process (design 05, "The GP behind it").
std::unique_ptr<Forecaster> makeGpForecaster(ForecasterContext context);

// The prior of both: what is believed of a configuration before any label.
struct SpeedupPrior
{
    double meanLog2 = -.5, sdLog2 = 1.5;
    double failsToRun = .1, wrongResult = .01;
};
SpeedupPrior speedupPrior(const ForecasterContext& context);
Forecast priorForecast(const SpeedupPrior& prior);

// E max(X - bar, 0) for X ~ N(mean, sd), sd > 0: accurate and positive far below the bar too, so that
// candidates stay ranked where the textbook form cancels to zero.
double normalExpectedImprovement(double mean, double sd, double bar);

} // namespace foresight
