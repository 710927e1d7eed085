// SPDX-License-Identifier: Apache-2.0
// Sweeps on the scripted worker: complete, stopped and resumed, with failures, and the arithmetic of drift,
// repeats and noise on hand-made records.
#include "core/gpu/recorded_space.h"
#include "core/gpu/sweep_log.h"
#include "core/gpu/sweep_space.h"
#include "core/gpu/torch_baselines.h"
#include "tests/local_gpu_fixture.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace foresight;
using namespace fixture;
using namespace std::chrono_literals;

namespace {

SweepRecord recordOf(SweepRecord::Kind kind, std::int64_t index, double anchorNs, double lnRatio)
{
    SweepRecord record;
    record.kind = kind;
    record.index = index;
    record.reply.outcome = Outcome::Ok;
    record.reply.stage = Stage::Measure;
    Timing timing;
    timing.anchorNs = anchorNs;
    timing.candidateNs = anchorNs * std::exp(-lnRatio);
    timing.lnRatio = lnRatio;
    timing.look = 12;
    timing.candidateSamplesNs = {timing.candidateNs, timing.candidateNs};
    record.reply.timing = timing;
    return record;
}

SweepRecord failureOf(SweepRecord::Kind kind, std::int64_t index, Outcome outcome)
{
    SweepRecord record;
    record.kind = kind;
    record.index = index;
    record.reply.outcome = outcome;
    record.reply.message = "no";
    return record;
}

} // namespace

class TestSweep : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void recordsAWholeSpace();
    void killedAndResumedGivesTheSameFile();
    void resumesAtEveryPoint();
    void limitKeepsTheAnchor();
    void otherSweepIsRefused();
    void cutOffLineIsMeasuredAgain();
    void unwellGpuStopsIt();
    void timeLimitStopsCleanly();
    void driftIsDividedOut();
    void repeatedRowsCount();
    void noiseFloorByHand();
    void orderIsAPermutation();
    void torchBaselinesThroughTheHost();

private:
    SweepOptions options(const std::string& name);
    Result<RecordedSpace> finish(SweepOptions options);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_events;
    std::shared_ptr<const Family> m_family;
};

void TestSweep::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QVERIFY2(fileExists(scriptedWorker()), "build the target scripted_worker");
    m_events = m_folder->path().toStdString() + "/events";
    qputenv("FORESIGHT_SCRIPT_EVENTS", QByteArray::fromStdString(m_events));
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler");
    const auto family = Family::load(std::string(FORESIGHT_SOURCE_DIR) + "/tests/data/families/sweep_toy");
    QVERIFY2(family.ok(), family.ok() ? "" : family.error().toString().c_str());
    m_family = *family;
}

