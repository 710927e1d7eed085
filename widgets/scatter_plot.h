// SPDX-License-Identifier: GPL-3.0-or-later
// Forecast against measured speedup, log-log, with the diagonal; selection linked by id, hover says what a
// point is. Above 5,000 points antialiasing goes off, all points stay. GUI thread.
#pragma once

#include "widgets/custom_plot_widget.h"

#include <QVector>

namespace foresight {

struct ScatterPoint
{
    qint64 id = -1;
    double forecastSpeedup = 1; // > 0; others are left out and counted
    double measuredSpeedup = 1;
    bool audit = false;
    bool incumbent = false;
    QString label{}; // shown on hover
};

class ScatterPlot : public CustomPlotWidget
{
    Q_OBJECT
public:
    explicit ScatterPlot(QWidget* parent = nullptr);

    void setPoints(const QVector<ScatterPoint>& points);
    const QVector<ScatterPoint>& points() const { return m_points; }
    void setSelected(qint64 id); // -1: none; does not emit
    qint64 selected() const { return m_selected; }
    // Id of the point within a few pixels of pos, or -1.
    qint64 pointAt(const QPoint& pos) const;
    // Where a point is drawn, in widget coordinates.
    QPoint positionOf(qint64 id) const;

    QString toCsv() const override;
    QString describe() const override;

signals:
    void pointSelected(qint64 id);
    void pointActivated(qint64 id);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void rebuild() override;
    QString toolTipAt(const QPoint& pos) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void selectByUser(qint64 id);
    int indexOf(qint64 id) const;

    QVector<ScatterPoint> m_points; // plotted ones only
    int m_leftOut = 0;
    qint64 m_selected = -1;
};

} // namespace foresight
