// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/histogram8.h"

#include "widgets/selection_keys.h"
#include "widgets/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace foresight {

HistogramGrid::HistogramGrid(QWidget* parent) : PlotWidget(parent), m_cutText(tr("skipped from here on"))
{
    setAccessibleName(tr("Forecasts of the siblings"));
    setExportName(QStringLiteral("siblings"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void HistogramGrid::setItems(const QVector<HistogramItem>& items, const QString& cutText)
{
    m_items = items;
    if (!cutText.isEmpty())
        m_cutText = cutText;
    updateGeometry();
    setMinimumHeight(heightForWidth(width()));
    dataChanged();
}

void HistogramGrid::setSelected(qint64 id)
{
    if (m_selected == id)
        return;
    m_selected = id;
    dataChanged();
}

int HistogramGrid::columnsFor(int width) const
{
    return std::max(1, width / (fontMetrics().height() * 9));
}

QSize HistogramGrid::cellSize(int width) const
{
    return {width / columnsFor(width), fontMetrics().height() * 6};
}

int HistogramGrid::cutIndex() const
{
    for (int i = 0; i < static_cast<int>(m_items.size()); ++i) {
        if (!m_items[i].chosen)
            return i;
    }
    return static_cast<int>(m_items.size());
}

QRect HistogramGrid::itemRectFor(int index, int width) const
{
    const QSize cell = cellSize(width);
    const int columns = columnsFor(width), cut = cutIndex();
    // Skipped ones start on a row of their own under the cut line.
    const bool below = cut > 0 && index >= cut;
    const int rowsAbove = cut > 0 ? (cut + columns - 1) / columns : 0;
    const int cutHeight = below ? fontMetrics().height() + 8 : 0;
    const int position = below ? index - cut : index;
    const int row = position / columns + (below ? rowsAbove : 0);
    return {QPoint(position % columns * cell.width(), row * cell.height() + cutHeight), cell};
}

QRect HistogramGrid::itemRect(int index) const
{
    return itemRectFor(index, width());
}

int HistogramGrid::heightForWidth(int width) const
{
    if (m_items.isEmpty())
        return fontMetrics().height() * 4;
    return itemRectFor(static_cast<int>(m_items.size()) - 1, std::max(width, 1)).bottom() + 1;
}

QSize HistogramGrid::sizeHint() const
{
    const int width = fontMetrics().height() * 36;
    return {width, heightForWidth(width)};
}

QSize HistogramGrid::minimumSizeHint() const
{
    return {fontMetrics().height() * 9, fontMetrics().height() * 6};
}

void HistogramGrid::resizeEvent(QResizeEvent* event)
{
    PlotWidget::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

void HistogramGrid::paintItems(QPainter* painter, int width, const QRect& clip) const
{
    const Theme& theme = currentTheme();
    painter->setFont(font());
    if (m_items.isEmpty()) {
        painter->setPen(theme.color(ColorRole::TextSecondary));
        painter->drawText(QRect(0, 0, width, fontMetrics().height() * 4), Qt::AlignCenter,
                          tr("No siblings with forecasts"));
        return;
    }
    const int em = fontMetrics().height();
    for (int i = 0; i < static_cast<int>(m_items.size()); ++i) {
        const QRect cell = itemRectFor(i, width);
        if (!cell.intersects(clip))
            continue;
        const HistogramItem& item = m_items[i];
        const QRect inner = cell.adjusted(3, 3, -3, -3);
        const bool selected = item.id == m_selected;
        painter->setPen(QPen(theme.color(selected ? ColorRole::Accent : ColorRole::Grid), selected ? 2 : 1,
                             item.chosen ? Qt::SolidLine : Qt::DashLine));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(inner);
        const QRect caption(inner.left() + 4, inner.top() + 2, inner.width() - 8, em + 2);
        painter->setPen(theme.color(ColorRole::Text));
        QString text = item.caption;
        if (item.audit)
            text += QStringLiteral(" ") + tr("(audit)");
        painter->drawText(caption, Qt::AlignLeft | Qt::AlignVCenter,
                          fontMetrics().elidedText(text, Qt::ElideMiddle, caption.width()));
        paintHistogram(painter, QRectF(inner.adjusted(0, em + 2, 0, 0)), item.data, true, font());
    }
    const int cut = cutIndex();
    if (cut > 0 && cut < static_cast<int>(m_items.size())) {
        const int y = itemRectFor(cut, width).top() - em / 2 - 4;
        const int textWidth = fontMetrics().horizontalAdvance(m_cutText) + 12;
        painter->setPen(QPen(theme.color(ColorRole::Threshold), 2, Qt::DashLine));
        painter->drawLine(textWidth, y, width - 4, y);
        painter->setPen(theme.color(ColorRole::Threshold));
        painter->drawText(QRect(6, y - em / 2 - 2, textWidth, em + 4), Qt::AlignLeft | Qt::AlignVCenter,
                          m_cutText);
    }
}

void HistogramGrid::render(QPainter* painter, const QSize& size) const
{
    painter->fillRect(QRect(QPoint(), size), currentTheme().color(ColorRole::Base));
    paintItems(painter, size.width(), QRect(QPoint(), size));
}

void HistogramGrid::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), currentTheme().color(ColorRole::Base));
    paintItems(&painter, width(), event->rect());
    drawFocusFrame(&painter);
}

int HistogramGrid::indexAt(const QPoint& pos) const
{
    for (int i = 0; i < static_cast<int>(m_items.size()); ++i) {
        if (itemRect(i).contains(pos))
            return i;
    }
    return -1;
}

int HistogramGrid::selectedIndex() const
{
    for (int i = 0; i < static_cast<int>(m_items.size()); ++i) {
        if (m_items[i].id == m_selected)
            return i;
    }
    return -1;
}

void HistogramGrid::select(int index)
{
    if (index < 0 || index >= static_cast<int>(m_items.size()) || m_items[index].id == m_selected)
        return;
    setSelected(m_items[index].id);
    emit itemSelected(m_selected);
}

void HistogramGrid::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        PlotWidget::mousePressEvent(event);
        return;
    }
    select(indexAt(event->pos()));
}

