// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/profile/recorder.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

namespace foresight::cli {
namespace {

Json summaryJson(const Profile& profile, const std::string& session)
{
    Json operators = Json::array();
    for (const auto& op : profile.operators) {
        constexpr std::size_t kShown = 20;
        if (operators.size() == kShown)
            break;
        operators.push_back({{"id", op.id.value},
                             {"name", op.description.name},
                             {"path", op.modulePath},
                             {"calls", op.calls},
                             {"gpu_time_us", op.gpuNs / 1e3},
                             {"headroom_us", op.headroomNs / 1e3}});
    }
    return {{"session", session},
            {"title", profile.title},
            {"gpu", profile.gpuName},
            {"steps", profile.steps},
            {"wall_us", profile.wallNs / 1e3},
            {"gpu_time_us", profile.gpuNs / 1e3},
            {"launch_bound_us", profile.launchBoundNs / 1e3},
            {"probe_overhead_us", profile.probeOverheadNs / 1e3},
            {"records",
             {{"received", profile.records.received},
              {"dropped", profile.records.dropped},
              {"untimed", profile.records.untimed},
              {"unmatched", profile.records.unmatched},
              {"disturbed_by", profile.records.disturbedBy}}},
            {"distrust", profile.distrust()},
            {"notes", profile.notes},
            {"operators", operators}};
}

void print(Output& output, const Profile& profile)
{
    output.line(fmt::format("{} on {}: {} steps, {} of GPU time in {}", profile.title, profile.gpuName,
                            profile.steps, durationText(profile.gpuNs), durationText(profile.wallNs)));
    if (const std::string distrust = profile.distrust(); !distrust.empty())
        output.line("Do not trust this ranking: " + distrust);
    for (const std::string& note : profile.notes)
        output.line("Note: " + note);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < std::min<std::size_t>(profile.operators.size(), 10); ++i) {
        const auto& op = profile.operators[i];
        rows.push_back({std::to_string(op.id.value), op.description.name, op.modulePath,
                        std::to_string(op.calls), durationText(op.gpuNs), durationText(op.headroomNs)});
    }
    output.table(
        {{"id", true}, {"operator"}, {"path"}, {"calls", true}, {"GPU time", true}, {"headroom", true}},
        rows);
}

Result<void> run(Invocation& invocation, const RecordOptions& options)
{
    Output& output = invocation.output;
    if (options.command.empty())
        return output.usage("no program to profile was given",
                            "write it after --: foresight-cli profile -- python3 x.py");
    if (!options.out.empty() && fileExists(options.out))
        return output.usage(options.out + " exists already",
                            "choose another name for --out or remove the file");
    Progress progress(output, "kernels", 0);
    auto profile = recordProfile(
        options,
        [&](const RecordProgress& now) {
            // The program's own words stay visible, and out of our results.
            if (!output.quiet() && !now.output.empty())
                fmt::print(stderr, "{}", now.output);
            progress.update(now.kernels, fmt::format("{} dropped {}", now.dropped, now.status));
            output.event({{"processes", now.processes},
                          {"kernels", now.kernels},
                          {"ranges", now.ranges},
                          {"dropped", now.dropped},
                          {"status", now.status}});
        },
        invocation.stop);
    if (!profile)
        return profile.error();
    print(output, *profile);
    if (!options.out.empty())
        output.line("written to " + options.out);
    output.result(summaryJson(*profile, options.out));
    return {};
}

} // namespace

void addProfile(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<RecordOptions>();
    CLI::App* app =
        root.add_subcommand("profile", "Run a PyTorch/CUDA program with the probe and record its operators");
    app->add_option("--out", options->out, "Session file to write (.fsight)");
    app->add_option("--warmup", options->warmup, "Steps before the first recorded one")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app->add_option("--steps", options->steps, "Steps to record")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app->add_option("--title", options->title, "Title of the session");
    app->add_option("CMD", options->command, "The program and its arguments, after --");
    app->footer("Example:\n  foresight-cli profile --out model.fsight --steps 3 -- python3 generate.py");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
