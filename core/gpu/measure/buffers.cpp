// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/buffers.h"

#include <algorithm>
#include <cstring>

namespace foresight::measure {

namespace {

constexpr std::size_t kCompareWords = sizeof(CompareResult) / 8;

} // namespace

Result<GuardedBuffer> GuardedBuffer::allocate(Device& device, std::uint64_t bytes, int alignment)
{
    GuardedBuffer buffer;
    buffer.bytes = bytes;
    // cuMemAlloc gives multiples of 256.
    const std::uint64_t offset = kZoneBytes + (alignment < 256 ? static_cast<std::uint64_t>(alignment) : 0);
    FS_TRY(memory, DeviceMemory::allocate(device, offset + bytes + kZoneBytes));
    buffer.memory = std::move(memory);
    buffer.data = buffer.memory.address() + offset;
    return buffer;
}

Result<ZoneTable> ZoneTable::make(Device& device, Support& support,
                                  const std::vector<const GuardedBuffer*>& buffers)
{
    ZoneTable table;
    std::vector<Zone> zones;
    for (const GuardedBuffer* buffer : buffers) {
        zones.push_back(buffer->before());
        zones.push_back(buffer->after());
    }
    table.m_count = static_cast<int>(zones.size());
    for (const Zone& zone : zones)
        table.m_largest = std::max(table.m_largest, zone.bytes);
    FS_TRY(memory, DeviceMemory::allocate(device, zones.size() * sizeof(Zone)));
    table.m_table = std::move(memory);
    if (!zones.empty()) {
        FS_CHECK(device.check(device.cu().cuMemcpyHtoDAsync(table.m_table.address(), zones.data(),
                                                            zones.size() * sizeof(Zone), device.stream()),
                              "writing the list of red zones"));
        FS_CHECK(device.wait(10)); // `zones` must live until it is copied
    }
    FS_CHECK(table.refill(support));
    return table;
}

Result<void> ZoneTable::refill(Support& support)
{
    return support.zones(m_table.address(), m_count, m_largest, 0, false);
}

Result<void> ZoneTable::enqueueCheck(Support& support, CUdeviceptr result)
{
    return support.zones(m_table.address(), m_count, m_largest, result, true);
}

Result<std::unique_ptr<TensorSet>> TensorSet::make(Device& device, Support& support, const Problem& problem,
                                                   int alignment, int slots, std::uint64_t slotBudget)
{
    std::unique_ptr<TensorSet> set(new TensorSet(device));
    set->m_problem = problem;
    std::vector<const GuardedBuffer*> guarded;
    std::uint64_t slotBytes = 0;
    for (std::size_t i = 0; i < problem.tensors.size(); ++i) {
        const TensorSpec& tensor = problem.tensors[i];
        if (tensor.role == TensorSpec::Role::InOut)
            return makeError(ErrorCode::Unsupported,
                             "Tensor '" + tensor.name +
                                 "' is both input and output; such operators cannot be measured.");
        if (tensor.shape.size() > 8)
            return makeError(ErrorCode::Unsupported,
                             "Tensor '" + tensor.name + "' has more than 8 dimensions.");
        const auto bytes = static_cast<std::uint64_t>(tensor.storageElements() * dtypeBytes(tensor.dtype));
        const int least = std::max(alignment, dtypeBytes(tensor.dtype));
        FS_TRY(buffer, GuardedBuffer::allocate(device, bytes, least));
        set->m_buffers.push_back(std::move(buffer));
        if (tensor.role == TensorSpec::Role::Input) {
            set->m_inputs.push_back(i);
        } else {
            set->m_outputs.push_back(i);
            FS_TRY(saved, DeviceMemory::allocate(device, bytes));
            set->m_saved.push_back(std::move(saved));
            slotBytes += static_cast<std::uint64_t>(tensor.elements()) * 8;
        }
    }
    for (const GuardedBuffer& buffer : set->m_buffers)
        guarded.push_back(&buffer);
    FS_TRY(zones, ZoneTable::make(device, support, guarded));
    set->m_zones = std::move(zones);

    const std::uint64_t fit = slotBytes > 0 ? slotBudget / slotBytes : static_cast<std::uint64_t>(slots);
    const std::size_t count = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(fit, 2, static_cast<std::uint64_t>(std::max(slots, 2))));
    for (std::size_t s = 0; s < count; ++s) {
        ReferenceSlot slot;
        for (std::size_t output : set->m_outputs) {
            FS_TRY(values, DeviceMemory::allocate(
                               device, static_cast<std::uint64_t>(problem.tensors[output].elements()) * 8));
            slot.values.push_back(std::move(values));
        }
        FS_TRY(stats, DeviceMemory::allocate(device, set->m_outputs.size() * 16));
        slot.stats = std::move(stats);
        set->m_slots.push_back(std::move(slot));
    }

