// SPDX-License-Identifier: Apache-2.0
// The expression language: known answers, errors, and random trees evaluated by an independent oracle in this
// file.
#include "core/base/random.h"
#include "core/kernels/expression.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace foresight;

namespace {

Symbols kSymbols = {{"N", std::int64_t{12}}, {"half", 0.5}, {"flag", true}, {"name", std::string("f16")}};

std::string evaluated(const std::string& text)
{
    auto parsed = Expression::parse(text);
    if (!parsed)
        return "parse error";
    auto value = parsed->evaluate(kSymbols);
    return value ? valueText(*value) : "error";
}

// The oracle works on its own tree, in 128 bits, and prints it fully bracketed.
__extension__ typedef __int128 Wide;

struct OracleValue
{
    bool failed = false, isBool = false;
    Wide value = 0;
};

struct OracleTree
{
    std::string text;
    OracleValue value;
};

constexpr Wide kMin = std::numeric_limits<std::int64_t>::min();
constexpr Wide kMax = std::numeric_limits<std::int64_t>::max();

OracleValue checked(Wide v)
{
    const bool failed = v < kMin || v > kMax;
    return {failed, false,
            failed ? 0 : v}; // what failed stays failed; its value must not overflow the oracle's type
}

OracleTree randomTree(Random& random, int depth)
{
    if (depth == 0 || random.below(8) == 0) {
        static const std::int64_t kLeaves[] = {
            0, 1, 2, 3, 7, 12, 255, 4096, 65537, 2147483647, 4611686018427387904};
        if (random.below(5) == 0)
            return {"N", {false, false, 12}};
        const std::int64_t leaf = kLeaves[random.below(std::size(kLeaves))];
        return {std::to_string(leaf), {false, false, leaf}};
    }
    const OracleTree a = randomTree(random, depth - 1), b = randomTree(random, depth - 1);
    const Wide x = a.value.value, y = b.value.value;
    const bool either = a.value.failed || b.value.failed;
    const auto binary = [&](const char* op, OracleValue v) {
        v.failed = v.failed || either;
        return OracleTree{"(" + a.text + op + b.text + ")", v};
    };
    const auto boolean = [](bool v) { return OracleValue{false, true, v}; };
    switch (random.below(14)) {
    case 0:
        return binary(" + ", checked(x + y));
    case 1:
        return binary(" - ", checked(x - y));
    case 2:
        return binary("*", checked(x * y));
    case 3:
    case 4: {
        if (y == 0)
            return binary(random.below(2) ? "//" : "%", {true, false, 0});
        Wide quotient = x / y;
        if (x % y != 0 && ((x < 0) != (y < 0)))
            quotient -= 1;
        if (random.below(2))
            return binary("//", checked(quotient));
        return binary(" % ", checked(x - quotient * y));
    }
    case 5:
        return binary(" < ", boolean(x < y));
    case 6:
        return binary(" >= ", boolean(x >= y));
    case 7:
        return binary(" == ", boolean(x == y));
    case 8: {
        OracleValue v = boolean(x != 0 && y != 0);
        v.failed = a.value.failed || (x != 0 && b.value.failed);
        return {"(" + a.text + (random.below(2) ? " and " : " && ") + b.text + ")", v};
    }
    case 9: {
        OracleValue v = boolean(x != 0 || y != 0);
        v.failed = a.value.failed || (x == 0 && b.value.failed);
        return {"(" + a.text + (random.below(2) ? " or " : "||") + b.text + ")", v};
    }
    case 10: {
        const OracleTree c = randomTree(random, depth - 1);
        OracleValue v = c.value.value != 0 ? a.value : b.value;
        v.failed = v.failed || c.value.failed;
        return {"(" + a.text + " if " + c.text + " else " + b.text + ")", v};
    }
    case 11: {
        OracleValue v = checked(-x);
        v.failed = v.failed || a.value.failed;
        return {"(-" + a.text + ")", v};
    }
    case 12: {
        OracleValue v = x < y ? a.value : b.value;
        if (x == y)
            v = a.value;
        if (v.isBool)
            return binary("+",
                          checked(x + y)); // min(bool, int) keeps the type of either: not what is tested here
        v.failed = either;
        return {"min(" + a.text + ", " + b.text + ")", v};
    }
    default: {
        const OracleTree c = randomTree(random, depth - 1);
        OracleValue v = boolean(x < y && y <= c.value.value);
        v.failed = either || (x < y && c.value.failed);
        return {"(" + a.text + " < " + b.text + " <= " + c.text + ")", v};
    }
    }
}

} // namespace

