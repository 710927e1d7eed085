// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/gpu/compiler.h"
#include "core/kernels/value_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace foresight::cli {
namespace {

struct Options
{
    std::string family;
    std::vector<std::string> config;
    ProblemArguments problem;
    std::string arch = "sm_90";
    std::string out, source;
    bool noCache = false;
};

// A spec of the architecture, for occupancy and for the limits that configurations are checked against.
Result<GpuSpec> specOfArch(Output& output, const std::string& dataFolder, const std::string& arch)
{
    FS_TRY(specs, loadGpuSpecs(dataFolder));
    std::string known;
    for (const auto& spec : specs) {
        if (spec.archName() == arch)
            return spec;
        known += (known.empty() ? "" : ", ") + spec.archName();
    }
    return output.usage("--arch: no GPU of architecture \"" + arch + "\" is described in profiles/gpus",
                        "described are: " + known);
}

Json resourcesJson(const KernelResources& resources)
{
    return {{"kernel", resources.kernel},
            {"registers", resources.registers},
            {"spill_stores", resources.spillStores},
            {"spill_loads", resources.spillLoads},
            {"static_shared", resources.staticShared},
            {"dynamic_shared", resources.dynamicShared},
            {"stack_frame", resources.stackFrame},
            {"code_bytes", resources.codeBytes},
            {"threads_per_block", resources.threadsPerBlock},
            {"occupancy", resources.threadsPerBlock > 0 ? Json(resources.occupancy) : Json(nullptr)},
            {"occupancy_limit", resources.occupancyLimit}};
}

// Block sizes and dynamic shared memory come from the launches, not from the compiler. A kernel that this
// problem does not launch keeps 0 threads.
void completeResources(std::vector<KernelResources>& all, const BoundPlan& plan, const GpuSpec& gpu)
{
    for (auto& resources : all)
        for (const auto& launch : plan.launches)
            if (launch.kernel == resources.kernel) {
                resources.threadsPerBlock =
                    static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
                resources.dynamicShared = launch.sharedBytes;
                computeOccupancy(resources, gpu);
                break;
            }
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    FS_TRY(loaded, loadFamilies(output));
    FS_TRY(family, findFamily(output, loaded.registry, options.family));
    FS_TRY(gpu, specOfArch(output, loaded.dataFolder, options.arch));
    FS_TRY(problem, makeProblem(output, *family, options.problem));
    FS_TRY(configuration, family->defaultConfiguration(problem, gpu));
    FS_TRY(given, parseAssignments(output, options.config, "--config"));
    for (const auto& [name, value] : given) {
        if (!configuration.contains(name))
            return output.usage("--config: " + family->name() + " has no parameter \"" + name + "\"",
                                "see foresight-cli families " + family->name());
        configuration[name] = value;
    }
    auto canonical = family->canonical(problem, configuration);
    if (!canonical)
        return output.usage(canonical.error().message, canonical.error().hint);
    auto plan = family->instantiate(problem, *canonical);
    if (!plan)
        return output.usage(plan.error().message, plan.error().hint);
    auto bound = bindPlan(*plan, problem, gpu);
    if (!bound)
        return output.usage(bound.error().message, bound.error().hint);
    if (!options.source.empty())
        FS_CHECK(writeFileAtomically(options.source, plan->source));

    CompileRequest request;
    request.source = plan->source;
    request.options = plan->compileOptions;
    request.arch = options.arch;
    CompilerOptions compiler;
    if (!options.noCache)
        compiler.cacheFolder = joinPath(userCacheFolder(), "kernels");
    Json result = {{"family", family->name()},
                   {"problem", problem.key},
                   {"configuration", symbolsToJson(*canonical)},
                   {"arch", options.arch},
                   {"options", plan->compileOptions},
                   {"content_hash", plan->contentHash()}};
    auto compiled = compileKernel(request, compiler, invocation.stop);
    if (!compiled) {
        if (const std::string log = compileLogOf(compiled.error()); !log.empty()) {
            result["log"] = log;
            output.partialResult(result);
        }
        return compiled.error();
    }
    completeResources(compiled->resources, *bound, gpu);
    if (!options.out.empty())
        FS_CHECK(writeFileAtomically(options.out, compiled->cubin));
    Json resources = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (const auto& kernel : compiled->resources) {
        resources.push_back(resourcesJson(kernel));
        rows.push_back({kernel.kernel, std::to_string(kernel.registers),
                        fmt::format("{}/{}", kernel.spillStores, kernel.spillLoads),
                        std::to_string(kernel.staticShared + kernel.dynamicShared),
                        std::to_string(kernel.threadsPerBlock),
                        kernel.threadsPerBlock > 0
                            ? fmt::format("{:.0f} % ({})", kernel.occupancy * 100, kernel.occupancyLimit)
                            : std::string("not launched")});
    }
    result["resources"] = resources;
    result["log"] = compiled->log;
    result["cubin_hash"] = compiled->hash;
    result["cubin_bytes"] = compiled->cubin.size();
    result["seconds"] = compiled->seconds;
    result["from_cache"] = compiled->fromCache;
    output.line(fmt::format("{} for {}", symbolsText(*canonical), problem.key));
    output.line(fmt::format("compiled for {} in {}{}, {} bytes", options.arch, secondsText(compiled->seconds),
                            compiled->fromCache ? " (earlier; now from the cache)" : "",
                            compiled->cubin.size()));
    output.table({{"kernel"},
                  {"registers", true},
                  {"spills st/ld", true},
                  {"shared", true},
                  {"threads", true},
                  {"occupancy", true}},
                 rows);
    output.result(result);
    return {};
}

} // namespace

void addCompile(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    CLI::App* app = root.add_subcommand(
        "compile", "Compile one configuration to a CUBIN and show what it uses (needs no GPU)");
    app->add_option("FAMILY", options->family, "Family, see `families`")->required();
    app->add_option("--config", options->config,
                    "Parameters that differ from the family's default (k=v ...)");
    app->add_option("--shape", options->problem.shape, "The problem's sizes (k=v ...)")->required();
    app->add_option("--dtype", options->problem.dtype, "Data type")->capture_default_str();
    app->add_option("--layout", options->problem.layout, "Layout")->capture_default_str();
    app->add_option("--arch", options->arch, "GPU architecture")->capture_default_str();
    app->add_option("--out", options->out, "Write the CUBIN here");
    app->add_option("--source", options->source, "Write the CUDA source here");
    app->add_flag("--no-cache", options->noCache, "Compile even when the result is known");
    app->footer(
        "Example:\n  foresight-cli compile softmax --shape rows=16384 cols=2048 --dtype bf16 --arch sm_90");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
