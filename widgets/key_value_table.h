// SPDX-License-Identifier: GPL-3.0-or-later
// Names and values in two columns with section headings: details of a node, an operator, a GPU. Values can be
// selected and copied (Ctrl+C, context menu). Setting the same keys again changes values in place: selection
// and scroll stay. GUI thread.
#pragma once

#include "widgets/status_label.h"

#include <QTreeWidget>
#include <QVector>

namespace foresight {

struct KeyValueRow
{
    QString key;
    QString value{};
    QString toolTip{};
    bool heading = false;                    // value is ignored
    StatusKind status = StatusKind::Neutral; // a glyph before the value unless Neutral
};

class KeyValueTable : public QTreeWidget
{
    Q_OBJECT
public:
    explicit KeyValueTable(QWidget* parent = nullptr);

    void setRows(const QVector<KeyValueRow>& rows);
    const QVector<KeyValueRow>& rows() const { return m_rows; }
    QString toText() const; // "key\tvalue" lines

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitNames();
    void rebuild();
    void fill(QTreeWidgetItem* item, const KeyValueRow& row);
    void copy(bool valueOnly);

    QVector<KeyValueRow> m_rows;
};

} // namespace foresight
