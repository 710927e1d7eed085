// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/heartbeat.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace foresight {

namespace {
constexpr int kIntervalMs = 5;
}

Heartbeat::Heartbeat(QObject* parent) : QObject(parent)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        const double elapsedMs = static_cast<double>(m_since.nsecsElapsed()) / 1e6;
        m_since.restart();
        const double waitedMs = waitedForProcessorMs();
        const double lateMs = elapsedMs - kIntervalMs;
        m_longestMs = std::max(m_longestMs, lateMs);
        m_longestOwnMs = std::max(m_longestOwnMs, lateMs - (waitedMs - m_waitedMs));
        m_waitedMs = waitedMs;
        ++m_beats;
    });
}

Heartbeat::~Heartbeat()
{
    if (m_scheduler >= 0)
        ::close(m_scheduler);
}

void Heartbeat::start()
{
    if (m_scheduler < 0)
        m_scheduler = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    m_longestMs = m_longestOwnMs = 0;
    m_waitedMs = waitedForProcessorMs();
    m_beats = 0;
    m_since.start();
    m_timer.start();
}

void Heartbeat::stop()
{
    m_timer.stop();
}

// "time on a processor (ns)  time ready but without one (ns)  times run"
double Heartbeat::waitedForProcessorMs() const
{
    std::array<char, 96> text{};
    unsigned long long ran = 0, waited = 0;
    if (m_scheduler < 0 || ::pread(m_scheduler, text.data(), text.size() - 1, 0) <= 0 ||
        std::sscanf(text.data(), "%llu %llu", &ran, &waited) != 2)
        return 0;
    return static_cast<double>(waited) / 1e6;
}

} // namespace foresight
