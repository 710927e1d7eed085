// SPDX-License-Identifier: Apache-2.0
#include "core/base/random.h"
#include "core/gpu/quad_stats.h"
#include "core/gpu/tolerance.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace foresight;

class TestQuadStats : public QObject
{
    Q_OBJECT

private slots:
    void quadIsTheLogOfTheSpeedup()
    {
        // Twice as fast at both ends: ln 2. A drift that doubles both sides cancels.
        QVERIFY(std::fabs(quadValue(2, 2, 1, 1) - std::log(2.0)) < 1e-15);
        QVERIFY(std::fabs(quadValue(2, 4, 1, 2) - std::log(2.0)) < 1e-15);
    }

    void intervalsAreTheOrderStatisticsOfTheDesign()
    {
        // Quads 1..n, shuffled: the k-th smallest is k.
        Random random(3);
        const auto shuffled = [&](int n) {
            std::vector<double> values;
            for (int i = 1; i <= n; ++i)
                values.push_back(i);
            for (std::size_t i = values.size(); i > 1; --i)
                std::swap(values[i - 1], values[random.below(i)]);
            return values;
        };
        const auto expect = [](const std::vector<double>& quads, int look, double median, double low,
                               double high) {
            const QuadSummary summary = summarizeQuads(quads);
            return summary.look == look && summary.median == median && summary.low == low &&
                   summary.high == high;
        };
        QVERIFY(expect(shuffled(12), 12, 6.5, 2, 11));
        QVERIFY(expect(shuffled(24), 24, 12.5, 6, 19));
        QVERIFY(expect(shuffled(48), 48, 24.5, 16, 33));
        QVERIFY(expect(shuffled(11), 0, 6, 1, 11)); // before the first look: no interval, the extremes
        QVERIFY(expect({}, 0, 0, 0, 0));
    }

    void quadsAfterALookDoNotEnter()
    {
        std::vector<double> quads(12, 0.0);
        quads.push_back(100);
        const QuadSummary summary = summarizeQuads(quads);
        QCOMPARE(summary.look, 12);
        QCOMPARE(summary.high, 0.0);
    }

    // The error of calling a difference where there is none, over the three looks together: .026 by design
    // 04. Exact by binomial sums; here by simulation: 20,000 searches give a standard error of .0011.
    void errorRateOverThreeLooks()
    {
        Random random(11);
        int called = 0;
        constexpr int kRuns = 20'000;
        for (int run = 0; run < kRuns; ++run) {
            std::vector<double> quads;
            for (int look : kLooks) {
                while (static_cast<int>(quads.size()) < look)
                    quads.push_back(random.normal());
                if (summarizeQuads(quads).decided()) {
                    ++called;
                    break;
                }
            }
        }
        const double rate = static_cast<double>(called) / kRuns;
        QVERIFY2(rate > 0.020 && rate < 0.032, qPrintable(QString::number(rate)));
    }

    void futility()
    {
        QVERIFY(!quadsFutile(std::vector<double>{-1, -1, -1}));
        QVERIFY(quadsFutile(std::vector<double>{-1, -1, -1, -1}));
        QVERIFY(!quadsFutile(std::vector<double>{-1, -1, -1, 0.01}));
        QVERIFY(!quadsFutile(std::vector<double>{-.05, -.05, -.05, -.05}));
    }

    void tolerances()
    {
        // Half a unit in the last place of bf16 is 2^-9: two roundings must pass, ten must not.
        const ToleranceTerms bf16 = toleranceFor(DType::BF16, 1);
        QVERIFY(bf16.at(1.0, 0) > 2 * 0x1p-8 && bf16.at(1.0, 0) < 10 * 0x1p-8);
        // fp32: a sum of 4,096 terms in fp32 must pass; an error of 1e-3 must not.
        const ToleranceTerms f32 = toleranceFor(DType::F32, 4096);
        QVERIFY(f32.at(1.0, 1.0) > 64 * 0x1p-24 && f32.at(1.0, 1.0) < 1e-3);
        // Grows with the reduction, and zero outputs of softmax size are not excused by an absolute term.
        QVERIFY(toleranceFor(DType::F32, 1e6).at(1, 0) > f32.at(1, 0));
        QVERIFY(f32.at(0.0, 1.0 / 2048) < 1e-6);
        QCOMPARE(toleranceFor(DType::I32, 100).at(5, 5), 0.0);
        // The test is written so that NaN fails.
        const double error = std::nan("");
        QVERIFY(!(error <= f32.at(1, 1)));
    }
};

QTEST_APPLESS_MAIN(TestQuadStats)
#include "tst_quad_stats.moc"
