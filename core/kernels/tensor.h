// SPDX-License-Identifier: Apache-2.0
// Element types and tensors as the plan, the worker and the profile see them.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

enum class DType { Unknown, F64, F32, F16, BF16, F8E4M3, I64, I32, I16, I8, U8, Bool };

int dtypeBytes(DType type);                // 0 for Unknown
std::string_view dtypeName(DType type);    // "f16", "bf16", ...
DType dtypeFromName(std::string_view name); // ours ("f16"), PyTorch's ("torch.float16", "c10::Half", "half")

// How the worker fills an input. `mean`/`std` may come from captured statistics.
struct TensorFill {
    enum class Kind { Normal, Uniform, Constant, IndexRange } kind = Kind::Normal;
    double mean = 0, std = 1;   // Normal; Constant uses mean
    double low = 0, high = 1;   // Uniform; IndexRange draws integers in [low, high)
};

struct TensorSpec {
    std::string name;
    enum class Role { Input, Output, InOut } role = Role::Input;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;   // logical; {} is a scalar of one element
    std::vector<std::int64_t> strides; // in elements, same length as shape
    TensorFill fill;
    // Elements summed to make one output element: sets the tolerance (see gpu/verify).
    double reductionLength = 1;

    std::int64_t elements() const; // product of shape; 0 when any extent is 0
    std::int64_t storageElements() const; // 1 + sum (extent-1)*stride, 0 when empty
    std::int64_t bytes() const;    // distinct bytes touched: broadcast (stride 0) extents counted once
};

std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& shape);
std::vector<std::int64_t> channelsLastStrides(const std::vector<std::int64_t>& shape); // rank 4 (NCHW) only

} // namespace foresight
