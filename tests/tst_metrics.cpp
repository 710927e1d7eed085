// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/metrics.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace foresight;

namespace {

const BinProbabilities kExample{0, 0, .02, .08, .3, .4, .15, .05}; // p* of design 05
const double kNan = std::numeric_limits<double>::quiet_NaN();

bool near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance;
}

// Forecasts with the given confidences that are right exactly as often as they say.
std::vector<Prediction> perfectPredictions(std::size_t n, Random& random)
{
    std::vector<Prediction> all;
    for (std::size_t i = 0; i < n; ++i) {
        const double confidence = .2 + .8 * random.uniform();
        all.push_back({confidence, random.coin(confidence), static_cast<std::int64_t>(i / 5)});
    }
    return all;
}

ScoredForecast scored(const BinProbabilities& p, int bin)
{
    return {p, bin, binRepresentative(bin), 0};
}

} // namespace

class TestMetrics : public QObject
{
    Q_OBJECT
private slots:
    void scoresOfTheWorkedExample()
    {
        QVERIFY(near(halfBrier(kExample, 6), .2409, 5e-5));
        QVERIFY(near(rankedProbabilityScore(kExample, 6), .030414, 5e-7));
        QVERIFY(near(negativeLogLikelihood(kExample, 6), .916291, 5e-7));
        QVERIFY(near(pitInterval(kExample, 6).first, .40, 1e-12));
        QVERIFY(near(pitInterval(kExample, 6).second, .80, 1e-12));
        QVERIFY(near(halfBrier(kExample, 8), .5909, 5e-5));
        QVERIFY(near(rankedProbabilityScore(kExample, 8), .2447, 5e-5));
        QVERIFY(near(negativeLogLikelihood(kExample, 8), 2.995732, 5e-7));
        QVERIFY(near(pitInterval(kExample, 8).first, .95, 1e-12));
        QCOMPARE(pitInterval(kExample, 8).second, 1.);
        QVERIFY(near(negativeLogLikelihood(kExample, 1), -std::log(1e-12), 1e-9));
    }

    void scoresOfTheUniformForecast()
    {
        BinProbabilities uniform;
        uniform.fill(.125);
        const double rps[] = {.3125, .2054, .1339, .0982, .0982, .1339, .2054, .3125};
        for (int b = 1; b <= 8; ++b) {
            QVERIFY(near(halfBrier(uniform, b), .4375, 1e-12));
            QVERIFY(near(rankedProbabilityScore(uniform, b), rps[b - 1], 5e-5));
        }
    }

    void forecastErrors()
    {
        // Most likely bin 6, representative 1.6818.
        QVERIFY(near(forecastError(kExample, 2), 2 - std::exp2(.75), 1e-12));
        QVERIFY(near(forecastErrorLog2(kExample, 2), .25, 1e-12));
        QVERIFY(near(forecastErrorLog2(kExample, 1), .75, 1e-12));
    }

    void nothingIsNotPerfect()
    {
        Random random(1);
        QVERIFY(!meanScores({}));
        QVERIFY(!skillOverClimatology({}));
        QVERIFY(!calibrationError({}));
        QVERIFY(!perfectEce({}, 10, Binning::EqualWidth, random));
        QVERIFY(!climatologyEce({}));
        QVERIFY(!speedupRecovered({}, .1));
        QVERIFY(!riskCoverage({}, {}));
        QVERIFY(!auditedMean({}));
        QVERIFY(!spearman({}, {}));
        QVERIFY(pitHistogram({}).empty());
        QCOMPARE(reliabilityBars({}).size(), std::size_t{10});
        QCOMPARE(reliabilityDiagram({}, 10, Binning::EqualMass, random).size(), std::size_t{10});
        QVERIFY(!discovery({}).precision);
    }

