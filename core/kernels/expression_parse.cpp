// SPDX-License-Identifier: Apache-2.0
// Lexer and Pratt parser of the expression language.
#include "core/kernels/expression_node.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace foresight {

namespace {

enum class Tok { End, Number, Text, Name, Op };

struct Token
{
    Tok kind = Tok::End;
    std::string text; // of operators, names and strings
    Value number;
    std::size_t at = 0;
};

bool isNameStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool isNameChar(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

Error parseError(std::string_view text, std::size_t at, const std::string& what)
{
    return makeError(ErrorCode::ParseError, "expression \"" + std::string(text.substr(0, 200)) +
                                                "\": " + what + " at character " + std::to_string(at + 1));
}

Result<Token> lexNumber(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    bool real = false;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    if (end < text.size() && text[end] == '.') {
        real = true;
        ++end;
        while (end < text.size() && isDigit(text[end]))
            ++end;
    }
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
        std::size_t digits = end + 1;
        if (digits < text.size() && (text[digits] == '+' || text[digits] == '-'))
            ++digits;
        if (digits >= text.size() || !isDigit(text[digits]))
            return parseError(text, at, "a number without digits in its exponent");
        real = true;
        end = digits;
        while (end < text.size() && isDigit(text[end]))
            ++end;
    }
    if (end < text.size() && (isNameChar(text[end]) || text[end] == '.'))
        return parseError(text, at, "a malformed number");
    Token token{Tok::Number, std::string(text.substr(at, end - at)), {}, at};
    const char* first = text.data() + at;
    const char* last = text.data() + end;
    if (real) {
        double value = 0;
        if (std::from_chars(first, last, value).ec != std::errc())
            return parseError(text, at, "a number out of range");
        token.number = value;
    } else {
        std::int64_t value = 0;
        if (std::from_chars(first, last, value).ec != std::errc())
            return parseError(text, at, "an integer out of range");
        token.number = value;
    }
    return token;
}

Result<std::vector<Token>> lex(std::string_view text)
{
    static constexpr std::string_view kTwo[] = {"//", "==", "!=", "<=", ">=", "&&", "||"};
    std::vector<Token> tokens;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++at;
        } else if (isDigit(c) || (c == '.' && at + 1 < text.size() && isDigit(text[at + 1]))) {
            FS_TRY(token, lexNumber(text, at));
            at += token.text.size();
            tokens.push_back(std::move(token));
        } else if (isNameStart(c)) {
            std::size_t end = at;
            while (end < text.size() && isNameChar(text[end]))
                ++end;
            tokens.push_back({Tok::Name, std::string(text.substr(at, end - at)), {}, at});
            at = end;
        } else if (c == '\'' || c == '"') {
            const std::size_t end = text.find(c, at + 1);
            if (end == std::string_view::npos)
                return parseError(text, at, "a text that does not end");
            const std::string_view inside = text.substr(at + 1, end - at - 1);
            if (inside.find('\\') != std::string_view::npos)
                return parseError(text, at, "a backslash in a text (not supported)");
            tokens.push_back({Tok::Text, std::string(inside), {}, at});
            at = end + 1;
        } else {
            const std::string_view two = text.substr(at, 2);
            const bool isTwo = std::find(std::begin(kTwo), std::end(kTwo), two) != std::end(kTwo);
            if (!isTwo && std::string_view("+-*/%<>!()[],").find(c) == std::string_view::npos)
                return parseError(text, at, std::string("an unexpected character"));
            tokens.push_back({Tok::Op, std::string(text.substr(at, isTwo ? 2 : 1)), {}, at});
            at += isTwo ? 2 : 1;
        }
    }
    tokens.push_back({Tok::End, "", {}, text.size()});
    return tokens;
}

using Node = Expression::Node;

// Binding powers, loosest first, as in Python.
enum Power { kTernary = 1, kOr, kAnd, kNot, kCompare, kSum, kProduct, kUnary };

struct Infix
{
    ExprOp op;
    int power;
    Comparison comparison = Comparison::Equal;
};

class Parser
{
public:
    Parser(std::string_view text, std::vector<Token> tokens) : m_text(text), m_tokens(std::move(tokens)) {}

