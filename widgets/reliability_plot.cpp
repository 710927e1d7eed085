// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/reliability_plot.h"

#include "widgets/number_format.h"
#include "widgets/plot_style.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

bool hasData(const ReliabilityBin& bin)
{
    return bin.count > 0 && std::isfinite(bin.meanConfidence) && std::isfinite(bin.accuracy);
}

// Adds the 95 % band low..high at the bins' mean confidences as a filled channel.
void addConsistencyBand(QCustomPlot* plot, QCPAxisRect* rect, const ReliabilityData& data,
                        const QString& name)
{
    QVector<double> x, low, high;
    for (const ReliabilityBin& bin : data.bins) {
        if (!hasData(bin) || !std::isfinite(bin.consistencyLow) || !std::isfinite(bin.consistencyHigh))
            continue;
        x.append(bin.meanConfidence);
        low.append(bin.consistencyLow);
        high.append(bin.consistencyHigh);
    }
    if (x.isEmpty())
        return;
    const Theme& theme = currentTheme();
    QCPGraph* upper = plot->addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
    QCPGraph* lower = plot->addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
    upper->setData(x, high, true);
    lower->setData(x, low, true);
    const QPen pen(theme.fill(ColorRole::Reference, 0.6), 1, Qt::DotLine);
    upper->setPen(pen);
    lower->setPen(pen);
    upper->setBrush(theme.fill(ColorRole::Reference, 0.16));
    upper->setChannelFillGraph(lower);
    upper->setName(name);
    lower->setName({});
}

void addCurve(QCustomPlot* plot, QCPAxisRect* rect, const ReliabilityData& data, ColorRole role,
              Qt::PenStyle style, QCPScatterStyle::ScatterShape shape)
{
    QVector<double> x, y, minus, plus;
    bool band = false;
    for (const ReliabilityBin& bin : data.bins) {
        if (!hasData(bin))
            continue;
        x.append(bin.meanConfidence);
        y.append(bin.accuracy);
        const bool known = std::isfinite(bin.confidenceLow) && std::isfinite(bin.confidenceHigh);
        band = band || known;
        minus.append(known ? std::max(0.0, bin.accuracy - bin.confidenceLow) : qQNaN());
        plus.append(known ? std::max(0.0, bin.confidenceHigh - bin.accuracy) : qQNaN());
    }
    const QColor color = currentTheme().color(role);
    QCPGraph* curve = plot->addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
    curve->setData(x, y, true);
    curve->setPen(QPen(color, 2, style));
    curve->setScatterStyle(
        QCPScatterStyle(shape, QPen(color, 1.5), currentTheme().color(ColorRole::Base), 7));
    curve->setName(data.title);
    if (band) {
        auto* bars = new QCPErrorBars(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        bars->setDataPlottable(curve);
        bars->setData(minus, plus);
        bars->setPen(QPen(color, 1.2));
        bars->setWhiskerWidth(7);
    }
}

} // namespace

ReliabilityPlot::ReliabilityPlot(QWidget* parent) : CustomPlotWidget(parent)
{
    setAccessibleName(tr("Reliability diagram"));
    setExportName(QStringLiteral("reliability"));
    refresh();
}

void ReliabilityPlot::setData(const ReliabilityData& raw, const ReliabilityData& recalibrated)
{
    m_raw = raw;
    m_recalibrated = recalibrated;
    if (m_raw.title.isEmpty())
        m_raw.title = tr("as forecast");
    if (m_recalibrated.title.isEmpty())
        m_recalibrated.title = tr("recalibrated");
    refresh();
}

