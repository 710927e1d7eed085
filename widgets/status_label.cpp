// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/status_label.h"

#include "widgets/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>

namespace foresight {

namespace {

ColorRole roleOf(StatusKind kind)
{
    switch (kind) {
    case StatusKind::Info:
        return ColorRole::Link;
    case StatusKind::Running:
        return ColorRole::Running;
    case StatusKind::Good:
        return ColorRole::Good;
    case StatusKind::Warning:
        return ColorRole::Warning;
    case StatusKind::Error:
        return ColorRole::Bad;
    case StatusKind::Neutral:
        break;
    }
    return ColorRole::Neutral;
}

} // namespace

QString statusKindName(StatusKind kind)
{
    switch (kind) {
    case StatusKind::Info:
        return StatusLabel::tr("information");
    case StatusKind::Running:
        return StatusLabel::tr("running");
    case StatusKind::Good:
        return StatusLabel::tr("good");
    case StatusKind::Warning:
        return StatusLabel::tr("warning");
    case StatusKind::Error:
        return StatusLabel::tr("error");
    case StatusKind::Neutral:
        break;
    }
    return StatusLabel::tr("no state");
}

void paintStatusGlyph(QPainter* painter, const QRectF& rect, StatusKind kind)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor color = currentTheme().color(roleOf(kind));
    const double s = std::min(rect.width(), rect.height());
    painter->translate(rect.center());
    painter->scale(s / 16, s / 16);
    QPen pen(color, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    switch (kind) {
    case StatusKind::Neutral:
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawEllipse(QPointF(0, 0), 3, 3);
        break;
    case StatusKind::Info:
        painter->drawEllipse(QPointF(0, 0), 6, 6);
        painter->drawLine(QPointF(0, 0), QPointF(0, 3));
        painter->drawPoint(QPointF(0, -3));
        break;
    case StatusKind::Running:
        // Three quarters of a ring: reads as "turning" without moving.
        painter->drawArc(QRectF(-5.5, -5.5, 11, 11), 90 * 16, -270 * 16);
        break;
    case StatusKind::Good: {
        const QPointF tick[] = {{-5, 0.5}, {-1.5, 4.5}, {5.5, -4.5}};
        painter->drawPolyline(tick, 3);
        break;
    }
    case StatusKind::Warning: {
        const QPointF triangle[] = {{0, -6}, {6.5, 5.5}, {-6.5, 5.5}};
        painter->drawPolygon(triangle, 3);
        painter->drawLine(QPointF(0, -1.5), QPointF(0, 1.5));
        painter->drawPoint(QPointF(0, 3.7));
        break;
    }
    case StatusKind::Error:
        painter->drawLine(QPointF(-4.5, -4.5), QPointF(4.5, 4.5));
        painter->drawLine(QPointF(-4.5, 4.5), QPointF(4.5, -4.5));
        break;
    }
    painter->restore();
}

StatusLabel::StatusLabel(QWidget* parent) : StatusLabel(StatusKind::Neutral, {}, parent) {}

StatusLabel::StatusLabel(StatusKind kind, const QString& text, QWidget* parent)
    : QWidget(parent), m_label(new QLabel(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->addWidget(m_label, 1);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_label->setTextFormat(Qt::PlainText);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
    updateGeometryHints();
    setStatus(kind, text);
}

void StatusLabel::setStatus(StatusKind kind, const QString& text, const QString& toolTip)
{
    m_kind = kind;
    m_label->setText(text);
    setToolTip(toolTip);
    setAccessibleName(text.isEmpty() ? QString() : tr("%1: %2").arg(statusKindName(kind), text));
    update();
}

QString StatusLabel::text() const
{
    return m_label->text();
}

void StatusLabel::setWordWrap(bool on)
{
    m_label->setWordWrap(on);
}

void StatusLabel::updateGeometryHints()
{
    layout()->setContentsMargins(fontMetrics().height() + fontMetrics().averageCharWidth(), 1, 0, 1);
}

void StatusLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double glyph = fontMetrics().height() * 0.95;
    const double top = m_label->wordWrap() ? 1.0 : (height() - glyph) / 2;
    paintStatusGlyph(&painter, QRectF(0, top, glyph, glyph), m_kind);
}

void StatusLabel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometryHints();
}

} // namespace foresight
