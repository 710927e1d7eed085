// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done on this machine, for the start page: looked up without starting anything.
#pragma once

#include "views/start/start_page.h"

#include <QVector>

namespace foresight {

QVector<Capability> machineCapabilities();

} // namespace foresight
