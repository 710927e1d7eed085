// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long the GUI thread was kept from its event loop: a 5 ms timer that remembers its longest
// delay. Where the kernel tells (Linux), the time the thread stood ready but got no processor is told apart:
// that is the machine's load, the rest is the window's own doing, waiting for locks and files included. GUI
// thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace foresight {

class Heartbeat : public QObject
{
    Q_OBJECT
public:
    explicit Heartbeat(QObject* parent = nullptr);
    ~Heartbeat() override;

    void start();
    void stop();
    double longestBlockMs() const { return m_longestMs; } // by the clock
    // Without waiting for a processor; the same as longestBlockMs where the kernel does not tell.
    double longestOwnMs() const { return m_longestOwnMs; }
    bool tellsOwnTime() const { return m_scheduler >= 0; }
    qint64 beats() const { return m_beats; }

private:
    double waitedForProcessorMs() const; // since the thread began

    QTimer m_timer;
    QElapsedTimer m_since;
    double m_longestMs = 0, m_longestOwnMs = 0, m_waitedMs = 0;
    qint64 m_beats = 0;
    int m_scheduler = -1; // file of this thread's scheduling figures
};

} // namespace foresight
