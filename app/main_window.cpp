// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/main_window.h"

#include "app/capabilities.h"
#include "app/notice_bar.h"
#include "app/settings.h"
#include "views/calibration/calibration_view.h"
#include "views/forecasts/forecasts_view.h"
#include "views/guard/guard_view.h"
#include "views/node/node_view.h"
#include "views/operators/operators_view.h"
#include "views/recovered/recovered_view.h"
#include "views/search_tree/search_tree_view.h"
#include "views/start/start_page.h"
#include "widgets/elided_label.h"
#include "widgets/number_format.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QScreen>
#include <QSpinBox>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include <utility>

namespace foresight {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_searchController(m_session, m_search)
{
    setWindowIcon(QIcon(QStringLiteral(":/icons/foresight.svg")));
    setAcceptDrops(true);
    const QSize available = screen() ? screen()->availableSize() : QSize(1440, 900);
    resize(available.boundedTo(QSize(1500, 940)));
    createPanels();
    createActions();
    createNotice();
    createStatusBar();
    connectControllers();
    m_layoutRestored = m_docks->restore();
    showStart();
    updateRunState();
    updateTitle();
}

MainWindow::~MainWindow()
{
    m_searchController.stopAndWait();
}

void MainWindow::createPanels()
{
    m_docks = new DockManager(*this);
    m_start = new StartPage(this);
    setCentralWidget(m_start);

    m_operators = new OperatorsView(m_session, m_selection, this);
    m_tree = new SearchTreeView(m_search, m_selection, this);
    m_node = new NodeView(m_search, m_selection, this);
    m_forecasts = new ForecastsView(m_search, m_selection, this);
    m_calibration = new CalibrationView(m_search, this);
    m_recovered = new RecoveredView(m_search, this);
    m_guard = new GuardView(m_session, m_selection, this);
    using Place = DockManager::Place;
    m_docks->addPanel(QStringLiteral("operators"), tr("Operators"), m_operators, Place::Left);
    m_docks->addPanel(QStringLiteral("tree"), tr("Search tree"), m_tree, Place::Centre);
    m_docks->addPanel(QStringLiteral("node"), tr("Node"), m_node, Place::Right);
    m_docks->addPanel(QStringLiteral("forecasts"), tr("Forecasts"), m_forecasts, Place::BottomLeft);
    m_docks->addPanel(QStringLiteral("calibration"), tr("Calibration"), m_calibration, Place::BottomLeft);
    m_docks->addPanel(QStringLiteral("recovered"), tr("Recovered speedup"), m_recovered, Place::BottomRight);
    m_docks->addPanel(QStringLiteral("guard"), tr("Guard"), m_guard, Place::BottomRight);
}

// Above the panels, in a bar of its own that is only there while there is something to say.
void MainWindow::createNotice()
{
    addToolBarBreak(Qt::TopToolBarArea);
    auto* bar = addToolBar(tr("Notice"));
    bar->setObjectName(QStringLiteral("noticeBar"));
    bar->setMovable(false);
    bar->toggleViewAction()->setVisible(false);
    m_notice = new NoticeBar(bar);
    bar->addWidget(m_notice);
    bar->hide();
    connect(m_notice, &NoticeBar::shownChanged, bar, &QToolBar::setVisible);
}

void MainWindow::createStatusBar()
{
    m_stateLabel = new ElidedLabel(this);
    m_profileLabel = new ElidedLabel(this);
    m_gpuLabel = new ElidedLabel(this);
    statusBar()->addWidget(m_stateLabel, 1);
    statusBar()->addPermanentWidget(m_profileLabel);
    statusBar()->addPermanentWidget(m_gpuLabel);
}

void MainWindow::connectControllers()
{
    connect(m_start, &StartPage::openFile, this, &MainWindow::openSession);
    connect(m_start, &StartPage::openDialog, this, &MainWindow::chooseSession);
    connect(m_operators, &OperatorsView::openRequested, this, &MainWindow::chooseSession);
    connect(m_operators, &OperatorsView::searchRequested, this, &MainWindow::startSearch);
    connect(m_tree, &SearchTreeView::searchRequested, this, [this] { startSearch(m_session.topSearchable()); });
    connect(&m_loader, &SessionLoader::opened, this, &MainWindow::showSession);
    connect(&m_loader, &SessionLoader::failed, this, [this](const QString& path, const Error& error) {
        const QString text = tr("%1 could not be opened: %2").arg(QFileInfo(path).fileName(), QString::fromStdString(error.toString()));
        m_notice->showNotice(StatusKind::Error, text);
        updateRunState(); // nothing is being opened any more
        emit sessionFailed(text);
    });
    connect(&m_loader, &SessionLoader::eventsRead, this, [this](std::int64_t, const std::vector<EventRow>& events) { showInterrupted(events); });
    connect(&m_search, &SearchState::phaseChanged, this, &MainWindow::updateRunState);
    connect(&m_search, &SearchState::eventsApplied, this, &MainWindow::updateRunState);
    connect(&m_search, &SearchState::eventsApplied, this, [this] {
        // Follow the incumbent until somebody picks a node by hand.
        const auto incumbent = m_search.tree().incumbent();
        if (incumbent && (!m_selection.node().valid() || m_selection.node() == m_followed)) {
            m_followed = *incumbent;
            m_selection.setNode(*incumbent);
        }
    });
    connect(&m_search, &SearchState::searchReset, this, [this] {
        m_followed = {};
        m_selection.setNode({});
    });
    connect(&m_selection, &SelectionHub::operatorChanged, this, &MainWindow::updateRunState);
    connect(&m_session, &SessionState::operatorChanged, this, &MainWindow::updateRunState);
    connect(&m_searchController, &SearchController::workingCopyMade, this, [this](const QString& path) {
        Settings::addRecentFile(path);
        m_notice->showNotice(StatusKind::Info, tr("The session is read-only; the search is kept in a working copy: %1").arg(path));
        updateTitle();
    });
    connect(&m_searchController, &SearchController::failed, this, [this](const Error& error) {
        m_notice->showNotice(StatusKind::Error, QString::fromStdString(error.toString()));
    });
    m_node->setSourceProvider([this](const ProposedPayload& candidate, NodeView::SourceDone done) {
        m_searchController.requestSource(candidate, std::move(done));
    });
}

void MainWindow::showStart()
{
    m_start->setRecent(Settings::recentFiles());
    m_start->setShipped(shippedSessions());
    m_start->setCapabilities(machineCapabilities());
    m_start->show();
    m_docks->setAllVisible(false);
}

void MainWindow::chooseSession()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a session"), {}, tr("Foresight sessions (*.fsight)"));
    if (!path.isEmpty())
        openSession(path);
}

