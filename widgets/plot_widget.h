// SPDX-License-Identifier: GPL-3.0-or-later
// What every plot of ours can do: be exported as PNG, SVG or PDF, have its data copied as CSV, say in words
// what it shows (screen readers, tooltips), and follow the theme. Subclasses paint into any QPainter and
// describe themselves. GUI thread only. Export fails with a message for people (path, cause).
#pragma once

#include <QWidget>

class QMenu;
class QPainter;

namespace foresight {

class PlotWidget : public QWidget
{
    Q_OBJECT
public:
    explicit PlotWidget(QWidget* parent = nullptr);

    // The data shown, one header line, "." as decimal point (files are for programs).
    virtual QString toCsv() const = 0;
    // One to three sentences in the user's language: what is shown and what stands out.
    virtual QString describe() const = 0;
    // Paints the plot alone (no selection frame) into a rectangle of this size, in logical pixels.
    virtual void render(QPainter* painter, const QSize& size) const = 0;

    // By suffix: .png (at `scale`), .svg, .pdf. Returns an empty string or what went wrong.
    QString exportTo(const QString& path, double scale = 2.0);
    void copyCsv() const;

    // A base name proposed in the save dialog, without suffix.
    void setExportName(const QString& name) { m_exportName = name; }
    QString exportName() const { return m_exportName; }

    // "Copy data as CSV", "Copy picture", "Export..."; views may add these to a menu of their own.
    void addPlotActions(QMenu* menu);

signals:
    // Before the context menu opens; views add their actions here.
    void contextMenuAboutToShow(QMenu* menu);
    void exportFailed(const QString& message);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    // Call after the data changed: updates the accessible text and repaints.
    void dataChanged();
    // Called when the theme or font changed.
    virtual void themeChanged();
    void changeEvent(QEvent* event) override;
    void drawFocusFrame(QPainter* painter) const;

private:
    void chooseAndExport();

    QString m_exportName;
};

// Installs the accessible interface for PlotWidget and TreeCanvas (idempotent; their constructors call it).
void installAccessibleFactory();

} // namespace foresight
