// SPDX-License-Identifier: GPL-3.0-or-later
// Node panel: everything known of one candidate: what it is, what was forecast and measured, why it was chosen (PUCT
// terms of every competitor when its parent was selected), its source, and the compiler's and verifier's reports.
#pragma once

#include "views/common/lazy_panel.h"
#include "views/common/search_state.h"
#include "views/common/selection_hub.h"

#include <functional>

class QStandardItemModel;
class QTabWidget;

namespace foresight {

class EmptyStateStack;
class KeyValueTable;
class SourceView;
class StatusLabel;
class TableView;

class NodeView : public LazyPanel {
    Q_OBJECT
public:
    // Asks for the source of a candidate; `done` is called later, in the GUI thread, with an empty text when it has
    // none (imported spaces). A request may stay unanswered when another one follows.
    using SourceDone = std::function<void(const QString& source)>;
    using SourceProvider = std::function<void(const ProposedPayload& candidate, SourceDone done)>;

    NodeView(SearchState& search, SelectionHub& selection, QWidget* parent = nullptr);
    void setSourceProvider(SourceProvider provider);

    QTabWidget* tabs() const { return m_tabs; }
    KeyValueTable* details() const { return m_details; }
    TableView* whyTable() const { return m_why; }

protected:
    void refresh() override;

private:
    void refreshWhy(const TreeNode& node);
    void refreshLog(const TreeNode& node);
    void refreshTab();
    void requestSource();
    void showSource(const QString& source);

    SearchState& m_search;
    SelectionHub& m_selection;
    SourceProvider m_source;
    StatusLabel* m_title;
    QTabWidget* m_tabs;
    KeyValueTable* m_details;
    TableView* m_why;
    QStandardItemModel* m_whyModel;
    SourceView* m_sourceView;
    SourceView* m_logView;
    EmptyStateStack* m_stack;
    NodeId m_shown, m_whyShown, m_sourceShown, m_logShown; // what the parts show; those of hidden tabs wait
    NodeState m_shownState = NodeState::Root;
};

} // namespace foresight
