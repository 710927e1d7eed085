// SPDX-License-Identifier: GPL-3.0-or-later
// Operators panel: filterable table of operators by headroom, with the actions one can take on them. Asks for a search
// by signal; the app decides how to run it.
#pragma once

#include "views/common/selection_hub.h"
#include "views/common/session_state.h"

#include <QWidget>

class QAction;

namespace foresight {

class EmptyStateStack;
class FilterBar;
class OperatorsModel;
class StatusLabel;
class TableProxy;
class TableView;

class OperatorsView : public QWidget {
    Q_OBJECT
public:
    OperatorsView(SessionState& session, SelectionHub& selection, QWidget* parent = nullptr);

    OperatorsModel* model() const { return m_model; }
    TableView* table() const { return m_table; }
    FilterBar* filter() const { return m_filter; }

signals:
    void searchRequested(foresight::OperatorId id);
    void openRequested(); // from the empty state

private:
    void sessionChanged();
    void selectInTable(OperatorId id);
    void updateActions();
    OperatorId current() const;

    SessionState& m_session;
    SelectionHub& m_selection;
    OperatorsModel* m_model;
    TableProxy* m_proxy;
    FilterBar* m_filter;
    TableView* m_table;
    StatusLabel* m_summary;
    EmptyStateStack* m_stack;
    QAction* m_search;
};

} // namespace foresight
