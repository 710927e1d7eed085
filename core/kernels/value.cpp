// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/value.h"

#include <charconv>
#include <cmath>

namespace foresight {

namespace {

// A double as int64 when that loses nothing.
bool exactInteger(double value, std::int64_t* out)
{
    if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0) || value != std::trunc(value))
        return false;
    *out = static_cast<std::int64_t>(value);
    return true;
}

} // namespace

std::string valueText(const Value& value)
{
    if (const bool* b = std::get_if<bool>(&value))
        return *b ? "true" : "false";
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    char buffer[40];
    std::to_chars_result end{};
    if (const auto* i = std::get_if<std::int64_t>(&value))
        end = std::to_chars(buffer, buffer + sizeof buffer, *i);
    else
        end = std::to_chars(buffer, buffer + sizeof buffer, *std::get_if<double>(&value));
    return std::string(buffer, end.ptr);
}

std::string symbolsText(const Symbols& symbols)
{
    std::string text;
    for (const auto& [name, value] : symbols) {
        if (!text.empty())
            text += ',';
        text += name;
        text += '=';
        text += valueText(value);
    }
    return text;
}

bool valuesEqual(const Value& a, const Value& b)
{
    const auto* textA = std::get_if<std::string>(&a);
    const auto* textB = std::get_if<std::string>(&b);
    if (textA || textB)
        return textA && textB && *textA == *textB;
    const auto integer = [](const Value& v, std::int64_t* out) {
        if (const bool* flag = std::get_if<bool>(&v)) {
            *out = *flag ? 1 : 0;
            return true;
        }
        if (const auto* i = std::get_if<std::int64_t>(&v)) {
            *out = *i;
            return true;
        }
        return exactInteger(std::get<double>(v), out);
    };
    std::int64_t x = 0, y = 0;
    const bool wholeA = integer(a, &x), wholeB = integer(b, &y);
    if (wholeA && wholeB)
        return x == y;
    if (wholeA != wholeB)
        return false;
    return std::get<double>(a) == std::get<double>(b);
}

} // namespace foresight
