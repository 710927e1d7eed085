// SPDX-License-Identifier: GPL-3.0-or-later
// Ready pictures of tree nodes, kept between frames. Inside widgets/ only; GUI thread.
#pragma once

#include <QColor>
#include <QHash>
#include <QPixmap>
#include <QString>

#include <utility>

namespace foresight {

inline constexpr double kStampMargin = 3;

struct StampKey
{
    quint8 state;
    QRgb fill;
    QString label;
    bool operator==(const StampKey&) const = default;
};
inline size_t qHash(const StampKey& key, size_t seed = 0)
{
    return qHashMulti(seed, key.state, key.fill, key.label);
}

// Dashed outlines and text are most of a frame; at one scale a few hundred pictures cover thousands of nodes.
// Kept between frames, dropped when size, theme, font or screen change. GUI thread only, like all widgets.
class Stamps
{
public:
    void use(const QString& appearance)
    {
        if (appearance == m_appearance && m_bytes < kLimitBytes)
            return;
        m_appearance = appearance;
        m_pixmaps.clear();
        m_bytes = 0;
    }
    const QPixmap* find(const StampKey& key) const
    {
        const auto it = m_pixmaps.constFind(key);
        return it == m_pixmaps.constEnd() ? nullptr : &*it;
    }
    const QPixmap* insert(StampKey key, QPixmap pixmap)
    {
        m_bytes += qint64(4) * pixmap.width() * pixmap.height();
        return &*m_pixmaps.insert(std::move(key), std::move(pixmap));
    }

private:
    static constexpr qint64 kLimitBytes = 32 << 20;
    QHash<StampKey, QPixmap> m_pixmaps;
    QString m_appearance;
    qint64 m_bytes = 0;
};

inline Stamps& stamps()
{
    // Never destroyed: pixmaps must not outlive the application object, and statics may.
    static auto* cache = new Stamps;
    return *cache;
}

} // namespace foresight
