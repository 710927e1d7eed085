// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/recovered_plot.h"

#include "widgets/number_format.h"
#include "widgets/plot_style.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

// Value of a curve at x: a step holds the last value, a line interpolates. NaN before its first point.
double valueAt(const RecoveredCurve& curve, double x)
{
    const auto next = std::upper_bound(curve.x.begin(), curve.x.end(), x);
    if (next == curve.x.begin())
        return qQNaN();
    const auto i = next - curve.x.begin() - 1;
    if (curve.step || next == curve.x.end())
        return curve.y[i];
    const double f = (x - curve.x[i]) / (curve.x[i + 1] - curve.x[i]);
    return curve.y[i] + f * (curve.y[i + 1] - curve.y[i]);
}

double lastFinite(const QVector<double>& values)
{
    for (auto it = values.rbegin(); it != values.rend(); ++it) {
        if (std::isfinite(*it))
            return *it;
    }
    return qQNaN();
}

} // namespace

RecoveredPlot::RecoveredPlot(QWidget* parent) : CustomPlotWidget(parent)
{
    setAccessibleName(tr("Recovered speedup"));
    setExportName(QStringLiteral("recovered-speedup"));
    refresh();
}

void RecoveredPlot::setData(const RecoveredData& data)
{
    m_data = data;
    for (RecoveredCurve& curve : m_data.curves) {
        // A curve whose halves differ in length is drawn as far as both go.
        const auto n = std::min(curve.x.size(), curve.y.size());
        curve.x.resize(n);
        curve.y.resize(n);
        if (curve.low.size() != n || curve.high.size() != n) {
            curve.low.clear();
            curve.high.clear();
        }
    }
    refresh();
}

void RecoveredPlot::rebuild()
{
    const Theme& theme = currentTheme();
    m_plot->clearPlottables();
    m_plot->clearItems();
    QCPAxis* x = m_plot->xAxis;
    QCPAxis* y = m_plot->yAxis;
    x->setTicker(QSharedPointer<FittedTicker>::create(x));
    if (m_data.fraction)
        y->setTicker(QSharedPointer<PercentTicker>::create(y));
    else
        y->setTicker(QSharedPointer<SpeedupTicker>::create(y));
    x->setLabel(m_data.xLabel.isEmpty() ? tr("measurements") : m_data.xLabel);
    y->setLabel(m_data.fraction ? tr("share of the best possible") : tr("best speedup so far"));
    m_plot->legend->setVisible(false);
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignBottom | Qt::AlignRight);
    stylePlot(m_plot, font());

    double xMax = 0, yLow = INFINITY, yHigh = -INFINITY;
    const auto widen = [&](double v) {
        if (std::isfinite(v)) {
            yLow = std::min(yLow, v);
            yHigh = std::max(yHigh, v);
        }
    };
    int series = 0;
    for (const RecoveredCurve& curve : m_data.curves) {
        if (curve.x.isEmpty())
            continue;
        const QColor color = curve.reference ? theme.color(ColorRole::Reference) : theme.series(series);
        static constexpr Qt::PenStyle kStyles[] = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};
        const Qt::PenStyle style = curve.reference ? Qt::DashLine : kStyles[series % 4];
        const auto lineStyle = curve.step ? QCPGraph::lsStepLeft : QCPGraph::lsLine;
        series += curve.reference ? 0 : 1;
        if (!curve.low.isEmpty()) {
            QCPGraph* high = m_plot->addGraph();
            QCPGraph* low = m_plot->addGraph();
            high->setData(curve.x, curve.high, true);
            low->setData(curve.x, curve.low, true);
            QColor band = color;
            band.setAlphaF(0.18f);
            for (QCPGraph* edge : {high, low}) {
                edge->setLineStyle(lineStyle);
                edge->setPen(Qt::NoPen);
                edge->removeFromLegend();
            }
            high->setBrush(band);
            high->setChannelFillGraph(low);
            std::for_each(curve.low.begin(), curve.low.end(), widen);
            std::for_each(curve.high.begin(), curve.high.end(), widen);
        }
        QCPGraph* line = m_plot->addGraph();
        line->setData(curve.x, curve.y, true);
        line->setLineStyle(lineStyle);
        line->setPen(QPen(color, curve.reference ? 1.4 : 2.2, style));
        line->setName(curve.name);
        if (curve.x.size() == 1)
            line->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, 6));
        xMax = std::max(xMax, curve.x.back());
        std::for_each(curve.y.begin(), curve.y.end(), widen);
    }
    setEmptyText(std::isfinite(yLow) ? QString() : tr("No data: nothing has been measured yet"));
    if (!std::isfinite(yLow))
        return;
    const bool optimum = std::isfinite(m_data.optimum);
    if (optimum)
        widen(m_data.optimum);
    const double pad = std::max((yHigh - yLow) * 0.06, 0.02);
    x->setRange(0, std::max(xMax * 1.02, 1.0));
    // The optimum's name stands above its line, where no curve can be: room for one line of text.
    const int em = fontMetrics().height();
    const double linePart = optimum ? 1.3 * em / std::max(height() - 5 * em, 4 * em) : 0;
    y->setRange(yLow - pad, yHigh + std::max(pad, (yHigh - yLow) * linePart));
    const auto addLevel = [&](double level, const QString& label, ColorRole role, Qt::PenStyle style) {
        auto* line = new QCPItemStraightLine(m_plot);
        line->point1->setCoords(0, level);
        line->point2->setCoords(1, level);
        line->setPen(QPen(theme.color(role), 1.2, style));
        if (label.isEmpty())
            return;
        auto* text = new QCPItemText(m_plot);
        text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        text->position->setTypeY(QCPItemPosition::ptPlotCoords);
        text->position->setCoords(0.01, level);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
        text->setFont(font());
        text->setColor(theme.color(ColorRole::Text));
        text->setPadding(QMargins(2, 0, 2, 1));
        text->setText(label);
    };
    if (optimum)
        addLevel(m_data.optimum,
                 m_data.fraction ? tr("best possible")
                                 : tr("best possible: %1").arg(formatSpeedup(m_data.optimum)),
                 ColorRole::Incumbent, Qt::DashDotLine);
    if (!m_data.fraction && y->range().contains(1))
        addLevel(1, QString(), ColorRole::Reference, Qt::DotLine);
    m_plot->legend->setVisible(m_plot->legend->itemCount() > 1);
}

