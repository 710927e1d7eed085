// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/interval_plot.h"

#include "widgets/number_format.h"
#include "widgets/selection_keys.h"
#include "widgets/status_label.h"
#include "widgets/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

StatusKind kindOf(IntervalVerdict verdict)
{
    switch (verdict) {
    case IntervalVerdict::Deploy:
        return StatusKind::Good;
    case IntervalVerdict::FallBack:
        return StatusKind::Warning;
    case IntervalVerdict::Failed:
        return StatusKind::Error;
    case IntervalVerdict::Pending:
        break;
    }
    return StatusKind::Running;
}

bool hasInterval(const IntervalRow& row)
{
    return std::isfinite(row.estimate) && row.estimate > 0;
}

// Columns: label | glyph and verdict | interval. The plot gets what the texts leave, at least a third.
struct Columns
{
    QRectF label, verdict, plot;
    double log2Low = -1, log2High = 1;
    double x(double speedup) const
    {
        const double f = (std::log2(speedup) - log2Low) / (log2High - log2Low);
        return plot.left() + std::clamp(f, 0.0, 1.0) * plot.width();
    }
};

Columns columnsFor(const QSize& size, const QVector<IntervalRow>& rows, double margin,
                   const QFontMetricsF& metrics)
{
    const double em = metrics.height();
    double labelWidth = em * 4, verdictWidth = em * 5;
    Columns c;
    c.log2Low = std::min(-0.2, std::log2(margin) - 0.1);
    c.log2High = std::max(0.4, std::log2(margin) + 0.2);
    for (const IntervalRow& row : rows) {
        labelWidth = std::max(labelWidth, metrics.horizontalAdvance(row.label) + em);
        verdictWidth =
            std::max(verdictWidth, metrics.horizontalAdvance(verdictDisplayName(row.verdict)) + em * 2.2);
        for (double v : {row.low, row.estimate, row.high}) {
            if (std::isfinite(v) && v > 0) {
                c.log2Low = std::min(c.log2Low, std::max(std::log2(v) - 0.1, -6.0));
                c.log2High = std::max(c.log2High, std::min(std::log2(v) + 0.1, 8.0));
            }
        }
    }
    const double width = size.width();
    labelWidth = std::min(labelWidth, width * 0.42);
    verdictWidth = std::min(verdictWidth, width * 0.24);
    c.label = QRectF(em * 0.5, 0, labelWidth, size.height());
    c.verdict = QRectF(c.label.right(), 0, verdictWidth, size.height());
    c.plot = QRectF(c.verdict.right(), 0, width - c.verdict.right() - em, size.height());
    return c;
}

} // namespace

QString verdictDisplayName(IntervalVerdict verdict)
{
    switch (verdict) {
    case IntervalVerdict::Deploy:
        return IntervalPlot::tr("deploy");
    case IntervalVerdict::FallBack:
        return IntervalPlot::tr("fall back");
    case IntervalVerdict::Failed:
        return IntervalPlot::tr("failed");
    case IntervalVerdict::Pending:
        break;
    }
    return IntervalPlot::tr("pending");
}

IntervalPlot::IntervalPlot(QWidget* parent) : PlotWidget(parent)
{
    setAccessibleName(tr("Verdict intervals"));
    setExportName(QStringLiteral("verdicts"));
}

void IntervalPlot::setRows(const QVector<IntervalRow>& rows, double marginSpeedup)
{
    m_rows = rows;
    m_margin = marginSpeedup > 0 ? marginSpeedup : 1.0;
    setMinimumHeight(rowHeight() * static_cast<int>(std::max<qsizetype>(m_rows.size(), 2)) + axisHeight());
    updateGeometry();
    dataChanged();
}

void IntervalPlot::setSelected(qint64 id)
{
    if (m_selected == id)
        return;
    m_selected = id;
    dataChanged();
}

int IntervalPlot::rowHeight() const
{
    return fontMetrics().height() * 2;
}

int IntervalPlot::axisHeight() const
{
    return fontMetrics().height() * 2 + 4;
}

QRect IntervalPlot::rowRect(int index) const
{
    return {0, index * rowHeight(), width(), rowHeight()};
}

int IntervalPlot::indexOf(qint64 id) const
{
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        if (m_rows[i].id == id)
            return i;
    }
    return -1;
}

