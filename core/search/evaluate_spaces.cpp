// SPDX-License-Identifier: Apache-2.0
#include "core/search/evaluate_spaces.h"

#include "core/base/json.h"
#include "core/search/started.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <mutex>
#include <numeric>
#include <thread>

namespace foresight {

namespace {

struct Task
{
    std::size_t space = 0, variant = 0;
    int seed = 0;
};
struct Variant
{
    std::string search, policy;
};

std::vector<Variant> variantsOf(const EvaluationOptions& options)
{
    std::vector<Variant> variants;
    for (const std::string& search : options.searches)
        for (const std::string& policy : options.policies) {
            // Random search measures what it draws, whatever the policy: once is enough.
            if (search == "random" && policy != options.policies.front())
                continue;
            variants.push_back({search, search == "random" ? "all" : policy});
        }
    return variants;
}

SearchOptions optionsOf(const EvaluationOptions& options, const Variant& variant, int seed)
{
    SearchOptions search = options.base;
    search.search = variant.search;
    search.policy.name = variant.policy;
    search.seed = options.firstSeed + static_cast<std::uint64_t>(seed);
    search.budget = {};
    search.budget.measurements = *std::max_element(options.budgets.begin(), options.budgets.end());
    return search;
}

Result<void> check(const EvaluationOptions& options)
{
    const auto invalid = [](const char* what, const char* hint) {
        return makeError(ErrorCode::InvalidArgument, what, hint);
    };
    if (options.files.empty())
        return invalid("there is no space to evaluate on", "name at least one recorded space");
    if (options.budgets.empty() || *std::min_element(options.budgets.begin(), options.budgets.end()) < 1)
        return invalid("the budgets must be numbers of measurements from 1", "for example 25,50,100,200");
    if (options.seeds < 1)
        return invalid("at least one seed is needed", "20 is a good number");
    if (options.searches.empty() || options.policies.empty())
        return invalid("there is no search or policy to evaluate", "the defaults are puct and improvement");
    for (const Variant& variant : variantsOf(options))
        FS_CHECK(checkSearchOptions(optionsOf(options, variant, 0)));
    return {};
}

// CPU time of this thread: what the search costs, whatever else the machine is doing.
double threadSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double at(const std::vector<double>& fractions, int n)
{
    if (fractions.empty())
        return 0;
    return fractions[std::min(fractions.size(), static_cast<std::size_t>(n)) - 1];
}

SearchScore aggregateOf(const std::vector<SpaceScore>& spaces, std::size_t variant)
{
    SearchScore sum = spaces.front().policies[variant];
    const auto count = static_cast<double>(spaces.size());
    for (std::size_t b = 0; b < sum.budgets.size(); ++b) {
        BudgetScore& score = sum.budgets[b];
        score = {score.n};
        double variance = 0;
        for (const SpaceScore& space : spaces) {
            const BudgetScore& one = space.policies[variant].budgets[b];
            score.mean += one.mean / count;
            score.random += one.random / count;
            score.min = &space == &spaces.front() ? one.min : std::min(score.min, one.min);
            score.belowRandom = score.belowRandom || one.belowRandom;
            variance += one.standardError * one.standardError;
        }
        score.standardError = std::sqrt(variance) / count;
        score.gapClosed = score.random < 1 ? (score.mean - score.random) / (1 - score.random) : 1;
    }
    sum.hostMsPerMeasurement = 0;
    for (const SpaceScore& space : spaces)
        sum.hostMsPerMeasurement += space.policies[variant].hostMsPerMeasurement / count;
    return sum;
}

Json scoreToJson(const SearchScore& score, bool withSpread)
{
    Json budgets = Json::array();
    for (const BudgetScore& b : score.budgets) {
        Json json{{"n", b.n},
                  {"mean", b.mean},
                  {"random", b.random},
                  {"min", b.min},
                  {"se", b.standardError},
                  {"gap_closed", b.gapClosed},
                  {"below_random", b.belowRandom}};
        if (withSpread)
            json["sd"] = b.sd;
        budgets.push_back(std::move(json));
    }
    return Json{{"search", score.search},
                {"policy", score.policy},
                {"forecaster", score.forecaster},
                {"ms_per_measurement", score.hostMsPerMeasurement},
                {"budgets", std::move(budgets)}};
}

} // namespace

BudgetScore scoreOf(int n, const std::vector<double>& fractions, double exactRandom)
{
    BudgetScore score;
    score.n = n;
    score.random = exactRandom;
    if (fractions.empty())
        return score;
    const auto count = static_cast<double>(fractions.size());
    score.mean = std::accumulate(fractions.begin(), fractions.end(), 0.) / count;
    score.min = *std::min_element(fractions.begin(), fractions.end());
    double squares = 0;
    for (const double fraction : fractions)
        squares += (fraction - score.mean) * (fraction - score.mean);
    score.sd = fractions.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
    score.standardError = score.sd / std::sqrt(count);
    score.gapClosed = exactRandom < 1 ? (score.mean - exactRandom) / (1 - exactRandom) : 1;
    score.belowRandom = score.mean + 2 * score.standardError < exactRandom - (n <= 25 ? .03 : .01);
    return score;
}

SearchTarget targetOfRecordedSpace(std::shared_ptr<const RecordedSpace> space)
{
    SearchTarget target;
    target.operatorName = !space->title.empty() ? space->title : space->file;
    target.problemKey = space->problemKey;
    if (space->defaultIndex && *space->defaultIndex < space->rows.size()) {
        target.defaultIndex = static_cast<std::uint32_t>(*space->defaultIndex);
        if (const double time = space->rows[*space->defaultIndex].timeNs; time > 0)
            target.anchorNs = time;
    }
    target.space = std::shared_ptr<const ConfigSpace>(space, &space->space);
    return target;
}

Result<RecordedRun> runOnRecordedSpace(std::shared_ptr<const RecordedSpace> space,
                                       const SearchOptions& options, RecordedMode mode, std::stop_token stop)
{
    const double start = threadSeconds();
    SearchTarget target = targetOfRecordedSpace(space);
    ForecasterContext context;
    context.space = target.space;
    context.gpu = space->gpu;
    context.seed = options.seed;
    FS_TRY(forecaster, makeForecaster(options.forecaster, std::move(context)));
    const auto gpu = makeRecordedGpu(space, mode, options.seed);
    Engine engine(std::move(target), options, *forecaster, *gpu, {});
    FS_CHECK(engine.run(std::move(stop)));

    RecordedRun run;
    const double optimum = space->bestNs();
    double best = 0, fraction = 0; // `best` as the search saw it, `fraction` of the recorded truth
    bool any = false;
    for (const EventRow& event : engine.events()) {
        const auto kind = static_cast<EventKind>(event.kind);
        if (kind == EventKind::Measured && (!any || event.a > best)) {
            any = true;
            best = event.a;
            fraction = optimum / space->rows[*engine.configurationOf(NodeId(event.node))].timeNs;
        }
        if (kind == EventKind::Measured || kind == EventKind::Failed)
            run.fractions.push_back(fraction);
    }
    run.hostSeconds = threadSeconds() - start;
    run.logHash = canonicalLogHash(engine.events());
    return run;
}

Result<Evaluation> evaluateSpaces(const EvaluationOptions& options, const EvaluationProgress& progress,
                                  std::stop_token stop)
{
    FS_CHECK(check(options));
    std::vector<std::shared_ptr<const RecordedSpace>> spaces;
    for (const std::string& file : options.files) {
        auto space = readRecordedSpace(file);
        if (!space)
            return space.error().within(file);
        if (space->validCount() == 0)
            return makeError(ErrorCode::InvalidArgument, file + ": no configuration of this space succeeded",
                             "there is no optimum to compare with; leave it out");
        spaces.push_back(std::make_shared<const RecordedSpace>(std::move(*space)));
    }

    const std::vector<Variant> variants = variantsOf(options);
    std::vector<Task> tasks;
    for (std::size_t s = 0; s < spaces.size(); ++s)
        for (std::size_t v = 0; v < variants.size(); ++v)
            for (int seed = 0; seed < options.seeds; ++seed)
                tasks.push_back({s, v, seed});

    // Each task's result has its own place, so the order in which they finish does not matter.
    std::vector<RecordedRun> runs(tasks.size());
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::int64_t done = 0;
    std::optional<Error> failure;
    {
        std::vector<std::jthread> workers;
        for (int i = 0; i < std::max(1, options.threads); ++i)
            workers.emplace_back([&] {
                for (std::size_t t = next++; t < tasks.size() && !stop.stop_requested(); t = next++) {
                    const Task& task = tasks[t];
                    auto run = runOnRecordedSpace(spaces[task.space],
                                                  optionsOf(options, variants[task.variant], task.seed),
                                                  options.mode, stop);
                    const std::lock_guard lock(mutex);
                    if (!run) {
                        if (!failure)
                            failure = run.error().within(options.files[task.space]);
                        next = tasks.size();
                        return;
                    }
                    runs[t] = std::move(*run);
                    if (progress)
                        progress(++done, static_cast<std::int64_t>(tasks.size()));
                }
            });
    }
    if (stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "the evaluation was stopped");
    if (failure)
        return *failure;

    Evaluation evaluation;
    std::size_t first = 0;
    for (std::size_t s = 0; s < spaces.size(); ++s) {
        SpaceScore score{
            options.files[s], spaces[s]->rows.size(), spaces[s]->validCount(), spaces[s]->claimable(), {}};
        for (const Variant& variant : variants) {
            SearchScore search{variant.search, variant.policy, options.base.forecaster, {}, 0};
            const auto end = first + static_cast<std::size_t>(options.seeds);
            for (const int n : options.budgets) {
                std::vector<double> fractions;
                for (std::size_t t = first; t < end; ++t)
                    fractions.push_back(at(runs[t].fractions, n));
                const auto k = std::min(static_cast<std::size_t>(n), spaces[s]->rows.size());
                search.budgets.push_back(scoreOf(n, fractions, spaces[s]->exactRandom(k)));
            }
            double seconds = 0, measurements = 0;
            for (std::size_t t = first; t < end; ++t) {
                seconds += runs[t].hostSeconds;
                measurements += static_cast<double>(runs[t].fractions.size());
            }
            search.hostMsPerMeasurement = measurements > 0 ? 1000 * seconds / measurements : 0;
            first = end;
            score.policies.push_back(std::move(search));
        }
        evaluation.spaces.push_back(std::move(score));
    }
    for (std::size_t v = 0; v < variants.size(); ++v)
        evaluation.aggregate.push_back(aggregateOf(evaluation.spaces, v));
    return evaluation;
}

Json evaluationToJson(const Evaluation& evaluation)
{
    Json spaces = Json::array();
    for (const SpaceScore& space : evaluation.spaces) {
        Json policies = Json::array();
        for (const SearchScore& score : space.policies)
            policies.push_back(scoreToJson(score, true));
        spaces.push_back(Json{{"file", space.file},
                              {"configurations", space.configurations},
                              {"valid", space.valid},
                              {"claimable", space.claimable},
                              {"policies", std::move(policies)}});
    }
    Json aggregate = Json::array();
    for (const SearchScore& score : evaluation.aggregate)
        aggregate.push_back(scoreToJson(score, false));
    return Json{{"spaces", std::move(spaces)}, {"aggregate", std::move(aggregate)}};
}

} // namespace foresight
