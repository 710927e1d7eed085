// SPDX-License-Identifier: Apache-2.0
// The controls of a running search: pause, step, close in mid-search, resume in another window; nothing is lost.
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

class TestSearchControls : public QObject {
    Q_OBJECT

    test::WindowHome m_home;

private slots:
    void initTestCase()
    {
        m_home.install();
    }

    void init() { test::failOnQtWarnings(); }

    void pausesStepsStopsAndResumes()
    {
        const QString path = m_home.writableCopy(QStringLiteral("pause.fsight"));
        MainWindow window;
        QVERIFY(test::showSized(&window, 1500, 950));
        QSignalSpy opened(&window, &MainWindow::sessionOpened);
        window.openSession(path);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 20000);
        window.findChild<QSpinBox*>()->setValue(40);
        window.searchController().setPace(0.02);
        window.startSearch(window.session().topSearchable());
        QTRY_VERIFY_WITH_TIMEOUT(window.search().tree().counts().measured >= 3, 30000);
        window.searchController().pause();
        QTRY_COMPARE_WITH_TIMEOUT(window.search().phase(), SearchState::Phase::Paused, 20000);
        const auto expansions = window.search().tree().counts().expansions;
        window.searchController().stepExpansion();
        QTRY_VERIFY_WITH_TIMEOUT(window.search().tree().counts().expansions > expansions || window.search().tree().counts().measured > 3, 20000);
        // Closing in mid-search interrupts it; nothing is lost.
        window.searchController().stopAndWait();
        QCOMPARE(window.search().phase(), SearchState::Phase::Interrupted);

        MainWindow again;
        QVERIFY(test::showSized(&again, 1500, 950));
        QSignalSpy openedAgain(&again, &MainWindow::sessionOpened);
        again.openSession(path);
        QTRY_COMPARE_WITH_TIMEOUT(openedAgain.count(), 1, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(again.search().phase(), SearchState::Phase::Interrupted, 20000);
        auto* notice = again.findChild<NoticeBar*>();
        QVERIFY(notice->isVisible());
        QSignalSpy ended(&again.searchController(), &SearchController::ended);
        again.searchController().resumeStored();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 60000);
        const TreeCounts& counts = again.search().tree().counts();
        QCOMPARE(counts.measured + counts.failed, std::int64_t(40));
    }
};

FORESIGHT_GUI_TEST_MAIN(TestSearchControls)
#include "tst_search_controls.moc"
