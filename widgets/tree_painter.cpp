// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tree_painter.h"

#include "widgets/number_format.h"
#include "widgets/tree_glyphs.h"
#include "widgets/tree_stamps.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr double kShapesFrom = 5;  // node height in pixels from which shapes can be told apart
constexpr double kLabelsFrom = 11; // from which labels can be read

// Three digits at most, to fit the node.
QString labelSpeedup(float log2)
{
    const double speedup = std::exp2(static_cast<double>(log2));
    return formatFixed(speedup, speedup < 9.995 ? 2 : speedup < 99.95 ? 1 : 0) + QChar(0x00D7);
}

} // namespace

TreePainter::TreePainter(const TreeCanvas& canvas, QPainter* painter, double scale, const QPointF& origin,
                         const QRectF& clip)
    : m_canvas(canvas), m_layout(*canvas.m_layout), m_theme(currentTheme()), m_painter(painter),
      m_origin(origin), m_clip(clip), m_scale(scale), m_cell(canvas.m_cellWidth * scale),
      m_row(canvas.m_rowHeight * scale), m_colorLimit(canvas.colorLimit())
{
    const QSizeF size = nodeSize(m_cell, m_row);
    m_nodeWidth = size.width();
    m_nodeHeight = size.height();
    m_detail = m_nodeHeight >= kLabelsFrom   ? Detail::Labels
               : m_nodeHeight >= kShapesFrom ? Detail::Shapes
                                             : Detail::Dots;
    m_font = canvas.font();
    m_font.setPixelSize(std::max(1, static_cast<int>(std::lround(m_nodeHeight * 0.58))));
    for (std::size_t i = 0; i < m_diverging.size(); ++i)
        m_diverging[i] =
            m_theme.diverging((static_cast<double>(i) / 64 - 1) * m_colorLimit, m_colorLimit).rgb();
    findRows();
}

void TreePainter::findRows()
{
    const double margin = 2;
    const double top = (m_clip.top() - margin - m_origin.y()) / m_row;
    const double bottom = (m_clip.bottom() + margin - m_origin.y()) / m_row;
    // A row's node reaches kNodeRows down, its bar one row up.
    m_firstRow = std::max(0, static_cast<int>(std::floor(std::clamp(top, -1e9, 1e9))) - kNodeRows);
    m_lastRow = std::min(m_layout.rowCount - 1,
                         static_cast<int>(std::ceil(std::clamp(bottom, -1e9, 1e9))) + kGapRows);
    m_leftX = (m_clip.left() - margin - m_origin.x()) / m_cell - 0.5;
    m_rightX = (m_clip.right() + margin - m_origin.x()) / m_cell + 0.5;
}

QRectF TreePainter::nodeRect(int index) const
{
    const auto i = static_cast<std::size_t>(index);
    const QPointF centre = at(m_layout.x[i], m_layout.row[i] + kNodeRows / 2.0);
    return {centre.x() - m_nodeWidth / 2, centre.y() - m_nodeHeight / 2, m_nodeWidth, m_nodeHeight};
}

QColor TreePainter::colorOf(const CanvasNode& node, int index) const
{
    const auto diverging = [this](float log2) {
        const double t = std::clamp(static_cast<double>(log2) / m_colorLimit, -1.0, 1.0);
        return QColor(m_diverging[static_cast<std::size_t>(std::lround((t + 1) * 64))]);
    };
    if (isFailed(node.state))
        return m_theme.color(ColorRole::Failed);
    switch (m_canvas.m_colorMode) {
    case CanvasColorMode::Measured:
        if (!std::isnan(node.log2Speedup))
            return diverging(node.log2Speedup);
        break;
    case CanvasColorMode::Forecast:
        if (!std::isnan(node.forecastLog2))
            return diverging(node.forecastLog2);
        break;
    case CanvasColorMode::Depth:
        if (node.state != CanvasNodeState::Ghost)
            return m_theme.sequential(static_cast<double>(m_canvas.m_depth[index]) /
                                      std::max(1, m_canvas.m_maxDepth));
        break;
    }
    if (node.state == CanvasNodeState::Running)
        return m_theme.color(ColorRole::Running);
    if (node.state == CanvasNodeState::Root)
        return m_theme.color(ColorRole::Text);
    return m_theme.color(ColorRole::Ghost);
}

