// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/family_impl.h"

#include <algorithm>
#include <cmath>

namespace foresight {

const std::string& Family::name() const
{
    return m->name;
}
const std::string& Family::title() const
{
    return m->title;
}
const std::string& Family::description() const
{
    return m->description;
}
const std::vector<TuningParameter>& Family::parameters() const
{
    return m->parameterValues;
}
std::vector<DType> Family::dtypes() const
{
    return m->dtypes;
}
std::vector<std::string> Family::layouts() const
{
    return m->layouts;
}
std::string Family::sourceHash() const
{
    return m->hash;
}

std::vector<std::string> Family::operatorNames() const
{
    std::vector<std::string> names;
    for (const FamilyMapping& mapping : m->mappings)
        for (const std::string& name : mapping.names)
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    return names;
}

std::vector<Family::SymbolInfo> Family::symbols() const
{
    std::vector<SymbolInfo> result;
    for (const FamilySymbol& symbol : m->symbols)
        result.push_back(
            {symbol.name, symbol.type, symbol.defaultValue ? symbol.defaultValue->text() : "", symbol.help});
    return result;
}

namespace {

// A given value in the symbol's type: 1 and "true" are fine for a bool, 1.0 for an int, but not 1.5.
std::optional<Value> convert(const Value& value, const std::string& type)
{
    if (const auto* text = std::get_if<std::string>(&value)) {
        auto parsed = Expression::parse(*text); // the command line hands over text
        if (!parsed)
            return std::nullopt;
        auto inner = parsed->evaluate({});
        if (!inner || std::holds_alternative<std::string>(*inner))
            return std::nullopt;
        return convert(*inner, type);
    }
    double number = 0;
    if (const bool* b = std::get_if<bool>(&value))
        number = *b ? 1 : 0;
    else if (const auto* i = std::get_if<std::int64_t>(&value))
        number = static_cast<double>(*i);
    else
        number = std::get<double>(value);
    if (type == "float")
        return Value(number);
    if (type == "bool") {
        if (number != 0 && number != 1)
            return std::nullopt;
        return Value(number == 1);
    }
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return Value(*i);
    if (number != std::trunc(number) || !(std::abs(number) <= 9007199254740992.0))
        return std::nullopt;
    return Value(static_cast<std::int64_t>(number));
}

// The number of elements and every storage offset must stay within int64.
Result<void> checkExtents(const TensorSpec& tensor)
{
    std::int64_t elements = 1, last = 0;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        std::int64_t reach = 0;
        if (tensor.shape[i] < 0 ||
            __builtin_mul_overflow(elements, std::max<std::int64_t>(tensor.shape[i], 1), &elements) ||
            __builtin_mul_overflow(tensor.shape[i], tensor.strides[i], &reach) ||
            __builtin_add_overflow(last, reach, &last) || last > (std::int64_t{1} << 56) ||
            elements > (std::int64_t{1} << 56))
            return makeError(ErrorCode::InvalidArgument,
                             "tensor '" + tensor.name + "' would have an impossible size");
    }
    return {};
}

} // namespace

