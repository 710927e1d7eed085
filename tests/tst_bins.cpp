// SPDX-License-Identifier: Apache-2.0
#include "core/base/random.h"
#include "core/forecast/bins.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace foresight;

namespace {

const BinProbabilities kExample{0, 0, .02, .08, .3, .4, .15, .05}; // p* of design 05
const double kInfinity = std::numeric_limits<double>::infinity();

double above(double x)
{
    return std::nextafter(x, kInfinity);
}

double sum(const BinProbabilities& p)
{
    double s = 0;
    for (const double q : p)
        s += q;
    return s;
}

BinProbabilities randomBins(Random& random)
{
    BinProbabilities p;
    for (double& q : p)
        q = random.coin(.25) ? 0 : -std::log(1 - random.uniform());
    p[random.below(kBinCount)] += .01;
    const double total = sum(p);
    for (double& q : p)
        q /= total;
    return p;
}

int bin(double s, BinScheme scheme = BinScheme::Gf8Label)
{
    const auto b = binOf(s, scheme);
    return b ? *b : -1;
}

bool near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance;
}

} // namespace

class TestBins : public QObject
{
    Q_OBJECT
private slots:
    void labelEdgesAreUpperInclusive()
    {
        const double edges[] = {.25, .5, std::sqrt(.5), 1, std::sqrt(2.), 2, 4};
        for (int i = 0; i < 7; ++i) {
            QCOMPARE(bin(edges[i]), i + 1);
            QCOMPARE(bin(above(edges[i])), i + 2);
            QCOMPARE(bin(std::nextafter(edges[i], 0.)), i + 1);
            QCOMPARE(binEdges()[static_cast<std::size_t>(i)], edges[i]);
        }
        QCOMPARE(bin(std::exp2(-.5)), 3);
        QCOMPARE(bin(4), 7);
        QCOMPARE(bin(kInfinity), 8);
        QCOMPARE(bin(5e-324), 1);
    }

    void formulaEdgesAreLowerInclusive()
    {
        const auto formula = BinScheme::Gf8Formula;
        QCOMPARE(bin(4, formula), 8);
        QCOMPARE(bin(1, formula), 4);
        QCOMPARE(bin(.5, formula), 2);
        QCOMPARE(bin(std::nextafter(.5, 0.), formula), 1);
        QCOMPARE(bin(above(std::sqrt(2.))), 6);
        QCOMPARE(bin(above(std::sqrt(2.)), formula), 5);
        QCOMPARE(bin(std::nextafter(4., 0.), formula), 7);
        QCOMPARE(bin(kInfinity, formula), 8);
        // Against the published formula, away from its edges.
        Random random(7);
        for (int i = 0; i < 20000; ++i) {
            const double x = random.uniform() * 8 - 4.5;
            if (std::fabs(2 * x - std::round(2 * x)) < 1e-9)
                continue;
            const int expected = std::clamp(static_cast<int>(std::floor(2 * x)) + 4, 1, 8);
            QCOMPARE(bin(std::exp2(x), formula), expected);
        }
    }

    void whatIsNoSpeedupIsAnError()
    {
        for (const double s : {0., -0., -1., -kInfinity, std::nan("")})
            for (const auto scheme : {BinScheme::Gf8Label, BinScheme::Gf8Formula}) {
                const auto b = binOf(s, scheme);
                QVERIFY(!b);
                QCOMPARE(b.error().code, ErrorCode::InvalidArgument);
            }
    }

    void representativesAndNames()
    {
        const double expected[] = {.125, .3536, .5946, .8409, 1.1892, 1.6818, 2.8284, 5.6569};
        for (int b = 1; b <= 8; ++b) {
            QVERIFY(near(binRepresentative(b), expected[b - 1], 5e-5));
            QCOMPARE(bin(binRepresentative(b)), b);
            QCOMPARE(bin(binRepresentative(b, BinScheme::Gf8Formula), BinScheme::Gf8Formula), b);
        }
        QCOMPARE(binName(1), std::string_view("severe slowdown"));
        QCOMPARE(binName(8), std::string_view("extreme speedup"));
        QCOMPARE(binSchemeName(BinScheme::Gf8Formula), std::string_view("gf8-formula"));
    }

    void workedExample()
    {
        QVERIFY(near(geometricSpeedup(kExample), 1.6133, 5e-5));
        QVERIFY(near(arithmeticSpeedup(kExample), 1.8157, 5e-5));
        QVERIFY(near(meanBinIndex(kExample), 5.73, 1e-12));
        QCOMPARE(mostLikelyBin(kExample), 6);
        QCOMPARE(confidenceMax(kExample), .4);
        QVERIFY(near(confidenceEntropy(kExample), .306371, 5e-7));
        QVERIFY(near(topTwoMargin(kExample), .1, 1e-12));
        QVERIFY(near(probabilityAbove(kExample, 1), .9, 1e-12));
        QVERIFY(near(probabilityAbove(kExample, 4), .05, 1e-12));
        QVERIFY(near(probabilityAbove(kExample, std::exp2(.25)), .75, 1e-12));
        QCOMPARE(probabilityAbove(kExample, 0), 1.);
    }

