// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long the GUI thread was kept from its event loop: a 5 ms timer that remembers its longest delay. GUI
// thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace foresight {

class Heartbeat : public QObject {
    Q_OBJECT
public:
    explicit Heartbeat(QObject* parent = nullptr);

    void start();
    void stop();
    double longestBlockMs() const { return m_longestMs; }
    qint64 beats() const { return m_beats; }

private:
    QTimer m_timer;
    QElapsedTimer m_since;
    double m_longestMs = 0;
    qint64 m_beats = 0;
};

} // namespace foresight
