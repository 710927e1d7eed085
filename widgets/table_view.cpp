// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table_view.h"

#include "widgets/bar_delegate.h"
#include "widgets/theme.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QToolTip>

#include <algorithm>

namespace foresight {

namespace {

constexpr int kColumnsVersion = 2; // raise when the columns of a table change their meaning

// Tooltips break where they like only as rich text; foreign text is escaped, and a limit keeps them on the
// screen.
QString toolTipHtml(QString text)
{
    constexpr int kLimit = 1500;
    if (text.size() > kLimit)
        text = text.left(kLimit) + QStringLiteral("…");
    return QStringLiteral("<p style='white-space:pre-wrap'>") + text.toHtmlEscaped() + QStringLiteral("</p>");
}

} // namespace

TableView::TableView(QWidget* parent) : QTreeView(parent)
{
    setUniformRowHeights(true);
    setRootIsDecorated(false);
    setItemsExpandable(true);
    setAllColumnsShowFocus(true);
    setAlternatingRowColors(true);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    // The model's own order until someone sorts.
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    setSortingEnabled(true);
    setTextElideMode(Qt::ElideMiddle);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setItemDelegate(new CellDelegate(this));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    header()->setSectionsMovable(true);
    header()->setStretchLastSection(true);
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header(), &QHeaderView::customContextMenuRequested, this, &TableView::showColumnMenu);
    connect(&ThemeManager::instance(), &ThemeManager::changed, viewport(), qOverload<>(&QWidget::update));
}

TableView::~TableView()
{
    saveColumns();
}

void TableView::setTree(bool on)
{
    setRootIsDecorated(on);
}

void TableView::setModel(QAbstractItemModel* model)
{
    QTreeView::setModel(model);
    if (!m_key.isEmpty())
        restoreColumns();
}

void TableView::setHiddenByDefault(const QList<int>& columns)
{
    m_hiddenByDefault = columns;
    if (model()) {
        for (int column : columns)
            setColumnHidden(column, true);
    }
}

void TableView::setDefaultWidths(const QHash<int, int>& characters)
{
    m_defaultWidths = characters;
    if (model()) {
        for (auto it = characters.begin(); it != characters.end(); ++it)
            applyDefaultWidth(it.key());
    }
}

void TableView::applyDefaultWidth(int column)
{
    const auto wanted = m_defaultWidths.constFind(column);
    if (wanted == m_defaultWidths.constEnd())
        resizeColumnToContents(column);
    else
        header()->resizeSection(
            column, std::max(header()->sectionSizeHint(column), *wanted * fontMetrics().averageCharWidth()));
}

void TableView::setSettingsKey(const QString& key)
{
    m_key = key;
    restoreColumns();
}

void TableView::restoreColumns()
{
    if (!model() || m_key.isEmpty())
        return;
    QSettings settings;
    settings.beginGroup(QStringLiteral("columns/") + m_key);
    // A model whose columns changed since must not be restored into the wrong order.
    if (settings.value(QStringLiteral("version")).toInt() == kColumnsVersion &&
        settings.value(QStringLiteral("count")).toInt() == model()->columnCount())
        header()->restoreState(settings.value(QStringLiteral("state")).toByteArray());
    // No column may be left that cannot be seen at all.
    if (visibleColumns().isEmpty())
        resetColumns();
}

void TableView::saveColumns()
{
    if (m_key.isEmpty() || !model())
        return;
    QSettings settings;
    settings.beginGroup(QStringLiteral("columns/") + m_key);
    settings.setValue(QStringLiteral("version"), kColumnsVersion);
    settings.setValue(QStringLiteral("count"), model()->columnCount());
    settings.setValue(QStringLiteral("state"), header()->saveState());
}

void TableView::resetColumns()
{
    if (!model())
        return;
    for (int column = 0; column < model()->columnCount(); ++column) {
        header()->moveSection(header()->visualIndex(column), column);
        setColumnHidden(column, m_hiddenByDefault.contains(column));
        if (!isColumnHidden(column))
            applyDefaultWidth(column);
    }
    saveColumns();
}

QList<int> TableView::visibleColumns() const
{
    QList<int> columns;
    if (!model())
        return columns;
    for (int visual = 0; visual < header()->count(); ++visual) {
        const int logical = header()->logicalIndex(visual);
        if (!isColumnHidden(logical))
            columns.append(logical);
    }
    return columns;
}

