// SPDX-License-Identifier: Apache-2.0
// The main job by hand: open a shipped session, search its top operator to the verdict; layout saved and restored; errors
// said and survived. Pausing and resuming is in tst_search_controls.
#include <QTest>

#include "tests/gui/window_test.h"

#include "app/main_window.h"
#include "app/notice_bar.h"
#include "app/report.h"
#include "app/settings.h"
#include "views/operators/operators_view.h"
#include "views/search_tree/search_tree_view.h"
#include "views/start/start_page.h"
#include "widgets/tree_canvas.h"

#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QSignalSpy>
#include <QSpinBox>

using namespace foresight;

class TestMainWindow : public QObject {
    Q_OBJECT

    test::WindowHome m_home;

private slots:
    void initTestCase()
    {
        m_home.install();
    }

    void init() { test::failOnQtWarnings(); }

    void startPageOffersTheShippedSessions()
    {
        MainWindow window;
        QVERIFY(test::showSized(&window, 1300, 900));
        auto* start = window.findChild<StartPage*>();
        QVERIFY(start && start->isVisible());
        const auto buttons = start->findChildren<QAbstractButton*>();
        QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](QAbstractButton* b) { return b->text().contains(QStringLiteral("qwen_prefill")); }));
    }

    void searchesFromStartToVerdict()
    {
        const QString path = m_home.writableCopy(QStringLiteral("job.fsight"));
        MainWindow window;
        QVERIFY(test::showSized(&window, 1500, 950));
        QSignalSpy opened(&window, &MainWindow::sessionOpened);
        QSignalSpy ended(&window.searchController(), &SearchController::ended);
        window.openSession(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 20000);
        QVERIFY(window.session().topSearchable().valid());
        window.findChild<QSpinBox*>()->setValue(25);
        window.startSearch(window.session().topSearchable());
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 60000);
        QVERIFY(ended.first().first().toBool());
        QCOMPARE(window.search().phase(), SearchState::Phase::Finished);
        const TreeCounts& counts = window.search().tree().counts();
        QCOMPARE(counts.measured + counts.failed, std::int64_t(25));
        QCOMPARE(window.session().session().verdicts.size(), std::size_t(1));
        auto* tree = window.findChild<SearchTreeView*>();
        QTRY_COMPARE(tree->canvas()->nodeCount(), static_cast<int>(window.search().tree().nodes().size()));

        // The same log is in the file: another window shows the same tree and the verdict.
        MainWindow again;
        QSignalSpy openedAgain(&again, &MainWindow::sessionOpened);
        again.openSession(path);
        QTRY_COMPARE_WITH_TIMEOUT(openedAgain.count(), 1, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(again.search().tree().nodes().size(), window.search().tree().nodes().size(), 20000);
        QCOMPARE(canonicalLogHash(again.search().events()), canonicalLogHash(window.search().events()));
        QCOMPARE(again.session().session().verdicts.size(), std::size_t(1));
        // What the space would have given is looked up again.
        QTRY_COMPARE_WITH_TIMEOUT(again.search().info().exactRandom.size(), window.search().info().exactRandom.size(), 20000);
        QVERIFY(!window.search().info().exactRandom.empty());
        QCOMPARE(again.search().info().optimumLog2, window.search().info().optimumLog2);
    }

    void badFilesAreSaid()
    {
        MainWindow window;
        QVERIFY(test::showSized(&window, 1200, 800));
        QFile bad(m_home.filePath(QStringLiteral("bad.fsight")));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("this is no database");
        bad.close();
        QSignalSpy failed(&window, &MainWindow::sessionFailed);
        window.openSession(bad.fileName());
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 20000);
        auto* notice = window.findChild<NoticeBar*>();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("bad.fsight")));
        window.openSession(m_home.filePath(QStringLiteral("absent.fsight")));
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, 20000);
    }

    void layoutIsSavedRestoredAndReset()
    {
        const QString path = m_home.writableCopy(QStringLiteral("layout.fsight"));
        MainWindow window;
        QVERIFY(test::showSized(&window, 1500, 950));
        QSignalSpy opened(&window, &MainWindow::sessionOpened);
        window.openSession(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 20000);
        QDockWidget* guard = window.docks().dock(QStringLiteral("guard"));
        QVERIFY(guard->isVisibleTo(&window));
        guard->hide();
        window.docks().save(QStringLiteral("mine"));
        window.docks().applyDefault();
        QVERIFY(guard->isVisibleTo(&window));
        QVERIFY(window.docks().restore(QStringLiteral("mine")));
        QVERIFY(!guard->isVisibleTo(&window));
        QVERIFY(!window.docks().restore(QStringLiteral("nothing of this name")));
    }

    void everyPanelHasAnAccessibleName()
    {
        MainWindow window;
        for (QDockWidget* dock : window.docks().docks())
            QVERIFY(!dock->accessibleName().isEmpty());
    }

    void reportEscapesAndHasPictures()
    {
        const QString path = m_home.writableCopy(QStringLiteral("report.fsight"));
        MainWindow window;
        QVERIFY(test::showSized(&window, 1500, 950));
        QSignalSpy opened(&window, &MainWindow::sessionOpened);
        window.openSession(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 20000);
        const QString folder = m_home.filePath(QStringLiteral("report"));
        const auto written = writeReport(window, folder);
        QVERIFY2(written.ok(), written ? "" : written.error().toString().c_str());
        QFile file(*written);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString html = QString::fromUtf8(file.readAll());
        QVERIFY(html.contains(QStringLiteral("native_group_norm")) || html.contains(QStringLiteral("Qwen3RMSNorm")));
        for (QDockWidget* dock : window.docks().docks())
            QVERIFY(QFile::exists(folder + QLatin1Char('/') + dock->objectName() + QStringLiteral(".png")));
    }
};

FORESIGHT_GUI_TEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
