// SPDX-License-Identifier: Apache-2.0
// From what the user named (a recorded space, an operator of a session, a family with a shape) to what the
// engine needs: target, GPU, forecaster. Errors of the user's input are ones of usage.
#pragma once

#include "app/cli/arguments.h"
#include "core/forecast/forecaster.h"
#include "core/gpu/recorded_space.h"
#include "core/search/engine.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace foresight::cli {

struct SearchSource
{
    std::string spaceFile; // one of: a recorded space,
    std::string session;   // an operator of a session,
    std::optional<std::int64_t> operatorId;
    std::string family; // a family's problem
    ProblemArguments problem;
    std::string gpu = "auto"; // auto, local, recorded, recorded:FILE
    bool noisy = false;
    int device = 0;
    std::string baseline = "family-default";
};

struct PreparedSearch
{
    SearchTarget target;
    std::shared_ptr<const RecordedSpace> space; // when a recorded GPU answers
    std::int64_t operatorId = -1;
    GpuSpec spec;
    std::string baselineName;
    double lnBaselineOverAnchor = 0;
    // A GPU serves one engine; make the next one after the last is gone.
    std::function<Result<std::unique_ptr<Gpu>>(std::uint64_t seed, std::stop_token stop)> makeGpu;

    Result<std::unique_ptr<Forecaster>> makeForecaster(const SearchOptions& options) const;
};

Result<PreparedSearch> prepareSearch(Output& output, const SearchSource& source);
// "group_norm[C=128,G=32] f16 contiguous" back to family and arguments, to continue a search of a session.
Result<SearchSource> sourceOfProblemKey(std::string_view key);

} // namespace foresight::cli