    Result<Node> run()
    {
        FS_TRY(node, expression(kTernary, 0));
        if (peek().kind != Tok::End)
            return unexpected();
        return node;
    }
    std::vector<std::string> takeSymbols() { return std::move(m_symbols); }

private:
    const Token& peek() const { return m_tokens[m_at]; }
    Token take() { return m_tokens[m_at + 1 < m_tokens.size() ? m_at++ : m_at]; }
    bool isOp(std::string_view text) const { return peek().kind == Tok::Op && peek().text == text; }
    bool isName(std::string_view text) const { return peek().kind == Tok::Name && peek().text == text; }
    bool accept(std::string_view op)
    {
        if (!isOp(op))
            return false;
        ++m_at;
        return true;
    }
    Error fail(const std::string& what) const { return parseError(m_text, peek().at, what); }
    Error unexpected() const
    {
        return fail(peek().kind == Tok::End ? "it ends too early" : "unexpected \"" + peek().text + "\"");
    }

    bool infix(Infix* out) const
    {
        const Token& token = peek();
        if (token.kind == Tok::Name) {
            if (token.text == "or")
                *out = {ExprOp::Or, kOr};
            else if (token.text == "and")
                *out = {ExprOp::And, kAnd};
            else if (token.text == "in")
                *out = {ExprOp::In, kCompare};
            else if (token.text == "not")
                *out = {ExprOp::NotIn, kCompare};
            else if (token.text == "if")
                *out = {ExprOp::If, kTernary};
            else
                return false;
            return true;
        }
        if (token.kind != Tok::Op)
            return false;
        static const std::pair<std::string_view, Infix> kTable[] = {
            {"||", {ExprOp::Or, kOr}},
            {"&&", {ExprOp::And, kAnd}},
            {"==", {ExprOp::Compare, kCompare, Comparison::Equal}},
            {"!=", {ExprOp::Compare, kCompare, Comparison::NotEqual}},
            {"<", {ExprOp::Compare, kCompare, Comparison::Less}},
            {"<=", {ExprOp::Compare, kCompare, Comparison::LessEqual}},
            {">", {ExprOp::Compare, kCompare, Comparison::Greater}},
            {">=", {ExprOp::Compare, kCompare, Comparison::GreaterEqual}},
            {"+", {ExprOp::Add, kSum}},
            {"-", {ExprOp::Subtract, kSum}},
            {"*", {ExprOp::Multiply, kProduct}},
            {"/", {ExprOp::Divide, kProduct}},
            {"//", {ExprOp::FloorDivide, kProduct}},
            {"%", {ExprOp::Modulo, kProduct}},
        };
        for (const auto& [text, entry] : kTable) {
            if (text == token.text) {
                *out = entry;
                return true;
            }
        }
        return false;
    }

    Result<Node> expression(int minPower, int depth)
    {
        if (depth > kMaxExpressionDepth)
            return fail("it is nested too deeply");
        FS_TRY(left, prefix(depth));
        // A long flat chain makes a deep tree on the left; the evaluator recurses over it.
        int chain = 0;
        Infix next{};
        while (infix(&next) && next.power >= minPower) {
            if (++chain > 4 * kMaxExpressionDepth)
                return fail("it has too many terms");
            FS_TRY(combined, combine(std::move(left), next, depth));
            left = std::move(combined);
        }
        return left;
    }

    Result<Node> combine(Node left, const Infix& next, int depth)
    {
        Node node;
        node.op = next.op;
        ++m_at;
        if (next.op == ExprOp::If) {
            FS_TRY(condition, expression(kOr, depth + 1));
            if (!isName("else"))
                return fail("\"if\" without \"else\"");
            ++m_at;
            FS_TRY(otherwise, expression(kTernary, depth + 1));
            node.children.push_back(std::move(condition));
            node.children.push_back(std::move(left));
            node.children.push_back(std::move(otherwise));
            return node;
        }
        if (next.op == ExprOp::In || next.op == ExprOp::NotIn) {
            if (next.op == ExprOp::NotIn) {
                if (!isName("in"))
                    return unexpected();
                ++m_at;
            }
            if (infixIsComparison())
                return unexpected();
            node.children.push_back(std::move(left));
            FS_CHECK(members(&node, depth));
            Infix after{};
            if (infix(&after) && after.power == kCompare)
                return fail("\"in\" cannot be chained with another comparison; use brackets");
            return node;
        }
        FS_TRY(right, expression(next.power + 1, depth + 1));
        node.children.push_back(std::move(left));
        node.children.push_back(std::move(right));
        if (next.op != ExprOp::Compare)
            return node;
        node.comparisons.push_back(next.comparison);
        Infix more{};
        while (infix(&more) && more.power == kCompare) {
            if (more.op != ExprOp::Compare)
                return fail("\"in\" cannot be chained with another comparison; use brackets");
            if (node.children.size() > static_cast<std::size_t>(kMaxExpressionDepth))
                return fail("too many comparisons in a chain");
            ++m_at;
            FS_TRY(operand, expression(kCompare + 1, depth + 1));
            node.children.push_back(std::move(operand));
            node.comparisons.push_back(more.comparison);
        }
        return node;
    }

