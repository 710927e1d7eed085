// SPDX-License-Identifier: Apache-2.0
// The measure of a blocked GUI thread: what blocks it is seen, also when it is no work but waiting.
#include <QTest>

#include "tests/gui/gui_test_main.h"

#include "app/heartbeat.h"

#include <QElapsedTimer>

using namespace foresight;

class TestHeartbeat : public QObject
{
    Q_OBJECT

private slots:
    void init() { test::failOnQtWarnings(); }

    void seesABlock_data()
    {
        QTest::addColumn<bool>("working");
        QTest::newRow("working") << true;
        QTest::newRow("waiting") << false;
    }

    void seesABlock()
    {
        QFETCH(bool, working);
        Heartbeat heartbeat;
        heartbeat.start();
        QTRY_VERIFY(heartbeat.beats() > 2);
        constexpr int kBlockMs = 120;
        if (working) {
            QElapsedTimer busy;
            busy.start();
            while (busy.elapsed() < kBlockMs) {
            }
        } else {
            QTest::qSleep(kBlockMs);
        }
        const qint64 beats = heartbeat.beats();
        QTRY_VERIFY(heartbeat.beats() > beats);
        QVERIFY(heartbeat.longestBlockMs() >= kBlockMs - 10);
        // Work of our own may have been preempted, waiting was not.
        QVERIFY(heartbeat.longestOwnMs() <= heartbeat.longestBlockMs());
        if (!working)
            QVERIFY(heartbeat.longestOwnMs() >= kBlockMs - 10);
        else
            QVERIFY(heartbeat.longestOwnMs() > 0);
    }

    void startsAnew()
    {
        Heartbeat heartbeat;
        heartbeat.start();
        QTest::qSleep(100);
        QTRY_VERIFY(heartbeat.longestBlockMs() > 50);
        heartbeat.start();
        QCOMPARE(heartbeat.beats(), qint64(0));
        QCOMPARE(heartbeat.longestBlockMs(), 0.0);
        QCOMPARE(heartbeat.longestOwnMs(), 0.0);
    }
};

FORESIGHT_GUI_TEST_MAIN(TestHeartbeat)
#include "tst_heartbeat.moc"
