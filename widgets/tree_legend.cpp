// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_format.h"
#include "widgets/tree_glyphs.h"
#include "widgets/tree_painter.h"

#include <QFontMetrics>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace foresight {

namespace {

constexpr int kLegendMargin = 12;

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

QSize paintTreeLegend(QPainter* painter, const QPoint& topLeft, const QFont& font,
                      const TreeLegendContent& content)
{
    const CanvasColorMode mode = content.mode;
    QFont small = font;
    small.setPointSizeF(std::max(6.0, font.pointSizeF() * 0.9));
    const QFontMetrics metrics(small);
    const int em = metrics.height(), pad = em / 2, glyphWidth = em * 2;
    const QString starText = TreeCanvas::tr("best so far"),
                  auditText = TreeCanvas::tr("audit: measured at random");
    int textWidth = std::max(metrics.horizontalAdvance(modeTitle(mode)) - glyphWidth, em * 6);
    const auto measure = [&](const QString& text) {
        textWidth = std::max(textWidth, metrics.horizontalAdvance(text));
    };
    for (const CanvasNodeState state : content.states)
        measure(canvasStateName(state));
    if (content.best)
        measure(starText);
    if (content.audits)
        measure(auditText);
    const int line = em + em / 4;
    const int rows =
        static_cast<int>(content.states.size()) + (content.best ? 1 : 0) + (content.audits ? 1 : 0);
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
    for (const CanvasNodeState state : content.states) {
        const QColor fill =
            state == CanvasNodeState::Ghost ? theme.color(ColorRole::Ghost) : theme.diverging(0.9);
        paintNodeGlyph(painter, glyphRect(), state, fill, theme, false);
        label(canvasStateName(state));
        y += line;
    }
    if (content.best) {
        paintStar(painter, glyphRect().center(), line * 0.42, theme.color(ColorRole::Incumbent),
                  theme.color(ColorRole::Base));
        label(starText);
        y += line;
    }
    if (content.audits) {
        const QRectF badge = glyphRect();
        paintAuditBadge(painter, QRectF(badge.center().x() - em, badge.center().y() - em * 0.1, em, em),
                        theme);
        label(auditText);
        y += line;
    }
    y += pad;
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
        painter->drawText(scale, Qt::AlignRight | Qt::AlignVCenter, formatCount(content.maxDepth));
    } else {
        painter->drawText(scale, Qt::AlignLeft | Qt::AlignVCenter,
                          QStringLiteral("≤") + formatSpeedup(std::exp2(-content.colorLimit)));
        painter->drawText(scale, Qt::AlignHCenter | Qt::AlignVCenter, formatSpeedup(1));
        painter->drawText(scale, Qt::AlignRight | Qt::AlignVCenter,
                          QStringLiteral("≥") + formatSpeedup(std::exp2(content.colorLimit)));
    }
    painter->restore();
    return size;
}

void TreeCanvas::tally(const CanvasNode& node, int change)
{
    m_states[static_cast<std::size_t>(node.state)] += change;
    m_audits += node.audit ? change : 0;
    if (std::isnan(node.log2Speedup))
        return;
    const auto holds = std::lower_bound(kColorLimits.begin(), kColorLimits.end() - 1,
                                        static_cast<double>(std::abs(node.log2Speedup)));
    m_speedups[static_cast<std::size_t>(holds - kColorLimits.begin())] += change;
}

double TreeCanvas::colorLimit() const
{
    const qint64 all = std::accumulate(m_speedups.begin(), m_speedups.end(), qint64(0));
    qint64 held = 0;
    for (std::size_t i = 0; i + 1 < kColorLimits.size(); ++i) {
        held += m_speedups[i];
        if (all > 0 && held * 5 >= all * 4)
            return kColorLimits[i];
    }
    return kColorLimits.back();
}

TreeLegendContent TreeCanvas::legendContent() const
{
    TreeLegendContent content;
    content.mode = m_colorMode;
    content.maxDepth = m_maxDepth;
    content.colorLimit = colorLimit();
    content.best = m_incumbent >= 0;
    content.audits = m_audits > 0;
    for (const auto state : {CanvasNodeState::Measured, CanvasNodeState::Ghost, CanvasNodeState::Running,
                             CanvasNodeState::FailedCompile, CanvasNodeState::FailedRun,
                             CanvasNodeState::FailedVerify, CanvasNodeState::FailedTiming}) {
        const bool hidden = state == CanvasNodeState::Ghost && !m_ghostsVisible;
        if (m_states[static_cast<std::size_t>(state)] > 0 && !hidden)
            content.states.append(state);
    }
    return content;
}

QRect TreeCanvas::legendRect() const
{
    if (!m_legendVisible || m_nodes.isEmpty())
        return {};
    const QSize size = paintTreeLegend(nullptr, {}, font(), legendContent());
    // A legend that takes most of the picture explains nothing.
    if (size.width() * 5 > width() * 2 || size.height() * 4 > height() * 3)
        return {};
    const bool right = m_legendRight && !miniMapShown();
    return {QPoint(right ? width() - size.width() - kLegendMargin : kLegendMargin,
                   height() - size.height() - kLegendMargin),
            size};
}

// In the lower corner that hides less; only asked when the whole tree is fitted, so that it does not jump
// about.
void TreeCanvas::placeLegend()
{
    m_legendRight = false;
    const QRect left = legendRect();
    if (left.isNull())
        return;
    const QRect right(QPoint(width() - 1 - left.right(), left.top()), left.size());
    constexpr std::size_t kSample = 2000;
    const std::size_t step = std::max<std::size_t>(1, m_layout->x.size() / kSample);
    int underLeft = 0, underRight = 0;
    for (std::size_t i = 0; i < m_layout->x.size(); i += step) {
        if (m_layout->row[i] < 0)
            continue;
        const QPoint place = sceneToWidget(m_layout->x[i], m_layout->row[i]).toPoint();
        underLeft += left.contains(place);
        underRight += right.contains(place);
    }
    m_legendRight = underRight < underLeft;
}

} // namespace foresight