SweepOptions TestSweep::options(const std::string& name)
{
    SweepOptions sweep;
    sweep.family = m_family;
    sweep.symbols = {{"N", std::int64_t{100'000}}};
    const auto problem = m_family->makeProblem(DType::F32, "contiguous", sweep.symbols);
    if (problem)
        sweep.problem = *problem;
    const std::string folder = m_folder->path().toStdString();
    sweep.gpu = optionsFor(folder);
    sweep.output = folder + "/" + name;
    sweep.torchBaselines = false;
    sweep.seed = 3;
    return sweep;
}

Result<RecordedSpace> TestSweep::finish(SweepOptions sweep)
{
    auto result = runSweep(sweep);
    if (!result)
        return result.error();
    if (!result->finished)
        return makeError(ErrorCode::Internal, "not finished");
    return readRecordedSpace(sweep.output);
}

void TestSweep::recordsAWholeSpace()
{
    SweepOptions sweep = options("whole.t4.json");
    std::vector<SweepProgress> seen;
    const auto result = runSweep(sweep, [&](const SweepProgress& progress) { seen.push_back(progress); });
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().toString().c_str());
    QVERIFY(result->finished);
    QCOMPARE(result->measured, result->configurations);
    // 60 good, 6 wrong, 1 that crashes.
    QCOMPARE(result->configurations, std::size_t{67});
    QCOMPARE(result->valid, std::size_t{60});
    QVERIFY(result->again >= 20);
    QVERIFY(!fileExists(result->partialFile));
    QVERIFY(!seen.empty());
    QCOMPARE(seen.front().phase, std::string("measuring"));
    QCOMPARE(seen.back().phase, std::string("writing"));
    const auto again = std::find_if(seen.begin(), seen.end(),
                                    [](const SweepProgress& p) { return p.phase == "measuring again"; });
    QVERIFY(again != seen.end());
    QCOMPARE((again - 1)->done, (again - 1)->total);
    QCOMPARE((again - 1)->failed, std::size_t{7});

    const auto space = readRecordedSpace(sweep.output);
    QVERIFY2(space.ok(), space.ok() ? "" : space.error().toString().c_str());
    QCOMPARE(space->rows.size(), std::size_t{67});
    QCOMPARE(space->validCount(), std::size_t{60});
    QCOMPARE(space->gpuName, std::string("Scripted GPU"));
    QCOMPARE(space->driver, std::string("580.0"));
    QCOMPARE(space->problemKey, sweep.problem.key);
    QCOMPARE(space->familyHash, m_family->sourceHash());
    QCOMPARE(space->smClockMhz, 1980.0);
    QVERIFY(space->defaultIndex.has_value());
    QVERIFY(space->noiseFloor > 5e-4 && space->noiseFloor < 8e-3); // the script's noise is .002
    QVERIFY(!space->notes.empty());
    QVERIFY2(space->notes[0].find("anchor measured alone 4 times") != std::string::npos,
             space->notes[0].c_str());
    std::size_t wrong = 0, crashed = 0, repeated = 0;
    for (std::size_t i = 0; i < space->rows.size(); ++i) {
        const RecordedRow& row = space->rows[i];
        wrong += row.outcome == Outcome::WrongResult ? 1 : 0;
        crashed += row.outcome == Outcome::Crashed ? 1 : 0;
        repeated += row.sampleSets.empty() ? 0 : 1;
        QCOMPARE(row.contentHash.size(), std::size_t{64});
        if (row.outcome == Outcome::Ok) {
            QVERIFY(row.timeNs > 0 && row.lnLow < row.lnRatio && row.samplesNs.size() == 24);
            // The time is the anchor's over the ratio.
            QVERIFY(std::abs(std::log(result->anchorNs / row.timeNs) - row.lnRatio) < 1e-9);
        }
    }
    QCOMPARE(wrong, std::size_t{6});
    QCOMPARE(crashed, std::size_t{1});
    QCOMPARE(repeated, result->again);
    // The best row was measured twice, and the anchor's own row is about as fast as the anchor.
    QVERIFY(!space->rows[*space->bestIndex()].sampleSets.empty());
    QVERIFY(space->claimable());
}

void TestSweep::killedAndResumedGivesTheSameFile()
{
    const auto whole = finish(options("one.t4.json"));
    QVERIFY2(whole.ok(), whole.ok() ? "" : whole.error().toString().c_str());

    SweepOptions sweep = options("two.t4.json");
    std::stop_source stop;
    const auto stopped = runSweep(
        sweep,
        [&](const SweepProgress& progress) {
            if (progress.done == 30)
                stop.request_stop();
        },
        stop.get_token());
    QVERIFY2(stopped.ok(), stopped.ok() ? "" : stopped.error().toString().c_str());
    QVERIFY(!stopped->finished);
    QVERIFY(fileExists(stopped->partialFile));
    QVERIFY(stopped->measured >= 25 && stopped->measured < 67);
    // Without saying so a partial file is not overwritten.
    QCOMPARE(runSweep(sweep).error().code, ErrorCode::InvalidArgument);
    sweep.resume = true;
    const auto resumed = finish(sweep);
    QVERIFY2(resumed.ok(), resumed.ok() ? "" : resumed.error().toString().c_str());

    QCOMPARE(resumed->rows.size(), whole->rows.size());
    QCOMPARE(resumed->noiseFloor, whole->noiseFloor);
    QVERIFY(resumed->notes == whole->notes);
    QCOMPARE(resumed->problemKey, whole->problemKey);
    for (std::size_t i = 0; i < whole->rows.size(); ++i) {
        const RecordedRow& a = whole->rows[i];
        const RecordedRow& b = resumed->rows[i];
        QVERIFY(a.outcome == b.outcome);
        QCOMPARE(a.timeNs, b.timeNs);
        QCOMPARE(a.lnRatio, b.lnRatio);
        QVERIFY(a.samplesNs == b.samplesNs);
        QVERIFY(a.sampleSets == b.sampleSets);
        QCOMPARE(a.contentHash, b.contentHash);
    }
}

void TestSweep::resumesAtEveryPoint()
{
    // Stop after a few measurements again and again, through all phases: it must end, with everything
    // measured once.
    SweepOptions sweep = options("many.t4.json");
    sweep.resume = true;
    int rounds = 0;
    for (; rounds < 60; ++rounds) {
        std::stop_source stop;
        int seen = 0;
        const auto result = runSweep(
            sweep,
            [&](const SweepProgress&) {
                if (++seen == 13)
                    stop.request_stop();
            },
            stop.get_token());
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().toString().c_str());
        if (result->finished)
            break;
    }
    QVERIFY(rounds > 3 && rounds < 60);
    const auto space = readRecordedSpace(sweep.output);
    QVERIFY(space.ok());
    QCOMPARE(space->validCount(), std::size_t{60});
}

void TestSweep::limitKeepsTheAnchor()
{
    SweepOptions sweep = options("part.t4.json.gz");
    sweep.limit = 10;
    const auto space = finish(sweep);
    QVERIFY2(space.ok(), space.ok() ? "" : space.error().toString().c_str());
    QCOMPARE(space->rows.size(), std::size_t{10});
    QVERIFY(space->defaultIndex.has_value());
    for (const RecordedRow& row : space->rows)
        QVERIFY(row.outcome != Outcome::Unknown);
}

void TestSweep::otherSweepIsRefused()
{
    SweepOptions sweep = options("other.t4.json");
    std::stop_source stop;
    QVERIFY(runSweep(
                sweep, [&](const SweepProgress&) { stop.request_stop(); }, stop.get_token())
                .ok());
    sweep.resume = true;
    sweep.seed = 99;
    const auto refused = runSweep(sweep);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
    QVERIFY(refused.error().message.find("another sweep") != std::string::npos);
}

void TestSweep::cutOffLineIsMeasuredAgain()
{
    const std::string path = m_folder->path().toStdString() + "/log.jsonl";
    SweepIdentity identity;
    identity.problemKey = "p";
    identity.date = "then";
    {
        auto log = SweepLog::open(path, identity, false);
        QVERIFY(log.ok());
        for (int i = 0; i < 5; ++i)
            QVERIFY(log->append(recordOf(SweepRecord::Kind::Main, i, 100, .5)).ok());
    }
    const auto whole = readFile(path);
    QVERIFY(whole.ok());
    for (std::size_t cut = 1; cut < whole->size(); cut += 7) {
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(whole->data(), static_cast<qint64>(whole->size() - cut));
        file.close();
        identity.date = "now";
        auto log = SweepLog::open(path, identity, true);
        QVERIFY2(log.ok(), log.ok() ? "" : log.error().toString().c_str());
        const std::size_t kept = log->records().size();
        QVERIFY(kept <= 5);
        if (kept > 0)
            QCOMPARE(log->identity().date, std::string("then"));
        QVERIFY(log->append(recordOf(SweepRecord::Kind::Again, 9, 100, .25)).ok());
        *log = std::move(*SweepLog::open(path, identity, true)); // reads its own continuation
        QCOMPARE(log->records().size(), kept + 1);
        QVERIFY(log->records().back().kind == SweepRecord::Kind::Again);
        QCOMPARE(log->records().back().index, std::int64_t{9});
        QCOMPARE(log->records().back().reply.timing->lnRatio, .25);
    }
}

void TestSweep::unwellGpuStopsIt()
{
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler,canary_fails");
    SweepOptions sweep = options("unwell.t4.json");
    sweep.gpu.canaryAfter = 1; // the first wrong result asks the canary
    const auto result = runSweep(sweep);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, ErrorCode::GpuError);
    QVERIFY(fileExists(sweep.output + ".partial.jsonl"));
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler");
    sweep.resume = true;
    const auto space = finish(sweep);
    QVERIFY2(space.ok(), space.ok() ? "" : space.error().toString().c_str());
    QCOMPARE(space->validCount(), std::size_t{60});
}

