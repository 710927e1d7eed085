// SPDX-License-Identifier: GPL-3.0-or-later
// A search tree of up to 100k nodes: one painted widget, layout on a thread of its own, only the viewport
// drawn, level of detail by scale. Nodes come in as plain structs, in batches; ids are the caller's. GUI
// thread only; owns its layout thread and joins it when destroyed. A node whose parent is unknown is refused
// (upsertNodes says how many).
//
// Mouse: wheel zooms at the cursor, drag pans, click selects, double click activates. Keys: Up parent, Down
// first child, Left/Right siblings, Home root, End incumbent, Return activate, +/- zoom, F fit, Space
// collapse, Menu context menu.
#pragma once

#include "widgets/tree_node.h"

#include <QHash>
#include <QPixmap>
#include <QSet>
#include <QVector>
#include <QWidget>

#include <array>
#include <memory>

class QTimer;

namespace foresight {

struct TreeLayout;
struct TreeLegendContent;
class TreeLayoutService;
class TreePainter;

class TreeCanvas : public QWidget
{
    Q_OBJECT
public:
    explicit TreeCanvas(QWidget* parent = nullptr);
    ~TreeCanvas() override;

    // Replaces everything (another search, time travel). Selection and collapsed nodes stay where ids still
    // exist.
    void setNodes(const QVector<CanvasNode>& nodes);
    // Adds new nodes and replaces those with a known id (a known node's parent never changes). Returns how
    // many were refused.
    int upsertNodes(const QVector<CanvasNode>& nodes);
    void clear();
    int nodeCount() const;
    bool contains(qint64 id) const { return m_index.contains(id); }
    const CanvasNode* node(qint64 id) const; // valid until the next change

    void setIncumbent(qint64 id); // -1: none
    qint64 incumbent() const { return m_incumbent; }
    // Nodes of the path root .. incumbent, drawn thick.
    void setBestPath(const QVector<qint64>& ids);
    // Selects without emitting nodeSelected; scrolls there when `reveal`.
    void setSelected(qint64 id, bool reveal = false);
    qint64 selected() const { return m_selected; }
    // Found nodes get a ring of their own; empty clears.
    void setHighlighted(const QSet<qint64>& ids);
    const QSet<qint64>& highlighted() const { return m_highlighted; }
    // Moves selection to the next/previous highlighted node in tree order and emits nodeSelected.
    void selectNextHighlighted(bool backwards = false);

    void setColorMode(CanvasColorMode mode);
    CanvasColorMode colorMode() const { return m_colorMode; }
    void setGhostsVisible(bool visible);
    bool ghostsVisible() const { return m_ghostsVisible; }
    void setCollapsed(qint64 id, bool collapsed);
    bool isCollapsed(qint64 id) const { return m_collapsed.contains(id); }
    void setLegendVisible(bool visible);
    bool legendVisible() const { return m_legendVisible; }
    void setMiniMapVisible(bool visible);
    bool miniMapVisible() const { return m_miniMapVisible; }

    double scale() const { return m_scale; }
    // Where a node is drawn, in widget coordinates; null when hidden or not laid out yet.
    QRectF nodeRect(qint64 id) const;
    qint64 nodeAt(const QPointF& pos) const; // -1: none
    bool layoutPending() const;
    QString describeNode(qint64 id) const; // one line, the user's language
    QString describe() const;              // the whole tree and the selected node
    // The whole tree into a painter, e.g. for SVG, PDF, PNG.
    void render(QPainter* painter, const QSize& size) const;
    using QWidget::render;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

public slots:
    void fit(); // the whole tree; follows growth until zoomed or panned
    void zoomIn();
    void zoomOut();
    void zoomAt(const QPointF& pos, double factor);
    void centerOn(qint64 id);

signals:
    void nodeSelected(qint64 id); // by the user
    void nodeActivated(qint64 id);
    void nodeHovered(qint64 id); // -1: none
    // id -1: on the background. Not named contextMenuRequested(QPoint): Qt has customContextMenuRequested.
    void contextMenuRequested(qint64 id, const QPoint& globalPos);
    void layoutFinished();
    void scaleChanged(double scale);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    friend class TreePainter;

    // tree_canvas.cpp: data
    int indexOf(qint64 id) const { return m_index.value(id, -1); }
    bool addOrReplace(const CanvasNode& node, bool* structure);
    void requestLayout();
    void takeLayout(std::shared_ptr<const TreeLayout> layout, quint64 generation);
    bool isShown(int index) const;
    QVector<int> shownChildren(int index) const;
    void contentChanged();
    void updateAccessible();

    // tree_canvas_view.cpp: geometry and painting
    void updateMetrics();
    QPointF sceneToWidget(double x, double row) const;
    QPointF widgetToScene(const QPointF& pos) const;
    QRectF nodeRectAt(int index) const;
    qint64 nodeNear(const QPointF& pos, double radius) const;
    QSizeF contentSize() const; // of the whole layout at scale 1
    double fitScale(const QRectF& area) const;
    QRect legendRect() const; // null when not shown
    TreeLegendContent legendContent() const;
    void placeLegend();
    void tally(const CanvasNode& node, int change);
    // Octaves from 1x at which the colours saturate: the smallest that tells most measured nodes apart.
    double colorLimit() const;
    static constexpr std::array<double, 4> kColorLimits{0.25, 0.5, 1, 2};
    void applyFit();
    void setScaleAround(const QPointF& pos, double newScale);
    void keepInReach();
    void revealNode(int index);
    QRect miniMapRect() const;
    bool miniMapShown() const;
    void rebuildMiniMap() const;
    void paintMiniMap(QPainter* painter) const;
    void panToMiniMap(const QPoint& pos);

    // tree_canvas_input.cpp: mouse and keys
    void selectByUser(int index, bool reveal);
    void moveSelection(int key);

    QVector<CanvasNode> m_nodes;
    QVector<int> m_parent; // by index, -1 for roots
    QVector<int> m_depth;
    QVector<QVector<int>> m_children;
    QHash<qint64, int> m_index;
    QSet<qint64> m_collapsed, m_highlighted;
    QVector<qint64> m_bestPath;
    qint64 m_selected = -1, m_incumbent = -1, m_hovered = -1;
    int m_maxDepth = 0;
    std::array<qint64, 10> m_states{}; // nodes by CanvasNodeState
    qint64 m_audits = 0;
    std::array<qint64, kColorLimits.size()>
        m_speedups{}; // measured nodes by the smallest limit that holds them

    std::unique_ptr<TreeLayoutService> m_service;
    std::shared_ptr<const TreeLayout> m_layout;
    quint64 m_requested = 0, m_laidOut = 0;
    quint64 m_firstValid = 0; // layouts requested before are of nodes that were replaced
    bool m_requestPosted = false;
    double m_cellWidth = 1, m_rowHeight = 1; // at scale 1, from the font
    double m_scale = 1;
    QPointF m_origin; // widget position of x = 0, row = 0
    bool m_autoFit = true;
    CanvasColorMode m_colorMode = CanvasColorMode::Measured;
    bool m_ghostsVisible = true, m_legendVisible = true, m_legendRight = false, m_miniMapVisible = true;

    QPoint m_pressPos;
    QPointF m_pressOrigin;
    bool m_dragging = false, m_pressed = false, m_miniMapDrag = false;
    QTimer* m_miniMapTimer = nullptr;
    mutable QPixmap m_miniMap;
    mutable bool m_miniMapDirty = true;
};

} // namespace foresight