QModelIndexList TableView::rowsToCopy() const
{
    QModelIndexList rows;
    if (!model())
        return rows;
    if (selectionModel() && selectionModel()->hasSelection()) {
        rows = selectionModel()->selectedRows();
        // In the order seen, not in the order clicked.
        QHash<QModelIndex, int> order;
        int i = 0;
        for (QModelIndex index = model()->index(0, 0); index.isValid(); index = indexBelow(index))
            order.insert(index.siblingAtColumn(0), i++);
        std::stable_sort(rows.begin(), rows.end(), [&order](const QModelIndex& a, const QModelIndex& b) {
            return order.value(a.siblingAtColumn(0), INT_MAX) < order.value(b.siblingAtColumn(0), INT_MAX);
        });
        return rows;
    }
    for (QModelIndex index = model()->index(0, 0); index.isValid(); index = indexBelow(index))
        rows.append(index.siblingAtColumn(0));
    return rows;
}

QString TableView::copyText(CopyFormat format) const
{
    return model() ? formatRows(model(), rowsToCopy(), visibleColumns(), format) : QString();
}

void TableView::copySelection(CopyFormat format)
{
    QGuiApplication::clipboard()->setText(copyText(format));
}

void TableView::fillColumnMenu(QMenu* menu)
{
    const QList<int> visible = visibleColumns();
    for (int column = 0; column < model()->columnCount(); ++column) {
        QAction* action = menu->addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        // The first column holds the tree, and one column must stay.
        action->setEnabled(isColumnHidden(column) ||
                           (visible.size() > 1 && !(column == 0 && rootIsDecorated())));
        connect(action, &QAction::toggled, this, [this, column](bool on) {
            setColumnHidden(column, !on);
            if (on)
                applyDefaultWidth(column);
            saveColumns();
        });
    }
    menu->addSeparator();
    menu->addAction(tr("Reset Columns"), this, &TableView::resetColumns);
}

void TableView::showColumnMenu(const QPoint& pos)
{
    if (!model())
        return;
    QMenu menu(this);
    fillColumnMenu(&menu);
    menu.exec(header()->mapToGlobal(pos));
}

void TableView::contextMenuEvent(QContextMenuEvent* event)
{
    if (!model())
        return;
    QModelIndex index = indexAt(event->pos());
    QPoint globalPos = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        index = currentIndex();
        globalPos = viewport()->mapToGlobal(visualRect(index).bottomLeft());
    }
    QMenu menu(this);
    emit contextMenuAboutToShow(&menu, index);
    if (!menu.isEmpty())
        menu.addSeparator();
    if (index.isValid()) {
        const QVariant full =
            index.data(CopyRole).isValid() ? index.data(CopyRole) : index.data(Qt::DisplayRole);
        menu.addAction(themedIcon(QStringLiteral("copy")), tr("Copy Cell"), this,
                       [text = full.toString()] { QGuiApplication::clipboard()->setText(text); });
    }
    const bool some = selectionModel() && selectionModel()->hasSelection();
    QMenu* copy = menu.addMenu(some ? tr("Copy Selected Rows As") : tr("Copy All Rows As"));
    copy->addAction(QStringLiteral("CSV"), this, [this] { copySelection(CopyFormat::Csv); });
    copy->addAction(QStringLiteral("Markdown"), this, [this] { copySelection(CopyFormat::Markdown); });
    copy->addAction(QStringLiteral("JSON"), this, [this] { copySelection(CopyFormat::JsonText); });
    QMenu* columns = menu.addMenu(themedIcon(QStringLiteral("columns")), tr("Columns"));
    fillColumnMenu(columns);
    menu.exec(globalPos);
}

void TableView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection(CopyFormat::Plain);
        event->accept();
        return;
    }
    QTreeView::keyPressEvent(event);
}

bool TableView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && model()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QModelIndex index = indexAt(help->pos());
        QString text = index.data(Qt::ToolTipRole).toString();
        if (text.isEmpty()) {
            // The full text, when the cell cannot show all of it or shows a shortened name.
            const QString shown = index.data(Qt::DisplayRole).toString();
            const QString full = index.data(CopyRole).isValid() ? index.data(CopyRole).toString() : shown;
            const int room = visualRect(index).width() - fontMetrics().averageCharWidth();
            if (full != shown || fontMetrics().horizontalAdvance(shown) > room)
                text = full;
        }
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), toolTipHtml(text), viewport(), visualRect(index));
        return true;
    }
    return QTreeView::viewportEvent(event);
}

} // namespace foresight