void TestSweep::timeLimitStopsCleanly()
{
    SweepOptions sweep = options("timed.t4.json");
    sweep.maxSeconds = 1e-9;
    const auto result = runSweep(sweep);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().toString().c_str());
    QVERIFY(!result->finished);
    sweep.maxSeconds = 0;
    sweep.resume = true;
    QVERIFY(finish(sweep).ok());
}

void TestSweep::driftIsDividedOut()
{
    // The GPU slows down by a tenth half-way; the ratio of each row to the anchor beside it is unchanged.
    SweepOptions sweep;
    const std::vector<SweepRecord> records{recordOf(SweepRecord::Kind::Anchor, 0, 100, 0),
                                           recordOf(SweepRecord::Kind::Main, 1, 100, std::log(2)),
                                           recordOf(SweepRecord::Kind::Main, 2, 110, std::log(2)),
                                           recordOf(SweepRecord::Kind::Anchor, 3, 110, 0)};
    const SweepTable table(sweep, records);
    QCOMPARE(table.anchorNs(), 105.0);
    QVERIFY(std::abs(*table.estimateNs(1) - 52.5) < 1e-9);
    QVERIFY(std::abs(*table.estimateNs(2) - 52.5) < 1e-9);
    const RecordedRow row = table.row(2);
    QVERIFY(std::abs(row.samplesNs[0] - 52.5) < 1e-9);
    QCOMPARE(row.anchorNs, 110.0);
    QVERIFY(table.driftNote().find("-4.8 % to +4.8 %") != std::string::npos);
    QVERIFY(!table.estimateNs(77).has_value());
}

