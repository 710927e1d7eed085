// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scatter_plot.h"

#include "widgets/number_format.h"
#include "widgets/plot_style.h"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace foresight {

namespace {

constexpr int kManyPoints = 5000;
constexpr double kHitRadius = 8;
const auto kSelectionLayer = QStringLiteral("selection");

bool isPlottable(const ScatterPoint& p)
{
    return std::isfinite(p.forecastSpeedup) && std::isfinite(p.measuredSpeedup) && p.forecastSpeedup > 0 &&
           p.measuredSpeedup > 0;
}

// QCustomPlot's own star is an asterisk. Scatter paths are drawn at a nominal size of 6.
QPainterPath starPath()
{
    QPolygonF star;
    for (int i = 0; i <= 10; ++i) {
        const double angle = std::numbers::pi * (i / 5.0 - 0.5), r = i % 2 == 0 ? 3.4 : 1.5;
        star << QPointF(std::cos(angle) * r, std::sin(angle) * r);
    }
    QPainterPath path;
    path.addPolygon(star);
    return path;
}

double absLog2Error(const ScatterPoint& p)
{
    return std::abs(std::log2(p.forecastSpeedup) - std::log2(p.measuredSpeedup));
}

} // namespace

ScatterPlot::ScatterPlot(QWidget* parent) : CustomPlotWidget(parent)
{
    setAccessibleName(tr("Forecast against measured"));
    setExportName(QStringLiteral("forecast-vs-measured"));
    m_plot->addLayer(kSelectionLayer);
    refresh();
}

void ScatterPlot::setPoints(const QVector<ScatterPoint>& points)
{
    m_points.clear();
    for (const ScatterPoint& p : points) {
        if (isPlottable(p))
            m_points.append(p);
    }
    m_leftOut = static_cast<int>(points.size() - m_points.size());
    refresh();
}

int ScatterPlot::indexOf(qint64 id) const
{
    for (int i = 0; i < static_cast<int>(m_points.size()); ++i) {
        if (m_points[i].id == id)
            return i;
    }
    return -1;
}

void ScatterPlot::setSelected(qint64 id)
{
    if (m_selected == id)
        return;
    m_selected = id;
    refresh();
}

void ScatterPlot::rebuild()
{
    setEmptyText(m_points.isEmpty() ? tr("No data: nothing forecast has been measured yet") : QString());
    if (m_points.isEmpty())
        return;
    const Theme& theme = currentTheme();
    m_plot->clearPlottables();
    m_plot->clearItems();
    m_plot->legend->setVisible(false);
    QCPAxis* x = m_plot->xAxis;
    QCPAxis* y = m_plot->yAxis;
    x->setTicker(QSharedPointer<Log2SpeedupTicker>::create(x));
    y->setTicker(QSharedPointer<Log2SpeedupTicker>::create(y));
    x->setLabel(tr("forecast speedup"));
    y->setLabel(tr("measured speedup"));
    stylePlot(m_plot, font());
    QVector<double> fx, fy, ax, ay, bx, by;
    double low = -0.25, high = 0.25;
    for (const ScatterPoint& p : m_points) {
        const double f = std::log2(p.forecastSpeedup), m = std::log2(p.measuredSpeedup);
        low = std::min({low, f, m});
        high = std::max({high, f, m});
        (p.incumbent ? bx : p.audit ? ax : fx).append(f);
        (p.incumbent ? by : p.audit ? ay : fy).append(m);
    }
    const double pad = (high - low) * 0.06;
    x->setRange(low - pad, high + pad);
    y->setRange(low - pad, high + pad);

    const auto addLine = [&](double x0, double y0, double x1, double y1, const QPen& pen) {
        auto* line = new QCPItemStraightLine(m_plot);
        line->point1->setCoords(x0, y0);
        line->point2->setCoords(x1, y1);
        line->setPen(pen);
    };
    addLine(0, 0, 1, 1, QPen(theme.color(ColorRole::Reference), 1, Qt::DashLine));
    const QPen unity(theme.fill(ColorRole::Reference, 0.7), 1, Qt::DotLine);
    addLine(0, 0, 0, 1, unity);
    addLine(0, 0, 1, 0, unity);

    const bool many = m_points.size() > kManyPoints;
    const auto addPoints = [&](const QVector<double>& px, const QVector<double>& py,
                               QCPScatterStyle::ScatterShape shape, ColorRole role, double size, double alpha,
                               const QString& name) {
        if (px.isEmpty())
            return;
        QCPGraph* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setData(px, py);
        QCPScatterStyle style(shape, QPen(theme.color(role), 1.2), theme.fill(role, alpha), size);
        if (shape == QCPScatterStyle::ssCustom)
            style.setCustomPath(starPath());
        graph->setScatterStyle(style);
        graph->setAntialiasedScatters(!many);
        graph->setAdaptiveSampling(true);
        graph->setName(name);
    };
    addPoints(fx, fy, QCPScatterStyle::ssCircle, ColorRole::Measured, many ? 4 : 7, 0.35, tr("measured"));
    addPoints(ax, ay, QCPScatterStyle::ssDiamond, ColorRole::Audit, 9, 0.35, tr("audit"));
    addPoints(bx, by, QCPScatterStyle::ssCustom, ColorRole::Incumbent, 13, 1.0, tr("best"));
    if (m_plot->graphCount() > 1) {
        m_plot->legend->setVisible(true);
        m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignLeft);
    }
    const int index = indexOf(m_selected);
    if (index >= 0) {
        auto* ring = new QCPGraph(x, y);
        ring->removeFromLegend();
        ring->setLayer(kSelectionLayer);
        ring->setLineStyle(QCPGraph::lsNone);
        ring->setData({std::log2(m_points[index].forecastSpeedup)},
                      {std::log2(m_points[index].measuredSpeedup)});
        ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle,
                                              QPen(theme.color(ColorRole::Text), 2.2), Qt::NoBrush, 15));
    }
}

