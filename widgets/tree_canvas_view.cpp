// SPDX-License-Identifier: GPL-3.0-or-later
// TreeCanvas: geometry, zoom, painting, mini-map.
#include "widgets/tree_canvas.h"

#include "widgets/theme.h"
#include "widgets/tree_layout_service.h"
#include "widgets/tree_painter.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr double kMaxScale = 4;
constexpr double kMinScale = 1e-4;
constexpr double kMaxFitScale = 1.25; // a small tree is not blown up
constexpr double kZoomStep = 1.25;
constexpr int kMargin = 12;
constexpr double kHitSlack = 4; // pixels around small nodes

} // namespace

void TreeCanvas::updateMetrics()
{
    const double em = fontMetrics().height();
    m_rowHeight = em;
    m_cellWidth = em * static_cast<double>(kCellAspect);
}

QPointF TreeCanvas::sceneToWidget(double x, double row) const
{
    return {m_origin.x() + x * m_cellWidth * m_scale, m_origin.y() + row * m_rowHeight * m_scale};
}

QPointF TreeCanvas::widgetToScene(const QPointF& pos) const
{
    return {(pos.x() - m_origin.x()) / (m_cellWidth * m_scale),
            (pos.y() - m_origin.y()) / (m_rowHeight * m_scale)};
}

QRectF TreeCanvas::nodeRectAt(int index) const
{
    if (!isShown(index))
        return {};
    const auto i = static_cast<std::size_t>(index);
    const QPointF centre = sceneToWidget(m_layout->x[i], m_layout->row[i] + kNodeRows / 2.0);
    const QSizeF size = TreePainter::nodeSize(m_cellWidth * m_scale, m_rowHeight * m_scale);
    return {centre - QPointF(size.width() / 2, size.height() / 2), size};
}

QRectF TreeCanvas::nodeRect(qint64 id) const
{
    return nodeRectAt(indexOf(id));
}

qint64 TreeCanvas::nodeAt(const QPointF& pos) const
{
    const double nodeHeight = m_rowHeight * m_scale * 1.5;
    const qint64 id = nodeNear(pos, nodeHeight < 3 * kHitSlack ? nodeHeight / 2 + kHitSlack : 0);
    if (id >= 0 && nodeHeight >= 3 * kHitSlack && !nodeRect(id).contains(pos))
        return -1;
    return id;
}

// The node whose centre is nearest, at most `radius` pixels away (or, with radius 0, in whose row and cell
// pos lies).
qint64 TreeCanvas::nodeNear(const QPointF& pos, double radius) const
{
    if (m_layout->shown == 0)
        return -1;
    const double cell = m_cellWidth * m_scale, row = m_rowHeight * m_scale;
    const double reachX = std::max(radius, cell / 2), reachY = std::max(radius, row * kNodeRows / 2.0);
    const QPointF scene = widgetToScene(pos);
    const auto clampRow = [this](double r) {
        return static_cast<int>(std::clamp(std::floor(r), 0.0, static_cast<double>(m_layout->rowCount - 1)));
    };
    double best = INFINITY;
    qint64 id = -1;
    for (int r = clampRow(scene.y() - reachY / row - kNodeRows / 2.0);
         r <= clampRow(scene.y() + reachY / row); ++r) {
        const auto& nodes = m_layout->rows[static_cast<std::size_t>(r)];
        const auto xOf = [this](std::int32_t i) {
            return static_cast<double>(m_layout->x[static_cast<std::size_t>(i)]);
        };
        auto it = std::partition_point(nodes.begin(), nodes.end(),
                                       [&](std::int32_t i) { return xOf(i) < scene.x() - reachX / cell; });
        for (; it != nodes.end() && xOf(*it) <= scene.x() + reachX / cell; ++it) {
            const double dx = (xOf(*it) - scene.x()) * cell, dy = (r + kNodeRows / 2.0 - scene.y()) * row;
            const double distance = std::hypot(dx, dy);
            if (distance < best && (radius == 0 || distance <= radius)) {
                best = distance;
                id = m_nodes[*it].id;
            }
        }
    }
    return id;
}

QSizeF TreeCanvas::contentSize() const
{
    return {(m_layout->maxX - m_layout->minX) * m_cellWidth, m_layout->rowCount * m_rowHeight};
}

double TreeCanvas::fitScale(const QRectF& area) const
{
    const QSizeF content = contentSize();
    if (content.isEmpty())
        return 1;
    return std::clamp(std::min((area.width() - 2 * kMargin) / content.width(),
                               (area.height() - 2 * kMargin) / content.height()),
                      kMinScale, kMaxFitScale);
}

