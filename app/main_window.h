// SPDX-License-Identifier: GPL-3.0-or-later
// The window: docks, menus, status bar. It connects panels, state and controllers and decides nothing itself. Shutdown
// order: stop the search, close the session, then the window.
#pragma once

#include "app/dock_manager.h"
#include "app/search_controller.h"
#include "app/session_loader.h"
#include "views/common/search_state.h"
#include "views/common/selection_hub.h"
#include "views/common/session_state.h"

#include <QMainWindow>

#include <optional>

class QComboBox;
class QLabel;
class QSpinBox;
class QStackedWidget;

namespace foresight {

class CalibrationView;
class ForecastsView;
class GuardView;
class LazyPanel;
class NodeView;
class NoticeBar;
class OperatorsView;
class RecoveredView;
class SearchTreeView;
class StartPage;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    void openSession(const QString& path);
    // After the session is open: starts a search on the searchable operator with the largest headroom.
    void searchTopWhenOpen(int measurements);
    // After the session is open: goes on with its last search.
    void resumeWhenOpen();
    void startSearch(OperatorId id);
    // Of searches over recorded measurements, at least; 0: as fast as it goes.
    void setPace(double secondsPerMeasurement);

    SessionState& session() { return m_session; }
    SearchState& search() { return m_search; }
    SelectionHub& selection() { return m_selection; }
    SearchController& searchController() { return m_searchController; }
    DockManager& docks() { return *m_docks; }

signals:
    void sessionOpened();
    void sessionFailed(const QString& message);
    void nothingToResume(const QString& message);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createPanels();
    void createActions(); // main_actions.cpp
    void createSearchActions();
    void createViewMenu();
    void createHelpMenu();
    void createNotice();
    void createStatusBar();
    void connectControllers();

    void chooseSession();
    void saveSessionAs();
    void exportReport();
    void showSession(const LoadedSession& loaded);
    void fillPanels();
    void showStart();
    void refuseResume();
    void showInterrupted(const std::vector<EventRow>& events);
    void fillRecentMenu(QMenu& menu);
    void updateRunState();
    void updateTitle();
    void showShortcuts();
    static QString gpuText(const SearchInfo& info);

    SessionState m_session;
    SearchState m_search;
    SelectionHub m_selection;
    SessionLoader m_loader;
    SearchController m_searchController;

    DockManager* m_docks = nullptr;
    StartPage* m_start = nullptr;
    NoticeBar* m_notice = nullptr;
    OperatorsView* m_operators = nullptr;
    SearchTreeView* m_tree = nullptr;
    NodeView* m_node = nullptr;
    ForecastsView* m_forecasts = nullptr;
    CalibrationView* m_calibration = nullptr;
    RecoveredView* m_recovered = nullptr;
    GuardView* m_guard = nullptr;

    struct {
        QAction *run, *pause, *stepExpansion, *stepEvent, *stop, *resume;
    } m_actions{};
    QSpinBox* m_budget = nullptr;
    QComboBox* m_reference = nullptr;
    QComboBox* m_pace = nullptr;
    QLabel* m_stateLabel = nullptr;
    QLabel* m_gpuLabel = nullptr;
    QLabel* m_profileLabel = nullptr;
    NodeId m_followed; // the incumbent selected by us
    int m_searchTopMeasurements = 0; // > 0: start as soon as the session is open
    bool m_resumeWhenOpen = false;
    std::optional<LoadedSession> m_opened; // panels are there, not yet filled
    bool m_layoutRestored = false;
};

} // namespace foresight