class TestExpression : public QObject
{
    Q_OBJECT

private slots:
    void knownAnswers_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const std::pair<const char*, const char*> rows[] = {
            {"1 + 2 * 3", "7"},
            {"(1 + 2) * 3", "9"},
            {"-7 // 2", "-4"},
            {"-7 % 2", "1"},
            {"7 % -2", "-1"},
            {"-7.5 // 2", "-4"},
            {"7 / 2", "3.5"},
            {"6 / 2", "3"},
            {"2 - 3 - 4", "-5"},
            {"-2 * -3", "6"},
            {"N // 5 * 5 + N % 5 == N", "true"},
            {"1 < 2 < 3", "true"},
            {"1 < 3 < 2", "false"},
            {"3 > 2 == 2", "true"}, // a chain: 3 > 2 and 2 == 2
            {"not 1 == 2", "true"},
            {"!1 == 2", "false"}, // C: (!1) == 2
            {"N in (4, 8, 12)", "true"},
            {"N not in [4, 8]", "true"},
            {"N in ()", "false"},
            {"name in ('f16', 'bf16')", "true"},
            {"name == 'f32' or N > 10 and flag", "true"},
            {"1 if N > 20 else 2 if N > 10 else 3", "2"},
            {"'big' if N > 10 else 'small'", "big"},
            {"min(3, 1, 2) + max(1.5, 1)", "2.5"},
            {"ceildiv(7, 2)", "4"},
            {"ceildiv(-7, 2)", "-3"},
            {"ceildiv(8, 2)", "4"},
            {"ceildiv(9223372036854775807, 2)", "4611686018427387904"},
            {"log2(8)", "3"},
            {"pow2ceil(5)", "8"},
            {"pow2ceil(8)", "8"},
            {"pow2ceil(0)", "1"},
            {"abs(-3) + abs(0.5)", "3.5"},
            {"int(3.9) + int(-3.9)", "0"},
            {"float(3) / 2", "1.5"},
            {"half * N", "6"},
            {"flag + 1", "2"},
            {"true == 1", "true"},
            {"9007199254740993 > 9007199254740992.0", "true"}, // exact, not through a double
            {"1e3", "1000"},
            {".5 + 2.", "2.5"},
            {"False and 1 // 0", "false"},
            {"1 or 1 // 0", "true"},
            {"2 < 1 < 1 // 0", "false"},
            {"5 if true else 1 // 0", "5"},
            {"\"a\" != 'b'", "true"},
            {"'a' == 1", "false"},
        };
        for (const auto& [text, expected] : rows)
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(expected);
    }
    void knownAnswers()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(evaluated(text.toStdString())), expected);
    }

    void errors_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        for (const char* text : {"",
                                 "1 +",
                                 "(1",
                                 "1)",
                                 "1 2",
                                 "a b",
                                 "1..2",
                                 "1e",
                                 "99999999999999999999",
                                 "'open",
                                 "'a\\n'",
                                 "x in 3",
                                 "1 < 2 in (1)",
                                 "1 if 2",
                                 "and 1",
                                 "@",
                                 "1 = 1",
                                 "f(1,,2)",
                                 "[1]",
                                 "else",
                                 "0x10",
                                 "1 ! 2",
                                 "N.real",
                                 "__import__('os').system('x')",
                                 "lambda: 1"})
            QTest::newRow(*text ? text : "empty")
                << QString::fromLatin1(text) << QStringLiteral("parse error");
        for (const char* text : {"1 // 0",
                                 "1 % 0",
                                 "1 / 0",
                                 "1.0 % 0.0",
                                 "missing + 1",
                                 "nothing(1)",
                                 "9223372036854775807 + 1",
                                 "-9223372036854775807 - 2",
                                 "4611686018427387904 * 2",
                                 "1e308 * 10",
                                 "'a' + 1",
                                 "'a' < 1",
                                 "not 'a'",
                                 "9007199254740993 + 0.5",
                                 "log2(0)",
                                 "ceildiv(1, 0)",
                                 "ceildiv(1.5, 2)",
                                 "min()",
                                 "pow2ceil(0.5)",
                                 "-'a'",
                                 "(-9223372036854775807 - 1) // -1",
                                 "abs(-9223372036854775807 - 1)",
                                 "1 / 9007199254740993"})
            QTest::newRow(text) << QString::fromLatin1(text) << QStringLiteral("error");
    }
    void errors()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(evaluated(text.toStdString())), expected);
    }

    void limits()
    {
        const auto nested = [](int depth) {
            return std::string(static_cast<std::size_t>(depth), '(') + "1" +
                   std::string(static_cast<std::size_t>(depth), ')');
        };
        QCOMPARE(evaluated(nested(40)), std::string("1"));
        QCOMPARE(evaluated(nested(2000)), std::string("parse error"));
        QCOMPARE(evaluated(std::string(3000, '-') + "1"), std::string("parse error"));
        QCOMPARE(evaluated(std::string(5000, ' ') + "1"), std::string("parse error"));
        std::string chain = "1";
        for (int i = 0; i < 200; ++i)
            chain += "+1";
        QCOMPARE(evaluated(chain), std::string("201"));
    }

    void conversions()
    {
        const auto integer = [](const char* text) {
            return Expression::parse(text)->evaluateInteger(kSymbols);
        };
        QCOMPARE(*integer("8 / 2"), std::int64_t{4});
        QCOMPARE(*integer("flag"), std::int64_t{1});
        QVERIFY(!integer("7 / 2"));
        QVERIFY(!integer("name"));
        QCOMPARE(*Expression::parse("N")->evaluateNumber(kSymbols), 12.0);
        QVERIFY(!Expression::parse("name")->evaluateBool(kSymbols));
        QCOMPARE(Expression::parse("b + a * b - c(a)")->symbolNames(), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(Expression().text(), std::string("0"));
        QCOMPARE(*Expression().evaluateInteger({}), std::int64_t{0});
    }

    void callerFunctions()
    {
        const auto functions = [](std::string_view name, std::span<const Value> arguments) -> Result<Value> {
            if (name != "twice" || arguments.size() != 1)
                return makeError(ErrorCode::NotFound, "no such function");
            return Value(2 * std::get<std::int64_t>(arguments[0]));
        };
        QCOMPARE(*Expression::parse("twice(N) + 1")->evaluateInteger(kSymbols, functions), std::int64_t{25});
        QVERIFY(!Expression::parse("thrice(N)")->evaluate(kSymbols, functions));
    }

    void randomTrees()
    {
        Random random(20260101);
        int failures = 0, successes = 0;
        for (int i = 0; i < 4000; ++i) {
            const OracleTree tree = randomTree(random, 1 + static_cast<int>(random.below(4)));
            if (tree.text.size() > 4000)
                continue;
            const auto parsed = Expression::parse(tree.text);
            QVERIFY2(parsed.ok(), tree.text.c_str());
            const auto value = parsed->evaluate(kSymbols);
            QVERIFY2(value.ok() != tree.value.failed, tree.text.c_str());
            if (!value) {
                ++failures;
                continue;
            }
            ++successes;
            QVERIFY2(std::holds_alternative<bool>(*value) == tree.value.isBool, tree.text.c_str());
            QVERIFY2(valuesEqual(*value, Value(static_cast<std::int64_t>(tree.value.value))),
                     tree.text.c_str());
        }
        QVERIFY(failures > 100 && successes > 1000); // both sides are really exercised
    }

    // Mutated text must give a value or an error, never a crash.
    void mutations()
    {
        Random random(7);
        int evaluations = 0;
        const std::string seed =
            "min(N, 3) * (1 if flag and N not in (1, 2.5) else ceildiv(N, 7)) // 2 % 5 <= 7 != "
            "-half || !flag and 'a' == name";
        const std::string alphabet = "()[]+-*/%<>=!&|,.'\"0129eNxif nota\\\xff";
        for (int i = 0; i < 20000; ++i) {
            std::string text = seed;
            for (std::uint64_t edits = 1 + random.below(6); edits > 0; --edits) {
                const auto at = static_cast<std::size_t>(random.below(text.size()));
                const char c = alphabet[static_cast<std::size_t>(random.below(alphabet.size()))];
                switch (random.below(3)) {
                case 0:
                    text[at] = c;
                    break;
                case 1:
                    text.insert(at, 1, c);
                    break;
                default:
                    text.erase(at, 1 + random.below(4));
                    break;
                }
                if (text.empty())
                    text = seed;
            }
            const auto parsed = Expression::parse(text);
            if (parsed)
                evaluations += parsed->evaluate(kSymbols).ok();
        }
        QVERIFY(evaluations > 100);
    }
};

QTEST_APPLESS_MAIN(TestExpression)
#include "tst_expression.moc"
