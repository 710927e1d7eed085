// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/base/json.h"
#include "core/profile/profile.h"
#include "core/store/session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace foresight::cli {
namespace {

struct Options
{
    std::string session;
    std::string sort = "headroom";
    int limit = 0;
};

std::string shapesText(const ProfiledOperator& op)
{
    std::vector<std::string> shapes;
    for (const auto& input : op.description.inputs)
        if (input.dtype != DType::Unknown)
            shapes.push_back(fmt::format("[{}] {}", fmt::join(input.shape, ","), dtypeName(input.dtype)));
    return fmt::format("{}", fmt::join(shapes, " "));
}

std::vector<std::string> familyNames(const FamilyRegistry& registry, const ProfiledOperator& op)
{
    std::vector<std::string> names;
    for (const auto& match : registry.match(op.description))
        if (std::find(names.begin(), names.end(), match.family->name()) == names.end())
            names.push_back(match.family->name());
    return names;
}

Json operatorJson(const ProfiledOperator& op, const std::vector<std::string>& families)
{
    Json dtypes = Json::array();
    Json shapes = Json::array();
    for (const auto& input : op.description.inputs) {
        if (input.dtype == DType::Unknown)
            continue;
        dtypes.push_back(std::string(dtypeName(input.dtype)));
        shapes.push_back(input.shape);
    }
    const bool hasFloor = op.floorKind != FloorKind::None;
    return {{"id", op.id.value},
            {"name", op.description.name},
            {"path", op.modulePath},
            {"paths", op.modulePaths},
            {"dtypes", dtypes},
            {"shapes", shapes},
            {"calls", op.calls},
            {"gpu_time_us", op.gpuNs / 1e3},
            {"share", op.share},
            {"floor_us", hasFloor ? Json(op.floorNs / 1e3) : Json(nullptr)},
            {"floor_kind", op.floorKind == FloorKind::Known      ? "known"
                           : op.floorKind == FloorKind::Estimate ? "estimate"
                                                                 : "none"},
            {"x_floor", hasFloor && op.floorNs > 0 ? Json(op.meanNs / op.floorNs) : Json(nullptr)},
            {"headroom_us", op.headroomNs / 1e3},
            {"overlaps_with", op.overlapsWith.valid() ? Json(op.overlapsWith.value) : Json(nullptr)},
            {"families", families}};
}

Result<void> sortOperators(Output& output, std::vector<ProfiledOperator>& operators, const std::string& by)
{
    double (*key)(const ProfiledOperator&) = nullptr;
    if (by == "headroom")
        key = [](const ProfiledOperator& op) { return op.headroomNs; };
    else if (by == "time")
        key = [](const ProfiledOperator& op) { return op.gpuNs; };
    else if (by == "calls")
        key = [](const ProfiledOperator& op) { return static_cast<double>(op.calls); };
    else if (by == "x_floor")
        key = [](const ProfiledOperator& op) { return op.floorNs > 0 ? op.meanNs / op.floorNs : 0; };
    else
        return output.usage("--sort: \"" + by + "\" is unknown", "choose headroom, time, calls or x_floor");
    std::stable_sort(operators.begin(), operators.end(),
                     [key](const auto& a, const auto& b) { return key(a) > key(b); });
    return {};
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    FS_TRY(loaded, loadFamilies(output));
    FS_TRY(session, Session::open(options.session, Session::Mode::ReadOnly));
    FS_TRY(profile, loadProfile(*session));
    FS_CHECK(sortOperators(output, profile.operators, options.sort));
    if (options.limit > 0 && profile.operators.size() > static_cast<std::size_t>(options.limit))
        profile.operators.resize(static_cast<std::size_t>(options.limit));
    Json operators = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (const auto& op : profile.operators) {
        const auto families = familyNames(loaded.registry, op);
        operators.push_back(operatorJson(op, families));
        const bool hasFloor = op.floorKind != FloorKind::None && op.floorNs > 0;
        rows.push_back({std::to_string(op.id.value), op.description.name, op.modulePath, shapesText(op),
                        std::to_string(op.calls), durationText(op.gpuNs),
                        fmt::format("{:.1f} %", op.share * 100),
                        hasFloor ? fmt::format("{:.1f}", op.meanNs / op.floorNs) : "-",
                        durationText(op.headroomNs), fmt::format("{}", fmt::join(families, " "))});
    }
    output.line(fmt::format("{} on {}, {} steps, {} of GPU time", profile.title, profile.gpuName,
                            profile.steps, durationText(profile.gpuNs)));
    if (const std::string distrust = profile.distrust(); !distrust.empty())
        output.line("Do not trust this ranking: " + distrust);
    for (const std::string& note : profile.notes)
        output.line("Note: " + note);
    output.line();
    output.table({{"id", true},
                  {"operator"},
                  {"path"},
                  {"inputs"},
                  {"calls", true},
                  {"GPU time", true},
                  {"share", true},
                  {"x floor", true},
                  {"headroom", true},
                  {"families"}},
                 rows);
    output.result({{"operators", operators},
                   {"records",
                    {{"received", profile.records.received},
                     {"dropped", profile.records.dropped},
                     {"untimed", profile.records.untimed},
                     {"unmatched", profile.records.unmatched},
                     {"disturbed_by", profile.records.disturbedBy}}},
                   {"profile",
                    {{"title", profile.title},
                     {"command", profile.command},
                     {"gpu", profile.gpuName},
                     {"steps", profile.steps},
                     {"wall_us", profile.wallNs / 1e3},
                     {"gpu_time_us", profile.gpuNs / 1e3},
                     {"launch_bound_us", profile.launchBoundNs / 1e3},
                     {"distrust", profile.distrust()},
                     {"notes", profile.notes}}}});
    return {};
}

} // namespace

void addOperators(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    CLI::App* app =
        root.add_subcommand("operators", "The operators of a recorded profile and what could be won back");
    app->add_option("SESSION", options->session, "Session file (.fsight)")->required();
    app->add_option("--sort", options->sort, "headroom, time, calls or x_floor")->capture_default_str();
    app->add_option("--limit", options->limit, "Only the first N (0: all)")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app->footer("Example:\n  foresight-cli operators profiles/sessions/vae_decoder.fsight --limit 5");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
