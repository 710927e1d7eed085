// SPDX-License-Identifier: GPL-3.0-or-later
// A PlotWidget drawn by QCustomPlot: owns the plot, gives it the theme's colours and fonts, renders it into
// any painter. Subclasses fill it in rebuild(), called when data, theme, font or language change. GUI thread.
#pragma once

#include "widgets/plot_widget.h"

class QCustomPlot;

namespace foresight {

class CustomPlotWidget : public PlotWidget
{
    Q_OBJECT
public:
    explicit CustomPlotWidget(QWidget* parent = nullptr);
    ~CustomPlotWidget() override;

    void render(QPainter* painter, const QSize& size) const override;
    using PlotWidget::render;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    // For tests: what has been plotted. Mouse and keys are handled by this widget, the plot is transparent to
    // them.
    QCustomPlot* plot() const { return m_plot; }

protected:
    virtual void rebuild() = 0;
    // After rebuild() and when the size has changed: what depends on the room there is. Cuts axis labels that
    // are longer than their axis.
    virtual void fitToSize();
    virtual QString toolTipAt(const QPoint& pos) const;
    // Shown, wrapped, in place of the plot; empty: the plot.
    void setEmptyText(const QString& text);
    void refresh(); // rebuild() + replot + accessible text
    QPoint toPlot(const QPoint& pos) const;

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void themeChanged() override;

    QCustomPlot* m_plot = nullptr;

private:
    void paintEmptyText(QPainter* painter, const QRect& area) const;

    QString m_emptyText;
};

} // namespace foresight