void HistogramGrid::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int index = indexAt(event->pos());
    if (index >= 0)
        emit itemActivated(m_items[index].id);
}

void HistogramGrid::keyPressEvent(QKeyEvent* event)
{
    const int current = selectedIndex(), count = static_cast<int>(m_items.size());
    if (const auto moved = movedSelection(event->key(), current, count, columnsFor(width())))
        select(*moved);
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && current >= 0)
        emit itemActivated(m_selected);
    else
        PlotWidget::keyPressEvent(event);
}

bool HistogramGrid::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = indexAt(help->pos());
        if (index >= 0)
            QToolTip::showText(help->globalPos(), describeHistogram(m_items[index].data), this,
                               itemRect(index));
        else
            QToolTip::hideText();
        return true;
    }
    return PlotWidget::event(event);
}

QString HistogramGrid::toCsv() const
{
    QString text =
        QStringLiteral("id,caption,chosen,audit,score,p1,p2,p3,p4,p5,p6,p7,p8,fails,wrong,measured_bin\n");
    for (const HistogramItem& item : m_items) {
        text += QStringLiteral("%1,\"%2\",%3,%4,%5")
                    .arg(QString::number(item.id),
                         QString(item.caption).replace(QLatin1Char('"'), QStringLiteral("\"\"")),
                         QString::number(item.chosen), QString::number(item.audit),
                         QString::number(item.score, 'g', 10));
        for (double p : item.data.probabilities)
            text += QLatin1Char(',') + QString::number(p, 'g', 10);
        text +=
            QStringLiteral(",%1,%2,%3\n")
                .arg(QString::number(item.data.failsToRun, 'g', 10),
                     QString::number(item.data.wrongResult, 'g', 10), QString::number(item.data.measuredBin));
    }
    return text;
}

QString HistogramGrid::describe() const
{
    if (m_items.isEmpty())
        return tr("No siblings with forecasts.");
    QString text = tr("%n forecast(s) of siblings,", nullptr, static_cast<int>(m_items.size())) +
                   QLatin1Char(' ') + tr("%n of them chosen for measuring.", nullptr, cutIndex());
    const int index = selectedIndex();
    if (index >= 0)
        text += QLatin1Char(' ') + tr("Selected: %1").arg(describeHistogram(m_items[index].data));
    return text;
}

} // namespace foresight
