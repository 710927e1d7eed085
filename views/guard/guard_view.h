// SPDX-License-Identifier: GPL-3.0-or-later
// Guard panel: for each searched operator whether the best kernel may replace the original, with the interval against
// 1.0 and the margin, exactly one reason when not, and where the evidence comes from.
#pragma once

#include "views/common/selection_hub.h"
#include "views/common/session_state.h"

#include <QWidget>

namespace foresight {

class EmptyStateStack;
class GuardModel;
class IntervalPlot;
class TableView;

class GuardView : public QWidget {
    Q_OBJECT
public:
    GuardView(SessionState& session, SelectionHub& selection, QWidget* parent = nullptr);

    IntervalPlot* plot() const { return m_plot; }
    TableView* table() const { return m_table; }

private:
    void update();

    SessionState& m_session;
    SelectionHub& m_selection;
    GuardModel* m_model;
    IntervalPlot* m_plot;
    TableView* m_table;
    EmptyStateStack* m_stack;
};

} // namespace foresight
