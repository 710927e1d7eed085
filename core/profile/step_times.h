// SPDX-License-Identifier: Apache-2.0
// Time per step: from the steps recorded without operator ranges when there are any (those ranges cost host
// time), and the gaps between GPU work inside them, which fewer launches would win back.
#pragma once

#include "core/profile/profile.h"
#include "core/profile/range_tree.h"

namespace foresight {

// Sets steps, wallNs and launchBoundNs, both scaled to the steps whose operators were recorded.
void fillStepTimes(Profile& profile, const RangeTree& tree);

} // namespace foresight