void TreePainter::paint(bool withSelection)
{
    if (m_layout.rowCount == 0 || m_lastRow < m_firstRow)
        return;
    m_onScreen = withSelection;
    m_painter->save();
    paintBlocks();
    paintEdges();
    paintBestPath();
    paintNodes();
    paintMarks(withSelection);
    m_painter->restore();
}

void TreePainter::paintBlocks()
{
    if (m_row < 1)
        return;
    m_painter->setRenderHint(QPainter::Antialiasing, m_detail != Detail::Dots);
    m_painter->setPen(QPen(m_theme.color(ColorRole::Edge), 1));
    m_painter->setBrush(m_detail == Detail::Dots ? Qt::NoBrush
                                                 : QBrush(m_theme.fill(ColorRole::Ghost, 0.07)));
    const auto& blocks = m_layout.blocks;
    auto it = std::lower_bound(blocks.begin(), blocks.end(), m_firstRow - m_layout.tallestBlock,
                               [](const TreeLayoutBlock& b, std::int32_t row) { return b.row0 < row; });
    for (; it != blocks.end() && it->row0 <= m_lastRow + 1; ++it) {
        if (it->row1 < m_firstRow || it->x1 < m_leftX || it->x0 > m_rightX)
            continue;
        const QRectF frame(at(it->x0, it->row0 + 0.02), at(it->x1, it->row1 + 0.98));
        const double r = std::min(5.0, m_row * 0.3);
        m_painter->drawRoundedRect(frame, r, r);
        const double x = frame.center().x();
        m_painter->drawLine(QPointF(x, at(0, it->row0 - 0.5).y()), QPointF(x, frame.top()));
    }
}

void TreePainter::paintEdges()
{
    if (m_row < 0.7)
        return;
    QVector<QLineF> lines;
    const bool drops = m_nodeWidth >= 2;
    for (int row = m_firstRow; row <= m_lastRow; ++row) {
        const auto& bars = m_layout.bars[static_cast<std::size_t>(row)];
        // Bars of a row do not overlap: the first that ends right of the left border, until one begins right
        // of the view.
        auto it = std::partition_point(bars.begin(), bars.end(),
                                       [this](const TreeLayoutBar& b) { return b.x1 < m_leftX; });
        const double y = at(0, row + 0.5).y();
        for (; it != bars.end() && it->x0 <= m_rightX; ++it) {
            // Clipped to the view: a line of a hundred thousand pixels costs more than the rest of the
            // picture.
            lines.append(QLineF(at(std::max<double>(it->x0, m_leftX), 0).x(), y,
                                at(std::min<double>(it->x1, m_rightX), 0).x(), y));
            const auto parent = static_cast<std::size_t>(it->parent);
            if (m_layout.row[parent] + kNodeRows == row) {
                const double x = at(m_layout.x[parent], 0).x();
                lines.append(QLineF(x, at(0, row - (kNodeRows - 1.5) / 2).y(), x, y));
            }
        }
        if (!drops)
            continue;
        const auto& nodes = m_layout.rows[static_cast<std::size_t>(row)];
        auto node = std::partition_point(nodes.begin(), nodes.end(), [this](std::int32_t i) {
            return m_layout.x[static_cast<std::size_t>(i)] < m_leftX;
        });
        const double top = at(0, row - kGapRows + 0.5).y(), bottom = at(0, row + 0.25).y();
        for (; node != nodes.end() && m_layout.x[static_cast<std::size_t>(*node)] <= m_rightX; ++node) {
            if (m_layout.drop[static_cast<std::size_t>(*node)]) {
                const double x = at(m_layout.x[static_cast<std::size_t>(*node)], 0).x();
                lines.append(QLineF(x, top, x, bottom));
            }
        }
    }
    for (const TreeLayoutTrunk& trunk : m_layout.trunks) {
        if (trunk.x < m_leftX || trunk.x > m_rightX || trunk.row1 < m_firstRow || trunk.row0 > m_lastRow)
            continue;
        const double x = at(trunk.x, 0).x();
        lines.append(QLineF(x, at(0, std::max(trunk.row0 + 0.5, m_firstRow - 1.0)).y(), x,
                            at(0, std::min(trunk.row1 + 0.5, m_lastRow + 1.0)).y()));
    }
    m_painter->setRenderHint(QPainter::Antialiasing, false);
    m_painter->setPen(
        QPen(m_theme.color(ColorRole::Edge), m_detail == Detail::Labels ? std::max(1.0, m_scale) : 1));
    m_painter->drawLines(lines);
}

