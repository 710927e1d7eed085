// SPDX-License-Identifier: Apache-2.0
// Killed anywhere and resumed, a search on recorded data goes on as if nothing had happened: equal canonical
// hash.
#include "core/search/payload.h"
#include "tests/search_fakes.h"

#include <QtTest>

#include <sched.h>

using namespace foresight;
using fakes::FakeForecaster;
using fakes::FakeGpu;
using fakes::FakeGpuOptions;

namespace {

struct Outcomes
{
    std::vector<EventRow> events;
    std::size_t submitted = 0;
    double gpuSeconds = 0;
    std::string error;
};

Outcomes runSearch(const SearchOptions& options, std::vector<EventRow> history = {},
                   FakeGpuOptions gpuOptions = {}, std::int64_t killAtSeq = -1, bool gaussianProcess = false)
{
    static const auto space = fakes::makeSpace();
    FakeGpu gpu(space, std::move(gpuOptions));
    FakeForecaster simple(space);
    ForecasterContext context;
    context.space = space;
    context.seed = options.seed;
    const auto gp =
        gaussianProcess ? makeForecaster("gp", context) : Result<std::unique_ptr<Forecaster>>(nullptr);
    Forecaster& forecaster = gaussianProcess ? **gp : simple;
    // The log is what the sink has taken; a kill is a sink that takes no more.
    std::vector<EventRow> log = history;
    Engine engine(
        fakes::makeTarget(space), options, forecaster, gpu,
        [&](EventRow& event) {
            if (event.seq == killAtSeq)
                return Result<void>(makeError(ErrorCode::Internal, "killed"));
            log.push_back(event);
            return Result<void>();
        },
        std::move(history));
    const auto result = engine.run({});
    return {std::move(log), gpu.submitted.size(), engine.gpuSecondsUsed(),
            result ? "" : result.error().message};
}

SearchOptions someOptions(const char* policy = "improvement")
{
    SearchOptions options;
    options.budget.measurements = 35;
    options.policy.name = policy;
    options.policy.candidatesPerExpansion = 6;
    options.policy.auditProbability = .1;
    options.seed = 42;
    return options;
}

} // namespace