void ReliabilityPlot::rebuild()
{
    setEmptyText(isEmpty() ? tr("No data: no forecast has an outcome yet") : QString());
    if (isEmpty())
        return;
    const Theme& theme = currentTheme();
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_plot->plotLayout()->clear();
    auto* main = new QCPAxisRect(m_plot);
    auto* counts = new QCPAxisRect(m_plot);
    // Legend and figures stand above: inside they would cover points.
    auto* top = new QCPLayoutGrid;
    m_plot->plotLayout()->addElement(0, 0, top);
    m_plot->plotLayout()->addElement(1, 0, main);
    m_plot->plotLayout()->addElement(2, 0, counts);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->plotLayout()->setRowStretchFactor(1, 4);
    m_plot->plotLayout()->setRowSpacing(2);
    const int em = fontMetrics().height();
    auto* group = new QCPMarginGroup(m_plot);
    for (QCPAxisRect* rect : {main, counts}) {
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
        rect->setMinimumMargins(QMargins(0, rect == main ? em / 2 + 2 : 4, em * 2, 0));
        rect->axis(QCPAxis::atBottom)->setRange(0, 1);
        rect->axis(QCPAxis::atBottom)
            ->setTicker(QSharedPointer<PercentTicker>::create(rect->axis(QCPAxis::atBottom)));
        for (QCPAxis* axis : rect->axes()) {
            axis->setLayer(QStringLiteral("axes"));
            axis->grid()->setLayer(QStringLiteral("grid"));
        }
    }
    QCPAxis* x = main->axis(QCPAxis::atBottom);
    QCPAxis* y = main->axis(QCPAxis::atLeft);
    x->setTickLabels(false);
    y->setRange(0, 1);
    y->setTicker(QSharedPointer<PercentTicker>::create(y));
    y->setLabel(m_raw.yLabel.isEmpty() ? tr("came true") : m_raw.yLabel);
    QCPAxis* xCount = counts->axis(QCPAxis::atBottom);
    QCPAxis* yCount = counts->axis(QCPAxis::atLeft);
    xCount->setLabel(m_raw.xLabel.isEmpty() ? tr("confidence") : m_raw.xLabel);
    yCount->setTicker(QSharedPointer<CountTicker>::create(yCount));
    yCount->setSubTicks(false);
    yCount->setLabel(tr("count"));
    counts->setMinimumSize(10, em * 2);

    auto* legend = new QCPLegend;
    top->addElement(0, 0, legend);
    legend->setFillOrder(QCPLegend::foColumnsFirst);
    legend->setLayer(QStringLiteral("legend"));
    m_plot->setAutoAddPlottableToLegend(false);
    stylePlot(m_plot, font());
    styleLegend(legend, font());

    auto* diagonal = new QCPItemLine(m_plot);
    for (QCPItemPosition* end : {diagonal->start, diagonal->end}) {
        end->setAxisRect(main);
        end->setAxes(x, y);
    }
    diagonal->setClipAxisRect(main);
    diagonal->start->setCoords(0, 0);
    diagonal->end->setCoords(1, 1);
    diagonal->setPen(QPen(theme.color(ColorRole::Reference), 1, Qt::DashLine));

    auto* bars = new QCPBars(x, y);
    auto* countBars = new QCPBars(xCount, yCount);
    QVector<double> barX, barY, countX, countY;
    double width = 0.1;
    qint64 highest = 0;
    for (const ReliabilityBin& bin : m_raw.bins) {
        width = std::min(width, bin.upper - bin.lower);
        countX.append((bin.lower + bin.upper) / 2);
        countY.append(static_cast<double>(bin.count));
        highest = std::max(highest, bin.count);
        if (!hasData(bin))
            continue;
        barX.append(bin.meanConfidence);
        barY.append(bin.accuracy);
    }
    width = std::max(width, 0.004);
    bars->setWidth(width * 0.55);
    bars->setData(barX, barY, true);
    bars->setBrush(theme.fill(ColorRole::Forecast, 0.22));
    bars->setPen(Qt::NoPen);
    countBars->setWidth(width * 0.92);
    countBars->setData(countX, countY, true);
    countBars->setBrush(theme.color(ColorRole::Neutral));
    countBars->setPen(Qt::NoPen);
    yCount->setRange(0, static_cast<double>(std::max<qint64>(highest, 1)) * 1.1);

    addConsistencyBand(m_plot, main, m_raw, tr("95 % if calibrated"));
    addCurve(m_plot, main, m_raw, ColorRole::Forecast, Qt::SolidLine, QCPScatterStyle::ssCircle);
    if (!m_recalibrated.bins.isEmpty())
        addCurve(m_plot, main, m_recalibrated, ColorRole::Recalibrated, Qt::DashLine,
                 QCPScatterStyle::ssSquare);
    for (int i = 0; i < m_plot->graphCount(); ++i) {
        if (!m_plot->graph(i)->name().isEmpty())
            m_plot->graph(i)->addToLegend(legend);
    }

    m_legend = legend;
    m_figures = new QCPTextElement(m_plot, figures(), font());
    m_figures->setTextFlags(Qt::AlignRight | Qt::AlignVCenter);
    m_figures->setTextColor(theme.color(ColorRole::Text));
    m_figures->setMargins(QMargins(0, 0, em * 2, 0));
    top->addElement(0, 1, m_figures);
}

QString ReliabilityPlot::figures() const
{
    QString text = tr("n = %1").arg(formatCount(m_raw.count));
    if (std::isfinite(m_raw.ece)) {
        text += QStringLiteral("   ") + tr("ECE %1").arg(formatFixed(m_raw.ece, 3));
        if (std::isfinite(m_recalibrated.ece))
            text += QStringLiteral(" → ") + formatFixed(m_recalibrated.ece, 3);
    }
    return text;
}

