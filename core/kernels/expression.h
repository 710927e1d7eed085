// SPDX-License-Identifier: Apache-2.0
// The small safe expression language of plans, families and mappings:
//   literals (1, 2.5, 'text', true, false), symbols, + - * / // % unary -, == != < <= > >=, and or not,
//   `a if c else b`, x in (1, 2), x not in [1, 2], min max abs ceildiv log2 pow2ceil int float, and functions given
//   by the caller. Comparisons chain (a < b < c). `and`, `or`, `if` and chains evaluate no more than they need.
// Integers are int64 with overflow, division by zero and lossy conversion reported as errors; `/` yields a double,
// `//` and `%` floor like Python. Python's and C's spellings of logic (&&, ||, !) are both read, so constraints of
// Kernel Tuner and T1 files evaluate too. Nesting and length are limited; no evaluation has side effects.
#pragma once

#include "core/base/result.h"
#include "core/kernels/value.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

class Expression {
public:
    // Names what the expression may call beyond the built-in functions, e.g. dim(0, 1) in an operator mapping.
    using Functions = std::function<Result<Value>(std::string_view name, std::span<const Value> arguments)>;

    Expression(); // the literal 0
    static Result<Expression> parse(std::string_view text);

    Result<Value> evaluate(const Symbols& symbols, const Functions& functions = {}) const;
    Result<std::int64_t> evaluateInteger(const Symbols& symbols, const Functions& functions = {}) const;
    Result<double> evaluateNumber(const Symbols& symbols, const Functions& functions = {}) const;
    Result<bool> evaluateBool(const Symbols& symbols, const Functions& functions = {}) const;

    // The fast path of enumeration: values[i] belongs to symbolNames()[i] and may be null when not yet known (an
    // error only if the evaluation reaches it).
    Result<Value> evaluateSlots(std::span<const Value* const> values, const Functions& functions = {}) const;

    const std::string& text() const;
    // Symbols read by the expression, sorted, each once.
    const std::vector<std::string>& symbolNames() const;

    struct Node;
    struct Program;

private:
    std::shared_ptr<const Program> m_program;
};

} // namespace foresight
