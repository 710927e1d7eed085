// SPDX-License-Identifier: Apache-2.0
// Configuration spaces by themselves: lookups, distance, neighbourhoods, duplicates.
#include "core/kernels/config_space.h"

#include <QtTest>

using namespace foresight;

namespace {

std::vector<TuningParameter> parameters()
{
    return {{"A", {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}}, ""},
            {"B", {false, true}, ""},
            {"C", {std::string("x"), std::string("y")}, ""}};
}

ConfigSpace full()
{
    std::vector<std::uint16_t> codes;
    for (std::uint16_t a = 0; a < 3; ++a)
        for (std::uint16_t b = 0; b < 2; ++b)
            for (std::uint16_t c = 0; c < 2; ++c)
                codes.insert(codes.end(), {a, b, c});
    return ConfigSpace(parameters(), codes);
}

} // namespace

class TestConfigSpace : public QObject
{
    Q_OBJECT

private slots:
    void findsEveryConfiguration()
    {
        const ConfigSpace space = full();
        QCOMPARE(space.size(), std::size_t{12});
        for (std::size_t i = 0; i < space.size(); ++i)
            QCOMPARE(space.find(space.configuration(i)), std::optional<std::size_t>(i));
        QCOMPARE(space.text(0), std::string("A=1,B=false,C=x"));
        Symbols other = space.configuration(3);
        other["A"] = 1.0; // numbers compare by value
        QCOMPARE(space.find(other), std::optional<std::size_t>(3));
        other["A"] = std::int64_t{3};
        QVERIFY(!space.find(other));
        other.erase("A");
        QVERIFY(!space.find(other));
    }

    void duplicatesCollapse()
    {
        const ConfigSpace space(parameters(), {0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 1, 1, 1, 0, 0});
        QCOMPARE(space.size(), std::size_t{3});
        QCOMPARE(space.text(2), std::string("A=4,B=true,C=y"));
    }

    void neighbourhoods()
    {
        const ConfigSpace space = full();
        for (std::size_t i = 0; i < space.size(); ++i) {
            for (int radius = 1; radius <= 3; ++radius) {
                std::vector<std::uint32_t> expected;
                for (std::size_t j = 0; j < space.size(); ++j)
                    if (j != i && space.distance(i, j) <= radius)
                        expected.push_back(static_cast<std::uint32_t>(j));
                QCOMPARE(space.neighbours(i, radius), expected);
            }
            QCOMPARE(space.neighbours(i, 1).size(), std::size_t{2 + 1 + 1});
            QCOMPARE(space.neighbours(i, 3).size(), std::size_t{11});
        }
    }

    void empty()
    {
        const ConfigSpace none;
        QCOMPARE(none.size(), std::size_t{0});
        QVERIFY(!none.find({}));
        const ConfigSpace nothingValid(parameters(), {});
        QCOMPARE(nothingValid.size(), std::size_t{0});
        QCOMPARE(nothingValid.parameterCount(), std::size_t{3});
    }
};

QTEST_APPLESS_MAIN(TestConfigSpace)
#include "tst_config_space.moc"
