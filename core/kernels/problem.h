// SPDX-License-Identifier: Apache-2.0
// One operator instance to make faster: a family with all its sizes, dtype and layout fixed, and its tensors.
#pragma once

#include "core/kernels/gpu_spec.h"
#include "core/kernels/tensor.h"
#include "core/kernels/value.h"

#include <string>
#include <vector>

namespace foresight {

struct Problem {
    std::string family;
    DType dtype = DType::F32;
    std::string layout = "contiguous"; // or "channels_last"
    Symbols symbols;                   // given and derived; bools and ints define the shape, doubles are scalars
    std::vector<TensorSpec> tensors;   // inputs first, then outputs, in the family's order
    double compulsoryBytes = 0;        // each input read once, each output written once
    double flops = 0;

    // "group_norm[C=128,G=32,H=1024,N=1,W=1024,silu=true] f16 channels_last": family, given integer and bool
    // symbols, dtype, layout. Doubles (eps) are left out: they do not change the work. Recorded spaces are found
    // by this key.
    std::string key;

    // max(bytes / bandwidth, flops / rate, empty kernel), ns. 0 bandwidth -> only the other terms.
    double floorNs(const GpuSpec& gpu) const;
};

} // namespace foresight
