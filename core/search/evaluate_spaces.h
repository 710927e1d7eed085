// SPDX-License-Identifier: Apache-2.0
// Searches judged on recorded whole spaces: best found / optimum after n unique measurements, over many
// seeds, beside the exact expectation of random search. Nothing is persisted. The result does not depend on
// the number of threads.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/gpu/recorded_space.h"
#include "core/search/engine.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

struct EvaluationOptions
{
    std::vector<std::string> files;
    std::vector<std::string> searches{"puct"};
    std::vector<std::string> policies{"improvement"};
    std::vector<int> budgets{25, 50, 100, 200};
    int seeds = 20;
    std::uint64_t firstSeed = 1;
    int threads = 2;
    RecordedMode mode = RecordedMode::Mean;
    SearchOptions base; // everything else
};

struct BudgetScore
{
    int n = 0;
    double mean = 0, sd = 0, min = 0, standardError = 0;
    double random = 0;        // exact expectation
    double gapClosed = 0;     // (mean - random) / (1 - random); 1 when random is 1
    bool belowRandom = false; // mean + 2 standard errors < random - .01 (.03 at n <= 25)
};
struct SearchScore
{
    std::string search, policy, forecaster;
    std::vector<BudgetScore> budgets;
    double hostMsPerMeasurement = 0; // CPU time of the search itself
};
struct SpaceScore
{
    std::string file;
    std::size_t configurations = 0, valid = 0;
    bool claimable = false;
    std::vector<SearchScore> policies;
};
struct Evaluation
{
    std::vector<SpaceScore> spaces;
    std::vector<SearchScore> aggregate; // means over the spaces
};

using EvaluationProgress = std::function<void(std::int64_t done, std::int64_t total)>; // one call at a time

Result<Evaluation> evaluateSpaces(const EvaluationOptions& options, const EvaluationProgress& progress = {},
                                  std::stop_token stop = {});
Json evaluationToJson(const Evaluation& evaluation); // as in the command line's contract

// One search on one space, without persistence.
struct RecordedRun
{
    std::vector<double> fractions; // best / optimum after 1, 2, ... measurements; 0 before the first success
    double hostSeconds = 0;        // CPU time
    std::string logHash;
};
Result<RecordedRun> runOnRecordedSpace(std::shared_ptr<const RecordedSpace> space,
                                       const SearchOptions& options, RecordedMode mode = RecordedMode::Mean,
                                       std::stop_token stop = {});

// What the engine searches over when a recorded space answers, without a family.
SearchTarget targetOfRecordedSpace(std::shared_ptr<const RecordedSpace> space);

// Statistics of one budget over seeds.
BudgetScore scoreOf(int n, const std::vector<double>& fractions, double exactRandom);

} // namespace foresight
