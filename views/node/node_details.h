// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate in words: the rows of the Node panel. Pure functions of the search state.
#pragma once

#include "views/common/search_state.h"
#include "widgets/key_value_table.h"

#include <QVector>

namespace foresight {

struct NodeHeadline {
    StatusKind kind = StatusKind::Neutral;
    QString text;
};
NodeHeadline nodeHeadline(const SearchState& search, const TreeNode& node);
QVector<KeyValueRow> nodeDetails(const SearchState& search, const TreeNode& node);
// "wrong result", "timed out", ... in the user's language.
QString outcomeText(Outcome outcome);

} // namespace foresight
