// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/tensor.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace foresight {

namespace {

struct DTypeInfo
{
    DType type;
    int bytes;
    std::string_view name;
    std::array<std::string_view, 5> others; // PyTorch's spellings, without "torch." and "c10::"
};

constexpr DTypeInfo kTypes[] = {
    {DType::Unknown, 0, "unknown", {}},
    {DType::F64, 8, "f64", {"float64", "double"}},
    {DType::F32, 4, "f32", {"float32", "float"}},
    {DType::F16, 2, "f16", {"float16", "half", "fp16"}},
    {DType::BF16, 2, "bf16", {"bfloat16"}},
    {DType::F8E4M3, 1, "f8e4m3", {"float8_e4m3fn", "float8_e4m3"}},
    {DType::I64, 8, "i64", {"int64", "long", "long int", "long long"}},
    {DType::I32, 4, "i32", {"int32", "int"}},
    {DType::I16, 2, "i16", {"int16", "short", "short int"}},
    {DType::I8, 1, "i8", {"int8", "char", "signed char"}},
    {DType::U8, 1, "u8", {"uint8", "byte", "unsigned char"}},
    {DType::Bool, 1, "bool", {}},
};

const DTypeInfo& info(DType type)
{
    for (const DTypeInfo& entry : kTypes)
        if (entry.type == type)
            return entry;
    return kTypes[0];
}

} // namespace

int dtypeBytes(DType type)
{
    return info(type).bytes;
}

std::string_view dtypeName(DType type)
{
    return info(type).name;
}

DType dtypeFromName(std::string_view name)
{
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string_view text = lower;
    for (std::string_view prefix : {"torch.", "c10::"})
        if (text.starts_with(prefix))
            text.remove_prefix(prefix.size());
    if (text.empty())
        return DType::Unknown;
    for (const DTypeInfo& entry : kTypes)
        if (entry.name == text ||
            std::find(entry.others.begin(), entry.others.end(), text) != entry.others.end())
            return entry.type;
    return DType::Unknown;
}

std::int64_t TensorSpec::elements() const
{
    std::int64_t count = 1;
    for (std::int64_t extent : shape)
        count *= extent;
    return count;
}

std::int64_t TensorSpec::storageElements() const
{
    std::int64_t last = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0)
            return 0;
        last += (shape[i] - 1) * (i < strides.size() ? strides[i] : 0);
    }
    return last + 1;
}

std::int64_t TensorSpec::bytes() const
{
    std::int64_t distinct = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0)
            return 0;
        if (i >= strides.size() || strides[i] != 0)
            distinct *= shape[i];
    }
    return distinct * dtypeBytes(dtype);
}

std::vector<std::int64_t> contiguousStrides(const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t step = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = step;
        step *= std::max<std::int64_t>(shape[i], 1);
    }
    return strides;
}

std::vector<std::int64_t> channelsLastStrides(const std::vector<std::int64_t>& shape)
{
    if (shape.size() != 4)
        return contiguousStrides(shape);
    const std::int64_t c = std::max<std::int64_t>(shape[1], 1), h = std::max<std::int64_t>(shape[2], 1),
                       w = std::max<std::int64_t>(shape[3], 1);
    return {h * w * c, 1, w * c, c};
}

} // namespace foresight
