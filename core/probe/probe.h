// SPDX-License-Identifier: Apache-2.0
// The injected probe: one per process, made on first use and leaked on purpose, since CUPTI's threads outlive
// static destructors. Range calls come from the program's threads, activity records from CUPTI's, sending
// happens on the probe's own thread. Nothing here throws into or blocks the program; failures become Status
// records. A forked child goes silent: no CUPTI call, no socket.
#pragma once

#include "core/probe/buffer_pool.h"
#include "core/probe/cupti_api.h"
#include "core/probe/outbox.h"
#include "core/probe/sender.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace foresight::probe {

class Probe
{
public:
    static Probe& instance();

    void startCupti(); // once, from the CUDA driver's injection call
    void rangePush(std::string_view text);
    void rangePop();
    void mark(std::string_view text);

    // From the hook: nothing is recorded until a window opens. Without a hook everything is.
    void gate();
    void openWindow();
    void closeWindow();
    void flush(); // after a device synchronise; returns when all is handed to the socket
    // Gives CUPTI up for good, so that another profiler in the program gets its records.
    void release();
    void finish(); // last flush and totals, at exit

    bool recording() const
    {
        return m_recording.load(std::memory_order_relaxed) && !m_dead.load(std::memory_order_relaxed);
    }
    void status(wire::Severity severity, int cuptiResult, std::string_view message, std::string_view advice);

private:
    Probe();
    static void bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords);
    static void bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                std::size_t size, std::size_t validSize);
    void encode(const CUpti_Activity& record,
                const std::vector<std::pair<std::uint64_t, std::uint64_t>>& windows);
    bool insideWindow(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& windows,
                      std::uint64_t startNs);
    bool isLaunch(CUpti_CallbackDomain domain, CUpti_CallbackId id);
    void silenceNoisyApis();
    void hello();
    void sendDevices();
    void sendCounts(bool isFinal);
    void run();
    std::uint64_t nowNs() const;

    CuptiApi m_cupti;
    BufferPool m_pool;
    Outbox m_outbox;
    Sender m_sender;
    std::mutex m_sendMutex; // guards m_sender and m_devicesSent; no CUPTI call under it
    std::uint64_t m_devicesSent = 0;
    std::atomic<std::uint64_t> m_devicesSeen{0};

    std::atomic<bool> m_collecting{false}; // CUPTI delivers to us
    std::atomic<bool> m_recording{false};
    std::atomic<bool> m_dead{false}; // in a forked child, or after finish
    std::mutex m_windowMutex;
    bool m_gated = false;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_windows;

    std::atomic<std::uint64_t> m_nextRange{1};
    std::atomic<std::uint64_t> m_received{0}, m_outside{0}, m_droppedByCupti{0}, m_overheadNs{0};
    std::atomic<std::uint8_t> m_launchIds[2][1024]{}; // 0 unknown, 1 no, 2 yes
};

} // namespace foresight::probe
