// SPDX-License-Identifier: Apache-2.0
// Evaluation: a walk over the tree. Errors are kept aside so that the common path moves only values.
#include "core/kernels/expression_node.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace foresight {

namespace {

using Node = Expression::Node;
using Integer = std::int64_t;

constexpr Integer kExact = Integer{1} << 53; // every integer up to here is a double

class Evaluator
{
public:
    Evaluator(const Expression::Program& program, std::span<const Value* const> values,
              const Expression::Functions& functions)
        : m_program(program), m_values(values), m_functions(functions)
    {
    }

    Result<Value> run()
    {
        Value value;
        if (!evaluate(m_program.root, &value))
            return m_error;
        return value;
    }

private:
    bool fail(const std::string& what, ErrorCode code = ErrorCode::InvalidArgument)
    {
        m_error = makeError(code, "expression \"" + m_program.text + "\": " + what);
        return false;
    }

    bool evaluate(const Node& node, Value* out)
    {
        switch (node.op) {
        case ExprOp::Literal:
            *out = node.literal;
            return true;
        case ExprOp::Symbol:
            return symbol(node, out);
        case ExprOp::Call:
            return call(node, out);
        case ExprOp::Negate:
        case ExprOp::Plus:
            return sign(node, out);
        case ExprOp::Not: {
            bool flag = false;
            if (!truth(node.children[0], &flag))
                return false;
            *out = !flag;
            return true;
        }
        case ExprOp::And:
        case ExprOp::Or: {
            bool flag = false;
            if (!truth(node.children[0], &flag))
                return false;
            if (flag == (node.op == ExprOp::And) && !truth(node.children[1], &flag))
                return false;
            *out = flag;
            return true;
        }
        case ExprOp::If: {
            bool flag = false;
            return truth(node.children[0], &flag) && evaluate(node.children[flag ? 1 : 2], out);
        }
        case ExprOp::Compare:
            return chain(node, out);
        case ExprOp::In:
        case ExprOp::NotIn:
            return membership(node, out);
        default:
            break;
        }
        Value a, b;
        return evaluate(node.children[0], &a) && evaluate(node.children[1], &b) &&
               arithmetic(node.op, a, b, out);
    }

    bool symbol(const Node& node, Value* out)
    {
        const Value* value = node.slot < m_values.size() ? m_values[node.slot] : nullptr;
        if (!value)
            return fail("unknown symbol '" + m_program.symbols[node.slot] + "'", ErrorCode::NotFound);
        *out = *value;
        return true;
    }

    bool truth(const Node& node, bool* out)
    {
        Value value;
        if (!evaluate(node, &value))
            return false;
        if (const bool* b = std::get_if<bool>(&value))
            *out = *b;
        else if (const Integer* i = std::get_if<Integer>(&value))
            *out = *i != 0;
        else if (const double* d = std::get_if<double>(&value))
            *out = *d != 0;
        else
            return fail("the text '" + std::get<std::string>(value) + "' is used as a condition");
        return true;
    }

    static bool asInteger(const Value& value, Integer* out)
    {
        if (const Integer* i = std::get_if<Integer>(&value))
            *out = *i;
        else if (const bool* b = std::get_if<bool>(&value))
            *out = *b ? 1 : 0;
        else
            return false;
        return true;
    }

    bool asDouble(const Value& value, double* out)
    {
        if (const double* d = std::get_if<double>(&value)) {
            *out = *d;
            return true;
        }
        Integer i = 0;
        if (!asInteger(value, &i))
            return fail("the text '" + valueText(value) + "' is used as a number");
        *out = static_cast<double>(i);
        if (i > kExact || i < -kExact)
            return fail("the integer " + std::to_string(i) + " is too large to be used with a fraction");
        return true;
    }

    bool finite(double value, Value* out)
    {
        if (!std::isfinite(value))
            return fail("the result is not a finite number");
        *out = value;
        return true;
    }

    bool sign(const Node& node, Value* out)
    {
        Value value;
        if (!evaluate(node.children[0], &value))
            return false;
        if (const double* d = std::get_if<double>(&value)) {
            *out = node.op == ExprOp::Negate ? -*d : *d;
            return true;
        }
        Integer i = 0;
        if (!asInteger(value, &i))
            return fail("a sign in front of the text '" + valueText(value) + "'");
        if (node.op == ExprOp::Negate && __builtin_sub_overflow(Integer{0}, i, &i))
            return fail("integer overflow");
        *out = i;
        return true;
    }

