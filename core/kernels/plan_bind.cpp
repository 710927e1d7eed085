// SPDX-License-Identifier: Apache-2.0
// Binding: expressions become numbers and every limit is checked here, before anything is launched.
#include "core/kernels/plan.h"

#include <algorithm>
#include <limits>

namespace foresight {

namespace {

constexpr std::int64_t kMaxGridX = 2147483647, kMaxGridYz = 65535;
constexpr std::int64_t kMaxWorkspaceBytes = std::int64_t{1} << 40;

std::string tripleText(const std::array<std::int64_t, 3>& v)
{
    return std::to_string(v[0]) + " x " + std::to_string(v[1]) + " x " + std::to_string(v[2]);
}

Error limit(const std::string& kernel, const std::string& what)
{
    return makeError(ErrorCode::ResourceLimit, "launch of " + kernel + ": " + what,
                     "This configuration does not fit the GPU or the shape; choose another one.");
}

Result<std::array<std::int64_t, 3>> evaluateTriple(const std::array<Expression, 3>& expressions,
                                                   const Symbols& symbols)
{
    std::array<std::int64_t, 3> values{};
    for (std::size_t i = 0; i < 3; ++i) {
        FS_TRY(value, expressions[i].evaluateInteger(symbols));
        values[i] = value;
    }
    return values;
}

Result<void> checkGeometry(const BoundLaunch& launch, const GpuSpec& gpu)
{
    for (std::size_t i = 0; i < 3; ++i)
        if (launch.grid[i] < 1 || launch.grid[i] > (i == 0 ? kMaxGridX : kMaxGridYz))
            return limit(launch.kernel,
                         "a grid of " + tripleText(launch.grid) + " blocks is outside the GPU's limits");
    const std::int64_t maxBlock[3] = {1024, 1024, 64};
    std::int64_t threads = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        if (launch.block[i] < 1 || launch.block[i] > maxBlock[i])
            return limit(launch.kernel, "a block of " + tripleText(launch.block) + " threads is not allowed");
        threads *= launch.block[i];
    }
    if (threads > gpu.maxThreadsPerBlock)
        return limit(launch.kernel, std::to_string(threads) + " threads per block, the GPU allows " +
                                        std::to_string(gpu.maxThreadsPerBlock));
    if (launch.sharedBytes < 0 || launch.sharedBytes > gpu.sharedPerBlockOptin)
        return limit(launch.kernel, std::to_string(launch.sharedBytes) +
                                        " bytes of shared memory per block, the GPU allows " +
                                        std::to_string(gpu.sharedPerBlockOptin));
    if (launch.cluster == std::array<std::int64_t, 3>{0, 0, 0})
        return {};
    if (gpu.computeMajor < 9)
        return limit(launch.kernel, "thread block clusters need compute capability 9.0");
    std::int64_t blocks = 1;
    for (std::size_t i = 0; i < 3; ++i) {
        if (launch.cluster[i] < 1 || launch.cluster[i] > 16 || launch.grid[i] % launch.cluster[i] != 0)
            return limit(launch.kernel, "a cluster of " + tripleText(launch.cluster) +
                                            " blocks does not divide the grid of " + tripleText(launch.grid));
        blocks *= launch.cluster[i];
    }
    if (blocks > 16)
        return limit(launch.kernel, "a cluster of " + std::to_string(blocks) + " blocks, the GPU allows 16");
    return {};
}

Result<BoundArgument> bindArgument(const PlanArgument& argument, const std::string& kernel,
                                   const KernelPlan& plan, const Problem& problem, const Symbols& symbols)
{
    BoundArgument bound{argument.kind, argument.name, argument.type, 0, 0};
    const auto named = [&](const auto& entry) { return entry.name == argument.name; };
    switch (argument.kind) {
    case PlanArgument::Kind::Tensor:
        if (std::none_of(problem.tensors.begin(), problem.tensors.end(), named))
            return makeError(ErrorCode::InvalidArgument,
                             kernel + ": the problem has no tensor '" + argument.name + "'");
        return bound;
    case PlanArgument::Kind::Workspace:
        if (std::none_of(plan.workspaces.begin(), plan.workspaces.end(), named))
            return makeError(ErrorCode::InvalidArgument,
                             kernel + ": the plan has no workspace '" + argument.name + "'");
        return bound;
    case PlanArgument::Kind::Scalar:
        break;
    }
    if (argument.type == "f32" || argument.type == "f64") {
        FS_TRY(value, argument.value.evaluateNumber(symbols));
        bound.real = value;
        return bound;
    }
    FS_TRY(value, argument.value.evaluateInteger(symbols));
    if (argument.type == "i32" && (value > std::numeric_limits<std::int32_t>::max() ||
                                   value < std::numeric_limits<std::int32_t>::min()))
        return makeError(ErrorCode::ResourceLimit,
                         kernel + ": argument '" + argument.name + "' = " + std::to_string(value) +
                             " does not fit the kernel's 32-bit integer",
                         "The shape is too large for this kernel.");
    bound.integer = value;
    return bound;
}

} // namespace

