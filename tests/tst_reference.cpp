// SPDX-License-Identifier: Apache-2.0
// The CPU references against values worked out by hand.
#include "core/kernels/family.h"
#include "core/kernels/reference.h"
#include "tests/family_testing.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace foresight;
using namespace foresight::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

} // namespace

class TestReference : public QObject
{
    Q_OBJECT

private slots:
    void groupNorm()
    {
        // Two groups of one channel, two pixels: (1, 3) has mean 2, variance 1; (10, 10) has variance 0.
        const Symbols sizes = {{"N", std::int64_t{1}}, {"C", std::int64_t{2}}, {"H", std::int64_t{1}},
                               {"W", std::int64_t{2}}, {"G", std::int64_t{2}}, {"eps", 3.0},
                               {"stats", true}};
        const auto out = cpuReference(problem("group_norm", sizes), {{1, 3, 10, 10}, {2, 5}, {1, -1}});
        QVERIFY(out.ok());
        QCOMPARE(out->size(), std::size_t{3});
        compare((*out)[0], {2 * -0.5 + 1, 2 * 0.5 + 1, -1, -1}); // 1 / sqrt(1 + 3) = 0.5
        compare((*out)[1], {2, 10});
        compare((*out)[2], {0.5, 1 / std::sqrt(3.0)});
    }

    void groupNormSilu()
    {
        const Symbols sizes = {{"C", std::int64_t{1}}, {"H", std::int64_t{2}}, {"G", std::int64_t{1}},
                               {"eps", 0.0},           {"silu", true},         {"affine", false}};
        const auto out = cpuReference(problem("group_norm", sizes), {{-1, 1}});
        QVERIFY(out.ok());
        compare((*out)[0], {-1 / (1 + std::exp(1.0)), 1 / (1 + std::exp(-1.0))});
    }

    void groupNormSpoiledByInf()
    {
        const Symbols sizes = {{"C", std::int64_t{2}}, {"H", std::int64_t{2}}, {"G", std::int64_t{2}},
                               {"affine", false},      {"stats", true},        {"eps", 0.0}};
        const auto out = cpuReference(problem("group_norm", sizes), {{kInf, 1, 1, 3}});
        QVERIFY(out.ok());
        compare((*out)[0], {NAN, NAN, -1, 1});
        compare((*out)[1], {NAN, 2});
    }

    void rmsNorm()
    {
        const Symbols sizes = {{"ROWS", std::int64_t{2}},
                               {"COLS", std::int64_t{2}},
                               {"eps", 0.0},
                               {"weight_offset", std::int64_t{1}},
                               {"stats", true}};
        const auto out = cpuReference(problem("rms_norm", sizes), {{3, 4, 0.5, -0.5}, {0, 1}});
        QVERIFY(out.ok());
        const double inverse = 1 / std::sqrt(12.5);
        compare((*out)[0], {3 * inverse, 8 * inverse, 1, -2});
        compare((*out)[1], {inverse, 2});
    }

    void softmax()
    {
        const Symbols sizes = {{"ROWS", std::int64_t{4}}, {"COLS", std::int64_t{2}}};
        const double ln3 = std::log(3.0);
        const auto out = cpuReference(problem("softmax", sizes), {{0, ln3, -kInf, 5, -kInf, -kInf, kInf, 0}});
        QVERIFY(out.ok());
        compare((*out)[0], {0.25, 0.75, 0, 1, NAN, NAN, NAN, NAN});
        Symbols logarithm = {{"ROWS", std::int64_t{1}}, {"COLS", std::int64_t{2}}, {"log", true}};
        compare((*cpuReference(problem("softmax", logarithm), {{1000, 1000 + ln3}}))[0],
                {-std::log(4.0), std::log(0.75)});
    }

    void refusesWrongInputs()
    {
        const Symbols sizes = {{"ROWS", std::int64_t{2}}, {"COLS", std::int64_t{2}}};
        QVERIFY(!cpuReference(problem("softmax", sizes), {{1, 2, 3}}));
        QVERIFY(!cpuReference(problem("softmax", sizes), {{1, 2, 3, 4}, {1}}));
        Problem unknown = problem("softmax", sizes);
        unknown.family = "other";
        QCOMPARE(static_cast<int>(cpuReference(unknown, {{1, 2, 3, 4}}).error().code),
                 static_cast<int>(ErrorCode::Unsupported));
    }
};

QTEST_APPLESS_MAIN(TestReference)
#include "tst_reference.moc"
