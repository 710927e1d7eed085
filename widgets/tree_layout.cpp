// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tree_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace foresight {

namespace {

constexpr float kHalfCell = 0.5f;
constexpr float kSubtreeGap = 0.35f; // between subtrees of one parent
constexpr float kFrame = 0.12f;      // a block's frame beside its outermost cells
constexpr int kSingleRow = 5;        // up to so many leaves hang side by side, more are packed
constexpr float kShelfMinWidth = 24; // cells; narrower families are never broken
constexpr float kShelfAspect = 2.4f; // wanted width/height of a broken family

struct Extent
{
    float left, right;
};

// Outline of a subtree, one entry per row, bottom row first so that a parent is put on top at no cost. Real
// values are stored ones plus `offset`, so that moving a subtree costs nothing either.
struct Contour
{
    std::vector<Extent> rows;
    float offset = 0;
    float left = 0, right = 0; // real bounds over all rows

    std::size_t height() const { return rows.size(); }
    Extent top(std::size_t k) const
    {
        const Extent& e = rows[rows.size() - 1 - k];
        return {e.left + offset, e.right + offset};
    }
    void setTop(std::size_t k, Extent real)
    {
        rows[rows.size() - 1 - k] = {real.left - offset, real.right - offset};
    }
    void push(Extent real)
    {
        rows.push_back({real.left - offset, real.right - offset});
        left = std::min(left, real.left);
        right = std::max(right, real.right);
    }
    void move(float dx)
    {
        offset += dx;
        left += dx;
        right += dx;
    }
};

Contour rectangle(float left, float right, std::size_t rows)
{
    Contour c;
    c.rows.assign(rows, {left, right});
    c.left = left;
    c.right = right;
    return c;
}

// Puts `next` right of `all` as close as their outlines allow; returns how far it moved. Costs the lower of
// both heights.
float place(Contour& all, Contour next)
{
    const std::size_t common = std::min(all.height(), next.height());
    float shift = -1e30f;
    for (std::size_t k = 0; k < common; ++k)
        shift = std::max(shift, all.top(k).right - next.top(k).left);
    shift += kSubtreeGap;
    next.move(shift);
    const float left = std::min(all.left, next.left), right = std::max(all.right, next.right);
    if (all.height() >= next.height()) {
        for (std::size_t k = 0; k < common; ++k)
            all.setTop(k, {all.top(k).left, next.top(k).right});
    } else {
        for (std::size_t k = 0; k < common; ++k)
            next.setTop(k, {all.top(k).left, next.top(k).right});
        all = std::move(next);
    }
    all.left = left;
    all.right = right;
    return shift;
}

// What is placed as one under a parent: a child with its subtree, or all childless children together (child =
// -1).
struct Component
{
    std::int32_t child = -1;
    float x = 0;               // of its top middle
    std::int32_t rowShift = 0; // of its shelf
};

class Builder
{
public:
    Builder(const TreeLayoutInput& input, const std::atomic<bool>* stop)
        : m_input(input), m_stop(stop), m_count(static_cast<std::int32_t>(input.parent.size()))
    {
    }

    TreeLayout build();

private:
    bool stopped() const { return m_stop && m_stop->load(std::memory_order_relaxed); }
    void findChildren();
    void layoutFamily(std::int32_t node);
    Contour layoutLeaves(std::int32_t node);
    void moveGroup(std::int32_t node, const Component& group);
    void reachLooseLeaves(TreeLayoutBar* bar) const;
    Contour layoutSideBySide(std::vector<Component>& components, std::vector<Contour>& contours,
                             std::size_t from, std::size_t to);
    Contour layoutShelves(std::int32_t node, std::vector<Component>& components,
                          std::vector<Contour>& contours, float width);
    void addBar(std::int32_t node, const std::vector<Component>& groups, std::size_t from, std::size_t to,
                float start);
    void placeRoots();
    void finish();
    std::size_t index(std::int32_t i) const { return static_cast<std::size_t>(i); }

