// SPDX-License-Identifier: Apache-2.0
// A stand-in libcupti with the entry points the probe uses, for machines without a GPU. FAKE_CUPTI_RESULT
// makes enabling fail with that code.
#include "tests/targets/fake_cupti.h"

#include <cupti.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace {

std::mutex g_mutex;
CUpti_BuffersCallbackRequestFunc g_request = nullptr;
CUpti_BuffersCallbackCompleteFunc g_complete = nullptr;
std::uint8_t* g_buffer = nullptr;
std::size_t g_size = 0, g_used = 0;
std::size_t g_dropped = 0;
std::uint32_t g_correlation = 0;
std::atomic<std::uint64_t> g_clock{1000000};
bool g_disturbed = false;
thread_local std::vector<std::uint64_t> t_external;

// The caller holds the lock; CUPTI's callbacks are called without it.
void completeBuffer(std::unique_lock<std::mutex>& lock)
{
    if (!g_buffer)
        return;
    std::uint8_t* buffer = g_buffer;
    const std::size_t size = g_size, used = g_used;
    g_buffer = nullptr;
    lock.unlock();
    if (!g_disturbed)
        g_complete(nullptr, 0, buffer, size, used);
    lock.lock();
}

template <typename Record> void put(std::unique_lock<std::mutex>& lock, const Record& record)
{
    if (g_disturbed || !g_request)
        return;
    if (g_buffer && g_used + sizeof(Record) > g_size)
        completeBuffer(lock);
    if (!g_buffer) {
        std::size_t maxRecords = 0;
        g_request(&g_buffer, &g_size, &maxRecords);
        g_used = 0;
    }
    if (!g_buffer) {
        ++g_dropped;
        return;
    }
    std::memcpy(g_buffer + g_used, &record, sizeof(Record));
    g_used += sizeof(Record);
}

std::size_t recordBytes(CUpti_ActivityKind kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        return sizeof(CUpti_ActivityKernel9);
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        return sizeof(CUpti_ActivityExternalCorrelation);
    default:
        return sizeof(CUpti_ActivityAPI);
    }
}

} // namespace

extern "C" {

CUptiResult cuptiGetVersion(std::uint32_t* version)
{
    *version = 130001;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char** text)
{
    *text = result == CUPTI_SUCCESS ? "CUPTI_SUCCESS" : "CUPTI_ERROR_FOR_TEST";
    return CUPTI_SUCCESS;
}

CUptiResult cuptiGetTimestamp(std::uint64_t* time)
{
    *time = g_clock += 10;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete)
{
    g_request = request;
    g_complete = complete;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind)
{
    const char* code = std::getenv("FAKE_CUPTI_RESULT");
    return code ? static_cast<CUptiResult>(std::atoi(code)) : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind)
{
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t)
{
    std::unique_lock lock(g_mutex);
    completeBuffer(lock);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t bytes, CUpti_Activity** record)
{
    const std::size_t at = *record
                               ? static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer) +
                                     recordBytes((*record)->kind)
                               : 0;
    if (at >= bytes)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(buffer + at);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped)
{
    std::lock_guard lock(g_mutex);
    *dropped = g_dropped;
    g_dropped = 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind, std::uint64_t id)
{
    t_external.push_back(id);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind, std::uint64_t* last)
{
    if (t_external.empty())
        return CUPTI_ERROR_QUEUE_EMPTY;
    *last = t_external.back();
    t_external.pop_back();
    return CUPTI_SUCCESS;
}

void fake_cupti_launch(const char* name, std::uint64_t startNs, std::uint64_t durationNs)
{
    std::unique_lock lock(g_mutex);
    const std::uint32_t correlation = ++g_correlation;
    CUpti_ActivityAPI call{};
    call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    call.cbid = 211;
    call.start = g_clock += 5;
    call.end = g_clock += 5;
    call.correlationId = correlation;
    put(lock, call);
    if (!t_external.empty()) {
        CUpti_ActivityExternalCorrelation external{};
        external.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
        external.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
        external.externalId = t_external.back();
        external.correlationId = correlation;
        put(lock, external);
    }
    CUpti_ActivityKernel9 kernel{};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.start = startNs;
    kernel.end = startNs ? startNs + durationNs : 0;
    kernel.correlationId = correlation;
    kernel.deviceId = 0;
    kernel.gridX = 7;
    kernel.gridY = kernel.gridZ = 1;
    kernel.blockX = 128;
    kernel.blockY = kernel.blockZ = 1;
    kernel.registersPerThread = 40;
    kernel.name = name;
    put(lock, kernel);
}

void fake_cupti_disturb()
{
    std::lock_guard lock(g_mutex);
    g_disturbed = true;
}
}
