// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/histogram8.h"

#include "widgets/number_format.h"
#include "widgets/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace foresight {

QString binDisplayName(int bin)
{
    switch (bin) {
    case 1:
        return Histogram8::tr("severe slowdown");
    case 2:
        return Histogram8::tr("significant slowdown");
    case 3:
        return Histogram8::tr("moderate slowdown");
    case 4:
        return Histogram8::tr("minor slowdown");
    case 5:
        return Histogram8::tr("minor speedup");
    case 6:
        return Histogram8::tr("significant speedup");
    case 7:
        return Histogram8::tr("high speedup");
    case 8:
        return Histogram8::tr("extreme speedup");
    default:
        return {};
    }
}

QString describeHistogram(const HistogramData& data)
{
    if (!data.valid)
        return Histogram8::tr("No forecast.");
    const auto best = std::max_element(data.probabilities.begin(), data.probabilities.end());
    const int bin = static_cast<int>(best - data.probabilities.begin()) + 1;
    QString text = data.title.isEmpty() ? QString() : data.title + QStringLiteral(": ");
    text += Histogram8::tr("most likely %1 (%2).").arg(binDisplayName(bin), formatPercent(*best, 0));
    if (std::isfinite(data.expectedSpeedup))
        text += QLatin1Char(' ') +
                Histogram8::tr("Expected speedup %1.").arg(formatSpeedup(data.expectedSpeedup));
    text +=
        QLatin1Char(' ') + Histogram8::tr("Fails to run: %1, wrong result: %2.")
                               .arg(formatPercent(data.failsToRun, 0), formatPercent(data.wrongResult, 0));
    if (!data.failedText.isEmpty())
        text += QLatin1Char(' ') + Histogram8::tr("Measuring it failed: %1.").arg(data.failedText);
    else if (data.measuredBin >= 1)
        text += QLatin1Char(' ') +
                Histogram8::tr("Measured: %1, %2.")
                    .arg(formatSpeedup(data.measuredSpeedup), binDisplayName(data.measuredBin));
    else
        text += QLatin1Char(' ') + Histogram8::tr("Not measured.");
    return text;
}

Histogram8::Histogram8(QWidget* parent)
    : PlotWidget(parent), m_emptyText(tr("No forecast: select a candidate"))
{
    setAccessibleName(tr("Forecast histogram"));
    setExportName(QStringLiteral("forecast"));
    setMouseTracking(true);
}

void Histogram8::setData(const HistogramData& data)
{
    m_data = data;
    dataChanged();
}

void Histogram8::setEmptyText(const QString& text)
{
    m_emptyText = text;
    dataChanged();
}

QString Histogram8::toCsv() const
{
    QString text = QStringLiteral("bin,name,lower,upper,probability,measured\n");
    if (!m_data.valid)
        return text;
    const auto number = [](double v) { return QString::number(v, 'g', 10); };
    for (std::size_t i = 0; i < m_data.probabilities.size(); ++i) {
        text += QStringLiteral("%1,\"%2\",%3,%4,%5,%6\n")
                    .arg(QString::number(i + 1), binDisplayName(static_cast<int>(i) + 1),
                         i == 0 ? QStringLiteral("0") : number(m_data.edges[i - 1]),
                         i + 1 == m_data.probabilities.size() ? QString() : number(m_data.edges[i]),
                         number(m_data.probabilities[i]),
                         QString::number(m_data.measuredBin == static_cast<int>(i) + 1));
    }
    text += QStringLiteral("fails,\"%1\",,,%2,\nwrong,\"%3\",,,%4,\n")
                .arg(tr("fails to run"), number(m_data.failsToRun), tr("wrong result"),
                     number(m_data.wrongResult));
    return text;
}

QString Histogram8::describe() const
{
    return m_data.valid ? describeHistogram(m_data) : m_emptyText;
}

void Histogram8::render(QPainter* painter, const QSize& size) const
{
    painter->fillRect(QRect(QPoint(), size), currentTheme().color(ColorRole::Base));
    if (!m_data.valid) {
        painter->setFont(font());
        painter->setPen(currentTheme().color(ColorRole::TextSecondary));
        painter->drawText(QRect(QPoint(), size).adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                          m_emptyText);
        return;
    }
    paintHistogram(painter, QRectF(QPointF(), QSizeF(size)), m_data, false, font());
}

void Histogram8::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    render(&painter, size());
    drawFocusFrame(&painter);
}

QSize Histogram8::sizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 26, em * 14};
}

QSize Histogram8::minimumSizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 14, em * 8};
}

int Histogram8::binAt(const QPoint& pos) const
{
    if (!m_data.valid)
        return 0;
    // The same geometry as paintHistogram: label room on the left, ten columns and a gap.
    const QFontMetricsF metrics(font());
    const double em = metrics.height();
    const double left = metrics.horizontalAdvance(QStringLiteral("100 %")) + em * 0.5;
    const double columnWidth = (width() - left - em * 0.5) / 10.6;
    const double column = (pos.x() - left) / columnWidth;
    return column >= 0 && column < 8 ? static_cast<int>(column) + 1 : 0;
}

bool Histogram8::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int bin = binAt(help->pos());
        if (bin == 0) {
            QToolTip::showText(help->globalPos(), describe(), this);
            return true;
        }
        const auto i = static_cast<std::size_t>(bin - 1);
        QString range;
        if (bin == 1)
            range = tr("at most %1").arg(formatSpeedup(m_data.edges[0]));
        else if (bin == 8)
            range = tr("more than %1").arg(formatSpeedup(m_data.edges[6]));
        else
            range = tr("%1 to %2").arg(formatSpeedup(m_data.edges[i - 1]), formatSpeedup(m_data.edges[i]));
        QString text = tr("Bin %1, %2 (%3): %4")
                           .arg(QString::number(bin), binDisplayName(bin), range,
                                formatPercent(m_data.probabilities[i]));
        if (m_data.measuredBin == bin)
            text += QLatin1Char('\n') + tr("measured: %1").arg(formatSpeedup(m_data.measuredSpeedup));
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return PlotWidget::event(event);
}

} // namespace foresight
