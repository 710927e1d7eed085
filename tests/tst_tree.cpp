// SPDX-License-Identifier: Apache-2.0
// The fold: what each event does, what cannot follow, and that no stream of events, however broken, leaves a
// tree that is not one.
#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/search/event.h"
#include "core/search/tree.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <map>

using namespace foresight;

namespace {

struct Log
{
    Tree tree;
    std::vector<EventRow> events;

    EventRow make(EventKind kind, std::int64_t node = -1, std::int64_t parent = -1, double a = 0,
                  double b = 0, std::uint32_t flags = 0) const
    {
        EventRow event;
        event.seq = tree.lastSeq() + 1;
        event.kind = static_cast<std::int32_t>(kind);
        event.node = node;
        event.parent = parent;
        event.a = a;
        event.b = b;
        event.flags = flags;
        return event;
    }
    Result<void> apply(EventRow event)
    {
        auto result = tree.apply(event);
        if (result)
            events.push_back(std::move(event));
        return result;
    }
    bool add(EventKind kind, std::int64_t node = -1, std::int64_t parent = -1, double a = 0, double b = 0,
             std::uint32_t flags = 0)
    {
        return apply(make(kind, node, parent, a, b, flags)).ok();
    }
};

// Everything a tree says, for comparing two.
std::string fingerprint(const Tree& tree)
{
    Sha256 hash;
    for (const TreeNode& n : tree.nodes()) {
        for (const std::int64_t v :
             {n.id.value, n.parent.value, std::int64_t{n.depth}, static_cast<std::int64_t>(n.state),
              n.proposedSeq, n.decidedSeq, n.finishedSeq, n.forecastSeq, static_cast<std::int64_t>(n.outcome),
              static_cast<std::int64_t>(n.failedStage), std::int64_t{n.duplicates},
              std::int64_t{n.expansions}, std::int64_t{n.visits},
              std::int64_t{n.hasForecast + 2 * n.audit + 4 * n.startDesign + 8 * n.byUser + 16 * n.forbidden +
                           32 * n.pinned + 64 * n.hasBestChild}})
            hash.updateU64(static_cast<std::uint64_t>(v));
        for (const double v : {n.forecastLog2, n.forecastSuccess, n.rankScore, n.pi, n.measuredLog2,
                               n.measuredHalfWidth, n.bestChildLog2})
            hash.updateF64(v);
        for (const NodeId child : n.children)
            hash.updateU64(static_cast<std::uint64_t>(child.value));
    }
    for (const double best : tree.bestSoFar())
        hash.updateF64(best);
    const TreeCounts& c = tree.counts();
    for (const std::int64_t v : {c.proposed, c.duplicates, c.forecast, c.skipped, c.chosen, c.measured,
                                 c.failed, c.audited, c.expansions, tree.lastSeq()})
        hash.updateU64(static_cast<std::uint64_t>(v));
    hash.update(tree.finishReason());
    return hash.finishHex();
}

// The counts and links again, from the nodes alone.
void verifyConsistent(const Tree& tree)
{
    TreeCounts c;
    std::map<std::int64_t, std::int64_t> parents;
    std::int64_t expansions = 0;
    std::optional<double> best;
    for (const TreeNode& n : tree.nodes()) {
        expansions += n.expansions;
        c.duplicates += n.duplicates;
        std::int64_t below = n.expansions;
        double bestChild = -std::numeric_limits<double>::infinity();
        for (const NodeId child : n.children) {
            QVERIFY(parents.emplace(child.value, n.id.value).second);
            const TreeNode& kid = tree.node(child);
            QCOMPARE(kid.parent, n.id);
            QCOMPARE(kid.depth, n.depth + 1);
            below += kid.visits;
            if (kid.state == NodeState::Measured && !kid.startDesign)
                bestChild = std::max(bestChild, kid.measuredLog2);
        }
        QCOMPARE(std::int64_t{n.visits}, below);
        QCOMPARE(n.hasBestChild, std::isfinite(bestChild));
        if (n.hasBestChild)
            QCOMPARE(n.bestChildLog2, bestChild);
        if (n.id.value == 0)
            continue;
        ++c.proposed;
        c.forecast += n.hasForecast;
        c.skipped += n.state == NodeState::Skipped;
        c.chosen += n.state >= NodeState::Running;
        c.audited += n.state >= NodeState::Running && n.audit;
        c.measured += n.state == NodeState::Measured;
        c.failed += n.state == NodeState::Failed;
        if (n.state == NodeState::Measured)
            best = std::max(best.value_or(n.measuredLog2), n.measuredLog2);
    }
    QCOMPARE(parents.size() + 1, tree.nodes().size());
    const TreeCounts& t = tree.counts();
    QCOMPARE(t.proposed, c.proposed);
    QCOMPARE(t.duplicates, c.duplicates);
    QCOMPARE(t.forecast, c.forecast);
    QCOMPARE(t.skipped, c.skipped);
    QCOMPARE(t.chosen, c.chosen);
    QCOMPARE(t.audited, c.audited);
    QCOMPARE(t.measured, c.measured);
    QCOMPARE(t.failed, c.failed);
    QCOMPARE(t.expansions, expansions);
    QCOMPARE(tree.incumbent().has_value(), best.has_value());
    if (best)
        QCOMPARE(tree.node(*tree.incumbent()).measuredLog2, *best);
    QCOMPARE(tree.bestSoFar().size(), static_cast<std::size_t>(c.measured + c.failed));
    QCOMPARE(tree.unfinished().size(), static_cast<std::size_t>(c.chosen - c.measured - c.failed));
}

// A plausible next event, sometimes a wrong one.
EventRow randomEvent(const Log& log, Random& random)
{
    const auto size = static_cast<std::int64_t>(log.tree.nodes().size());
    const auto anyNode = [&] {
        return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(size)));
    };
    const auto kind = static_cast<EventKind>(1 + random.below(20)); // 20 is none
    EventRow event = log.make(kind, anyNode(), anyNode(), random.normal(), random.uniform(),
                              static_cast<std::uint32_t>(random.below(16)));
    if (kind == EventKind::CandidateProposed) {
        event.node = size;
        event.a = log.tree.node(NodeId(event.parent)).depth + 1;
    } else if (kind == EventKind::CandidateChosen && random.coin(.5)) {
        event.parent = -1;
    } else if (kind == EventKind::Failed) {
        event.a = static_cast<double>(random.below(4));
        event.b = static_cast<double>(random.below(19));
    } else if (kind == EventKind::UserAction) {
        event.a = static_cast<double>(random.below(7));
    } else if (kind == EventKind::SearchFinished && !random.coin(.001)) {
        event.kind = static_cast<std::int32_t>(EventKind::Compiled);
    }
    if (random.coin(.05))
        switch (random.below(6)) {
        case 0:
            event.seq += static_cast<std::int64_t>(random.below(3)) - 1;
            break;
        case 1:
            event.node = static_cast<std::int64_t>(random.next());
            break;
        case 2:
            event.parent = static_cast<std::int64_t>(random.next());
            break;
        case 3:
            event.a = std::numeric_limits<double>::quiet_NaN();
            break;
        case 4:
            event.kind = static_cast<std::int32_t>(random.next());
            break;
        case 5:
            event.version = 2;
            break;
        }
    return event;
}

} // namespace

