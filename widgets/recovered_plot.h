// SPDX-License-Identifier: GPL-3.0-or-later
// Best so far against what it cost: step lines per run, repeats as bands, the exact random curve and the
// optimum when the space is known. y is a speedup or a share of the optimum, x measurements, seconds, tokens
// or money. GUI thread.
#pragma once

#include "widgets/custom_plot_widget.h"

#include <QVector>

#include <limits>

namespace foresight {

struct RecoveredCurve
{
    QString name;
    QVector<double> x, y;      // same length, x ascending; y NaN before the first success
    QVector<double> low, high; // empty, or a band of the same length
    bool step = true;          // best-so-far is a step; expectations are lines
    bool reference = false;    // exact random: drawn thin and dashed in the reference colour
};

struct RecoveredData
{
    QVector<RecoveredCurve> curves;
    double optimum = std::numeric_limits<double>::quiet_NaN(); // horizontal line when known
    bool fraction = false; // y is best/optimum in 0..1 instead of a speedup
    QString xLabel;        // "measurements"
};

class RecoveredPlot : public CustomPlotWidget
{
    Q_OBJECT
public:
    explicit RecoveredPlot(QWidget* parent = nullptr);

    void setData(const RecoveredData& data);
    void clear() { setData({}); }
    const RecoveredData& data() const { return m_data; }

    QString toCsv() const override;
    QString describe() const override;

protected:
    void rebuild() override;
    QString toolTipAt(const QPoint& pos) const override;

private:
    RecoveredData m_data;
};

} // namespace foresight
