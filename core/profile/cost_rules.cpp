// SPDX-License-Identifier: Apache-2.0
#include "core/profile/cost_rules.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace foresight {

namespace {

bool oneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

class Arguments
{
public:
    explicit Arguments(const OperatorDescription& op) : m_op(op) {}
    const OperatorInput* tensor(std::size_t i) const
    {
        return i < m_op.inputs.size() && m_op.inputs[i].dtype != DType::Unknown ? &m_op.inputs[i] : nullptr;
    }
    double bytes(std::size_t i) const { return tensor(i) ? inputBytes(*tensor(i)) : 0; }
    double elements(std::size_t i) const
    {
        double count = 1;
        for (const auto extent : m_op.inputs[i].shape)
            count *= static_cast<double>(extent);
        return count;
    }
    bool integer(int i, std::int64_t& value) const
    {
        const auto found = m_op.scalars.find(i);
        if (found == m_op.scalars.end() || !std::holds_alternative<std::int64_t>(found->second))
            return false;
        value = std::get<std::int64_t>(found->second);
        return true;
    }
    bool isTrue(int i) const
    {
        const auto found = m_op.scalars.find(i);
        return found != m_op.scalars.end() && std::holds_alternative<bool>(found->second) &&
               std::get<bool>(found->second);
    }
    // "[1, 2]", as the hook sends list arguments.
    bool list(int i, std::vector<std::int64_t>& values) const
    {
        const auto found = m_op.scalars.find(i);
        if (found == m_op.scalars.end() || !std::holds_alternative<std::string>(found->second))
            return false;
        const std::string& text = std::get<std::string>(found->second);
        if (text.empty() || text.front() != '[')
            return false;
        for (const char* at = text.data() + 1; at < text.data() + text.size();) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(at, text.data() + text.size(), value);
            if (error == std::errc{}) {
                values.push_back(value);
                at = end;
            } else {
                ++at;
            }
        }
        return true;
    }
    double allBytes() const
    {
        double total = 0;
        for (std::size_t i = 0; i < m_op.inputs.size(); ++i)
            total += bytes(i);
        return total;
    }
    const OperatorDescription& op() const { return m_op; }

private:
    const OperatorDescription& m_op;
};

// Norms: input once in, once out, weights, and one mean and/or reciprocal deviation per group or row.
bool normCost(std::string_view name, const Arguments& a, OperatorCost& cost)
{
    if (!a.tensor(0))
        return false;
    double statistics = 0;
    const double statisticBytes = a.tensor(0)->dtype == DType::F64 ? 8 : 4;
    if (name == "native_group_norm") {
        std::int64_t n = 0, groups = 0;
        if (!a.integer(3, n) || !a.integer(6, groups))
            return false;
        statistics = 2.0 * static_cast<double>(n * groups) * dtypeBytes(a.tensor(0)->dtype);
    } else if (name == "native_layer_norm" || name == "_fused_rms_norm") {
        std::vector<std::int64_t> normalised;
        double rows = a.elements(0);
        if (!a.list(1, normalised))
            return false;
        for (const auto extent : normalised)
            rows /= static_cast<double>(std::max<std::int64_t>(extent, 1));
        statistics = (name == "native_layer_norm" ? 2.0 : 1.0) * rows * statisticBytes;
    }
    cost.bytes = a.allBytes() + a.bytes(0) + statistics;
    return true;
}

bool matrixProductCost(std::string_view name, const Arguments& a, OperatorCost& cost)
{
    const bool added = name == "addmm" || name == "baddbmm";
    const std::size_t left = added ? 1 : 0, right = left + 1;
    const auto* x = a.tensor(left);
    const auto* y = a.tensor(right);
    if (!x || !y || x->shape.size() < 2 || y->shape.size() < 2)
        return false;
    const double k = static_cast<double>(x->shape.back());
    const double n = static_cast<double>(name == "linear" ? y->shape.front() : y->shape.back());
    const double rows = a.elements(left) / std::max(k, 1.0); // batches included
    cost.flops = 2 * rows * n * k;
    cost.bytes = a.allBytes() + rows * n * dtypeBytes(x->dtype);
    cost.matrixUnits = true;
    return true;
}