    void eceByHand()
    {
        // Bin [.9, 1]: confidences .9 and 1, one right: |.95 - .5| x 2/4. Bin [.2, .3): .25, .25, none right:
        // .25 x 2/4.
        const std::vector<Prediction> rows{{.9, true, 0}, {1., false, 1}, {.25, false, 2}, {.25, false, 3}};
        const auto error = *calibrationError(rows);
        QVERIFY(near(error.ece, .35, 1e-12));
        QVERIFY(near(error.maximum, .45, 1e-12));
        // Squares less acc (1 - acc) / (n - 1): .5 x (.2025 - .25) + .5 x .0625.
        QVERIFY(near(error.debiasedSquare, .0075, 1e-12));
    }

    void edgesOfConfidence()
    {
        // Exactly 1 is in the last of ten bins, exactly 0 in the first; neither is dropped.
        const std::vector<Prediction> rows{{1., true, 0}, {0., false, 1}, {.999999, true, 2}, {.1, false, 3}};
        const auto bars = reliabilityBars(rows);
        QCOMPARE(bars.size(), std::size_t{10});
        QCOMPARE(bars[9].count, std::size_t{2});
        QCOMPARE(bars[0].count, std::size_t{1});
        QCOMPARE(bars[1].count, std::size_t{1});
        QVERIFY(near(bars[9].meanConfidence, .9999995, 1e-12)); // the mean, not the middle of the bin
        QCOMPARE(bars[5].count, std::size_t{0});
        QCOMPARE(bars[5].accuracy, 0.);
        const auto error = calibrationError(rows);
        QVERIFY(std::isfinite(error->ece)); // empty bins add nothing, least of all NaN
        QCOMPARE(error->rows, std::size_t{4});
        // Not-a-number is no confidence, out of range is cut.
        const auto odd =
            reliabilityBars(std::vector<Prediction>{{kNan, true, 0}, {1.5, true, 1}, {-2, true, 2}});
        QCOMPARE(odd[0].count, std::size_t{2});
        QCOMPARE(odd[9].count, std::size_t{1});
    }

    void equalConfidencesDoNotHideTheError()
    {
        std::vector<Prediction> rows(20, Prediction{.8, false, 0});
        for (std::size_t i = 0; i < 6; ++i)
            rows[i].correct = true;
        for (const auto binning : {Binning::EqualWidth, Binning::EqualMass}) {
            QVERIFY(near(calibrationError(rows, 10, binning)->ece, .5, 1e-12));
            const auto bars = reliabilityBars(rows, 10, binning);
            QCOMPARE(bars.size(), std::size_t{10});
            QCOMPARE(std::count_if(bars.begin(), bars.end(), [](const auto& b) { return b.count > 0; }), 1);
        }
    }

    void equalMassBinsHoldTheSame()
    {
        std::vector<Prediction> rows;
        for (int i = 0; i < 100; ++i)
            rows.push_back({std::pow(i / 100., 3), i % 2 == 0, i});
        const auto bars = reliabilityBars(rows, 10, Binning::EqualMass);
        std::size_t total = 0;
        for (std::size_t b = 0; b < bars.size(); ++b) {
            QCOMPARE(bars[b].count, std::size_t{10});
            QVERIFY(b == 0 || bars[b].low > bars[b - 1].high);
            total += bars[b].count;
        }
        QCOMPARE(total, rows.size());
        // Fewer rows than bins: one a bin, the last ones empty, none lost.
        const auto few = reliabilityBars(std::span(rows).last(3), 10, Binning::EqualMass);
        QCOMPARE(std::count_if(few.begin(), few.end(), [](const auto& b) { return b.count == 1; }), 3);
    }