    bool infixIsComparison() const
    {
        Infix next{};
        return peek().kind == Tok::Op && infix(&next) && next.power == kCompare;
    }

    // The list after `in`: (1, 2), (1,), [1, 2] or [].
    Result<void> members(Node* node, int depth)
    {
        const std::string close = isOp("(") ? ")" : "]";
        if (!accept("(") && !accept("["))
            return fail("\"in\" needs a list such as (1, 2)");
        while (!accept(close)) {
            FS_TRY(member, expression(kTernary, depth + 1));
            node->children.push_back(std::move(member));
            if (!accept(",") && !isOp(close))
                return unexpected();
        }
        return {};
    }

    Result<Node> prefix(int depth)
    {
        if (depth > kMaxExpressionDepth)
            return fail("it is nested too deeply");
        const Token token = take();
        Node node;
        switch (token.kind) {
        case Tok::Number:
            node.literal = token.number;
            return node;
        case Tok::Text:
            node.literal = token.text;
            return node;
        case Tok::Name:
            return name(token, depth);
        case Tok::Op:
            break;
        case Tok::End:
            return unexpected();
        }
        if (token.text == "(") {
            FS_TRY(inside, expression(kTernary, depth + 1));
            if (!accept(")"))
                return unexpected();
            return inside;
        }
        if (token.text != "-" && token.text != "+" && token.text != "!") {
            --m_at;
            return unexpected();
        }
        node.op = token.text == "-" ? ExprOp::Negate : token.text == "+" ? ExprOp::Plus : ExprOp::Not;
        FS_TRY(operand, expression(kUnary, depth + 1));
        node.children.push_back(std::move(operand));
        return node;
    }

    Result<Node> name(const Token& token, int depth)
    {
        static constexpr std::string_view kReserved[] = {"and", "or", "in", "if", "else"};
        Node node;
        if (token.text == "true" || token.text == "True" || token.text == "false" || token.text == "False") {
            node.literal = token.text == "true" || token.text == "True";
            return node;
        }
        if (token.text == "not") {
            node.op = ExprOp::Not;
            FS_TRY(operand, expression(kNot, depth + 1));
            node.children.push_back(std::move(operand));
            return node;
        }
        if (std::find(std::begin(kReserved), std::end(kReserved), token.text) != std::end(kReserved))
            return parseError(m_text, token.at, "unexpected \"" + token.text + "\"");
        if (!accept("(")) {
            node.op = ExprOp::Symbol;
            const auto found = std::find(m_symbols.begin(), m_symbols.end(), token.text);
            node.slot = static_cast<std::size_t>(found - m_symbols.begin());
            if (found == m_symbols.end())
                m_symbols.push_back(token.text);
            return node;
        }
        node.op = ExprOp::Call;
        node.function = token.text;
        while (!accept(")")) {
            FS_TRY(argument, expression(kTernary, depth + 1));
            node.children.push_back(std::move(argument));
            if (!accept(",") && !isOp(")"))
                return unexpected();
        }
        return node;
    }

    std::string_view m_text;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    std::vector<std::string> m_symbols; // in order of appearance
};

void renumber(Node* node, const std::vector<std::size_t>& slots)
{
    if (node->op == ExprOp::Symbol)
        node->slot = slots[node->slot];
    for (Node& child : node->children)
        renumber(&child, slots);
}

} // namespace

Result<Expression> Expression::parse(std::string_view text)
{
    if (text.size() > kMaxExpressionLength)
        return parseError(text, kMaxExpressionLength,
                          "it is longer than " + std::to_string(kMaxExpressionLength) + " characters");
    FS_TRY(tokens, lex(text));
    Parser parser(text, std::move(tokens));
    FS_TRY(root, parser.run());
    const std::vector<std::string> found = parser.takeSymbols();
    auto program = std::make_shared<Program>();
    program->text = std::string(text);
    program->symbols = found;
    std::sort(program->symbols.begin(), program->symbols.end());
    std::vector<std::size_t> slots;
    for (const std::string& symbol : found)
        slots.push_back(static_cast<std::size_t>(
            std::lower_bound(program->symbols.begin(), program->symbols.end(), symbol) -
            program->symbols.begin()));
    renumber(&root, slots);
    program->root = std::move(root);
    Expression result;
    result.m_program = std::move(program);
    return result;
}

} // namespace foresight