    void workedShifts()
    {
        const double parent = std::log2(1.5);
        BinProbabilities four{};
        four[3] = 1;
        const auto shifted = shiftToBaseline(four, parent);
        QVERIFY(near(shifted[4], .83007, 5e-6));
        QVERIFY(near(shifted[5], .16993, 5e-6));
        const double expected[] = {0, 0, 0, .0166, .0698, .2626, .5132, .1377};
        const auto p = shiftToBaseline(kExample, parent);
        for (std::size_t i = 0; i < 8; ++i)
            QVERIFY2(near(p[i], expected[i], 5.1e-5), qPrintable(QString::number(p[i], 'g', 10)));
    }

    void shiftProperties()
    {
        Random random(11);
        for (int i = 0; i < 2000; ++i) {
            const auto p = randomBins(random);
            const double by = random.normal() * 2;
            const auto shifted = shiftToBaseline(p, by);
            QVERIFY(near(sum(shifted), 1, 1e-12));
            for (const double q : shifted)
                QVERIFY(q >= 0);
            const auto same = shiftToBaseline(p, 0);
            for (std::size_t b = 0; b < 8; ++b)
                QVERIFY(near(same[b], p[b], 1e-15));
            // A better parent never makes the candidate look worse.
            const auto more = shiftToBaseline(p, by + .3);
            double below = 0, belowMore = 0;
            for (std::size_t b = 0; b < 8; ++b) {
                below += shifted[b];
                belowMore += more[b];
                QVERIFY(belowMore <= below + 1e-12);
            }
        }
        // From bins that map onto bins, two shifts compose.
        BinProbabilities p{};
        p[3] = .7;
        p[4] = .3;
        const auto twice = shiftToBaseline(shiftToBaseline(p, -.5), 1);
        const auto once = shiftToBaseline(p, .5);
        for (std::size_t b = 0; b < 8; ++b)
            QVERIFY(near(twice[b], once[b], 1e-12));
    }

    void distributionFunction()
    {
        QCOMPARE(cdfAtLog2(kExample, -4), 0.);
        QCOMPARE(cdfAtLog2(kExample, -100), 0.);
        QCOMPARE(cdfAtLog2(kExample, 3), 1.);
        QVERIFY(near(cdfAtLog2(kExample, 1), .8, 1e-12));
        QVERIFY(near(cdfAtLog2(kExample, .75), .6, 1e-12));
        Random random(3);
        const auto p = randomBins(random);
        double last = 0;
        for (double x = -5; x < 4; x += .01) {
            const double f = cdfAtLog2(p, x);
            QVERIFY(f >= last - 1e-15 && f <= 1);
            last = f;
        }
    }

    void binsOfNormalMatchIntegration()
    {
        // An independent check: midpoint integration of the density over each bin.
        const double mean = .3, sd = .7;
        const auto p = binsOfNormal(mean, sd);
        const double edges[] = {-12, -2, -1, -.5, 0, .5, 1, 2, 12};
        for (std::size_t b = 0; b < 8; ++b) {
            double mass = 0;
            const int steps = 20000;
            const double width = (edges[b + 1] - edges[b]) / steps;
            for (int i = 0; i < steps; ++i) {
                const double z = (edges[b] + (i + .5) * width - mean) / sd;
                mass += std::exp(-.5 * z * z) / std::sqrt(2 * std::acos(-1.)) / sd * width;
            }
            QVERIFY(near(p[b], mass, 1e-6));
        }
        Random random(5);
        for (int i = 0; i < 1000; ++i) {
            const auto q = binsOfNormal(random.normal() * 5, std::exp(random.normal() * 3),
                                        random.coin(.5) ? BinScheme::Gf8Label : BinScheme::Gf8Formula);
            QVERIFY(near(sum(q), 1, 1e-12));
        }
        QCOMPARE(binsOfNormal(2, 0)[6], 1.);
        QCOMPARE(binsOfNormal(2.1, 0)[7], 1.);
        QCOMPARE(binsOfNormal(-5000, 0)[0], 1.);
    }

    void uniformHasNoConfidence()
    {
        BinProbabilities uniform;
        uniform.fill(.125);
        QVERIFY(near(confidenceEntropy(uniform), 0, 1e-12));
        QCOMPARE(topTwoMargin(uniform), 0.);
        QCOMPARE(mostLikelyBin(uniform), 1);
        BinProbabilities sure{};
        sure[2] = 1;
        QCOMPARE(confidenceEntropy(sure), 1.);
        QCOMPARE(topTwoMargin(sure), 1.);
    }
};

QTEST_APPLESS_MAIN(TestBins)
#include "tst_bins.moc"
