// SPDX-License-Identifier: GPL-3.0-or-later
// Search tree panel: the canvas fed with what changed since the last refresh, find by id or parameter, colouring, and
// the run controls' state in words.
#pragma once

#include "views/common/lazy_panel.h"
#include "views/common/search_state.h"
#include "views/common/selection_hub.h"

#include <vector>

class QComboBox;
class QLineEdit;
class QToolBar;

namespace foresight {

struct CanvasNode;
class EmptyStateStack;
class StatusLabel;
class TreeCanvas;

class SearchTreeView : public LazyPanel {
    Q_OBJECT
public:
    SearchTreeView(SearchState& search, SelectionHub& selection, QWidget* parent = nullptr);

    TreeCanvas* canvas() const { return m_canvas; }
    QLineEdit* findBox() const { return m_find; }
    QToolBar* toolBar() const { return m_toolBar; } // the app adds run controls

signals:
    void searchRequested(); // from the empty state

protected:
    void refresh() override;

private:
    CanvasNode canvasNode(const TreeNode& node) const;
    void updateStatus();
    void find(const QString& text);

    SearchState& m_search;
    SelectionHub& m_selection;
    QToolBar* m_toolBar;
    TreeCanvas* m_canvas;
    QLineEdit* m_find;
    QComboBox* m_colour;
    StatusLabel* m_status;
    EmptyStateStack* m_stack;
    std::int64_t m_shownSeq = 0; // events up to here are in the canvas
    std::vector<NodeId> m_shownParents; // by node: a ghost moves when another node's expansion chooses it
};

} // namespace foresight