bool convolutionCost(std::string_view name, const Arguments& a, OperatorCost& cost)
{
    const auto* input = a.tensor(0);
    const auto* weight = a.tensor(1);
    if (!input || !weight || input->shape.size() < 3 || weight->shape.size() != input->shape.size())
        return false;
    std::vector<std::int64_t> stride, padding, dilation, outputPadding;
    const bool general = oneOf(name, {"convolution", "_convolution", "convolution_overrideable"});
    const bool transposed = general ? a.isTrue(6) : name == "cudnn_convolution_transpose";
    std::int64_t groups = 1;
    if (general) {
        if (!a.list(3, stride) || !a.list(4, padding) || !a.list(5, dilation) || !a.integer(8, groups))
            return false;
    } else if (name == "cudnn_convolution" || name == "cudnn_convolution_relu") {
        const int first = name == "cudnn_convolution" ? 2 : 3;
        const bool ok = name == "cudnn_convolution" ? a.list(first, padding) && a.list(first + 1, stride)
                                                    : a.list(first, stride) && a.list(first + 1, padding);
        if (!ok || !a.list(first + 2, dilation) || !a.integer(first + 3, groups))
            return false;
    } else {
        return false;
    }
    const std::size_t dims = input->shape.size() - 2;
    if (transposed || stride.size() < dims || padding.size() < dims || dilation.size() < dims || groups < 1)
        return false;
    double output = static_cast<double>(input->shape[0]) * static_cast<double>(weight->shape[0]);
    double taps = static_cast<double>(weight->shape[1]); // channels per group
    for (std::size_t i = 0; i < dims; ++i) {
        const std::int64_t window = weight->shape[i + 2];
        const std::int64_t reach = dilation[i] * (window - 1) + 1;
        if (stride[i] < 1)
            return false;
        output *= static_cast<double>((input->shape[i + 2] + 2 * padding[i] - reach) / stride[i] + 1);
        taps *= static_cast<double>(window);
    }
    cost.flops = 2 * output * taps;
    cost.bytes = a.allBytes() + output * dtypeBytes(input->dtype);
    cost.matrixUnits = true;
    return true;
}

// Two products of queries x keys x head width; a causal mask halves them.
bool attentionCost(std::string_view name, const Arguments& a, OperatorCost& cost)
{
    const auto* q = a.tensor(0);
    const auto* k = a.tensor(1);
    const auto* v = a.tensor(2);
    if (!q || !k || !v || q->shape.size() != 4 || k->shape.size() != 4)
        return false;
    const bool headsLast =
        name == "_flash_attention_forward" || name == "_efficient_attention_forward"; // [B,S,H,D]
    const double queries = static_cast<double>(q->shape[headsLast ? 1 : 2]);
    const double keys = static_cast<double>(k->shape[headsLast ? 1 : 2]);
    const double others = a.elements(0) / std::max(queries, 1.0); // batch x heads x width
    int causalAt = 4;
    if (name == "_scaled_dot_product_efficient_attention" || name == "_scaled_dot_product_cudnn_attention")
        causalAt = 6;
    else if (name == "_flash_attention_forward")
        causalAt = 8;
    else if (name == "_cudnn_attention_forward")
        causalAt = 10;
    const double share = a.isTrue(causalAt) ? 0.5 : 1.0;
    cost.flops = 4 * others * queries * keys * share;
    cost.bytes = a.bytes(0) + a.bytes(1) + a.bytes(2) + a.elements(0) * dtypeBytes(q->dtype);
    cost.matrixUnits = true;
    return true;
}

bool reductionCost(const Arguments& a, OperatorCost& cost)
{
    const auto* input = a.tensor(0);
    if (!input)
        return false;
    std::vector<std::int64_t> dims;
    double output = 1;
    if (a.list(1, dims) && !dims.empty()) {
        output = a.elements(0);
        for (auto dim : dims) {
            const auto rank = static_cast<std::int64_t>(input->shape.size());
            dim = dim < 0 ? dim + rank : dim;
            if (dim < 0 || dim >= rank)
                return false;
            output /=
                static_cast<double>(std::max<std::int64_t>(input->shape[static_cast<std::size_t>(dim)], 1));
        }
    }
    cost.bytes = a.bytes(0) + output * dtypeBytes(input->dtype);
    return true;
}

