// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of the profile (one row per shape bucket) with their kernels below. Thin: reads SessionState, returns raw
// values by SortRole (widgets/table_view.h) and formatted text by DisplayRole; resets only when another session is opened.
#pragma once

#include "views/common/session_state.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace foresight {

class OperatorsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    // In the order shown: what decides first.
    enum Column { Name, Headroom, Share, TimesFloor, Search, Verdict, Calls, Mean, Floor, Shapes, GpuTime, P95, ColumnCount };
    enum Role { OperatorRole = Qt::UserRole + 1 /* qint64 */ }; // beside widgets' TableRole

    explicit OperatorsModel(SessionState& state, QObject* parent = nullptr);
    ~OperatorsModel() override;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    QModelIndex indexOf(OperatorId id) const;

private:
    struct Node; // what an index points to (a packed number would collide in Qt's index hash)
    void rebuild();
    void refresh(OperatorId id);
    QVariant operatorData(const ProfiledOperator& op, int column, int role) const;
    QVariant kernelData(const ProfiledOperator& op, const ProfiledKernel& kernel, int column, int role) const;

    SessionState& m_state;
    std::vector<std::unique_ptr<Node>> m_roots;
    double m_maxHeadroomNs = 0;
};

} // namespace foresight
