// SPDX-License-Identifier: GPL-3.0-or-later
// A short state in words with a glyph of its own shape per kind, so that nothing is said by colour alone. The
// text can be selected and copied. GUI thread.
#pragma once

#include <QWidget>

class QLabel;
class QPainter;

namespace foresight {

enum class StatusKind : quint8 { Neutral, Info, Running, Good, Warning, Error };

class StatusLabel : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLabel(QWidget* parent = nullptr);
    StatusLabel(StatusKind kind, const QString& text, QWidget* parent = nullptr);

    void setStatus(StatusKind kind, const QString& text, const QString& toolTip = {});
    StatusKind kind() const { return m_kind; }
    QString text() const;
    void setWordWrap(bool on);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void updateGeometryHints();

    StatusKind m_kind = StatusKind::Neutral;
    QLabel* m_label = nullptr;
};

// The glyph alone: circle, i, ring, tick, triangle, cross.
void paintStatusGlyph(QPainter* painter, const QRectF& rect, StatusKind kind);
QString statusKindName(StatusKind kind); // for screen readers

} // namespace foresight
