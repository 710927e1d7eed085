// SPDX-License-Identifier: Apache-2.0
// The parsed form of an expression, shared by the parser and the evaluator only.
#pragma once

#include "core/kernels/expression.h"

namespace foresight {

enum class ExprOp {
    Literal,
    Symbol,
    Call,
    Negate,
    Plus,
    Not,
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    And,
    Or,
    If,      // If: children are condition, then, else
    Compare, // children a, b, c ...; `comparisons` has one entry fewer
    In,
    NotIn, // children: the value, then the members
};

enum class Comparison { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

struct Expression::Node
{
    ExprOp op = ExprOp::Literal;
    Value literal;
    std::size_t slot = 0; // Symbol: index into Program::symbols
    std::string function; // Call
    std::vector<Comparison> comparisons;
    std::vector<Node> children;
};

struct Expression::Program
{
    std::string text;
    std::vector<std::string> symbols; // sorted
    Node root;
};

inline constexpr std::size_t kMaxExpressionLength = 4096;
inline constexpr int kMaxExpressionDepth = 64;

// True when the name is one of the functions every expression may call.
bool isBuiltinFunction(std::string_view name);

} // namespace foresight
