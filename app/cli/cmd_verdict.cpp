// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/base/json.h"
#include "core/search/verdict_of_search.h"
#include "core/store/session.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>

namespace foresight::cli {
namespace {

struct Options
{
    std::string session;
    std::int64_t decide = 0; // search; 0: only show
    int spacingSeconds = 60;
};

Result<void> decide(Invocation& invocation, const Options& options)
{
    VerdictTask task;
    task.sessionPath = options.session;
    task.search = options.decide;
    task.spacing = std::chrono::seconds(options.spacingSeconds);
    task.progress = [&invocation](const std::string& text) { invocation.output.note(text); };
    const auto decided = decideSearch(task, invocation.stop);
    return decided ? Result<void>() : Result<void>(decided.error());
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    if (options.decide != 0)
        FS_CHECK(decide(invocation, options));
    FS_TRY(session, Session::open(options.session, Session::Mode::ReadOnly));
    FS_TRY(verdicts, session->verdicts());
    FS_TRY(searches, session->searches());
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (const auto& verdict : verdicts) {
        std::string name, problem;
        for (const auto& search : searches)
            if (search.id == verdict.search) {
                name = search.operatorName;
                problem = search.problemKey;
            }
        // Evidence that cannot be read is shown as what it is; the decision stands.
        auto evidence = parseJson(verdict.evidenceJson, "evidence");
        list.push_back({{"id", verdict.id},
                        {"search", verdict.search},
                        {"operator", verdict.operatorId >= 0 ? Json(verdict.operatorId) : Json(nullptr)},
                        {"operator_name", name},
                        {"problem", problem},
                        {"decision", verdict.decision},
                        {"reason", verdict.reason},
                        {"evidence", evidence ? *evidence : Json(verdict.evidenceJson)},
                        {"created", verdict.created}});
        rows.push_back({std::to_string(verdict.search), name, problem, verdict.decision, verdict.reason,
                        verdict.created});
    }
    if (rows.empty())
        output.line("No verdict yet: " + std::to_string(searches.size()) + " searches in this session.");
    else
        output.table({{"search", true}, {"operator"}, {"problem"}, {"verdict"}, {"reason"}, {"when"}}, rows);
    output.result({{"verdicts", list}});
    return {};
}

} // namespace

void addVerdict(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand("verdict", "What was decided about each searched operator, and why");
    app->add_option("SESSION", options->session, "Session file (.fsight)")->required();
    app->add_option("--decide", options->decide,
                    "Decide about this finished search first, and keep the verdict")
        ->check(CLI::PositiveNumber);
    app->add_option("--spacing", options->spacingSeconds,
                    "Seconds between two confirming processes on a live GPU, at least")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app->footer("Example:\n  foresight-cli verdict model.fsight --decide 1");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
