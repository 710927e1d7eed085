// SPDX-License-Identifier: Apache-2.0
// The forecaster of one search. Labels arrive in event order; refits are logical (requested after label k, effective
// from the next decision), so that the same log gives the same forecasts. Not thread-safe: the engine's thread owns it.
#pragma once

#include "core/base/result.h"
#include "core/forecast/forecast.h"
#include "core/kernels/config_space.h"
#include "core/kernels/gpu_spec.h"
#include "core/kernels/problem.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace foresight {

struct ForecastLabel {
    std::uint32_t index = 0;           // into the space
    std::optional<double> log2Speedup; // over the baseline; nothing: failed
    bool wrongResult = false;          // of failures
};

struct ForecasterContext {
    std::shared_ptr<const ConfigSpace> space;
    std::optional<Problem> problem;    // absent for imported spaces
    GpuSpec gpu;
    std::optional<double> baselineNs;  // for roofline limits
    std::uint64_t seed = 0;
};

class Forecaster {
public:
    virtual ~Forecaster() = default;
    virtual std::string_view name() const = 0;
    virtual void addLabel(const ForecastLabel& label) = 0;
    // A configuration being measured: assumed at its forecast mean until its label arrives (live, several in flight).
    virtual void addPending(std::uint32_t index) = 0;
    // Forecasts of the given indices with all labels so far. Deterministic.
    virtual std::vector<Forecast> forecast(std::span<const std::uint32_t> indices) = 0;
    // Expected improvement over the best label of every configuration of the space (float per index; what is already
    // measured or pending gets 0). Valid until the next call of a non-const member.
    virtual std::span<const float> expectedImprovement() = 0;
    virtual std::uint32_t modelVersion() const = 0; // counts refits
};

// "gp", "roofline". InvalidArgument lists the names otherwise.
Result<std::unique_ptr<Forecaster>> makeForecaster(std::string_view name, ForecasterContext context);

} // namespace foresight
