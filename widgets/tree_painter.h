// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the part of a tree that a rectangle shows, in the detail its scale allows: labels, shapes, or filled
// rectangles. One object per paint; reads the canvas's data only. GUI thread.
#pragma once

#include "widgets/theme.h"
#include "widgets/tree_canvas.h"
#include "widgets/tree_layout.h"

#include <QLineF>
#include <QPainter>

#include <array>

namespace foresight {

class TreePainter
{
public:
    // Scale and origin as the canvas's: origin is where x = 0, row = 0 lies.
    TreePainter(const TreeCanvas& canvas, QPainter* painter, double scale, const QPointF& origin,
                const QRectF& clip);

    void paint(bool withSelection);
    int paintedNodes() const { return m_painted; }

    static QSizeF nodeSize(double cellWidth, double rowHeight) { return {cellWidth * 0.86, rowHeight * 1.5}; }

private:
    enum class Detail : quint8 { Dots, Shapes, Labels };

    QPointF at(double x, double row) const { return {m_origin.x() + x * m_cell, m_origin.y() + row * m_row}; }
    QRectF nodeRect(int index) const;
    QColor colorOf(const CanvasNode& node, int index) const;
    void findRows();
    void paintBlocks();
    void paintEdges();
    void paintBestPath();
    void paintNodes();
    void paintNode(int index);
    void paintPlain(const CanvasNode& node, const QString& label, const QRectF& rect, const QColor& fill,
                    QPainter* painter);
    QString labelOf(const CanvasNode& node) const;
    void paintDot(int index, const QRectF& rect);
    void paintMarks(bool withSelection);
    void paintRing(qint64 id, const QColor& color, double width, double distance);

    const TreeCanvas& m_canvas;
    const TreeLayout& m_layout;
    const Theme& m_theme;
    QPainter* m_painter;
    QPointF m_origin;
    QRectF m_clip;
    double m_scale = 1, m_cell, m_row, m_colorLimit, m_nodeWidth, m_nodeHeight;
    int m_firstRow = 0, m_lastRow = -1;
    double m_leftX = 0, m_rightX = 0;
    Detail m_detail = Detail::Dots;
    QFont m_font;
    std::array<QRgb, 129> m_diverging{};
    int m_painted = 0;
    bool m_onScreen = false;
    bool m_stamps = false; // raster: nodes that look alike are painted once and copied
};

// What a legend has to explain: only what occurs in the tree.
struct TreeLegendContent
{
    CanvasColorMode mode = CanvasColorMode::Measured;
    int maxDepth = 0;
    double colorLimit = 2; // octaves at which the colours saturate
    QVector<CanvasNodeState> states;
    bool best = false, audits = false;
};
// The overlay that explains shapes and colours; returns its size. Paints nothing when painter is null.
QSize paintTreeLegend(QPainter* painter, const QPoint& topLeft, const QFont& font,
                      const TreeLegendContent& content);

} // namespace foresight
