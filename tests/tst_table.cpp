// SPDX-License-Identifier: GPL-3.0-or-later
// TableView, TableProxy, copying, column memory, bars in cells.
#include "tests/gui/qt_test_support.h"
#include "widgets/bar_delegate.h"
#include "widgets/table_view.h"
#include "widgets/theme.h"

#include <QClipboard>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTimer>

#include <cmath>
#include <memory>

using namespace foresight;

namespace {

std::unique_ptr<QStandardItemModel> makeModel()
{
    auto model = std::make_unique<QStandardItemModel>(0, 3);
    model->setHorizontalHeaderLabels(
        {QStringLiteral("Name"), QStringLiteral("Time"), QStringLiteral("Note")});
    const auto add = [&model](const QString& shown, const QString& full, double ns, const QString& note) {
        auto* name = new QStandardItem(shown);
        name->setData(full, CopyRole);
        auto* time = new QStandardItem(std::isnan(ns) ? QStringLiteral("–") : QString::number(ns, 'f', 1));
        time->setData(ns, SortRole);
        time->setData(ns, RawRole);
        time->setData(std::isnan(ns) ? 0.0 : ns / 100, BarRole);
        model->appendRow({name, time, new QStandardItem(note)});
    };
    add(QStringLiteral("gemm<…>"), QStringLiteral("gemm<float, 4>"), 100, QStringLiteral("a|b"));
    add(QStringLiteral("norm"), QStringLiteral("norm"), 9, QStringLiteral("say \"hi\", twice"));
    add(QStringLiteral("copy"), QStringLiteral("copy"), double(NAN), QStringLiteral("=1+1"));
    add(QStringLiteral("kernel10"), QStringLiteral("kernel10"), 20, {});
    add(QStringLiteral("kernel9"), QStringLiteral("kernel9"), 30, {});
    return model;
}

QStringList column(const QAbstractItemModel* model, int c)
{
    QStringList list;
    for (int row = 0; row < model->rowCount(); ++row)
        list.append(model->index(row, c).data().toString());
    return list;
}

} // namespace

class TestTable : public QObject
{
    Q_OBJECT
    test::IsolatedSettings m_settings;

private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void numbersSortAsNumbersUnknownLast()
    {
        const auto model = makeModel();
        TableProxy proxy;
        proxy.setSourceModel(model.get());
        proxy.sort(1, Qt::AscendingOrder);
        QCOMPARE(column(&proxy, 0),
                 (QStringList{QStringLiteral("norm"), QStringLiteral("kernel10"), QStringLiteral("kernel9"),
                              QStringLiteral("gemm<…>"), QStringLiteral("copy")}));
        proxy.sort(1, Qt::DescendingOrder);
        QCOMPARE(column(&proxy, 0),
                 (QStringList{QStringLiteral("gemm<…>"), QStringLiteral("kernel9"),
                              QStringLiteral("kernel10"), QStringLiteral("norm"), QStringLiteral("copy")}));
        proxy.sort(0, Qt::AscendingOrder); // 9 before 10
        QCOMPARE(column(&proxy, 0).last(), QStringLiteral("norm"));
        QVERIFY(column(&proxy, 0).indexOf(QStringLiteral("kernel9")) <
                column(&proxy, 0).indexOf(QStringLiteral("kernel10")));
    }

    void filtersOnFullTextOfAllColumns()
    {
        const auto model = makeModel();
        TableProxy proxy;
        proxy.setSourceModel(model.get());
        proxy.setFilterRegularExpression(QStringLiteral("float"));
        QCOMPARE(column(&proxy, 0), QStringList{QStringLiteral("gemm<…>")});
        proxy.setFilterRegularExpression(QStringLiteral("twice"));
        QCOMPARE(column(&proxy, 0), QStringList{QStringLiteral("norm")});
        proxy.setFilterRegularExpression(QString());
        QCOMPARE(proxy.rowCount(), 5);
    }

    void copiesInEveryFormat()
    {
        const auto model = makeModel();
        TableView view;
        view.setModel(model.get());
        const QString csv = view.copyText(CopyFormat::Csv);
        QVERIFY(csv.startsWith(QStringLiteral("Name,Time,Note\n")));
        QVERIFY(csv.contains(QStringLiteral("\"gemm<float, 4>\",100.0,a|b\n")));
        QVERIFY(csv.contains(QStringLiteral("norm,9.0,\"say \"\"hi\"\", twice\"\n")));
        QVERIFY(csv.contains(QStringLiteral("copy,–,'=1+1\n"))); // no spreadsheet may run foreign text
        const QString markdown = view.copyText(CopyFormat::Markdown);
        QVERIFY(markdown.startsWith(QStringLiteral("| Name | Time | Note |\n| --- | ---: | --- |\n")));
        QVERIFY(markdown.contains(QStringLiteral("| gemm&lt;float, 4> | 100.0 | a\\|b |")));
        const QJsonArray json = QJsonDocument::fromJson(view.copyText(CopyFormat::JsonText).toUtf8()).array();
        QCOMPARE(json.size(), 5);
        QCOMPARE(json[0].toObject()[QStringLiteral("Time")].toDouble(), 100.0);
        QVERIFY(json[2].toObject()[QStringLiteral("Time")].isNull());
        QCOMPARE(json[0].toObject()[QStringLiteral("Name")].toString(), QStringLiteral("gemm<float, 4>"));
    }

