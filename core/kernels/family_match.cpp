// SPDX-License-Identifier: Apache-2.0
// Operator mappings: from what a profile knows of an operator to a problem.
#include "core/kernels/family_impl.h"

#include <algorithm>

namespace foresight {

namespace {

bool hasLayout(const OperatorInput& input, const std::vector<std::int64_t>& wanted)
{
    if (input.strides.empty()) // not recorded: PyTorch's default
        return wanted == contiguousStrides(input.shape);
    if (input.strides.size() != input.shape.size())
        return false;
    for (std::size_t i = 0; i < input.shape.size(); ++i)
        if (input.shape[i] > 1 && input.strides[i] != wanted[i])
            return false;
    return true;
}

Error missing(const std::string& what)
{
    return makeError(ErrorCode::NotFound, what);
}

Result<std::int64_t> position(std::span<const Value> arguments, std::size_t i, std::string_view name)
{
    const auto* value = i < arguments.size() ? std::get_if<std::int64_t>(&arguments[i]) : nullptr;
    if (!value)
        return makeError(ErrorCode::InvalidArgument, std::string(name) + " needs an integer argument");
    return *value;
}

Result<const OperatorInput*> tensorAt(const OperatorDescription& op, std::int64_t i)
{
    if (i < 0 || static_cast<std::size_t>(i) >= op.inputs.size() ||
        op.inputs[static_cast<std::size_t>(i)].dtype == DType::Unknown)
        return missing("argument " + std::to_string(i) + " is not a tensor of known dtype");
    return &op.inputs[static_cast<std::size_t>(i)];
}

Result<Value> callTensor(const OperatorDescription& op, std::string_view name,
                         std::span<const Value> arguments)
{
    FS_TRY(i, position(arguments, 0, name));
    if (name == "has") {
        const auto tensor = tensorAt(op, i);
        return Value(tensor.ok());
    }
    FS_TRY(tensor, tensorAt(op, i));
    const auto rank = static_cast<std::int64_t>(tensor->shape.size());
    if (name == "dtype")
        return Value(std::string(dtypeName(tensor->dtype)));
    if (name == "ndim")
        return Value(rank);
    if (name == "contiguous")
        return Value(hasLayout(*tensor, contiguousStrides(tensor->shape)));
    if (name == "channels_last")
        return Value(rank == 4 && hasLayout(*tensor, channelsLastStrides(tensor->shape)));
    if (name == "numel") {
        std::int64_t count = 1;
        for (std::int64_t extent : tensor->shape)
            if (__builtin_mul_overflow(count, extent, &count))
                return makeError(ErrorCode::InvalidArgument,
                                 "argument " + std::to_string(i) + " has too many elements");
        return Value(count);
    }
    FS_TRY(given, position(arguments, 1, name));
    const std::int64_t k = given < 0 ? given + rank : given;
    if (k < 0 || k >= rank)
        return missing("argument " + std::to_string(i) + " has no dimension " + std::to_string(given));
    const auto at = static_cast<std::size_t>(k);
    if (name == "dim")
        return Value(tensor->shape[at]);
    if (tensor->strides.empty())
        return Value(contiguousStrides(tensor->shape)[at]);
    if (at >= tensor->strides.size())
        return missing("the strides of argument " + std::to_string(i) + " are incomplete");
    return Value(tensor->strides[at]);
}

Result<Value> callAttribute(const OperatorDescription& op, std::string_view name,
                            std::span<const Value> arguments)
{
    const auto* key = arguments.empty() ? nullptr : std::get_if<std::string>(&arguments[0]);
    if (!key)
        return makeError(ErrorCode::InvalidArgument, std::string(name) + " needs the name of an attribute");
    const auto found = op.attributes.find(*key);
    if (name == "has_attr")
        return Value(found != op.attributes.end());
    if (found != op.attributes.end())
        return found->second;
    if (arguments.size() > 1)
        return arguments[1];
    return missing("the attribute '" + *key + "' is not known");
}

Result<Value> callScalar(const OperatorDescription& op, std::string_view name,
                         std::span<const Value> arguments)
{
    FS_TRY(i, position(arguments, 0, name));
    const auto found = op.scalars.find(static_cast<int>(std::clamp<std::int64_t>(i, -1, 1 << 20)));
    if (name == "has_scalar")
        return Value(found != op.scalars.end());
    if (found != op.scalars.end())
        return found->second;
    if (arguments.size() > 1)
        return arguments[1];
    return missing("the value of argument " + std::to_string(i) + " is not known");
}

} // namespace

Expression::Functions operatorFunctions(const OperatorDescription& op)
{
    return [&op](std::string_view name, std::span<const Value> arguments) -> Result<Value> {
        static constexpr std::string_view kTensor[] = {"dim", "ndim",  "numel",      "stride",
                                                       "has", "dtype", "contiguous", "channels_last"};
        if (std::find(std::begin(kTensor), std::end(kTensor), name) != std::end(kTensor))
            return callTensor(op, name, arguments);
        if (name == "attr" || name == "has_attr")
            return callAttribute(op, name, arguments);
        if (name == "scalar" || name == "has_scalar")
            return callScalar(op, name, arguments);
        return makeError(ErrorCode::NotFound, "unknown function '" + std::string(name) + "'");
    };
}

namespace {

Result<Problem> bindMapping(const Family& family, const FamilyMapping& mapping, const OperatorDescription& op)
{
    const auto functions = operatorFunctions(op);
    for (const FamilyCondition& condition : mapping.conditions) {
        FS_TRY(holds, condition.condition.evaluateBool({}, functions));
        if (!holds)
            return makeError(ErrorCode::Unsupported, condition.message);
    }
    FS_TRY(dtypeText, mapping.dtype.evaluate({}, functions));
    FS_TRY(layout, mapping.layout.evaluate({}, functions));
    Symbols given;
    for (const auto& [name, expression] : mapping.bind) {
        FS_TRY(value, expression.evaluate({}, functions));
        given[name] = value;
    }
    const DType dtype = dtypeFromName(valueText(dtypeText));
    if (dtype == DType::Unknown)
        return makeError(ErrorCode::Unsupported, "its dtype is not known");
    return family.makeProblem(dtype, valueText(layout), given);
}

} // namespace

std::optional<Problem> Family::match(const OperatorDescription& op, std::string* why) const
{
    std::string reasons;
    for (const FamilyMapping& mapping : m->mappings) {
        if (mapping.kind != op.kind ||
            std::find(mapping.names.begin(), mapping.names.end(), op.name) == mapping.names.end())
            continue;
        auto problem = bindMapping(*this, mapping, op);
        if (problem)
            return std::move(*problem);
        reasons += (reasons.empty() ? "" : "; ") + problem.error().message;
    }
    if (why)
        *why = reasons.empty() ? m->name + " does not serve " + op.name
                               : m->name + " cannot serve this " + op.name + ": " + reasons;
    return std::nullopt;
}

} // namespace foresight
