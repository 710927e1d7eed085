// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_support.h"
#include "widgets/histogram8.h"
#include "widgets/theme.h"

#include <QAccessible>
#include <QClipboard>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>

using namespace foresight;

namespace {

// p* of the design with its expected speedup.
HistogramData worked(int measuredBin = 0)
{
    HistogramData d;
    d.valid = true;
    d.probabilities = {0, 0, .02, .08, .3, .4, .15, .05};
    d.expectedSpeedup = 1.6133;
    d.failsToRun = 0.1;
    d.measuredBin = measuredBin;
    d.measuredSpeedup = measuredBin ? 1.83 : NAN;
    d.title = QStringLiteral("#7");
    return d;
}

QVector<HistogramItem> items(int count, int chosen)
{
    QVector<HistogramItem> list;
    for (int i = 0; i < count; ++i) {
        HistogramItem item;
        item.id = 100 + i;
        item.chosen = i < chosen;
        item.data = worked();
        item.caption = QStringLiteral("#%1").arg(item.id);
        list.append(item);
    }
    return list;
}

} // namespace

class TestHistogram : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void emptySaysSo()
    {
        Histogram8 plot;
        plot.setEmptyText(QStringLiteral("nothing here"));
        QCOMPARE(plot.describe(), QStringLiteral("nothing here"));
        QVERIFY(test::showSized(&plot, 400, 250));
        const QImage image = test::grabSettled(&plot);
        QVERIFY(test::countPixels(image, currentTheme().color(ColorRole::TextSecondary), 30) > 20);
        QCOMPARE(plot.toCsv().count(QLatin1Char('\n')), 1); // the header alone
    }

    // Bars' heights are in proportion to the probabilities: 0.4 against 0.3 against 0.15.
    void barsShowProbabilities()
    {
        Histogram8 plot;
        plot.setData(worked());
        QVERIFY(test::showSized(&plot, 900, 420));
        const QImage image = test::grabSettled(&plot);
        // Bin 5 lies between 1 and 2^.5: its colour is that of a quarter octave; bin 7 of 2..4 one and a
        // half.
        const auto height = [&](double log2) {
            const QColor color = currentTheme().diverging(log2);
            int highest = 0;
            for (int x = 0; x < image.width(); ++x) {
                int run = 0;
                for (int y = 0; y < image.height(); ++y)
                    run += image.pixelColor(x, y) == color;
                highest = std::max(highest, run);
            }
            return highest;
        };
        const double h5 = height(0.25), h6 = height(0.75), h7 = height(1.5);
        QVERIFY(h6 > 50);
        QVERIFY2(std::abs(h5 / h6 - 0.75) < 0.03, qPrintable(QString::number(h5 / h6)));
        QVERIFY2(std::abs(h7 / h6 - 0.375) < 0.03, qPrintable(QString::number(h7 / h6)));
    }

    void measuredBinIsMarkedNotOnlyByColour()
    {
        Histogram8 plot;
        plot.setData(worked());
        QVERIFY(test::showSized(&plot, 900, 420));
        const int without =
            test::countPixels(test::grabSettled(&plot), currentTheme().color(ColorRole::Text), 10);
        plot.setData(worked(3));
        const int with =
            test::countPixels(test::grabSettled(&plot), currentTheme().color(ColorRole::Text), 10);
        QVERIFY(with > without + 60); // frame and triangle in the text's colour
        QVERIFY(plot.describe().contains(QStringLiteral("1.83")));
        QVERIFY(plot.describe().contains(QStringLiteral("moderate slowdown")));
    }

    void describesInWords()
    {
        Histogram8 plot;
        plot.setData(worked());
        const QString text = plot.describe();
        QVERIFY2(text.contains(QStringLiteral("significant speedup")) &&
                     text.contains(QStringLiteral("1.61")) && text.contains(QStringLiteral("10")),
                 qPrintable(text));
        QAccessibleInterface* iface = QAccessible::queryAccessibleInterface(&plot);
        QVERIFY(iface);
        QCOMPARE(iface->role(), QAccessible::Chart);
        QCOMPARE(iface->text(QAccessible::Value), text);
        plot.setData(worked(8));
        QVERIFY(iface->text(QAccessible::Value).contains(QStringLiteral("extreme speedup")));
    }

    void csv()
    {
        Histogram8 plot;
        plot.setData(worked(6));
        const QStringList lines = plot.toCsv().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 11);
        QVERIFY(lines[6].startsWith(QStringLiteral("6,\"significant speedup\",1.414213562,2,0.4,1")));
        QVERIFY(lines[1].startsWith(QStringLiteral("1,\"severe slowdown\",0,0.25,0,0")));
        plot.copyCsv();
        QCOMPARE(QApplication::clipboard()->text(), plot.toCsv());
    }

    void binUnderTheCursor()
    {
        Histogram8 plot;
        plot.setData(worked());
        QVERIFY(test::showSized(&plot, 900, 420));
        int last = 0;
        QSet<int> seen;
        for (int x = 0; x < plot.width(); ++x) {
            const int bin = plot.binAt(QPoint(x, 200));
            QVERIFY(bin == 0 || bin >= last);
            last = std::max(last, bin);
            seen.insert(bin);
        }
        for (int bin = 1; bin <= 8; ++bin)
            QVERIFY(seen.contains(bin));
    }

    void exportsAllFormats()
    {
        QTemporaryDir folder;
        Histogram8 plot;
        plot.setData(worked(6));
        plot.resize(500, 300);
        for (const char* suffix : {"png", "svg", "pdf"}) {
            const QString path = folder.filePath(QStringLiteral("p.") + QLatin1String(suffix));
            QCOMPARE(plot.exportTo(path), QString());
            QVERIFY(QFileInfo(path).size() > 500);
        }
        const QImage png(folder.filePath(QStringLiteral("p.png")));
        QCOMPARE(png.size(), QSize(1000, 600));
        QFile svg(folder.filePath(QStringLiteral("p.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("<svg"));
        QVERIFY(!plot.exportTo(folder.filePath(QStringLiteral("p.xyz"))).isEmpty());
        QVERIFY(plot.exportTo(folder.filePath(QStringLiteral("no/such/folder/p.png")))
                    .contains(QStringLiteral("no/such/folder")));
    }

    void gridCutsBetweenChosenAndSkipped()
    {
        HistogramGrid grid;
        grid.setItems(items(16, 4));
        QVERIFY(test::showSized(&grid, 700, 600));
        // Skipped ones begin on a row of their own, below the line.
        QVERIFY(grid.itemRect(4).top() > grid.itemRect(3).bottom());
        const QImage image = test::grabSettled(&grid);
        QVERIFY(test::countPixels(image, currentTheme().color(ColorRole::Threshold), 3) > 100);
        grid.setItems(items(3, 3));
        QCOMPARE(test::countPixels(test::grabSettled(&grid), currentTheme().color(ColorRole::Threshold), 3),
                 0);
        for (int i = 0; i < 3; ++i) {
            for (int j = i + 1; j < 3; ++j)
                QVERIFY(!grid.itemRect(i).intersects(grid.itemRect(j)));
        }
    }

    void gridIsClickedAndWalked()
    {
        HistogramGrid grid;
        grid.setItems(items(10, 4));
        QVERIFY(test::showSized(&grid, 700, 600));
        QSignalSpy selected(&grid, &HistogramGrid::itemSelected),
            activated(&grid, &HistogramGrid::itemActivated);
        QTest::mouseClick(&grid, Qt::LeftButton, {}, grid.itemRect(2).center());
        QCOMPARE(selected.takeFirst().at(0).toLongLong(), 102);
        QTest::keyClick(&grid, Qt::Key_Right);
        QCOMPARE(grid.selected(), 103);
        QTest::keyClick(&grid, Qt::Key_End);
        QCOMPARE(grid.selected(), 109);
        QTest::keyClick(&grid, Qt::Key_Return);
        QCOMPARE(activated.takeFirst().at(0).toLongLong(), 109);
        QVERIFY(grid.describe().contains(QStringLiteral("10")));
        QCOMPARE(grid.toCsv().count(QLatin1Char('\n')), 11);
    }

    void tinyAndHugeDoNotBreak()
    {
        Histogram8 plot;
        plot.setData(worked(6));
        for (const QSize size : {QSize(1, 1), QSize(20, 10), QSize(60, 400), QSize(2500, 60)}) {
            QImage image(size, QImage::Format_RGB32);
            QPainter painter(&image);
            static_cast<const Histogram8&>(plot).render(&painter, size);
        }
    }
};

QTEST_MAIN(TestHistogram)
#include "tst_histogram.moc"