void TestSweep::repeatedRowsCount()
{
    SweepOptions sweep;
    sweep.againTopAtLeast = 2;
    sweep.againTop = 0;
    sweep.againRandom = 0;
    std::vector<SweepRecord> records{recordOf(SweepRecord::Kind::Anchor, 0, 100, 0)};
    for (int i = 0; i < 6; ++i)
        records.push_back(recordOf(SweepRecord::Kind::Main, i, 100, .1 * i));
    records.push_back(failureOf(SweepRecord::Kind::Main, 6, Outcome::Timeout));
    {
        const SweepTable table(sweep, records);
        auto chosen = table.chosenForAgain();
        std::sort(chosen.begin(), chosen.end());
        QVERIFY((chosen == std::vector<std::int64_t>{4, 5}));
        QCOMPARE(table.failures(), std::size_t{1});
        QVERIFY(table.best() == std::int64_t{5});
    }
    // Row 5 was lucky, row 4 fails the second time: row 3, measured once, now looks best and must be looked
    // at too.
    records.push_back(recordOf(SweepRecord::Kind::Again, 5, 100, .25));
    records.push_back(failureOf(SweepRecord::Kind::Again, 4, Outcome::Nondeterministic));
    const SweepTable table(sweep, records);
    QVERIFY((table.overtaken() == std::vector<std::int64_t>{3}));
    QVERIFY(std::abs(*table.estimateNs(5) - 100 * std::exp(-.25)) < 1e-9);
    QVERIFY(!table.estimateNs(4).has_value());
    QVERIFY(table.row(4).outcome == Outcome::Nondeterministic);
    QVERIFY(table.row(4).message.find("measured again") != std::string::npos);
    QVERIFY(table.row(6).outcome == Outcome::Timeout);
    const RecordedRow twice = table.row(5);
    QCOMPARE(twice.lnRatio, .25);
    QCOMPARE(twice.sampleSets.size(), std::size_t{1});
}

