// SPDX-License-Identifier: GPL-3.0-or-later
// TreeCanvas: mouse, keys, tooltips.
#include "widgets/tree_canvas.h"

#include "widgets/tree_layout_service.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace foresight {

void TreeCanvas::selectByUser(int index, bool reveal)
{
    if (index < 0)
        return;
    const qint64 id = m_nodes[index].id;
    if (reveal)
        revealNode(index);
    if (id == m_selected)
        return;
    setSelected(id);
    emit nodeSelected(id);
}

void TreeCanvas::selectNextHighlighted(bool backwards)
{
    QVector<int> found;
    for (qint64 id : m_highlighted) {
        const int index = indexOf(id);
        if (isShown(index))
            found.append(index);
    }
    if (found.isEmpty())
        return;
    std::sort(found.begin(), found.end());
    const int current = indexOf(m_selected);
    auto it = backwards ? std::lower_bound(found.begin(), found.end(), current)
                        : std::upper_bound(found.begin(), found.end(), current);
    if (backwards)
        it = it == found.begin() ? found.end() - 1 : it - 1;
    else if (it == found.end())
        it = found.begin();
    selectByUser(*it, true);
}

void TreeCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint pixels = event->pixelDelta();
    if (event->modifiers() & Qt::ShiftModifier) {
        const double d = event->angleDelta().y() + event->angleDelta().x();
        m_autoFit = false;
        m_origin += QPointF(d / 2, 0);
        keepInReach();
        update();
    } else {
        // A notch is 120; high-resolution wheels and touch pads give less at a time.
        const double steps = pixels.isNull() ? event->angleDelta().y() / 120.0 : pixels.y() / 60.0;
        zoomAt(event->position(), std::pow(1.2, steps));
    }
    event->accept();
}

void TreeCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) {
        m_pressed = true;
        m_dragging = false;
        m_pressPos = event->pos();
        m_pressOrigin = m_origin;
        m_miniMapDrag =
            event->button() == Qt::LeftButton && miniMapShown() && miniMapRect().contains(event->pos());
        if (m_miniMapDrag)
            panToMiniMap(event->pos());
        event->accept();
        return;
    }
    QWidget::mousePressEvent(event);
}

void TreeCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (m_miniMapDrag) {
        panToMiniMap(event->pos());
        return;
    }
    if (m_pressed) {
        const QPoint moved = event->pos() - m_pressPos;
        if (!m_dragging && moved.manhattanLength() >= QApplication::startDragDistance()) {
            m_dragging = true;
            setCursor(Qt::ClosedHandCursor);
        }
        if (m_dragging) {
            m_autoFit = false;
            m_origin = m_pressOrigin + moved;
            keepInReach();
            update();
        }
        return;
    }
    const bool onMap = miniMapShown() && miniMapRect().contains(event->pos());
    const qint64 hovered = onMap ? -1 : nodeAt(event->position());
    if (hovered != m_hovered) {
        m_hovered = hovered;
        setCursor(hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
        emit nodeHovered(hovered);
    }
}

void TreeCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_pressed && !m_dragging && !m_miniMapDrag && event->button() == Qt::LeftButton)
        selectByUser(indexOf(nodeAt(event->position())), false);
    if (m_dragging)
        unsetCursor();
    m_pressed = m_dragging = m_miniMapDrag = false;
    QWidget::mouseReleaseEvent(event);
}

void TreeCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const qint64 id = event->button() == Qt::LeftButton ? nodeAt(event->position()) : -1;
    if (id >= 0) {
        selectByUser(indexOf(id), false);
        emit nodeActivated(id);
    }
}

void TreeCanvas::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    if (m_hovered >= 0) {
        m_hovered = -1;
        update();
        emit nodeHovered(-1);
    }
}

void TreeCanvas::moveSelection(int key)
{
    int index = indexOf(m_selected);
    if (!isShown(index)) {
        // Nothing selected: begin at the first root shown.
        for (int i = 0; i < static_cast<int>(m_nodes.size()); ++i) {
            if (isShown(i)) {
                selectByUser(i, true);
                return;
            }
        }
        return;
    }
    const int parent = m_parent[index];
    if (key == Qt::Key_Up) {
        selectByUser(parent, true);
    } else if (key == Qt::Key_Down) {
        const QVector<int> children = shownChildren(index);
        // Towards the best when the best lies below, else the first child.
        const auto onPath = std::find_if(children.begin(), children.end(),
                                         [this](int c) { return m_bestPath.contains(m_nodes[c].id); });
        if (!children.isEmpty())
            selectByUser(onPath != children.end() ? *onPath : children.first(), true);
    } else if (parent >= 0) {
        const QVector<int> siblings = shownChildren(parent);
        const auto at = siblings.indexOf(index) + (key == Qt::Key_Right ? 1 : -1);
        if (at >= 0 && at < siblings.size())
            selectByUser(siblings[at], true);
    }
}

void TreeCanvas::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        moveSelection(event->key());
        break;
    case Qt::Key_Home:
        m_selected = -1;
        moveSelection(Qt::Key_Up);
        break;
    case Qt::Key_End:
        selectByUser(indexOf(m_incumbent), true);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selected >= 0)
            emit nodeActivated(m_selected);
        break;
    case Qt::Key_Space:
        if (m_selected >= 0)
            setCollapsed(m_selected, !isCollapsed(m_selected));
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        break;
    case Qt::Key_Minus:
        zoomOut();
        break;
    case Qt::Key_F:
    case Qt::Key_0:
        fit();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TreeCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const QRectF place = nodeRect(m_selected);
        const QPoint at = place.isValid() ? place.center().toPoint() : rect().center();
        emit contextMenuRequested(m_selected, mapToGlobal(at));
    } else {
        const int index = indexOf(nodeAt(event->pos()));
        if (index >= 0)
            selectByUser(index, false);
        emit contextMenuRequested(index >= 0 ? m_nodes[index].id : -1, event->globalPos());
    }
    event->accept();
}

bool TreeCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const qint64 id = nodeAt(help->pos());
        if (id >= 0)
            QToolTip::showText(help->globalPos(),
                               describeNode(id).replace(QStringLiteral(", "), QStringLiteral("\n")), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace foresight
