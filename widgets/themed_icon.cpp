// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace foresight {

namespace {

// Renders the SVG at the size and pixel ratio asked for, its "currentColor" replaced by the theme's colour at
// that moment.
class ThemedIconEngine : public QIconEngine
{
public:
    ThemedIconEngine(QString name, QByteArray svg, ColorRole role)
        : m_name(std::move(name)), m_svg(std::move(svg)), m_role(role)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        QByteArray svg = m_svg;
        svg.replace("currentColor", colorFor(mode).name(QColor::HexRgb).toLatin1());
        QSvgRenderer renderer(svg);
        renderer.render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        const QString key = QStringLiteral("foresight-icon/%1/%2/%3x%4")
                                .arg(m_name, colorFor(mode).name())
                                .arg(size.width())
                                .arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        paint(&painter, QRect(QPoint(), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }
    QString key() const override { return QStringLiteral("foresight-themed"); }
    QString iconName() override { return m_name; }
    bool isNull() override { return m_svg.isEmpty(); }

private:
    QColor colorFor(QIcon::Mode mode) const
    {
        const Theme& theme = currentTheme();
        if (mode == QIcon::Disabled)
            return theme.color(ColorRole::TextDisabled);
        if (mode == QIcon::Selected)
            return theme.color(ColorRole::AccentText);
        return theme.color(m_role);
    }

    QString m_name;
    QByteArray m_svg;
    ColorRole m_role;
};

} // namespace

QIcon themedIcon(const QString& name, ColorRole role)
{
    QFile file(QStringLiteral(":/icons/") + name + QStringLiteral(".svg"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new ThemedIconEngine(name, file.readAll(), role));
}

} // namespace foresight
