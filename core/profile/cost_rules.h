// SPDX-License-Identifier: Apache-2.0
// The table behind operatorCost: one rule per kind of ATen operator. A rule says false when an argument it
// needs is not known.
#pragma once

#include "core/profile/floors.h"

#include <string_view>

namespace foresight {

bool knownCost(std::string_view plainName, const OperatorDescription& op, OperatorCost& cost);

} // namespace foresight
