// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/histogram8.h"

#include "widgets/number_format.h"
#include "widgets/theme.h"

#include <QLocale>
#include <QPainter>
#include <QVector>

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr int kBins = 8;
// Beside the bins: "fails to run" and "wrong result", after a gap of half a column.
constexpr double kColumns = kBins + 0.6 + 2;

double representativeLog2(const HistogramData& data, int bin)
{
    if (bin == 0)
        return std::log2(data.edges[0]) - 1;
    if (bin == kBins - 1)
        return std::log2(data.edges[kBins - 2]) + 0.5;
    return (std::log2(data.edges[static_cast<std::size_t>(bin - 1)]) +
            std::log2(data.edges[static_cast<std::size_t>(bin)])) /
           2;
}

// Position of a speedup on the bins' axis, 0..8; the outermost bins are taken two octaves and one octave
// wide.
double positionOf(const HistogramData& data, double speedup)
{
    const double x = std::log2(speedup);
    std::array<double, kBins + 1> knots{};
    for (std::size_t i = 0; i < data.edges.size(); ++i)
        knots[i + 1] = std::log2(data.edges[i]);
    knots.front() = knots[1] - 2;
    knots.back() = knots[kBins - 1] + 1;
    if (!(x > knots.front()))
        return 0;
    for (std::size_t i = 1; i < knots.size(); ++i) {
        if (x <= knots[i])
            return static_cast<double>(i - 1) + (x - knots[i - 1]) / (knots[i] - knots[i - 1]);
    }
    return kBins;
}

QString edgeText(double edge)
{
    const bool whole = std::abs(edge - std::round(edge)) < 1e-9;
    return QLocale().toString(edge, 'f', whole ? 0 : 2) + QChar(0x00D7);
}

struct Geometry
{
    QRectF bars;
    double columnWidth = 0;
    double top = 1; // probability at the upper end
    QRectF column(int i) const
    {
        const double shift = i >= kBins ? 0.6 : 0;
        return {bars.left() + (i + shift) * columnWidth, bars.top(), columnWidth, bars.height()};
    }
};

Geometry geometryOf(const QRectF& rect, const HistogramData& data, bool compact, const QFontMetricsF& metrics)
{
    Geometry g;
    const double em = metrics.height();
    const double left = compact ? em * 0.3 : metrics.horizontalAdvance(QStringLiteral("100 %")) + em * 0.5;
    g.bars = compact ? rect.adjusted(left, em * 0.8, -em * 0.3, -em * 0.35)
                     : rect.adjusted(left, em * 2.9, -em * 0.5, -em * 2.5);
    g.columnWidth = g.bars.width() / kColumns;
    double highest = std::max(data.failsToRun, data.wrongResult);
    for (double p : data.probabilities)
        highest = std::max(highest, p);
    // Steps that read well; never zoomed in so far that 5 % looks like certainty.
    for (double step : {0.25, 0.5, 0.75, 1.0}) {
        g.top = step;
        if (highest <= step * 0.98)
            break;
    }
    return g;
}

void paintMeasuredMark(QPainter* painter, const QPointF& tip, double size)
{
    const Theme& theme = currentTheme();
    const QPointF triangle[] = {tip, tip + QPointF(-size * 0.6, -size), tip + QPointF(size * 0.6, -size)};
    painter->setPen(QPen(theme.color(ColorRole::Base), 1));
    painter->setBrush(theme.color(ColorRole::Text));
    painter->drawPolygon(triangle, 3);
}

