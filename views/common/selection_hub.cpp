// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/selection_hub.h"

namespace foresight {

void SelectionHub::setOperator(OperatorId id)
{
    if (id == m_operator)
        return;
    m_operator = id;
    emit operatorChanged(id);
}

void SelectionHub::setNode(NodeId id)
{
    if (id == m_node)
        return;
    m_node = id;
    emit nodeChanged(id);
}

} // namespace foresight
