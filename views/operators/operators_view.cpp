// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operators/operators_view.h"

#include "views/operators/operators_model.h"
#include "widgets/bar_delegate.h"
#include "widgets/empty_state.h"
#include "widgets/filter_bar.h"
#include "widgets/number_format.h"
#include "widgets/status_label.h"
#include "widgets/table_view.h"
#include "widgets/theme.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>
#include <QVBoxLayout>

namespace foresight {

OperatorsView::OperatorsView(SessionState& session, SelectionHub& selection, QWidget* parent)
    : QWidget(parent), m_session(session), m_selection(selection), m_model(new OperatorsModel(session, this)),
      m_proxy(new TableProxy(this)), m_filter(new FilterBar(this)), m_table(new TableView(this)),
      m_summary(new StatusLabel(this)), m_search(new QAction(tr("Search for a faster kernel"), this))
{
    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setAutoAcceptChildRows(true);
    m_filter->setPlaceholder(tr("Filter by name, module, shape or kernel"));
    m_filter->setProxy(m_proxy);

    m_table->setModel(m_proxy);
    m_table->setTree(true);
    m_table->setAccessibleName(tr("Operators by headroom"));
    auto* bars = new BarDelegate(m_table);
    m_table->setItemDelegateForColumn(OperatorsModel::Share, bars);
    m_table->setItemDelegateForColumn(OperatorsModel::Headroom, bars);
    m_table->setHiddenByDefault({OperatorsModel::P95, OperatorsModel::GpuTime});
    using M = OperatorsModel;
    m_table->setDefaultWidths({{M::Name, 38}, {M::Headroom, 15}, {M::Share, 11}, {M::TimesFloor, 10}, {M::Search, 27}, {M::Verdict, 16},
                               {M::Calls, 8}, {M::Mean, 13}, {M::Floor, 13}, {M::Shapes, 44}, {M::GpuTime, 14}, {M::P95, 13}});
    m_table->sortByColumn(OperatorsModel::Headroom, Qt::DescendingOrder);
    m_table->setSettingsKey(QStringLiteral("tables/operators"));
    m_summary->setWordWrap(true);

    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(m_filter);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_summary);

    auto* empty = new EmptyState(QStringLiteral("operators"), tr("No profile"),
                                 tr("Operators of a recorded model appear here, ranked by how much of their GPU time could be won back."),
                                 tr("Open a session…"), this);
    connect(empty, &EmptyState::actionTriggered, this, &OperatorsView::openRequested);
    m_stack = new EmptyStateStack(content, empty, this);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_stack);

    m_search->setIcon(themedIcon(QStringLiteral("search")));
    m_search->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
    m_search->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(m_search);
    connect(m_search, &QAction::triggered, this, [this] {
        if (current().valid())
            emit searchRequested(current());
    });
    connect(m_table, &TableView::contextMenuAboutToShow, this, [this](QMenu* menu) {
        QAction* first = menu->actions().value(0);
        menu->insertAction(first, m_search);
        menu->insertSeparator(first);
    });
    connect(m_table, &QAbstractItemView::activated, this, [this] { m_search->trigger(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (now.isValid())
            m_selection.setOperator(current());
        updateActions();
    });
    connect(&selection, &SelectionHub::operatorChanged, this, &OperatorsView::selectInTable);
    connect(&session, &SessionState::sessionChanged, this, &OperatorsView::sessionChanged);
    connect(&session, &SessionState::operatorChanged, this, &OperatorsView::updateActions);
    sessionChanged();
}

OperatorId OperatorsView::current() const
{
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? OperatorId(index.data(OperatorsModel::OperatorRole).toLongLong()) : OperatorId{};
}

void OperatorsView::selectInTable(OperatorId id)
{
    if (id == current())
        return;
    const QModelIndex index = m_proxy->mapFromSource(m_model->indexOf(id));
    if (index.isValid()) {
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
    }
}

void OperatorsView::updateActions()
{
    const OperatorId id = current();
    const OperatorMatch* match = id.valid() ? m_session.match(id) : nullptr;
    m_search->setEnabled(match && m_session.running() != id);
    if (!id.valid())
        m_search->setToolTip(tr("Select an operator first."));
    else if (!match)
        m_search->setToolTip(tr("No kernel family implements this operator."));
    else
        m_search->setToolTip(tr("Search the family %1 for %2").arg(match->family, match->problemKey));
}

void OperatorsView::sessionChanged()
{
    const auto& profile = m_session.session().profile;
    m_stack->setHasContent(profile.has_value());
    if (!profile) {
        updateActions();
        return;
    }
    const ProfileRecords& records = profile->records;
    const QString counts = tr("%1 records, %2 dropped, %3 untimed, %4 unmatched.")
                               .arg(formatCount(records.received), formatCount(records.dropped), formatCount(records.untimed),
                                    formatCount(records.unmatched));
    const std::string distrust = profile->distrust();
    QString text = QString::fromStdString(distrust);
    if (distrust.empty()) {
        text = tr("%1, %n step(s), %2 of GPU time", nullptr, static_cast<int>(profile->steps))
                   .arg(QString::fromStdString(profile->gpuName), formatTime(profile->gpuNs));
        if (profile->launchBoundNs > 0)
            text += tr(", %1 launch-bound").arg(formatTime(profile->launchBoundNs));
        text += QLatin1Char('.');
        if (records.dropped + records.untimed + records.unmatched > 0)
            text += QLatin1Char(' ') + counts;
    }
    if (profile->operators.empty())
        text = tr("No operator was recorded.") + QLatin1Char(' ') + text;
    // What the recorder had to say; of an empty profile it is all there is.
    for (const std::string& note : profile->notes)
        text += QLatin1Char('\n') + QString::fromStdString(note);
    const bool fine = distrust.empty() && profile->notes.empty() && !profile->operators.empty();
    m_summary->setStatus(fine ? StatusKind::Info : StatusKind::Warning, text, counts);
    const OperatorId top = m_session.topSearchable();
    if (top.valid())
        m_selection.setOperator(top);
    updateActions();
}

} // namespace foresight