    void copiesTheSelectionInTheOrderSeen()
    {
        const auto model = makeModel();
        TableProxy proxy;
        proxy.setSourceModel(model.get());
        TableView view;
        view.setModel(&proxy);
        view.sortByColumn(1, Qt::DescendingOrder);
        QVERIFY(test::showSized(&view, 500, 300));
        const auto select = [&](int row) {
            view.selectionModel()->select(proxy.index(row, 0),
                                          QItemSelectionModel::Select | QItemSelectionModel::Rows);
        };
        select(2);
        select(0);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("Name\tTime\tNote\ngemm<float, 4>\t100.0\ta|b\nkernel10\t20.0\t\n"));
        // A hidden column is not copied.
        view.setColumnHidden(2, true);
        QVERIFY(view.copyText(CopyFormat::Csv).startsWith(QStringLiteral("Name,Time\n")));
    }

    void columnsAreRemembered()
    {
        const auto model = makeModel();
        {
            TableView view;
            view.setModel(model.get());
            view.setSettingsKey(QStringLiteral("operators"));
            QVERIFY(test::showSized(&view, 600, 300));
            view.header()->resizeSection(0, 233);
            view.setColumnHidden(1, true);
            view.header()->moveSection(2, 0);
        }
        TableView view;
        view.setModel(model.get());
        view.setSettingsKey(QStringLiteral("operators"));
        QCOMPARE(view.header()->sectionSize(0), 233);
        QVERIFY(view.isColumnHidden(1));
        QCOMPARE(view.header()->logicalIndex(0), 2);
        view.resetColumns();
        QVERIFY(!view.isColumnHidden(1));
        QCOMPARE(view.header()->logicalIndex(0), 0);
    }

    void otherColumnsAreNotRestored()
    {
        const auto model = makeModel();
        {
            TableView view;
            view.setModel(model.get());
            view.setSettingsKey(QStringLiteral("changed"));
            view.setColumnHidden(0, true);
        }
        model->setColumnCount(4);
        TableView view;
        view.setModel(model.get());
        view.setSettingsKey(QStringLiteral("changed"));
        QVERIFY(!view.isColumnHidden(0));
    }

    // Right click: the view's own actions come first, then copy and columns; choosing a column hides it.
    void contextMenuHidesAColumn()
    {
        const auto model = makeModel();
        TableView view;
        view.setModel(model.get());
        QVERIFY(test::showSized(&view, 500, 300));
        connect(&view, &TableView::contextMenuAboutToShow, &view, [](QMenu* menu, const QModelIndex& index) {
            menu->addAction(QStringLiteral("search %1").arg(index.data().toString()));
        });
        QStringList texts;
        QTimer::singleShot(100, &view, [&] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu);
            for (QAction* action : menu->actions()) {
                texts.append(action->text());
                if (action->menu() && action->text() == QStringLiteral("Columns"))
                    action->menu()->actions().at(1)->trigger();
            }
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, view.visualRect(model->index(1, 0)).center(),
                                view.mapToGlobal(view.visualRect(model->index(1, 0)).center()));
        QCoreApplication::sendEvent(view.viewport(), &event);
        QCOMPARE(texts.first(), QStringLiteral("search norm"));
        QVERIFY(texts.contains(QStringLiteral("Copy Cell")));
        QVERIFY(view.isColumnHidden(1));
    }

    void barsFillTheirShare()
    {
        const auto model = makeModel();
        TableView view;
        view.setModel(model.get());
        view.setItemDelegateForColumn(1, new BarDelegate(&view));
        view.header()->resizeSection(1, 200);
        QVERIFY(test::showSized(&view, 600, 300));
        const QImage image = test::grabSettled(view.viewport());
        const auto line = [&](int row) {
            const QRect cell = view.visualRect(model->index(row, 1));
            return test::countPixels(image.copy(cell), currentTheme().color(ColorRole::Bar)) / 2;
        };
        // Two pixel rows of the bar's width; the cell is 200 wide with 2 pixels left on each side.
        QVERIFY2(std::abs(line(0) - 196) <= 4, qPrintable(QString::number(line(0))));
        QVERIFY2(std::abs(line(4) - 59) <= 3, qPrintable(QString::number(line(4))));
        QCOMPARE(line(2), 0);
    }

    void hundredThousandRows()
    {
        QStandardItemModel model(100000, 2);
        for (int row = 0; row < 100000; row += 1000)
            model.setItem(row, 0, new QStandardItem(QString::number(row)));
        TableView view;
        view.setModel(&model);
        QVERIFY(test::showSized(&view, 400, 300));
        view.scrollTo(model.index(99999, 0));
        test::grabSettled(&view);
        QVERIFY(view.uniformRowHeights());
    }
};

QTEST_MAIN(TestTable)
#include "tst_table.moc"