Symbols gpuSymbols(const GpuSpec& gpu)
{
    const auto integer = [](auto value) { return Value(static_cast<std::int64_t>(value)); };
    return {{"smCount", integer(gpu.smCount)},
            {"maxThreadsPerBlock", integer(gpu.maxThreadsPerBlock)},
            {"maxThreadsPerSm", integer(gpu.maxThreadsPerSm)},
            {"maxBlocksPerSm", integer(gpu.maxBlocksPerSm)},
            {"registersPerSm", integer(gpu.registersPerSm)},
            {"sharedPerBlock", integer(gpu.sharedPerBlock)},
            {"sharedPerBlockOptin", integer(gpu.sharedPerBlockOptin)},
            {"sharedPerSm", integer(gpu.sharedPerSm)},
            {"reservedSharedPerBlock", integer(gpu.reservedSharedPerBlock)},
            {"l2Bytes", integer(gpu.l2Bytes)},
            {"memoryBytes", integer(gpu.memoryBytes)},
            {"arch", integer(gpu.arch())}};
}

Symbols problemSymbols(const Problem& problem)
{
    Symbols symbols = problem.symbols;
    symbols["dtype"] = std::string(dtypeName(problem.dtype));
    symbols["layout"] = problem.layout;
    symbols["elementBytes"] = std::int64_t{dtypeBytes(problem.dtype)};
    return symbols;
}

Result<BoundPlan> bindPlan(const KernelPlan& plan, const Problem& problem, const GpuSpec& gpu)
{
    BoundPlan bound;
    for (const TensorSpec& tensor : problem.tensors) {
        BoundPlan::Alignment alignment{tensor.name, std::max(1, dtypeBytes(tensor.dtype))};
        for (const PlanAlignment& wanted : plan.alignments)
            if (wanted.tensor == tensor.name)
                alignment.bytes = std::max(alignment.bytes, wanted.bytes);
        bound.alignments.push_back(std::move(alignment));
    }
    // Nothing to compute: no launch at all (a grid of 0 blocks would be an error that surfaces later).
    const bool empty =
        std::any_of(problem.tensors.begin(), problem.tensors.end(), [](const TensorSpec& tensor) {
            return tensor.role != TensorSpec::Role::Input && tensor.elements() == 0;
        });
    if (empty)
        return bound;

    Symbols symbols = problemSymbols(problem);
    for (auto& [name, value] : gpuSymbols(gpu))
        symbols.insert_or_assign(name, std::move(value));
    for (const auto& [name, value] : plan.parameters)
        symbols.insert_or_assign(name, value);
    // Locals may divide by what a requirement rules out, so requirements that can be decided come first.
    std::vector<const PlanRequirement*> later;
    const auto check = [&symbols](const PlanRequirement& requirement) -> Result<void> {
        FS_TRY(holds, requirement.condition.evaluateBool(symbols));
        if (!holds)
            return makeError(ErrorCode::InvalidArgument,
                             "the kernel does not serve this problem: " + requirement.message,
                             "Condition: " + requirement.condition.text());
        return {};
    };
    for (const PlanRequirement& requirement : plan.requirements) {
        const auto& names = requirement.condition.symbolNames();
        if (std::all_of(names.begin(), names.end(),
                        [&](const std::string& name) { return symbols.contains(name); }))
            FS_CHECK(check(requirement));
        else
            later.push_back(&requirement);
    }
    for (const PlanLocal& local : plan.locals) {
        FS_TRY(value, local.value.evaluate(symbols));
        symbols.insert_or_assign(local.name, std::move(value));
    }
    for (const PlanRequirement* requirement : later)
        FS_CHECK(check(*requirement));

    for (const PlanWorkspace& workspace : plan.workspaces) {
        FS_TRY(bytes, workspace.bytes.evaluateInteger(symbols));
        if (bytes < 0 || bytes > kMaxWorkspaceBytes)
            return makeError(ErrorCode::ResourceLimit, "workspace '" + workspace.name + "' of " +
                                                           std::to_string(bytes) + " bytes is not possible");
        bound.workspaces.push_back({workspace.name, bytes, workspace.zeroed});
    }
    for (const PlanLaunch& launch : plan.launches) {
        BoundLaunch result;
        result.kernel = launch.kernel;
        result.cooperative = launch.cooperative;
        FS_TRY(grid, evaluateTriple(launch.grid, symbols));
        FS_TRY(block, evaluateTriple(launch.block, symbols));
        FS_TRY(cluster, evaluateTriple(launch.cluster, symbols));
        FS_TRY(shared, launch.sharedBytes.evaluateInteger(symbols));
        result.grid = grid;
        result.block = block;
        result.cluster = cluster;
        result.sharedBytes = shared;
        FS_CHECK(checkGeometry(result, gpu));
        for (const PlanArgument& argument : launch.arguments) {
            FS_TRY(value, bindArgument(argument, launch.kernel, plan, problem, symbols));
            result.arguments.push_back(std::move(value));
        }
        bound.launches.push_back(std::move(result));
    }
    return bound;
}

} // namespace foresight