    void perfectForecastersHaveEceToo()
    {
        Random random(5);
        double small = 0, large = 0;
        int above = 0;
        const int repeats = 60;
        for (int r = 0; r < repeats; ++r) {
            const auto few = perfectPredictions(100, random), many = perfectPredictions(1000, random);
            small += calibrationError(few)->ece / repeats;
            large += calibrationError(many)->ece / repeats;
            const auto reference = *perfectEce(few, 10, Binning::EqualWidth, random, 100);
            above += calibrationError(few)->ece > reference.percentile95 ? 1 : 0;
            QVERIFY(reference.percentile95 > reference.mean);
        }
        // In the region of the known .090 and .029, falling like 1 / sqrt(n).
        QVERIFY(small > .06 && small < .13);
        QVERIFY(large > .018 && large < .04);
        QVERIFY(above <= 10); // 3 expected of 60; more than 10 has probability < .001
        // Removing the bias, nothing is left on the mean.
        double debiased = 0;
        for (int r = 0; r < 200; ++r)
            debiased += calibrationError(perfectPredictions(500, random))->debiasedSquare / 200;
        QVERIFY(std::fabs(debiased) < 4e-4);
    }

    void bandsCoverWhatTheyClaim()
    {
        Random random(17);
        int inside = 0, insideConfidence = 0, bars = 0;
        for (int r = 0; r < 40; ++r) {
            const auto rows = perfectPredictions(400, random);
            for (const auto& bar : reliabilityDiagram(rows, 10, Binning::EqualWidth, random, 200)) {
                QCOMPARE(bar.count > 0, bar.consistency.has_value());
                if (bar.count < 20)
                    continue;
                ++bars;
                inside += bar.accuracy >= bar.consistency->low && bar.accuracy <= bar.consistency->high;
                insideConfidence += bar.meanConfidence >= bar.confidence->low - .03 &&
                                    bar.meanConfidence <= bar.confidence->high + .03;
            }
        }
        QVERIFY(inside > .91 * bars);
        QVERIFY(insideConfidence > .9 * bars);
        // One group holds everything: rows are drawn instead, the band has width.
        std::vector<Prediction> rows(50, Prediction{.5, false, 7});
        for (std::size_t i = 0; i < 25; ++i)
            rows[i].correct = true;
        const auto bar = reliabilityDiagram(rows, 1, Binning::EqualWidth, random, 200).at(0);
        QVERIFY(bar.confidence->high - bar.confidence->low > .1);
        // Groups that are all right or all wrong make it wider than their rows alone would.
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].group = static_cast<std::int64_t>(i / 10);
            rows[i].correct = i / 10 % 2 == 0;
        }
        const auto grouped = reliabilityDiagram(rows, 1, Binning::EqualWidth, random, 200).at(0);
        QVERIFY(grouped.confidence->high - grouped.confidence->low >
                1.5 * (bar.confidence->high - bar.confidence->low));
    }

    void thresholds()
    {
        const std::vector<ScoredForecast> rows{scored(kExample, 6), scored(kExample, 4)};
        const auto above1 = thresholdPredictions(rows, 1);
        QVERIFY(near(above1[0].confidence, .9, 1e-12));
        QVERIFY(above1[0].correct && !above1[1].correct);
        const auto above2 = thresholdPredictions(rows, 2);
        QVERIFY(near(above2[0].confidence, .2, 1e-12));
        QVERIFY(!above2[0].correct);
        const auto top = topLabelPredictions(rows);
        QCOMPARE(top[0].confidence, .4);
        QVERIFY(top[0].correct && !top[1].correct);
    }

    void climatologyRuns()
    {
        std::vector<ScoredForecast> rows(3, scored(kExample, 6));
        const auto climatology = runningClimatology(rows);
        QCOMPARE(climatology[0][5], .125); // nothing seen yet
        QVERIFY(near(climatology[1][5], 1.5 / 5, 1e-12));
        QVERIFY(near(climatology[2][5], 2.5 / 6, 1e-12));
        QVERIFY(near(climatology[2][0], .5 / 6, 1e-12));
        // Climatology against itself has no skill; certainty that is right has all of it.
        std::vector<ScoredForecast> own = rows, sure = rows;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            own[i].bins = climatology[i];
            sure[i].bins = {0, 0, 0, 0, 0, 1, 0, 0};
        }
        QVERIFY(near(skillOverClimatology(own)->rps, 0, 1e-12));
        QVERIFY(near(skillOverClimatology(own)->nll, 0, 1e-12));
        QVERIFY(near(skillOverClimatology(sure)->halfBrier, 1, 1e-12));
        QVERIFY(near(*climatologyEce(own), calibrationError(topLabelPredictions(own))->ece, 1e-12));
    }

    void pitIsFlatWhenCalibrated()
    {
        Random random(23);
        std::vector<ScoredForecast> rows;
        for (int i = 0; i < 8000; ++i) {
            const double mean = random.normal(), sd = .3 + random.uniform();
            const auto p = binsOfNormal(mean, sd);
            rows.push_back(scored(p, *binOf(std::exp2(mean + sd * random.normal()))));
        }
        double sum = 0;
        for (const double mass : pitHistogram(rows)) {
            QVERIFY(near(mass, .1, .012));
            sum += mass;
        }
        QVERIFY(near(sum, 1, 1e-9));
        // A zero for what happened is a point, not a loss.
        const auto point = pitHistogram(std::vector<ScoredForecast>{scored({0, 0, 0, 0, 0, 0, 0, 1}, 1)});
        QCOMPARE(point[0], 1.);
    }

    void recoveredByHand()
    {
        const std::vector<RankedCandidate> pool{{4, 1}, {3, 2}, {2, 0}, {1, 4}};
        QVERIFY(near(*speedupRecovered(pool, .25), .25, 1e-12));
        QVERIFY(near(*speedupRecovered(pool, .5), .5, 1e-12));
        QVERIFY(near(*speedupRecovered(pool, .01), .25, 1e-12)); // at least one
        QVERIFY(near(*speedupRecovered(pool, 1), 1, 1e-12));
        QVERIFY(near(*meanSpeedupRecovered(pool), (.25 * 4 + .5) / 5, 1e-12));
        // Ties averaged: two of three equals {1, 2, 4}, any pair: (2 + 4 + 4) / 3 / 4.
        const std::vector<RankedCandidate> tied{{1, 1}, {1, 2}, {1, 4}, {0, 4}};
        QVERIFY(near(*speedupRecovered(tied, .5), 10. / 12, 1e-12));
        // A better one ranked above the tie puts a floor under it: 3 and one of {1, 2, 4}.
        const std::vector<RankedCandidate> floor{{2, 3}, {1, 1}, {1, 2}, {1, 4}};
        QVERIFY(near(*speedupRecovered(floor, .5), (3. + 3 + 4) / 3 / 4, 1e-12));
        // NaN ranks last; a failure is counted as drawn; nothing succeeded is no number.
        QVERIFY(near(*speedupRecovered(std::vector<RankedCandidate>{{kNan, 4}, {0, 2}}, .5), .5, 1e-12));
        QVERIFY(near(*speedupRecovered(std::vector<RankedCandidate>{{9, 0}, {0, 2}}, .5), 0, 1e-12));
        QVERIFY(!speedupRecovered(std::vector<RankedCandidate>{{9, 0}}, .5));
        // .1 of 30 is three, not four.
        std::vector<RankedCandidate> thirty;
        for (int i = 0; i < 30; ++i)
            thirty.push_back({-static_cast<double>(i), i == 3 ? 10. : 1.});
        QVERIFY(near(*speedupRecovered(thirty, .1), .1, 1e-12));
    }

    void randomReference()
    {
        // Times (1, 2, 4, 4, fail).
        const std::vector<RankedCandidate> pool{{0, 1}, {0, .5}, {0, .25}, {0, .25}, {0, 0}};
        QVERIFY(near(*randomRecovered(pool, 1), .4, 1e-12));
        QVERIFY(near(*randomRecovered(pool, 2), .625, 1e-12));
        QVERIFY(near(*randomRecovered(pool, 9), 1, 1e-12));
        // All tied is the same as random.
        QVERIFY(near(*speedupRecovered(pool, .4), .625, 1e-12));
    }

    void spearmanByHand()
    {
        // Ranks x 1 2 3 4 5, y 2 1 4 3 5: 1 - 6 x 4 / (5 x 24) = .8.
        const std::vector<double> x{1, 2, 3, 4, 5}, y{20, 10, 40, 30, 50};
        QVERIFY(near(spearman(x, y)->rho, .8, 1e-12));
        // Average ranks: x 1 2.5 2.5 4 against 1 2 3 4 gives 4.5 / sqrt(4.5 x 5).
        const std::vector<double> tied{1, 2, 2, 3}, rising{1, 2, 3, 4};
        QVERIFY(near(spearman(tied, rising)->rho, 4.5 / std::sqrt(22.5), 1e-12));
        const auto r = *spearman(x, y);
        QVERIFY(r.interval.low < r.rho && r.rho < r.interval.high && r.interval.high < 1);
        QVERIFY(!spearman(std::vector<double>(5, 1.), y)); // undefined on constants
        QVERIFY(!spearman(std::vector<double>{1, 2, kNan, 4, 5}, y));
        QVERIFY(near(spearman(x, x)->rho, 1, 1e-12));
    }

    void riskCoverageByHand()
    {
        const std::vector<double> confidence{.9, .8, .7, .6}, loss{0, 1, 0, 1};
        const auto curve = *riskCoverage(confidence, loss);
        QVERIFY(near(curve.aurc, .33333, 5e-6));
        QVERIFY(near(curve.trapezoid, .27083, 5e-6));
        QVERIFY(near(curve.coverageAt(.4), .75, 1e-12));
        QVERIFY(near(curve.coverageAt(.5), 1, 1e-12));
        QVERIFY(near(curve.coverageAt(-1), 0, 1e-12));
        // All tied: the risk is the mean everywhere, in whatever order the rows come.
        const auto tied = *riskCoverage(std::vector<double>(4, .5), loss);
        for (const double risk : tied.risk)
            QVERIFY(near(risk, .5, 1e-12));
    }

    void discoveries()
    {
        const std::vector<Prediction> rows{
            {.9, true, 0}, {.8, false, 0}, {.2, true, 0}, {.1, false, 0}, {.3, false, 0}};
        const auto d = discovery(rows);
        QVERIFY(near(*d.precision, .5, 1e-12));
        QVERIFY(near(*d.recall, .5, 1e-12));
        QVERIFY(near(*d.lift, .5 / .4, 1e-12));
        QVERIFY(!discovery(std::span(rows).last(1)).precision);
        QVERIFY(!discovery(std::span(rows).last(1)).recall);
    }

    void audits()
    {
        // Weights 1, 1, 4: mean (1 + 0 + 4 x .5) / 6; ESS 36 / 18.
        const std::vector<AuditedValue> rows{
            {1, 1, false}, {0, 1, false}, {.5, .25, true}, {9, 0, true}, {9, 2, false}};
        const auto mean = *auditedMean(rows);
        QVERIFY(near(mean.mean, .5, 1e-12));
        QVERIFY(near(mean.effective, 2, 1e-12));
        QCOMPARE(mean.rows, std::size_t{3});
        QCOMPARE(mean.audits, std::size_t{1});
        QVERIFY(!mean.enoughForCalibration() && !mean.enoughForMissed());
        // Unbiased: skipping by value and auditing a tenth of the skipped still finds the mean of all.
        Random random(31);
        std::vector<AuditedValue> seen;
        double truth = 0;
        for (int i = 0; i < 40000; ++i) {
            const double value = random.uniform();
            truth += value / 40000;
            if (value > .7)
                seen.push_back({value, 1, false});
            else if (random.coin(.1))
                seen.push_back({value, .1, true});
        }
        QVERIFY(near(auditedMean(seen)->mean, truth, .015));
    }
};

QTEST_APPLESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