    const std::size_t outputs = set->m_outputs.size(), inputs = set->m_inputs.size();
    set->m_runsAt = outputs * kCompareWords;
    set->m_zonesAt = set->m_runsAt + outputs * kCompareWords;
    set->m_workspacesAt = set->m_zonesAt + 2 * static_cast<std::size_t>(set->m_zones.count());
    set->m_beforeAt = set->m_workspacesAt + 4 * kMaxWorkspaces;
    set->m_afterAt = set->m_beforeAt + inputs;
    set->m_resultWords = set->m_afterAt + inputs;
    const std::size_t bytes = set->m_resultWords * 8;
    FS_TRY(results, DeviceMemory::allocate(device, bytes));
    set->m_results = std::move(results);
    FS_TRY(clear, HostMemory::allocate(device, bytes));
    set->m_clear = std::move(clear);
    FS_TRY(host, HostMemory::allocate(device, bytes));
    set->m_host = std::move(host);
    auto* words = set->m_clear.as<std::uint64_t>();
    std::fill_n(words, set->m_resultWords, 0);
    const CompareResult fresh;
    for (std::size_t i = 0; i < 2 * outputs; ++i)
        std::memcpy(words + i * kCompareWords, &fresh, sizeof fresh);
    for (std::size_t i = set->m_zonesAt; i < set->m_beforeAt; i += 2)
        words[i + 1] = ~0ull;
    std::memcpy(set->m_host.as<std::uint64_t>(), words, bytes);
    return set;
}

std::map<std::string, CUdeviceptr> TensorSet::addresses() const
{
    std::map<std::string, CUdeviceptr> result;
    for (std::size_t i = 0; i < m_buffers.size(); ++i)
        result[m_problem.tensors[i].name] = m_buffers[i].data;
    return result;
}

std::map<std::string, CUdeviceptr> TensorSet::referenceAddresses(const ReferenceSlot& slot) const
{
    std::map<std::string, CUdeviceptr> result = addresses();
    for (std::size_t o = 0; o < m_outputs.size(); ++o)
        result[m_problem.tensors[m_outputs[o]].name] = slot.values[o].address();
    return result;
}

std::uint64_t TensorSet::allocatedBytes() const
{
    std::uint64_t bytes = m_results.bytes();
    for (const GuardedBuffer& buffer : m_buffers)
        bytes += buffer.memory.bytes();
    for (const DeviceMemory& memory : m_saved)
        bytes += memory.bytes();
    for (const ReferenceSlot& slot : m_slots)
        for (const DeviceMemory& memory : slot.values)
            bytes += memory.bytes();
    return bytes;
}

Result<void> TensorSet::clearResults()
{
    return m_device.check(m_device.cu().cuMemcpyHtoDAsync(m_results.address(), m_clear.as<void>(),
                                                          m_resultWords * 8, m_device.stream()),
                          "clearing results");
}

Result<void> TensorSet::fetchResults()
{
    return m_device.check(m_device.cu().cuMemcpyDtoHAsync(m_host.as<void>(), m_results.address(),
                                                          m_resultWords * 8, m_device.stream()),
                          "fetching results");
}

CUdeviceptr TensorSet::compareResult(std::size_t output) const
{
    return m_results.address() + output * sizeof(CompareResult);
}

CUdeviceptr TensorSet::runsResult(std::size_t output) const
{
    return m_results.address() + m_runsAt * 8 + output * sizeof(CompareResult);
}

CUdeviceptr TensorSet::zonesResult() const
{
    return m_results.address() + m_zonesAt * 8;
}
CUdeviceptr TensorSet::workspaceZonesResult() const
{
    return m_results.address() + m_workspacesAt * 8;
}
CUdeviceptr TensorSet::sumsResult(bool after) const
{
    return m_results.address() + (after ? m_afterAt : m_beforeAt) * 8;
}

const CompareResult& TensorSet::compared(std::size_t output) const
{
    return m_host.as<CompareResult>()[output];
}

const CompareResult& TensorSet::runs(std::size_t output) const
{
    return m_host.as<CompareResult>()[m_outputs.size() + output];
}

bool TensorSet::zonesDamaged(std::size_t* tensor, bool* workspace) const
{
    const auto* words = m_host.as<std::uint64_t>();
    for (std::size_t i = m_zonesAt; i < m_beforeAt; i += 2)
        if (words[i] != 0) {
            *workspace = i >= m_workspacesAt;
            *tensor = (i - (*workspace ? m_workspacesAt : m_zonesAt)) / 4;
            return true;
        }
    return false;
}

bool TensorSet::inputsChanged(std::size_t* tensor) const
{
    const auto* words = m_host.as<std::uint64_t>();
    for (std::size_t i = 0; i < m_inputs.size(); ++i)
        if (words[m_beforeAt + i] != words[m_afterAt + i]) {
            *tensor = m_inputs[i];
            return true;
        }
    return false;
}

} // namespace foresight::measure
