// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tree_glyphs.h"

#include "widgets/theme.h"
#include "widgets/tree_canvas.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace foresight {

QString canvasStateName(CanvasNodeState state)
{
    switch (state) {
    case CanvasNodeState::Root:
        return TreeCanvas::tr("start");
    case CanvasNodeState::Proposed:
        return TreeCanvas::tr("proposed");
    case CanvasNodeState::Ghost:
        return TreeCanvas::tr("skipped (ghost)");
    case CanvasNodeState::Running:
        return TreeCanvas::tr("running");
    case CanvasNodeState::Measured:
        return TreeCanvas::tr("measured");
    case CanvasNodeState::FailedCompile:
        return TreeCanvas::tr("failed: does not build");
    case CanvasNodeState::FailedRun:
        return TreeCanvas::tr("failed: does not run");
    case CanvasNodeState::FailedVerify:
        return TreeCanvas::tr("failed: wrong result");
    case CanvasNodeState::FailedTiming:
        return TreeCanvas::tr("failed: timing");
    case CanvasNodeState::Duplicate:
        return TreeCanvas::tr("duplicate");
    }
    return {};
}

namespace {

QRectF squareIn(const QRectF& rect)
{
    const double side = std::min(rect.width(), rect.height());
    return {rect.center().x() - side / 2, rect.center().y() - side / 2, side, side};
}

void paintFailed(QPainter* painter, const QRectF& rect, CanvasNodeState state, const Theme& theme,
                 bool detailed)
{
    const QRectF s = squareIn(rect);
    const QPointF c = s.center();
    const double r = s.width() / 2;
    const QColor color = theme.color(ColorRole::Failed);
    painter->setPen(
        QPen(color, detailed ? std::max(1.3, r * 0.18) : 1.2, Qt::SolidLine, Qt::RoundCap, Qt::MiterJoin));
    painter->setBrush(theme.fill(ColorRole::Failed, 0.18));
    switch (state) {
    case CanvasNodeState::FailedCompile:
        painter->drawPolygon(
            QPolygonF({c + QPointF(0, -r), c + QPointF(r, 0), c + QPointF(0, r), c + QPointF(-r, 0)}));
        break;
    case CanvasNodeState::FailedRun:
        painter->drawPolygon(
            QPolygonF({c + QPointF(0, -r * 0.9), c + QPointF(r, r * 0.8), c + QPointF(-r, r * 0.8)}));
        break;
    case CanvasNodeState::FailedTiming:
        // An hourglass.
        painter->drawPolygon(QPolygonF({c + QPointF(-r * 0.75, -r * 0.9), c + QPointF(r * 0.75, -r * 0.9),
                                        c + QPointF(-r * 0.75, r * 0.9), c + QPointF(r * 0.75, r * 0.9)}));
        break;
    default: {
        const double d = r * 0.72;
        painter->setPen(QPen(color, std::max(1.8, r * 0.3), Qt::SolidLine, Qt::RoundCap));
        painter->drawLine(c + QPointF(-d, -d), c + QPointF(d, d));
        painter->drawLine(c + QPointF(-d, d), c + QPointF(d, -d));
    }
    }
}

} // namespace

void paintNodeGlyph(QPainter* painter, const QRectF& rect, CanvasNodeState state, const QColor& fill,
                    const Theme& theme, bool detailed)
{
    const double radius = rect.height() * 0.28;
    const double line = detailed ? std::max(1.0, rect.height() * 0.06) : 1.0;
    switch (state) {
    case CanvasNodeState::Measured:
        painter->setPen(Qt::NoPen);
        painter->setBrush(fill);
        painter->drawRoundedRect(rect, radius, radius);
        break;
    case CanvasNodeState::Root:
        painter->setPen(QPen(theme.color(ColorRole::Text), line * 1.6));
        painter->setBrush(theme.color(ColorRole::Window));
        painter->drawRect(rect);
        break;
    case CanvasNodeState::Ghost: {
        QPen pen(fill, line * 1.2);
        pen.setDashPattern({3, 2});
        painter->setPen(pen);
        painter->setBrush(theme.color(ColorRole::Base));
        painter->drawRoundedRect(rect, radius, radius);
        break;
    }
    case CanvasNodeState::Proposed:
        painter->setPen(QPen(theme.color(ColorRole::Forecast), line));
        painter->setBrush(theme.color(ColorRole::Base));
        painter->drawRoundedRect(rect, radius, radius);
        break;
    case CanvasNodeState::Running: {
        painter->setPen(QPen(theme.color(ColorRole::Running), line * 1.2));
        painter->setBrush(theme.color(ColorRole::Base));
        painter->drawRoundedRect(rect, radius, radius);
        const QRectF s = squareIn(rect);
        const double r = s.width() * 0.26;
        painter->setPen(QPen(theme.color(ColorRole::Running), line * 2, Qt::SolidLine, Qt::RoundCap));
        painter->drawArc(QRectF(s.center().x() - r, s.center().y() - r, 2 * r, 2 * r), 90 * 16, -270 * 16);
        break;
    }
    case CanvasNodeState::Duplicate: {
        const QRectF s = squareIn(rect);
        const double r = s.width() * 0.22;
        painter->setPen(QPen(theme.color(ColorRole::Ghost), line));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(s.center() + QPointF(-r * 0.5, 0), r, r);
        painter->drawEllipse(s.center() + QPointF(r * 0.5, 0), r, r);
        break;
    }
    default:
        paintFailed(painter, rect, state, theme, detailed);
    }
}

void paintAuditBadge(QPainter* painter, const QRectF& node, const Theme& theme)
{
    const double r = std::max(2.5, node.height() * 0.2);
    const QPointF c(node.right() - r * 0.6, node.top() + r * 0.4);
    painter->setPen(QPen(theme.color(ColorRole::Base), 1));
    painter->setBrush(theme.color(ColorRole::Audit));
    painter->drawPolygon(
        QPolygonF({c + QPointF(0, -r), c + QPointF(r, 0), c + QPointF(0, r), c + QPointF(-r, 0)}));
}

void paintForbiddenBar(QPainter* painter, const QRectF& node, const Theme& theme)
{
    painter->setPen(QPen(theme.color(ColorRole::Bad), std::max(1.5, node.height() * 0.1)));
    painter->drawLine(node.bottomLeft() + QPointF(-1, 1), node.topRight() + QPointF(1, -1));
}

void paintPin(QPainter* painter, const QRectF& node, const Theme& theme)
{
    const double r = std::max(2.0, node.height() * 0.14);
    const QPointF c(node.left() + r * 0.5, node.top() + r * 0.5);
    painter->setPen(QPen(theme.color(ColorRole::Base), 1));
    painter->setBrush(theme.color(ColorRole::Text));
    painter->drawEllipse(c, r, r);
}

void paintStar(QPainter* painter, const QPointF& centre, double radius, const QColor& fill,
               const QColor& outline)
{
    QPolygonF star;
    for (int i = 0; i < 10; ++i) {
        const double angle = std::numbers::pi * (i / 5.0 - 0.5);
        const double r = i % 2 == 0 ? radius : radius * 0.45;
        star << centre + QPointF(std::cos(angle) * r, std::sin(angle) * r);
    }
    painter->setPen(QPen(outline, 1.2));
    painter->setBrush(fill);
    painter->drawPolygon(star);
}

} // namespace foresight
