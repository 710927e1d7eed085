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
// reference_rows.cpp
Columns skinnyLinearReference(const Problem& problem, const Columns& inputs);
Columns cumsumReference(const Problem& problem, const Columns& inputs);
Columns rowReduceReference(const Problem& problem, const Columns& inputs);
Columns crossEntropyReference(const Problem& problem, const Columns& inputs);
Columns embeddingReference(const Problem& problem, const Columns& inputs);
Columns maxPool2dReference(const Problem& problem, const Columns& inputs);
// reference_pointwise.cpp, reference_layers.cpp
Columns permuteCopyReference(const Problem& problem, const Columns& inputs);
Columns siluReference(const Problem& problem, const Columns& inputs);
Columns geluReference(const Problem& problem, const Columns& inputs);
Columns reluReference(const Problem& problem, const Columns& inputs);
Columns addReference(const Problem& problem, const Columns& inputs);
Columns gatedReference(const Problem& problem, const Columns& inputs);
Columns ropeReference(const Problem& problem, const Columns& inputs);
Columns batchNormReference(const Problem& problem, const Columns& inputs);
Columns layerNormReference(const Problem& problem, const Columns& inputs);
Columns addRmsNormReference(const Problem& problem, const Columns& inputs);
Columns fp8QuantiseReference(const Problem& problem, const Columns& inputs);

} // namespace foresight
