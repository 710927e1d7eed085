// SPDX-License-Identifier: Apache-2.0
// CPU references in double precision, written independently of the GPU reference kernels they check (at small shapes).
#pragma once

#include "core/base/result.h"
#include "core/kernels/problem.h"

#include <vector>

namespace foresight {

// Inputs and outputs in contiguous logical order as doubles (inputs already rounded to their dtype), in the order
// of problem.tensors. Unsupported when the family has no CPU reference.
Result<std::vector<std::vector<double>>> cpuReference(const Problem& problem,
                                                      const std::vector<std::vector<double>>& inputs);

} // namespace foresight
