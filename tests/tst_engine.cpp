// SPDX-License-Identifier: Apache-2.0
// The engine on an analytic GPU: what it logs and when it stops.
#include "core/search/payload.h"
#include "core/search/started.h"
#include "tests/search_run.h"

#include <QtTest>

using namespace foresight;
using fakes::FakeGpuOptions;

using fakes::Run;
using fakes::withBudget;

namespace {

double bestPossibleLog2(const ConfigSpace& space, double anchorNs)
{
    double best = 1e300;
    for (std::size_t i = 0; i < space.size(); ++i)
        if (const double time = fakes::timeOf(space, i); time > 0)
            best = std::min(best, time);
    return std::log2(anchorNs / best);
}

} // namespace

class TestEngine : public QObject
{
    Q_OBJECT
private slots:
    void findsTheBestAndLogsEverything()
    {
        Run run(withBudget(60));
        const auto result = run.engine.run({});
        QVERIFY2(result.ok(), result ? "" : result.error().message.c_str());
        const Tree& tree = run.engine.tree();
        QVERIFY(tree.finished());
        QCOMPARE(tree.counts().measured + tree.counts().failed, 60);
        QCOMPARE(tree.counts().chosen, 60);
        QCOMPARE(static_cast<int>(run.gpu.submitted.size()), 60);
        QCOMPARE(std::set<std::uint32_t>(run.gpu.submitted.begin(), run.gpu.submitted.end()).size(),
                 std::size_t{60});
        QCOMPARE(run.logged.load(), static_cast<int>(run.engine.events().size()));
        QVERIFY(std::abs(tree.node(*tree.incumbent()).measuredLog2 - bestPossibleLog2(*run.space, 4000)) <
                1e-9);

        // The default configuration is node 1; ten to start with; every decision rests on a forecast.
        QCOMPARE(run.gpu.submitted[0], 0u);
        int start = 0;
        for (const TreeNode& node : tree.nodes()) {
            start += node.startDesign;
            if (node.id.value > 0 && node.state != NodeState::Proposed)
                QVERIFY(node.hasForecast);
        }
        QCOMPARE(start, 10);
        QCOMPARE(tree.counts().expansions, 50);
        QCOMPARE(run.count(EventKind::Measured), static_cast<int>(tree.counts().measured));
        QCOMPARE(run.count(EventKind::Compiled), 60); // failures here fail after compiling
        QCOMPARE(run.count(EventKind::BudgetState), 60);
        QCOMPARE(run.count(EventKind::ModelRefit), 3); // at 10, 20 and 40 labels
        QVERIFY(tree.counts().duplicates > 0);         // ghosts proposed again
        QVERIFY(std::abs(run.engine.gpuSecondsUsed() - 60 * .375) < 1e-9);
        QCOMPARE(run.forecaster.labels.size(), std::size_t{60});
        QVERIFY(run.forecaster.pending.empty());

        // The log alone tells the same.
        Tree again;
        for (const EventRow& event : run.engine.events()) {
            QVERIFY(again.apply(event).ok());
            QCOMPARE(event.search, 1);
        }
        QCOMPARE(again.bestSoFar(), tree.bestSoFar());
        const auto started = decodeStarted(run.engine.events().front().payload);
        QVERIFY(started.ok());
        QCOMPARE(started->problemKey, std::string("test[] f32 contiguous"));
        QCOMPARE(started->baseline, std::string("family-default"));
        QCOMPARE(*decodeFinished(run.engine.events().back().payload),
                 std::string("the budget of measurements is used up"));
    }
    void everySearchAndPolicyKeepsItsBudget_data()
    {
        QTest::addColumn<QString>("search");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<double>("audits");
        for (const char* search : {"puct", "puct-paper", "uct", "ei", "random", "greedy", "evolve"})
            for (const char* policy : {"improvement", "all", "top", "confidence", "risk"})
                for (const double audits : {0., .2})
                    QTest::newRow(qPrintable(QStringLiteral("%1 %2 %3")
                                                 .arg(QLatin1String(search), QLatin1String(policy))
                                                 .arg(audits)))
                        << QString::fromLatin1(search) << QString::fromLatin1(policy) << audits;
    }
    void everySearchAndPolicyKeepsItsBudget()
    {
        QFETCH(QString, search);
        QFETCH(QString, policy);
        QFETCH(double, audits);
        SearchOptions options = withBudget(37);
        options.search = search.toStdString();
        options.policy.name = policy.toStdString();
        options.policy.auditProbability = audits;
        Run run(options);
        QVERIFY(run.engine.run({}).ok());
        const Tree& tree = run.engine.tree();
        QCOMPARE(run.gpu.submitted.size(), std::size_t{37});
        QCOMPARE(tree.counts().chosen, 37);
        const bool risk = policy == QLatin1String("risk");
        if (audits > 0 && search != QLatin1String("random") && policy != QLatin1String("all") && !risk)
            QVERIFY(tree.counts().audited > 0);
        for (const TreeNode& node : tree.nodes())
            if (node.state == NodeState::Measured && node.audit && risk)
                QVERIFY(node.pi >= .02 && node.pi <= 1); // in proportion to what might be missed
            else if (node.state == NodeState::Measured)
                QCOMPARE(node.pi, node.audit ? audits : 1.);
    }
    void otherBudgetsStopBeforeSpending()
    {
        SearchOptions options;
        options.budget.gpuSeconds = 2; // .375 each: the sixth is the last that may start
        Run gpuSeconds(options);
        QVERIFY(gpuSeconds.engine.run({}).ok());
        QCOMPARE(gpuSeconds.gpu.submitted.size(), std::size_t{6});
        options.budget.gpuSeconds.reset();
        options.budget.wallSeconds = 7; // .875 each on the virtual clock
        Run wall(options);
        QVERIFY(wall.engine.run({}).ok());
        QCOMPARE(wall.gpu.submitted.size(), std::size_t{8});
        Run none(withBudget(0));
        QVERIFY(none.engine.run({}).ok());
        QVERIFY(none.gpu.submitted.empty());
    }
    void aSmallSpaceIsSearchedWhole()
    {
        SearchOptions options;
        Run run(options, {}, true, fakes::makeSpace(2, 2, 3, 2));
        QVERIFY(run.engine.run({}).ok());
        QCOMPARE(run.gpu.submitted.size(), std::size_t{24});
        QCOMPARE(*decodeFinished(run.engine.events().back().payload),
                 std::string("every configuration has been tried"));
        Run single(options, {}, false, fakes::makeSpace(1, 1, 1, 1));
        QVERIFY(single.engine.run({}).ok());
        QCOMPARE(single.gpu.submitted.size(), std::size_t{1});
    }
    void importedSpacesMeasureAgainstTheirFirstSuccess()
    {
        FakeGpuOptions gpu;
        gpu.anchored = false;
        Run run(withBudget(30), gpu, false);
        QVERIFY(run.engine.run({}).ok());
        const Tree& tree = run.engine.tree();
        QCOMPARE(decodeStarted(run.engine.events().front().payload)->baseline,
                 std::string("first successful measurement"));
        std::optional<double> first;
        for (const EventRow& event : run.engine.events()) {
            if (event.kind != static_cast<std::int32_t>(EventKind::Measured))
                continue;
            const auto payload = decodeMeasured(event.payload);
            QVERIFY(payload.ok());
            if (!first) {
                first = payload->timeNs;
                QCOMPARE(event.a, 0.);
            }
            QVERIFY(std::abs(event.a - std::log2(*first / payload->timeNs)) < 1e-12);
            QCOMPARE(payload->anchorNs, *first);
        }
        QVERIFY(first);
        QVERIFY(tree.incumbent());
    }
    void theBaselineIsFoldedIn()
    {
        SearchOptions options = withBudget(1);
        options.baselineName = "torch-eager";
        options.lnBaselineOverAnchor = std::log(8.);
        Run run(options);
        QVERIFY(run.engine.run({}).ok());
        const double anchorOverDefault = std::log2(4000 / fakes::timeOf(*run.space, 0));
        QVERIFY(std::abs(run.engine.tree().node(NodeId(1)).measuredLog2 - 3 - anchorOverDefault) < 1e-12);
        QVERIFY(std::abs(run.engine.tree().node(NodeId(1)).measuredHalfWidth - .01 / std::log(2.)) < 1e-12);
    }
    void sameSeedSameLogOtherSeedOtherLog()
    {
        const auto hash = [](std::uint64_t seed, std::uint64_t delays) {
            SearchOptions options = withBudget(40);
            options.seed = seed;
            options.policy.auditProbability = .1;
            FakeGpuOptions gpu;
            gpu.delaySeed = delays;
            Run run(options, gpu);
            if (!run.engine.run({}))
                return std::string();
            return canonicalLogHash(run.engine.events());
        };
        QVERIFY(!hash(1, 0).empty());
        QCOMPARE(hash(1, 0), hash(1, 0));
        QCOMPARE(hash(1, 0), hash(1, 99));
        QVERIFY(hash(1, 0) != hash(2, 0));
    }
    void liveSearchKeepsSeveralInFlight()
    {
        SearchOptions options = withBudget(50);
        options.maxInFlight = 4;
        FakeGpuOptions gpu;
        gpu.live = true;
        gpu.delaySeed = 3;
        Run run(options, gpu);
        int flushes = 0;
        run.engine.setFlush([&] {
            ++flushes;
            return Result<void>();
        });
        QVERIFY(run.engine.run({}).ok());
        QCOMPARE(run.engine.tree().counts().measured + run.engine.tree().counts().failed, 50);
        QCOMPARE(std::set<std::uint32_t>(run.gpu.submitted.begin(), run.gpu.submitted.end()).size(),
                 std::size_t{50});
        QVERIFY(run.forecaster.pending.empty());
        QVERIFY(flushes >= 50); // before every submit
    }
    void answersThatSayNothingAreAskedForAgain()
    {
        FakeGpuOptions gpu;
        gpu.internalErrors = {0};
        Run run(withBudget(5), gpu);
        QVERIFY(run.engine.run({}).ok());
        QCOMPARE(run.engine.tree().node(NodeId(1)).state, NodeState::Measured);
        QCOMPARE(run.gpu.submitted.size(), std::size_t{6});
    }
    void anUnwellGpuStopsTheSearchAndBlamesNobody()
    {
        FakeGpuOptions gpu;
        gpu.unwell = {0};
        Run run(withBudget(5), gpu);
        const auto result = run.engine.run({});
        QCOMPARE(result.error().code, ErrorCode::GpuError);
        QCOMPARE(run.engine.tree().node(NodeId(1)).state, NodeState::Running);
        QVERIFY(run.engine.tree().paused());
    }
    void aFailingLogStopsBeforeTheEffect()
    {
        Run run(withBudget(5));
        run.sinkError = true;
        QCOMPARE(run.engine.run({}).error().code, ErrorCode::IoError);
        QVERIFY(run.gpu.submitted.empty());
        QVERIFY(!run.engine.tree().started());
    }
    void emptySpacesAreRefused()
    {
        Run run(withBudget(5), {}, false, std::make_shared<const ConfigSpace>());
        QCOMPARE(run.engine.run({}).error().code, ErrorCode::InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
