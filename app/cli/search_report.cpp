// SPDX-License-Identifier: Apache-2.0
#include "app/cli/search_report.h"

#include "core/base/json.h"
#include "core/forecast/metrics.h"
#include "core/kernels/value_json.h"
#include "core/search/payload.h"

#include <cmath>
#include <map>

namespace foresight::cli {
namespace {

struct Candidate
{
    Symbols configuration;
    std::optional<std::uint32_t> index;
    std::optional<Forecast> forecast; // the last before it was decided
};

// Everything the report needs that the tree does not hold, gathered in one pass beside the fold.
struct Walk
{
    Tree tree;
    std::map<std::int64_t, Candidate> candidates;
    std::vector<ScoredForecast> scored;
    Json trajectory = Json::array();
};

// Best recorded time over the incumbent's recorded time: what was found of what is there, free of noise.
Json fractionOfOptimum(const Walk& walk, const RecordedSpace* space)
{
    const auto incumbent = walk.tree.incumbent();
    if (space == nullptr || !incumbent)
        return nullptr;
    const auto candidate = walk.candidates.find(incumbent->value);
    if (candidate == walk.candidates.end() || !candidate->second.index ||
        *candidate->second.index >= space->rows.size())
        return nullptr;
    const double timeNs = space->rows[*candidate->second.index].timeNs;
    return timeNs > 0 ? Json(space->bestNs() / timeNs) : Json(nullptr);
}

void addPoint(Walk& walk, const RecordedSpace* space)
{
    const auto& counts = walk.tree.counts();
    const auto incumbent = walk.tree.incumbent();
    walk.trajectory.push_back(
        {{"measurements", counts.measured + counts.failed},
         {"candidates", counts.proposed},
         {"best_speedup",
          incumbent ? Json(std::exp2(walk.tree.node(*incumbent).measuredLog2)) : Json(nullptr)},
         {"fraction_of_optimum", fractionOfOptimum(walk, space)}});
}

Result<void> score(Walk& walk, const EventRow& event)
{
    const auto& forecast = walk.candidates[event.node].forecast;
    if (!forecast || forecast->coldStart)
        return {}; // nothing was claimed before the first label
    ScoredForecast row;
    row.bins = forecast->bins;
    row.trueSpeedup = std::exp2(event.a);
    FS_TRY(bin, binOf(row.trueSpeedup, forecast->scheme));
    row.trueBin = bin;
    walk.scored.push_back(row);
    return {};
}

Result<void> step(Walk& walk, const EventRow& event, const RecordedSpace* space)
{
    FS_CHECK(walk.tree.apply(event));
    switch (static_cast<EventKind>(event.kind)) {
    case EventKind::CandidateProposed: {
        FS_TRY(proposed, decodeProposed(event.payload));
        Candidate& candidate = walk.candidates[event.node];
        candidate.configuration = proposed.configuration;
        candidate.index = proposed.spaceIndex;
        return {};
    }
    case EventKind::ForecastMade: {
        FS_TRY(forecast, decodeForecast(event.payload));
        walk.candidates[event.node].forecast = std::move(forecast);
        return {};
    }
    case EventKind::Measured:
        FS_CHECK(score(walk, event));
        addPoint(walk, space);
        return {};
    case EventKind::Failed:
        addPoint(walk, space);
        return {};
    default:
        return {};
    }
}

Json calibrationJson(const std::vector<ScoredForecast>& rows)
{
    const auto scores = meanScores(rows);
    const auto error = calibrationError(topLabelPredictions(rows));
    const auto skill = skillOverClimatology(rows);
    return {{"n", rows.size()},
            {"ece", error ? Json(error->ece) : Json(nullptr)},
            {"rps", scores ? Json(scores->rps) : Json(nullptr)},
            {"rps_skill", skill ? Json(skill->rps) : Json(nullptr)},
            {"brier", scores ? Json(scores->halfBrier) : Json(nullptr)}};
}

template <typename T> Json optionalJson(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json bestJson(const Walk& walk)
{
    const auto incumbent = walk.tree.incumbent();
    if (!incumbent)
        return nullptr;
    const TreeNode& node = walk.tree.node(*incumbent);
    const auto candidate = walk.candidates.find(incumbent->value);
    return {{"speedup", std::exp2(node.measuredLog2)},
            {"speedup_low", std::exp2(node.measuredLog2 - node.measuredHalfWidth)},
            {"speedup_high", std::exp2(node.measuredLog2 + node.measuredHalfWidth)},
            {"config", candidate == walk.candidates.end() ? Json(nullptr)
                                                          : symbolsToJson(candidate->second.configuration)},
            {"node", node.id.value},
            {"depth", node.depth},
            {"measured", true}};
}

} // namespace

Result<Json> searchRunJson(const SearchRun& run)
{
    Walk walk;
    for (const EventRow& event : run.events)
        FS_CHECK(step(walk, event, run.space));
    const TreeCounts& counts = walk.tree.counts();
    const auto& budget = run.options.budget;
    return Json{
        {"seed", run.options.seed},
        {"best", bestJson(walk)},
        {"baseline", run.options.baselineName},
        {"trajectory", walk.trajectory},
        {"counts",
         {{"proposed", counts.proposed},
          {"duplicates", counts.duplicates},
          {"forecast", counts.forecast},
          {"skipped", counts.skipped},
          {"measured", counts.measured},
          {"failed", counts.failed},
          {"audited", counts.audited}}},
        {"calibration", calibrationJson(walk.scored)},
        {"budget",
         {{"measurements",
           {{"used", counts.measured + counts.failed}, {"limit", optionalJson(budget.measurements)}}},
          {"gpu_seconds", {{"used", run.gpuSeconds}, {"limit", optionalJson(budget.gpuSeconds)}}},
          {"wall_seconds", {{"used", run.wallSeconds}, {"limit", optionalJson(budget.wallSeconds)}}}}},
        {"rate",
         {{"candidates_per_s", run.hostSeconds > 0
                                   ? Json(static_cast<double>(counts.proposed) / run.hostSeconds)
                                   : Json(nullptr)}}},
        // No policy of this version controls the risk of skipping.
        {"skip_risk", nullptr},
        {"finished", walk.tree.finished()},
        {"finish_reason", walk.tree.finishReason()},
        {"events", run.events.size()},
        {"log_hash", canonicalLogHash(run.events)}};
}

} // namespace foresight::cli
