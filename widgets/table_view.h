// SPDX-License-Identifier: GPL-3.0-or-later
// The table (and tree) used everywhere: sorting, column chooser, widths/order/visibility remembered under a
// key, rows copied as CSV, Markdown or JSON, numbers right-aligned, long texts elided in the middle with the
// full text in the tooltip. Uniform row heights (100k rows stay fast). Models give raw values by the roles
// below. GUI thread.
#pragma once

#include <QHash>
#include <QSortFilterProxyModel>
#include <QTreeView>

class QMenu;

namespace foresight {

enum TableRole {
    SortRole = Qt::UserRole + 1000, // what sorting compares; DisplayRole when invalid
    CopyRole,                       // full text for copying and tooltips; DisplayRole when invalid
    BarRole,                        // double 0..1: a bar in the cell (BarDelegate)
    BarColorRole,                   // int(ColorRole) of that bar; default ColorRole::Bar
    RawRole,                        // the number behind the text, for JSON
};

enum class CopyFormat : quint8 { Csv, Markdown, JsonText, Plain };

// Filters on every column (full text, CopyRole) and sorts by SortRole; numbers sort as numbers, unknown ones
// last in both orders.
class TableProxy : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit TableProxy(QObject* parent = nullptr);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

class TableView : public QTreeView
{
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);
    ~TableView() override;

    // Where widths, order, visibility and sorting are kept (QSettings); call after setModel. Empty: not kept.
    void setSettingsKey(const QString& key);
    // Back to the columns as the model gives them.
    void resetColumns();
    // Columns hidden until someone shows them; call before setSettingsKey.
    void setHiddenByDefault(const QList<int>& columns);
    // Widths in characters (a header always fits) until someone changes them; other columns keep Qt's. Call
    // before setSettingsKey.
    void setDefaultWidths(const QHash<int, int>& characters);
    // Hierarchical models: shows expanders.
    void setTree(bool on);

    // The selected rows (all when nothing is selected) with the visible columns in their visual order.
    QString copyText(CopyFormat format) const;
    void setModel(QAbstractItemModel* model) override;

public slots:
    void copySelection(CopyFormat format = CopyFormat::Plain);
    void saveColumns();

signals:
    // Before the context menu opens; views add their actions on top.
    void contextMenuAboutToShow(QMenu* menu, const QModelIndex& index);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void showColumnMenu(const QPoint& pos);
    void fillColumnMenu(QMenu* menu);
    void restoreColumns();
    void applyDefaultWidth(int column);
    QModelIndexList rowsToCopy() const;
    QList<int> visibleColumns() const;

    QString m_key;
    QList<int> m_hiddenByDefault;
    QHash<int, int> m_defaultWidths;
};

// The text of any model's rows in that format; used by TableView and by exports without a window.
QString formatRows(const QAbstractItemModel* model, const QModelIndexList& rows, const QList<int>& columns,
                   CopyFormat format);

} // namespace foresight
