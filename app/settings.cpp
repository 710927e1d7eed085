// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings.h"

#include <QFileInfo>
#include <QSettings>

namespace foresight {

namespace {

constexpr int kMaxRecent = 12;

QString layoutKey(const QString& name, const char* what)
{
    return QStringLiteral("layouts/%1/%2").arg(name, QLatin1String(what));
}

} // namespace

Settings::ThemeChoice Settings::theme()
{
    const QString value = QSettings().value(QStringLiteral("appearance/theme")).toString();
    if (value == QLatin1String("light"))
        return ThemeChoice::Light;
    return value == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

void Settings::setTheme(ThemeChoice choice)
{
    const char* value = choice == ThemeChoice::Light ? "light" : choice == ThemeChoice::Dark ? "dark" : "system";
    QSettings().setValue(QStringLiteral("appearance/theme"), QLatin1String(value));
}

QString Settings::language()
{
    return QSettings().value(QStringLiteral("appearance/language")).toString();
}

void Settings::setLanguage(const QString& code)
{
    QSettings().setValue(QStringLiteral("appearance/language"), code);
}

QStringList Settings::recentFiles()
{
    QStringList existing;
    const QStringList stored = QSettings().value(QStringLiteral("recent/files")).toStringList();
    for (const QString& path : stored) {
        if (QFileInfo::exists(path))
            existing << path;
    }
    return existing;
}

void Settings::addRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    while (files.size() > kMaxRecent)
        files.removeLast();
    QSettings().setValue(QStringLiteral("recent/files"), files);
}

void Settings::clearRecentFiles()
{
    QSettings().remove(QStringLiteral("recent/files"));
}

QByteArray Settings::layout(const QString& name)
{
    return QSettings().value(layoutKey(name, "state")).toByteArray();
}

QByteArray Settings::geometry(const QString& name)
{
    return QSettings().value(layoutKey(name, "geometry")).toByteArray();
}

void Settings::setLayout(const QString& name, const QByteArray& state, const QByteArray& geometry)
{
    QSettings settings;
    settings.setValue(layoutKey(name, "state"), state);
    settings.setValue(layoutKey(name, "geometry"), geometry);
}

void Settings::removeLayout(const QString& name)
{
    QSettings().remove(QStringLiteral("layouts/") + name);
}

QStringList Settings::layoutNames()
{
    QSettings settings;
    settings.beginGroup(QStringLiteral("layouts"));
    QStringList names = settings.childGroups();
    names.removeAll(QStringLiteral("last"));
    return names;
}

int Settings::measurementBudget()
{
    return QSettings().value(QStringLiteral("search/measurements"), 80).toInt();
}

void Settings::setMeasurementBudget(int measurements)
{
    QSettings().setValue(QStringLiteral("search/measurements"), measurements);
}

} // namespace foresight
