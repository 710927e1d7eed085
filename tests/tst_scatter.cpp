// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_support.h"
#include "widgets/scatter_plot.h"
#include "widgets/theme.h"

#include <QAccessible>
#include <QSignalSpy>

#include <cmath>

using namespace foresight;

namespace {

QVector<ScatterPoint> sample()
{
    QVector<ScatterPoint> points;
    points.append({1, 1.0, 2.0, false, false, QStringLiteral("one")});
    points.append({2, 2.0, 2.0, true, false, QStringLiteral("two")});
    points.append({3, 4.0, 4.0, false, true, QStringLiteral("three")});
    points.append({4, 0.5, 0.25, false, false, QStringLiteral("four")});
    points.append({5, NAN, 1.0, false, false, {}});
    points.append({6, 1.0, 0.0, false, false, {}});
    return points;
}

} // namespace

class TestScatter : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void unusableValuesAreLeftOutAndCounted()
    {
        ScatterPlot plot;
        plot.setPoints(sample());
        QCOMPARE(plot.points().size(), 4);
        QVERIFY2(plot.describe().contains(QStringLiteral("2 without")), qPrintable(plot.describe()));
        // Errors in octaves: 1, 0, 0, 1; the upper median is 1: a factor of two.
        QVERIFY2(plot.describe().contains(QStringLiteral("2.00")), qPrintable(plot.describe()));
    }

    void pointsLieOnLogAxes()
    {
        ScatterPlot plot;
        plot.setPoints(sample());
        QVERIFY(test::showSized(&plot, 600, 500));
        test::grabSettled(&plot);
        const QPoint one = plot.positionOf(1), two = plot.positionOf(2), three = plot.positionOf(3);
        QCOMPARE(one.y(), two.y());
        // From 1 to 2 and from 2 to 4: equal steps on a log axis.
        QVERIFY(std::abs((two.x() - one.x()) - (three.x() - two.x())) <= 1);
        QVERIFY(three.y() < two.y());
        QCOMPARE(plot.positionOf(99), QPoint(-1, -1));
    }

    void clickSelectsAndIsLinked()
    {
        ScatterPlot plot;
        plot.setPoints(sample());
        QVERIFY(test::showSized(&plot, 600, 500));
        test::grabSettled(&plot);
        QSignalSpy selected(&plot, &ScatterPlot::pointSelected),
            activated(&plot, &ScatterPlot::pointActivated);
        for (const qint64 id : {1, 2, 3, 4}) {
            QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.positionOf(id));
            QCOMPARE(selected.takeFirst().at(0).toLongLong(), id);
            QCOMPARE(plot.selected(), id);
        }
        plot.setSelected(2); // from elsewhere: no echo
        QCOMPARE(selected.count(), 0);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(plot.width() / 2, plot.height() - 4));
        QCOMPARE(plot.selected(), 2);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, plot.positionOf(3));
        QCOMPARE(activated.takeFirst().at(0).toLongLong(), 3);
    }

    void keysWalkThePoints()
    {
        ScatterPlot plot;
        plot.setPoints(sample());
        QVERIFY(test::showSized(&plot, 600, 500));
        QSignalSpy selected(&plot, &ScatterPlot::pointSelected);
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(selected.count(), 5);
        QCOMPARE(plot.selected(), 1); // around
        QTest::keyClick(&plot, Qt::Key_Left);
        QCOMPARE(plot.selected(), 4);
        QVERIFY(QAccessible::queryAccessibleInterface(&plot)
                    ->text(QAccessible::Value)
                    .contains(QStringLiteral("four")));
    }

    void selectionIsVisible()
    {
        ScatterPlot plot;
        plot.setPoints(sample());
        QVERIFY(test::showSized(&plot, 600, 500));
        test::grabSettled(&plot);
        const QRect around(plot.positionOf(4) - QPoint(12, 12), QSize(24, 24));
        const QColor text = currentTheme().color(ColorRole::Text);
        const int before = test::countPixels(test::grabSettled(&plot).copy(around), text, 30);
        plot.setSelected(4);
        QVERIFY(test::countPixels(test::grabSettled(&plot).copy(around), text, 30) > before + 20);
    }

    void emptyAndManyPoints()
    {
        ScatterPlot plot;
        QVERIFY(plot.describe().contains(QStringLiteral("No data")));
        QVERIFY(test::showSized(&plot, 300, 240));
        test::grabSettled(&plot);
        QTest::keyClick(&plot, Qt::Key_Right);
        QVector<ScatterPoint> many;
        for (int i = 0; i < 10000; ++i)
            many.append({i, std::exp2(std::sin(i)), std::exp2(std::cos(i * 0.7)), false, false, {}});
        plot.setPoints(many);
        QVERIFY(test::countPixels(test::grabSettled(&plot), currentTheme().color(ColorRole::Measured), 40) >
                500);
        QCOMPARE(plot.toCsv().count(QLatin1Char('\n')), 10001);
    }
};

QTEST_MAIN(TestScatter)
#include "tst_scatter.moc"
