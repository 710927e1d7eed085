// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/base/json.h"
#include "core/kernels/value_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace foresight::cli {
namespace {

struct Options
{
    std::string name;
    ProblemArguments problem;
    std::string gpu = "NVIDIA H200";
};

Json familyJson(const Family& family)
{
    Json parameters = Json::array();
    double combinations = 1;
    for (const auto& parameter : family.parameters()) {
        Json values = Json::array();
        for (const auto& value : parameter.values)
            values.push_back(valueToJson(value));
        combinations *= static_cast<double>(parameter.values.size());
        parameters.push_back({{"name", parameter.name}, {"values", values}, {"help", parameter.help}});
    }
    Json symbols = Json::array();
    for (const auto& symbol : family.symbols())
        symbols.push_back({{"name", symbol.name},
                           {"type", symbol.type},
                           {"default", symbol.defaultText.empty() ? Json(nullptr) : Json(symbol.defaultText)},
                           {"help", symbol.help}});
    Json dtypes = Json::array();
    for (DType type : family.dtypes())
        dtypes.push_back(std::string(dtypeName(type)));
    return {{"name", family.name()},
            {"title", family.title()},
            {"description", family.description()},
            {"operators", family.operatorNames()},
            {"dtypes", dtypes},
            {"layouts", family.layouts()},
            {"symbols", symbols},
            {"parameters", parameters},
            {"combinations", combinations},
            {"source_hash", family.sourceHash()}};
}

std::string dtypeList(const Family& family)
{
    std::vector<std::string> names;
    for (DType type : family.dtypes())
        names.emplace_back(dtypeName(type));
    return fmt::format("{}", fmt::join(names, ", "));
}

void printOne(Output& output, const Family& family)
{
    output.line(fmt::format("{}: {}", family.name(), family.title()));
    output.line(family.description());
    output.line();
    output.line(fmt::format("operators  {}", fmt::join(family.operatorNames(), ", ")));
    output.line(fmt::format("dtypes     {}", dtypeList(family)));
    output.line(fmt::format("layouts    {}", fmt::join(family.layouts(), ", ")));
    output.line();
    std::vector<std::vector<std::string>> rows;
    for (const auto& symbol : family.symbols())
        rows.push_back({symbol.name, symbol.type,
                        symbol.defaultText.empty() ? "(must be given)" : symbol.defaultText, symbol.help});
    output.table({{"shape"}, {"type"}, {"default"}, {"meaning"}}, rows);
    output.line();
    rows.clear();
    for (const auto& parameter : family.parameters()) {
        std::vector<std::string> values;
        for (const auto& value : parameter.values)
            values.push_back(valueText(value));
        rows.push_back({parameter.name, fmt::format("{}", fmt::join(values, " ")), parameter.help});
    }
    output.table({{"parameter"}, {"values"}, {"meaning"}}, rows);
}

void printAll(Output& output, const FamilyRegistry& registry)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& family : registry.families())
        rows.push_back({family->name(), family->title(), dtypeList(*family),
                        fmt::format("{}", fmt::join(family->operatorNames(), ", "))});
    output.table({{"family"}, {"title"}, {"dtypes"}, {"operators"}}, rows);
}

// The number of valid configurations depends on the problem and the GPU.
Result<Json> spaceJson(Output& output, const Family& family, const Options& options,
                       const std::string& dataFolder)
{
    FS_TRY(problem, makeProblem(output, family, options.problem));
    FS_TRY(gpu, findGpuSpec(dataFolder, options.gpu));
    FS_TRY(space, family.enumerate(problem, gpu));
    FS_TRY(standard, family.defaultConfiguration(problem, gpu));
    return Json{{"problem", problem.key},
                {"gpu", gpu.name},
                {"configurations", space.size()},
                {"default", symbolsToJson(standard)},
                {"floor_us", problem.floorNs(gpu) / 1e3}};
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    if (options.name.empty() && !options.problem.shape.empty())
        return output.usage("--shape needs the name of a family");
    FS_TRY(loaded, loadFamilies(output));
    Json families = Json::array();
    if (options.name.empty()) {
        for (const auto& family : loaded.registry.families())
            families.push_back(familyJson(*family));
        printAll(output, loaded.registry);
    } else {
        FS_TRY(family, findFamily(output, loaded.registry, options.name));
        families.push_back(familyJson(*family));
        printOne(output, *family);
        if (!options.problem.shape.empty()) {
            FS_TRY(space, spaceJson(output, *family, options, loaded.dataFolder));
            output.line();
            output.line(fmt::format("{} on {}: {} configurations, floor {}",
                                    space["problem"].get<std::string>(), space["gpu"].get<std::string>(),
                                    space["configurations"].get<std::size_t>(),
                                    durationText(space["floor_us"].get<double>() * 1e3)));
            families[0]["space"] = std::move(space);
        }
    }
    output.result({{"families", families}});
    return {};
}

} // namespace

void addFamilies(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    CLI::App* app =
        root.add_subcommand("families", "What the generator can write: families, their parameters and the "
                                        "operators they implement");
    app->add_option("NAME", options->name, "Only this family, in full");
    app->add_option("--shape", options->problem.shape,
                    "Count the valid configurations for this shape (k=v ...)");
    app->add_option("--dtype", options->problem.dtype, "Data type of --shape")->capture_default_str();
    app->add_option("--layout", options->problem.layout, "Layout of --shape")->capture_default_str();
    app->add_option("--gpu-name", options->gpu, "GPU of --shape, from profiles/gpus")->capture_default_str();
    app->footer("Example:\n  foresight-cli families softmax --shape rows=16384 cols=2048 --dtype bf16");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
