// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop portal's color-scheme over D-Bus (Qt 6.4 has no QStyleHints::colorScheme): asks once without
// blocking and follows changes. GUI thread. Without a session bus or portal it stays silent.
#pragma once

#include <QDBusVariant>
#include <QObject>

namespace foresight {

class PortalWatcher : public QObject
{
    Q_OBJECT
public:
    explicit PortalWatcher(QObject* parent);
    void start();

signals:
    // 0 no preference, 1 dark, 2 light (org.freedesktop.appearance)
    void colorSchemeRead(uint scheme);

private slots:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);
};

} // namespace foresight
