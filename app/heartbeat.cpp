// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/heartbeat.h"

#include <algorithm>

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
        m_longestMs = std::max(m_longestMs, elapsedMs - kIntervalMs);
        ++m_beats;
    });
}

void Heartbeat::start()
{
    m_longestMs = 0;
    m_beats = 0;
    m_since.start();
    m_timer.start();
}

void Heartbeat::stop()
{
    m_timer.stop();
}

} // namespace foresight
