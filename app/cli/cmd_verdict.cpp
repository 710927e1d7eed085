// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/base/json.h"
#include "core/store/session.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace foresight::cli {
namespace {

Result<void> run(Invocation& invocation, const std::string& path)
{
    Output& output = invocation.output;
    FS_TRY(session, Session::open(path, Session::Mode::ReadOnly));
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
    auto path = std::make_shared<std::string>();
    CLI::App* app = root.add_subcommand("verdict", "What was decided about each searched operator, and why");
    app->add_option("SESSION", *path, "Session file (.fsight)")->required();
    app->footer("Example:\n  foresight-cli verdict model.fsight");
    commands.push_back({app, [path](Invocation& invocation) { return run(invocation, *path); }});
}

} // namespace foresight::cli
