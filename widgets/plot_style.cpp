// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_style.h"

#include "widgets/custom_plot_widget.h"
#include "widgets/number_format.h"

#include <QHelpEvent>
#include <QPicture>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>

namespace foresight {

void styleAxisRect(QCPAxisRect* rect, const QFont& font)
{
    const Theme& theme = currentTheme();
    for (QCPAxis* axis : rect->axes()) {
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->setTickLabelColor(theme.color(ColorRole::TextSecondary));
        axis->setLabelColor(theme.color(ColorRole::Text));
        axis->setBasePen(QPen(theme.color(ColorRole::Axis), 1));
        axis->setTickPen(QPen(theme.color(ColorRole::Axis), 1));
        axis->setSubTickPen(QPen(theme.color(ColorRole::Axis), 1));
        axis->grid()->setPen(QPen(theme.color(ColorRole::Grid), 1));
        axis->grid()->setZeroLinePen(QPen(theme.color(ColorRole::Grid), 1));
        axis->setTickLabelPadding(3);
        axis->setLabelPadding(3);
    }
}

void styleLegend(QCPLegend* legend, const QFont& font)
{
    const Theme& theme = currentTheme();
    QColor back = theme.color(ColorRole::Base);
    back.setAlphaF(0.85f);
    legend->setBrush(back);
    legend->setBorderPen(Qt::NoPen);
    legend->setFont(font);
    legend->setTextColor(theme.color(ColorRole::Text));
    const QFontMetrics metrics(font);
    legend->setIconSize(metrics.height() + metrics.height() / 2, metrics.height());
    legend->setRowSpacing(0);
    legend->setMargins(QMargins(4, 2, 4, 2));
}

void stylePlot(QCustomPlot* plot, const QFont& font)
{
    plot->setBackground(currentTheme().color(ColorRole::Base));
    for (QCPAxisRect* rect : plot->axisRects())
        styleAxisRect(rect, font);
    if (plot->legend)
        styleLegend(plot->legend, font);
}

int FittedTicker::fittingTicks() const
{
    const bool horizontal = m_axis->orientation() == Qt::Horizontal;
    const int length = horizontal ? m_axis->axisRect()->width() : m_axis->axisRect()->height();
    const int em = QFontMetrics(m_axis->tickLabelFont()).height();
    return std::clamp(length / (horizontal ? em * 4 : em * 2), 2, 9);
}

double FittedTicker::getTickStep(const QCPRange& range)
{
    setTickCount(std::min(fittingTicks(), 6));
    return QCPAxisTicker::getTickStep(range);
}

double Log2SpeedupTicker::getTickStep(const QCPRange& range)
{
    for (double step : {0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}) {
        if (range.size() / step <= fittingTicks())
            return step;
    }
    return 16;
}

int Log2SpeedupTicker::getSubTickCount(double)
{
    return 1;
}

QString Log2SpeedupTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    const double speedup = std::exp2(tick);
    const bool whole = std::abs(speedup - std::round(speedup)) < 1e-9;
    return QLocale().toString(speedup, 'f', whole ? 0 : speedup < 0.1 ? 3 : 2) + QChar(0x00D7);
}

QString SpeedupTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return QLocale().toString(tick, 'g', 4) + QChar(0x00D7);
}

QString PercentTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return formatPercent(tick, 0);
}

double CountTicker::getTickStep(const QCPRange& range)
{
    return std::max(1.0, std::round(FittedTicker::getTickStep(range)));
}

QString CountTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return formatCount(std::llround(tick));
}

QString csvNumber(double value)
{
    return std::isfinite(value) ? QString::number(value, 'g', 10) : QString();
}

QString csvText(QString text)
{
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

CustomPlotWidget::CustomPlotWidget(QWidget* parent) : PlotWidget(parent), m_plot(new QCustomPlot(this))
{
    auto* layout = new QVBoxLayout(this);
    // Room for the focus frame around the plot.
    layout->setContentsMargins(3, 3, 3, 3);
    layout->addWidget(m_plot);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setNoAntialiasingOnDrag(false);
    setMouseTracking(true);
}

CustomPlotWidget::~CustomPlotWidget() = default;

void CustomPlotWidget::render(QPainter* painter, const QSize& size) const
{
    if (!m_emptyText.isEmpty()) {
        painter->fillRect(QRect(QPoint(), size), currentTheme().color(ColorRole::Base));
        paintEmptyText(painter, QRect(QPoint(), size));
        return;
    }
    // QCustomPlot only paints with its own painter class, which needs a device: a picture keeps it vector.
    QPicture picture;
    {
        QCPPainter recorder(&picture);
        recorder.setMode(QCPPainter::pmVectorized);
        recorder.setMode(QCPPainter::pmNoCaching);
        m_plot->toPainter(&recorder, size.width(), size.height());
    }
    painter->drawPicture(0, 0, picture);
}

void CustomPlotWidget::setEmptyText(const QString& text)
{
    m_emptyText = text;
    m_plot->setVisible(text.isEmpty());
}

void CustomPlotWidget::paintEmptyText(QPainter* painter, const QRect& area) const
{
    painter->setFont(font());
    painter->setPen(currentTheme().color(ColorRole::TextSecondary));
    painter->drawText(area.adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

QSize CustomPlotWidget::sizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 26, em * 18};
}

QSize CustomPlotWidget::minimumSizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 12, em * 10};
}

QString CustomPlotWidget::toolTipAt(const QPoint&) const
{
    return {};
}

void CustomPlotWidget::fitToSize()
{
    constexpr const char* kFull = "fullLabel";
    constexpr const char* kShown = "shownLabel";
    const int em = fontMetrics().height();
    for (const QCPAxisRect* rect : m_plot->axisRects()) {
        for (QCPAxis* axis : rect->axes()) {
            if (axis->label().isEmpty())
                continue;
            if (axis->label() != axis->property(kShown).toString())
                axis->setProperty(kFull, axis->label());
            const bool horizontal = axis->orientation() == Qt::Horizontal;
            // Less what the other axes and their labels take; exact only after the plot's own layout.
            const int room = horizontal ? m_plot->width() - 5 * em : m_plot->height() - 4 * em;
            const QString shown = fontMetrics().elidedText(axis->property(kFull).toString(), Qt::ElideRight,
                                                           std::max(room, em));
            axis->setProperty(kShown, shown);
            axis->setLabel(shown);
        }
    }
}

void CustomPlotWidget::refresh()
{
    rebuild();
    fitToSize();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    dataChanged();
}

QPoint CustomPlotWidget::toPlot(const QPoint& pos) const
{
    return m_plot->mapFromParent(pos);
}

void CustomPlotWidget::themeChanged()
{
    refresh();
}

bool CustomPlotWidget::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = toolTipAt(toPlot(help->pos()));
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    if (event->type() == QEvent::Resize) {
        fitToSize();
        m_plot->replot(QCustomPlot::rpQueuedReplot); // its own resize has painted already
    }
    if (event->type() == QEvent::Show || event->type() == QEvent::Move)
        m_plot->setBufferDevicePixelRatio(devicePixelRatioF());
    return PlotWidget::event(event);
}

void CustomPlotWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().color(ColorRole::Base));
    if (!m_emptyText.isEmpty())
        paintEmptyText(&painter, rect());
    drawFocusFrame(&painter);
}

} // namespace foresight
