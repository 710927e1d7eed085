// SPDX-License-Identifier: Apache-2.0
// Preparing a search from what a user names, and running it in the background into a session: batches are
// whole and in order, a stopped search goes on as if it had not been stopped, and errors say what there is
// instead.
#include "core/base/file.h"
#include "core/search/payload.h"
#include "core/search/runner.h"
#include "tests/search_fakes.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <mutex>

using namespace foresight;

namespace {

RecordedSpace makeRecorded()
{
    RecordedSpace recorded;
    recorded.space = *fakes::makeSpace();
    recorded.title = "made up";
    recorded.gpuName = recorded.gpu.name = "Test GPU";
    recorded.date = "2026-11-29";
    recorded.familyName = "no_such_family";
    recorded.problemKey = "no_such_family[N=1] f16 contiguous";
    recorded.dtype = DType::F16;
    recorded.layout = "contiguous";
    recorded.defaultIndex = 0;
    recorded.baselines.push_back(
        {"torch-eager", std::log(4.), std::log(3.9), std::log(4.1), 4 * fakes::timeOf(recorded.space, 0)});
    recorded.rows.resize(recorded.space.size());
    const double anchorNs = fakes::timeOf(recorded.space, 0);
    for (std::size_t i = 0; i < recorded.rows.size(); ++i) {
        RecordedRow& row = recorded.rows[i];
        row.timeNs = fakes::timeOf(recorded.space, i);
        row.outcome = row.timeNs > 0 ? Outcome::Ok : Outcome::LaunchRejected;
        row.costs = {1, .5, .25};
        if (row.timeNs <= 0)
            continue;
        row.samplesNs.assign(24, row.timeNs);
        row.anchorNs = anchorNs;
        row.lnRatio = std::log(anchorNs / row.timeNs);
        row.lnLow = row.lnRatio - .01;
        row.lnHigh = row.lnRatio + .01;
        row.look = 12;
    }
    return recorded;
}

// Collects what a runner says.
class Collector
{
public:
    SearchRunner::Callback callback()
    {
        return [this](std::shared_ptr<const SearchBatch> batch) {
            const std::lock_guard lock(m_mutex);
            m_batches.push_back(std::move(batch));
        };
    }
    std::vector<EventRow> events() const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<EventRow> all;
        for (const auto& batch : m_batches)
            all.insert(all.end(), batch->events.begin(), batch->events.end());
        return all;
    }
    std::shared_ptr<const SearchBatch> last() const
    {
        const std::lock_guard lock(m_mutex);
        return m_batches.empty() ? nullptr : m_batches.back();
    }
    std::size_t count() const
    {
        const std::lock_guard lock(m_mutex);
        return m_batches.size();
    }

private:
    mutable std::mutex m_mutex;
    std::vector<std::shared_ptr<const SearchBatch>> m_batches;
};

} // namespace