QString RecoveredPlot::toolTipAt(const QPoint& pos) const
{
    const double x = m_plot->xAxis->pixelToCoord(pos.x());
    QStringList lines;
    for (const RecoveredCurve& curve : m_data.curves) {
        const double v = curve.x.isEmpty() ? qQNaN() : valueAt(curve, x);
        if (std::isfinite(v))
            lines.append(tr("%1: %2", "curve: value")
                             .arg(curve.name, m_data.fraction ? formatPercent(v) : formatSpeedup(v)));
    }
    if (lines.isEmpty())
        return {};
    const QString axis = m_data.xLabel.isEmpty() ? tr("measurements") : m_data.xLabel;
    lines.prepend(tr("at %1 %2", "number, unit").arg(QLocale().toString(x, 'f', 0), axis));
    return lines.join(QLatin1Char('\n'));
}

QString RecoveredPlot::toCsv() const
{
    QString text = QStringLiteral("curve,x,y,low,high\n");
    for (const RecoveredCurve& curve : m_data.curves) {
        for (int i = 0; i < static_cast<int>(curve.x.size()); ++i) {
            text += csvText(curve.name) + QLatin1Char(',') + csvNumber(curve.x[i]) + QLatin1Char(',') +
                    csvNumber(curve.y[i]) + QLatin1Char(',');
            text += curve.low.isEmpty()
                        ? QStringLiteral(",")
                        : csvNumber(curve.low[i]) + QLatin1Char(',') + csvNumber(curve.high[i]);
            text += QLatin1Char('\n');
        }
    }
    return text;
}

QString RecoveredPlot::describe() const
{
    QStringList parts{tr("Best speedup so far against cost.")};
    for (const RecoveredCurve& curve : m_data.curves) {
        const double last = lastFinite(curve.y);
        if (std::isfinite(last))
            parts.append(tr("%1 reaches %2 at %3 %4.", "curve, value, number, unit")
                             .arg(curve.name, m_data.fraction ? formatPercent(last) : formatSpeedup(last),
                                  QLocale().toString(curve.x.back(), 'g', 6),
                                  m_data.xLabel.isEmpty() ? tr("measurements") : m_data.xLabel));
    }
    if (parts.size() == 1)
        parts.append(tr("No data: nothing has been measured yet."));
    if (std::isfinite(m_data.optimum))
        parts.append(
            tr("The best possible is %1.")
                .arg(m_data.fraction ? formatPercent(m_data.optimum) : formatSpeedup(m_data.optimum)));
    return parts.join(QLatin1Char(' '));
}

} // namespace foresight