void TreePainter::paintBestPath()
{
    if (m_canvas.m_bestPath.size() < 2)
        return;
    m_painter->setRenderHint(QPainter::Antialiasing, true);
    m_painter->setPen(QPen(m_theme.color(ColorRole::BestPath), std::clamp(m_row * 0.28, 2.0, 5.0),
                           Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    m_painter->setBrush(Qt::NoBrush);
    for (qint64 id : m_canvas.m_bestPath) {
        const int child = m_canvas.indexOf(id);
        const int parent = child >= 0 ? m_canvas.m_parent[child] : -1;
        if (parent < 0 || !m_canvas.isShown(child))
            continue;
        const auto c = static_cast<std::size_t>(child), p = static_cast<std::size_t>(parent);
        const double stemY = m_layout.row[p] + kNodeRows + 0.5;
        QPolygonF line;
        line << at(m_layout.x[p], m_layout.row[p] + 1.75) << at(m_layout.x[p], stemY);
        const bool inBlock = !m_layout.drop[c] && m_layout.block[p] >= 0;
        const TreeLayoutBlock* block =
            inBlock ? &m_layout.blocks[static_cast<std::size_t>(m_layout.block[p])] : nullptr;
        const double hangX = block ? (block->x0 + block->x1) / 2.0 : static_cast<double>(m_layout.x[c]);
        const double barY = (block ? block->row0 : m_layout.row[c]) - kGapRows + 0.5;
        if (barY > stemY && m_layout.trunk[p] >= 0) {
            const double trunkX = m_layout.trunks[static_cast<std::size_t>(m_layout.trunk[p])].x;
            line << at(trunkX, stemY) << at(trunkX, barY);
        }
        line << at(hangX, barY);
        if (block) {
            // In a block: along its upper edge and down the gap beside the node's column, not across other
            // nodes.
            const double gapX = static_cast<double>(m_layout.x[c]) - 0.5,
                         middle = m_layout.row[c] + kNodeRows / 2.0;
            line << at(hangX, block->row0 + 0.1) << at(gapX, block->row0 + 0.1) << at(gapX, middle)
                 << at(static_cast<double>(m_layout.x[c]) - 0.43, middle);
        } else {
            line << at(m_layout.x[c], m_layout.row[c] + 0.25);
        }
        m_painter->drawPolyline(line);
    }
}

void TreePainter::paintNodes()
{
    int visible = 0;
    const auto forEach = [this](auto&& function) {
        for (int row = m_firstRow; row <= m_lastRow; ++row) {
            const auto& nodes = m_layout.rows[static_cast<std::size_t>(row)];
            auto it = std::partition_point(nodes.begin(), nodes.end(), [this](std::int32_t i) {
                return m_layout.x[static_cast<std::size_t>(i)] < m_leftX;
            });
            for (; it != nodes.end() && m_layout.x[static_cast<std::size_t>(*it)] <= m_rightX; ++it)
                function(*it);
        }
    };
    if (m_detail == Detail::Dots) {
        m_painter->setRenderHint(QPainter::Antialiasing, false);
        m_painter->setPen(Qt::NoPen);
        forEach([&](std::int32_t i) {
            paintDot(i, nodeRect(i));
            ++visible;
        });
    } else {
        forEach([&visible](std::int32_t) { ++visible; });
        const QPaintDevice* device = m_painter->device();
        const int type = device->devType();
        // Not for exports (vectors stay vectors) nor the mini-map (another size; it would push the canvas's
        // stamps out).
        m_stamps = m_onScreen &&
                   (type == QInternal::Widget || type == QInternal::Image || type == QInternal::Pixmap);
        if (m_stamps)
            stamps().use(QStringLiteral("%1 %2 %3 %4 %5")
                             .arg(m_nodeWidth)
                             .arg(m_nodeHeight)
                             .arg(device->devicePixelRatioF())
                             .arg(m_theme.isDark())
                             .arg(m_font.toString()));
        m_painter->setRenderHint(QPainter::Antialiasing);
        forEach([this](std::int32_t i) { paintNode(i); });
    }
    m_painted = visible;
}

// Too small for shapes: measured ones fill their place, ghosts are small, failed ones narrow and tall.
void TreePainter::paintDot(int index, const QRectF& rect)
{
    const CanvasNode& node = m_canvas.m_nodes[index];
    QRectF dot = rect;
    if (node.state == CanvasNodeState::Ghost || node.state == CanvasNodeState::Duplicate)
        dot.adjust(rect.width() * 0.22, rect.height() * 0.3, -rect.width() * 0.22, -rect.height() * 0.3);
    else if (isFailed(node.state))
        dot.adjust(rect.width() * 0.32, 0, -rect.width() * 0.32, 0);
    const int x0 = static_cast<int>(std::floor(dot.left())), y0 = static_cast<int>(std::floor(dot.top()));
    const int w = std::max(1, static_cast<int>(dot.width())), h = std::max(1, static_cast<int>(dot.height()));
    m_painter->fillRect(x0, y0, w, h, colorOf(node, index));
}

// The look alone: no badges.
void TreePainter::paintPlain(const CanvasNode& node, const QString& label, const QRectF& rect,
                             const QColor& fill, QPainter* painter)
{
    paintNodeGlyph(painter, rect, node.state, fill, m_theme, m_detail == Detail::Labels);
    if (label.isEmpty())
        return;
    const bool filled = node.state == CanvasNodeState::Measured;
    const bool pending = node.state == CanvasNodeState::Ghost || node.state == CanvasNodeState::Proposed;
    painter->setFont(m_font);
    painter->setPen(filled    ? m_theme.textOn(fill)
                    : pending ? m_theme.color(ColorRole::TextSecondary)
                              : m_theme.color(ColorRole::Text));
    const QFontMetricsF metrics(m_font);
    const double room = rect.width() - 2;
    const bool fits = metrics.horizontalAdvance(label) <= room;
    painter->drawText(rect, Qt::AlignCenter | Qt::TextDontClip,
                      fits ? label : metrics.elidedText(label, Qt::ElideRight, room));
}

void TreePainter::paintNode(int index)
{
    const CanvasNode& node = m_canvas.m_nodes[index];
    QRectF rect = nodeRect(index);
    const QColor fill = colorOf(node, index);
    const QString label = m_detail == Detail::Labels ? labelOf(node) : QString();
    if (m_stamps) {
        const double ratio = m_painter->device()->devicePixelRatioF();
        StampKey key{static_cast<quint8>(node.state), fill.rgb(), label};
        const QPixmap* stamp = stamps().find(key);
        if (!stamp) {
            // Room for outlines on all sides; whole device pixels, so that copies stay sharp.
            const QSizeF size(m_nodeWidth + 2 * kStampMargin, m_nodeHeight + 2 * kStampMargin);
            QPixmap pixmap((size * ratio).toSize() + QSize(1, 1));
            pixmap.setDevicePixelRatio(ratio);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            paintPlain(node, label, QRectF(kStampMargin, kStampMargin, m_nodeWidth, m_nodeHeight), fill,
                       &painter);
            painter.end();
            stamp = stamps().insert(std::move(key), std::move(pixmap));
        }
        const auto snap = [ratio](double v) { return std::round(v * ratio) / ratio; };
        rect.moveTo(snap(rect.left()), snap(rect.top()));
        m_painter->drawPixmap(rect.topLeft() - QPointF(kStampMargin, kStampMargin), *stamp);
    } else {
        paintPlain(node, label, rect, fill, m_painter);
    }
    if (node.audit)
        paintAuditBadge(m_painter, rect, m_theme);
    if (node.pinned)
        paintPin(m_painter, rect, m_theme);
    if (node.forbidden)
        paintForbiddenBar(m_painter, rect, m_theme);
    if (m_canvas.m_collapsed.contains(node.id)) {
        // A stack below the node: there is more.
        m_painter->setPen(QPen(m_theme.color(ColorRole::Edge), 1.5));
        for (int i = 1; i <= 2; ++i)
            m_painter->drawLine(QPointF(rect.left() + 3 * i, rect.bottom() + 2 * i),
                                QPointF(rect.right() - 3 * i, rect.bottom() + 2 * i));
    }
}

QString TreePainter::labelOf(const CanvasNode& node) const
{
    switch (node.state) {
    case CanvasNodeState::Root:
        return node.label.isEmpty() ? canvasStateName(node.state) : node.label;
    case CanvasNodeState::Measured:
        return labelSpeedup(node.log2Speedup);
    case CanvasNodeState::Ghost:
    case CanvasNodeState::Proposed:
        return std::isnan(node.forecastLog2) ? QString()
                                             : QStringLiteral("~") + labelSpeedup(node.forecastLog2);
    default:
        return {};
    }
}

void TreePainter::paintRing(qint64 id, const QColor& color, double width, double distance)
{
    const int index = m_canvas.indexOf(id);
    if (index < 0 || !m_canvas.isShown(index))
        return;
    QRectF rect = nodeRect(index);
    const double least = 7;
    if (rect.height() < least || rect.width() < least)
        rect = QRectF(rect.center() - QPointF(least / 2, least / 2), QSizeF(least, least));
    rect.adjust(-distance, -distance, distance, distance);
    if (!rect.intersects(m_clip))
        return;
    m_painter->setPen(QPen(color, width));
    m_painter->setBrush(Qt::NoBrush);
    m_painter->drawRoundedRect(rect, 4, 4);
}

void TreePainter::paintMarks(bool withSelection)
{
    m_painter->setRenderHint(QPainter::Antialiasing, true);
    if (withSelection) {
        for (qint64 id : m_canvas.m_highlighted)
            paintRing(id, m_theme.color(ColorRole::Match), 2, 2.5);
        if (m_canvas.m_hovered != m_canvas.m_selected)
            paintRing(m_canvas.m_hovered, m_theme.color(ColorRole::Border), 1.5, 2);
        paintRing(m_canvas.m_selected, m_theme.color(ColorRole::Text), 2.5, 3.5);
    }
    const int incumbent = m_canvas.indexOf(m_canvas.m_incumbent);
    if (incumbent >= 0 && m_canvas.isShown(incumbent)) {
        const QRectF rect = nodeRect(incumbent);
        const double radius = std::max(6.0, rect.height() * 0.42);
        const QPointF centre = m_detail == Detail::Labels ? QPointF(rect.left(), rect.top()) : rect.center();
        paintStar(m_painter, centre, radius, m_theme.color(ColorRole::Incumbent),
                  m_theme.color(ColorRole::Base));
    }
}

} // namespace foresight
