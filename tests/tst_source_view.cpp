// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA scanner against hand-marked lines, and the view: limits, marks, search, copy.
#include "tests/gui/qt_test_support.h"
#include "widgets/cuda_highlighter.h"
#include "widgets/source_view.h"
#include "widgets/theme.h"

#include <QClipboard>
#include <QTextBlock>

#include <random>

using namespace foresight;

namespace {

// One letter per character: k keyword, t type, b builtin, n number, s string, c comment, p preprocessor, -
// none.
QString marks(const QString& line, int state, int* next = nullptr)
{
    QVector<SourceSpan> spans;
    const int after = scanCudaLine(line, state, &spans);
    if (next)
        *next = after;
    static constexpr char kLetters[] = "ktbnscp";
    QString text(line.size(), QLatin1Char('-'));
    for (const SourceSpan& span : spans) {
        for (int i = 0; i < span.length; ++i)
            text[span.start + i] = QLatin1Char(kLetters[static_cast<int>(span.token)]);
    }
    return text;
}

} // namespace

class TestSourceView : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void scans_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<int>("next");
        const auto row = [](const char* name, const char* line, int state, const char* expected, int next) {
            QTest::newRow(name) << QString::fromLatin1(line) << state << QString::fromLatin1(expected)
                                << next;
        };
        row("plain", "a = b;", 0, "------", 0);
        row("types", "const float x", 0, "kkkkk-ttttt--", 0);
        row("builtin", "threadIdx.x", 0, "bbbbbbbbb--", 0);
        row("numbers", "1 0x1fu 1e-3f .5", 0, "n-nnnnn-nnnnn-nn", 0);
        row("hex minus", "0xe-1", 0, "nnn-n", 0);
        row("word digits", "x2 = y", 0, "------", 0);
        row("line comment", "x // if", 0, "--ccccc", 0);
        row("block", "a /* b */ int", 0, "--ccccccc-ttt", 0);
        row("open block", "a /* b", 0, "--cccc", 1);
        row("inside", "still", 1, "ccccc", 1);
        row("close", "x */ if", 1, "cccc-kk", 0);
        row("string", "\"a // b\\\" \" if", 0, "sssssssssss-kk", 0);
        row("open string", "\"abc", 0, "ssss", 0);
        row("character", "'\\'' x", 0, "ssss--", 0);
        row("include", "#include <a>", 0, "pppppppppppp", 0);
        row("define comment", "#define A // b", 0, "ppppppppppcccc", 0);
        row("continued", "#define A \\", 0, "ppppppppppp", 2);
        row("continuation", "  int b", 2, "ppppppp", 0);
        row("slash end", "a /", 0, "---", 0);
        row("empty", "", 1, "", 1);
    }
    void scans()
    {
        QFETCH(QString, line);
        QFETCH(int, state);
        QFETCH(int, next);
        int after = -1;
        QTEST(marks(line, state, &after), "expected");
        QCOMPARE(after, next);
    }

    // Foreign text: any line, any state; spans stay inside and in order.
    void randomLines()
    {
        std::mt19937 random(99);
        const QString alphabet = QStringLiteral("ab1./*\"'\\#<> _eE+-x0\t");
        for (int round = 0; round < 20000; ++round) {
            QString line;
            const auto length = random() % 30;
            for (unsigned i = 0; i < length; ++i)
                line += alphabet[static_cast<int>(random() % static_cast<unsigned>(alphabet.size()))];
            QVector<SourceSpan> spans;
            const int next = scanCudaLine(line, static_cast<int>(random() % 3), &spans);
            QVERIFY(next >= 0 && next <= 2);
            int end = 0;
            for (const SourceSpan& span : spans) {
                QVERIFY(span.start >= end && span.length > 0 && span.start + span.length <= line.size());
                end = span.start + span.length;
            }
        }
    }

    void showsColouredSourceWithNumbers()
    {
        SourceView view;
        view.setSource(
            QStringLiteral("__global__ void k(float* x)\n{\n    x[threadIdx.x] = 1.0f; // one\n}\n"));
        QVERIFY(test::showSized(&view, 500, 300));
        QVERIFY(view.isReadOnly());
        const QImage image = test::grabSettled(&view);
        QVERIFY(test::countPixels(image, currentTheme().color(ColorRole::SyntaxBuiltin), 40) > 30);
        QVERIFY(test::countPixels(image, currentTheme().color(ColorRole::SyntaxComment), 40) > 10);
        QVERIFY(test::countPixels(image.copy(0, 0, view.lineNumberWidth(), 200),
                                  currentTheme().color(ColorRole::TextDisabled), 60) > 10);
        ThemeManager::instance().setMode(ThemeMode::Dark);
        QVERIFY(test::countPixels(test::grabSettled(&view), Theme::dark().color(ColorRole::SyntaxBuiltin),
                                  40) > 30);
        ThemeManager::instance().setMode(ThemeMode::Light);
    }

    void hugeTextIsCutButCopiedWhole()
    {
        SourceView view;
        QString text = QString(50000, QLatin1Char('x')) + QLatin1Char('\n');
        view.setSource(text);
        QVERIFY(view.isCut());
        QVERIFY(view.toPlainText().size() < 21000);
        text = QStringLiteral("int a;\n").repeated(400000); // 2.8 MB
        view.setSource(text, SourceLanguage::Plain);
        QVERIFY(view.isCut());
        QVERIFY(view.toPlainText().size() < text.size());
        view.copyAll();
        QCOMPARE(QApplication::clipboard()->text().size(), text.size());
        view.setSource(QStringLiteral("int a;"));
        QVERIFY(!view.isCut());
        QCOMPARE(view.toPlainText(), QStringLiteral("int a;"));
    }

    void findsAndGoes()
    {
        SourceView view;
        view.setSource(QStringLiteral("alpha\nbeta\nalpha\n"));
        QVERIFY(test::showSized(&view, 300, 200));
        QVERIFY(view.findText(QStringLiteral("alpha")));
        QVERIFY(view.findText(QStringLiteral("alpha")));
        QCOMPARE(view.textCursor().blockNumber(), 2);
        QVERIFY(view.findText(QStringLiteral("alpha"))); // around
        QCOMPARE(view.textCursor().blockNumber(), 0);
        QVERIFY(!view.findText(QStringLiteral("gamma")));
        view.goToLine(2);
        QCOMPARE(view.textCursor().blockNumber(), 1);
        view.goToLine(900);
        view.setMarkedLines({2, 77});
        test::grabSettled(&view);
    }
};

QTEST_MAIN(TestSourceView)
#include "tst_source_view.moc"
