// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bar_delegate.h"

#include "widgets/table_view.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

bool isNumber(const QVariant& value)
{
    switch (value.userType()) {
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Double:
    case QMetaType::Float:
        return true;
    default:
        return false;
    }
}

// Numeric columns are right-aligned unless the model says otherwise.
void alignNumbers(QStyleOptionViewItem* option, const QModelIndex& index)
{
    if (index.data(Qt::TextAlignmentRole).isValid())
        return;
    if (isNumber(index.data(SortRole)) || isNumber(index.data(Qt::DisplayRole)) ||
        isNumber(index.data(RawRole)))
        option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
}

} // namespace

CellDelegate::CellDelegate(QObject* parent) : QStyledItemDelegate(parent) {}

void CellDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    alignNumbers(option, index);
    option->textElideMode = Qt::ElideMiddle;
}

BarDelegate::BarDelegate(QObject* parent) : QStyledItemDelegate(parent) {}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem cell(option);
    initStyleOption(&cell, index);
    alignNumbers(&cell, index);
    cell.textElideMode = Qt::ElideMiddle;
    const QVariant value = index.data(BarRole);
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    bool ok = false;
    const double share = value.toDouble(&ok);
    if (!ok || !std::isfinite(share)) {
        style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
        return;
    }
    const Theme& theme = currentTheme();
    const int role = index.data(BarColorRole).isValid() ? index.data(BarColorRole).toInt()
                                                        : static_cast<int>(ColorRole::Bar);
    const bool selected = cell.state & QStyle::State_Selected;
    const QString text = cell.text;
    cell.text.clear();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);

    // A pale fill keeps the text readable; the solid line under it carries the 3:1 contrast of the bar
    // itself.
    const QRectF area = QRectF(option.rect).adjusted(2, 2, -2, -2);
    const double width = area.width() * std::clamp(share, 0.0, 1.0);
    if (width > 0) {
        const bool rightToLeft = option.direction == Qt::RightToLeft;
        QRectF bar(rightToLeft ? area.right() - width : area.left(), area.top(), std::max(width, 1.0),
                   area.height());
        const auto barRole = static_cast<ColorRole>(std::clamp(role, 0, kColorRoleCount - 1));
        const QColor solid = selected ? theme.color(ColorRole::AccentText) : theme.color(barRole);
        painter->save();
        if (!selected)
            painter->fillRect(bar, theme.fill(barRole, theme.isDark() ? 0.28 : 0.20));
        bar.setTop(bar.bottom() - 2);
        painter->fillRect(bar, solid);
        painter->restore();
    }
    painter->save();
    painter->setFont(cell.font);
    const QPalette::ColorGroup group = !(cell.state & QStyle::State_Enabled)  ? QPalette::Disabled
                                       : !(cell.state & QStyle::State_Active) ? QPalette::Inactive
                                                                              : QPalette::Active;
    painter->setPen(cell.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text));
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &cell, cell.widget) + 1;
    const QRect textRect = option.rect.adjusted(margin, 0, -margin, 0);
    painter->drawText(textRect, static_cast<int>(cell.displayAlignment) | Qt::TextSingleLine,
                      cell.fontMetrics.elidedText(text, Qt::ElideMiddle, textRect.width()));
    painter->restore();
}

QSize BarDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(std::max(size.height(), option.fontMetrics.height() + 6));
    return size;
}

} // namespace foresight
