// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table_view.h"

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

// "kernel9" before "kernel10", whatever the case. QCollator does so in some locales only.
int naturalCompare(const QString& a, const QString& b)
{
    const auto digitsEnd = [](const QString& s, qsizetype i) {
        while (i < s.size() && s[i].isDigit())
            ++i;
        return i;
    };
    qsizetype i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i].isDigit() && b[j].isDigit()) {
            const qsizetype endA = digitsEnd(a, i), endB = digitsEnd(b, j);
            while (i + 1 < endA && a[i] == QLatin1Char('0'))
                ++i;
            while (j + 1 < endB && b[j] == QLatin1Char('0'))
                ++j;
            if (endA - i != endB - j)
                return endA - i < endB - j ? -1 : 1;
            for (; i < endA; ++i, ++j) {
                if (a[i] != b[j])
                    return a[i] < b[j] ? -1 : 1;
            }
            continue;
        }
        const QChar ca = a[i].toCaseFolded(), cb = b[j].toCaseFolded();
        if (ca != cb)
            return ca < cb ? -1 : 1;
        ++i;
        ++j;
    }
    return i < a.size() ? 1 : j < b.size() ? -1 : 0;
}

} // namespace

TableProxy::TableProxy(QObject* parent) : QSortFilterProxyModel(parent)
{
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
        const int order = naturalCompare(a.toString(), b.toString());
        if (order != 0)
            return order < 0;
    }
    // Ties keep the source's order, so that equal rows do not jump while data stream in.
    return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
}

} // namespace foresight
