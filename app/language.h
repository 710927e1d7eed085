// SPDX-License-Identifier: GPL-3.0-or-later
// The program's languages: what is shipped, and installing the translators before the first window.
#pragma once

#include <QString>
#include <QVector>

class QCoreApplication;

namespace foresight {

struct LanguageInfo {
    QString code; // "" follows the system
    QString name; // in its own language
};
QVector<LanguageInfo> availableLanguages();
// `code` empty: the system's. Falls back to English.
void installTranslations(QCoreApplication& app, const QString& code);

} // namespace foresight
