// SPDX-License-Identifier: Apache-2.0
// The families' CPU references. Sizes of the inputs have been checked.
#pragma once

#include "core/kernels/problem.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace foresight {

using Columns = std::vector<std::vector<double>>; // one per tensor

// Symbols of a problem that is known to have them with these types.
inline std::int64_t integer(const Problem& problem, const char* name)
{
    return std::get<std::int64_t>(problem.symbols.at(name));
}
inline std::size_t size(const Problem& problem, const char* name)
{
    return static_cast<std::size_t>(integer(problem, name));
}
inline bool flag(const Problem& problem, const char* name)
{
    return std::get<bool>(problem.symbols.at(name));
}
inline long double real(const Problem& problem, const char* name)
{
    return std::get<double>(problem.symbols.at(name));
}

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