void paintColumn(QPainter* painter, const Geometry& g, int i, double probability, const QColor& color,
                 bool failure, bool measured, bool compact)
{
    const QRectF column = g.column(i);
    const double gap = compact ? 0.06 : 0.1;
    QRectF bar = column.adjusted(column.width() * gap, 0, -column.width() * gap, 0);
    const double height = bar.height() * std::clamp(probability / g.top, 0.0, 1.0);
    bar.setTop(bar.bottom() - height);
    if (failure) {
        // Hatched: another kind of outcome, told apart without colour.
        painter->fillRect(bar, currentTheme().fill(ColorRole::Failed, 0.2));
        painter->setPen(QPen(color, 1));
        painter->setBrush(QBrush(color, Qt::BDiagPattern));
        if (height > 1)
            painter->drawRect(bar);
    } else {
        painter->fillRect(bar, color);
    }
    if (measured) {
        QRectF frame = column.adjusted(column.width() * gap, 0, -column.width() * gap, 0);
        frame.setTop(std::min(bar.top(), frame.bottom() - 3));
        painter->setPen(QPen(currentTheme().color(ColorRole::Text), compact ? 1.5 : 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(frame);
    }
}

void paintAxes(QPainter* painter, const Geometry& g, const HistogramData& data, const QFontMetricsF& metrics)
{
    const Theme& theme = currentTheme();
    const double em = metrics.height();
    // 5, 10, 25 or 50 % apart: whole numbers only.
    const double fine = g.top <= 0.25 ? 0.05 : g.top <= 0.5 ? 0.1 : 0.25;
    const double step = g.bars.height() > em * 7 ? fine : g.top <= 0.5 ? g.top : 0.5;
    for (double p = 0; p <= g.top + 1e-9; p += step) {
        const double y = g.bars.bottom() - g.bars.height() * p / g.top;
        painter->setPen(QPen(theme.color(p == 0 ? ColorRole::Axis : ColorRole::Grid), 1));
        painter->drawLine(QPointF(g.bars.left(), y), QPointF(g.bars.right(), y));
        painter->setPen(theme.color(ColorRole::TextSecondary));
        painter->drawText(QRectF(g.bars.left() - em * 6, y - em, em * 5.7, em * 2),
                          Qt::AlignRight | Qt::AlignVCenter, formatPercent(p, 0));
    }
    // Edges between the bins; as many labels as fit, 1x first.
    QVector<QRectF> placed;
    const auto label = [&](std::size_t i) {
        const double x = g.bars.left() + static_cast<double>(i + 1) * g.columnWidth;
        const QString text = edgeText(data.edges[i]);
        const double width = metrics.horizontalAdvance(text);
        const QRectF place(x - width / 2, g.bars.bottom() + em * 0.25, width, em);
        const QRectF needed = place.adjusted(-em * 0.25, 0, em * 0.25, 0);
        if (std::any_of(placed.begin(), placed.end(),
                        [&](const QRectF& other) { return other.intersects(needed); }))
            return;
        painter->setPen(theme.color(data.edges[i] == 1.0 ? ColorRole::Text : ColorRole::TextSecondary));
        painter->drawText(place.adjusted(-2, 0, 2, 0), Qt::AlignCenter | Qt::TextDontClip, text);
        placed.push_back(place);
    };
    for (std::size_t i = 0; i < data.edges.size(); ++i) {
        const double x = g.bars.left() + static_cast<double>(i + 1) * g.columnWidth;
        painter->setPen(QPen(theme.color(ColorRole::Axis), 1));
        painter->drawLine(QPointF(x, g.bars.bottom()), QPointF(x, g.bars.bottom() + em * 0.2));
        if (data.edges[i] == 1.0)
            label(i);
    }
    for (std::size_t i = 0; i < data.edges.size(); ++i) {
        if (data.edges[i] != 1.0)
            label(i);
    }
    painter->setPen(theme.color(ColorRole::TextSecondary));
    const double y = g.bars.bottom() + em * 1.35;
    painter->drawText(QRectF(g.bars.left(), y, g.columnWidth * kBins, em * 1.2), Qt::AlignCenter,
                      metrics.elidedText(data.reference.isEmpty()
                                             ? Histogram8::tr("speedup over the baseline")
                                             : Histogram8::tr("speedup over %1").arg(data.reference),
                                         Qt::ElideRight, g.columnWidth * kBins));
    const QString names[] = {Histogram8::tr("fails to run"), Histogram8::tr("wrong result")};
    const double room = g.columnWidth * 0.98;
    const bool roomy = std::all_of(std::begin(names), std::end(names), [&](const QString& name) {
        const QStringList words = name.split(QLatin1Char(' '));
        return std::all_of(words.begin(), words.end(),
                           [&](const QString& word) { return metrics.horizontalAdvance(word) < room; });
    });
    if (!roomy) {
        // Narrow: one word for both; the tooltip has the two.
        const QRectF both = g.column(kBins).united(g.column(kBins + 1));
        painter->drawText(both.translated(0, g.bars.height() + em * 0.25),
                          Qt::AlignHCenter | Qt::AlignTop | Qt::TextDontClip, Histogram8::tr("fails"));
        return;
    }
    for (int i = 0; i < 2; ++i) {
        const QRectF column = g.column(kBins + i);
        painter->drawText(QRectF(column.center().x() - room / 2, g.bars.bottom() + em * 0.25, room, em * 2.3),
                          Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, names[i]);
    }
}

double probabilityOf(const HistogramData& data, int column)
{
    return column < kBins    ? data.probabilities[static_cast<std::size_t>(column)]
           : column == kBins ? data.failsToRun
                             : data.wrongResult;
}

double barTop(const Geometry& g, double probability)
{
    return g.bars.bottom() - g.bars.height() * std::clamp(probability / g.top, 0.0, 1.0);
}

bool showsPercentages(const Geometry& g, const QFontMetricsF& metrics)
{
    return metrics.horizontalAdvance(QStringLiteral("100 %")) <= g.columnWidth;
}

constexpr double kLeastShown = 0.005; // below it a bar has no number

// Where the number of a bar stands; null without one.
QRectF percentagePlace(const Geometry& g, const HistogramData& data, int column, const QFontMetricsF& metrics)
{
    const double p = probabilityOf(data, column), em = metrics.height();
    if (p < kLeastShown || !showsPercentages(g, metrics))
        return {};
    const double width = metrics.horizontalAdvance(formatPercent(p, 0)) + 2;
    return {g.column(column).center().x() - width / 2, barTop(g, p) - em * 1.03, width, em * 0.98};
}

// Tip of the mark over the measured bin's bar.
QPointF measuredTip(const Geometry& g, const HistogramData& data, bool compact, const QFontMetricsF& metrics)
{
    const int column = data.measuredBin - 1;
    const double above = compact || !showsPercentages(g, metrics) ? 2 : metrics.height() * 1.05;
    return {g.column(column).center().x(), barTop(g, probabilityOf(data, column)) - above};
}

// As near to x as it can be without touching a number or the mark.
QRectF expectedPlace(const Geometry& g, const HistogramData& data, double x, double width,
                     const QFontMetricsF& metrics)
{
    const double em = metrics.height(), gap = em * 0.3;
    QVector<QRectF> taken;
    for (int column = 0; column < kBins + 2; ++column) {
        if (const QRectF place = percentagePlace(g, data, column, metrics); !place.isNull())
            taken.push_back(place);
    }
    if (data.measuredBin >= 1) {
        const QPointF tip = measuredTip(g, data, false, metrics);
        taken.push_back({tip.x() - em * 0.4, tip.y() - em * 0.65, em * 0.8, em * 0.65});
    }
    const double leftmost = g.bars.left(), rightmost = std::max(leftmost, g.bars.right() - width);
    const auto at = [&](double left) {
        return QRectF(std::clamp(left, leftmost, rightmost), g.bars.top() - em * 1.45, width, em * 1.1);
    };
    QVector<double> lefts{x - width / 2};
    for (const QRectF& place : taken) {
        lefts.push_back(place.left() - gap - width);
        lefts.push_back(place.right() + gap);
    }
    std::stable_sort(lefts.begin() + 1, lefts.end(), [&](double a, double b) {
        return std::abs(a + width / 2 - x) < std::abs(b + width / 2 - x);
    });
    for (const double left : lefts) {
        const QRectF place = at(left);
        if (std::none_of(taken.begin(), taken.end(),
                         [&](const QRectF& other) { return other.intersects(place); }))
            return place;
    }
    return at(lefts.front());
}

void paintExpected(QPainter* painter, const Geometry& g, const HistogramData& data, bool compact,
                   const QFontMetricsF& metrics)
{
    if (!std::isfinite(data.expectedSpeedup) || data.expectedSpeedup <= 0)
        return;
    const Theme& theme = currentTheme();
    const double x = g.bars.left() + positionOf(data, data.expectedSpeedup) * g.columnWidth;
    const double em = metrics.height();
    painter->setPen(QPen(theme.color(ColorRole::Text), compact ? 1 : 1.4, Qt::DashLine));
    painter->drawLine(QPointF(x, g.bars.top() - (compact ? 0 : em * 0.3)), QPointF(x, g.bars.bottom()));
    if (compact)
        return;
    const QString text = Histogram8::tr("expected %1").arg(formatSpeedup(data.expectedSpeedup));
    painter->setPen(theme.color(ColorRole::TextSecondary));
    painter->drawText(expectedPlace(g, data, x, metrics.horizontalAdvance(text) + 2, metrics),
                      Qt::AlignLeft | Qt::AlignVCenter, text);
}

QString outcomeText(const HistogramData& data)
{
    if (!data.failedText.isEmpty())
        return Histogram8::tr("measured: %1").arg(data.failedText);
    if (data.measuredBin >= 1)
        return std::isfinite(data.measuredSpeedup)
                   ? Histogram8::tr("measured %1").arg(formatSpeedup(data.measuredSpeedup))
                   : Histogram8::tr("measured: %1").arg(binDisplayName(data.measuredBin));
    return Histogram8::tr("not measured");
}

} // namespace

void paintHistogram(QPainter* painter, const QRectF& rect, const HistogramData& data, bool compact,
                    const QFont& font)
{
    if (!data.valid)
        return;
    painter->save();
    painter->setFont(font);
    const QFontMetricsF metrics(font);
    const Theme& theme = currentTheme();
    const double em = metrics.height();
    const Geometry g = geometryOf(rect, data, compact, metrics);
    if (g.bars.width() < 8 || g.bars.height() < 4) {
        painter->restore();
        return;
    }
    if (!compact) {
        paintAxes(painter, g, data, metrics);
        QString title = data.title;
        const QString outcome = outcomeText(data);
        const double outcomeWidth = metrics.horizontalAdvance(outcome);
        const QRectF line(rect.left() + em * 0.4, rect.top() + em * 0.2, rect.width() - em * 0.8, em * 1.2);
        painter->setPen(theme.color(ColorRole::TextSecondary));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, outcome);
        QFont bold = font;
        bold.setBold(true);
        painter->setFont(bold);
        painter->setPen(theme.color(ColorRole::Text));
        painter->drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(bold).elidedText(title, Qt::ElideMiddle, line.width() - outcomeWidth - em * 1.5));
        painter->setFont(font);
        if (data.measuredBin >= 1) {
            painter->setRenderHint(QPainter::Antialiasing);
            paintMeasuredMark(painter, {line.right() - outcomeWidth - em * 0.6, line.center().y() + em * 0.3},
                              em * 0.6);
            painter->setRenderHint(QPainter::Antialiasing, false);
        }
    } else {
        painter->setPen(QPen(theme.color(ColorRole::Axis), 1));
        painter->drawLine(g.bars.bottomLeft(), g.bars.bottomRight());
    }
    for (int i = 0; i < kBins; ++i)
        paintColumn(painter, g, i, data.probabilities[static_cast<std::size_t>(i)],
                    theme.diverging(representativeLog2(data, i)), false, data.measuredBin == i + 1, compact);
    paintColumn(painter, g, kBins, data.failsToRun, theme.color(ColorRole::Failed), true, false, compact);
    paintColumn(painter, g, kBins + 1, data.wrongResult, theme.color(ColorRole::Failed), true, false,
                compact);
    // 1.0x: the border between slower and faster.
    for (std::size_t i = 0; i < data.edges.size(); ++i) {
        if (data.edges[i] == 1.0) {
            const double x = g.bars.left() + static_cast<double>(i + 1) * g.columnWidth;
            painter->setPen(QPen(theme.color(ColorRole::Reference), 1, Qt::DotLine));
            painter->drawLine(QPointF(x, g.bars.top()), QPointF(x, g.bars.bottom()));
        }
    }
    painter->setRenderHint(QPainter::Antialiasing);
    paintExpected(painter, g, data, compact, metrics);
    if (data.measuredBin >= 1 && data.measuredBin <= kBins)
        paintMeasuredMark(painter, measuredTip(g, data, compact, metrics), em * (compact ? 0.45 : 0.6));
    if (!compact) {
        painter->setPen(theme.color(ColorRole::Text));
        for (int i = 0; i < kBins + 2; ++i) {
            const QRectF place = percentagePlace(g, data, i, metrics);
            if (place.isNull())
                continue;
            painter->fillRect(place, theme.color(ColorRole::Base)); // the expected value's line may pass here
            painter->drawText(place.adjusted(-4, 0, 4, 0), Qt::AlignCenter | Qt::TextDontClip,
                              formatPercent(probabilityOf(data, i), 0));
        }
    }
    painter->restore();
}

} // namespace foresight
