// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tree_canvas.h"

#include "widgets/number_format.h"
#include "widgets/plot_widget.h"
#include "widgets/theme.h"
#include "widgets/tree_layout_service.h"

#include <QAccessible>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr int kMiniMapRefreshMs = 400;

} // namespace

TreeCanvas::TreeCanvas(QWidget* parent)
    : QWidget(parent), m_service(std::make_unique<TreeLayoutService>(
                           this, [this](std::shared_ptr<const TreeLayout> layout,
                                        quint64 generation) { takeLayout(std::move(layout), generation); })),
      m_layout(std::make_shared<const TreeLayout>()), m_miniMapTimer(new QTimer(this))
{
    installAccessibleFactory();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Search tree"));
    m_miniMapTimer->setSingleShot(true);
    m_miniMapTimer->setInterval(kMiniMapRefreshMs);
    connect(m_miniMapTimer, &QTimer::timeout, this, [this] {
        m_miniMapDirty = true;
        update(miniMapRect());
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        m_miniMapDirty = true;
        update();
    });
    updateMetrics();
}

TreeCanvas::~TreeCanvas()
{
    // Before the members its queued results would touch.
    m_service.reset();
}

bool TreeCanvas::addOrReplace(const CanvasNode& node, bool* structure)
{
    const int known = indexOf(node.id);
    if (known >= 0) {
        CanvasNode& old = m_nodes[known];
        // With ghosts hidden a node can appear or go by its state alone.
        if (!m_ghostsVisible &&
            (old.state == CanvasNodeState::Ghost) != (node.state == CanvasNodeState::Ghost))
            *structure = true;
        const qint64 parent = old.parent;
        tally(old, -1);
        old = node;
        old.parent = parent;
        tally(old, 1);
        return true;
    }
    const int parent = node.parent >= 0 ? indexOf(node.parent) : -1;
    if (node.id < 0 || (node.parent >= 0 && parent < 0))
        return false;
    const int index = static_cast<int>(m_nodes.size());
    m_nodes.append(node);
    tally(node, 1);
    m_parent.append(parent);
    m_depth.append(parent < 0 ? 0 : m_depth[parent] + 1);
    m_children.append(QVector<int>());
    if (parent >= 0)
        m_children[parent].append(index);
    m_index.insert(node.id, index);
    m_maxDepth = std::max(m_maxDepth, m_depth[index]);
    *structure = true;
    return true;
}

int TreeCanvas::upsertNodes(const QVector<CanvasNode>& nodes)
{
    bool structure = false;
    int refused = 0;
    for (const CanvasNode& node : nodes)
        refused += addOrReplace(node, &structure) ? 0 : 1;
    if (structure)
        requestLayout();
    contentChanged();
    return refused;
}

void TreeCanvas::setNodes(const QVector<CanvasNode>& nodes)
{
    m_nodes.clear();
    m_parent.clear();
    m_depth.clear();
    m_children.clear();
    m_index.clear();
    m_maxDepth = 0;
    m_states = {};
    m_audits = 0;
    m_speedups = {};
    // The old layout's indices mean other nodes now; nothing is drawn until the new one comes.
    m_layout = std::make_shared<const TreeLayout>();
    bool structure = false;
    for (const CanvasNode& node : nodes)
        addOrReplace(node, &structure);
    if (!contains(m_selected))
        m_selected = -1;
    if (!contains(m_incumbent))
        m_incumbent = -1;
    m_hovered = -1;
    requestLayout();
    m_firstValid = m_requested;
    contentChanged();
}

void TreeCanvas::clear()
{
    m_collapsed.clear();
    m_highlighted.clear();
    m_bestPath.clear();
    m_autoFit = true;
    setNodes({});
}

int TreeCanvas::nodeCount() const
{
    return static_cast<int>(m_nodes.size());
}

const CanvasNode* TreeCanvas::node(qint64 id) const
{
    const int index = indexOf(id);
    return index >= 0 ? &m_nodes[index] : nullptr;
}

