// SPDX-License-Identifier: Apache-2.0
// Shows that the thread sanitizer, with our suppressions and below Qt Test, still sees a race in code like
// core's: this program runs itself with the race switched on and expects the report. Built under the tsan
// preset only.
#include "core/base/subprocess.h"

#include <QtTest>

#include <deque>
#include <mutex>
#include <string>
#include <thread>

using namespace foresight;

namespace foresight {

// A queue of completions as the asynchronous services have it, whose reader forgot the lock.
class RacyQueue
{
public:
    void push(int value)
    {
        const std::lock_guard lock(m_mutex);
        m_values.push_back(value);
        ++m_count;
    }
    int countWithoutLock() const { return m_count; }

private:
    std::mutex m_mutex;
    std::deque<int> m_values;
    int m_count = 0;
};

} // namespace foresight

class TestPlantedRace : public QObject
{
    Q_OBJECT
private slots:
    void race();
    void isReported();
    void isNotReportedWithoutRace();

private:
    static Result<ProcessOutput> runSelf(bool planted)
    {
        ProcessOptions options;
        options.argv = {"/proc/self/exe", "race"};
        options.environment = std::map<std::string, std::string>{
            {"PLANTED_RACE", planted ? "1" : "0"},
            {"TSAN_OPTIONS", "suppressions=" FORESIGHT_SOURCE_DIR "/tests/tsan.supp"}};
        return runProcess(options, {}, std::chrono::seconds(120));
    }
};

void TestPlantedRace::race()
{
    if (!qEnvironmentVariableIsSet("PLANTED_RACE"))
        QSKIP("runs as a child of this program only");
    const bool planted = qgetenv("PLANTED_RACE") == "1";
    RacyQueue queue;
    std::jthread writer([&queue] {
        for (int i = 0; i < 1000; ++i)
            queue.push(i);
    });
    int seen = 0;
    if (planted)
        for (int i = 0; i < 1000; ++i)
            seen = queue.countWithoutLock();
    writer.join();
    QVERIFY(seen >= 0);
    QCOMPARE(queue.countWithoutLock(), 1000);
}

void TestPlantedRace::isReported()
{
    const auto done = runSelf(true);
    QVERIFY(done.ok());
    const std::string all = done->out + done->err;
    QVERIFY2(all.find("ThreadSanitizer: data race") != std::string::npos, all.c_str());
    QVERIFY2(all.find("RacyQueue") != std::string::npos, all.c_str());
    QVERIFY(done->exit.exited);
    QCOMPARE(done->exit.status, 66); // the sanitizer's own exit status
}

void TestPlantedRace::isNotReportedWithoutRace()
{
    const auto done = runSelf(false);
    QVERIFY(done.ok());
    QVERIFY2(done->exit.exited && done->exit.status == 0, (done->out + done->err).c_str());
}

QTEST_APPLESS_MAIN(TestPlantedRace)
#include "tst_planted_race.moc"
