// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/expression_node.h"

#include <cmath>

namespace foresight {

Expression::Expression()
{
    static const std::shared_ptr<const Program> kZero = [] {
        auto program = std::make_shared<Program>();
        program->text = "0";
        program->root.literal = std::int64_t{0};
        return program;
    }();
    m_program = kZero;
}

const std::string& Expression::text() const
{
    return m_program->text;
}

const std::vector<std::string>& Expression::symbolNames() const
{
    return m_program->symbols;
}

Result<Value> Expression::evaluate(const Symbols& symbols, const Functions& functions) const
{
    std::vector<const Value*> values;
    values.reserve(m_program->symbols.size());
    for (const std::string& name : m_program->symbols) {
        const auto found = symbols.find(name);
        values.push_back(found == symbols.end() ? nullptr : &found->second);
    }
    return evaluateSlots(values, functions);
}

Result<std::int64_t> Expression::evaluateInteger(const Symbols& symbols, const Functions& functions) const
{
    FS_TRY(value, evaluate(symbols, functions));
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return *i;
    if (const bool* b = std::get_if<bool>(&value))
        return std::int64_t{*b ? 1 : 0};
    if (const double* d = std::get_if<double>(&value)) {
        if (*d == std::trunc(*d) && *d >= -9223372036854775808.0 && *d < 9223372036854775808.0)
            return static_cast<std::int64_t>(*d);
    }
    return makeError(ErrorCode::InvalidArgument,
                     "expression \"" + text() + "\" is " + valueText(value) + ", not an integer");
}

Result<double> Expression::evaluateNumber(const Symbols& symbols, const Functions& functions) const
{
    FS_TRY(value, evaluate(symbols, functions));
    if (const double* d = std::get_if<double>(&value))
        return *d;
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*i);
    if (const bool* b = std::get_if<bool>(&value))
        return *b ? 1.0 : 0.0;
    return makeError(ErrorCode::InvalidArgument,
                     "expression \"" + text() + "\" is the text '" + valueText(value) + "', not a number");
}

Result<bool> Expression::evaluateBool(const Symbols& symbols, const Functions& functions) const
{
    FS_TRY(value, evaluate(symbols, functions));
    if (const bool* b = std::get_if<bool>(&value))
        return *b;
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return *i != 0;
    if (const double* d = std::get_if<double>(&value))
        return *d != 0;
    return makeError(ErrorCode::InvalidArgument,
                     "expression \"" + text() + "\" is the text '" + valueText(value) + "', not a condition");
}

} // namespace foresight
