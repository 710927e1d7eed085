// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_support.h"
#include "widgets/interval_plot.h"
#include "widgets/theme.h"

#include <QAccessible>
#include <QSignalSpy>

#include <cmath>

using namespace foresight;

namespace {

QVector<IntervalRow> sample()
{
    return {{11, QStringLiteral("softmax"), 1.9, 1.8, 2.0, IntervalVerdict::Deploy,
             QStringLiteral("clears the margin")},
            {12, QStringLiteral("rms_norm"), 1.01, 0.97, 1.05, IntervalVerdict::FallBack,
             QStringLiteral("lower bound below the margin")},
            {13, QStringLiteral("gelu"), NAN, NAN, NAN, IntervalVerdict::Pending, {}}};
}

} // namespace

class TestInterval : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void verdictIsToldByWordAndColour()
    {
        IntervalPlot plot;
        plot.setRows(sample(), 1.02);
        QVERIFY(test::showSized(&plot, 700, 260));
        const QImage image = test::grabSettled(&plot);
        const Theme& theme = currentTheme();
        QVERIFY(test::countPixels(image.copy(plot.rowRect(0)), theme.color(ColorRole::Good), 12) > 40);
        QVERIFY(test::countPixels(image.copy(plot.rowRect(1)), theme.color(ColorRole::Bad), 12) > 20);
        QCOMPARE(test::countPixels(image.copy(plot.rowRect(2)), theme.color(ColorRole::Good), 4), 0);
        QVERIFY(plot.describe().contains(QStringLiteral("3 operator")));
    }

    // The interval's whiskers lie on the right sides of 1.0 and of the margin.
    void intervalAgainstTheMargin()
    {
        IntervalPlot plot;
        plot.setRows({{1, QStringLiteral("a"), 1.5, 1.4, 1.6, IntervalVerdict::Deploy, {}}}, 1.2);
        QVERIFY(test::showSized(&plot, 800, 200));
        const QImage image = test::grabSettled(&plot).copy(plot.rowRect(0));
        const Theme& theme = currentTheme();
        const int y = image.height() / 2, half = image.width() / 2;
        int threshold = -1, firstGood = -1;
        for (int x = half; x < image.width(); ++x) {
            if (threshold < 0 && test::countPixels(image.copy(x, 0, 1, image.height()),
                                                   theme.color(ColorRole::Threshold), 90) > 3)
                threshold = x;
            if (firstGood < 0 &&
                test::countPixels(image.copy(x, y - 1, 1, 3), theme.color(ColorRole::Good), 12) > 0)
                firstGood = x;
        }
        QVERIFY(threshold > 0 && firstGood > 0);
        QVERIFY2(firstGood > threshold, qPrintable(QStringLiteral("%1 %2").arg(firstGood).arg(threshold)));
    }

    void rowsAreClickedAndWalked()
    {
        IntervalPlot plot;
        plot.setRows(sample(), 1.02);
        QVERIFY(test::showSized(&plot, 700, 260));
        QSignalSpy selected(&plot, &IntervalPlot::rowSelected), activated(&plot, &IntervalPlot::rowActivated);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.rowRect(1).center());
        QCOMPARE(selected.takeFirst().at(0).toLongLong(), 12);
        QTest::keyClick(&plot, Qt::Key_Down);
        QCOMPARE(plot.selected(), 13);
        QTest::keyClick(&plot, Qt::Key_Down);
        QCOMPARE(plot.selected(), 13);
        QTest::keyClick(&plot, Qt::Key_Home);
        QCOMPARE(plot.selected(), 11);
        QTest::keyClick(&plot, Qt::Key_Return);
        QCOMPARE(activated.takeFirst().at(0).toLongLong(), 11);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(100, plot.height() - 2));
        QCOMPARE(plot.selected(), 11);
        QVERIFY(QAccessible::queryAccessibleInterface(&plot)
                    ->text(QAccessible::Value)
                    .contains(QStringLiteral("softmax")));
    }

    void emptyCsvAndExtremes()
    {
        IntervalPlot plot;
        QVERIFY(plot.describe().contains(QStringLiteral("None yet")));
        QVERIFY(test::showSized(&plot, 200, 120));
        test::grabSettled(&plot);
        QVector<IntervalRow> rows = sample();
        rows.append({14, QString(2000, QLatin1Char('k')), 150, 0.001, INFINITY, IntervalVerdict::Failed,
                     QStringLiteral("a \"quoted\" reason")});
        plot.setRows(rows, 0);
        test::grabSettled(&plot);
        QVERIFY(plot.minimumSizeHint().width() < 600); // a long name does not stretch the window
        const QString csv = plot.toCsv();
        QVERIFY(csv.contains(QStringLiteral("11,\"softmax\",1.9,1.8,2,1,deploy,\"clears the margin\"")));
        QVERIFY(csv.contains(QStringLiteral("\"a \"\"quoted\"\" reason\"")));
    }
};

QTEST_MAIN(TestInterval)
#include "tst_interval.moc"
