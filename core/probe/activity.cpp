// SPDX-License-Identifier: Apache-2.0
// The part of the probe that takes CUPTI's buffers apart and sends what is in them.
#include "core/probe/probe.h"

#include <cstring>
#include <ctime>
#include <dlfcn.h>

#include <cuda.h>

namespace foresight::probe {

namespace {
constexpr int kTickMs = 100;
constexpr int kFinishWaitMs = 5000;
} // namespace

void Probe::bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords)
{
    Probe& probe = instance();
    *buffer = probe.m_dead ? nullptr : probe.m_pool.take();
    *size = *buffer ? BufferPool::kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
}

void Probe::bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                            std::size_t validSize)
{
    Probe& probe = instance();
    if (!buffer)
        return;
    if (validSize > 0 && !probe.m_dead) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> windows;
        {
            std::lock_guard lock(probe.m_windowMutex);
            windows = probe.m_windows;
            if (probe.m_gated && windows.empty())
                windows.emplace_back(~std::uint64_t{0}, 0); // gated and not opened yet: nothing is inside
        }
        CUpti_Activity* record = nullptr;
        while (probe.m_cupti.getNextRecord(buffer, validSize, &record) == CUPTI_SUCCESS)
            probe.encode(*record, windows);
        std::size_t dropped = 0;
        if (probe.m_cupti.getNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
            probe.m_droppedByCupti += dropped;
    }
    probe.m_pool.giveBack(buffer, validSize);
}

bool Probe::insideWindow(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& windows,
                         std::uint64_t startNs)
{
    bool inside = windows.empty();
    for (const auto& [begin, end] : windows)
        inside = inside || (startNs >= begin && startNs <= end) || (startNs == 0 && m_recording);
    if (inside)
        ++m_received;
    else
        ++m_outside;
    return inside;
}

void Probe::encode(const CUpti_Activity& record,
                   const std::vector<std::pair<std::uint64_t, std::uint64_t>>& windows)
{
    switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    case CUPTI_ACTIVITY_KIND_KERNEL: {
        // All versions from Kernel5 (CUDA 11) to Kernel10 (CUDA 13) share the fields read here.
        const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel9&>(record);
        if (!insideWindow(windows, kernel.start))
            return;
        wire::Kernel out;
        out.startNs = kernel.start;
        out.endNs = kernel.end;
        out.graphNode = kernel.graphNodeId;
        out.correlation = kernel.correlationId;
        out.device = kernel.deviceId;
        out.context = kernel.contextId;
        out.stream = kernel.streamId;
        out.graph = kernel.graphId;
        out.grid[0] = kernel.gridX;
        out.grid[1] = kernel.gridY;
        out.grid[2] = kernel.gridZ;
        out.block[0] = kernel.blockX;
        out.block[1] = kernel.blockY;
        out.block[2] = kernel.blockZ;
        out.registers = kernel.registersPerThread;
        out.staticShared = kernel.staticSharedMemory;
        out.dynamicShared = kernel.dynamicSharedMemory;
        if (kernel.deviceId < 64)
            m_devicesSeen.fetch_or(std::uint64_t{1} << kernel.deviceId, std::memory_order_relaxed);
        m_outbox.appendKernel(out, kernel.name ? kernel.name : "");
        return;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy5&>(record);
        if (!insideWindow(windows, copy.start))
            return;
        wire::Memory out;
        out.startNs = copy.start;
        out.endNs = copy.end;
        out.bytes = copy.bytes;
        out.correlation = copy.correlationId;
        out.kind = static_cast<std::uint32_t>(wire::MemoryKind::Copy);
        out.copyKind = copy.copyKind;
        out.device = copy.deviceId;
        out.context = copy.contextId;
        out.stream = copy.streamId;
        m_outbox.append(wire::RecordType::Memory, out);
        return;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
        const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
        if (!insideWindow(windows, fill.start))
            return;
        wire::Memory out;
        out.startNs = fill.start;
        out.endNs = fill.end;
        out.bytes = fill.bytes;
        out.correlation = fill.correlationId;
        out.kind = static_cast<std::uint32_t>(wire::MemoryKind::Fill);
        out.device = fill.deviceId;
        out.context = fill.contextId;
        out.stream = fill.streamId;
        m_outbox.append(wire::RecordType::Memory, out);
        return;
    }
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
        const auto& external = reinterpret_cast<const CUpti_ActivityExternalCorrelation&>(record);
        if (external.externalKind != CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2)
            return; // somebody else's ids
        wire::External out;
        out.range = external.externalId;
        out.correlation = external.correlationId;
        m_outbox.append(wire::RecordType::External, out);
        return;
    }
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: {
        const auto& call = reinterpret_cast<const CUpti_ActivityAPI&>(record);
        const auto domain = record.kind == CUPTI_ACTIVITY_KIND_RUNTIME ? CUPTI_CB_DOMAIN_RUNTIME_API
                                                                       : CUPTI_CB_DOMAIN_DRIVER_API;
        if (!isLaunch(domain, call.cbid) || !insideWindow(windows, call.start))
            return;
        wire::Launch out;
        out.startNs = call.start;
        out.endNs = call.end;
        out.correlation = call.correlationId;
        out.thread = call.threadId;
        m_outbox.append(wire::RecordType::Launch, out);
        return;
    }
    case CUPTI_ACTIVITY_KIND_OVERHEAD: {
        const auto& overhead = reinterpret_cast<const CUpti_ActivityOverhead&>(record);
        if (insideWindow(windows, overhead.start))
            m_overheadNs += overhead.end - overhead.start;
        return;
    }
    default:
        return;
    }
}

