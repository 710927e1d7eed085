// SPDX-License-Identifier: GPL-3.0-or-later
// The tidy layout as a function: no overlaps, parents over children, packed leaves, shelves, depth, cancel.
#include "tests/gui/qt_test_support.h"
#include "tests/gui/sample_tree.h"
#include "widgets/tree_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace foresight;

namespace {

TreeLayoutInput inputOf(const std::vector<std::int32_t>& parents)
{
    TreeLayoutInput input;
    input.parent = parents;
    input.visible.assign(parents.size(), 1);
    return input;
}

std::vector<std::int32_t> randomParents(int count, unsigned seed, int window)
{
    std::mt19937 random(seed);
    std::vector<std::int32_t> parents{-1};
    for (int i = 1; i < count; ++i)
        parents.push_back(static_cast<std::int32_t>(
            std::max(0, i - 1 - static_cast<int>(random() % static_cast<unsigned>(window)))));
    return parents;
}

// A node takes one cell of width and kNodeRows of height; two nodes may touch, never overlap.
bool hasOverlap(const TreeLayout& layout)
{
    std::map<std::int32_t, std::vector<float>> byRow;
    for (std::size_t i = 0; i < layout.x.size(); ++i) {
        if (layout.row[i] < 0)
            continue;
        for (int k = 0; k < kNodeRows; ++k)
            byRow[layout.row[i] + k].push_back(layout.x[i]);
    }
    for (auto& [row, xs] : byRow) {
        std::sort(xs.begin(), xs.end());
        for (std::size_t i = 1; i < xs.size(); ++i) {
            if (xs[i] - xs[i - 1] < 1 - 1e-2f)
                return true;
        }
    }
    return false;
}

} // namespace

class TestTreeLayout : public QObject
{
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void emptyAndSingle()
    {
        QCOMPARE(layoutTree(inputOf({})).rowCount, 0);
        const TreeLayout one = layoutTree(inputOf({-1}));
        QCOMPARE(one.rowCount, kNodeRows);
        QCOMPARE(one.shown, 1);
        QCOMPARE(one.maxX - one.minX, 1.0f);
    }

    // By hand: a root over two leaves. Leaves stand side by side one cell apart, the root over their middle.
    void rootOverTwoLeaves()
    {
        const TreeLayout l = layoutTree(inputOf({-1, 0, 0}));
        QCOMPARE(l.row[0], 0);
        QCOMPARE(l.row[1], kNodeRows + kGapRows);
        QCOMPARE(l.row[2], kNodeRows + kGapRows);
        QCOMPARE(l.x[2] - l.x[1], 1.0f);
        QCOMPARE(l.x[0], (l.x[1] + l.x[2]) / 2);
        QCOMPARE(l.drop[1], std::uint8_t(1));
        QCOMPARE(l.blocks.size(), std::size_t(0));
        const auto& bars = l.bars[static_cast<std::size_t>(kNodeRows)];
        QCOMPARE(bars.size(), std::size_t(1));
        QCOMPARE(bars[0].x0, l.x[1]);
        QCOMPARE(bars[0].x1, l.x[2]);
    }

    void manyLeavesArePacked()
    {
        std::vector<std::int32_t> parents{-1};
        parents.insert(parents.end(), 4000, 0);
        const TreeLayout l = layoutTree(inputOf(parents));
        QCOMPARE(l.shown, 4001);
        QCOMPARE(l.blocks.size(), std::size_t(1));
        QVERIFY(l.maxX - l.minX < 80);
        QVERIFY(l.rowCount < 300);
        QVERIFY(!hasOverlap(l));
        for (std::size_t i = 1; i < parents.size(); ++i) {
            QVERIFY(l.x[i] - 0.5f >= l.blocks[0].x0 && l.x[i] + 0.5f <= l.blocks[0].x1);
            QVERIFY(l.row[i] >= l.blocks[0].row0 && l.row[i] + kNodeRows - 1 <= l.blocks[0].row1);
            QCOMPARE(l.drop[i], std::uint8_t(0));
        }
    }

    // A root with a thousand children that have children themselves: broken into shelves, not a strip.
    void wideFamiliesAreBroken()
    {
        std::vector<std::int32_t> parents{-1};
        for (int i = 0; i < 1000; ++i)
            parents.push_back(0);
        for (std::int32_t i = 1; i <= 1000; ++i)
            parents.insert(parents.end(), 3, i);
        const TreeLayout l = layoutTree(inputOf(parents));
        const double width = (l.maxX - l.minX) * kCellAspect, height = l.rowCount;
        QVERIFY2(width / height < 6 && height / width < 6,
                 qPrintable(QStringLiteral("%1 x %2").arg(width).arg(height)));
        QCOMPARE(l.trunks.size(), std::size_t(1));
        QVERIFY(!hasOverlap(l));
    }

