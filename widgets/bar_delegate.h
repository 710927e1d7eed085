// SPDX-License-Identifier: GPL-3.0-or-later
// Draws share and headroom bars in table cells behind the number (BarRole 0..1), in the theme's colours; the
// text keeps its contrast. Cells without BarRole look as usual. GUI thread.
#pragma once

#include <QStyledItemDelegate>

namespace foresight {

class BarDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit BarDelegate(QObject* parent = nullptr);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The default delegate of TableView: right-aligns numbers, elides in the middle, shortens nothing else.
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit CellDelegate(QObject* parent = nullptr);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace foresight
