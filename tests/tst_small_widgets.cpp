// SPDX-License-Identifier: GPL-3.0-or-later
// EmptyState, EmptyStateStack, StatusLabel, KeyValueTable, ElidedLabel, the keys of painted lists.
#include "tests/gui/qt_test_support.h"
#include "widgets/elided_label.h"
#include "widgets/empty_state.h"
#include "widgets/key_value_table.h"
#include "widgets/selection_keys.h"
#include "widgets/status_label.h"
#include "widgets/theme.h"

#include <QClipboard>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>

using namespace foresight;

class TestSmallWidgets : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void keysMoveASelection()
    {
        // Seven items in rows of three: 0 1 2 / 3 4 5 / 6.
        QCOMPARE(movedSelection(Qt::Key_Right, 2, 7, 3), std::optional(3));
        QCOMPARE(movedSelection(Qt::Key_Left, 0, 7, 3), std::optional(0));
        QCOMPARE(movedSelection(Qt::Key_Down, 1, 7, 3), std::optional(4));
        QCOMPARE(movedSelection(Qt::Key_Down, 5, 7, 3), std::optional(6));
        QCOMPARE(movedSelection(Qt::Key_Up, 4, 7, 3), std::optional(1));
        QCOMPARE(movedSelection(Qt::Key_Home, 4, 7, 3), std::optional(0));
        QCOMPARE(movedSelection(Qt::Key_End, 4, 7, 3), std::optional(6));
        // One list, nothing selected yet; sideways keys belong to somebody else.
        QCOMPARE(movedSelection(Qt::Key_Down, -1, 4), std::optional(0));
        QCOMPARE(movedSelection(Qt::Key_Down, 3, 4), std::optional(3));
        QVERIFY(!movedSelection(Qt::Key_Right, 1, 4));
        QVERIFY(!movedSelection(Qt::Key_A, 1, 4, 3));
        QCOMPARE(movedSelection(Qt::Key_Down, -1, 0), std::optional(0));
    }

    void longTextDoesNotWiden()
    {
        ElidedLabel label;
        label.setText(QString(4000, QLatin1Char('x')));
        QVERIFY(label.minimumSizeHint().width() < 200);
        KeyValueTable table;
        QVERIFY(test::showSized(&table, 300, 200));
        table.setRows({{QString(200, QLatin1Char('n')), QString(200, QLatin1Char('v')), {}, false, StatusKind::Neutral}});
        QVERIFY(table.columnWidth(0) <= table.viewport()->width() * 60 / 100); // the value keeps its place
        QVERIFY(table.columnWidth(1) >= table.viewport()->width() * 40 / 100);
    }

    void emptyStateOffersItsAction()
    {
        EmptyState state(QStringLiteral("tree"), QStringLiteral("No search"), QStringLiteral("Start one."),
                         QStringLiteral("Start"));
        QVERIFY(test::showSized(&state, 400, 300));
        QSignalSpy triggered(&state, &EmptyState::actionTriggered);
        QVERIFY(state.button()->isVisible());
        QTest::mouseClick(state.button(), Qt::LeftButton);
        QCOMPARE(triggered.count(), 1);
        QTest::keyClick(state.button(), Qt::Key_Space);
        QCOMPARE(triggered.count(), 2);
        state.setAction({});
        QVERIFY(!state.button()->isVisible());
        QCOMPARE(state.accessibleName(), QStringLiteral("No search"));
        QCOMPARE(state.text(), QStringLiteral("Start one."));
    }

    void stackSwitches()
    {
        auto* content = new QPushButton(QStringLiteral("content"));
        auto* empty =
            new EmptyState(QStringLiteral("tree"), QStringLiteral("Nothing"), {}, QStringLiteral("Do"));
        EmptyStateStack stack(content, empty);
        QVERIFY(test::showSized(&stack, 300, 200));
        QVERIFY(!stack.hasContent() && empty->isVisible() && !content->isVisible());
        stack.setHasContent(true);
        QVERIFY(stack.hasContent() && content->isVisible() && !empty->isVisible());
        stack.setHasContent(false);
        QVERIFY(empty->isVisible());
    }

    void glyphsDifferInShape()
    {
        // Painted in one colour, no two kinds give the same picture.
        QVector<QImage> images;
        for (int kind = 0; kind <= static_cast<int>(StatusKind::Error); ++kind) {
            QImage image(32, 32, QImage::Format_ARGB32);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            paintStatusGlyph(&painter, QRectF(0, 0, 32, 32), static_cast<StatusKind>(kind));
            painter.end();
            images.append(image.createAlphaMask());
        }
        for (int i = 0; i < images.size(); ++i) {
            for (int j = i + 1; j < images.size(); ++j)
                QVERIFY2(images[i] != images[j], qPrintable(QStringLiteral("%1 %2").arg(i).arg(j)));
        }
    }

    void statusSaysItsKind()
    {
        StatusLabel label(StatusKind::Good, QStringLiteral("12 checks"));
        QVERIFY(test::showSized(&label, 200, 40));
        QVERIFY(label.accessibleName().contains(QStringLiteral("good")));
        QVERIFY(test::countPixels(test::grabSettled(&label), currentTheme().color(ColorRole::Good), 20) > 5);
        label.setStatus(StatusKind::Error, QStringLiteral("no driver"), QStringLiteral("install it"));
        QCOMPARE(label.text(), QStringLiteral("no driver"));
        QCOMPARE(label.toolTip(), QStringLiteral("install it"));
        QVERIFY(label.accessibleName().contains(QStringLiteral("error")));
        QVERIFY(test::countPixels(test::grabSettled(&label), currentTheme().color(ColorRole::Bad), 20) > 5);
    }

    void valuesChangeInPlace()
    {
        KeyValueTable table;
        QVector<KeyValueRow> rows;
        KeyValueRow heading;
        heading.key = QStringLiteral("Compiled");
        heading.heading = true;
        rows.append(heading);
        for (int i = 0; i < 60; ++i)
            rows.append({QStringLiteral("key %1").arg(i), QString::number(i)});
        rows[2].status = StatusKind::Good;
        table.setRows(rows);
        QVERIFY(test::showSized(&table, 300, 200));
        table.setCurrentItem(table.topLevelItem(40));
        table.verticalScrollBar()->setValue(20);
        QTreeWidgetItem* item = table.topLevelItem(40);
        rows[40].value = QStringLiteral("new");
        table.setRows(rows);
        QCOMPARE(table.topLevelItem(40), item);
        QCOMPARE(item->text(1), QStringLiteral("new"));
        QCOMPARE(table.verticalScrollBar()->value(), 20);
        QVERIFY(item->isSelected());
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("key 39\tnew"));
        QVERIFY(table.topLevelItem(2)
                    ->data(1, Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("good")));
        QVERIFY(table.toText().startsWith(QStringLiteral("Compiled\nkey 0\t0\n")));
        // Other keys: rebuilt.
        table.setRows({{QStringLiteral("a"), QStringLiteral("b")}});
        QCOMPARE(table.topLevelItemCount(), 1);
    }
};

QTEST_MAIN(TestSmallWidgets)
#include "tst_small_widgets.moc"
