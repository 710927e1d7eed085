// SPDX-License-Identifier: GPL-3.0-or-later
// report.html: what the window shows, for people without it. Pictures of the panels, the operator table, the search and
// the verdicts; every foreign text (kernel names, paths, messages) is escaped.
#pragma once

#include "core/base/result.h"

#include <QString>

namespace foresight {

class Heartbeat;
class MainWindow;

// Writes report.html and PNG pictures into `folder` (made when missing); returns the path of report.html.
// `heartbeat`: of the search shown, when it was watched.
Result<QString> writeReport(MainWindow& window, const QString& folder, const Heartbeat* heartbeat = nullptr);

} // namespace foresight
