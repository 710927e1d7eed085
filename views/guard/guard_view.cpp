// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/guard/guard_view.h"

#include "views/common/operator_text.h"
#include "views/guard/guard_model.h"
#include "widgets/empty_state.h"
#include "widgets/interval_plot.h"
#include "widgets/table_view.h"

#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <limits>

namespace foresight {

GuardView::GuardView(SessionState& session, SelectionHub& selection, QWidget* parent)
    : QWidget(parent), m_session(session), m_selection(selection), m_model(new GuardModel(session, this)),
      m_plot(new IntervalPlot(this)), m_table(new TableView(this))
{
    auto* proxy = new TableProxy(this);
    proxy->setSourceModel(m_model);
    m_table->setModel(proxy);
    m_table->setAccessibleName(tr("Verdicts"));
    using M = GuardModel;
    m_table->setDefaultWidths({{M::Operator, 40}, {M::Decision, 13}, {M::Reason, 26}, {M::Speedup, 12}, {M::Interval, 20}, {M::Baseline, 16}, {M::Evidence, 48}});
    m_table->setSettingsKey(QStringLiteral("tables/guard"));
    m_plot->setAccessibleName(tr("Speedup intervals of searched operators"));
    m_plot->setExportName(QStringLiteral("verdicts"));

    auto* content = new QSplitter(Qt::Vertical, this);
    auto* scroll = new QScrollArea(this); // many verdicts must not stretch the window
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_plot);
    content->addWidget(scroll);
    content->addWidget(m_table);
    content->setChildrenCollapsible(false);
    content->setStretchFactor(0, 1);
    content->setStretchFactor(1, 1);
    auto* empty = new EmptyState(QStringLiteral("guard"), tr("No verdict yet"),
                                 tr("When a search ends, the guard decides here whether its best kernel may replace the original, and why."), {}, this);
    m_stack = new EmptyStateStack(content, empty, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(m_stack);

    connect(&session, &SessionState::verdictsChanged, this, &GuardView::update);
    connect(m_plot, &IntervalPlot::rowSelected, this, [this](qint64 id) { m_selection.setOperator(OperatorId(id)); });
    connect(&selection, &SelectionHub::operatorChanged, this, [this](OperatorId id) { m_plot->setSelected(id.value); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (now.isValid())
            m_selection.setOperator(OperatorId(now.data(GuardModel::OperatorRole).toLongLong()));
    });
    update();
}

void GuardView::update()
{
    QVector<IntervalRow> rows;
    double margin = 0.03;
    for (const OperatorVerdict& verdict : m_session.session().verdicts) {
        IntervalRow row;
        row.id = verdict.id.value;
        const ProfiledOperator* op = m_session.findOperator(verdict.id);
        row.label = op ? operatorTitle(*op) : tr("search %1").arg(verdict.search);
        if (verdict.speedup > 0)
            row.estimate = verdict.speedup;
        if (verdict.low > 0) {
            row.low = verdict.low;
            row.high = verdict.high;
        }
        row.verdict = verdict.deploy ? IntervalVerdict::Deploy : IntervalVerdict::FallBack;
        row.reason = verdict.deploy ? QString() : verdictReasonText(verdict.reason);
        margin = verdict.margin;
        rows.push_back(row);
    }
    m_plot->setRows(rows, 1 + margin);
    m_plot->setSelected(m_selection.operatorId().value);
    m_stack->setHasContent(!rows.isEmpty());
}

} // namespace foresight
