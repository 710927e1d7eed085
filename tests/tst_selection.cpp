// SPDX-License-Identifier: Apache-2.0
// PUCT's arithmetic against the worked numbers of the design, and its choices on small trees.
#include "core/search/selection.h"
#include "tests/search_fakes.h"

#include <QtTest>

#include <algorithm>
#include <set>

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
        for (const char* name : {"puct", "puct-paper", "uct", "ei", "random", "greedy", "evolve"})
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

    // Rewards 1 and .6, root: their median .8. Ranks: 1, .8, .6 -> priors 3/6, 2/6, 1/6; scale 1 - .6.
    void thePapersPriorByHand()
    {
        const auto space = fakes::makeSpace();
        Fixture f(space);
        f.measure(10, .6);
        f.measure(200, 1);
        Selector selector(space, SearchKind::PuctPaper, 1, 7);
        auto selection = selector.select(f.view());
        QVERIFY(selection);
        QCOMPARE(selection->parent, NodeId(2));
        QVERIFY(std::abs(selection->payload.scale - .4) < 1e-12);
        const auto& top = selection->payload.top;
        QCOMPARE(top.size(), std::size_t{3});
        QVERIFY(std::abs(top[0].score - (1 + .4 / 2)) < 1e-12);
        QVERIFY(std::abs(top[1].score - (.8 + .4 / 3)) < 1e-12);
        QVERIFY(std::abs(top[2].score - (.6 + .4 / 6)) < 1e-12);
        QCOMPARE(top[1].node, 0);
        // Seven expansions of node 2 without a child count for the root above it, too, and not for node 1.
        for (int i = 0; i < 7; ++i)
            f.apply(EventKind::ParentSelected, 2, -1, 0, 0);
        selection = selector.select(f.view());
        QCOMPARE(selection->payload.top[0].node, 2);
        const double grown = std::sqrt(8.);
        for (const SelectionTerm& term : selection->payload.top) {
            const double expected = term.node == 2   ? 1 + .4 / 2 * grown / 8
                                    : term.node == 0 ? .8 + .4 / 3 * grown / 8
                                                     : .6 + .4 / 6 * grown;
            QVERIFY(std::abs(term.score - expected) < 1e-12);
        }
    }
    void uctWidensThenDescends()
    {
        const auto space = fakes::makeSpace();
        Fixture f(space);
        Selector selector(space, SearchKind::Uct, 1, 7);
        f.measure(10, 1);
        QCOMPARE(selector.select(f.view())->parent, NodeId(0)); // one child; two are allowed
        f.measure(200, .9);
        QCOMPARE(selector.select(f.view())->parent, NodeId(1)); // the better mean of two never expanded
        for (const std::uint32_t other : {300u, 400u, 500u, 600u, 700u, 710u, 800u, 900u})
            f.measure(other, .9);
        for (int i = 0; i < 20; ++i)
            f.apply(EventKind::ParentSelected, 1, -1, 0, 0);
        // 2 sqrt(21) = 9.2 of ten children: no wider. 1 + .1 sqrt(ln 22 / 21) < .9 + .1 sqrt(ln 22).
        QCOMPARE(selector.select(f.view())->parent, NodeId(2));
        for (int i = 0; i < 20; ++i)
            f.apply(EventKind::ParentSelected, 2, -1, 0, 0);
        QCOMPARE(selector.select(f.view())->parent, NodeId(0)); // 2 sqrt(41) = 12.8: room for more
    }
    void offspringComeFromTheirParents()
    {
        const auto space = fakes::makeSpace();
        Fixture f(space);
        const std::vector<std::uint32_t> all{10, 200, 500, 777};
        for (const std::uint32_t configuration : all)
            f.measure(configuration, 1 - .001 * configuration);
        std::fill(f.improvement.begin(), f.improvement.end(), 0.f);
        f.improvement[959] = 1; // must not matter
        std::set<std::uint32_t> seen, parents;
        for (int expansion = 0; expansion < 60; ++expansion) {
            Selector selector(space, SearchKind::Evolve, 1, 7), again(space, SearchKind::Evolve, 1, 7);
            const auto selection = selector.select(f.view());
            QVERIFY(selection && selection->neighbourhood);
            const std::uint32_t mother = f.index[static_cast<std::size_t>(selection->parent.value)];
            parents.insert(mother);
            const auto children = selector.best(*selection, f.view(), 16);
            QCOMPARE(children, again.best(*again.select(f.view()), f.view(), 16));
            for (const std::uint32_t child : children) {
                seen.insert(child);
                const bool mutant = space->distance(child, mother) <= 2;
                const bool crossing = std::any_of(all.begin(), all.end(), [&](std::uint32_t father) {
                    for (std::size_t p = 0; p < space->parameterCount(); ++p)
                        if (space->code(child, p) != space->code(mother, p) &&
                            space->code(child, p) != space->code(father, p))
                            return false;
                    return true;
                });
                QVERIFY(mutant || crossing);
                QVERIFY(!f.taken[child]);
            }
            f.apply(EventKind::ParentSelected, selection->parent.value, -1, 0, 0);
        }
        QVERIFY(seen.size() > 100);
        QVERIFY(parents.size() >= 3 && parents.count(10));
        std::fill(f.taken.begin(), f.taken.end(), std::uint8_t{1});
        f.taken[959] = 0; // nobody's child: a stranger
        Selector selector(space, SearchKind::Evolve, 1, 7);
        const auto last = selector.select(f.view());
        QVERIFY(last);
        QCOMPARE(selector.best(*last, f.view(), 4), (std::vector<std::uint32_t>{959}));
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
