// SPDX-License-Identifier: GPL-3.0-or-later
// Operators in words, the same in every panel.
#pragma once

#include "core/profile/profile.h"

#include <QString>

namespace foresight {

// "1×128×1024×1024 f16, 128 f16": what one call works on.
QString describeInputs(const OperatorDescription& description);
// "aten::native_group_norm  1×128×1024×1024 f16": short, for lists and headings.
QString operatorTitle(const ProfiledOperator& op);

} // namespace foresight