void MainWindow::openSession(const QString& path)
{
    m_searchController.stopAndWait();
    m_notice->dismiss();
    m_stateLabel->setText(tr("Opening %1…").arg(QFileInfo(path).fileName()));
    m_loader.open(QFileInfo(path).absoluteFilePath());
}

void MainWindow::searchTopWhenOpen(int measurements)
{
    m_searchTopMeasurements = measurements;
}

void MainWindow::resumeWhenOpen()
{
    m_resumeWhenOpen = true;
}

void MainWindow::showSession(const LoadedSession& loaded)
{
    Settings::addRecentFile(loaded.path);
    m_search.clear();
    m_selection.setNode({});
    m_start->hide();
    if (m_layoutRestored && m_docks->restore()) {
        // as the user left it
    } else {
        m_docks->applyDefault();
        m_layoutRestored = false;
    }
    // The panels first, then what they show: each is a short turn of the event loop.
    m_opened = loaded;
    QTimer::singleShot(0, this, &MainWindow::fillPanels);
}

void MainWindow::fillPanels()
{
    if (!m_opened)
        return; // another session came between
    const LoadedSession loaded = *std::exchange(m_opened, std::nullopt);
    m_session.setSession(loaded);
    if (loaded.profile) {
        m_gpuLabel->setText(QString::fromStdString(loaded.profile->gpuName));
        const ProfileRecords& records = loaded.profile->records;
        m_profileLabel->setText(records.dropped > 0 ? tr("%n record(s) dropped", nullptr, static_cast<int>(records.dropped)) : QString());
    }
    updateTitle();
    emit sessionOpened();
    if (m_searchTopMeasurements > 0) {
        m_budget->setValue(m_searchTopMeasurements);
        m_searchTopMeasurements = 0;
        QTimer::singleShot(0, this, [this] { startSearch(m_session.topSearchable()); }); // the panels first
    } else if (!loaded.searches.empty()) {
        m_loader.readEvents(loaded.path, loaded.searches.back().id);
    } else if (m_resumeWhenOpen) {
        refuseResume();
    }
    updateRunState();
}

// The latest search of a session that was opened: shown as it was left, resumable when it did not end.
void MainWindow::showInterrupted(const std::vector<EventRow>& events)
{
    if (m_session.session().searches.empty() || events.empty())
        return;
    const SearchRecord record = m_session.session().searches.back();
    m_searchController.showStored(record, events);
    if (m_search.phase() != SearchState::Phase::Interrupted) {
        if (m_resumeWhenOpen)
            refuseResume();
        return;
    }
    if (m_resumeWhenOpen) {
        m_resumeWhenOpen = false;
        m_searchController.resumeStored();
        return;
    }
    const auto& counts = m_search.tree().counts();
    m_notice->showNotice(StatusKind::Warning,
                         tr("The search of %1 was interrupted after %n measurement(s). Nothing is lost.", nullptr, static_cast<int>(counts.measured + counts.failed))
                             .arg(QString::fromStdString(record.operatorName)),
                         tr("Resume"), [this] { m_searchController.resumeStored(); });
}

void MainWindow::refuseResume()
{
    m_resumeWhenOpen = false;
    const QString text = tr("There is nothing to resume: this session has no interrupted search.");
    m_notice->showNotice(StatusKind::Warning, text);
    emit nothingToResume(text);
}

void MainWindow::setPace(double secondsPerMeasurement)
{
    int index = m_pace->findData(secondsPerMeasurement);
    if (index < 0) {
        m_pace->addItem(tr("%1 per second").arg(QLocale().toString(1 / secondsPerMeasurement, 'g', 3)), secondsPerMeasurement);
        index = m_pace->count() - 1;
    }
    m_pace->setCurrentIndex(index);
}

void MainWindow::startSearch(OperatorId id)
{
    if (!id.valid()) {
        m_notice->showNotice(StatusKind::Warning, tr("No operator of this session can be searched here: none matches a kernel family with recorded measurements, and there is no GPU."));
        return;
    }
    m_selection.setOperator(id);
    m_docks->raise(QStringLiteral("tree"));
    Settings::setMeasurementBudget(m_budget->value());
    m_searchController.start(id, m_budget->value());
}

void MainWindow::updateTitle()
{
    const QString path = m_session.session().path;
    setWindowTitle(path.isEmpty() ? tr("Foresight") : tr("%1 – Foresight").arg(QFileInfo(path).fileName()));
    setWindowFilePath(path);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_searchController.stopAndWait();
    if (m_session.isOpen())
        m_docks->save();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    openSession(event->mimeData()->urls().first().toLocalFile());
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_stateLabel)
        updateRunState();
}

} // namespace foresight
