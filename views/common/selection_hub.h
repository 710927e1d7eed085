// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, shared by all panels: one operator and one node of the current search. Panels set it and listen
// to it; they never talk to each other. GUI thread only. Setting the value it already has emits nothing.
#pragma once

#include "core/base/ids.h"

#include <QObject>

namespace foresight {

class SelectionHub : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    OperatorId operatorId() const { return m_operator; }
    NodeId node() const { return m_node; }
    void setOperator(OperatorId id);
    void setNode(NodeId id);

signals:
    void operatorChanged(foresight::OperatorId id);
    void nodeChanged(foresight::NodeId id);

private:
    OperatorId m_operator;
    NodeId m_node;
};

} // namespace foresight