void IntervalPlot::render(QPainter* painter, const QSize& size) const
{
    const Theme& theme = currentTheme();
    painter->fillRect(QRect(QPoint(), size), theme.color(ColorRole::Base));
    painter->setFont(font());
    const QFontMetricsF metrics(font());
    const double em = metrics.height();
    if (m_rows.isEmpty()) {
        painter->setPen(theme.color(ColorRole::TextSecondary));
        painter->drawText(QRect(QPoint(), size).adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                          tr("No verdicts: search an operator first"));
        return;
    }
    const Columns c = columnsFor(size, m_rows, m_margin, metrics);
    const double bottom =
        std::min<double>(static_cast<double>(m_rows.size()) * rowHeight(), size.height() - axisHeight());

    // Axis: speedups that are powers of 2^(1/2), 2, or 4, as fit.
    double step = 0.5;
    while ((c.log2High - c.log2Low) / step * em * 3.2 > c.plot.width() && step < 8)
        step *= 2;
    for (double t = std::ceil(c.log2Low / step) * step; t <= c.log2High + 1e-9; t += step) {
        const double x = c.x(std::exp2(t));
        painter->setPen(QPen(theme.color(ColorRole::Grid), 1));
        painter->drawLine(QPointF(x, 0), QPointF(x, bottom));
        painter->setPen(theme.color(ColorRole::TextSecondary));
        painter->drawText(QRectF(x - em * 3, bottom + 2, em * 6, em), Qt::AlignCenter,
                          formatSpeedup(std::exp2(t)));
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(theme.color(ColorRole::Reference), 1.4));
    painter->drawLine(QPointF(c.x(1), 0), QPointF(c.x(1), bottom));
    if (m_margin != 1.0) {
        painter->setPen(QPen(theme.color(ColorRole::Threshold), 1.4, Qt::DashLine));
        painter->drawLine(QPointF(c.x(m_margin), 0), QPointF(c.x(m_margin), bottom));
        painter->setPen(theme.color(ColorRole::Threshold));
        const QString text = tr("margin %1").arg(formatSpeedup(m_margin));
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(c.x(m_margin) - width / 2, c.plot.left(), c.plot.right() - width);
        painter->drawText(QRectF(left, bottom + em + 2, width + 2, em), Qt::AlignLeft | Qt::AlignVCenter,
                          text);
    }
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        const IntervalRow& row = m_rows[i];
        const QRectF line(0, i * rowHeight(), size.width(), rowHeight());
        if (line.bottom() > bottom + 1)
            break;
        const double y = line.center().y();
        painter->setPen(theme.color(ColorRole::Text));
        const QRectF label(c.label.left(), line.top(), c.label.width() - em * 0.5, line.height());
        painter->drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(row.label, Qt::ElideMiddle, label.width()));
        const StatusKind kind = kindOf(row.verdict);
        paintStatusGlyph(painter, QRectF(c.verdict.left(), y - em / 2, em, em), kind);
        const QRectF word(c.verdict.left() + em * 1.3, line.top(), c.verdict.width() - em * 1.6,
                          line.height());
        painter->drawText(word, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(verdictDisplayName(row.verdict), Qt::ElideRight, word.width()));
        if (!hasInterval(row)) {
            const QString text =
                metrics.elidedText(row.reason.isEmpty() ? tr("nothing measured yet") : row.reason,
                                   Qt::ElideRight, c.plot.width());
            const double textWidth = metrics.horizontalAdvance(text) + em * 0.5;
            const QRectF place(c.plot.center().x() - textWidth / 2, y - em / 2, textWidth, em);
            painter->fillRect(place, theme.color(ColorRole::Base));
            painter->setPen(theme.color(ColorRole::TextSecondary));
            painter->drawText(place, Qt::AlignCenter, text);
            continue;
        }
        const ColorRole role = row.verdict == IntervalVerdict::Deploy    ? ColorRole::Good
                               : row.verdict == IntervalVerdict::Pending ? ColorRole::Running
                                                                         : ColorRole::Bad;
        const double x = c.x(row.estimate);
        if (std::isfinite(row.low) && std::isfinite(row.high)) {
            const double x0 = c.x(row.low), x1 = c.x(row.high);
            painter->setPen(QPen(theme.color(role), 2));
            painter->drawLine(QPointF(x0, y), QPointF(x1, y));
            for (double end : {x0, x1})
                painter->drawLine(QPointF(end, y - em * 0.3), QPointF(end, y + em * 0.3));
        }
        painter->setPen(QPen(theme.color(ColorRole::Base), 1));
        painter->setBrush(theme.color(role));
        painter->drawEllipse(QPointF(x, y), em * 0.3, em * 0.3);
        painter->setBrush(Qt::NoBrush);
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
}