    bool arithmetic(ExprOp op, const Value& a, const Value& b, Value* out)
    {
        Integer x = 0, y = 0;
        if (op != ExprOp::Divide && asInteger(a, &x) && asInteger(b, &y)) {
            Integer r = 0;
            bool overflow = false;
            switch (op) {
            case ExprOp::Add:
                overflow = __builtin_add_overflow(x, y, &r);
                break;
            case ExprOp::Subtract:
                overflow = __builtin_sub_overflow(x, y, &r);
                break;
            case ExprOp::Multiply:
                overflow = __builtin_mul_overflow(x, y, &r);
                break;
            default:
                return floorDivide(op, x, y, out);
            }
            if (overflow)
                return fail("integer overflow");
            *out = r;
            return true;
        }
        double p = 0, q = 0;
        if (!asDouble(a, &p) || !asDouble(b, &q))
            return false;
        switch (op) {
        case ExprOp::Add:
            return finite(p + q, out);
        case ExprOp::Subtract:
            return finite(p - q, out);
        case ExprOp::Multiply:
            return finite(p * q, out);
        default:
            break;
        }
        if (q == 0)
            return fail("division by zero");
        if (op == ExprOp::Divide)
            return finite(p / q, out);
        if (op == ExprOp::FloorDivide)
            return finite(std::floor(p / q), out);
        double rest = std::fmod(p, q);
        if (rest != 0 && (rest < 0) != (q < 0))
            rest += q;
        return finite(rest, out);
    }

    bool floorDivide(ExprOp op, Integer x, Integer y, Value* out)
    {
        if (y == 0)
            return fail("division by zero");
        if (y == -1) { // the one quotient that can overflow, and a remainder that would trap
            Integer r = 0;
            if (op == ExprOp::FloorDivide && __builtin_sub_overflow(Integer{0}, x, &r))
                return fail("integer overflow");
            *out = r;
            return true;
        }
        Integer quotient = x / y, rest = x % y;
        if (rest != 0 && (rest < 0) != (y < 0)) {
            --quotient;
            rest += y;
        }
        *out = op == ExprOp::FloorDivide ? quotient : rest;
        return true;
    }

    // -1, 0, 1; exact also between an integer and a double. NaN cannot occur.
    static int order(Integer i, double d)
    {
        if (d >= 9223372036854775808.0)
            return -1;
        if (d < -9223372036854775808.0)
            return 1;
        const double whole = std::floor(d);
        const auto w = static_cast<Integer>(whole);
        if (i != w)
            return i < w ? -1 : 1;
        return d > whole ? -1 : 0;
    }

    bool compare(Comparison comparison, const Value& a, const Value& b, bool* out)
    {
        const auto* textA = std::get_if<std::string>(&a);
        const auto* textB = std::get_if<std::string>(&b);
        int relation = 0;
        if (textA && textB) {
            relation = textA->compare(*textB);
        } else if (textA || textB) {
            if (comparison != Comparison::Equal && comparison != Comparison::NotEqual)
                return fail("a text is compared with a number");
            relation = 1;
        } else {
            Integer x = 0, y = 0;
            const bool wholeA = asInteger(a, &x), wholeB = asInteger(b, &y);
            if (wholeA && wholeB) {
                relation = x < y ? -1 : x > y;
            } else if (wholeA) {
                relation = order(x, std::get<double>(b));
            } else if (wholeB) {
                relation = -order(y, std::get<double>(a));
            } else {
                const double p = std::get<double>(a), q = std::get<double>(b);
                relation = p < q ? -1 : p > q;
            }
        }
        switch (comparison) {
        case Comparison::Equal:
            *out = relation == 0;
            break;
        case Comparison::NotEqual:
            *out = relation != 0;
            break;
        case Comparison::Less:
            *out = relation < 0;
            break;
        case Comparison::LessEqual:
            *out = relation <= 0;
            break;
        case Comparison::Greater:
            *out = relation > 0;
            break;
        case Comparison::GreaterEqual:
            *out = relation >= 0;
            break;
        }
        return true;
    }

    bool chain(const Node& node, Value* out)
    {
        Value left, right;
        if (!evaluate(node.children[0], &left))
            return false;
        for (std::size_t i = 0; i < node.comparisons.size(); ++i) {
            bool holds = false;
            if (!evaluate(node.children[i + 1], &right) || !compare(node.comparisons[i], left, right, &holds))
                return false;
            if (!holds) {
                *out = false;
                return true;
            }
            std::swap(left, right);
        }
        *out = true;
        return true;
    }

