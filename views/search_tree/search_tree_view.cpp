// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/search_tree/search_tree_view.h"

#include "widgets/empty_state.h"
#include "widgets/number_format.h"
#include "widgets/status_label.h"
#include "widgets/theme.h"
#include "widgets/tree_canvas.h"

#include <QAction>
#include <QComboBox>
#include <QHash>
#include <QLineEdit>
#include <QSet>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <set>

namespace foresight {

namespace {

CanvasNodeState canvasState(const TreeNode& node)
{
    switch (node.state) {
    case NodeState::Root: return CanvasNodeState::Root;
    case NodeState::Proposed:
    case NodeState::Forecast: return CanvasNodeState::Proposed;
    case NodeState::Skipped: return CanvasNodeState::Ghost;
    case NodeState::Running: return CanvasNodeState::Running;
    case NodeState::Measured: return CanvasNodeState::Measured;
    case NodeState::Failed: break;
    }
    switch (node.outcome) {
    case Outcome::BuildFailed:
    case Outcome::LaunchRejected: return CanvasNodeState::FailedCompile;
    case Outcome::WrongResult:
    case Outcome::NotWritten:
    case Outcome::Replayed:
    case Outcome::Nondeterministic:
    case Outcome::OutOfBounds:
    case Outcome::InputModified: return CanvasNodeState::FailedVerify;
    case Outcome::Escaped:
    case Outcome::Suspect: return CanvasNodeState::FailedTiming;
    default: return CanvasNodeState::FailedRun;
    }
}

// Why a search ended, in the user's language; what the engine says otherwise is shown as it is.
QString finishText(const QString& reason)
{
    static const QHash<QString, const char*> kTexts{
        {QStringLiteral("the budget is used up"), QT_TRANSLATE_NOOP("foresight::SearchTreeView", "the budget is used up")},
        {QStringLiteral("the budget of measurements is used up"), QT_TRANSLATE_NOOP("foresight::SearchTreeView", "the budget of measurements is used up")},
        {QStringLiteral("the budget of GPU seconds is used up"), QT_TRANSLATE_NOOP("foresight::SearchTreeView", "the budget of GPU seconds is used up")},
        {QStringLiteral("the budget of wall seconds is used up"), QT_TRANSLATE_NOOP("foresight::SearchTreeView", "the budget of wall seconds is used up")},
        {QStringLiteral("every configuration has been tried"), QT_TRANSLATE_NOOP("foresight::SearchTreeView", "every configuration has been tried")},
        {QStringLiteral("stopped by the user"), QT_TRANSLATE_NOOP("foresight::SearchTreeView", "stopped by the user")},
        {QStringLiteral("the GPU is unwell"), QT_TRANSLATE_NOOP("foresight::SearchTreeView", "the GPU is unwell")},
    };
    const auto it = kTexts.find(reason);
    return it == kTexts.end() ? reason : SearchTreeView::tr(*it);
}

} // namespace

SearchTreeView::SearchTreeView(SearchState& search, SelectionHub& selection, QWidget* parent)
    : LazyPanel(parent), m_search(search), m_selection(selection), m_toolBar(new QToolBar(this)),
      m_canvas(new TreeCanvas(this)), m_find(new QLineEdit(this)), m_colour(new QComboBox(this)),
      m_status(new StatusLabel(this))
{
    m_canvas->setAccessibleName(tr("Search tree"));
    m_find->setPlaceholderText(tr("Find: #12, VEC=8, failed…"));
    m_find->setClearButtonEnabled(true);
    m_find->setAccessibleName(tr("Find nodes by number, parameter or state"));
    m_find->setMinimumWidth(fontMetrics().averageCharWidth() * 18);
    m_colour->addItem(tr("Measured"), static_cast<int>(CanvasColorMode::Measured));
    m_colour->addItem(tr("Forecast"), static_cast<int>(CanvasColorMode::Forecast));
    m_colour->addItem(tr("Depth"), static_cast<int>(CanvasColorMode::Depth));
    m_colour->setAccessibleName(tr("Colour nodes by"));

    auto* fit = new QAction(themedIcon(QStringLiteral("fit")), tr("Show the whole tree"), this);
    connect(fit, &QAction::triggered, m_canvas, &TreeCanvas::fit);
    auto* ghosts = new QAction(themedIcon(QStringLiteral("ghost")), tr("Show skipped candidates"), this);
    ghosts->setCheckable(true);
    ghosts->setChecked(true);
    connect(ghosts, &QAction::toggled, m_canvas, &TreeCanvas::setGhostsVisible);
    m_toolBar->setIconSize(QSize(16, 16));
    m_toolBar->addAction(fit);
    m_toolBar->addAction(ghosts);
    m_toolBar->addSeparator();
    m_toolBar->addWidget(m_colour);
    m_toolBar->addWidget(m_find);

    auto* empty = new EmptyState(QStringLiteral("tree"), tr("No search"),
                                 tr("Pick an operator and start a search: every candidate it considers appears here, measured or skipped."),
                                 tr("Search the top operator"), this);
    connect(empty, &EmptyState::actionTriggered, this, &SearchTreeView::searchRequested);
    m_stack = new EmptyStateStack(m_canvas, empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->setSpacing(2);
    layout->addWidget(m_toolBar);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_status);
    m_status->setWordWrap(true); // a long message must not widen the panel

    connect(m_find, &QLineEdit::textChanged, this, &SearchTreeView::find);
    connect(m_find, &QLineEdit::returnPressed, this, [this] { m_canvas->selectNextHighlighted(); });
    connect(m_colour, &QComboBox::currentIndexChanged, this, [this] {
        m_canvas->setColorMode(static_cast<CanvasColorMode>(m_colour->currentData().toInt()));
    });
    connect(m_canvas, &TreeCanvas::nodeSelected, this, [this](qint64 id) { m_selection.setNode(NodeId(id)); });
    connect(&selection, &SelectionHub::nodeChanged, this, [this](NodeId id) { m_canvas->setSelected(id.value, true); });
    connect(&search, &SearchState::searchReset, this, [this] {
        m_shownSeq = 0;
        m_shownParents.clear();
        m_canvas->clear();
        scheduleRefresh();
    });
    connect(&search, &SearchState::referenceChanged, this, [this] {
        m_shownSeq = 0; // every colour changes
        scheduleRefresh();
    });
    connect(&search, &SearchState::eventsApplied, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::phaseChanged, this, &LazyPanel::scheduleRefresh);
    scheduleRefresh();
}

CanvasNode SearchTreeView::canvasNode(const TreeNode& node) const
{
    CanvasNode item;
    item.id = node.id.value;
    item.parent = node.parent.value;
    item.state = canvasState(node);
    if (node.state == NodeState::Measured)
        item.log2Speedup = static_cast<float>(m_search.shownLog2(node.measuredLog2));
    if (node.hasForecast)
        item.forecastLog2 = static_cast<float>(m_search.shownLog2(node.forecastLog2));
    item.audit = node.audit;
    item.pinned = node.pinned;
    item.forbidden = node.forbidden;
    item.byUser = node.byUser;
    item.duplicates = node.duplicates;
    item.label = m_search.nodeTitle(node.id);
    return item;
}

// Only nodes named by events since the last refresh go to the canvas.
void SearchTreeView::refresh()
{
    m_stack->setHasContent(m_search.hasSearch());
    const Tree& tree = m_search.tree();
    std::set<std::int64_t> changed;
    if (m_shownSeq == 0)
        changed.insert(0);
    const auto& events = m_search.events();
    for (std::size_t i = static_cast<std::size_t>(m_shownSeq); i < events.size(); ++i) {
        if (events[i].node >= 0)
            changed.insert(events[i].node);
    }
    m_shownSeq = static_cast<std::int64_t>(events.size());

    // The canvas never moves a node to another parent: when one moved, it is given the whole tree anew.
    const auto& nodes = tree.nodes();
    m_shownParents.resize(nodes.size());
    bool moved = false;
    std::vector<const TreeNode*> order;
    for (const std::int64_t id : changed) {
        if (id >= static_cast<std::int64_t>(nodes.size()))
            continue;
        const TreeNode& node = tree.node(NodeId(id));
        NodeId& shownParent = m_shownParents[static_cast<std::size_t>(id)];
        moved = moved || (shownParent.valid() && shownParent != node.parent);
        shownParent = node.parent;
        order.push_back(&node);
    }
    if (moved) {
        order.clear();
        for (const TreeNode& node : nodes)
            order.push_back(&node);
    }
    // Parents first; a moved ghost's parent has a larger number than it.
    std::stable_sort(order.begin(), order.end(), [](const TreeNode* a, const TreeNode* b) { return a->depth < b->depth; });
    QVector<CanvasNode> batch;
    batch.reserve(static_cast<int>(order.size()));
    for (const TreeNode* node : order)
        batch.push_back(canvasNode(*node));
    if (moved)
        m_canvas->setNodes(batch);
    else if (!batch.isEmpty())
        m_canvas->upsertNodes(batch);
    m_canvas->setIncumbent(tree.incumbent() ? tree.incumbent()->value : -1);
    QVector<qint64> path;
    for (const NodeId id : tree.bestPath())
        path.push_back(id.value);
    m_canvas->setBestPath(path);
    m_canvas->setSelected(m_selection.node().value);
    if (!m_find->text().isEmpty())
        find(m_find->text());
    updateStatus();
}

void SearchTreeView::updateStatus()
{
    const TreeCounts& counts = m_search.tree().counts();
    const QString numbers = tr("%1 proposed, %2 measured, %3 skipped, %4 failed")
                                .arg(formatCount(counts.proposed), formatCount(counts.measured),
                                     formatCount(counts.skipped), formatCount(counts.failed));
    QString best;
    if (const auto incumbent = m_search.tree().incumbent())
        best = tr("; best %1 over %2 (#%3)")
                   .arg(formatSpeedup(std::exp2(m_search.tree().node(*incumbent).measuredLog2)),
                        m_search.info().baseline)
                   .arg(incumbent->value);
    switch (m_search.phase()) {
    case SearchState::Phase::None: m_status->setStatus(StatusKind::Neutral, QString()); break;
    case SearchState::Phase::Preparing: m_status->setStatus(StatusKind::Running, tr("Preparing the search…")); break;
    case SearchState::Phase::Running: m_status->setStatus(StatusKind::Running, numbers + best); break;
    case SearchState::Phase::Paused: m_status->setStatus(StatusKind::Info, tr("Paused. ") + numbers + best); break;
    case SearchState::Phase::Finished:
        m_status->setStatus(StatusKind::Good, tr("Finished: %1. ").arg(finishText(m_search.message())) + numbers + best);
        break;
    case SearchState::Phase::Interrupted:
        m_status->setStatus(StatusKind::Warning, tr("Interrupted; it can be resumed. ") + numbers + best);
        break;
    case SearchState::Phase::Failed: m_status->setStatus(StatusKind::Error, m_search.message()); break;
    }
}

void SearchTreeView::find(const QString& text)
{
    QSet<qint64> found;
    const QString wanted = text.trimmed();
    if (!wanted.isEmpty()) {
        for (const TreeNode& node : m_search.tree().nodes()) {
            const QString haystack = m_search.nodeTitle(node.id) + QLatin1Char(' ') + canvasStateName(canvasState(node));
            const bool hit = wanted.startsWith(QLatin1Char('#')) ? wanted.mid(1) == QString::number(node.id.value)
                                                                 : haystack.contains(wanted, Qt::CaseInsensitive);
            if (hit)
                found.insert(node.id.value);
        }
    }
    m_canvas->setHighlighted(found);
}

} // namespace foresight