void TreeCanvas::applyFit()
{
    QRectF area(rect());
    const auto top = [this] {
        return std::max<double>(kMargin, (height() - contentSize().height() * m_scale) / 3);
    };
    m_scale = fitScale(area);
    m_legendRight = false;
    // Beside the legend rather than under it, unless that costs too much room.
    const QRect legend = legendRect();
    if (!legend.isNull() && top() + contentSize().height() * m_scale > legend.top()) {
        const QRectF beside = area.adjusted(legend.right(), 0, 0, 0);
        if (fitScale(beside) > m_scale * 0.65) {
            area = beside;
            m_scale = fitScale(area);
        }
    }
    m_origin = QPointF(area.left() + (area.width() - contentSize().width() * m_scale) / 2 -
                           m_layout->minX * m_cellWidth * m_scale,
                       top());
    placeLegend();
    emit scaleChanged(m_scale);
}

void TreeCanvas::fit()
{
    m_autoFit = true;
    applyFit();
    update();
}

void TreeCanvas::setScaleAround(const QPointF& pos, double newScale)
{
    newScale = std::clamp(newScale, std::min(fitScale(QRectF(rect())) * 0.5, 0.5), kMaxScale);
    if (qFuzzyCompare(newScale, m_scale))
        return;
    m_autoFit = false;
    m_origin = pos + (m_origin - pos) * (newScale / m_scale);
    m_scale = newScale;
    keepInReach();
    update();
    emit scaleChanged(m_scale);
}

// Some of the tree stays in the window, however far it is dragged.
void TreeCanvas::keepInReach()
{
    const QSizeF content = contentSize() * m_scale;
    const double keepX = std::min(60.0, width() / 4.0), keepY = std::min(60.0, height() / 4.0);
    const double left = m_origin.x() + m_layout->minX * m_cellWidth * m_scale;
    const double newLeft =
        std::clamp(left, std::min(keepX - content.width(), width() - keepX), width() - keepX);
    m_origin.rx() += newLeft - left;
    m_origin.ry() =
        std::clamp(m_origin.y(), std::min(keepY - content.height(), height() - keepY), height() - keepY);
}

void TreeCanvas::zoomAt(const QPointF& pos, double factor)
{
    setScaleAround(pos, m_scale * factor);
}

void TreeCanvas::zoomIn()
{
    const QRectF selected = nodeRect(m_selected);
    zoomAt(selected.isValid() && QRectF(rect()).contains(selected.center()) ? selected.center()
                                                                            : QRectF(rect()).center(),
           kZoomStep);
}

void TreeCanvas::zoomOut()
{
    const QRectF selected = nodeRect(m_selected);
    zoomAt(selected.isValid() && QRectF(rect()).contains(selected.center()) ? selected.center()
                                                                            : QRectF(rect()).center(),
           1 / kZoomStep);
}

void TreeCanvas::centerOn(qint64 id)
{
    const QRectF place = nodeRect(id);
    if (!place.isValid())
        return;
    m_autoFit = false;
    m_origin += QRectF(rect()).center() - place.center();
    update();
}

void TreeCanvas::revealNode(int index)
{
    const QRectF place = nodeRectAt(index);
    if (!place.isValid())
        return;
    const QRectF inside = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    if (inside.contains(place) || (place.height() > inside.height() || place.width() > inside.width()))
        return;
    QPointF shift;
    if (place.left() < inside.left())
        shift.setX(inside.left() - place.left());
    else if (place.right() > inside.right())
        shift.setX(inside.right() - place.right());
    if (place.top() < inside.top())
        shift.setY(inside.top() - place.top());
    else if (place.bottom() > inside.bottom())
        shift.setY(inside.bottom() - place.bottom());
    if (shift.isNull())
        return;
    m_autoFit = false;
    m_origin += shift;
    update();
}

QRect TreeCanvas::miniMapRect() const
{
    const QSizeF content = contentSize();
    if (content.isEmpty())
        return {};
    const int em = fontMetrics().height();
    const QSizeF most(std::min(em * 13.0, width() * 0.3), std::min(em * 8.0, height() * 0.3));
    const double scale = std::min(most.width() / content.width(), most.height() / content.height());
    const QSize size(std::max(em * 3, static_cast<int>(content.width() * scale)),
                     std::max(em * 2, static_cast<int>(content.height() * scale)));
    return {width() - size.width() - kMargin, height() - size.height() - kMargin, size.width(),
            size.height()};
}

bool TreeCanvas::miniMapShown() const
{
    if (!m_miniMapVisible || m_layout->shown < 2 || width() < fontMetrics().height() * 16)
        return false;
    // Of use only when part of the tree is outside.
    const QRectF all(sceneToWidget(m_layout->minX, 0), sceneToWidget(m_layout->maxX, m_layout->rowCount));
    return !QRectF(rect()).adjusted(-2, -2, 2, 2).contains(all);
}