// In a narrow plot the figures go first (they are said elsewhere too), then the legend takes more than one
// line.
void ReliabilityPlot::fitToSize()
{
    CustomPlotWidget::fitToSize();
    if (!m_legend || !m_figures || isEmpty())
        return;
    m_legend->setFillOrder(QCPLegend::foColumnsFirst);
    const int em = fontMetrics().height(), room = m_plot->width() - em;
    const int legend = m_legend->minimumOuterSizeHint().width();
    const bool both = legend + fontMetrics().horizontalAdvance(figures()) + em * 3 <= room;
    m_figures->setText(both ? figures() : QString());
    if (legend > room)
        m_legend->setFillOrder(QCPLegend::foRowsFirst);
}

QString ReliabilityPlot::toolTipAt(const QPoint& pos) const
{
    if (isEmpty() || m_plot->axisRectCount() == 0)
        return {};
    const double confidence = m_plot->axisRect(0)->axis(QCPAxis::atBottom)->pixelToCoord(pos.x());
    for (const ReliabilityBin& bin : m_raw.bins) {
        const bool last = &bin == &m_raw.bins.back();
        if (confidence < bin.lower || (last ? confidence > bin.upper : confidence >= bin.upper))
            continue;
        const QString range =
            tr("Confidence %1 to %2").arg(formatPercent(bin.lower, 0), formatPercent(bin.upper, 0));
        if (!hasData(bin))
            return range + QLatin1Char('\n') + tr("no forecasts");
        QString text =
            range + QLatin1Char('\n') +
            tr("%n forecast(s), mean confidence %1, came true %2", nullptr, static_cast<int>(bin.count))
                .arg(formatPercent(bin.meanConfidence), formatPercent(bin.accuracy));
        if (std::isfinite(bin.confidenceLow))
            text += QLatin1Char('\n') +
                    tr("95 % band of the observed share: %1 to %2")
                        .arg(formatPercent(bin.confidenceLow), formatPercent(bin.confidenceHigh));
        if (std::isfinite(bin.consistencyLow))
            text += QLatin1Char('\n') +
                    tr("95 % band if calibrated: %1 to %2")
                        .arg(formatPercent(bin.consistencyLow), formatPercent(bin.consistencyHigh));
        return text;
    }
    return {};
}

QString ReliabilityPlot::toCsv() const
{
    QString text =
        QStringLiteral("series,lower,upper,count,mean_confidence,accuracy,consistency_low,consistency_high,"
                       "confidence_low,confidence_high\n");
    for (const ReliabilityData* data : {&m_raw, &m_recalibrated}) {
        for (const ReliabilityBin& bin : data->bins) {
            text += csvText(data->title) + QLatin1Char(',') + csvNumber(bin.lower) + QLatin1Char(',') +
                    csvNumber(bin.upper) + QLatin1Char(',') + QString::number(bin.count);
            for (double v : {bin.meanConfidence, bin.accuracy, bin.consistencyLow, bin.consistencyHigh,
                             bin.confidenceLow, bin.confidenceHigh})
                text += QLatin1Char(',') + csvNumber(v);
            text += QLatin1Char('\n');
        }
    }
    return text;
}

QString ReliabilityPlot::describe() const
{
    if (isEmpty())
        return tr("Reliability diagram. No data: no forecast has an outcome yet.");
    QString text = tr("Reliability diagram of %n forecast(s).", nullptr, static_cast<int>(m_raw.count));
    if (std::isfinite(m_raw.ece))
        text += QLatin1Char(' ') + tr("Expected calibration error %1.").arg(formatFixed(m_raw.ece, 3));
    if (std::isfinite(m_raw.perfectEce95))
        text += QLatin1Char(' ') + tr("A calibrated forecaster would stay below %1 in 95 of 100 cases.")
                                       .arg(formatFixed(m_raw.perfectEce95, 3));
    const ReliabilityBin* worst = nullptr;
    for (const ReliabilityBin& bin : m_raw.bins) {
        if (hasData(bin) && (!worst || std::abs(bin.meanConfidence - bin.accuracy) >
                                           std::abs(worst->meanConfidence - worst->accuracy)))
            worst = &bin;
    }
    if (worst)
        text += QLatin1Char(' ') +
                tr("Largest gap: at confidence %1, %2 came true (%n forecast(s)).", nullptr,
                   static_cast<int>(worst->count))
                    .arg(formatPercent(worst->meanConfidence, 0), formatPercent(worst->accuracy, 0));
    return text;
}

} // namespace foresight
