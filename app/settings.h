// SPDX-License-Identifier: GPL-3.0-or-later
// The program's settings in one place: typed getters and setters over QSettings. GUI thread only.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace foresight {

class Settings {
public:
    enum class ThemeChoice { System, Light, Dark };

    static ThemeChoice theme();
    static void setTheme(ThemeChoice choice);
    static QString language(); // empty: the system's
    static void setLanguage(const QString& code);

    static QStringList recentFiles(); // newest first, at most 12, only what still exists
    static void addRecentFile(const QString& path);
    static void clearRecentFiles();

    static QByteArray layout(const QString& name);  // "last" or a named one
    static QByteArray geometry(const QString& name);
    static void setLayout(const QString& name, const QByteArray& state, const QByteArray& geometry);
    static void removeLayout(const QString& name);
    static QStringList layoutNames();

    static int measurementBudget(); // of a search started from the window
    static void setMeasurementBudget(int measurements);
};

} // namespace foresight