qint64 ScatterPlot::pointAt(const QPoint& pos) const
{
    const QPointF p = toPlot(pos);
    double best = kHitRadius * kHitRadius;
    qint64 id = -1;
    for (const ScatterPoint& point : m_points) {
        const double dx = m_plot->xAxis->coordToPixel(std::log2(point.forecastSpeedup)) - p.x();
        const double dy = m_plot->yAxis->coordToPixel(std::log2(point.measuredSpeedup)) - p.y();
        const double distance = dx * dx + dy * dy;
        if (distance <= best) {
            best = distance;
            id = point.id;
        }
    }
    return id;
}

QPoint ScatterPlot::positionOf(qint64 id) const
{
    const int index = indexOf(id);
    if (index < 0)
        return {-1, -1};
    const QPointF p(m_plot->xAxis->coordToPixel(std::log2(m_points[index].forecastSpeedup)),
                    m_plot->yAxis->coordToPixel(std::log2(m_points[index].measuredSpeedup)));
    return m_plot->mapToParent(p.toPoint());
}

QString ScatterPlot::toolTipAt(const QPoint& pos) const
{
    const int index = indexOf(pointAt(m_plot->mapToParent(pos)));
    if (index < 0)
        return {};
    const ScatterPoint& p = m_points[index];
    QString text = p.label.isEmpty() ? tr("#%1").arg(p.id) : p.label;
    text += QLatin1Char('\n') + tr("forecast %1, measured %2")
                                    .arg(formatSpeedup(p.forecastSpeedup), formatSpeedup(p.measuredSpeedup));
    if (p.audit)
        text += QLatin1Char('\n') + tr("audit: measured although the rule would have skipped it");
    if (p.incumbent)
        text += QLatin1Char('\n') + tr("best so far");
    return text;
}

void ScatterPlot::selectByUser(qint64 id)
{
    if (id < 0 || id == m_selected)
        return;
    setSelected(id);
    emit pointSelected(id);
}

void ScatterPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        selectByUser(pointAt(event->pos()));
        event->accept();
        return;
    }
    CustomPlotWidget::mousePressEvent(event);
}

void ScatterPlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    const qint64 id = pointAt(event->pos());
    if (id >= 0)
        emit pointActivated(id);
}

void ScatterPlot::keyPressEvent(QKeyEvent* event)
{
    if (m_points.isEmpty()) {
        CustomPlotWidget::keyPressEvent(event);
        return;
    }
    const int count = static_cast<int>(m_points.size());
    const int index = indexOf(m_selected);
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Down:
        selectByUser(m_points[(index + 1) % count].id);
        break;
    case Qt::Key_Left:
    case Qt::Key_Up:
        selectByUser(m_points[index < 0 ? count - 1 : (index + count - 1) % count].id);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (index >= 0)
            emit pointActivated(m_selected);
        break;
    default:
        CustomPlotWidget::keyPressEvent(event);
    }
}

QString ScatterPlot::toCsv() const
{
    QString text = QStringLiteral("id,label,forecast_speedup,measured_speedup,audit,incumbent\n");
    for (const ScatterPoint& p : m_points)
        text +=
            QStringLiteral("%1,%2,%3,%4,%5,%6\n")
                .arg(QString::number(p.id), csvText(p.label), csvNumber(p.forecastSpeedup),
                     csvNumber(p.measuredSpeedup), QString::number(p.audit), QString::number(p.incumbent));
    return text;
}

QString ScatterPlot::describe() const
{
    if (m_points.isEmpty())
        return tr("Forecast against measured speedup. No data: nothing forecast has been measured yet.");
    QVector<double> errors;
    errors.reserve(m_points.size());
    for (const ScatterPoint& p : m_points)
        errors.append(absLog2Error(p));
    const auto middle = errors.begin() + errors.size() / 2;
    std::nth_element(errors.begin(), middle, errors.end());
    QString text =
        tr("Forecast against measured speedup, %n candidate(s).", nullptr, static_cast<int>(m_points.size()));
    text += QLatin1Char(' ') +
            tr("The median forecast is off by a factor of %1.").arg(formatFixed(std::exp2(*middle), 2));
    if (m_leftOut > 0)
        text += QLatin1Char(' ') + tr("%n without a usable value left out.", nullptr, m_leftOut);
    const int index = indexOf(m_selected);
    if (index >= 0)
        text += QLatin1Char(' ') +
                tr("Selected: %1, forecast %2, measured %3.")
                    .arg(m_points[index].label.isEmpty() ? tr("#%1").arg(m_selected) : m_points[index].label,
                         formatSpeedup(m_points[index].forecastSpeedup),
                         formatSpeedup(m_points[index].measuredSpeedup));
    return text;
}

} // namespace foresight
