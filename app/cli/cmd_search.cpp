// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/search_log.h"
#include "app/cli/search_report.h"
#include "app/cli/search_source.h"
#include "core/base/file.h"
#include "core/base/json.h"

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

// One search to run: what, where it is kept, and what was there before.
struct Task
{
    SearchRequest request;
    std::int64_t search = 0; // in the session; 0: not yet registered, or not kept
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

Json resultJson(const PreparedSearch& prepared, const std::string& session)
{
    return {{"operator", prepared.target.operatorName},
            {"problem", prepared.target.problemKey},
            {"configurations", prepared.target.space->size()},
            {"gpu", prepared.gpu->info().spec.name},
            {"recorded", prepared.gpu->info().recorded},
            {"space", prepared.space ? Json(prepared.space->file) : Json(nullptr)},
            {"session", session.empty() ? Json(nullptr) : Json(session)},
            {"notes", prepared.notes},
            {"runs", Json::array()}};
}

Result<Json> runOne(Invocation& invocation, PreparedSearch& prepared, std::int64_t search,
                    std::vector<EventRow> history, Session* session)
{
    Output& output = invocation.output;
    const SearchOptions& options = prepared.options;
    SearchLog log(output, session, search, options.seed);
    const auto started = std::chrono::steady_clock::now();
    Engine engine(
        prepared.target, options, *prepared.forecaster, *prepared.gpu,
        [&log](EventRow& event) { return log.append(event); }, std::move(history));
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
    run.wallSeconds = prepared.gpu->nowSeconds();
    run.hostSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    FS_TRY(json, searchRunJson(run));
    json["search"] = session != nullptr ? Json(search) : Json(nullptr);
    return json;
}

void printRuns(Output& output, const Json& result)
{
    const Json& runs = result["runs"];
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
    for (const Json& note : result["notes"]) {
        const auto text = note.get<std::string>();
        constexpr std::size_t kShown = 160; // all of it is in the JSON
        output.line("note: " + (text.size() <= kShown ? text : text.substr(0, kShown) + " ..."));
    }
    output.line(fmt::format("{} ({}) on {}, speedup over {}", result["operator"].get<std::string>(),
                            result["problem"].get<std::string>(), result["gpu"].get<std::string>(),
                            runs.back()["baseline"].get<std::string>()));
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

// Which search of the session to go on with, and its log so far.
Result<Task> taskToResume(Output& output, const Options& options, const Session& session)
{
    FS_TRY(searches, session.searches());
    for (auto record = searches.rbegin(); record != searches.rend(); ++record) {
        if (options.searchId != 0 && record->id != options.searchId)
            continue;
        FS_TRY(history, loadHistory(session, record->id));
        Tree tree;
        for (const EventRow& event : history)
            FS_CHECK(tree.apply(event));
        if (tree.finished() && options.searchId == 0)
            continue;
        if (tree.finished())
            return output.usage(fmt::format("search {} is finished ({})", record->id, tree.finishReason()));
        FS_TRY(request, loadRequest(session, record->id));
        return Task{std::move(request), record->id, std::move(history)};
    }
    return makeError(ErrorCode::NotFound, options.out + " has no unfinished search",
                     "start one without --resume");
}

Result<std::vector<Task>> makeTasks(Output& output, const Options& options, const Session* session)
{
    std::vector<Task> tasks;
    if (options.resume) {
        FS_TRY(task, taskToResume(output, options, *session));
        tasks.push_back(std::move(task));
        return tasks;
    }
    FS_TRY(request, makeRequest(output, options.source));
    for (int i = 0; i < options.repeat; ++i) {
        Task task;
        task.request = request;
        task.request.options = options.search;
        task.request.options.seed += static_cast<std::uint64_t>(i);
        tasks.push_back(std::move(task));
    }
    return tasks;
}

std::string knownBaselines(const PreparedSearch& prepared)
{
    std::string names = "family-default";
    if (prepared.space)
        for (const auto& baseline : prepared.space->baselines)
            names += ", " + baseline.name;
    return names;
}

// The session is opened only once there is something to put into it.
Result<void> runAll(Invocation& invocation, const Options& options, std::vector<Task> tasks,
                    std::unique_ptr<Session>& session, Json& result)
{
    for (Task& task : tasks) {
        FS_TRY(prepared, prepareSearch(task.request, invocation.stop));
        // A baseline that was asked for by name is not to be replaced by another.
        if (!options.source.baseline.empty() && prepared.options.baselineName != options.source.baseline)
            return invocation.output.usage("--baseline: \"" + options.source.baseline +
                                               "\" was not measured for this problem",
                                           "known here: " + knownBaselines(prepared));
        if (result.empty())
            result = resultJson(prepared, options.out);
        if (!session && !options.out.empty()) {
            FS_TRY(opened, openOut(options));
            session = std::move(opened);
        }
        if (session && task.search == 0) {
            FS_TRY(id, beginSearch(*session, prepared, OperatorId(options.source.operatorId.value_or(-1))));
            task.search = id;
        }
        FS_TRY(run, runOne(invocation, prepared, task.search, std::move(task.history), session.get()));
        result["runs"].push_back(std::move(run));
        if (invocation.stop.stop_requested())
            return makeError(ErrorCode::Cancelled, "cancelled",
                             session ? "continue with --resume --out " + options.out : std::string());
    }
    return {};
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    FS_CHECK(checkSource(output, options));
    std::unique_ptr<Session> session;
    if (options.resume) {
        FS_TRY(opened, openOut(options));
        session = std::move(opened);
    } else {
        FS_CHECK(checkOptions(output, options.search));
        if (options.out.empty())
            output.note("The search is not kept; --out S.fsight keeps it.");
    }
    FS_TRY(tasks, makeTasks(output, options, session.get()));
    Json result = Json::object();
    if (auto done = runAll(invocation, options, std::move(tasks), session, result); !done) {
        output.partialResult(result);
        return done;
    }
    printRuns(output, result);
    output.result(result);
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
    app.add_option("--search", search.search, "puct, puct-paper, uct, ei, evolve, random or greedy")
        ->capture_default_str();
    app.add_option("--policy", search.policy.name, "improvement, all, top, confidence or risk")
        ->capture_default_str();
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
