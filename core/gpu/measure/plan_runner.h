// SPDX-License-Identifier: Apache-2.0
// A bound plan made ready to launch: functions found, attributes set, arguments packed, workspaces allocated
// between red zones. `enqueue` is the whole call: clearing of zeroed workspaces, then the launches in order.
// One thread.
#pragma once

#include "core/gpu/measure/buffers.h"
#include "core/kernels/plan.h"

#include <array>

namespace foresight::measure {

// A loaded CUBIN.
class Module
{
public:
    static Result<std::unique_ptr<Module>> load(Device& device, const std::string& cubin);
    ~Module();
    CUmodule handle() const { return m_module; }
    // Whether work of its kernels can outlive them unseen. Kernels that print and cannot launch others are
    // left out: what handing over their text takes looks the same.
    bool mayEscape() const { return m_launchesOthers || !m_prints; }

private:
    explicit Module(Device& device) : m_device(device) {}
    Device& m_device;
    CUmodule m_module = nullptr;
    bool m_prints = false, m_launchesOthers = false;
};

class PlanRunner
{
public:
    // InvalidArgument (a rejected launch) names what the plan asks for and the device does not allow.
    static Result<std::unique_ptr<PlanRunner>> make(Device& device, Support& support, const Module* module,
                                                    const BoundPlan& plan,
                                                    const std::map<std::string, CUdeviceptr>& tensors);
    // Other buffers for the tensors' names.
    Result<void> rebind(const std::map<std::string, CUdeviceptr>& tensors);
    Result<void> enqueue(CUstream stream);
    // NaN patterns into workspaces that nobody promised to clear.
    Result<void> poisonWorkspaces();
    Result<void> enqueueZoneCheck(Support& support, CUdeviceptr result);
    Result<void> refillZones(Support& support);
    int launches() const { return static_cast<int>(m_launches.size()); }
    bool mayEscape() const { return m_mayEscape; }

private:
    PlanRunner(Device& device, BoundPlan plan) : m_device(device), m_plan(std::move(plan)) {}
    struct Launch
    {
        CUfunction function = nullptr;
        std::vector<std::array<unsigned char, 8>> storage;
        std::vector<void*> pointers;
        CUlaunchConfig config{};
        std::array<CUlaunchAttribute, 2> attributes{};
    };
    Result<void> prepare(const BoundLaunch& bound, Launch& launch, CUmodule module);
    Result<void> checkParameters(const BoundLaunch& bound, CUfunction function);

    Device& m_device;
    BoundPlan m_plan;
    bool m_mayEscape = true;
    std::vector<Launch> m_launches;
    std::vector<GuardedBuffer> m_workspaces;
    ZoneTable m_zones;
};

} // namespace foresight::measure