Result<Problem> Family::makeProblem(DType dtype, std::string_view layout, const Symbols& given) const
{
    if (std::find(m->dtypes.begin(), m->dtypes.end(), dtype) == m->dtypes.end())
        return makeError(ErrorCode::InvalidArgument,
                         m->name + " does not serve dtype " + std::string(dtypeName(dtype)));
    if (std::find(m->layouts.begin(), m->layouts.end(), layout) == m->layouts.end())
        return makeError(ErrorCode::InvalidArgument,
                         m->name + " does not serve layout '" + std::string(layout) + "'");
    Problem problem;
    problem.family = m->name;
    problem.dtype = dtype;
    problem.layout = std::string(layout);
    for (const auto& [name, value] : given) {
        const auto known = [&name = name](const FamilySymbol& symbol) { return symbol.name == name; };
        if (std::none_of(m->symbols.begin(), m->symbols.end(), known))
            return makeError(ErrorCode::InvalidArgument, m->name + " has no symbol '" + name + "'",
                             "`foresight-cli families " + m->name + "` lists its symbols.");
    }
    Symbols keyed;
    for (const FamilySymbol& symbol : m->symbols) {
        std::optional<Value> value;
        if (const auto found = given.find(symbol.name); found != given.end()) {
            value = convert(found->second, symbol.type);
            if (!value)
                return makeError(ErrorCode::InvalidArgument, m->name + ": '" + symbol.name +
                                                                 "' must be of type " + symbol.type +
                                                                 ", not " + valueText(found->second));
        } else if (symbol.defaultValue) {
            FS_TRY(computed, symbol.defaultValue->evaluate(problemSymbols(problem)));
            value = convert(computed, symbol.type);
        }
        if (!value)
            return makeError(ErrorCode::InvalidArgument,
                             m->name + " needs a value for '" + symbol.name + "' (" + symbol.help + ")");
        if (const auto* i = std::get_if<std::int64_t>(&*value); i && symbol.minimum && *i < *symbol.minimum)
            return makeError(ErrorCode::InvalidArgument, m->name + ": '" + symbol.name +
                                                             "' must be at least " +
                                                             std::to_string(*symbol.minimum));
        if (symbol.type != "float")
            keyed[symbol.name] = *value;
        problem.symbols[symbol.name] = *value;
    }
    for (const PlanLocal& derived : m->derived) {
        FS_TRY(value, derived.value.evaluate(problemSymbols(problem)));
        problem.symbols[derived.name] = value;
    }
    const Symbols symbols = problemSymbols(problem);
    for (const FamilyCondition& requirement : m->requirements) {
        FS_TRY(holds, requirement.condition.evaluateBool(symbols));
        if (!holds)
            return makeError(ErrorCode::InvalidArgument, m->name + ": " + requirement.message);
    }
    for (const FamilyTensor& entry : m->tensors) {
        if (entry.when) {
            FS_TRY(present, entry.when->evaluateBool(symbols));
            if (!present)
                continue;
        }
        TensorSpec tensor;
        tensor.name = entry.name;
        tensor.role = entry.role;
        tensor.dtype = entry.dtype == "T" ? dtype : dtypeFromName(entry.dtype);
        if (entry.dtypeExpression) {
            FS_TRY(name, entry.dtypeExpression->evaluate(symbols));
            tensor.dtype = dtypeFromName(valueText(name));
            if (tensor.dtype == DType::Unknown)
                return makeError(ErrorCode::InvalidArgument,
                                 m->name + ": tensor '" + entry.name + "' has no dtype");
        }
        for (const Expression& extent : entry.shape) {
            FS_TRY(value, extent.evaluateInteger(symbols));
            tensor.shape.push_back(value);
        }
        tensor.strides = entry.followsLayout && layout == "channels_last" ? channelsLastStrides(tensor.shape)
                                                                          : contiguousStrides(tensor.shape);
        if (const auto strides = entry.strides.find(problem.layout); strides != entry.strides.end()) {
            for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
                FS_TRY(value, strides->second[i].evaluateInteger(symbols));
                tensor.strides[i] = value;
            }
        }
        FS_CHECK(checkExtents(tensor));
        tensor.fill.kind = entry.fill;
        for (const auto& [key, expression] : entry.fillValues) {
            FS_TRY(value, expression.evaluateNumber(symbols));
            (key == "mean"  ? tensor.fill.mean
             : key == "std" ? tensor.fill.std
             : key == "low" ? tensor.fill.low
                            : tensor.fill.high) = value;
        }
        FS_TRY(length, entry.reductionLength.evaluateNumber(symbols));
        tensor.reductionLength = std::max(1.0, length);
        auto bytes = static_cast<double>(tensor.bytes());
        if (entry.bytes) {
            FS_TRY(least, entry.bytes->evaluateNumber(symbols));
            bytes = std::min(bytes, least);
        }
        problem.compulsoryBytes += bytes * (tensor.role == TensorSpec::Role::InOut ? 2 : 1);
        problem.tensors.push_back(std::move(tensor));
    }
    FS_TRY(flops, m->flops.evaluateNumber(symbols));
    problem.flops = flops;
    problem.key =
        m->name + "[" + symbolsText(keyed) + "] " + std::string(dtypeName(dtype)) + " " + problem.layout;
    return problem;
}

} // namespace foresight
