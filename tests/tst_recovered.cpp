// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_support.h"
#include "widgets/recovered_plot.h"
#include "widgets/theme.h"

#include <cmath>

using namespace foresight;

namespace {

RecoveredData sample()
{
    RecoveredCurve run;
    run.name = QStringLiteral("puct");
    run.x = {1, 2, 3, 4, 5};
    run.y = {NAN, 0.8, 1.2, 1.2, 2.0};
    RecoveredCurve chance;
    chance.name = QStringLiteral("random");
    chance.x = {1, 5};
    chance.y = {0.7, 1.5};
    chance.step = false;
    chance.reference = true;
    RecoveredData d;
    d.curves = {run, chance};
    d.optimum = 2.5;
    return d;
}

} // namespace

class TestRecovered : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void emptySaysSo()
    {
        RecoveredPlot plot;
        QVERIFY(plot.describe().contains(QStringLiteral("No data")));
        QVERIFY(test::showSized(&plot, 300, 240));
        test::grabSettled(&plot);
        // Only failures so far: still no data.
        RecoveredData d;
        RecoveredCurve failed;
        failed.name = QStringLiteral("run");
        failed.x = {1, 2};
        failed.y = {NAN, NAN};
        d.curves = {failed};
        plot.setData(d);
        QVERIFY(plot.describe().contains(QStringLiteral("No data")));
        test::grabSettled(&plot);
    }

    // A step line has only level and upright parts: between two measurements the best does not creep up.
    void bestSoFarIsAStep()
    {
        RecoveredPlot plot;
        RecoveredData d;
        RecoveredCurve run;
        run.name = QStringLiteral("run");
        run.x = {0, 10};
        run.y = {1, 3};
        d.curves = {run};
        plot.setData(d);
        QVERIFY(test::showSized(&plot, 600, 400));
        const QImage image = test::grabSettled(&plot);
        const QColor color = currentTheme().series(0);
        // The lowest line pixel of columns in the middle must be the same.
        QSet<int> levels;
        for (int x = 200; x < 400; ++x) {
            for (int y = 0; y < image.height(); ++y) {
                if (image.pixelColor(x, y) == color) {
                    levels.insert(y);
                    break;
                }
            }
        }
        QCOMPARE(levels.size(), 1);
    }

    void drawsCurvesOptimumAndBands()
    {
        RecoveredPlot plot;
        RecoveredData d = sample();
        plot.setData(d);
        QVERIFY(test::showSized(&plot, 600, 400));
        QImage image = test::grabSettled(&plot);
        QVERIFY(test::countPixels(image, currentTheme().series(0), 10) > 200);
        QVERIFY(test::countPixels(image, currentTheme().color(ColorRole::Incumbent), 70) > 50);
        d.optimum = NAN;
        plot.setData(d);
        image = test::grabSettled(&plot);
        QCOMPARE(test::countPixels(image, currentTheme().color(ColorRole::Incumbent), 70), 0);
        d.curves[0].low = {NAN, 0.6, 1.0, 1.1, 1.6};
        d.curves[0].high = {NAN, 1.0, 1.4, 1.4, 2.2};
        plot.setData(d);
        const int base = test::countPixels(image, currentTheme().color(ColorRole::Base));
        QVERIFY(test::countPixels(test::grabSettled(&plot), currentTheme().color(ColorRole::Base)) <
                base - 2000);
    }

    void describesTheEnd()
    {
        RecoveredPlot plot;
        plot.setData(sample());
        const QString text = plot.describe();
        QVERIFY2(text.contains(QStringLiteral("puct reaches 2.00")) && text.contains(QStringLiteral("2.50")),
                 qPrintable(text));
        RecoveredData d = sample();
        d.fraction = true;
        d.optimum = 1;
        d.curves[0].y = {0.1, 0.2, 0.4, 0.4, 0.8};
        plot.setData(d);
        QVERIFY2(plot.describe().contains(QStringLiteral("80.0")), qPrintable(plot.describe()));
    }

    void raggedInputIsCut()
    {
        RecoveredPlot plot;
        RecoveredData d = sample();
        d.curves[0].x.append(6); // x longer than y
        d.curves[0].low = {1};   // a band of another length
        plot.setData(d);
        QCOMPARE(plot.data().curves[0].x.size(), plot.data().curves[0].y.size());
        QVERIFY(plot.data().curves[0].low.isEmpty());
        QVERIFY(test::showSized(&plot, 300, 240));
        test::grabSettled(&plot);
        QCOMPARE(plot.toCsv().count(QLatin1Char('\n')), 1 + 5 + 2);
        QVERIFY(plot.toCsv().contains(QStringLiteral("\"puct\",1,,,")));
    }
};

QTEST_MAIN(TestRecovered)
#include "tst_recovered.moc"
