// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, tool bar and shortcuts of the main window.
#include "app/main_window.h"

#include "app/language.h"
#include "app/notice_bar.h"
#include "app/report.h"
#include "app/settings.h"
#include "core/base/version.h"
#include "views/search_tree/search_tree_view.h"
#include "widgets/number_format.h"
#include "widgets/theme.h"

#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QDesktopServices>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableWidget>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>

#include <cmath>

namespace foresight {

void MainWindow::createActions()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(themedIcon(QStringLiteral("open")), tr("&Open…"), QKeySequence::Open, this, &MainWindow::chooseSession);
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(*recent); });
    QMenu* shipped = file->addMenu(tr("Recorded &sessions"));
    connect(shipped, &QMenu::aboutToShow, this, [this, shipped] {
        shipped->clear();
        for (const QString& path : shippedSessions())
            shipped->addAction(QFileInfo(path).completeBaseName(), this, [this, path] { openSession(path); });
    });
    file->addSeparator();
    file->addAction(tr("Save &as…"), QKeySequence::SaveAs, this, &MainWindow::saveSessionAs);
    file->addAction(tr("Export &report…"), this, &MainWindow::exportReport);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

    createSearchActions();
    createViewMenu();
    createHelpMenu();
}

void MainWindow::createSearchActions()
{
    QMenu* menu = menuBar()->addMenu(tr("&Search"));
    const auto add = [&](const char* icon, const QString& text, const QKeySequence& key, auto slot) {
        QAction* action = menu->addAction(themedIcon(QLatin1String(icon)), text, key, this, slot);
        action->setToolTip(QStringLiteral("%1 (%2)").arg(QString(text).remove(QLatin1Char('&')), key.toString(QKeySequence::NativeText)));
        return action;
    };
    m_actions.run = add("run", tr("&Run"), Qt::Key_F5, [this] {
        if (m_search.phase() == SearchState::Phase::Paused)
            m_searchController.resume();
        else
            startSearch(m_selection.operatorId().valid() ? m_selection.operatorId() : m_session.topSearchable());
    });
    m_actions.pause = add("pause", tr("&Pause"), Qt::Key_F6, [this] { m_searchController.pause(); });
    m_actions.stepExpansion = add("step", tr("Step one &expansion"), Qt::Key_F10, [this] { m_searchController.stepExpansion(); });
    m_actions.stepEvent = add("next", tr("Step one e&vent"), Qt::Key_F11, [this] { m_searchController.stepEvent(); });
    m_actions.stop = add("stop", tr("S&top"), Qt::SHIFT | Qt::Key_F5, [this] { m_searchController.finish(); });
    menu->addSeparator();
    m_actions.resume = menu->addAction(tr("Resume &interrupted search"), this, [this] {
        m_notice->dismiss();
        m_searchController.resumeStored();
    });

    m_budget = new QSpinBox(this);
    m_budget->setRange(1, 100000);
    m_budget->setValue(Settings::measurementBudget());
    m_budget->setSuffix(tr(" measurements"));
    m_budget->setToolTip(tr("Budget of the next search"));
    m_budget->setAccessibleName(tr("Budget of the next search, in measurements"));
    QToolBar* bar = addToolBar(tr("Search"));
    bar->setObjectName(QStringLiteral("searchToolBar"));
    bar->setIconSize(QSize(18, 18));
    bar->addActions({m_actions.run, m_actions.pause, m_actions.stepExpansion, m_actions.stepEvent, m_actions.stop});
    bar->addSeparator();
    bar->addWidget(m_budget);
    m_pace = new QComboBox(this);
    m_pace->addItem(tr("Full speed"), 0.0);
    m_pace->addItem(tr("10 per second"), 0.1);
    m_pace->addItem(tr("2 per second"), 0.5);
    m_pace->setToolTip(tr("How fast a search over recorded measurements runs, so that it can be watched"));
    m_pace->setAccessibleName(tr("Pace of recorded searches"));
    connect(m_pace, &QComboBox::currentIndexChanged, this, [this] { m_searchController.setPace(m_pace->currentData().toDouble()); });
    bar->addWidget(m_pace);
    bar->addSeparator();
    auto* over = new QLabel(tr("Speedups over"), this);
    m_reference = new QComboBox(this);
    m_reference->addItem(tr("baseline"), static_cast<int>(SearchState::Reference::Baseline));
    m_reference->addItem(tr("family default"), static_cast<int>(SearchState::Reference::Anchor));
    m_reference->setToolTip(tr("What the speedups in tree, forecasts and calibration are relative to. Verdicts are always over the baseline."));
    over->setBuddy(m_reference);
    connect(m_reference, &QComboBox::activated, this, [this] { m_search.setReference(static_cast<SearchState::Reference>(m_reference->currentData().toInt())); });
    connect(&m_search, &SearchState::referenceChanged, this, [this] { m_reference->setCurrentIndex(m_reference->findData(static_cast<int>(m_search.reference()))); });
    bar->addWidget(over);
    bar->addWidget(m_reference);
}

