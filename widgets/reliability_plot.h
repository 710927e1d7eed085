// SPDX-License-Identifier: GPL-3.0-or-later
// Reliability diagram: accuracy at the mean confidence of each bin, counts below, a consistency band on the
// diagonal and a confidence band on the curve (two different things, design 05). Empty bins stay empty; no
// data says so. GUI thread.
#pragma once

#include "widgets/custom_plot_widget.h"

#include <QPointer>
#include <QVector>

#include <limits>

class QCPLegend;
class QCPTextElement;

namespace foresight {

struct ReliabilityBin
{
    double lower = 0, upper = 1; // of the confidence, for the bar's width
    double meanConfidence = std::numeric_limits<double>::quiet_NaN(); // NaN when count is 0
    double accuracy = std::numeric_limits<double>::quiet_NaN();
    qint64 count = 0;
    // 95 % band of the accuracy if forecasts were perfectly calibrated; NaN: not computed.
    double consistencyLow = std::numeric_limits<double>::quiet_NaN();
    double consistencyHigh = std::numeric_limits<double>::quiet_NaN();
    // 95 % band of the observed accuracy (bootstrap by group); NaN: not computed.
    double confidenceLow = std::numeric_limits<double>::quiet_NaN();
    double confidenceHigh = std::numeric_limits<double>::quiet_NaN();
};

struct ReliabilityData
{
    QString title; // "Raw", "Recalibrated"
    QVector<ReliabilityBin> bins;
    qint64 count = 0; // forecasts with an outcome
    double ece = std::numeric_limits<double>::quiet_NaN();
    double perfectEce95 =
        std::numeric_limits<double>::quiet_NaN(); // 95 % point of ECE under perfect calibration at this n
    double climatologyEce = std::numeric_limits<double>::quiet_NaN();
    QString xLabel, yLabel; // defaults: confidence, share that came true
};

class ReliabilityPlot : public CustomPlotWidget
{
    Q_OBJECT
public:
    explicit ReliabilityPlot(QWidget* parent = nullptr);

    // `recalibrated` is drawn as a second curve when it has bins.
    void setData(const ReliabilityData& raw, const ReliabilityData& recalibrated = {});
    void clear() { setData({}, {}); }
    const ReliabilityData& data() const { return m_raw; }
    const ReliabilityData& recalibratedData() const { return m_recalibrated; }
    bool isEmpty() const { return m_raw.count <= 0; }

    QString toCsv() const override;
    QString describe() const override;

protected:
    void rebuild() override;
    void fitToSize() override;
    QString toolTipAt(const QPoint& pos) const override;

private:
    QString figures() const; // n and ECE, in a line

    ReliabilityData m_raw, m_recalibrated;
    QPointer<QCPLegend> m_legend; // of the plot as rebuilt last
    QPointer<QCPTextElement> m_figures;
};

} // namespace foresight
