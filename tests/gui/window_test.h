// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the whole window share: a home of their own, a session that can be written, no Qt warnings.
#pragma once

#include "tests/gui/gui_test_main.h"
#include "widgets/theme.h"

#include <QFile>
#include <QTemporaryDir>

namespace foresight::test {

class WindowHome {
public:
    // Before the first window: the user's own data are neither read nor written.
    void install() const
    {
        qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
        qputenv("FORESIGHT_DATA", FORESIGHT_SOURCE_DIR);
        ThemeManager::instance().install();
    }

    QString filePath(const QString& name) const { return m_home.filePath(name); }

    // A copy that can be written, so that the test does not depend on where the user's data are; empty when it failed.
    QString writableCopy(const QString& name) const
    {
        const QString path = m_home.filePath(name);
        QFile::remove(path);
        if (!QFile::copy(session, path))
            return {};
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        return path;
    }

    const QString session = QStringLiteral(FORESIGHT_SOURCE_DIR "/profiles/sessions/qwen_prefill_bf16.fsight");

private:
    QTemporaryDir m_home;
};

} // namespace foresight::test
