// SPDX-License-Identifier: Apache-2.0
#include "core/probe/probe.h"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <pthread.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace foresight::probe {

namespace {

constexpr std::size_t kOutboxBytes = 64u << 20;
constexpr std::uint32_t kMaxDepth = 256;

// CONCURRENT_KERNEL, never KERNEL: the latter serialises the program's kernels.
constexpr std::pair<CUpti_ActivityKind, const char*> kKinds[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels"},
    {CUPTI_ACTIVITY_KIND_MEMCPY, "copies"},
    {CUPTI_ACTIVITY_KIND_MEMSET, "fills"},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "runtime calls"},
    {CUPTI_ACTIVITY_KIND_DRIVER, "driver calls"},
    {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, "range ids"},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "profiling overhead"},
};

std::uint64_t clockNs(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000000u + static_cast<std::uint64_t>(time.tv_nsec);
}

// Trivially destructible, so that ranges popped while a thread winds down stay valid.
struct RangeStack
{
    std::uint32_t depth = 0;
    std::uint32_t thread = 0;
    std::uint64_t ids[kMaxDepth]; // 0: pushed while nothing was recorded
};
thread_local RangeStack t_ranges;

std::uint32_t threadId()
{
    if (t_ranges.thread == 0)
        t_ranges.thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
    return t_ranges.thread;
}

class OverheadTimer
{
public:
    explicit OverheadTimer(std::atomic<std::uint64_t>& total)
        : m_total(total), m_start(clockNs(CLOCK_MONOTONIC))
    {
    }
    ~OverheadTimer() { m_total.fetch_add(clockNs(CLOCK_MONOTONIC) - m_start, std::memory_order_relaxed); }
    OverheadTimer(const OverheadTimer&) = delete;
    OverheadTimer& operator=(const OverheadTimer&) = delete;

private:
    std::atomic<std::uint64_t>& m_total;
    std::uint64_t m_start;
};

std::string commandLine()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    while (!text.empty() && text.back() == '\0')
        text.pop_back();
    for (char& c : text) {
        if (c == '\0')
            c = '\n';
    }
    return text.substr(0, 4096);
}

} // namespace

Probe& Probe::instance()
{
    static Probe* probe = new Probe;
    return *probe;
}

Probe::Probe() : m_outbox(kOutboxBytes)
{
    const char* path = std::getenv("FORESIGHT_PROBE_SOCKET");
    if (!path || !*path || !m_sender.connectTo(path)) {
        m_dead = true; // idle: nobody asked for a profile, or the asker has gone
        return;
    }
    pthread_atfork(nullptr, nullptr, [] {
        Probe& probe = instance();
        probe.m_dead = true;
        probe.m_sender.disconnect();
    });
    std::atexit([] { instance().finish(); });
    m_recording = true;
    std::thread([this] { run(); }).detach();
}

std::uint64_t Probe::nowNs() const
{
    std::uint64_t time = 0;
    if (m_collecting.load(std::memory_order_acquire) && m_cupti.getTimestamp(&time) == CUPTI_SUCCESS)
        return time;
    return clockNs(CLOCK_REALTIME);
}

void Probe::startCupti()
{
    if (m_dead)
        return;
    std::string why;
    if (!loadCupti(m_cupti, why)) {
        hello();
        status(wire::Severity::Error, 0, why,
               "Install CUPTI (it comes with PyTorch's wheels and with the CUDA toolkit), or name the "
               "library in "
               "FORESIGHT_CUPTI_LIBRARY.");
        return;
    }
    hello();
    if (m_cupti.setThreadIdType)
        m_cupti.setThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
    CUptiResult result = m_cupti.registerCallbacks(&Probe::bufferRequested, &Probe::bufferCompleted);
    const char* step = "cuptiActivityRegisterCallbacks";
    for (const auto& [kind, what] : kKinds) {
        if (result != CUPTI_SUCCESS)
            break;
        step = what;
        result = m_cupti.enable(kind);
    }
    if (result != CUPTI_SUCCESS) {
        status(wire::Severity::Error, static_cast<int>(result),
               std::string("CUPTI refused to record ") + step + ": " + m_cupti.resultText(result) + " (" +
                   std::to_string(static_cast<int>(result)) + ")",
               cuptiAdvice(static_cast<int>(result)));
        return;
    }
    silenceNoisyApis();
    // Handlers run in reverse order: this one before those of CUDA and CUPTI, whichever woke the probe first.
    std::atexit([] { instance().finish(); });
    m_collecting.store(true, std::memory_order_release);
}

void Probe::hello()
{
    wire::Hello hello;
    hello.pid = static_cast<std::uint32_t>(getpid());
    hello.parentPid = static_cast<std::uint32_t>(getppid());
    hello.cuptiVersion = m_cupti.version;
    const std::string command = commandLine();
    hello.commandBytes = static_cast<std::uint32_t>(command.size());
    hello.cuptiPathBytes = static_cast<std::uint32_t>(m_cupti.path.size());
    hello.wallClockNs = clockNs(CLOCK_REALTIME);
    std::uint64_t time = 0;
    if (m_cupti.loaded() && m_cupti.getTimestamp(&time) == CUPTI_SUCCESS)
        hello.timestampNs = time;
    else
        hello.timestampNs = hello.wallClockNs;
    m_outbox.append(wire::RecordType::Hello, hello, command, m_cupti.path);
}

