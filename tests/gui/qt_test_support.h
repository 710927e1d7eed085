// SPDX-License-Identifier: GPL-3.0-or-later
// What every window test needs: Qt warnings fail the test, settings go to a folder of their own, pictures
// wait for layouts.
#pragma once

#include <QApplication>
#include <QDir>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

namespace foresight::test {

// Call in init(): any Qt warning fails the running test function, but for two that the offscreen platform
// always gives.
inline void failOnQtWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(
        "^(?!This plugin does not support|QStandardPaths: (XDG_RUNTIME_DIR|runtime directory))")));
}

// Keeps a test's QSettings away from the user's. Make one before the first window, as long as the test object
// lives.
class IsolatedSettings
{
public:
    IsolatedSettings()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("foresight-test"));
        QCoreApplication::setApplicationName(QStringLiteral("foresight-test"));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    }

private:
    QTemporaryDir m_folder;
};

// Shows a widget at a size and waits until it is there.
inline bool showSized(QWidget* widget, int width, int height)
{
    widget->resize(width, height);
    widget->show();
    return QTest::qWaitForWindowExposed(widget);
}

// A picture after pending layouts and paints are done (a label changed just before would be clipped).
inline QImage grabSettled(QWidget* widget)
{
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents();
    return widget->grab().toImage();
}

// Pixels of the image that are this colour, give or take per channel.
inline int countPixels(const QImage& image, const QColor& color, int tolerance = 6)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor c = image.pixelColor(x, y);
            if (std::abs(c.red() - color.red()) <= tolerance &&
                std::abs(c.green() - color.green()) <= tolerance &&
                std::abs(c.blue() - color.blue()) <= tolerance)
                ++count;
        }
    }
    return count;
}

} // namespace foresight::test
