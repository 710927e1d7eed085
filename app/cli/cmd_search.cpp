// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/search_log.h"
#include "app/cli/search_report.h"
#include "app/cli/search_setup.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/search/started.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>

namespace foresight::cli {
namespace {

struct Options
{
    SearchSource source;
    SearchOptions search;
    int repeat = 1;
    std::string out;
    bool resume = false;
    std::int64_t searchId = 0; // to resume; 0: the last unfinished one
};

// What a run needs beside its options: where it is kept and what was there before.
struct Task
{
    SearchOptions options;
    std::int64_t search = 0;
    std::vector<EventRow> history;
};

Result<void> checkSource(Output& output, const Options& options)
{
    const SearchSource& source = options.source;
    if (options.resume) {
        if (options.out.empty())
            return output.usage("--resume needs the session to continue in: --out S.fsight");
        if (options.repeat != 1)
            return output.usage("--resume continues one search; --repeat does not go with it");
        return {};
    }
    const int named = (source.spaceFile.empty() ? 0 : 1) + (source.session.empty() ? 0 : 1) +
                      (source.session.empty() && !source.family.empty() ? 1 : 0);
    if (named != 1)
        return output.usage(
            "name one thing to search: --space FILE, SESSION --operator ID, or --family F --shape k=v ...");
    if (!source.session.empty() && !source.operatorId)
        return output.usage("which operator of " + source.session + "? give --operator ID",
                            "see foresight-cli operators " + source.session);
    return {};
}

Result<void> checkOptions(Output& output, const SearchOptions& options)
{
    const SearchBudget& budget = options.budget;
    if (!budget.measurements && !budget.gpuSeconds && !budget.wallSeconds)
        return output.usage("a search needs a budget",
                            "give --budget-measurements N, --budget-seconds S or --budget-gpu-seconds S");
    if (options.generator != "family")
        return output.usage("--generator: \"" + options.generator + "\" is unknown",
                            "this version has: family");
    if (auto valid = checkSearchOptions(options); !valid)
        return output.usage(valid.error().message, valid.error().hint);
    return {};
}

// The session the events are kept in: made when it is not there (from the profile's session, when one was
// named).
Result<std::unique_ptr<Session>> openOut(const Options& options)
{
    if (fileExists(options.out))
        return Session::open(options.out, Session::Mode::ReadWrite);
    if (options.resume)
        return makeError(ErrorCode::NotFound, options.out + " does not exist", "there is nothing to resume");
    if (!options.source.session.empty()) {
        FS_TRY(profiled, Session::open(options.source.session, Session::Mode::ReadOnly));
        FS_CHECK(profiled->saveAs(options.out));
        return Session::open(options.out, Session::Mode::ReadWrite);
    }
    return Session::create(options.out);
}

Result<Json> runOne(Invocation& invocation, const PreparedSearch& prepared, Task task, Session* session)
{
    Output& output = invocation.output;
    const SearchOptions& options = task.options;
    FS_TRY(gpu, prepared.makeGpu(options.seed, invocation.stop));
    FS_TRY(forecaster, prepared.makeForecaster(options));
    SearchLog log(output, session, task.search, options.seed);
    const auto started = std::chrono::steady_clock::now();
    Engine engine(
        prepared.target, options, *forecaster, *gpu, [&log](EventRow& event) { return log.append(event); },
        std::move(task.history));
    Progress progress(output, fmt::format("seed {}: measurements", options.seed),
                      options.budget.measurements.value_or(0));
    log.attach(engine, progress);
    const auto outcome = engine.run(invocation.stop);
    FS_CHECK(log.flush());
    if (!outcome && !outcome.error().isCancelled())
        return outcome.error();
    SearchRun run;
    run.options = options;
    run.events = engine.events();
    run.space = prepared.space.get();
    run.gpuSeconds = engine.gpuSecondsUsed();
    run.wallSeconds = gpu->nowSeconds();
    run.hostSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return searchRunJson(run);
}

void printRuns(Output& output, const PreparedSearch& prepared, const Json& runs)
{
    std::vector<std::vector<std::string>> rows;
    for (const Json& run : runs) {
        const Json& best = run["best"];
        const Json fraction =
            run["trajectory"].empty() ? Json(nullptr) : run["trajectory"].back()["fraction_of_optimum"];
        rows.push_back({std::to_string(run["seed"].get<std::uint64_t>()),
                        best.is_null() ? "-" : fmt::format("{:.3f}x", best["speedup"].get<double>()),
                        fraction.is_number() ? fmt::format("{:.3f}", fraction.get<double>()) : "-",
                        std::to_string(run["counts"]["measured"].get<std::int64_t>()),
                        std::to_string(run["counts"]["failed"].get<std::int64_t>()),
                        std::to_string(run["counts"]["skipped"].get<std::int64_t>()),
                        run["calibration"]["ece"].is_number()
                            ? fmt::format("{:.3f}", run["calibration"]["ece"].get<double>())
                            : "-",
                        run["finish_reason"].get<std::string>(),
                        best.is_null() ? "" : best["config"].dump()});
    }
    output.line(fmt::format("{} ({}), speedup over {}", prepared.target.operatorName,
                            prepared.target.problemKey, prepared.baselineName));
    output.table({{"seed", true},
                  {"best", true},
                  {"of optimum", true},
                  {"measured", true},
                  {"failed", true},
                  {"skipped", true},
                  {"ECE", true},
                  {"ended by"},
                  {"configuration"}},
                 rows);
}

// Which search of the session to go on with, its options and its log so far.
Result<Task> taskToResume(Output& output, const Options& options, Session& session, SearchSource& source)
{
    FS_TRY(searches, session.searches());
    for (auto record = searches.rbegin(); record != searches.rend(); ++record) {
        if (options.searchId != 0 && record->id != options.searchId)
            continue;
        Task task;
        Tree tree;
        FS_CHECK(session.readEvents(record->id, 0, std::numeric_limits<std::int64_t>::max(), true,
                                    [&task](EventRow&& event) {
                                        task.history.push_back(std::move(event));
                                        return true;
                                    }));
        for (const EventRow& event : task.history)
            FS_CHECK(tree.apply(event));
        if (tree.finished() && options.searchId == 0)
            continue;
        if (tree.finished())
            return output.usage(fmt::format("search {} is finished ({})", record->id, tree.finishReason()));
        FS_TRY(stored, searchOptionsFromJson(record->optionsJson));
        task.options = std::move(stored);
        task.search = record->id;
        if (!record->space.empty()) {
            source.spaceFile = record->space;
        } else {
            FS_TRY(named, sourceOfProblemKey(record->problemKey));
            named.gpu = "local";
            named.device = source.device;
            source = std::move(named);
        }
        source.baseline = task.options.baselineName;
        return task;
    }
    return makeError(ErrorCode::NotFound, options.out + " has no unfinished search",
                     "start one without --resume");
}

std::string absolutePath(const std::string& path)
{
    char* real = ::realpath(path.c_str(), nullptr);
    std::string result = real == nullptr ? path : real;
    std::free(real);
    return result;
}

Result<std::int64_t> addRecord(Session& session, const PreparedSearch& prepared, const SearchOptions& options)
{
    SearchRecord record;
    record.operatorId = prepared.operatorId;
    record.operatorName = prepared.target.operatorName;
    record.problemKey = prepared.target.problemKey;
    record.optionsJson = searchOptionsToJson(options);
    record.space = prepared.space ? absolutePath(prepared.space->file) : std::string();
    return session.addSearch(record);
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    FS_CHECK(checkSource(output, options));
    if (!options.resume)
        FS_CHECK(checkOptions(output, options.search));
    SearchSource source = options.source;
    std::unique_ptr<Session> session;
    std::vector<Task> tasks;
    if (options.resume) {
        FS_TRY(opened, openOut(options));
        session = std::move(opened);
        FS_TRY(task, taskToResume(output, options, *session, source));
        tasks.push_back(std::move(task));
    }
    FS_TRY(prepared, prepareSearch(output, source));
    if (!options.resume) {
        if (!options.out.empty()) {
            FS_TRY(opened, openOut(options));
            session = std::move(opened);
        } else {
            output.note("The search is not kept; --out S.fsight keeps it.");
        }
        for (int i = 0; i < options.repeat; ++i) {
            Task task;
            task.options = options.search;
            task.options.seed = options.search.seed + static_cast<std::uint64_t>(i);
            task.options.baselineName = prepared.baselineName;
            task.options.lnBaselineOverAnchor = prepared.lnBaselineOverAnchor;
            tasks.push_back(std::move(task));
        }
    }
    Json runs = Json::array();
    auto result = [&] {
        return Json{{"operator", prepared.target.operatorName},
                    {"problem", prepared.target.problemKey},
                    {"configurations", prepared.target.space->size()},
                    {"gpu", prepared.spec.name},
                    {"recorded", prepared.space != nullptr},
                    {"space", prepared.space ? Json(prepared.space->file) : Json(nullptr)},
                    {"session", options.out.empty() ? Json(nullptr) : Json(options.out)},
                    {"runs", runs}};
    };
    for (Task& task : tasks) {
        if (session && task.search == 0) {
            FS_TRY(id, addRecord(*session, prepared, task.options));
            task.search = id;
        }
        auto one = runOne(invocation, prepared, task, session.get());
        if (!one) {
            output.partialResult(result());
            return one.error();
        }
        (*one)["search"] = session ? Json(task.search) : Json(nullptr);
        runs.push_back(std::move(one).value());
        if (invocation.stop.stop_requested()) {
            output.partialResult(result());
            return makeError(ErrorCode::Cancelled, "cancelled",
                             session ? "continue with --resume --out " + options.out : std::string());
        }
    }
    printRuns(output, prepared, runs);
    output.result(result());
    return {};
}

void addOptions(CLI::App& app, Options& options)
{
    SearchSource& source = options.source;
    SearchOptions& search = options.search;
    app.add_option("SESSION", source.session, "Session with a profile; needs --operator");
    app.add_option("--operator", source.operatorId, "Operator of the session, see `operators`");
    app.add_option("--space", source.spaceFile, "Recorded space to search (T4 or Kernel Tuner cachefile)");
    app.add_option("--family", source.family, "Family to search, with --shape; or which one for --operator");
    app.add_option("--shape", source.problem.shape, "The problem's sizes (k=v ...)");
    app.add_option("--dtype", source.problem.dtype, "Data type of --shape")->capture_default_str();
    app.add_option("--layout", source.problem.layout, "Layout of --shape")->capture_default_str();
    app.add_option("--gpu", source.gpu, "auto, local, recorded or recorded:FILE")->capture_default_str();
    app.add_option("--device", source.device, "CUDA device of --gpu local")->capture_default_str();
    app.add_flag("--noisy", source.noisy, "Recorded GPU: draw one stored sample set per measurement");
    app.add_option("--baseline", source.baseline,
                   "What speedups are relative to: family-default, torch-eager, ...")
        ->capture_default_str();
    app.add_option("--search", search.search, "puct, ei, random or greedy")->capture_default_str();
    app.add_option("--policy", search.policy.name, "improvement, all or top")->capture_default_str();
    app.add_option("--candidates", search.policy.candidatesPerExpansion, "Candidates per expansion")
        ->capture_default_str();
    app.add_option("--measure", search.policy.measuredPerExpansion, "Of these measured, policy `improvement`")
        ->capture_default_str();
    app.add_option("--top-fraction", search.policy.topFraction, "Of these measured, policy `top`")
        ->capture_default_str();
    app.add_option("--audit", search.policy.auditProbability,
                   "Chance that a skipped candidate is measured anyway (0: none)")
        ->capture_default_str();
    app.add_option("--forecaster", search.forecaster, "gp or roofline")->capture_default_str();
    app.add_option("--generator", search.generator, "Where candidates come from")->capture_default_str();
    app.add_option("--start-design", search.startDesign, "Space-filling measurements first")
        ->capture_default_str();
    app.add_option("--exploration", search.exploration, "PUCT's constant c")->capture_default_str();
    app.add_option("--in-flight", search.maxInFlight, "Measurements in flight on a local GPU")
        ->capture_default_str();
    app.add_option("--budget-measurements", search.budget.measurements, "Stop after N measurements");
    app.add_option("--budget-seconds", search.budget.wallSeconds,
                   "Stop after S seconds (of the GPU's clock)");
    app.add_option("--budget-gpu-seconds", search.budget.gpuSeconds, "Stop after S seconds of GPU work");
    app.add_option("--seed", search.seed, "Seed of the first run")->capture_default_str();
    app.add_option("--repeat", options.repeat, "Runs with consecutive seeds")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--out", options.out, "Session that keeps the search (made when it does not exist)");
    app.add_flag("--resume", options.resume, "Go on with the last unfinished search of --out");
    app.add_option("--search-id", options.searchId, "Which search to --resume");
}

} // namespace

void addSearch(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    CLI::App* app =
        root.add_subcommand("search", "Search for a faster kernel, on this machine's GPU or on recorded "
                                      "measurements");
    addOptions(*app, *options);
    app->footer("Example:\n  foresight-cli search model.fsight --operator 3 --budget-measurements 80 --out "
                "found.fsight");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