class TestTree : public QObject
{
    Q_OBJECT
private slots:
    void followsACandidateThroughItsLife()
    {
        Log log;
        QVERIFY(log.add(EventKind::SearchStarted));
        QVERIFY(log.add(EventKind::CandidateProposed, 1, 0, 1, 0, kStartDesign));
        QVERIFY(log.add(EventKind::ForecastMade, 1, -1, .25, .9));
        QVERIFY(log.add(EventKind::CandidateChosen, 1, 0, 0, 1, kStartDesign));
        QCOMPARE(log.tree.unfinished(), std::vector<NodeId>{NodeId(1)});
        QVERIFY(log.add(EventKind::Compiled, 1, -1, 32, 0));
        QVERIFY(log.add(EventKind::Verified, 1, -1, 1e-7, 1e-6));
        QVERIFY(log.add(EventKind::Measured, 1, -1, 0, .01));
        QVERIFY(log.add(EventKind::ParentSelected, 1, -1, .5, 0));
        QVERIFY(log.add(EventKind::CandidateProposed, 2, 1, 2));
        QVERIFY(log.add(EventKind::CandidateProposed, 3, 1, 2));
        QVERIFY(log.add(EventKind::ForecastMade, 2, -1, 1, .5));
        QVERIFY(log.add(EventKind::ForecastMade, 3, -1, .5, .5));
        QVERIFY(log.add(EventKind::CandidateChosen, 2, 1, .3, 1));
        QVERIFY(log.add(EventKind::CandidateSkipped, 3, 1, .1, .02));
        QVERIFY(log.add(EventKind::Measured, 2, -1, 1.5, .02));

        const Tree& tree = log.tree;
        QCOMPARE(tree.incumbent(), NodeId(2));
        QCOMPARE(tree.bestPath(), (std::vector<NodeId>{NodeId(0), NodeId(1), NodeId(2)}));
        QCOMPARE(tree.bestSoFar(), (std::vector<double>{0, 1.5}));
        QCOMPARE(tree.node(NodeId(0)).visits, 1);
        QCOMPARE(tree.node(NodeId(1)).visits, 1);
        QCOMPARE(tree.node(NodeId(1)).bestChildLog2, 1.5);
        QVERIFY(!tree.node(NodeId(0)).hasBestChild); // the start design is not the root's merit
        QCOMPARE(tree.node(NodeId(3)).state, NodeState::Skipped);
        QCOMPARE(tree.node(NodeId(3)).pi, .02);
        QCOMPARE(tree.counts().skipped, 1);

        // The ghost proposed again elsewhere and chosen there moves to who chose it.
        QVERIFY(log.add(EventKind::ParentSelected, 2, -1, .5, 1));
        QVERIFY(log.add(EventKind::DuplicateFound, 3, 2));
        QVERIFY(log.add(EventKind::ForecastMade, 3, -1, 2, .5));
        QCOMPARE(tree.counts().skipped, 0);
        QVERIFY(log.add(EventKind::CandidateChosen, 3, 2, .4, 1));
        QCOMPARE(tree.node(NodeId(3)).parent, NodeId(2));
        QCOMPARE(tree.node(NodeId(3)).depth, 3);
        QVERIFY(log.add(EventKind::Failed, 3, -1, 1, static_cast<double>(Outcome::WrongResult)));
        QCOMPARE(tree.node(NodeId(3)).outcome, Outcome::WrongResult);
        QCOMPARE(tree.node(NodeId(3)).failedStage, Stage::Verify);
        QCOMPARE(tree.node(NodeId(0)).visits, 2);
        QCOMPARE(tree.node(NodeId(2)).visits, 1);
        QVERIFY(log.add(EventKind::SearchFinished, -1, -1, 1));
        QCOMPARE(QString::fromStdString(tree.finishReason()), QStringLiteral("the budget is used up"));
        verifyConsistent(tree);
    }
    void refusesWhatCannotFollow()
    {
        Log log;
        const auto refused = [&](EventKind kind, std::int64_t node = -1, std::int64_t parent = -1,
                                 double a = 0, double b = 0) {
            const std::string before = fingerprint(log.tree);
            const auto result = log.apply(log.make(kind, node, parent, a, b));
            return !result && result.error().code == ErrorCode::Corrupt && fingerprint(log.tree) == before;
        };
        QVERIFY(refused(EventKind::CandidateProposed, 1, 0, 1));
        QVERIFY(log.add(EventKind::SearchStarted));
        QVERIFY(refused(EventKind::SearchStarted));
        QVERIFY(refused(EventKind::CandidateProposed, 2, 0, 1));
        QVERIFY(refused(EventKind::CandidateProposed, 1, 1, 1));
        QVERIFY(refused(EventKind::CandidateProposed, 1, 0, 2));
        QVERIFY(refused(EventKind::ForecastMade, 0, -1, 0, .5));
        QVERIFY(log.add(EventKind::CandidateProposed, 1, 0, 1));
        QVERIFY(refused(EventKind::CandidateSkipped, 1, 0, 0, 0)); // no forecast
        QVERIFY(refused(EventKind::ForecastMade, 1, -1, 0, 1.5));
        QVERIFY(refused(EventKind::ParentSelected, 1));
        QVERIFY(refused(EventKind::Measured, 1, -1, 1));
        QVERIFY(refused(EventKind::CandidateChosen, 1, 7, 0, 1));
        QVERIFY(refused(EventKind::CandidateChosen, 1, 1, 0, 1));
        QVERIFY(refused(EventKind::CandidateChosen, 1, 0, 0, std::numeric_limits<double>::infinity()));
        QVERIFY(log.add(EventKind::CandidateChosen, 1, 0, 0, 1));
        QVERIFY(refused(EventKind::CandidateChosen, 1, 0, 0, 1));
        QVERIFY(refused(EventKind::Failed, 1, -1, 3, 1));
        QVERIFY(refused(EventKind::Failed, 1, -1, 0, 0)); // "ok" is no failure
        QVERIFY(refused(EventKind::Failed, 1, -1, .5, 1));
        QVERIFY(log.add(EventKind::Measured, 1, -1, 1));
        QVERIFY(refused(EventKind::Measured, 1, -1, 1));
        QVERIFY(refused(EventKind::Resumed));
        QVERIFY(log.add(EventKind::Paused));
        QVERIFY(refused(EventKind::Paused));
        EventRow gap = log.make(EventKind::Resumed);
        ++gap.seq;
        QVERIFY(!log.apply(gap));
        QVERIFY(log.add(EventKind::Resumed));
        QVERIFY(refused(EventKind::SearchFinished, -1, -1, 9));
        QVERIFY(log.add(EventKind::SearchFinished, -1, -1, 3));
        QVERIFY(refused(EventKind::Paused));
    }
    void anyStreamLeavesAWholeTree_data()
    {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 12; ++seed)
            QTest::newRow(qPrintable(QString::number(seed))) << seed;
    }
    void anyStreamLeavesAWholeTree()
    {
        QFETCH(quint64, seed);
        Random random(seed);
        Log log;
        QVERIFY(log.add(EventKind::SearchStarted));
        int refused = 0;
        for (int i = 0; i < 4000; ++i) {
            EventRow event = randomEvent(log, random);
            const bool sample = random.coin(.01);
            const std::string before = sample ? fingerprint(log.tree) : std::string();
            const auto result = log.apply(std::move(event));
            refused += !result;
            if (sample && !result)
                QCOMPARE(fingerprint(log.tree), before);
        }
        QVERIFY(refused > 100);
        QVERIFY(log.events.size() > 200);
        verifyConsistent(log.tree);
        // The accepted events alone give the same tree, at once or over a copy in the middle.
        Tree again;
        for (std::size_t i = 0; i < log.events.size(); ++i) {
            QVERIFY(again.apply(log.events[i]).ok());
            if (i == log.events.size() / 2)
                again = Tree(again);
        }
        QCOMPARE(fingerprint(again), fingerprint(log.tree));
    }
    void aDeepPathEndsBeforeItCosts()
    {
        Log log;
        QVERIFY(log.add(EventKind::SearchStarted));
        std::int64_t node = 1;
        while (log.add(EventKind::CandidateProposed, node, node - 1, static_cast<double>(node)))
            ++node;
        QCOMPARE(node, 4097);
    }
    void foldsAMillionEvents()
    {
        Log log;
        Tree tree;
        std::int64_t seq = 0;
        EventRow event;
        const auto add = [&](EventKind kind, std::int64_t node, std::int64_t parent, double a, double b) {
            event.seq = ++seq;
            event.kind = static_cast<std::int32_t>(kind);
            event.node = node;
            event.parent = parent;
            event.a = a;
            event.b = b;
            if (!tree.apply(event))
                qFatal("event %lld refused", static_cast<long long>(seq));
        };
        Random random(3);
        add(EventKind::SearchStarted, -1, -1, 0, 0);
        std::vector<std::int64_t> measured{0};
        while (seq < 1'000'000) {
            const std::int64_t parent = measured[random.below(measured.size())];
            add(EventKind::ParentSelected, parent, -1, 0, 0);
            const auto first = static_cast<std::int64_t>(tree.nodes().size());
            for (std::int64_t i = 0; i < 16; ++i) {
                add(EventKind::CandidateProposed, first + i, parent, tree.node(NodeId(parent)).depth + 1, 0);
                add(EventKind::ForecastMade, first + i, -1, random.normal(), .9);
            }
            for (std::int64_t i = 1; i < 16; ++i)
                add(EventKind::CandidateSkipped, first + i, parent, 0, .02);
            add(EventKind::CandidateChosen, first, parent, 0, 1);
            add(EventKind::Compiled, first, -1, 32, 0);
            add(EventKind::Measured, first, -1, random.normal(), .01);
            measured.push_back(first);
        }
        QCOMPARE(tree.counts().measured, static_cast<std::int64_t>(measured.size()) - 1);
        verifyConsistent(tree);
    }
    void namesOfKinds()
    {
        QCOMPARE(eventKindName(EventKind::SearchStarted), std::string_view("search_started"));
        QCOMPARE(eventKindName(EventKind::SearchFinished), std::string_view("search_finished"));
        QCOMPARE(eventKindName(static_cast<EventKind>(99)), std::string_view("unknown"));
        for (std::int32_t kind = 1; kind <= 19; ++kind)
            QCOMPARE(eventKindFromName(eventKindName(static_cast<EventKind>(kind))),
                     static_cast<EventKind>(kind));
        QVERIFY(!eventKindFromName("unknown"));
    }
    void canonicalHash()
    {
        Log log;
        QVERIFY(log.add(EventKind::SearchStarted));
        QVERIFY(log.add(EventKind::CandidateProposed, 1, 0, 1));
        QVERIFY(log.add(EventKind::CandidateChosen, 1, 0, 0, 1));
        const std::string hash = canonicalLogHash(log.events);
        // What may differ between equal runs does not count ...
        auto events = log.events;
        events[1].annex = "{\"log\":\"warning\"}";
        events[1].timeNs = 5;
        events[0].search = 9;
        QCOMPARE(canonicalLogHash(events), hash);
        events.push_back(log.make(EventKind::Paused));
        events.push_back(log.make(EventKind::BudgetState, -1, -1, 1, 2));
        QCOMPARE(canonicalLogHash(events), hash);
        // ... everything else does, one by one.
        const auto differs = [&](auto change) {
            auto other = log.events;
            change(other[1]);
            return canonicalLogHash(other) != hash;
        };
        QVERIFY(differs([](EventRow& e) { e.payload = "{}"; }));
        QVERIFY(differs([](EventRow& e) { e.a = std::nextafter(1., 2.); }));
        QVERIFY(differs([](EventRow& e) { e.b = 1e-300; }));
        QVERIFY(differs([](EventRow& e) { e.flags = kAudit; }));
        QVERIFY(differs([](EventRow& e) { e.node = 2; }));
        QVERIFY(differs([](EventRow& e) { e.parent = 1; }));
        QVERIFY(differs([](EventRow& e) { e.version = 2; }));
        QVERIFY(differs([](EventRow& e) { e.kind = 4; }));
    }
};

QTEST_APPLESS_MAIN(TestTree)
#include "tst_tree.moc"