    const TreeLayoutInput& m_input;
    const std::atomic<bool>* m_stop;
    std::int32_t m_count;
    TreeLayout m_out;
    std::vector<std::uint8_t> m_shown;
    std::vector<std::int32_t> m_firstChild; // CSR
    std::vector<std::int32_t> m_children;
    std::vector<Contour> m_contours;
    std::vector<float> m_dx;
    std::vector<std::int32_t> m_dRow;
    std::vector<TreeLayoutBar> m_bars; // relative to their parents until finish()
    std::vector<std::int32_t> m_leaves;
};

void Builder::findChildren()
{
    const std::size_t n = index(m_count);
    m_shown.assign(n, 0);
    m_firstChild.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t p = m_input.parent[i];
        m_shown[i] = m_input.visible[i] && (p < 0 || m_shown[index(p)]) ? 1 : 0;
        if (m_shown[i] && p >= 0)
            ++m_firstChild[index(p) + 1];
    }
    for (std::size_t i = 0; i < n; ++i)
        m_firstChild[i + 1] += m_firstChild[i];
    m_children.resize(index(m_firstChild[n]));
    std::vector<std::int32_t> next(m_firstChild.begin(), m_firstChild.end() - 1);
    for (std::int32_t i = 0; i < m_count; ++i) {
        const std::int32_t p = m_input.parent[index(i)];
        if (m_shown[index(i)] && p >= 0)
            m_children[index(next[index(p)]++)] = i;
    }
}

// Places the childless children (m_leaves) around x = 0 and returns their outline.
Contour Builder::layoutLeaves(std::int32_t node)
{
    const int count = static_cast<int>(m_leaves.size());
    const bool packed = count > kSingleRow;
    // A packed block is half as wide again as it is high.
    const double square = count * 1.5 * kNodeRows / static_cast<double>(kCellAspect);
    const int columns = packed ? static_cast<int>(std::ceil(std::sqrt(square))) : count;
    const int rows = (count + columns - 1) / columns;
    const float half = static_cast<float>(columns) / 2;
    for (int i = 0; i < count; ++i) {
        const std::int32_t leaf = m_leaves[static_cast<std::size_t>(i)];
        m_dx[index(leaf)] = static_cast<float>(i % columns) + kHalfCell - half;
        m_dRow[index(leaf)] = kNodeRows + kGapRows + i / columns * kNodeRows;
        m_out.drop[index(leaf)] = packed ? 0 : 1;
    }
    if (!packed)
        return rectangle(-half, half, kNodeRows);
    m_out.block[index(node)] = static_cast<std::int32_t>(m_out.blocks.size());
    m_out.blocks.push_back({-half - kFrame, half + kFrame, kNodeRows + kGapRows,
                            kNodeRows + kGapRows + rows * kNodeRows - 1, node});
    return rectangle(-half - kFrame, half + kFrame, static_cast<std::size_t>(rows * kNodeRows));
}

Contour Builder::layoutSideBySide(std::vector<Component>& components, std::vector<Contour>& contours,
                                  std::size_t from, std::size_t to)
{
    Contour all = std::move(contours[from]);
    for (std::size_t i = from + 1; i < to; ++i)
        components[i].x += place(all, std::move(contours[i]));
    return all;
}

// Bar from `start` (the trunk or the parent's stem) over the groups of one shelf.
void Builder::addBar(std::int32_t node, const std::vector<Component>& groups, std::size_t from,
                     std::size_t to, float start)
{
    TreeLayoutBar bar{start, start, kNodeRows + groups[from].rowShift, node};
    for (std::size_t i = from; i < to; ++i) {
        bar.x0 = std::min(bar.x0, groups[i].x);
        bar.x1 = std::max(bar.x1, groups[i].x);
    }
    m_bars.push_back(bar);
}

Contour Builder::layoutShelves(std::int32_t node, std::vector<Component>& components,
                               std::vector<Contour>& contours, float width)
{
    std::vector<std::pair<std::size_t, std::size_t>> shelves;
    float used = 0;
    for (std::size_t i = 0; i < components.size(); ++i) {
        const float w = contours[i].right - contours[i].left;
        if (shelves.empty() || used + w > width) {
            shelves.emplace_back(i, i);
            used = 0;
        }
        used += w + kSubtreeGap;
        shelves.back().second = i + 1;
    }
    std::int32_t rowShift = 0;
    float right = 0;
    std::vector<float> lefts;
    for (const auto& [from, to] : shelves) {
        const Contour shelf = layoutSideBySide(components, contours, from, to);
        lefts.push_back(shelf.left);
        right = std::max(right, shelf.right - shelf.left);
        for (std::size_t i = from; i < to; ++i) {
            components[i].x -= shelf.left;
            components[i].rowShift = rowShift;
        }
        rowShift += static_cast<std::int32_t>(shelf.height()) + kGapRows;
    }
    // Everything stands right of the trunk at x = -1/2, the parent over the middle.
    const float trunkX = -kHalfCell, middle = right / 2;
    for (Component& c : components)
        c.x -= middle;
    for (const auto& [from, to] : shelves)
        addBar(node, components, from, to, trunkX - middle);
    // The first bar must also reach the parent's stem.
    TreeLayoutBar& first = m_bars[m_bars.size() - shelves.size()];
    first.x1 = std::max(first.x1, 0.0f);
    if (shelves.size() > 1) {
        m_out.trunk[index(node)] = static_cast<std::int32_t>(m_out.trunks.size());
        m_out.trunks.push_back(
            {trunkX - middle, kNodeRows, kNodeRows + components[shelves.back().first].rowShift, node});
    }
    return rectangle(trunkX - 0.2f - middle, right - middle, static_cast<std::size_t>(rowShift - kGapRows));
}

