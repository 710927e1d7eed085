// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dock_manager.h"

#include "app/settings.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QScreen>

#include <algorithm>
#include <array>

namespace foresight {

namespace {

constexpr int kThreeColumnsWidth = 1400;
constexpr int kLayoutVersion = 2; // raise when panels or the default arrangement change

} // namespace

DockManager::DockManager(QMainWindow& window) : QObject(&window), m_window(window)
{
    m_window.setDockNestingEnabled(true);
    m_window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
}

QDockWidget* DockManager::addPanel(const QString& id, const QString& title, QWidget* panel, Place place)
{
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(id);
    dock->setWidget(panel);
    dock->setAccessibleName(title);
    m_docks.push_back(dock);
    m_entries.push_back({id, place});
    m_window.addDockWidget(Qt::LeftDockWidgetArea, dock);
    return dock;
}

QDockWidget* DockManager::dock(const QString& id) const
{
    const auto it = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.id == id; });
    return it == m_entries.end() ? nullptr : m_docks[static_cast<std::size_t>(it - m_entries.begin())];
}

void DockManager::raise(const QString& id)
{
    if (QDockWidget* panel = dock(id)) {
        panel->show();
        panel->raise();
    }
}

void DockManager::setAllVisible(bool visible)
{
    for (QDockWidget* dock : m_docks)
        dock->setVisible(visible);
}

// Three panels side by side need a wide window; else the right one joins those below.
DockManager::Place DockManager::placeFor(Place place) const
{
    return place == Place::Right && m_window.width() < kThreeColumnsWidth ? Place::BottomLeft : place;
}

void DockManager::applyDefault()
{
    std::array<QDockWidget*, 5> first{};
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        m_window.removeDockWidget(dock);
    }
    const auto of = [&](Place place) -> QDockWidget*& { return first[static_cast<std::size_t>(place)]; };
    for (std::size_t i = 0; i < m_docks.size(); ++i) {
        QDockWidget* dock = m_docks[i];
        const Place place = placeFor(m_entries[i].place);
        QDockWidget*& head = of(place);
        if (head) {
            m_window.tabifyDockWidget(head, dock);
        } else {
            head = dock;
            const bool bottom = place == Place::BottomLeft || place == Place::BottomRight;
            m_window.addDockWidget(bottom ? Qt::BottomDockWidgetArea : Qt::TopDockWidgetArea, dock, Qt::Horizontal);
        }
        dock->show();
    }
    for (QDockWidget* dock : first) {
        if (dock)
            dock->raise();
    }
    const int width = m_window.width(), height = m_window.height();
    const auto present = [](std::initializer_list<QDockWidget*> docks) {
        return std::all_of(docks.begin(), docks.end(), [](QDockWidget* d) { return d != nullptr; });
    };
    if (present({of(Place::Left), of(Place::Centre), of(Place::Right)})) {
        m_window.resizeDocks({of(Place::Left), of(Place::Centre), of(Place::Right)},
                             {width * 36 / 100, width * 38 / 100, width * 26 / 100}, Qt::Horizontal);
    } else if (present({of(Place::Left), of(Place::Centre)})) {
        m_window.resizeDocks({of(Place::Left), of(Place::Centre)}, {width / 2, width / 2}, Qt::Horizontal);
    }
    if (present({of(Place::BottomLeft), of(Place::BottomRight)})) {
        m_window.resizeDocks({of(Place::BottomLeft), of(Place::BottomRight)}, {width / 2, width / 2}, Qt::Horizontal);
        if (of(Place::Left))
            m_window.resizeDocks({of(Place::Left), of(Place::BottomLeft)}, {height * 56 / 100, height * 44 / 100}, Qt::Vertical);
    }
}

bool DockManager::restore(const QString& name)
{
    const QByteArray state = Settings::layout(name);
    if (state.isEmpty() || !m_window.restoreState(state, kLayoutVersion))
        return false;
    m_window.restoreGeometry(Settings::geometry(name));
    clampToScreens();
    return true;
}

void DockManager::save(const QString& name)
{
    Settings::setLayout(name, m_window.saveState(kLayoutVersion), m_window.saveGeometry());
}

void DockManager::fillMenu(QMenu& menu) const
{
    for (QDockWidget* dock : m_docks)
        menu.addAction(dock->toggleViewAction());
}

// A screen may be gone since the layout was saved: bring the window and floating docks back into view.
void DockManager::clampToScreens()
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    if (screens.isEmpty())
        return;
    const auto reachable = [&](const QRect& frame) {
        return std::any_of(screens.begin(), screens.end(), [&](QScreen* screen) {
            const QRect common = screen->availableGeometry().intersected(frame);
            return common.width() >= 80 && common.height() >= 40;
        });
    };
    const QRect home = QGuiApplication::primaryScreen()->availableGeometry();
    if (!reachable(m_window.frameGeometry()))
        m_window.setGeometry(QRect(home.topLeft() + QPoint(40, 40), m_window.size().boundedTo(home.size() * 9 / 10)));
    for (QDockWidget* dock : m_docks) {
        if (dock->isFloating() && !reachable(dock->frameGeometry()))
            dock->move(home.center() - QPoint(dock->width() / 2, dock->height() / 2));
    }
}

} // namespace foresight
