// SPDX-License-Identifier: Apache-2.0
// PUCT's arithmetic against the worked numbers of the design, and its choices on small trees.
#include "core/search/selection.h"
#include "tests/search_fakes.h"

#include <QtTest>

#include <algorithm>

using namespace foresight;

class TestSelection : public QObject
{
    Q_OBJECT
private slots:
    // seed r=1 n=1 best child 2; A r=2 n=0; B r=1.5 n=0; T=1, c=1, P = 1/6, 1/2, 1/3.
    void workedNumbersOfThePapersForm()
    {
        const std::vector<double> raw{1, 2, 1.5};
        QCOMPARE(rewardScale(raw), .5);
        const auto prior = rankPrior(raw);
        QCOMPARE(prior, (std::vector<double>{1. / 6, 1. / 2, 1. / 3}));
        const auto score = [&](double q, double scale, std::size_t i, int visits) {
            return puctScore({NodeId(0), q, prior[i], visits}, 1, scale, 1, 1);
        };
        QVERIFY(std::abs(score(2, .5, 0, 1) - 2.0589) < 5e-5);
        QVERIFY(std::abs(score(2, .5, 1, 0) - 2.3536) < 5e-5);
        QVERIFY(std::abs(score(1.5, .5, 2, 0) - 1.7357) < 5e-5);

        const std::vector<double> logs{0, 1, std::log2(1.5)};
        const double scale = rewardScale(logs);
        QVERIFY(std::abs(scale - .4150) < 5e-5);
        QVERIFY(std::abs(score(1, scale, 0, 1) - 1.0489) < 5e-5);
        QVERIFY(std::abs(score(1, scale, 1, 0) - 1.2935) < 5e-5);
        QVERIFY(std::abs(score(std::log2(1.5), scale, 2, 0) - .7806) < 5e-5);
    }
    void widthMultipliesByItsRoot()
    {
        QVERIFY(std::abs(puctScore({NodeId(0), 0, .5, 3}, 2, 3, 4, 8) - 2 * 3 * .5 * 2 * 3 / 4.) < 1e-12);
    }
    void medianAndScale()
    {
        QCOMPARE(medianOf({}), 0.);
        QCOMPARE(medianOf({3, 1, 2}), 2.);
        QCOMPARE(medianOf({4, 1, 3, 2}), 2.5);
        QCOMPARE(rewardScale(std::vector<double>{1, 1, 1}), 1e-6);
        QCOMPARE(rewardScale({}), 1e-6);
    }
    void namesOfSearches()
    {
        for (const char* name : {"puct", "ei", "random", "greedy"})
            QVERIFY(searchKindFromName(name).ok());
        QCOMPARE(searchKindFromName("best").error().code, ErrorCode::InvalidArgument);
    }