class TestResume : public QObject
{
    Q_OBJECT
private slots:
    void killedAnywhereItContinuesTheSame_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::newRow("improvement") << QStringLiteral("improvement");
        QTest::newRow("all") << QStringLiteral("all");
        QTest::newRow("top") << QStringLiteral("top");
    }
    void killedAnywhereItContinuesTheSame()
    {
        QFETCH(QString, policy);
        const SearchOptions options = someOptions(policy.toLatin1().constData());
        const Outcomes whole = runSearch(options);
        QVERIFY2(whole.error.empty(), whole.error.c_str());
        const std::string hash = canonicalLogHash(whole.events);
        // Every fifth event, which meets every kind in every place of an expansion many times over.
        for (std::int64_t kill = 1; kill <= static_cast<std::int64_t>(whole.events.size()); kill += 5) {
            const Outcomes first = runSearch(options, {}, {}, kill);
            QCOMPARE(first.events.size(), static_cast<std::size_t>(kill - 1));
            QVERIFY(!first.error.empty());
            const Outcomes second = runSearch(options, first.events);
            QVERIFY2(second.error.empty(), second.error.c_str());
            QVERIFY2(
                canonicalLogHash(second.events) == hash,
                qPrintable(QStringLiteral("killed before event %1, %2")
                               .arg(kill)
                               .arg(QString::fromStdString(std::string(eventKindName(static_cast<EventKind>(
                                   whole.events[static_cast<std::size_t>(kill - 1)].kind)))))));
            QVERIFY(std::abs(second.gpuSeconds - whole.gpuSeconds) < 1e-9);
            // At most the one job in flight was run again.
            QVERIFY(first.submitted + second.submitted <= whole.submitted + 1);
        }
    }
    // Fed a log's labels at once, the default forecaster must be what it was when they came one by one.
    void theDefaultForecasterContinuesTheSame()
    {
        SearchOptions options = someOptions();
        options.budget.measurements = 60;
        const Outcomes whole = runSearch(options, {}, {}, -1, true);
        QVERIFY2(whole.error.empty(), whole.error.c_str());
        const std::string hash = canonicalLogHash(whole.events);
        Random random(21);
        for (int i = 0; i < 25; ++i) {
            const auto kill = static_cast<std::int64_t>(1 + random.below(whole.events.size()));
            const Outcomes first = runSearch(options, {}, {}, kill, true);
            const Outcomes second = runSearch(options, first.events, {}, -1, true);
            QVERIFY2(second.error.empty(), second.error.c_str());
            QVERIFY2(canonicalLogHash(second.events) == hash,
                     qPrintable(QStringLiteral("killed before %1").arg(kill)));
        }
    }
    void killedManyTimes()
    {
        const SearchOptions options = someOptions();
        const std::string hash = canonicalLogHash(runSearch(options).events);
        Random random(8);
        for (int round = 0; round < 5; ++round) {
            std::vector<EventRow> log;
            for (;;) {
                const auto kill = static_cast<std::int64_t>(log.size() + 1 + random.below(60));
                Outcomes outcomes = runSearch(options, log, {}, kill);
                log = std::move(outcomes.events);
                if (outcomes.error.empty())
                    break;
            }
            QCOMPARE(canonicalLogHash(log), hash);
        }
    }
    void oneCoreTwoCoresAndDelaysAreTheSame()
    {
        const SearchOptions options = someOptions();
        const std::string hash = canonicalLogHash(runSearch(options).events);
        cpu_set_t before;
        QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
        std::vector<int> cores;
        for (int core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &before))
                cores.push_back(core);
        for (std::size_t use = 1; use <= std::min<std::size_t>(2, cores.size()); ++use) {
            cpu_set_t some;
            CPU_ZERO(&some);
            for (std::size_t i = 0; i < use; ++i)
                CPU_SET(cores[i], &some);
            QCOMPARE(sched_setaffinity(0, sizeof some, &some), 0);
            QCOMPARE(canonicalLogHash(runSearch(options).events), hash);
            FakeGpuOptions delayed;
            delayed.delaySeed = 17 * use;
            QCOMPARE(canonicalLogHash(runSearch(options, {}, delayed).events), hash);
        }
        QCOMPARE(sched_setaffinity(0, sizeof before, &before), 0);
    }
    void aLogThatCannotHaveComeFromThisIsKeptAndContinued()
    {
        // Cut inside an expansion whose candidates another version of the program chose: nothing is lost,
        // nothing is contradicted, and the search goes on to its budget.
        const SearchOptions options = someOptions();
        std::vector<EventRow> log = runSearch(options).events;
        std::size_t cut = 0;
        for (std::size_t i = log.size(); i > 0 && cut == 0; --i)
            if (log[i - 1].kind == static_cast<std::int32_t>(EventKind::ForecastMade))
                cut = i;
        log.resize(cut);
        log[cut - 1].a += 1;
        const Outcomes resumed = runSearch(options, log);
        QVERIFY2(resumed.error.empty(), resumed.error.c_str());
        QCOMPARE(canonicalLogHash(std::span(resumed.events).first(cut)), canonicalLogHash(log));
        Tree tree;
        for (const EventRow& event : resumed.events)
            QVERIFY(tree.apply(event).ok());
        QVERIFY(tree.finished());
        QCOMPARE(tree.counts().chosen, 35);
    }
    void aDamagedLogIsRefused()
    {
        const SearchOptions options = someOptions();
        std::vector<EventRow> log = runSearch(options).events;
        log.resize(100);
        auto gap = log;
        gap.erase(gap.begin() + 50);
        QVERIFY(!runSearch(options, gap).error.empty());
        auto foreign = log;
        foreign[0].payload = R"({"options":)" + foreign[0].payload + "}";
        QVERIFY(!runSearch(options, foreign).error.empty());
    }
    void aFinishedLogIsLeftAlone()
    {
        const SearchOptions options = someOptions();
        const Outcomes whole = runSearch(options);
        const Outcomes again = runSearch(options, whole.events);
        QVERIFY(again.error.empty());
        QCOMPARE(again.events.size(), whole.events.size());
        QCOMPARE(again.submitted, std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestResume)
#include "tst_resume.moc"