class TestRunner : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_data = m_folder.path().toStdString();
        m_spaces = m_data + "/spaces";
        QVERIFY(makeFolders(m_spaces).ok());
        QVERIFY(makeFolders(m_data + "/resources/kernels").ok());
        m_file = m_spaces + "/made_up.t4.json.zst";
        QVERIFY(writeRecordedSpace(makeRecorded(), m_file).ok());
    }
    void preparesFromASpace()
    {
        auto prepared = prepareSearch(request());
        QVERIFY2(prepared.ok(), prepared ? "" : prepared.error().message.c_str());
        QVERIFY(prepared->gpu->info().recorded);
        QCOMPARE(prepared->options.baselineName, std::string("torch-eager"));
        QVERIFY(std::abs(prepared->options.lnBaselineOverAnchor - std::log(4.)) < 1e-9);
        QVERIFY(std::abs(prepared->lnBaselineLow - std::log(3.9)) < 1e-9);
        QCOMPARE(prepared->target.defaultIndex, 0u);
        QCOMPARE(prepared->target.space->size(), std::size_t{960});
        QVERIFY(!prepared->notes.empty()); // the family is not installed

        SearchRequest plain = request();
        plain.baseline = "family-default";
        QCOMPARE(prepareSearch(plain)->options.lnBaselineOverAnchor, 0.);
        plain.baseline = "torch-compile";
        QCOMPARE(prepareSearch(plain)->options.baselineName, std::string("family-default"));
    }
    void saysWhatIsMissing()
    {
        SearchRequest unknown;
        unknown.family = "no_such_family";
        unknown.gpu = GpuChoice::Recorded;
        const auto family = prepareSearch(unknown);
        QCOMPARE(family.error().code, ErrorCode::NotFound);
        QVERIFY(QString::fromStdString(family.error().message).contains(QStringLiteral("no_such_family")));

        unknown.family = "softmax";
        unknown.dtype = DType::F16;
        unknown.spaceFolders = {m_spaces};
        const auto families = FamilyRegistry::load(FORESIGHT_SOURCE_DIR);
        QVERIFY(families.ok());
        const auto softmax = families->find("softmax");
        if (!softmax)
            QSKIP("the softmax family is not there");
        unknown.dataFolder = FORESIGHT_SOURCE_DIR;
        for (const auto& symbol : softmax->symbols())
            if (symbol.defaultText.empty())
                unknown.symbols[symbol.name] = std::int64_t{64};
        const auto space = prepareSearch(unknown);
        QVERIFY(!space);
        QCOMPARE(space.error().code, ErrorCode::NotFound);
        QVERIFY(QString::fromStdString(space.error().message).contains(QStringLiteral("softmax[")));
        QVERIFY(QString::fromStdString(space.error().message).contains(QString::fromStdString(m_spaces)));

        SearchRequest wrong = request();
        wrong.options.policy.name = "best";
        QCOMPARE(prepareSearch(wrong).error().code, ErrorCode::InvalidArgument);
        wrong = request();
        wrong.spaceFile = m_spaces + "/none.t4.json";
        QVERIFY(!prepareSearch(wrong));
    }
    void runsToItsEndIntoASession()
    {
        const std::string path = m_data + "/whole.fsight";
        Collector collector;
        {
            SearchRunner runner(options(path), collector.callback());
            QTRY_VERIFY_WITH_TIMEOUT(!runner.running(), 30'000);
        }
        const auto last = collector.last();
        QCOMPARE(last->phase, SearchPhase::Finished);
        QVERIFY(!last->message.empty());
        QVERIFY(last->facts && last->facts->recorded);
        QVERIFY(last->facts->optimumLog2.has_value());
        QCOMPARE(last->facts->exactRandom.size(), std::size_t{40});
        const auto events = collector.events();
        Tree tree;
        for (const EventRow& event : events)
            QVERIFY(tree.apply(event).ok());
        QVERIFY(tree.finished());
        QCOMPARE(tree.counts().chosen, 40);
        // The optimum, over torch-eager.
        QVERIFY(tree.node(*tree.incumbent()).measuredLog2 <= *last->facts->optimumLog2 + 1e-9);

        auto session = Session::open(path, Session::Mode::ReadOnly);
        QVERIFY(session.ok());
        const auto stored = loadHistory(**session, last->facts->searchId);
        QVERIFY(stored.ok());
        QCOMPARE(canonicalLogHash(*stored), canonicalLogHash(events));
        m_hash = canonicalLogHash(events);
    }
    void stoppedAndResumedItIsTheSame()
    {
        QVERIFY(!m_hash.empty());
        const std::string path = m_data + "/parts.fsight";
        std::int64_t search = -1;
        for (int part = 0; part < 50; ++part) {
            RunnerOptions o = options(path);
            if (search >= 0)
                o.resume = search;
            o.secondsPerMeasurement = .02;
            Collector collector;
            {
                SearchRunner runner(std::move(o), collector.callback());
                QTRY_VERIFY_WITH_TIMEOUT(collector.events().size() >
                                                 static_cast<std::size_t>(120 + 97 * part) ||
                                             !runner.running(),
                                         30'000);
                runner.stop();
            }
            const auto last = collector.last();
            QVERIFY2(last->phase != SearchPhase::Failed, last->message.c_str());
            search = last->facts->searchId;
            if (last->phase == SearchPhase::Finished) {
                QVERIFY(part > 1);
                break;
            }
            QCOMPARE(last->phase, SearchPhase::Interrupted);
        }
        auto session = Session::open(path, Session::Mode::ReadOnly);
        QVERIFY(session.ok());
        QCOMPARE((*session)->searches()->size(), std::size_t{1});
        QCOMPARE(canonicalLogHash(*loadHistory(**session, search)), m_hash);
    }
    void controlsWorkWhilePreparing()
    {
        Collector collector;
        RunnerOptions o = options({});
        o.startPaused = true;
        SearchRunner runner(std::move(o), collector.callback());
        runner.stepExpansion();
        QTRY_VERIFY_WITH_TIMEOUT(collector.last() && collector.last()->phase == SearchPhase::Paused, 30'000);
        const auto finished = [&collector] {
            Tree tree;
            for (const EventRow& event : collector.events())
                if (!tree.apply(event))
                    return std::int64_t{-1};
            return tree.counts().measured + tree.counts().failed;
        };
        QTRY_COMPARE(finished(), std::int64_t{1});
        QTest::qWait(50);
        QCOMPARE(finished(), std::int64_t{1});
        runner.finish("enough");
        QTRY_VERIFY(!runner.running());
        QCOMPARE(collector.last()->phase, SearchPhase::Finished);
        QCOMPARE(collector.last()->message, std::string("enough"));
    }
    void failuresArrive()
    {
        Collector collector;
        RunnerOptions o = options({});
        o.request.spaceFile = m_spaces + "/none.t4.json";
        SearchRunner runner(std::move(o), collector.callback());
        QTRY_VERIFY(!runner.running());
        QCOMPARE(collector.last()->phase, SearchPhase::Failed);
        QVERIFY(collector.last()->error.has_value());
        runner.pause(); // too late, and harmless
    }
    void batchesAreThrottled()
    {
        Collector collector;
        RunnerOptions o = options({});
        o.request.options.budget.measurements = 300;
        QElapsedTimer timer;
        timer.start();
        SearchRunner runner(std::move(o), collector.callback());
        QTRY_VERIFY_WITH_TIMEOUT(!runner.running(), 60'000);
        // One per 33 ms, the first and the last.
        QVERIFY(collector.count() <= static_cast<std::size_t>(timer.elapsed() / 33 + 3));
        QVERIFY(collector.events().size() > 1000);
    }

private:
    SearchRequest request() const
    {
        SearchRequest r;
        r.spaceFile = m_file;
        r.dataFolder = m_data;
        r.options.budget.measurements = 40;
        r.options.seed = 9;
        return r;
    }
    RunnerOptions options(const std::string& session) const
    {
        RunnerOptions o;
        o.request = request();
        o.sessionPath = session;
        return o;
    }

    QTemporaryDir m_folder;
    std::string m_data, m_spaces, m_file, m_hash;
};

QTEST_GUILESS_MAIN(TestRunner)
#include "tst_runner.moc"
