// SPDX-License-Identifier: Apache-2.0
// What an operator must at least do: the bytes every input and output costs once and the arithmetic, from a
// table per kind of ATen operator (resources/help lists it). From both and the GPU follows the floor.
#pragma once

#include "core/kernels/family.h"
#include "core/kernels/gpu_spec.h"
#include "core/profile/profile.h"

namespace foresight {

struct OperatorCost
{
    FloorKind kind = FloorKind::None; // None: dtypes or shapes are not known
    double bytes = 0, flops = 0;      // per call
    bool matrixUnits = false;         // the arithmetic can run on the matrix units
    DType dtype = DType::Unknown;     // of the arithmetic
};

OperatorCost operatorCost(const OperatorDescription& op);
// max(bytes / bandwidth, flops / rate, an empty kernel), ns; unknown rates drop their term.
double costFloorNs(const OperatorCost& cost, const GpuSpec& gpu);
// Distinct bytes of an input: broadcast (stride 0) extents count once. 0 when the dtype is not known.
double inputBytes(const OperatorInput& input);
// "aten::silu_" -> "silu": without the namespace, overload and in-place mark.
std::string plainOperatorName(std::string_view name);

} // namespace foresight
