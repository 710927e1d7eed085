// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report.h"

#include "app/heartbeat.h"
#include "app/main_window.h"
#include "core/base/file.h"
#include "core/base/version.h"
#include "views/calibration/calibration_view.h"
#include "views/common/lazy_panel.h"
#include "views/common/operator_text.h"
#include "widgets/number_format.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QDockWidget>

#include <cmath>

namespace foresight {

namespace {

// The translation context of this file's strings.
struct Report {
    Q_DECLARE_TR_FUNCTIONS(foresight::Report)
};

QString cell(const QString& text, bool number = false)
{
    return QStringLiteral("<td%1>%2</td>").arg(number ? QStringLiteral(" class=\"n\"") : QString(), text.toHtmlEscaped());
}

QString headings(const QStringList& names)
{
    QString row = QStringLiteral("<tr>");
    for (const QString& name : names)
        row += QStringLiteral("<th>%1</th>").arg(name.toHtmlEscaped());
    return row + QStringLiteral("</tr>\n");
}

QString operatorTable(const SessionState& session)
{
    constexpr std::size_t kShown = 15;
    QString html = QStringLiteral("<h2>%1</h2>\n<table>\n").arg(Report::tr("Operators by headroom").toHtmlEscaped());
    html += headings({Report::tr("Operator"), Report::tr("Inputs"), Report::tr("Calls"), Report::tr("GPU time"), Report::tr("Share"),
                      Report::tr("Floor of a call"), Report::tr("Headroom"), Report::tr("Family")});
    const auto& operators = session.operators();
    for (std::size_t i = 0; i < operators.size() && i < kShown; ++i) {
        const ProfiledOperator& op = operators[i];
        const OperatorMatch* match = session.match(op.id);
        html += QStringLiteral("<tr>") + cell(QString::fromStdString(op.description.name)) + cell(describeInputs(op.description)) +
                cell(formatCount(op.calls), true) + cell(formatTime(op.gpuNs), true) + cell(formatPercent(op.share), true) +
                cell((op.floorKind == FloorKind::Estimate ? QStringLiteral("≈ ") : QString()) + formatTime(op.floorNs), true) +
                cell(formatTime(op.headroomNs), true) + cell(match ? match->family : QString()) + QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</table>\n");
}

QString searchSummary(const SearchState& search)
{
    if (!search.hasSearch())
        return {};
    const TreeCounts& counts = search.tree().counts();
    QString html = QStringLiteral("<h2>%1</h2>\n<p>%2</p>\n<table>\n")
                       .arg(Report::tr("Search").toHtmlEscaped(), (search.info().operatorName + QStringLiteral(" – ") + search.info().problemKey).toHtmlEscaped());
    const auto row = [&](const QString& name, const QString& value) { html += QStringLiteral("<tr>") + cell(name) + cell(value, true) + QStringLiteral("</tr>\n"); };
    row(Report::tr("GPU"), search.info().gpuDescription);
    row(Report::tr("Baseline"), search.info().baseline);
    row(Report::tr("Candidates forecast"), formatCount(counts.forecast));
    row(Report::tr("Skipped without measuring"), formatCount(counts.skipped));
    row(Report::tr("Measured"), formatCount(counts.measured));
    row(Report::tr("Failed"), formatCount(counts.failed));
    if (const auto incumbent = search.tree().incumbent()) {
        row(Report::tr("Best speedup"), formatSpeedup(std::exp2(search.tree().node(*incumbent).measuredLog2)));
        row(Report::tr("Best candidate"), search.nodeTitle(*incumbent));
    }
    return html + QStringLiteral("</table>\n");
}

QString verdictTable(const SessionState& session)
{
    const auto& verdicts = session.session().verdicts;
    if (verdicts.empty())
        return {};
    QString html = QStringLiteral("<h2>%1</h2>\n<table>\n").arg(Report::tr("Verdicts").toHtmlEscaped());
    html += headings({Report::tr("Operator"), Report::tr("Verdict"), Report::tr("Reason"), Report::tr("Speedup"), Report::tr("Interval"), Report::tr("Evidence")});
    for (const OperatorVerdict& verdict : verdicts) {
        const ProfiledOperator* op = session.findOperator(verdict.id);
        html += QStringLiteral("<tr>") + cell(op ? operatorTitle(*op) : QString()) + cell(verdict.deploy ? Report::tr("deploy") : Report::tr("fall back")) +
                cell(verdict.reason) + cell(verdict.speedup > 0 ? formatSpeedup(verdict.speedup) : QString(), true) +
                cell(verdict.low > 0 ? QStringLiteral("%1 – %2").arg(formatSpeedup(verdict.low), formatSpeedup(verdict.high)) : QString(), true) +
                cell(verdict.source) + QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</table>\n");
}

QString responsiveness(const Heartbeat& heartbeat)
{
    const QString byTheClock = Report::tr("Longest time the window was kept from responding during the search: %1 ms.").arg(formatFixed(heartbeat.longestBlockMs(), 1));
    if (!heartbeat.tellsOwnTime())
        return byTheClock;
    return byTheClock + QLatin1Char(' ') + Report::tr("Without waiting for a processor that other work had: %1 ms.").arg(formatFixed(heartbeat.longestOwnMs(), 1));
}

Result<void> savePicture(const QPixmap& picture, const QString& path)
{
    if (!picture.save(path, "PNG"))
        return makeError(ErrorCode::IoError, "cannot write " + path.toStdString(), "Is the folder writable and the disk not full?");
    return {};
}

} // namespace

Result<QString> writeReport(MainWindow& window, const QString& folder, const Heartbeat* heartbeat)
{
    const QDir dir(folder);
    if (!dir.mkpath(QStringLiteral(".")))
        return makeError(ErrorCode::IoError, "cannot make the folder " + folder.toStdString(), "Choose a folder you may write to.");

    QString pictures;
    const auto addPicture = [&](const QString& name, const QString& title, const QPixmap& picture) -> Result<void> {
        FS_CHECK(savePicture(picture, dir.filePath(name)));
        pictures += QStringLiteral("<figure><img src=\"%1\" alt=\"%2\"><figcaption>%2</figcaption></figure>\n").arg(name.toHtmlEscaped(), title.toHtmlEscaped());
        return {};
    };
    QApplication::processEvents();
    FS_CHECK(addPicture(QStringLiteral("window.png"), Report::tr("The window"), window.grab()));
    for (QDockWidget* dock : window.docks().docks()) {
        if (auto* calibration = qobject_cast<CalibrationView*>(dock->widget()))
            calibration->waitForResult();
        if (auto* panel = qobject_cast<LazyPanel*>(dock->widget()))
            panel->refreshNow();
        dock->show();
        dock->raise();
        QApplication::processEvents();
        FS_CHECK(addPicture(dock->objectName() + QStringLiteral(".png"), dock->windowTitle(), dock->widget()->grab()));
    }

    const auto& profile = window.session().session().profile;
    QString html = QStringLiteral("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%1</title>\n<style>\n"
                                  "body{font-family:sans-serif;max-width:75em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
                                  "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #bbb;padding:.25em .6em;text-align:left}\n"
                                  "td.n{text-align:right;font-variant-numeric:tabular-nums}img{max-width:100%;border:1px solid #bbb}figure{margin:1.5em 0}\n"
                                  "</style></head><body>\n")
                       .arg(Report::tr("Foresight report").toHtmlEscaped());
    html += QStringLiteral("<h1>%1</h1>\n<p>%2</p>\n")
                .arg((profile && !profile->title.empty() ? QString::fromStdString(profile->title) : Report::tr("Foresight report")).toHtmlEscaped(),
                     Report::tr("Foresight %1 (%2), %3").arg(QLatin1String(kVersion), QLatin1String(kRevision), QLocale().toString(QDateTime::currentDateTime(), QLocale::ShortFormat)).toHtmlEscaped());
    if (profile)
        html += QStringLiteral("<p>%1</p>\n").arg(Report::tr("Recorded on %1, driver %2, PyTorch %3, %4.").arg(QString::fromStdString(profile->gpuName), QString::fromStdString(profile->driver), QString::fromStdString(profile->torch), QString::fromStdString(profile->date)).toHtmlEscaped());
    html += operatorTable(window.session()) + searchSummary(window.search()) + verdictTable(window.session());
    if (heartbeat)
        html += QStringLiteral("<p>%1</p>\n").arg(responsiveness(*heartbeat).toHtmlEscaped());
    html += QStringLiteral("<h2>%1</h2>\n").arg(Report::tr("Pictures").toHtmlEscaped()) + pictures + QStringLiteral("</body></html>\n");

    const QString path = dir.filePath(QStringLiteral("report.html"));
    FS_CHECK(writeFileAtomically(path.toStdString(), html.toStdString()));
    return path;
}

} // namespace foresight
