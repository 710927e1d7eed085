// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/doctor_checks.h"
#include "core/base/json.h"
#include "core/base/version.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace foresight::cli {
namespace {

struct Options
{
    std::string python = "python3";
    int device = 0;
    bool noMeasuring = false;
};

bool allWork(const std::vector<Check>& checks, const std::vector<std::string_view>& ids)
{
    return std::all_of(ids.begin(), ids.end(), [&checks](std::string_view id) {
        const auto found =
            std::find_if(checks.begin(), checks.end(), [id](const Check& check) { return check.id == id; });
        return found != checks.end() && (found->state == CheckState::Ok || found->state == CheckState::Warn);
    });
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    std::vector<Check> checks;
    auto add = [&checks](std::vector<Check> more) { checks.insert(checks.end(), more.begin(), more.end()); };
    add(checkProgramFiles());
    add(checkGpu(options.python, options.device, !options.noMeasuring, invocation.stop));
    checks.push_back(checkPyTorch(options.python, invocation.stop));
    add(checkFolders());
    if (invocation.stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "cancelled");

    Json list = Json::array();
    for (const Check& check : checks) {
        list.push_back({{"id", check.id},
                        {"state", std::string(gpuCheckStateName(check.state))},
                        {"detail", check.detail},
                        {"fix", check.fix}});
        std::string state(gpuCheckStateName(check.state));
        state.resize(8, ' ');
        output.line(state + check.id + ": " + check.detail);
        if (!check.fix.empty())
            output.line("        -> " + check.fix);
    }
    const std::vector<std::pair<const char*, bool>> abilities = {
        {"search_recorded", allWork(checks, {"data"})},
        {"compile", allWork(checks, {"data", "worker", "nvrtc", "cuda_headers"})},
        {"search_live", allWork(checks, {"data", "worker", "nvrtc", "cuda_headers", "driver", "gpu"})},
        {"profile", allWork(checks, {"driver", "gpu", "probe", "pytorch"})},
    };
    Json able = Json::object();
    output.line();
    for (const auto& [name, works] : abilities) {
        able[name] = works;
        output.line(std::string(works ? "can      " : "cannot   ") + name);
    }
    output.result({{"version", kVersion}, {"revision", kRevision}, {"checks", list}, {"can", able}});
    return {};
}

} // namespace

void addDoctor(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    CLI::App* app =
        root.add_subcommand("doctor", "What works on this machine, and how to get the rest to work");
    app->add_option("--python", options->python, "The interpreter to look for PyTorch in")
        ->capture_default_str();
    app->add_option("--device", options->device, "CUDA device to check")->capture_default_str();
    app->add_flag("--no-measuring", options->noMeasuring, "Do not run anything on the GPU");
    app->footer("Example:\n  foresight-cli doctor --json");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
