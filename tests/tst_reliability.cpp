// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_support.h"
#include "widgets/reliability_plot.h"
#include "widgets/theme.h"

#include <QAccessible>
#include <QTemporaryDir>

#include <cmath>

using namespace foresight;

namespace {

// Ten bins; the first two empty, the last with confidences of exactly one.
ReliabilityData sample()
{
    ReliabilityData d;
    d.title = QStringLiteral("raw");
    for (int i = 0; i < 10; ++i) {
        ReliabilityBin bin;
        bin.lower = i / 10.0;
        bin.upper = (i + 1) / 10.0;
        bin.count = i < 2 ? 0 : 10 * i;
        if (bin.count > 0) {
            bin.meanConfidence = i == 9 ? 1.0 : bin.lower + 0.02;
            bin.accuracy = bin.meanConfidence * 0.7;
            bin.consistencyLow = std::max(0.0, bin.meanConfidence - 0.1);
            bin.consistencyHigh = std::min(1.0, bin.meanConfidence + 0.1);
            bin.confidenceLow = bin.accuracy - 0.08;
            bin.confidenceHigh = bin.accuracy + 0.08;
        }
        d.count += bin.count;
        d.bins.append(bin);
    }
    d.ece = 0.2;
    d.perfectEce95 = 0.05;
    return d;
}

} // namespace

class TestReliability : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void noDataIsNotZero()
    {
        ReliabilityPlot plot;
        QVERIFY(plot.isEmpty());
        QVERIFY(plot.describe().contains(QStringLiteral("No data")));
        QVERIFY(!plot.describe().contains(QStringLiteral("0.000")));
        QVERIFY(test::showSized(&plot, 300, 220));
        QVERIFY(test::countPixels(test::grabSettled(&plot), currentTheme().color(ColorRole::TextSecondary),
                                  30) > 20);
        // Bins without a single outcome are no data either.
        ReliabilityData d;
        d.bins.resize(10);
        plot.setData(d);
        QVERIFY(plot.isEmpty());
    }

    void drawsBandsBarsAndCounts()
    {
        ReliabilityPlot plot;
        plot.setData(sample());
        QVERIFY(test::showSized(&plot, 700, 500));
        const QImage image = test::grabSettled(&plot);
        const Theme& theme = currentTheme();
        QVERIFY(test::countPixels(image, theme.color(ColorRole::Forecast), 20) > 300); // curve and whiskers
        QVERIFY(test::countPixels(image, theme.color(ColorRole::Neutral), 12) > 1000); // counts strip
        QCOMPARE(test::countPixels(image, theme.color(ColorRole::Recalibrated), 6), 0);
        ReliabilityData better = sample();
        better.title = QStringLiteral("recalibrated");
        for (ReliabilityBin& bin : better.bins)
            bin.accuracy = bin.meanConfidence;
        plot.setData(sample(), better);
        QVERIFY(test::countPixels(test::grabSettled(&plot), theme.color(ColorRole::Recalibrated), 20) > 200);
        // Back to one curve: nothing of the second stays.
        plot.setData(sample());
        QCOMPARE(test::countPixels(test::grabSettled(&plot), theme.color(ColorRole::Recalibrated), 6), 0);
    }

    void emptyBinsStayEmpty()
    {
        ReliabilityPlot plot;
        plot.setData(sample());
        QCOMPARE(plot.data().bins.size(), 10);
        const QStringList lines = plot.toCsv().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 11); // all ten bins, the empty ones without a value
        QVERIFY2(lines[1].startsWith(QStringLiteral("\"raw\",0,0.1,0,,")), qPrintable(lines[1]));
        QVERIFY2(lines[10].startsWith(QStringLiteral("\"raw\",0.9,1,90,1,0.7")), qPrintable(lines[10]));
    }

    void saysTheLargestGap()
    {
        ReliabilityPlot plot;
        plot.setData(sample());
        const QString text = plot.describe();
        QVERIFY2(text.contains(QStringLiteral("440")) && text.contains(QStringLiteral("0.200")),
                 qPrintable(text));
        // 1.0 against 0.7 is the largest.
        QVERIFY2(text.contains(QStringLiteral("100")) && text.contains(QStringLiteral("70")),
                 qPrintable(text));
        QCOMPARE(QAccessible::queryAccessibleInterface(&plot)->text(QAccessible::Value), text);
    }

    void followsTheTheme()
    {
        ReliabilityPlot plot;
        plot.setData(sample());
        QVERIFY(test::showSized(&plot, 500, 400));
        ThemeManager::instance().setMode(ThemeMode::Dark);
        const QImage image = test::grabSettled(&plot);
        QVERIFY(test::countPixels(image, Theme::dark().color(ColorRole::Base)) > 500 * 400 / 3);
        ThemeManager::instance().setMode(ThemeMode::Light);
        QVERIFY(test::countPixels(test::grabSettled(&plot), Theme::light().color(ColorRole::Base)) >
                500 * 400 / 3);
    }

    void exports()
    {
        QTemporaryDir folder;
        ReliabilityPlot plot;
        plot.setData(sample());
        plot.resize(500, 400);
        for (const char* name : {"p.png", "p.svg", "p.pdf"})
            QCOMPARE(plot.exportTo(folder.filePath(QLatin1String(name))), QString());
        const QImage png(folder.filePath(QStringLiteral("p.png")));
        QVERIFY(test::countPixels(png, currentTheme().color(ColorRole::Forecast), 30) > 200);
        QFile svg(folder.filePath(QStringLiteral("p.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().count("<path") > 10);
    }
};

QTEST_MAIN(TestReliability)
#include "tst_reliability.moc"
