// SPDX-License-Identifier: Apache-2.0
// The controls of a running search: pausing, stepping, stopping, and what a user asks for a node.
#include "core/search/payload.h"
#include "tests/search_run.h"

#include <QtTest>

#include <future>

using namespace foresight;
using fakes::FakeGpuOptions;
using fakes::Finisher;
using fakes::Run;
using fakes::withBudget;

class TestEngineControls : public QObject
{
    Q_OBJECT
private slots:
    void cancelAnswersAtOnceThoughTheGpuHangs()
    {
        FakeGpuOptions gpu;
        gpu.live = true;
        gpu.silent = {0};
        Run run(withBudget(20), gpu);
        std::stop_source stop;
        auto done = std::async(std::launch::async, [&] { return run.engine.run(stop.get_token()); });
        const Finisher finisher{run.engine};
        QTRY_VERIFY(run.logged >= 4);
        QVERIFY(done.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout);
        stop.request_stop();
        const auto result = done.get();
        QVERIFY(!result && result.error().isCancelled());
        QCOMPARE(run.gpu.cancelled.size(), std::size_t{1});
        QVERIFY(run.engine.tree().paused());
        QCOMPARE(run.engine.tree().unfinished(), std::vector<NodeId>{NodeId(1)});
    }
    void pauseStepResumeFinish()
    {
        FakeGpuOptions gpu;
        gpu.live = true;
        Run run(withBudget(1000), gpu);
        run.engine.pause();
        auto done = std::async(std::launch::async, [&] { return run.engine.run({}); });
        const Finisher finisher{run.engine};
        QTRY_COMPARE(run.logged.load(), 2); // started, paused
        // An expansion (of the start design) with its results: proposed, forecast, chosen, compiled,
        // verified, measured, budget.
        run.engine.stepExpansion();
        QTRY_COMPARE(run.logged.load(), 9);
        QTest::qWait(20);
        QCOMPARE(run.logged.load(), 9);
        run.engine.stepEvent();
        QTRY_COMPARE(run.logged.load(), 10);
        QTest::qWait(20);
        QCOMPARE(run.logged.load(), 10);
        run.engine.stepEvent();
        QTRY_COMPARE(run.logged.load(), 11);
        run.engine.resume();
        QTRY_VERIFY(run.logged > 200);
        run.engine.finish("seen enough");
        QVERIFY(done.get().ok());
        QVERIFY(run.engine.tree().finished());
        QCOMPARE(*decodeFinished(run.engine.events().back().payload), std::string("seen enough"));
        QVERIFY(run.count(EventKind::Paused) == run.count(EventKind::Resumed));
    }
    // A pause that comes between choosing and measuring leaves chosen candidates waiting; a step measures
    // those.
    void aStepEndsAnExpansionThatAPauseCutShort()
    {
        SearchOptions options = withBudget(1000);
        options.policy.name = "all";
        options.startDesign = 1;
        FakeGpuOptions gpu;
        gpu.live = true;
        gpu.delaySeed = 1;
        Run run(options, gpu);
        auto done = std::async(std::launch::async, [&] { return run.engine.run({}); });
        const Finisher finisher{run.engine};
        QTRY_VERIFY(run.logged > 80);
        run.engine.pause();
        QTRY_VERIFY(run.has(EventKind::Paused));
        const auto waiting = [&run] {
            Tree tree;
            for (const EventRow& event : run.soFar())
                if (!tree.apply(event))
                    return std::size_t{999};
            return tree.unfinished().size();
        };
        for (int step = 0; step < 3; ++step) {
            const int before = run.logged;
            run.engine.stepExpansion();
            QTRY_VERIFY(run.logged > before);
            QTRY_COMPARE(waiting(), std::size_t{0});
        }
    }
    void ghostsCanBeMeasuredLaterAndNodesForbidden()
    {
        FakeGpuOptions gpu;
        gpu.live = true;
        Run run(withBudget(1000), gpu);
        auto done = std::async(std::launch::async, [&] { return run.engine.run({}); });
        const Finisher finisher{run.engine};
        QTRY_VERIFY(run.logged > 300);
        run.engine.pause();
        QTRY_VERIFY(run.has(EventKind::Paused));
        // What was in flight may still come in (one that was chosen, but not submitted, waits); then nothing
        // more.
        int before = 0;
        do {
            before = run.logged;
            QTest::qWait(100);
        } while (run.logged != before);
        NodeId ghost, other;
        Tree tree;
        std::optional<std::uint32_t> otherIndex;
        const auto log = run.soFar();
        for (const EventRow& event : log)
            QVERIFY(tree.apply(event).ok());
        for (const TreeNode& node : tree.nodes())
            if (node.state == NodeState::Skipped)
                (ghost.valid() ? other : ghost) = node.id;
        QVERIFY(other.valid());
        otherIndex = decodeProposed(log[static_cast<std::size_t>(tree.node(other).proposedSeq - 1)].payload)
                         ->spaceIndex;
        QVERIFY(otherIndex);
        run.engine.requestAction(UserActionKind::Forbid, other);
        run.engine.requestAction(UserActionKind::Measure, ghost);
        run.engine.requestAction(UserActionKind::Measure, NodeId(1));       // measured already: ignored
        run.engine.requestAction(UserActionKind::Measure, NodeId(123'456)); // no such node: ignored
        QTRY_VERIFY(run.logged >= before + 6); // two actions, chosen, compiled, measured or failed, budget
        run.engine.resume();
        QTest::qWait(50);
        run.engine.finish();
        QVERIFY(done.get().ok());
        const TreeNode& node = run.engine.tree().node(ghost);
        QVERIFY(node.state == NodeState::Measured || node.state == NodeState::Failed);
        QVERIFY(node.byUser);
        QCOMPARE(node.pi, 0.);
        QVERIFY(run.engine.tree().node(other).forbidden);
        QCOMPARE(std::count(run.gpu.submitted.begin(), run.gpu.submitted.end(), *otherIndex),
                 std::ptrdiff_t{0});
    }
};

QTEST_APPLESS_MAIN(TestEngineControls)
#include "tst_engine_controls.moc"
