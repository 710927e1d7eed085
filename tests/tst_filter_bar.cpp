// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_support.h"
#include "widgets/filter_bar.h"
#include "widgets/table_view.h"
#include "widgets/theme.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QToolButton>

using namespace foresight;

namespace {

QStringList labelTexts(const QWidget& bar)
{
    QStringList texts;
    for (const QLabel* label : bar.findChildren<QLabel*>()) {
        if (label->isVisible())
            texts.append(label->text());
    }
    return texts;
}

} // namespace

class TestFilterBar : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        ThemeManager::instance().install();
        ThemeManager::instance().setMode(ThemeMode::Light);
    }
    void init() { test::failOnQtWarnings(); }

    void typingFiltersAfterAPauseReturnAtOnce()
    {
        FilterBar bar;
        QVERIFY(test::showSized(&bar, 400, 60));
        QSignalSpy changed(&bar, &FilterBar::filterChanged);
        QTest::keyClicks(bar.lineEdit(), QStringLiteral("norm"));
        QCOMPARE(changed.count(), 0);
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(bar.expression().pattern(), QStringLiteral("norm"));
        QTest::keyClicks(bar.lineEdit(), QStringLiteral("2"));
        QTest::keyClick(bar.lineEdit(), Qt::Key_Return);
        QCOMPARE(changed.count(), 2);
        QTest::keyClick(bar.lineEdit(), Qt::Key_Return); // nothing new
        QCOMPARE(changed.count(), 2);
        QTest::keyClick(&bar, Qt::Key_Escape);
        QCOMPARE(bar.text(), QString());
        QCOMPARE(changed.count(), 3);
    }

    void plainTextIsNoExpression()
    {
        FilterBar bar;
        bar.setText(QStringLiteral("f(x) [1,2]*"));
        QVERIFY(bar.isValid());
        QVERIFY(bar.expression().match(QStringLiteral("call F(X) [1,2]* here")).hasMatch());
        bar.setCaseSensitive(true);
        QVERIFY(!bar.expression().match(QStringLiteral("call F(X) [1,2]* here")).hasMatch());
    }

    void wrongExpressionSaysWhyAndKeepsTheLast()
    {
        FilterBar bar;
        QVERIFY(test::showSized(&bar, 500, 80));
        bar.setRegexMode(true);
        bar.setText(QStringLiteral("norm|softmax"));
        QSignalSpy changed(&bar, &FilterBar::filterChanged);
        bar.setText(QStringLiteral("norm("));
        QVERIFY(!bar.isValid());
        QCOMPARE(changed.count(), 0);
        QCOMPARE(bar.expression().pattern(), QStringLiteral("norm|softmax"));
        QVERIFY(labelTexts(bar).join(QLatin1Char(' ')).contains(bar.errorText()));
        QCOMPARE(bar.lineEdit()->palette().color(QPalette::Text), currentTheme().color(ColorRole::Bad));
        bar.setText(QStringLiteral("norm()"));
        QVERIFY(bar.isValid());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(bar.lineEdit()->palette().color(QPalette::Text), currentTheme().color(ColorRole::Text));
    }

    void countsRowsOfItsProxy()
    {
        QStandardItemModel model;
        for (const char* name : {"group_norm", "softmax", "rms_norm"})
            model.appendRow(new QStandardItem(QLatin1String(name)));
        TableProxy proxy;
        proxy.setSourceModel(&model);
        FilterBar bar;
        QVERIFY(test::showSized(&bar, 400, 60));
        bar.setProxy(&proxy);
        QVERIFY(labelTexts(bar).contains(QStringLiteral("3 of 3")));
        bar.setText(QStringLiteral("NORM"));
        QCOMPARE(proxy.rowCount(), 2);
        QVERIFY(labelTexts(bar).contains(QStringLiteral("2 of 3")));
        model.appendRow(new QStandardItem(QStringLiteral("layer_norm")));
        QTRY_VERIFY(labelTexts(bar).contains(QStringLiteral("3 of 4")));
        model.removeRow(1);
        QTRY_VERIFY(labelTexts(bar).contains(QStringLiteral("3 of 3")));
    }

    void recursiveCountsAllLevels()
    {
        QStandardItemModel model;
        auto* group = new QStandardItem(QStringLiteral("encoder"));
        group->appendRow(new QStandardItem(QStringLiteral("norm")));
        group->appendRow(new QStandardItem(QStringLiteral("linear")));
        model.appendRow(group);
        TableProxy proxy;
        proxy.setRecursiveFilteringEnabled(true);
        proxy.setSourceModel(&model);
        FilterBar bar;
        QVERIFY(test::showSized(&bar, 400, 60));
        bar.setProxy(&proxy);
        bar.setText(QStringLiteral("linear"));
        QVERIFY(labelTexts(bar).contains(QStringLiteral("2 of 3")));
    }

    void buttonsAreReachedByTab()
    {
        FilterBar bar;
        QVERIFY(test::showSized(&bar, 400, 60));
        bar.activateWindow();
        bar.lineEdit()->setFocus();
        QTRY_VERIFY(bar.lineEdit()->hasFocus());
        QTest::keyClick(bar.lineEdit(), Qt::Key_Tab);
        auto* button = qobject_cast<QToolButton*>(QApplication::focusWidget());
        QVERIFY(button);
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(bar.regexMode());
        QVERIFY(!button->accessibleName().isEmpty());
    }
};

QTEST_MAIN(TestFilterBar)
#include "tst_filter_bar.moc"
