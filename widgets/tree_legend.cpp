// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_format.h"
#include "widgets/tree_glyphs.h"
#include "widgets/tree_painter.h"

#include <QFontMetrics>

#include <cmath>

namespace foresight {

namespace {

struct Entry
{
    CanvasNodeState state;
    QString text;
};

QVector<Entry> entries(bool ghosts)
{
    QVector<Entry> list{{CanvasNodeState::Measured, canvasStateName(CanvasNodeState::Measured)}};
    if (ghosts)
        list.append({CanvasNodeState::Ghost, canvasStateName(CanvasNodeState::Ghost)});
    for (auto state : {CanvasNodeState::Running, CanvasNodeState::FailedCompile, CanvasNodeState::FailedRun,
                       CanvasNodeState::FailedVerify, CanvasNodeState::FailedTiming})
        list.append({state, canvasStateName(state)});
    return list;
}

QString modeTitle(CanvasColorMode mode)
{
    switch (mode) {
    case CanvasColorMode::Forecast:
        return TreeCanvas::tr("colour: forecast speedup");
    case CanvasColorMode::Depth:
        return TreeCanvas::tr("colour: depth");
    case CanvasColorMode::Measured:
        break;
    }
    return TreeCanvas::tr("colour: measured speedup");
}

} // namespace

QSize paintTreeLegend(QPainter* painter, const QPoint& topLeft, const QFont& font, CanvasColorMode mode,
                      int maxDepth, bool ghosts)
{
    QFont small = font;
    small.setPointSizeF(std::max(6.0, font.pointSizeF() * 0.9));
    const QFontMetrics metrics(small);
    const int em = metrics.height(), pad = em / 2, glyphWidth = em * 2;
    const QVector<Entry> list = entries(ghosts);
    const QString starText = TreeCanvas::tr("best so far"),
                  auditText = TreeCanvas::tr("audit: measured at random");
    int textWidth = std::max({metrics.horizontalAdvance(modeTitle(mode)) - glyphWidth,
                              metrics.horizontalAdvance(starText), metrics.horizontalAdvance(auditText)});
    for (const Entry& entry : list)
        textWidth = std::max(textWidth, metrics.horizontalAdvance(entry.text));
    const int line = em + em / 4;
    const int rows = static_cast<int>(list.size()) + 2;
    const QSize size(glyphWidth + textWidth + pad * 3, rows * line + em * 3 + pad * 3);
    if (!painter)
        return size;
    const Theme& theme = currentTheme();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(small);
    painter->setPen(QPen(theme.color(ColorRole::Grid), 1));
    painter->setBrush(theme.fill(ColorRole::Base, 0.92));
    painter->drawRoundedRect(QRectF(QRect(topLeft, size)).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    int y = topLeft.y() + pad;
    const int x = topLeft.x() + pad, textX = x + glyphWidth + pad;
    const auto label = [&](const QString& text) {
        painter->setPen(theme.color(ColorRole::Text));
        painter->drawText(QRect(textX, y, textWidth + pad, line), Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    const auto glyphRect = [&] { return QRectF(x + 1, y + line * 0.16, glyphWidth - 2, line * 0.68); };
    for (const Entry& entry : list) {
        const QColor fill =
            entry.state == CanvasNodeState::Ghost ? theme.color(ColorRole::Ghost) : theme.diverging(0.9);
        paintNodeGlyph(painter, glyphRect(), entry.state, fill, theme, false);
        label(entry.text);
        y += line;
    }
    paintStar(painter, glyphRect().center(), line * 0.42, theme.color(ColorRole::Incumbent),
              theme.color(ColorRole::Base));
    label(starText);
    y += line;
    const QRectF badge = glyphRect();
    paintAuditBadge(painter, QRectF(badge.center().x() - em, badge.center().y() - em * 0.1, em, em), theme);
    label(auditText);
    y += line + pad;
    painter->setPen(theme.color(ColorRole::Text));
    painter->drawText(QRect(x, y, size.width() - 2 * pad, em), Qt::AlignLeft | Qt::AlignVCenter,
                      modeTitle(mode));
    y += em + 2;
    const int width = size.width() - 2 * pad, steps = 48;
    for (int i = 0; i < steps; ++i) {
        const double t = static_cast<double>(i) / (steps - 1);
        const QColor color =
            mode == CanvasColorMode::Depth ? theme.sequential(t) : theme.diverging(t * 4 - 2);
        painter->fillRect(
            QRectF(x + t * width * (steps - 1) / steps, y, width / static_cast<double>(steps) + 1, em * 0.7),
            color);
    }
    y += em * 7 / 10 + 1;
    painter->setPen(theme.color(ColorRole::TextSecondary));
    const QRect scale(x, y, width, em);
    if (mode == CanvasColorMode::Depth) {
        painter->drawText(scale, Qt::AlignLeft | Qt::AlignVCenter, formatCount(0));
        painter->drawText(scale, Qt::AlignRight | Qt::AlignVCenter, formatCount(maxDepth));
    } else {
        painter->drawText(scale, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("≤") + formatSpeedup(0.25));
        painter->drawText(scale, Qt::AlignHCenter | Qt::AlignVCenter, formatSpeedup(1));
        painter->drawText(scale, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("≥") + formatSpeedup(4));
    }
    painter->restore();
    return size;
}

} // namespace foresight