void MainWindow::createViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    QMenu* panels = view->addMenu(tr("&Panels"));
    m_docks->fillMenu(*panels);
    QMenu* layouts = view->addMenu(tr("&Layouts"));
    connect(layouts, &QMenu::aboutToShow, this, [this, layouts] {
        layouts->clear();
        for (const QString& name : Settings::layoutNames())
            layouts->addAction(name, this, [this, name] { m_docks->restore(name); });
        layouts->addSeparator();
        layouts->addAction(tr("&Save this layout…"), this, [this] {
            const QString name = QInputDialog::getText(this, tr("Save layout"), tr("Name:")).trimmed();
            if (!name.isEmpty() && !name.contains(QLatin1Char('/')))
                m_docks->save(name);
        });
        layouts->addAction(tr("&Reset to the default"), this, [this] { m_docks->applyDefault(); });
    });
    view->addSeparator();

    QMenu* themes = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    using Choice = Settings::ThemeChoice;
    for (const auto& [text, choice, mode] : {std::tuple{tr("Follow the &system"), Choice::System, ThemeMode::System},
                                             std::tuple{tr("&Light"), Choice::Light, ThemeMode::Light},
                                             std::tuple{tr("&Dark"), Choice::Dark, ThemeMode::Dark}}) {
        QAction* action = themes->addAction(text, this, [choice = choice, mode = mode] {
            Settings::setTheme(choice);
            ThemeManager::instance().setMode(mode);
        });
        action->setCheckable(true);
        action->setChecked(ThemeManager::instance().mode() == mode);
        group->addAction(action);
    }
    QMenu* languages = view->addMenu(tr("L&anguage"));
    auto* languageGroup = new QActionGroup(this);
    for (const LanguageInfo& language : availableLanguages()) {
        QAction* action = languages->addAction(language.name, this, [this, code = language.code] {
            Settings::setLanguage(code);
            m_notice->showNotice(StatusKind::Info, tr("The language changes when Foresight starts again."));
        });
        action->setCheckable(true);
        action->setChecked(language.code == Settings::language());
        languageGroup->addAction(action);
    }
}

void MainWindow::createHelpMenu()
{
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Keyboard shortcuts"), QKeySequence(Qt::Key_Question), this, &MainWindow::showShortcuts);
    help->addAction(tr("&About Foresight"), this, [this] {
        QMessageBox::about(this, tr("About Foresight"),
                           tr("Foresight %1 (%2)\n\nA debugger for kernel search: profile, search, forecast, guard.\n"
                              "The window is free software under the GNU GPL 3 or later, the engine under the Apache License 2.0.")
                               .arg(QLatin1String(kVersion), QLatin1String(kRevision)));
    });
}

void MainWindow::fillRecentMenu(QMenu& menu)
{
    menu.clear();
    const QStringList files = Settings::recentFiles();
    for (const QString& path : files)
        menu.addAction(path, this, [this, path] { openSession(path); });
    if (files.isEmpty())
        menu.addAction(tr("Nothing yet"))->setEnabled(false);
    else
        menu.addAction(tr("Forget these"), this, [this] {
            Settings::clearRecentFiles();
            m_notice->dismiss();
        });
}