void TreeCanvas::requestLayout()
{
    ++m_requested;
    if (m_requestPosted)
        return;
    // One request per turn of the event loop, however many batches came in.
    m_requestPosted = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_requestPosted = false;
            TreeLayoutInput input;
            const auto n = static_cast<std::size_t>(m_nodes.size());
            input.parent.assign(m_parent.begin(), m_parent.end());
            input.visible.assign(n, 1);
            if (!m_ghostsVisible) {
                // A ghost stays when something shown hangs below it.
                for (std::size_t i = n; i-- > 0;) {
                    const int index = static_cast<int>(i);
                    const bool below =
                        std::any_of(m_children[index].begin(), m_children[index].end(), [&input](int c) {
                            return input.visible[static_cast<std::size_t>(c)] != 0;
                        });
                    input.visible[i] = m_nodes[index].state != CanvasNodeState::Ghost || below;
                }
            }
            for (std::size_t i = 0; i < n && !m_collapsed.isEmpty(); ++i) {
                const int parent = m_parent[static_cast<int>(i)];
                if (parent >= 0 && (!input.visible[static_cast<std::size_t>(parent)] ||
                                    m_collapsed.contains(m_nodes[parent].id)))
                    input.visible[i] = 0;
            }
            m_service->request(std::move(input), m_requested);
        },
        Qt::QueuedConnection);
}

void TreeCanvas::takeLayout(std::shared_ptr<const TreeLayout> layout, quint64 generation)
{
    // Grown since: an older layout of fewer nodes still shows them right; one of replaced nodes does not.
    if (layout->x.size() > static_cast<std::size_t>(m_nodes.size()) || generation <= m_laidOut)
        return;
    if (generation < m_firstValid)
        return;
    m_laidOut = generation;
    // What is looked at must not jump: keep the selected node, or the one nearest to the middle, where it is.
    int anchor = -1;
    QPointF before;
    if (!m_autoFit && m_layout->shown > 0) {
        const int selected = indexOf(m_selected);
        if (selected >= 0 && isShown(selected) && rect().contains(nodeRectAt(selected).center().toPoint()))
            anchor = selected;
        else
            anchor = indexOf(nodeNear(QRectF(rect()).center(), std::hypot(width(), height())));
        if (anchor >= 0)
            before = nodeRectAt(anchor).center();
    }
    m_layout = std::move(layout);
    if (m_autoFit)
        applyFit();
    else if (anchor >= 0 && isShown(anchor))
        m_origin += before - nodeRectAt(anchor).center();
    keepInReach();
    m_miniMapDirty = true;
    update();
    emit layoutFinished();
}

bool TreeCanvas::isShown(int index) const
{
    const auto i = static_cast<std::size_t>(index);
    return index >= 0 && i < m_layout->row.size() && m_layout->row[i] >= 0;
}

bool TreeCanvas::layoutPending() const
{
    return m_laidOut < m_requested;
}

// In the order they stand: childless ones first (packed), then those with subtrees.
QVector<int> TreeCanvas::shownChildren(int index) const
{
    QVector<int> leaves, inner;
    for (int child : m_children[index]) {
        if (!isShown(child))
            continue;
        const bool parent = std::any_of(m_children[child].begin(), m_children[child].end(),
                                        [this](int c) { return isShown(c); });
        (parent ? inner : leaves).append(child);
    }
    return leaves + inner;
}

void TreeCanvas::contentChanged()
{
    if (!m_miniMapTimer->isActive())
        m_miniMapTimer->start();
    update();
    updateAccessible();
}

void TreeCanvas::updateAccessible()
{
    if (!QAccessible::isActive())
        return;
    QAccessibleValueChangeEvent event(this, m_selected >= 0 ? describeNode(m_selected) : describe());
    QAccessible::updateAccessibility(&event);
}

void TreeCanvas::setIncumbent(qint64 id)
{
    m_incumbent = id;
    contentChanged();
}

void TreeCanvas::setBestPath(const QVector<qint64>& ids)
{
    m_bestPath = ids;
    contentChanged();
}

