// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table_view.h"

#include <QCollator>

#include <cmath>

namespace foresight {

namespace {

QVariant sortValue(const QModelIndex& index)
{
    const QVariant value = index.data(SortRole);
    return value.isValid() ? value : index.data(Qt::DisplayRole);
}

bool isUnknown(const QVariant& value)
{
    if (!value.isValid() || value.isNull())
        return true;
    if (value.userType() == QMetaType::Double || value.userType() == QMetaType::Float)
        return std::isnan(value.toDouble());
    return value.userType() == QMetaType::QString && value.toString().isEmpty();
}

} // namespace

TableProxy::TableProxy(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortLocaleAware(true);
    setDynamicSortFilter(true);
}

bool TableProxy::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QRegularExpression expression = filterRegularExpression();
    if (expression.pattern().isEmpty())
        return true;
    const QAbstractItemModel* model = sourceModel();
    const int columns = model->columnCount(parent);
    for (int column = 0; column < columns; ++column) {
        const QModelIndex index = model->index(row, column, parent);
        QString text = index.data(CopyRole).toString();
        if (text.isEmpty())
            text = index.data(Qt::DisplayRole).toString();
        if (expression.match(text).hasMatch())
            return true;
    }
    return false;
}

bool TableProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = sortValue(left), b = sortValue(right);
    const bool unknownA = isUnknown(a), unknownB = isUnknown(b);
    if (unknownA || unknownB) {
        if (unknownA && unknownB)
            return left.row() < right.row();
        // Unknown values stay at the end whichever way the column is sorted.
        return sortOrder() == Qt::AscendingOrder ? unknownB : unknownA;
    }
    if (a.userType() != QMetaType::QString && b.userType() != QMetaType::QString) {
        const QPartialOrdering order = QVariant::compare(a, b);
        if (order == QPartialOrdering::Less)
            return true;
        if (order == QPartialOrdering::Greater)
            return false;
    } else {
        static const QCollator collator = [] {
            QCollator c;
            c.setNumericMode(true);
            c.setCaseSensitivity(Qt::CaseInsensitive);
            return c;
        }();
        const int order = collator.compare(a.toString(), b.toString());
        if (order != 0)
            return order < 0;
    }
    // Ties keep the source's order, so that equal rows do not jump while data stream in.
    return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
}

} // namespace foresight