    bool membership(const Node& node, Value* out)
    {
        Value value, member;
        if (!evaluate(node.children[0], &value))
            return false;
        bool found = false;
        for (std::size_t i = 1; i < node.children.size() && !found; ++i) {
            if (!evaluate(node.children[i], &member) || !compare(Comparison::Equal, value, member, &found))
                return false;
        }
        *out = found == (node.op == ExprOp::In);
        return true;
    }

    bool call(const Node& node, Value* out)
    {
        std::vector<Value> arguments(node.children.size());
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (!evaluate(node.children[i], &arguments[i]))
                return false;
        if (isBuiltinFunction(node.function))
            return builtin(node.function, arguments, out);
        if (!m_functions)
            return fail("unknown function '" + node.function + "'", ErrorCode::NotFound);
        Result<Value> result = m_functions(node.function, arguments);
        if (!result) {
            m_error = result.error().within("expression \"" + m_program.text + "\"");
            return false;
        }
        *out = std::move(*result);
        return true;
    }

    bool builtin(const std::string& name, std::span<const Value> arguments, Value* out)
    {
        if (name == "min" || name == "max") {
            if (arguments.empty())
                return fail(name + " needs an argument");
            std::size_t best = 0;
            double ignored = 0;
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                bool better = false;
                if (!std::holds_alternative<Integer>(arguments[i]) && !asDouble(arguments[i], &ignored))
                    return false;
                if (!compare(name == "min" ? Comparison::Less : Comparison::Greater, arguments[i],
                             arguments[best], &better))
                    return false;
                if (better)
                    best = i;
            }
            *out = arguments[best];
            return true;
        }
        const std::size_t wanted = name == "ceildiv" ? 2 : 1;
        if (arguments.size() != wanted)
            return fail(name + " needs " + std::to_string(wanted) +
                        (wanted == 1 ? " argument" : " arguments"));
        Integer x = 0, y = 0;
        const bool whole = asInteger(arguments[0], &x);
        if (name == "ceildiv") {
            if (!whole || !asInteger(arguments[1], &y))
                return fail("ceildiv needs integers");
            // ceil(x / y) = -floor(-x / y), written so that nothing overflows on the way.
            Value quotient, rest;
            if (!floorDivide(ExprOp::FloorDivide, x, y, &quotient) ||
                !floorDivide(ExprOp::Modulo, x, y, &rest))
                return false;
            *out = std::get<Integer>(quotient) + (std::get<Integer>(rest) != 0 ? 1 : 0);
            return true;
        }
        if (name == "pow2ceil") {
            if (!whole || x > (Integer{1} << 62))
                return fail("pow2ceil needs an integer up to 2^62");
            *out = x <= 1 ? Integer{1} : static_cast<Integer>(std::bit_ceil(static_cast<std::uint64_t>(x)));
            return true;
        }
        if (name == "abs" && whole) {
            if (x < 0 && __builtin_sub_overflow(Integer{0}, x, &x))
                return fail("integer overflow");
            *out = x;
            return true;
        }
        if (name == "int" && whole) {
            *out = x;
            return true;
        }
        double d = 0;
        if (!asDouble(arguments[0], &d))
            return false;
        if (name == "abs" || name == "float")
            return finite(name == "abs" ? std::abs(d) : d, out);
        if (name == "int") {
            if (!(std::abs(d) < 9223372036854775808.0))
                return fail("integer overflow");
            *out = static_cast<Integer>(std::trunc(d));
            return true;
        }
        if (d <= 0)
            return fail("log2 of a number that is not positive");
        return finite(std::log2(d), out);
    }

    const Expression::Program& m_program;
    std::span<const Value* const> m_values;
    const Expression::Functions& m_functions;
    Error m_error;
};

} // namespace

bool isBuiltinFunction(std::string_view name)
{
    static constexpr std::array<std::string_view, 8> kNames = {"min",  "max",      "abs", "ceildiv",
                                                               "log2", "pow2ceil", "int", "float"};
    for (std::string_view known : kNames)
        if (known == name)
            return true;
    return false;
}

Result<Value> Expression::evaluateSlots(std::span<const Value* const> values,
                                        const Functions& functions) const
{
    return Evaluator(*m_program, values, functions).run();
}

} // namespace foresight
