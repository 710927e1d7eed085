// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/node/node_view.h"

#include "views/node/node_details.h"
#include "widgets/empty_state.h"
#include "widgets/key_value_table.h"
#include "widgets/number_format.h"
#include "widgets/source_view.h"
#include "widgets/status_label.h"
#include "widgets/table_view.h"

#include <QStandardItemModel>
#include <QTabWidget>
#include <QVBoxLayout>

namespace foresight {

namespace {

QStandardItem* numberItem(double value, const QString& text)
{
    auto* item = new QStandardItem(text);
    item->setData(value, SortRole);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    item->setEditable(false);
    return item;
}

} // namespace

NodeView::NodeView(SearchState& search, SelectionHub& selection, QWidget* parent)
    : LazyPanel(parent), m_search(search), m_selection(selection), m_title(new StatusLabel(this)),
      m_tabs(new QTabWidget(this)), m_details(new KeyValueTable(this)), m_why(new TableView(this)),
      m_whyModel(new QStandardItemModel(this)), m_sourceView(new SourceView(this)), m_logView(new SourceView(this))
{
    m_title->setWordWrap(true);
    m_details->setAccessibleName(tr("Details of the candidate"));
    auto* proxy = new TableProxy(this);
    proxy->setSourceModel(m_whyModel);
    m_why->setModel(proxy);
    m_why->setAccessibleName(tr("Scores of the nodes that competed for this expansion"));
    m_sourceView->setAccessibleName(tr("Source of the candidate"));
    m_logView->setAccessibleName(tr("Compiler log"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_details, tr("Details"));
    m_tabs->addTab(m_why, tr("Why"));
    m_tabs->setTabToolTip(1, tr("Why this one: the scores of the nodes that competed for this expansion"));
    m_tabs->addTab(m_sourceView, tr("Source"));
    m_tabs->addTab(m_logView, tr("Compiler"));

    auto* content = new QWidget(this);
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(4, 4, 4, 4);
    inner->addWidget(m_title);
    inner->addWidget(m_tabs, 1);
    auto* empty = new EmptyState(QStringLiteral("node"), tr("No node selected"),
                                 tr("Select a node of the search tree to see what it is, what was forecast and measured, and why it was chosen."), {}, this);
    m_stack = new EmptyStateStack(content, empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    connect(&search, &SearchState::searchReset, this, [this] {
        m_shown = m_sourceShown = {};
        scheduleRefresh();
    });
    connect(&search, &SearchState::eventsApplied, this, [this] {
        // A live search touches other nodes most of the time: redraw only when ours changed.
        const NodeId id = m_selection.node();
        const auto& nodes = m_search.tree().nodes();
        if (id.valid() && id.value < static_cast<std::int64_t>(nodes.size()) &&
            (id != m_shown || m_search.tree().node(id).state != m_shownState))
            scheduleRefresh();
    });
    connect(&search, &SearchState::referenceChanged, this, &LazyPanel::scheduleRefresh);
    connect(&selection, &SelectionHub::nodeChanged, this, &LazyPanel::scheduleRefresh);
    connect(m_tabs, &QTabWidget::currentChanged, this, &NodeView::refreshTab);
    connect(m_why, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        m_selection.setNode(NodeId(index.siblingAtColumn(0).data(SortRole).toLongLong()));
    });
    scheduleRefresh();
}

void NodeView::setSourceProvider(SourceProvider provider)
{
    m_source = std::move(provider);
    m_sourceShown = {};
    scheduleRefresh();
}

void NodeView::refresh()
{
    const NodeId id = m_selection.node();
    const bool known = m_search.hasSearch() && id.valid() && id.value < static_cast<std::int64_t>(m_search.tree().nodes().size());
    m_stack->setHasContent(known);
    if (!known) {
        m_shown = {};
        return;
    }
    const TreeNode& node = m_search.tree().node(id);
    m_shown = id;
    m_shownState = node.state;
    const NodeHeadline headline = nodeHeadline(m_search, node);
    m_title->setStatus(headline.kind, headline.text);
    m_whyShown = m_logShown = {}; // its state may have changed
    if (id != m_sourceShown)
        m_sourceShown = {};
    refreshTab();
}

// Only the tab that is seen is filled; the others when they are opened.
void NodeView::refreshTab()
{
    if (!m_shown.valid() || !m_search.hasSearch())
        return;
    const TreeNode& node = m_search.tree().node(m_shown);
    const QWidget* tab = m_tabs->currentWidget();
    if (tab == m_details)
        m_details->setRows(nodeDetails(m_search, node));
    else if (tab == m_why && m_whyShown != m_shown)
        refreshWhy(node);
    else if (tab == m_sourceView && m_sourceShown != m_shown)
        requestSource();
    else if (tab == m_logView && m_logShown != m_shown)
        refreshLog(node);
}

void NodeView::refreshWhy(const TreeNode& node)
{
    m_whyShown = node.id;
    m_whyModel->clear();
    m_whyModel->setHorizontalHeaderLabels({tr("Node"), tr("Score"), tr("Q (log2)"), tr("Prior"), tr("Visits")});
    const auto selection = m_search.selectionOf(node.id);
    if (!selection)
        return;
    for (const SelectionTerm& term : selection->top) {
        const bool parent = term.node == node.parent.value;
        QString name = term.node == 0 ? tr("root") : QStringLiteral("#%1").arg(term.node);
        if (parent)
            name = tr("%1 (selected)").arg(name);
        auto* first = numberItem(static_cast<double>(term.node), name);
        first->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        if (parent) {
            QFont font = first->font();
            font.setBold(true);
            first->setFont(font);
        }
        m_whyModel->appendRow({first, numberItem(term.score, formatFixed(term.score, 4)),
                               numberItem(term.q, formatFixed(term.q, 4)), numberItem(term.prior, formatFixed(term.prior, 4)),
                               numberItem(term.visits, formatCount(term.visits))});
    }
    for (int column = 0; column < m_whyModel->columnCount(); ++column)
        m_why->resizeColumnToContents(column);
}

void NodeView::requestSource()
{
    const NodeId id = m_shown;
    m_sourceShown = id;
    const ProposedPayload* candidate = m_search.proposed(id);
    if (!candidate || !m_source) {
        showSource({});
        return;
    }
    m_source(*candidate, [this, id](const QString& source) {
        if (id == m_shown)
            showSource(source);
    });
}

void NodeView::showSource(const QString& source)
{
    m_sourceView->setSource(source.isEmpty() ? tr("No source is known for this candidate.") : source,
                            source.isEmpty() ? SourceLanguage::Plain : SourceLanguage::Cuda);
}

void NodeView::refreshLog(const TreeNode& node)
{
    m_logShown = node.id;
    const auto reply = m_search.reply(node.id);
    QString log = reply ? QString::fromStdString(reply->compileLog) : QString();
    if (log.isEmpty() && reply && !reply->message.empty())
        log = QString::fromStdString(reply->message);
    m_logView->setSource(log.isEmpty() ? tr("Nothing was compiled for this candidate here.") : log, SourceLanguage::Plain);
}

} // namespace foresight