void MainWindow::saveSessionAs()
{
    if (!m_session.isOpen())
        return;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save a copy of the session"), {}, tr("Foresight sessions (*.fsight)"));
    if (!path.isEmpty())
        m_searchController.saveAs(path);
}

void MainWindow::exportReport()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the report"));
    if (folder.isEmpty())
        return;
    const Result<QString> written = writeReport(*this, folder);
    if (written)
        m_notice->showNotice(StatusKind::Good, tr("Report written: %1").arg(*written), tr("Open"),
                             [path = *written] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); });
    else
        m_notice->showNotice(StatusKind::Error, QString::fromStdString(written.error().toString()));
}

void MainWindow::updateRunState()
{
    using Phase = SearchState::Phase;
    const Phase phase = m_search.phase();
    const bool active = m_searchController.active();
    const bool running = active && phase == Phase::Running, paused = active && phase == Phase::Paused;
    const OperatorId target = m_selection.operatorId().valid() ? m_selection.operatorId() : m_session.topSearchable();
    const bool searchable = m_session.match(target) != nullptr;
    m_actions.run->setEnabled(paused || (!active && searchable));
    m_actions.run->setText(paused ? tr("&Continue") : tr("&Run"));
    m_actions.pause->setEnabled(running);
    m_actions.stepExpansion->setEnabled(running || paused);
    m_actions.stepEvent->setEnabled(running || paused);
    m_actions.stop->setEnabled(active);
    m_actions.resume->setEnabled(!active && phase == Phase::Interrupted);
    m_budget->setEnabled(!active);

    const TreeCounts& counts = m_search.tree().counts();
    const qint64 done = counts.measured + counts.failed;
    QString text;
    if (phase == Phase::None)
        text = m_session.isOpen() ? tr("Ready") : QString();
    else if (const auto budget = m_search.info().measurementBudget)
        text = tr("%1: %2 of %3 measurements").arg(m_search.info().operatorName, formatCount(done), formatCount(*budget));
    else
        text = tr("%1: %2 measurements").arg(m_search.info().operatorName, formatCount(done));
    if (const auto incumbent = m_search.tree().incumbent())
        text += tr(", best %1").arg(formatSpeedup(std::exp2(m_search.tree().node(*incumbent).measuredLog2)));
    m_stateLabel->setText(text);
    if (phase != Phase::None && !m_search.info().gpuDescription.isEmpty())
        m_gpuLabel->setText(gpuText(m_search.info()));
}

// The GPU and, of recorded measurements, the day they were made.
QString MainWindow::gpuText(const SearchInfo& info)
{
    static const QRegularExpression kRecorded(QStringLiteral("^(.*) \\(recorded ?(\\S*)\\)$"));
    const QRegularExpressionMatch match = kRecorded.match(info.gpuDescription);
    if (!match.hasMatch())
        return info.gpuDescription;
    const QDateTime made = QDateTime::fromString(match.captured(2), Qt::ISODate);
    return made.isValid() ? tr("%1, recorded on %2").arg(match.captured(1), QLocale().toString(made.date(), QLocale::ShortFormat))
                          : tr("%1, recorded").arg(match.captured(1));
}

void MainWindow::showShortcuts()
{
    QDialog dialog(this);
    dialog.setWindowTitle(tr("Keyboard shortcuts"));
    auto* table = new QTableWidget(0, 2, &dialog);
    table->setHorizontalHeaderLabels({tr("Action"), tr("Keys")});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    for (const QAction* action : findChildren<QAction*>()) {
        if (action->shortcut().isEmpty() || action->text().isEmpty())
            continue;
        const int row = table->rowCount();
        table->insertRow(row);
        table->setItem(row, 0, new QTableWidgetItem(QString(action->text()).remove(QLatin1Char('&'))));
        table->setItem(row, 1, new QTableWidgetItem(action->shortcut().toString(QKeySequence::NativeText)));
    }
    table->resizeColumnsToContents();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(&dialog);
    layout->addWidget(table);
    layout->addWidget(buttons);
    dialog.resize(480, 420);
    dialog.exec();
}

} // namespace foresight
