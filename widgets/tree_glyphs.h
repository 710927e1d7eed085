// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of tree nodes, one per state, so that states are told apart without colour. Used by canvas and
// legend. GUI thread; pure painting.
#pragma once

#include "widgets/tree_node.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace foresight {

class Theme;

// `fill` is the node's colour by the canvas's colour mode.
void paintNodeGlyph(QPainter* painter, const QRectF& rect, CanvasNodeState state, const QColor& fill,
                    const Theme& theme, bool detailed);
// Small shapes on a node's corner.
void paintAuditBadge(QPainter* painter, const QRectF& node, const Theme& theme);
void paintForbiddenBar(QPainter* painter, const QRectF& node, const Theme& theme);
void paintPin(QPainter* painter, const QRectF& node, const Theme& theme);
void paintStar(QPainter* painter, const QPointF& centre, double radius, const QColor& fill,
               const QColor& outline);

} // namespace foresight