void Probe::status(wire::Severity severity, int cuptiResult, std::string_view message,
                   std::string_view advice)
{
    if (m_dead)
        return;
    wire::Status record;
    record.severity = static_cast<std::uint32_t>(severity);
    record.cuptiResult = cuptiResult;
    record.messageBytes = static_cast<std::uint32_t>(message.size());
    record.adviceBytes = static_cast<std::uint32_t>(advice.size());
    m_outbox.append(wire::RecordType::Status, record, message, advice);
}

// Queries that programs make by the thousand, that launch nothing, and that would fill the buffers.
void Probe::silenceNoisyApis()
{
    if (!m_cupti.getCallbackName || !m_cupti.enableRuntimeApi || !m_cupti.enableDriverApi)
        return;
    const char* const noisy[] = {"cudaGetDevice",
                                 "cudaSetDevice",
                                 "cudaGetLastError",
                                 "cudaPeekAtLastError",
                                 "cudaEventQuery",
                                 "cudaEventRecord",
                                 "cudaDeviceGet",
                                 "cudaStreamIsCapturing",
                                 "cudaStreamGetCaptureInfo",
                                 "cudaFuncGet",
                                 "cudaOccupancy",
                                 "cudaPointerGetAttributes",
                                 "cudaThreadExchange",
                                 "cuCtxGet",
                                 "cuCtxPushCurrent",
                                 "cuCtxPopCurrent",
                                 "cuDeviceGet",
                                 "cuDevicePrimaryCtxGetState",
                                 "cuGetProcAddress",
                                 "cuKernelGet",
                                 "cuPointerGetAttribute",
                                 "cuStreamIsCapturing",
                                 "cuEventQuery",
                                 "cuFuncGet"};
    for (const auto domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API}) {
        const auto enable =
            domain == CUPTI_CB_DOMAIN_RUNTIME_API ? m_cupti.enableRuntimeApi : m_cupti.enableDriverApi;
        for (CUpti_CallbackId id = 1; id < 1024; ++id) {
            const char* name = nullptr;
            if (m_cupti.getCallbackName(domain, id, &name) != CUPTI_SUCCESS || !name)
                continue;
            for (const char* prefix : noisy) {
                if (std::strncmp(name, prefix, std::strlen(prefix)) == 0)
                    (void)enable(id, 0); // not being able to only costs speed
            }
        }
    }
}

void Probe::rangePush(std::string_view text)
{
    if (t_ranges.depth++ >= kMaxDepth)
        return;
    std::uint64_t& slot = t_ranges.ids[t_ranges.depth - 1];
    slot = 0;
    if (!recording())
        return;
    const OverheadTimer timer(m_overheadNs);
    wire::RangePush record;
    record.id = m_nextRange.fetch_add(1, std::memory_order_relaxed);
    for (std::uint32_t i = t_ranges.depth - 1; i-- > 0 && record.parent == 0;)
        record.parent = t_ranges.ids[i];
    record.timestampNs = nowNs();
    record.thread = threadId();
    text = text.substr(0, 64u << 10);
    record.textBytes = static_cast<std::uint32_t>(text.size());
    slot = record.id;
    m_outbox.append(wire::RecordType::RangePush, record, text);
    if (m_collecting)
        m_cupti.pushExternal(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, record.id);
}

void Probe::rangePop()
{
    if (t_ranges.depth == 0 || --t_ranges.depth >= kMaxDepth)
        return;
    const std::uint64_t id = t_ranges.ids[t_ranges.depth];
    if (id == 0 || m_dead)
        return;
    const OverheadTimer timer(m_overheadNs);
    if (m_collecting) {
        std::uint64_t last = 0;
        m_cupti.popExternal(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &last);
    }
    wire::RangePop record;
    record.id = id;
    record.timestampNs = nowNs();
    m_outbox.append(wire::RecordType::RangePop, record);
}

void Probe::mark(std::string_view text)
{
    if (m_dead)
        return;
    wire::Mark record;
    record.timestampNs = nowNs();
    record.thread = threadId();
    text = text.substr(0, 256u << 10);
    record.textBytes = static_cast<std::uint32_t>(text.size());
    m_outbox.append(wire::RecordType::Mark, record, text);
}

void Probe::release()
{
    m_recording = false;
    if (!m_collecting || m_dead)
        return;
    // Every buffer comes home first: a later owner of the callbacks would not know them.
    m_cupti.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    m_collecting = false;
    for (const auto& kind : kKinds) {
        if (m_cupti.disable)
            (void)m_cupti.disable(kind.first); // it may have gone with the driver already
    }
}

void Probe::gate()
{
    std::lock_guard lock(m_windowMutex);
    if (m_gated)
        return;
    m_gated = true;
    m_recording = false;
}

void Probe::openWindow()
{
    if (m_dead)
        return;
    std::lock_guard lock(m_windowMutex);
    m_windows.emplace_back(nowNs(), ~std::uint64_t{0});
    m_recording = true;
}

void Probe::closeWindow()
{
    std::lock_guard lock(m_windowMutex);
    if (!m_gated || m_windows.empty() || !m_recording)
        return;
    m_windows.back().second = nowNs();
    m_recording = false;
}

} // namespace foresight::probe
