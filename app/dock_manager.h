// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of the main window: creation, the default arrangement, saving, restoring, named layouts and reset. Layouts
// carry a version; one from another version, or one that would leave a dock off every screen, falls back to the default.
#pragma once

#include <QObject>
#include <QString>

#include <vector>

class QDockWidget;
class QMainWindow;
class QMenu;
class QWidget;

namespace foresight {

class DockManager : public QObject {
    Q_OBJECT
public:
    explicit DockManager(QMainWindow& window);

    // Where a panel sits in the default arrangement; panels of one place are tabs.
    enum class Place { Left, Centre, Right, BottomLeft, BottomRight };
    // `id` is stable (object name, settings); the title is translated.
    QDockWidget* addPanel(const QString& id, const QString& title, QWidget* panel, Place place);

    QDockWidget* dock(const QString& id) const;
    void raise(const QString& id); // shows it when hidden
    const std::vector<QDockWidget*>& docks() const { return m_docks; }
    void setAllVisible(bool visible);

    void applyDefault();
    bool restore(const QString& name = QStringLiteral("last"));
    void save(const QString& name = QStringLiteral("last"));
    void fillMenu(QMenu& menu) const; // one toggle per panel

private:
    struct Entry {
        QString id;
        Place place;
    };
    Place placeFor(Place place) const;
    void clampToScreens();

    QMainWindow& m_window;
    std::vector<QDockWidget*> m_docks;
    std::vector<Entry> m_entries; // parallel to m_docks
};

} // namespace foresight
