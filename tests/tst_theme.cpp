// SPDX-License-Identifier: GPL-3.0-or-later
// The palette: WCAG contrast in both themes, colour maps, live switching, icons.
#include "tests/gui/qt_test_support.h"
#include "widgets/theme.h"

#include <QDir>
#include <QSignalSpy>

#include <cmath>
#include <initializer_list>

using namespace foresight;

class TestTheme : public QObject
{
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void contrastRatioOfKnownPairs()
    {
        // WCAG 2.1: black on white is 21, equal colours 1; #767676 on white is the lightest grey that passes
        // AA (4.54).
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrastRatio(Qt::red, Qt::red), 1.0);
        QVERIFY(std::abs(contrastRatio(QColor(QRgb(0x767676)), Qt::white) - 4.54) < 0.01);
        QVERIFY(contrastRatio(QColor(QRgb(0x777777)), Qt::white) < 4.5);
    }

    void textContrast_data() { themes(); }
    void textContrast()
    {
        QFETCH(bool, dark);
        const Theme& theme = dark ? Theme::dark() : Theme::light();
        const auto surfaces = {ColorRole::Window, ColorRole::Base, ColorRole::AlternateBase};
        for (const ColorRole text :
             {ColorRole::Text, ColorRole::TextSecondary, ColorRole::TextDisabled, ColorRole::Link,
              ColorRole::Good, ColorRole::Warning, ColorRole::Bad, ColorRole::Failed, ColorRole::Forecast,
              ColorRole::Measured, ColorRole::Estimated, ColorRole::Recorded, ColorRole::Running,
              ColorRole::Threshold}) {
            for (const ColorRole surface : surfaces) {
                const double ratio = contrastRatio(theme.color(text), theme.color(surface));
                QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("role %1 on %2: %3")
                                                      .arg(static_cast<int>(text))
                                                      .arg(static_cast<int>(surface))
                                                      .arg(ratio)));
            }
        }
        for (const ColorRole code : {ColorRole::SyntaxKeyword, ColorRole::SyntaxType, ColorRole::SyntaxString,
                                     ColorRole::SyntaxNumber, ColorRole::SyntaxComment,
                                     ColorRole::SyntaxPreprocessor, ColorRole::SyntaxBuiltin}) {
            QVERIFY(contrastRatio(theme.color(code), theme.color(ColorRole::Base)) >= 4.5);
            QVERIFY(contrastRatio(theme.color(code), theme.color(ColorRole::CurrentLine)) >= 4.5);
        }
        QVERIFY(contrastRatio(theme.color(ColorRole::AccentText), theme.color(ColorRole::Accent)) >= 4.5);
    }

    void graphicsContrast_data() { themes(); }
    void graphicsContrast()
    {
        QFETCH(bool, dark);
        const Theme& theme = dark ? Theme::dark() : Theme::light();
        const QColor base = theme.color(ColorRole::Base);
        for (const ColorRole role :
             {ColorRole::Border, ColorRole::Axis, ColorRole::Accent, ColorRole::Ghost, ColorRole::Edge,
              ColorRole::Incumbent, ColorRole::BestPath, ColorRole::Audit, ColorRole::Reference,
              ColorRole::Recalibrated, ColorRole::Bar, ColorRole::Match, ColorRole::Neutral})
            QVERIFY2(contrastRatio(theme.color(role), base) >= 3,
                     qPrintable(QString::number(static_cast<int>(role))));
        for (int i = 0; i < 8; ++i)
            QVERIFY(contrastRatio(theme.series(i), base) >= 3);
        for (double x = -3; x <= 3; x += 0.05)
            QVERIFY2(contrastRatio(theme.diverging(x), base) >= 3, qPrintable(QString::number(x)));
        for (double t = 0; t <= 1; t += 0.05)
            QVERIFY(contrastRatio(theme.sequential(t), base) >= 3);
    }

    void barsKeepTheirTextReadable_data() { themes(); }
    void barsKeepTheirTextReadable()
    {
        QFETCH(bool, dark);
        const Theme& theme = dark ? Theme::dark() : Theme::light();
        for (const ColorRole role : {ColorRole::Bar, ColorRole::Good, ColorRole::Bad}) {
            const QColor fill = theme.fill(role, dark ? 0.28 : 0.20), base = theme.color(ColorRole::Base);
            const double a = fill.alphaF();
            const QColor mixed =
                QColor::fromRgbF(static_cast<float>(fill.redF() * a + base.redF() * (1 - a)),
                                 static_cast<float>(fill.greenF() * a + base.greenF() * (1 - a)),
                                 static_cast<float>(fill.blueF() * a + base.blueF() * (1 - a)));
            QVERIFY(contrastRatio(theme.color(ColorRole::Text), mixed) >= 4.5);
        }
    }

    void divergingIsCentredAndSaturates()
    {
        for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
            const QColor centre = theme->diverging(0);
            QVERIFY(std::abs(centre.red() - centre.blue()) < 20); // neither orange nor blue
            QVERIFY(theme->diverging(-1.5).red() > theme->diverging(-1.5).blue() + 60);
            QVERIFY(theme->diverging(1.5).blue() > theme->diverging(1.5).red() + 60);
            QCOMPARE(theme->diverging(2), theme->diverging(40));
            QCOMPARE(theme->diverging(-2), theme->diverging(-INFINITY));
            QCOMPARE(theme->diverging(NAN), theme->color(ColorRole::Ghost));
            QCOMPARE(theme->sequential(NAN), theme->color(ColorRole::Ghost));
        }
    }

    // Slower and faster differ in blue minus yellow (b* in CIELAB terms), which red-green blindness keeps.
    void divergingEndsDifferWithoutRedAndGreen()
    {
        for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
            const auto blueYellow = [theme](double x) {
                const QColor c = theme->diverging(x);
                return c.blueF() - (c.redF() + c.greenF()) / 2;
            };
            QVERIFY(blueYellow(2) - blueYellow(-2) > 0.3);
        }
    }

    void textOnAnyFillIsReadable()
    {
        for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
            for (double x = -2; x <= 2; x += 0.1)
                QVERIFY(contrastRatio(theme->textOn(theme->diverging(x)), theme->diverging(x)) >= 4.5);
        }
    }

    void switchesLiveAndTellsOnce()
    {
        ThemeManager& manager = ThemeManager::instance();
        manager.install();
        manager.setMode(ThemeMode::Light);
        QSignalSpy changed(&manager, &ThemeManager::changed);
        manager.setMode(ThemeMode::Dark);
        QCOMPARE(changed.count(), 1);
        QVERIFY(currentTheme().isDark());
        QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::dark().color(ColorRole::Window));
        manager.setMode(ThemeMode::Dark);
        QCOMPARE(changed.count(), 1);
        manager.setMode(ThemeMode::Light);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(QApplication::palette().color(QPalette::Text), Theme::light().color(ColorRole::Text));
    }

    // Without a portal a palette that someone else sets says what the system wants.
    void followsASystemPalette()
    {
        ThemeManager& manager = ThemeManager::instance();
        manager.install();
        manager.setMode(ThemeMode::System);
        QPalette night;
        night.setColor(QPalette::Window, QColor(20, 20, 20));
        night.setColor(QPalette::WindowText, Qt::white);
        QApplication::setPalette(night);
        QCoreApplication::processEvents();
        QVERIFY(manager.systemIsDark());
        QVERIFY(currentTheme().isDark());
        QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::dark().color(ColorRole::Window));
        QPalette day;
        day.setColor(QPalette::Window, QColor(240, 240, 240));
        day.setColor(QPalette::WindowText, Qt::black);
        QApplication::setPalette(day);
        QCoreApplication::processEvents();
        QVERIFY(!currentTheme().isDark());
        manager.setMode(ThemeMode::Light);
    }

    void iconsTakeTheThemesColour()
    {
        ThemeManager& manager = ThemeManager::instance();
        manager.install();
        manager.setMode(ThemeMode::Light);
        const QIcon icon = themedIcon(QStringLiteral("run"));
        QVERIFY(!icon.isNull());
        const QImage light = icon.pixmap(QSize(24, 24)).toImage();
        QVERIFY(test::countPixels(light, Theme::light().color(ColorRole::Text)) > 40);
        manager.setMode(ThemeMode::Dark);
        const QImage dark = icon.pixmap(QSize(24, 24)).toImage();
        QVERIFY(test::countPixels(dark, Theme::dark().color(ColorRole::Text)) > 40);
        const QImage disabled = icon.pixmap(QSize(24, 24), QIcon::Disabled).toImage();
        QVERIFY(test::countPixels(disabled, Theme::dark().color(ColorRole::TextDisabled)) > 40);
        QVERIFY(themedIcon(QStringLiteral("no-such-icon")).isNull());
        manager.setMode(ThemeMode::Light);
    }

    void everyIconRenders()
    {
        const QStringList files = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")});
        QVERIFY(files.size() > 40);
        for (const QString& file : files) {
            const QImage image = themedIcon(file.chopped(4)).pixmap(QSize(32, 32)).toImage();
            int inked = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    inked += qAlpha(image.pixel(x, y)) > 40;
            }
            QVERIFY2(inked > 15, qPrintable(file));
        }
    }

private:
    void themes()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
