// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/plan_runner.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace foresight::measure {

namespace {

// A kernel with more parameters than the plan has arguments would read past our array of pointers: it finds
// these zeros instead (only on drivers that cannot be asked for a kernel's parameters).
constexpr std::size_t kSparePointers = 64;
std::array<unsigned char, 4096> g_zeros{};

std::size_t argumentBytes(const BoundArgument& argument)
{
    if (argument.kind != PlanArgument::Kind::Scalar)
        return 8;
    return argument.type == "i64" || argument.type == "f64" ? 8 : 4;
}

Error refused(std::string message)
{
    return makeError(ErrorCode::InvalidArgument, std::move(message));
}

template <typename T> void put(std::array<unsigned char, 8>& storage, T value)
{
    std::memcpy(storage.data(), &value, sizeof value);
}

} // namespace

Result<std::unique_ptr<Module>> Module::load(Device& device, const std::string& cubin)
{
    std::unique_ptr<Module> module(new Module(device));
    FS_CHECK(device.check(device.cu().cuModuleLoadData(&module->m_module, cubin.data()),
                          "loading the compiled kernels"));
    const auto uses = [&cubin](const char* symbol) { return cubin.find(symbol) != std::string::npos; };
    module->m_prints = uses("vprintf");
    module->m_launchesOthers = uses("cudaLaunchDevice") || uses("cudaGraphLaunch");
    return module;
}

Module::~Module()
{
    if (m_module && !m_device.lost())
        m_device.cu().cuModuleUnload(m_module);
}

Result<std::unique_ptr<PlanRunner>> PlanRunner::make(Device& device, Support& support, const Module* module,
                                                     const BoundPlan& plan,
                                                     const std::map<std::string, CUdeviceptr>& tensors)
{
    std::unique_ptr<PlanRunner> runner(new PlanRunner(device, plan));
    if (plan.workspaces.size() > TensorSet::kMaxWorkspaces)
        return refused("The plan has more than " + std::to_string(TensorSet::kMaxWorkspaces) +
                       " workspaces.");
    if (!module && !plan.launches.empty())
        return makeError(ErrorCode::Internal, "The plan's CUBIN did not travel with the request.");
    runner->m_mayEscape = !module || module->mayEscape();
    std::vector<const GuardedBuffer*> guarded;
    for (const BoundWorkspace& workspace : plan.workspaces) {
        if (workspace.bytes < 0)
            return refused("Workspace '" + workspace.name + "' has a negative size.");
        FS_TRY(buffer, GuardedBuffer::allocate(device, static_cast<std::uint64_t>(workspace.bytes), 256));
        runner->m_workspaces.push_back(std::move(buffer));
    }
    for (const GuardedBuffer& buffer : runner->m_workspaces)
        guarded.push_back(&buffer);
    FS_TRY(zones, ZoneTable::make(device, support, guarded));
    runner->m_zones = std::move(zones);
    runner->m_launches.resize(plan.launches.size());
    for (std::size_t i = 0; i < plan.launches.size(); ++i)
        FS_CHECK(runner->prepare(plan.launches[i], runner->m_launches[i], module->handle()));
    FS_CHECK(runner->rebind(tensors));
    return runner;
}

Result<void> PlanRunner::checkParameters(const BoundLaunch& bound, CUfunction function)
{
    const CudaDriver& cu = m_device.cu();
    if (!cu.cuFuncGetParamInfo)
        return {};
    std::size_t offset = 0, size = 0, count = 0;
    while (cu.cuFuncGetParamInfo(function, count, &offset, &size) == CUDA_SUCCESS) {
        if (count < bound.arguments.size() && size != argumentBytes(bound.arguments[count]))
            return refused("Kernel '" + bound.kernel + "' takes " + std::to_string(size) +
                           " bytes as parameter " + std::to_string(count) + " but the plan passes '" +
                           bound.arguments[count].name + "' of " +
                           std::to_string(argumentBytes(bound.arguments[count])) + ".");
        ++count;
    }
    if (count != bound.arguments.size())
        return refused("Kernel '" + bound.kernel + "' takes " + std::to_string(count) +
                       " parameters but the plan passes " + std::to_string(bound.arguments.size()) + ".");
    return {};
}

