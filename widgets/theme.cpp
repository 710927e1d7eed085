// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include "widgets/portal_watcher.h"

#include <QApplication>
#include <QEvent>
#include <QPointer>
#include <QStyleFactory>
#include <QToolTip>

namespace foresight {

ThemeManager& ThemeManager::instance()
{
    static QPointer<ThemeManager> manager;
    if (!manager)
        manager = new ThemeManager(QCoreApplication::instance());
    return *manager;
}

ThemeManager::ThemeManager(QObject* parent) : QObject(parent), m_theme(&Theme::light())
{
    if (qApp)
        readSystemPalette();
    m_theme = m_systemDark ? &Theme::dark() : &Theme::light();
}

void ThemeManager::install()
{
    if (m_installed || !qApp)
        return;
    m_installed = true;
    qApp->setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    qApp->installEventFilter(this);
    auto* portal = new PortalWatcher(this);
    connect(portal, &PortalWatcher::colorSchemeRead, this, [this](uint scheme) {
        m_portalKnown = scheme != 0;
        if (m_portalKnown)
            setSystemDark(scheme == 1);
    });
    portal->start();
    update();
}

void ThemeManager::setMode(ThemeMode mode)
{
    if (m_mode == mode)
        return;
    m_mode = mode;
    update();
}

bool ThemeManager::eventFilter(QObject* watched, QEvent* event)
{
    // Our own setPalette raises this event too; only a palette that someone else set says something about the
    // system.
    if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp && !m_applying &&
        !m_portalKnown &&
        QApplication::palette().color(QPalette::Window) != m_theme->color(ColorRole::Window)) {
        readSystemPalette();
        update();
    }
    return QObject::eventFilter(watched, event);
}

void ThemeManager::readSystemPalette()
{
    const QPalette p = QApplication::palette();
    m_systemDark = p.color(QPalette::WindowText).lightness() > p.color(QPalette::Window).lightness();
}

void ThemeManager::setSystemDark(bool dark)
{
    if (m_systemDark == dark)
        return;
    m_systemDark = dark;
    update();
}

void ThemeManager::update()
{
    const bool dark = m_mode == ThemeMode::System ? m_systemDark : m_mode == ThemeMode::Dark;
    const Theme* theme = dark ? &Theme::dark() : &Theme::light();
    const bool isNew = theme != m_theme;
    m_theme = theme;
    if (m_installed && !m_applying) {
        m_applying = true;
        QApplication::setPalette(theme->palette());
        QToolTip::setPalette(theme->palette());
        m_applying = false;
    }
    if (isNew)
        emit changed();
}

const Theme& currentTheme()
{
    return ThemeManager::instance().theme();
}

} // namespace foresight
