// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/key_value_table.h"

#include "widgets/theme.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace foresight {

namespace {

QIcon statusIcon(StatusKind kind, int side, qreal ratio)
{
    QPixmap pixmap(QSize(side, side) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintStatusGlyph(&painter, QRectF(0, 0, side, side), kind);
    return QIcon(pixmap);
}

} // namespace

KeyValueTable::KeyValueTable(QWidget* parent) : QTreeWidget(parent)
{
    setColumnCount(2);
    setHeaderLabels({tr("Name"), tr("Value")});
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(0);
    setAlternatingRowColors(true);
    setUniformRowHeights(true);
    setTextElideMode(Qt::ElideMiddle);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setAccessibleName(tr("Details"));
    header()->setSectionResizeMode(0, QHeaderView::Fixed);
    header()->setStretchLastSection(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // what does not fit is cut and in the tooltip
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &KeyValueTable::rebuild);
}

void KeyValueTable::setRows(const QVector<KeyValueRow>& rows)
{
    const bool sameKeys =
        rows.size() == m_rows.size() &&
        std::equal(rows.begin(), rows.end(), m_rows.begin(), [](const KeyValueRow& a, const KeyValueRow& b) {
            return a.key == b.key && a.heading == b.heading;
        });
    m_rows = rows;
    if (!sameKeys) {
        rebuild();
        return;
    }
    for (int i = 0; i < static_cast<int>(rows.size()); ++i)
        fill(topLevelItem(i), rows[i]);
}

void KeyValueTable::rebuild()
{
    clear();
    QList<QTreeWidgetItem*> items;
    for (const KeyValueRow& row : m_rows) {
        auto* item = new QTreeWidgetItem;
        fill(item, row);
        items.append(item);
    }
    addTopLevelItems(items);
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i)
        setFirstColumnSpanned(i, QModelIndex(), m_rows[i].heading);
    fitNames();
}

// As wide as the longest name, but never so wide that the values are squeezed out.
void KeyValueTable::fitNames()
{
    const int gap = fontMetrics().averageCharWidth() * 2, room = viewport()->width();
    int name = 0, value = 0;
    for (const KeyValueRow& row : m_rows) {
        if (row.heading)
            continue;
        name = std::max(name, fontMetrics().horizontalAdvance(row.key) + gap);
        value = std::max(value, fontMetrics().horizontalAdvance(row.value) + gap);
    }
    header()->resizeSection(0, std::min(name, std::max(room * 55 / 100, room - value)));
}

void KeyValueTable::resizeEvent(QResizeEvent* event)
{
    QTreeWidget::resizeEvent(event);
    fitNames();
}

void KeyValueTable::fill(QTreeWidgetItem* item, const KeyValueRow& row)
{
    const Theme& theme = currentTheme();
    item->setText(0, row.key);
    QFont font = this->font();
    font.setBold(row.heading);
    item->setFont(0, font);
    if (row.heading) {
        item->setFlags(Qt::ItemIsEnabled);
        return;
    }
    item->setForeground(0, theme.color(ColorRole::TextSecondary));
    item->setText(1, row.value);
    const QString toolTip = row.toolTip.isEmpty() ? row.value : row.toolTip;
    item->setToolTip(0, row.toolTip.isEmpty() ? row.key : row.toolTip);
    item->setToolTip(1, toolTip);
    if (row.status != StatusKind::Neutral) {
        item->setIcon(1, statusIcon(row.status, fontMetrics().height(), devicePixelRatioF()));
        item->setData(1, Qt::AccessibleTextRole, tr("%1: %2").arg(statusKindName(row.status), row.value));
    } else {
        item->setIcon(1, QIcon());
        item->setData(1, Qt::AccessibleTextRole, row.value);
    }
}

QString KeyValueTable::toText() const
{
    QString text;
    for (const KeyValueRow& row : m_rows)
        text += row.heading ? row.key + QLatin1Char('\n')
                            : row.key + QLatin1Char('\t') + row.value + QLatin1Char('\n');
    return text;
}

void KeyValueTable::copy(bool valueOnly)
{
    QString text;
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        if (!topLevelItem(i)->isSelected())
            continue;
        if (!text.isEmpty())
            text += QLatin1Char('\n');
        text += valueOnly ? m_rows[i].value : m_rows[i].key + QLatin1Char('\t') + m_rows[i].value;
    }
    QGuiApplication::clipboard()->setText(text.isEmpty() ? toText() : text);
}

void KeyValueTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy(false);
        event->accept();
        return;
    }
    QTreeWidget::keyPressEvent(event);
}

void KeyValueTable::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(themedIcon(QStringLiteral("copy")), tr("Copy Value"), this, [this] { copy(true); });
    menu.addAction(tr("Copy Name and Value"), this, [this] { copy(false); });
    menu.addAction(tr("Copy All"), this, [this] { QGuiApplication::clipboard()->setText(toText()); });
    menu.exec(event->globalPos());
}

void KeyValueTable::changeEvent(QEvent* event)
{
    QTreeWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        rebuild();
}

} // namespace foresight