bool elementwiseCost(const Arguments& a, OperatorCost& cost)
{
    // The result has the broadcast shape and the widest dtype of the tensors with dimensions.
    std::vector<std::int64_t> shape;
    int width = 0;
    for (const auto& input : a.op().inputs) {
        if (input.dtype == DType::Unknown)
            continue;
        if (!input.shape.empty() || width == 0)
            width = input.shape.empty() ? width : std::max(width, dtypeBytes(input.dtype));
        if (input.shape.size() > shape.size())
            shape.insert(shape.begin(), input.shape.size() - shape.size(), 1);
        for (std::size_t i = 0; i < input.shape.size(); ++i) {
            auto& extent = shape[shape.size() - input.shape.size() + i];
            extent = extent == 1 ? input.shape[i] : extent;
        }
    }
    if (width == 0)
        width = a.tensor(0) ? dtypeBytes(a.tensor(0)->dtype) : 0;
    double output = 1;
    for (const auto extent : shape)
        output *= static_cast<double>(extent);
    cost.bytes = a.allBytes() + output * width;
    return width > 0;
}

} // namespace

bool knownCost(std::string_view name, const OperatorDescription& op, OperatorCost& cost)
{
    const Arguments a(op);
    if (oneOf(name, {"native_group_norm", "native_layer_norm", "_fused_rms_norm", "native_batch_norm",
                     "cudnn_batch_norm", "_native_batch_norm_legit_no_training"}))
        return normCost(name, a, cost);
    if (oneOf(name, {"_softmax", "_log_softmax"})) {
        cost.bytes = a.bytes(0) + (a.isTrue(2) ? a.elements(0) * 4 : a.bytes(0));
        return a.tensor(0) != nullptr;
    }
    if (oneOf(name, {"mm", "bmm", "addmm", "baddbmm", "linear"}))
        return matrixProductCost(name, a, cost);
    if (oneOf(name, {"convolution", "_convolution", "cudnn_convolution", "cudnn_convolution_relu"}))
        return convolutionCost(name, a, cost);
    if (oneOf(name, {"_flash_attention_forward", "_efficient_attention_forward", "_cudnn_attention_forward",
                     "_scaled_dot_product_flash_attention", "_scaled_dot_product_efficient_attention",
                     "_scaled_dot_product_cudnn_attention"}))
        return attentionCost(name, a, cost);
    if (oneOf(name, {"sum", "mean", "amax", "amin"}))
        return reductionCost(a, cost);
    if (oneOf(name, {"fill", "zero"})) {
        cost.bytes = a.bytes(0);
        return a.tensor(0) != nullptr;
    }
    if (name == "copy") { // writes the first, reads the second
        cost.bytes = a.bytes(0) + a.bytes(1);
        return a.tensor(0) && a.tensor(1);
    }
    if (name == "cat") {
        cost.bytes = 2 * a.allBytes();
        return a.tensor(0) != nullptr;
    }
    if (name == "embedding") { // reads the rows that are asked for, not the table
        if (!a.tensor(0) || !a.tensor(1) || a.tensor(0)->shape.size() != 2)
            return false;
        cost.bytes = a.bytes(1) + 2 * a.elements(1) * static_cast<double>(a.tensor(0)->shape[1]) *
                                      dtypeBytes(a.tensor(0)->dtype);
        return true;
    }
    if (name == "upsample_nearest2d") {
        std::vector<std::int64_t> size;
        if (!a.tensor(0) || a.tensor(0)->shape.size() != 4 || !a.list(1, size) || size.size() != 2)
            return false;
        cost.bytes = a.bytes(0) +
                     static_cast<double>(a.tensor(0)->shape[0] * a.tensor(0)->shape[1] * size[0] * size[1]) *
                         dtypeBytes(a.tensor(0)->dtype);
        return true;
    }
    if (oneOf(name,
              {"add",      "sub",       "mul",  "div",    "rsub",       "pow",    "neg",       "abs",
               "exp",      "log",       "sqrt", "rsqrt",  "reciprocal", "sin",    "cos",       "tanh",
               "sigmoid",  "silu",      "gelu", "relu",   "leaky_relu", "clamp",  "clamp_min", "clamp_max",
               "hardtanh", "hardswish", "erf",  "square", "maximum",    "minimum"}))
        return elementwiseCost(a, cost);
    return false;
}

} // namespace foresight