    void randomTreesKeepTheRules_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("window");
        QTest::newRow("deep") << 3000 << 2;
        QTest::newRow("mixed") << 3000 << 40;
        QTest::newRow("broad") << 3000 << 600;
        QTest::newRow("random") << 3000 << 100000;
    }
    void randomTreesKeepTheRules()
    {
        QFETCH(int, count);
        QFETCH(int, window);
        for (unsigned seed = 1; seed <= 8; ++seed) {
            const auto parents = randomParents(count, seed, window);
            const TreeLayout l = layoutTree(inputOf(parents));
            QCOMPARE(l.shown, count);
            QVERIFY(!hasOverlap(l));
            std::size_t listed = 0;
            for (std::size_t row = 0; row < l.rows.size(); ++row) {
                for (std::size_t k = 0; k < l.rows[row].size(); ++k) {
                    const auto i = static_cast<std::size_t>(l.rows[row][k]);
                    QCOMPARE(static_cast<std::size_t>(l.row[i]), row);
                    QVERIFY(k == 0 || l.x[static_cast<std::size_t>(l.rows[row][k - 1])] <= l.x[i]);
                    ++listed;
                }
                for (std::size_t k = 1; k < l.bars[row].size(); ++k)
                    QVERIFY(l.bars[row][k].x0 >= l.bars[row][k - 1].x1 - 1e-2f);
            }
            QCOMPARE(listed, static_cast<std::size_t>(count));
            for (std::size_t i = 1; i < parents.size(); ++i)
                QVERIFY(l.row[i] >= l.row[static_cast<std::size_t>(parents[i])] + kNodeRows + kGapRows);
        }
    }

    // Every line that joins a child to its parent exists: its drop lies under a bar of that parent.
    void everyChildIsJoined()
    {
        const auto parents = randomParents(4000, 3, 300);
        const TreeLayout l = layoutTree(inputOf(parents));
        for (std::size_t i = 1; i < parents.size(); ++i) {
            if (!l.drop[i]) {
                QVERIFY(l.block[static_cast<std::size_t>(parents[i])] >= 0);
                continue;
            }
            const auto& bars = l.bars[static_cast<std::size_t>(l.row[i] - kGapRows)];
            const bool joined = std::any_of(bars.begin(), bars.end(), [&](const TreeLayoutBar& b) {
                return b.parent == parents[i] && b.x0 <= l.x[i] + 1e-3f && b.x1 >= l.x[i] - 1e-3f;
            });
            QVERIFY2(joined, qPrintable(QString::number(i)));
        }
    }

    void hiddenSubtreesTakeNoRoom()
    {
        TreeLayoutInput input = inputOf({-1, 0, 0, 1, 1, 2});
        input.visible[1] = 0; // its children 3 and 4 go with it
        const TreeLayout l = layoutTree(input);
        QCOMPARE(l.shown, 3);
        QCOMPARE(l.row[1], -1);
        QCOMPARE(l.row[3], -1);
        QCOMPARE(l.maxX - l.minX, 1.0f);
    }

    void aChainOfHundredThousandIsNoRecursion()
    {
        std::vector<std::int32_t> parents(100000);
        for (std::size_t i = 0; i < parents.size(); ++i)
            parents[i] = static_cast<std::int32_t>(i) - 1;
        const TreeLayout l = layoutTree(inputOf(parents));
        QCOMPARE(l.shown, 100000);
        QCOMPARE(l.row.back(), 99999 * (kNodeRows + kGapRows));
        QCOMPARE(l.x.back(), l.x.front());
    }

    void severalRootsStandSideBySide()
    {
        const TreeLayout l = layoutTree(inputOf({-1, 0, -1, 2}));
        QCOMPARE(l.row[2], 0);
        QVERIFY(l.x[2] >= l.x[0] + 1);
        QVERIFY(!hasOverlap(l));
    }

    void stops()
    {
        const std::atomic<bool> stop{true};
        QCOMPARE(layoutTree(inputOf(randomParents(5000, 1, 50)), &stop).rowCount, 0);
    }

    void sameInputSameLayout()
    {
        const auto parents = randomParents(2000, 9, 90);
        const TreeLayout a = layoutTree(inputOf(parents)), b = layoutTree(inputOf(parents));
        QVERIFY(a.x == b.x && a.row == b.row);
    }
};

QTEST_MAIN(TestTreeLayout)
#include "tst_tree_layout.moc"