void Builder::moveGroup(std::int32_t node, const Component& group)
{
    if (group.child >= 0) {
        m_dx[index(group.child)] = group.x;
        m_dRow[index(group.child)] = kNodeRows + kGapRows + group.rowShift;
        m_out.drop[index(group.child)] = 1;
        return;
    }
    for (const std::int32_t leaf : m_leaves) {
        m_dx[index(leaf)] += group.x;
        m_dRow[index(leaf)] += group.rowShift;
    }
    if (const std::int32_t i = m_out.block[index(node)]; i >= 0) {
        TreeLayoutBlock& block = m_out.blocks[index(i)];
        block.x0 += group.x;
        block.x1 += group.x;
        block.row0 += group.rowShift;
        block.row1 += group.rowShift;
    }
}

void Builder::reachLooseLeaves(TreeLayoutBar* bar) const
{
    for (const std::int32_t leaf : m_leaves) {
        if (!m_out.drop[index(leaf)])
            continue;
        bar->x0 = std::min(bar->x0, m_dx[index(leaf)]);
        bar->x1 = std::max(bar->x1, m_dx[index(leaf)]);
    }
}

void Builder::layoutFamily(std::int32_t node)
{
    const auto first = m_firstChild[index(node)], last = m_firstChild[index(node) + 1];
    if (first == last) {
        m_contours[index(node)] = rectangle(-kHalfCell, kHalfCell, kNodeRows);
        return;
    }
    std::vector<Component> groups;
    std::vector<Contour> outlines;
    m_leaves.clear();
    for (std::int32_t c = first; c < last; ++c) {
        const std::int32_t child = m_children[index(c)];
        if (m_firstChild[index(child)] == m_firstChild[index(child) + 1])
            m_leaves.push_back(child);
    }
    if (!m_leaves.empty()) {
        groups.push_back({});
        outlines.push_back(layoutLeaves(node));
    }
    for (std::int32_t c = first; c < last; ++c) {
        const std::int32_t child = m_children[index(c)];
        if (m_firstChild[index(child)] == m_firstChild[index(child) + 1])
            continue;
        groups.push_back({child, 0, 0});
        outlines.push_back(std::exchange(m_contours[index(child)], {}));
    }
    float total = 0, area = 0, widest = 0;
    for (const Contour& outline : outlines) {
        const float width = outline.right - outline.left + kSubtreeGap;
        total += width;
        widest = std::max(widest, width);
        area += width * kCellAspect * static_cast<float>(outline.height() + kGapRows);
    }
    const float wanted = std::max(widest, std::sqrt(area * kShelfAspect) / kCellAspect);
    const bool shelved = groups.size() > 2 && total > kShelfMinWidth && total > 1.6f * wanted;
    const std::size_t firstBar = m_bars.size();
    Contour all;
    if (shelved) {
        all = layoutShelves(node, groups, outlines, wanted);
    } else {
        all = layoutSideBySide(groups, outlines, 0, groups.size());
        const float middle = (groups.front().x + groups.back().x) / 2;
        all.move(-middle);
        for (Component& group : groups)
            group.x -= middle;
        addBar(node, groups, 0, groups.size(), 0);
    }
    for (const Component& group : groups)
        moveGroup(node, group);
    TreeLayoutBar& bar = m_bars[firstBar];
    reachLooseLeaves(&bar);
    // The gap row: what the bar takes; in a shelved family also the trunk beside it.
    all.push({std::min(bar.x0 - 0.05f, shelved ? all.left : bar.x0), bar.x1 + 0.05f});
    for (std::int32_t k = 0; k < kNodeRows; ++k)
        all.push({-kHalfCell, kHalfCell});
    m_contours[index(node)] = std::move(all);
}