void IntervalPlot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    render(&painter, size());
    const int index = indexOf(m_selected);
    if (index >= 0) {
        painter.setPen(QPen(currentTheme().color(ColorRole::Accent), 2));
        painter.drawRect(rowRect(index).adjusted(2, 1, -3, -2));
    }
    drawFocusFrame(&painter);
}

QSize IntervalPlot::sizeHint() const
{
    const int rows = static_cast<int>(std::max<qsizetype>(m_rows.size(), 4));
    return {fontMetrics().height() * 34, rows * rowHeight() + axisHeight()};
}

QSize IntervalPlot::minimumSizeHint() const
{
    return {fontMetrics().height() * 18, rowHeight() * 2 + axisHeight()};
}

void IntervalPlot::select(int index)
{
    if (index < 0 || index >= static_cast<int>(m_rows.size()) || m_rows[index].id == m_selected)
        return;
    setSelected(m_rows[index].id);
    emit rowSelected(m_selected);
}

void IntervalPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        PlotWidget::mousePressEvent(event);
        return;
    }
    select(event->pos().y() / rowHeight());
}

void IntervalPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int index = event->pos().y() / rowHeight();
    if (index >= 0 && index < static_cast<int>(m_rows.size()))
        emit rowActivated(m_rows[index].id);
}

void IntervalPlot::keyPressEvent(QKeyEvent* event)
{
    const int current = indexOf(m_selected);
    if (const auto moved = movedSelection(event->key(), current, static_cast<int>(m_rows.size())))
        select(*moved);
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && current >= 0)
        emit rowActivated(m_selected);
    else
        PlotWidget::keyPressEvent(event);
}

bool IntervalPlot::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = help->pos().y() / rowHeight();
        if (index < 0 || index >= static_cast<int>(m_rows.size())) {
            QToolTip::hideText();
            return true;
        }
        const IntervalRow& row = m_rows[index];
        QString text = row.label + QLatin1Char('\n') + tr("verdict: %1").arg(verdictDisplayName(row.verdict));
        if (!row.reason.isEmpty())
            text += QLatin1Char('\n') + row.reason;
        if (hasInterval(row))
            text += QLatin1Char('\n') +
                    tr("%1, interval %2 to %3")
                        .arg(formatSpeedup(row.estimate), formatSpeedup(row.low), formatSpeedup(row.high));
        QToolTip::showText(help->globalPos(), text, this, rowRect(index));
        return true;
    }
    return PlotWidget::event(event);
}

QString IntervalPlot::toCsv() const
{
    const auto quoted = [](QString s) {
        return QLatin1Char('"') + s.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
    };
    const auto number = [](double v) { return std::isfinite(v) ? QString::number(v, 'g', 10) : QString(); };
    static constexpr const char* kNames[] = {"pending", "deploy", "fall-back", "failed"};
    QString text = QStringLiteral("id,label,estimate,low,high,margin,verdict,reason\n");
    for (const IntervalRow& row : m_rows)
        text += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8\n")
                    .arg(QString::number(row.id), quoted(row.label), number(row.estimate), number(row.low),
                         number(row.high), number(m_margin),
                         QLatin1String(kNames[static_cast<std::size_t>(row.verdict)]), quoted(row.reason));
    return text;
}

QString IntervalPlot::describe() const
{
    if (m_rows.isEmpty())
        return tr("Verdicts per operator. None yet: search an operator first.");
    const auto deployed = std::count_if(m_rows.begin(), m_rows.end(), [](const IntervalRow& r) {
        return r.verdict == IntervalVerdict::Deploy;
    });
    QString text = tr("Verdicts of %n operator(s),", nullptr, static_cast<int>(m_rows.size())) +
                   QLatin1Char(' ') +
                   tr("%n to deploy, against a margin of %1.", nullptr, static_cast<int>(deployed))
                       .arg(formatSpeedup(m_margin));
    const int index = indexOf(m_selected);
    if (index >= 0) {
        const IntervalRow& row = m_rows[index];
        text += QLatin1Char(' ') + tr("Selected: %1, %2.").arg(row.label, verdictDisplayName(row.verdict));
        if (hasInterval(row))
            text += QLatin1Char(' ') +
                    tr("Speedup %1, interval %2 to %3.")
                        .arg(formatSpeedup(row.estimate), formatSpeedup(row.low), formatSpeedup(row.high));
        if (!row.reason.isEmpty())
            text += QLatin1Char(' ') + row.reason;
    }
    return text;
}

} // namespace foresight