void TreeCanvas::setSelected(qint64 id, bool reveal)
{
    if (m_selected != id) {
        m_selected = contains(id) ? id : -1;
        update();
        updateAccessible();
    }
    if (reveal && m_selected >= 0)
        revealNode(indexOf(m_selected));
}

void TreeCanvas::setHighlighted(const QSet<qint64>& ids)
{
    m_highlighted = ids;
    update();
}

void TreeCanvas::setColorMode(CanvasColorMode mode)
{
    m_colorMode = mode;
    m_miniMapDirty = true;
    update();
}

void TreeCanvas::setGhostsVisible(bool visible)
{
    if (m_ghostsVisible == visible)
        return;
    m_ghostsVisible = visible;
    requestLayout();
}

void TreeCanvas::setCollapsed(qint64 id, bool collapsed)
{
    const int index = indexOf(id);
    if (index < 0 || m_collapsed.contains(id) == collapsed || (collapsed && m_children[index].isEmpty()))
        return;
    if (collapsed)
        m_collapsed.insert(id);
    else
        m_collapsed.remove(id);
    requestLayout();
}

void TreeCanvas::setLegendVisible(bool visible)
{
    m_legendVisible = visible;
    if (m_autoFit)
        applyFit();
    update();
}

void TreeCanvas::setMiniMapVisible(bool visible)
{
    m_miniMapVisible = visible;
    update();
}

QString TreeCanvas::describeNode(qint64 id) const
{
    const CanvasNode* n = node(id);
    if (!n)
        return {};
    QStringList parts;
    parts.append(n->label.isEmpty() ? tr("#%1").arg(id)
                                    : tr("#%1 %2", "id, label").arg(QString::number(id), n->label));
    parts.append(canvasStateName(n->state));
    if (!std::isnan(n->log2Speedup))
        parts.append(tr("speedup %1").arg(formatSpeedup(std::exp2(static_cast<double>(n->log2Speedup)))));
    if (!std::isnan(n->forecastLog2))
        parts.append(tr("forecast %1").arg(formatSpeedup(std::exp2(static_cast<double>(n->forecastLog2)))));
    if (id == m_incumbent)
        parts.append(tr("best so far"));
    else if (m_bestPath.contains(id))
        parts.append(tr("on the path to the best"));
    if (n->audit)
        parts.append(tr("audit"));
    if (n->byUser)
        parts.append(tr("added by hand"));
    if (n->pinned)
        parts.append(tr("pinned"));
    if (n->forbidden)
        parts.append(tr("subtree forbidden"));
    if (n->duplicates > 0)
        parts.append(tr("proposed again %n time(s)", nullptr, n->duplicates));
    const int index = indexOf(id);
    parts.append(tr("depth %1").arg(m_depth[index]));
    if (!m_children[index].isEmpty())
        parts.append(tr("%n child(ren)", nullptr, static_cast<int>(m_children[index].size())) +
                     (m_collapsed.contains(id) ? QLatin1Char(' ') + tr("(collapsed)") : QString()));
    return parts.join(QStringLiteral(", "));
}

QString TreeCanvas::describe() const
{
    if (m_nodes.isEmpty())
        return tr("Search tree, empty.");
    qint64 measured = 0, ghosts = 0, failed = 0;
    for (const CanvasNode& n : m_nodes) {
        measured += n.state == CanvasNodeState::Measured;
        ghosts += n.state == CanvasNodeState::Ghost;
        failed += isFailed(n.state);
    }
    QString text =
        tr("Search tree of %1 candidates: %2 measured, %3 skipped, %4 failed.")
            .arg(formatCount(nodeCount()), formatCount(measured), formatCount(ghosts), formatCount(failed));
    if (contains(m_incumbent))
        text += QLatin1Char(' ') + tr("Best: %1.").arg(describeNode(m_incumbent));
    if (contains(m_selected))
        text += QLatin1Char(' ') + tr("Selected: %1.").arg(describeNode(m_selected));
    return text;
}

} // namespace foresight