void TestSweep::noiseFloorByHand()
{
    SweepOptions sweep;
    sweep.againRandom = 1;
    std::vector<SweepRecord> records{recordOf(SweepRecord::Kind::Anchor, 0, 100, 0)};
    QCOMPARE(SweepTable(sweep, records).noiseFloor(), 0.0);
    for (int i = 0; i < 10; ++i) {
        records.push_back(recordOf(SweepRecord::Kind::Main, i, 100, .5));
        records.push_back(recordOf(SweepRecord::Kind::Again, i, 100, i % 2 == 0 ? .52 : .48));
    }
    // Differences of +-.02: one measurement's deviation is .02 / sqrt 2.
    QVERIFY(std::abs(SweepTable(sweep, records).noiseFloor() - .02 / std::sqrt(2.0)) < 1e-12);
}

void TestSweep::orderIsAPermutation()
{
    const auto order = sweepOrder(100, 0, 5, 42);
    QCOMPARE(std::set<std::int64_t>(order.begin(), order.end()).size(), std::size_t{100});
    QVERIFY(order == sweepOrder(100, 0, 5, 42));
    QVERIFY(order != sweepOrder(100, 0, 6, 42));
    for (std::int64_t anchor = 0; anchor < 100; ++anchor) {
        const auto part = sweepOrder(100, 7, 5, anchor);
        QCOMPARE(std::set<std::int64_t>(part.begin(), part.end()).size(), std::size_t{7});
        QVERIFY(std::find(part.begin(), part.end(), anchor) != part.end());
    }
}

void TestSweep::torchBaselinesThroughTheHost()
{
    // A stand-in interpreter: checks what it was given and answers like the host.
    const std::string script = m_folder->path().toStdString() + "/python";
    QVERIFY(writeFileAtomically(script,
                                "#!/bin/sh\n"
                                "[ \"$1 $2\" = '-m foresight_torch.host' ] || exit 7\n"
                                "grep -q '\"problemBinary\"' \"$3\" || exit 8\n"
                                "grep -q 'test_copy' \"$3\" || exit 9\n"
                                "echo '{\"torch\":\"2.11.0\",\"baselines\":["
                                "{\"name\":\"torch-eager\",\"timing\":{\"anchorNs\":300,\"candidateNs\":100,"
                                "\"lnRatio\":1.0986,\"lnLow\":1.09,\"lnHigh\":1.11,\"look\":24}},"
                                "{\"name\":\"torch-compile\",\"error\":\"no compiler\"}]}' > \"$4\"\n")
                .ok());
    QFile::setPermissions(QString::fromStdString(script),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    LocalGpuOptions gpuOptions = optionsFor(m_folder->path().toStdString());
    gpuOptions.python = script;
    const auto gpu = LocalGpu::make(gpuOptions);
    QVERIFY2(gpu.ok(), gpu.ok() ? "" : gpu.error().toString().c_str());
    const auto baselines = measureTorchBaselines(**gpu);
    QVERIFY2(baselines.ok(), baselines.ok() ? "" : baselines.error().toString().c_str());
    QCOMPARE(baselines->size(), std::size_t{1});
    QCOMPARE((*baselines)[0].name, std::string("torch-eager"));
    QCOMPARE((*baselines)[0].lnOverAnchor, 1.0986);
    QCOMPARE((*baselines)[0].timeNs, 300.0);
    const auto direct = compareWithTorch(**gpu, requestOf("good"));
    QVERIFY2(direct.ok(), direct.ok() ? "" : direct.error().toString().c_str());
    QCOMPARE((*direct)[0].timing.lnLow, 1.09);

    QVERIFY(writeFileAtomically(script, "#!/bin/sh\necho 'No module named torch' >&2\nexit 1\n").ok());
    QFile::setPermissions(QString::fromStdString(script),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const auto none = measureTorchBaselines(**gpu);
    QVERIFY(!none.ok());
    QVERIFY(none.error().message.find("No module named torch") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
