// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of the profile (one row per shape bucket) with their kernels below. Thin: reads SessionState, returns raw
// values by SortRole and formatted text by DisplayRole; resets only when another session is opened.
#pragma once

#include "views/common/session_state.h"

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>

#include <memory>
#include <vector>

namespace foresight {

class OperatorsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Calls, GpuTime, Share, Mean, P95, Floor, TimesFloor, Headroom, Shapes, Search, Verdict, ColumnCount };
    enum Role { SortRole = Qt::UserRole + 1, BarRole /* 0..1 or invalid */, OperatorRole /* qint64 */ };

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

// Regex filter over name, path, shapes and kernels; numeric sort; keeps an operator whose kernel matches.
class OperatorsProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit OperatorsProxy(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
};

// "1x128x1024x1024 f16, 128 f16": what one call works on.
QString describeInputs(const OperatorDescription& description);

} // namespace foresight
