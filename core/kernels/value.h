// SPDX-License-Identifier: Apache-2.0
// Values of symbols, tuning parameters and expressions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace foresight {

using Value = std::variant<bool, std::int64_t, double, std::string>;
using Symbols = std::map<std::string, Value, std::less<>>;

// "true", "42", "1e-05" (shortest round trip), or the string itself without quotes.
std::string valueText(const Value& value);
// "A=1,B=two" in key order: the canonical text of a configuration, used as key and for hashing.
std::string symbolsText(const Symbols& symbols);
// Equality with numeric promotion: true == 1 == 1.0.
bool valuesEqual(const Value& a, const Value& b);

} // namespace foresight