Result<void> PlanRunner::prepare(const BoundLaunch& bound, Launch& launch, CUmodule module)
{
    const CudaDriver& cu = m_device.cu();
    if (cu.cuModuleGetFunction(&launch.function, module, bound.kernel.c_str()) != CUDA_SUCCESS)
        return refused("The compiled source has no kernel '" + bound.kernel + "'.");
    FS_CHECK(checkParameters(bound, launch.function));
    for (int d = 0; d < 3; ++d)
        for (std::int64_t extent :
             {bound.grid[static_cast<std::size_t>(d)], bound.block[static_cast<std::size_t>(d)]})
            if (extent < 1 || extent > std::numeric_limits<int>::max())
                return refused("Kernel '" + bound.kernel + "' has a grid or block extent of " +
                               std::to_string(extent) + ".");
    if (bound.sharedBytes < 0 || bound.sharedBytes > std::numeric_limits<int>::max())
        return refused("Kernel '" + bound.kernel + "' asks for an impossible amount of shared memory.");
    if (bound.sharedBytes > 0) {
        // Above 48 KB a kernel must opt in; asking for what it uses is harmless below.
        FS_CHECK(m_device.check(cu.cuFuncSetAttribute(launch.function,
                                                      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                      static_cast<int>(bound.sharedBytes)),
                                "asking for shared memory"));
    }
    CUlaunchConfig& config = launch.config;
    config.gridDimX = static_cast<unsigned>(bound.grid[0]);
    config.gridDimY = static_cast<unsigned>(bound.grid[1]);
    config.gridDimZ = static_cast<unsigned>(bound.grid[2]);
    config.blockDimX = static_cast<unsigned>(bound.block[0]);
    config.blockDimY = static_cast<unsigned>(bound.block[1]);
    config.blockDimZ = static_cast<unsigned>(bound.block[2]);
    config.sharedMemBytes = static_cast<unsigned>(bound.sharedBytes);
    if (bound.cooperative) {
        CUlaunchAttribute& attribute = launch.attributes[config.numAttrs++];
        attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        attribute.value.cooperative = 1;
    }
    const std::int64_t clusterBlocks = bound.cluster[0] * bound.cluster[1] * bound.cluster[2];
    if (clusterBlocks > 0) {
        CUlaunchAttribute& attribute = launch.attributes[config.numAttrs++];
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim.x = static_cast<unsigned>(bound.cluster[0]);
        attribute.value.clusterDim.y = static_cast<unsigned>(bound.cluster[1]);
        attribute.value.clusterDim.z = static_cast<unsigned>(bound.cluster[2]);
        if (clusterBlocks > 8)
            FS_CHECK(
                m_device.check(cu.cuFuncSetAttribute(launch.function,
                                                     CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
                               "allowing a large cluster"));
    }
    launch.storage.resize(bound.arguments.size());
    for (std::size_t i = 0; i < bound.arguments.size(); ++i) {
        const BoundArgument& argument = bound.arguments[i];
        auto& storage = launch.storage[i];
        if (argument.kind == PlanArgument::Kind::Scalar) {
            if (argument.type == "i32")
                put(storage, static_cast<std::int32_t>(argument.integer));
            else if (argument.type == "i64")
                put(storage, argument.integer);
            else if (argument.type == "f32")
                put(storage, static_cast<float>(argument.real));
            else if (argument.type == "f64")
                put(storage, argument.real);
            else
                return refused("Kernel '" + bound.kernel + "': unknown argument type '" + argument.type +
                               "'.");
        } else if (argument.kind == PlanArgument::Kind::Workspace) {
            const auto found = std::find_if(m_plan.workspaces.begin(), m_plan.workspaces.end(),
                                            [&](const BoundWorkspace& w) { return w.name == argument.name; });
            if (found == m_plan.workspaces.end())
                return refused("Kernel '" + bound.kernel + "' uses an unknown workspace '" + argument.name +
                               "'.");
            put(storage, m_workspaces[static_cast<std::size_t>(found - m_plan.workspaces.begin())].data);
        }
    }
    return {};
}

Result<void> PlanRunner::rebind(const std::map<std::string, CUdeviceptr>& tensors)
{
    for (std::size_t l = 0; l < m_launches.size(); ++l) {
        Launch& launch = m_launches[l];
        const auto& arguments = m_plan.launches[l].arguments;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (arguments[i].kind != PlanArgument::Kind::Tensor)
                continue;
            const auto found = tensors.find(arguments[i].name);
            if (found == tensors.end())
                return refused("Kernel '" + m_plan.launches[l].kernel + "' uses an unknown tensor '" +
                               arguments[i].name + "'.");
            put(launch.storage[i], found->second);
        }
        launch.pointers.clear();
        for (auto& storage : launch.storage)
            launch.pointers.push_back(storage.data());
        launch.pointers.resize(launch.storage.size() + kSparePointers, g_zeros.data());
    }
    return {};
}

Result<void> PlanRunner::enqueue(CUstream stream)
{
    const CudaDriver& cu = m_device.cu();
    for (std::size_t w = 0; w < m_workspaces.size(); ++w)
        if (m_plan.workspaces[w].zeroed && m_workspaces[w].bytes > 0)
            FS_CHECK(
                m_device.check(cu.cuMemsetD8Async(m_workspaces[w].data, 0, m_workspaces[w].bytes, stream),
                               "clearing a workspace"));
    for (std::size_t l = 0; l < m_launches.size(); ++l) {
        Launch& launch = m_launches[l];
        launch.config.hStream = stream;
        launch.config.attrs = launch.config.numAttrs ? launch.attributes.data() : nullptr;
        const CUresult status =
            cu.cuLaunchKernelEx(&launch.config, launch.function, launch.pointers.data(), nullptr);
        if (status != CUDA_SUCCESS)
            FS_CHECK(
                m_device.check(status, ("launching kernel '" + m_plan.launches[l].kernel + "'").c_str()));
    }
    return {};
}

Result<void> PlanRunner::poisonWorkspaces()
{
    for (std::size_t w = 0; w < m_workspaces.size(); ++w)
        if (!m_plan.workspaces[w].zeroed && m_workspaces[w].bytes > 0)
            FS_CHECK(m_device.check(m_device.cu().cuMemsetD8Async(m_workspaces[w].data, 0xff,
                                                                  m_workspaces[w].bytes, m_device.stream()),
                                    "filling a workspace"));
    return {};
}

Result<void> PlanRunner::enqueueZoneCheck(Support& support, CUdeviceptr result)
{
    return m_zones.enqueueCheck(support, result);
}

Result<void> PlanRunner::refillZones(Support& support)
{
    return m_zones.refill(support);
}

} // namespace foresight::measure