void TreeCanvas::rebuildMiniMap() const
{
    const QSize size = miniMapRect().size();
    const qreal ratio = devicePixelRatioF();
    m_miniMap = QPixmap(size * ratio);
    m_miniMap.setDevicePixelRatio(ratio);
    m_miniMap.fill(currentTheme().color(ColorRole::Window));
    QPainter painter(&m_miniMap);
    const QSizeF content = contentSize();
    const double scale = std::min(size.width() / content.width(), size.height() / content.height());
    const QPointF origin((size.width() - content.width() * scale) / 2 - m_layout->minX * m_cellWidth * scale,
                         (size.height() - content.height() * scale) / 2);
    TreePainter(*this, &painter, scale, origin, QRectF(QPointF(), QSizeF(size))).paint(false);
    m_miniMapDirty = false;
}

void TreeCanvas::paintMiniMap(QPainter* painter) const
{
    const QRect place = miniMapRect();
    if (m_miniMapDirty || m_miniMap.size() != place.size() * devicePixelRatioF())
        rebuildMiniMap();
    const Theme& theme = currentTheme();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->drawPixmap(place.topLeft(), m_miniMap);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(theme.color(ColorRole::Border), 1));
    painter->drawRect(place.adjusted(-1, -1, 0, 0));
    const QSizeF content = contentSize();
    const double scale = std::min(place.width() / content.width(), place.height() / content.height());
    const QPointF origin(place.left() + (place.width() - content.width() * scale) / 2,
                         place.top() + (place.height() - content.height() * scale) / 2);
    const QPointF topLeft = widgetToScene(QPointF(0, 0)),
                  bottomRight = widgetToScene(QPointF(width(), height()));
    const auto toMap = [&](const QPointF& scene) {
        return origin + QPointF((scene.x() - m_layout->minX) * m_cellWidth, scene.y() * m_rowHeight) * scale;
    };
    const QRectF view = QRectF(toMap(topLeft), toMap(bottomRight)).intersected(QRectF(place));
    painter->setPen(QPen(theme.color(ColorRole::Accent), 2));
    painter->setBrush(theme.fill(ColorRole::Accent, 0.12));
    painter->drawRect(view);
}

void TreeCanvas::panToMiniMap(const QPoint& pos)
{
    const QRect place = miniMapRect();
    const QSizeF content = contentSize();
    const double scale = std::min(place.width() / content.width(), place.height() / content.height());
    const double x =
        (pos.x() - place.left() - (place.width() - content.width() * scale) / 2) / scale / m_cellWidth +
        m_layout->minX;
    const double row =
        (pos.y() - place.top() - (place.height() - content.height() * scale) / 2) / scale / m_rowHeight;
    m_autoFit = false;
    m_origin += QRectF(rect()).center() - sceneToWidget(x, row);
    keepInReach();
    update();
}

void TreeCanvas::render(QPainter* painter, const QSize& size) const
{
    painter->fillRect(QRect(QPoint(), size), currentTheme().color(ColorRole::Base));
    const QSizeF content = contentSize();
    if (content.isEmpty())
        return;
    const double scale = std::min({(size.width() - 2.0 * kMargin) / content.width(),
                                   (size.height() - 2.0 * kMargin) / content.height(), kMaxFitScale});
    const QPointF origin((size.width() - content.width() * scale) / 2 - m_layout->minX * m_cellWidth * scale,
                         kMargin);
    TreePainter(*this, painter, scale, origin, QRectF(QPointF(), QSizeF(size))).paint(false);
}

void TreeCanvas::paintEvent(QPaintEvent* event)
{
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(event->rect(), theme.color(ColorRole::Base));
    if (m_nodes.isEmpty()) {
        painter.setPen(theme.color(ColorRole::TextSecondary));
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("No candidates yet"));
    } else {
        TreePainter(*this, &painter, m_scale, m_origin, QRectF(event->rect())).paint(true);
        if (const QRect legend = legendRect(); !legend.isNull())
            paintTreeLegend(&painter, legend.topLeft(), font(), legendContent());
        if (miniMapShown())
            paintMiniMap(&painter);
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color(ColorRole::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
}

void TreeCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_miniMapDirty = true;
    if (m_autoFit)
        applyFit();
    else
        keepInReach();
}

void TreeCanvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateMetrics();
        m_miniMapDirty = true;
        if (m_autoFit)
            applyFit();
        update();
    }
}

QSize TreeCanvas::sizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 48, em * 32};
}

QSize TreeCanvas::minimumSizeHint() const
{
    const int em = fontMetrics().height();
    return {em * 12, em * 8};
}

} // namespace foresight