void Builder::placeRoots()
{
    float cursor = 0;
    for (std::int32_t i = 0; i < m_count; ++i) {
        if (!m_shown[index(i)])
            continue;
        const std::int32_t p = m_input.parent[index(i)];
        if (p < 0) {
            m_out.x[index(i)] = cursor - m_contours[index(i)].left;
            m_out.row[index(i)] = 0;
            cursor += m_contours[index(i)].right - m_contours[index(i)].left + 1;
        } else {
            m_out.x[index(i)] = m_out.x[index(p)] + m_dx[index(i)];
            m_out.row[index(i)] = m_out.row[index(p)] + m_dRow[index(i)];
        }
    }
}

void Builder::finish()
{
    bool any = false;
    const auto widen = [&](float x0, float x1, std::int32_t row1) {
        m_out.minX = any ? std::min(m_out.minX, x0) : x0;
        m_out.maxX = any ? std::max(m_out.maxX, x1) : x1;
        m_out.rowCount = std::max(m_out.rowCount, row1 + 1);
        any = true;
    };
    for (std::size_t i = 0; i < index(m_count); ++i) {
        if (m_out.row[i] >= 0) {
            widen(m_out.x[i] - kHalfCell, m_out.x[i] + kHalfCell, m_out.row[i] + kNodeRows - 1);
            ++m_out.shown;
        }
    }
    for (TreeLayoutBlock& b : m_out.blocks) {
        const std::size_t p = index(b.parent);
        b.x0 += m_out.x[p];
        b.x1 += m_out.x[p];
        b.row0 += m_out.row[p];
        b.row1 += m_out.row[p];
        widen(b.x0, b.x1, b.row1);
        m_out.tallestBlock = std::max(m_out.tallestBlock, b.row1 - b.row0 + 1);
    }
    std::sort(m_out.blocks.begin(), m_out.blocks.end(),
              [](const TreeLayoutBlock& a, const TreeLayoutBlock& b) { return a.row0 < b.row0; });
    for (std::size_t i = 0; i < m_out.blocks.size(); ++i)
        m_out.block[index(m_out.blocks[i].parent)] = static_cast<std::int32_t>(i);
    for (TreeLayoutTrunk& t : m_out.trunks) {
        const std::size_t p = index(t.parent);
        t.x += m_out.x[p];
        t.row0 += m_out.row[p];
        t.row1 += m_out.row[p];
        widen(t.x, t.x, t.row1);
    }
    m_out.rows.resize(index(m_out.rowCount));
    m_out.bars.resize(index(m_out.rowCount));
    for (std::int32_t i = 0; i < m_count; ++i) {
        if (m_out.row[index(i)] >= 0)
            m_out.rows[index(m_out.row[index(i)])].push_back(i);
    }
    for (auto& row : m_out.rows)
        std::sort(row.begin(), row.end(),
                  [this](std::int32_t a, std::int32_t b) { return m_out.x[index(a)] < m_out.x[index(b)]; });
    for (TreeLayoutBar bar : m_bars) {
        const std::size_t p = index(bar.parent);
        bar.x0 += m_out.x[p];
        bar.x1 += m_out.x[p];
        bar.row += m_out.row[p];
        m_out.bars[index(bar.row)].push_back(bar);
    }
    for (auto& row : m_out.bars)
        std::sort(row.begin(), row.end(),
                  [](const TreeLayoutBar& a, const TreeLayoutBar& b) { return a.x0 < b.x0; });
}

TreeLayout Builder::build()
{
    const std::size_t n = index(m_count);
    m_out.x.assign(n, 0);
    m_out.row.assign(n, -1);
    m_out.drop.assign(n, 0);
    m_out.block.assign(n, -1);
    m_out.trunk.assign(n, -1);
    m_dx.assign(n, 0);
    m_dRow.assign(n, 0);
    m_contours.resize(n);
    findChildren();
    // Children come after their parents, so going backwards meets every subtree before its root: no
    // recursion.
    for (std::int32_t i = m_count - 1; i >= 0; --i) {
        if ((i & 1023) == 0 && stopped())
            return {};
        if (m_shown[index(i)])
            layoutFamily(i);
    }
    placeRoots();
    finish();
    return stopped() ? TreeLayout{} : std::move(m_out);
}

} // namespace

TreeLayout layoutTree(const TreeLayoutInput& input, const std::atomic<bool>* stop)
{
    return Builder(input, stop).build();
}

} // namespace foresight
