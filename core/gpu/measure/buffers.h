// SPDX-License-Identifier: Apache-2.0
// The tensors of one problem on the GPU, each between red zones, with what is needed to judge a run:
// reference outputs in fp64, a copy of the last run, checksums, and one block of results fetched at once. One
// thread.
#pragma once

#include "core/gpu/measure/support.h"
#include "core/kernels/problem.h"

#include <map>
#include <vector>

namespace foresight::measure {

// Memory whose two ends are checked. `data` is a multiple of `alignment` and, for alignments below 256, of
// nothing larger, so that a kernel that assumes more fails here and not at a user's.
struct GuardedBuffer
{
    DeviceMemory memory;
    CUdeviceptr data = 0;
    std::uint64_t bytes = 0;

    static constexpr std::uint64_t kZoneBytes = 64 << 10;
    static Result<GuardedBuffer> allocate(Device& device, std::uint64_t bytes, int alignment);
    Zone before() const { return {memory.address(), data - memory.address()}; }
    Zone after() const { return {data + bytes, memory.address() + memory.bytes() - (data + bytes)}; }
};

// A list of zones on the device, filled with their pattern.
class ZoneTable
{
public:
    static Result<ZoneTable> make(Device& device, Support& support,
                                  const std::vector<const GuardedBuffer*>& buffers);
    Result<void> refill(Support& support);
    Result<void> enqueueCheck(Support& support, CUdeviceptr result);
    int count() const { return m_count; }

private:
    DeviceMemory m_table;
    int m_count = 0;
    std::uint64_t m_largest = 0;
};

// fp64 outputs of the reference for one draw of the inputs.
struct ReferenceSlot
{
    std::vector<DeviceMemory> values; // by output
    DeviceMemory stats;               // two doubles by output
    std::uint64_t seed = 0;
    int set = -1;           // InputSet; -1: nothing yet
    std::uint64_t used = 0; // for eviction
};

class TensorSet
{
public:
    // As many reference slots as fit into `slotBudget` bytes, at least two, at most `slots`.
    static Result<std::unique_ptr<TensorSet>> make(Device& device, Support& support, const Problem& problem,
                                                   int alignment, int slots, std::uint64_t slotBudget);

    const Problem& problem() const { return m_problem; }
    const TensorSpec& spec(std::size_t tensor) const { return m_problem.tensors[tensor]; }
    const std::vector<std::size_t>& inputs() const { return m_inputs; } // indices of tensors
    const std::vector<std::size_t>& outputs() const { return m_outputs; }
    CUdeviceptr address(std::size_t tensor) const { return m_buffers[tensor].data; }
    std::uint64_t bytes(std::size_t tensor) const { return m_buffers[tensor].bytes; }
    CUdeviceptr saved(std::size_t output) const { return m_saved[output].address(); }
    std::map<std::string, CUdeviceptr> addresses() const;
    // The same, with outputs replaced by a slot's fp64 buffers.
    std::map<std::string, CUdeviceptr> referenceAddresses(const ReferenceSlot& slot) const;
    std::vector<ReferenceSlot>& slots() { return m_slots; }
    // Orders the uses of the slots.
    std::uint64_t tick() { return ++m_clock; }
    ZoneTable& zones() { return m_zones; }
    const GuardedBuffer& buffer(std::size_t tensor) const { return m_buffers[tensor]; }
    std::uint64_t allocatedBytes() const;

    // Results of one run, on the device and (after fetchResults and a wait) here.
    Result<void> clearResults(); // enqueues
    Result<void> fetchResults(); // enqueues
    CUdeviceptr compareResult(std::size_t output) const;
    CUdeviceptr runsResult(std::size_t output) const;
    CUdeviceptr zonesResult() const;
    CUdeviceptr workspaceZonesResult() const;
    CUdeviceptr sumsResult(bool after) const; // one u64 by input
    const CompareResult& compared(std::size_t output) const;
    const CompareResult& runs(std::size_t output) const;
    bool zonesDamaged(std::size_t* tensor, bool* workspace) const;
    bool inputsChanged(std::size_t* tensor) const;

    static constexpr std::size_t kMaxWorkspaces = 16;

private:
    explicit TensorSet(Device& device) : m_device(device) {}
    Device& m_device;
    Problem m_problem;
    std::vector<std::size_t> m_inputs, m_outputs;
    std::vector<GuardedBuffer> m_buffers;
    std::vector<DeviceMemory> m_saved;
    std::vector<ReferenceSlot> m_slots;
    std::uint64_t m_clock = 0;
    ZoneTable m_zones;
    DeviceMemory m_results;
    HostMemory m_clear, m_host;
    std::size_t m_resultWords = 0, m_runsAt = 0, m_zonesAt = 0, m_workspacesAt = 0, m_beforeAt = 0,
                m_afterAt = 0;
};

} // namespace foresight::measure
