// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/base/json.h"
#include "core/gpu/sweep.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace foresight::cli {
namespace {

struct Options
{
    std::string family, regime = "cold", python = "python3";
    ProblemArguments problem;
    int device = 0;
    bool noBaselines = false;
    SweepOptions sweep;
};

Json resultJson(const SweepResult& result)
{
    return {{"finished", result.finished},        {"file", result.file},
            {"partial_file", result.partialFile}, {"configurations", result.configurations},
            {"measured", result.measured},        {"valid", result.valid},
            {"measured_again", result.again},     {"anchor_us", result.anchorNs / 1e3},
            {"best_us", result.bestNs / 1e3},     {"best", result.bestConfiguration},
            {"noise_floor", result.noiseFloor},   {"notes", result.notes}};
}

Json progressJson(const SweepProgress& progress)
{
    return {{"phase", progress.phase},
            {"done", progress.done},
            {"total", progress.total},
            {"failed", progress.failed},
            {"best_us", progress.bestNs / 1e3},
            {"anchor_us", progress.anchorNs / 1e3},
            {"elapsed_s", progress.elapsedSeconds},
            {"remaining_s", progress.remainingSeconds}};
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    FS_TRY(loaded, loadFamilies(output));
    FS_TRY(family, findFamily(output, loaded.registry, options.family));
    FS_TRY(problem, makeProblem(output, *family, options.problem));
    FS_TRY(symbols, parseAssignments(output, options.problem.shape, "--shape"));
    if (options.regime != "cold" && options.regime != "hot")
        return output.usage("--regime: \"" + options.regime + "\" is unknown", "choose cold or hot");
    SweepOptions sweep = options.sweep;
    sweep.family = family;
    sweep.problem = problem;
    sweep.symbols = symbols;
    sweep.regime = options.regime == "hot" ? Regime::Hot : Regime::Cold;
    sweep.torchBaselines = !options.noBaselines;
    sweep.gpu.device = options.device;
    sweep.gpu.python = options.python;
    sweep.gpu.purpose = "sweep";

    std::string phase;
    std::unique_ptr<Progress> line;
    auto result = runSweep(
        sweep,
        [&](const SweepProgress& progress) {
            if (progress.phase != phase) {
                phase = progress.phase;
                line = std::make_unique<Progress>(output, phase, static_cast<std::int64_t>(progress.total));
            }
            line->update(static_cast<std::int64_t>(progress.done),
                         fmt::format("{} failed, best {}, anchor {}", progress.failed,
                                     durationText(progress.bestNs), durationText(progress.anchorNs)));
            output.event(progressJson(progress));
        },
        invocation.stop);
    line.reset();
    if (!result)
        return result.error();
    output.line(fmt::format("{}: {} of {} configurations measured, {} valid", problem.key, result->measured,
                            result->configurations, result->valid));
    output.line(fmt::format("best {} ({}), anchor {}: {:.3f}x", durationText(result->bestNs),
                            result->bestConfiguration, durationText(result->anchorNs),
                            result->bestNs > 0 ? result->anchorNs / result->bestNs : 0));
    for (const auto& text : result->notes)
        output.line("note: " + text);
    output.line(result->finished
                    ? "written to " + result->file
                    : "stopped; go on with --resume (measurements so far: " + result->partialFile + ")");
    if (invocation.stop.stop_requested() && !result->finished) {
        output.partialResult(resultJson(*result));
        return makeError(ErrorCode::Cancelled, "cancelled", "go on with --resume");
    }
    output.result(resultJson(*result));
    return {};
}

} // namespace

void addSweep(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    SweepOptions& sweep = options->sweep;
    CLI::App* app = root.add_subcommand(
        "sweep", "Measure every configuration of a family on this machine's GPU and record "
                 "them as a space");
    app->add_option("FAMILY", options->family, "Family, see `families`")->required();
    app->add_option("--shape", options->problem.shape, "The problem's sizes (k=v ...)")->required();
    app->add_option("--dtype", options->problem.dtype, "Data type")->required();
    app->add_option("--layout", options->problem.layout, "Layout")->capture_default_str();
    app->add_option("--out", sweep.output, "File to write (.t4.json.zst)")->required();
    app->add_flag("--resume", sweep.resume, "Go on with a sweep that was stopped");
    app->add_option("--limit", sweep.limit, "Only N configurations (0: all)")->capture_default_str();
    app->add_option("--max-seconds", sweep.maxSeconds,
                    "Stop cleanly after this long, to be resumed (0: no limit)")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app->add_option("--quads", sweep.quads, "Quads per measurement")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app->add_option("--regime", options->regime, "cold or hot caches")->capture_default_str();
    app->add_option("--seed", sweep.seed, "Of order and data")->capture_default_str();
    app->add_option("--device", options->device, "CUDA device")->capture_default_str();
    app->add_option("--python", options->python, "Interpreter with PyTorch, for baselines")
        ->capture_default_str();
    app->add_flag("--no-baselines", options->noBaselines, "Do not time PyTorch's own operator");
    app->footer("Example:\n  foresight-cli sweep softmax --shape rows=16384 cols=2048 --dtype bf16 --out "
                "softmax.t4.json.zst");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