bool Probe::isLaunch(CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
    if (id >= 1024 || !m_cupti.getCallbackName)
        return false;
    auto& known = m_launchIds[domain == CUPTI_CB_DOMAIN_DRIVER_API ? 1 : 0][id];
    if (known == 0) {
        const char* name = nullptr;
        const bool launch = m_cupti.getCallbackName(domain, id, &name) == CUPTI_SUCCESS && name &&
                            std::strstr(name, "Launch");
        known = launch ? 2 : 1;
    }
    return known == 2;
}

void Probe::sendDevices()
{
    const std::uint64_t seen = m_devicesSeen.load(std::memory_order_relaxed) & ~m_devicesSent;
    if (seen == 0)
        return;
    m_devicesSent |= seen;
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!driver)
        return;
    const auto getName = reinterpret_cast<decltype(&cuDeviceGetName)>(dlsym(driver, "cuDeviceGetName"));
    const auto getAttribute =
        reinterpret_cast<decltype(&cuDeviceGetAttribute)>(dlsym(driver, "cuDeviceGetAttribute"));
    const auto getMemory =
        reinterpret_cast<CUresult (*)(std::size_t*, CUdevice)>(dlsym(driver, "cuDeviceTotalMem_v2"));
    const auto getVersion =
        reinterpret_cast<decltype(&cuDriverGetVersion)>(dlsym(driver, "cuDriverGetVersion"));
    if (!getName || !getAttribute || !getMemory || !getVersion)
        return;
    for (int ordinal = 0; ordinal < 64; ++ordinal) {
        if (!(seen >> ordinal & 1u))
            continue;
        char name[256] = {};
        if (getName(name, sizeof(name) - 1, ordinal) != CUDA_SUCCESS)
            continue;
        const auto attribute = [&](CUdevice_attribute which) {
            int value = 0;
            (void)getAttribute(&value, which, ordinal);
            return value;
        };
        wire::Device out;
        out.ordinal = static_cast<std::uint32_t>(ordinal);
        out.nameBytes = static_cast<std::uint32_t>(std::strlen(name));
        out.computeMajor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        out.computeMinor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        out.smCount = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        out.l2Bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
        out.memoryClockKhz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
        out.memoryBusBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
        std::size_t memory = 0;
        (void)getMemory(&memory, ordinal);
        out.memoryBytes = static_cast<std::int64_t>(memory);
        (void)getVersion(&out.driverApiVersion);
        m_outbox.append(wire::RecordType::Device, out, name);
    }
}

void Probe::sendCounts(bool isFinal)
{
    wire::Counts counts;
    counts.received = m_received;
    counts.outsideWindow = m_outside;
    counts.droppedByCupti = m_droppedByCupti;
    counts.droppedBatches = m_outbox.droppedBatches();
    counts.droppedRecords = m_outbox.droppedRecords();
    counts.starvedBuffers = m_pool.starved();
    counts.hostOverheadNs = m_overheadNs;
    counts.isFinal = isFinal ? 1 : 0;
    m_outbox.append(wire::RecordType::Counts, counts);
}

// Flushing gives the live view; only full buffers would come back by themselves.
void Probe::run()
{
    int ticks = 0;
    while (!m_dead && m_sender.connected()) {
        const timespec tick{0, kTickMs * 1000000};
        nanosleep(&tick, nullptr);
        if (m_dead)
            return;
        if (m_collecting)
            m_cupti.flushAll(0);
        m_pool.maintain();
        std::lock_guard lock(m_sendMutex);
        sendDevices();
        if (++ticks % 10 == 0)
            sendCounts(false);
        m_sender.pump(m_outbox, 0);
        if (!m_sender.connected())
            m_dead = true; // the reader has gone; the program must not pay any longer
    }
}

void Probe::flush()
{
    if (m_dead)
        return;
    if (m_collecting)
        m_cupti.flushAll(0);
    std::lock_guard lock(m_sendMutex);
    sendDevices();
    sendCounts(false);
    m_sender.pump(m_outbox, kFinishWaitMs);
}

void Probe::finish()
{
    if (m_dead)
        return;
    if (m_collecting)
        m_cupti.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::lock_guard lock(m_sendMutex);
    sendDevices();
    sendCounts(true);
    m_sender.pump(m_outbox, kFinishWaitMs);
    m_dead = true;
    m_sender.disconnect();
}

} // namespace foresight::probe
