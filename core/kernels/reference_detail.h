// SPDX-License-Identifier: Apache-2.0
// The families' CPU references. Sizes of the inputs have been checked.
#pragma once

#include "core/kernels/problem.h"

#include <vector>

namespace foresight {

using Columns = std::vector<std::vector<double>>; // one per tensor

Columns groupNormReference(const Problem& problem, const Columns& inputs);
Columns rmsNormReference(const Problem& problem, const Columns& inputs);
Columns softmaxReference(const Problem& problem, const Columns& inputs);

} // namespace foresight