    // The second best node wins over the best when all that is expected lies near it, and none near the best.
    void expandsWhereImprovementIsExpected()
    {
        const auto space = fakes::makeSpace();
        Fixture f(space);
        f.measure(10, 1.0);
        f.measure(200, .9);
        for (const std::uint32_t poor : {900u, 901u, 902u})
            f.measure(poor, -1);
        const auto near = space->neighbours(200, 2);
        const auto target = std::find_if(near.begin(), near.end(), [&](std::uint32_t index) {
            return space->distance(index, 10) > 2 && space->distance(index, 900) > 2 &&
                   space->distance(index, 901) > 2 && space->distance(index, 902) > 2;
        });
        QVERIFY(target != near.end());
        f.improvement[*target] = .75f;
        Selector selector(space, SearchKind::Puct, 1, 7);
        const auto selection = selector.select(f.view());
        QVERIFY(selection);
        // The root sees the same improvement (its neighbourhood is the whole space), but its reward is the
        // median.
        QCOMPARE(selection->parent, NodeId(2));
        // Where next to nothing is expected, a node is not selectable, however good it is itself.
        QCOMPARE(selection->payload.selectable, 2);
        QCOMPARE(selection->payload.scale, 2.);
        QCOMPARE(selection->payload.top.size(), std::size_t{2});
        QCOMPARE(selection->payload.top[0].node, 2);
        const double prior = .5;
        QVERIFY(std::abs(selection->payload.top[0].prior - prior) < 1e-6);
        QVERIFY(std::abs(selection->payload.top[0].score - (.9 + 2 * prior * std::sqrt(2.))) < 1e-6);
        const auto best = selector.best(*selection, f.view(), 4);
        QCOMPARE(best.size(), std::size_t{4});
        QCOMPARE(best[0], *target);
    }
    void tiesGoToTheLowerNode()
    {
        const auto space = fakes::makeSpace();
        Fixture f(space);
        f.measure(0, 1.0);
        f.measure(1, 1.0);
        f.improvement.assign(f.improvement.size(), 0);
        Selector selector(space, SearchKind::Puct, 1, 7);
        QCOMPARE(selector.select(f.view())->parent, NodeId(0));
    }
    void exhaustedNodesAndSpacesAreLeftOut()
    {
        const auto space = fakes::makeSpace(2, 2, 2, 2);
        Fixture f(space);
        f.measure(0, 1.0);
        for (const std::uint32_t index : space->neighbours(0, 2))
            f.taken[index] = 1;
        Selector selector(space, SearchKind::Puct, 1, 7);
        const auto selection = selector.select(f.view());
        QVERIFY(selection);
        QCOMPARE(selection->parent, NodeId(0));
        QCOMPARE(selection->payload.selectable, 1);
        QCOMPARE(selector.best(*selection, f.view(), 100).size(), std::size_t{5}); // 16 - 1 - 4 - 6
        std::fill(f.taken.begin(), f.taken.end(), std::uint8_t{1});
        QVERIFY(!selector.select(f.view()));
    }
    void randomIgnoresTheForecasterAndDependsOnTheSeed()
    {
        const auto space = fakes::makeSpace();
        Fixture f(space);
        const auto draw = [&](std::uint64_t seed) {
            Selector selector(space, SearchKind::Random, 1, seed);
            SearchView view = f.view();
            view.expectedImprovement = {};
            return selector.best(*selector.select(view), view, 10);
        };
        QCOMPARE(draw(1), draw(1));
        QVERIFY(draw(1) != draw(2));
    }
    void greedyStaysAroundTheBest()
    {
        const auto space = fakes::makeSpace();
        Fixture f(space);
        f.measure(10, 1.0);
        f.measure(200, 1.5);
        Selector selector(space, SearchKind::Greedy, 1, 7);
        QCOMPARE(selector.select(f.view())->parent, NodeId(2));
    }

private:
    struct Fixture
    {
        explicit Fixture(const std::shared_ptr<const ConfigSpace>& space)
            : taken(space->size(), 0), improvement(space->size(), .01f)
        {
            apply(EventKind::SearchStarted, -1, -1, 0, 0);
        }
        void apply(EventKind kind, std::int64_t node, std::int64_t parent, double a, double b,
                   std::uint32_t flags = 0)
        {
            EventRow event;
            event.seq = tree.lastSeq() + 1;
            event.kind = static_cast<std::int32_t>(kind);
            event.node = node;
            event.parent = parent;
            event.a = a;
            event.b = b;
            event.flags = flags;
            const auto applied = tree.apply(event);
            QVERIFY2(applied.ok(), applied ? "" : applied.error().message.c_str());
        }
        void measure(std::uint32_t configuration, double log2Speedup)
        {
            const auto node = static_cast<std::int64_t>(tree.nodes().size());
            apply(EventKind::CandidateProposed, node, 0, 1, 0);
            apply(EventKind::CandidateChosen, node, 0, 0, 1, kStartDesign);
            apply(EventKind::Measured, node, -1, log2Speedup, 0);
            index.push_back(configuration);
            taken[configuration] = 1;
            improvement[configuration] = 0;
            measured.emplace_back(node);
        }
        SearchView view() const { return {tree, measured, index, taken, improvement}; }

        Tree tree;
        std::vector<NodeId> measured;
        std::vector<std::uint32_t> index{0};
        std::vector<std::uint8_t> taken;
        std::vector<float> improvement;
    };
};

QTEST_APPLESS_MAIN(TestSelection)
#include "tst_selection.moc"
