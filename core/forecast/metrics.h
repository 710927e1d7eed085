// SPDX-License-Identifier: Apache-2.0
// How good forecasts were, once the truth is known (design 05, "Metrics"). Pure functions over plain rows;
// anything random takes a Random. "No data" is nullopt, never 0: an empty set is not a perfect one.
// Not-a-number never counts as good.
#pragma once

#include "core/base/random.h"
#include "core/forecast/bins.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace foresight {

// A forecast as made before the measurement, and what was measured. Failed candidates have no row here.
struct ScoredForecast
{
    BinProbabilities bins{};
    int trueBin = 1; // in the forecast's scheme
    double trueSpeedup = 1;
    std::int64_t group = 0; // rows of one group (operator, lineage) are resampled together
};

// --- One forecast
// -------------------------------------------------------------------------------------------------
double halfBrier(const BinProbabilities& p, int trueBin);              // sum (p - y)^2 / 2
double rankedProbabilityScore(const BinProbabilities& p, int trueBin); // on cumulative bins, / 7
double negativeLogLikelihood(const BinProbabilities& p, int trueBin);  // p floored at 1e-12
// The PIT of a binned forecast is uniform over (F(j-1), F(j)].
std::pair<double, double> pitInterval(const BinProbabilities& p, int trueBin);
// |representative of the most likely bin - S|, and the same in log2.
double forecastError(const BinProbabilities& p, double trueSpeedup);
double forecastErrorLog2(const BinProbabilities& p, double trueSpeedup);

// --- Many forecasts
// -----------------------------------------------------------------------------------------------
struct MeanScores
{
    std::size_t rows = 0;
    double halfBrier = 0, rps = 0, nll = 0, sharpness = 0; // sharpness: mean of 1 - H / ln 8
    double forecastError = 0, forecastErrorLog2 = 0, accuracy = 0;
};
std::optional<MeanScores> meanScores(std::span<const ScoredForecast> rows);

// What always forecasting the frequencies so far would have said, row by row in order: (count + 1/2) / (n +
// 4).
std::vector<BinProbabilities> runningClimatology(std::span<const ScoredForecast> rows);
// 1 - score / climatology's score; 1 is perfect, 0 no better, below 0 worse.
struct Skill
{
    double halfBrier = 0, rps = 0, nll = 0;
};
std::optional<Skill> skillOverClimatology(std::span<const ScoredForecast> rows);

// Share of PIT mass in each of `bins` equal parts of [0, 1] (flat when calibrated). Empty without rows.
std::vector<double> pitHistogram(std::span<const ScoredForecast> rows, std::size_t bins = 10);

// --- Calibration of a probability: top-label confidence, or P(S > threshold)
// -----------------------------------------
struct Prediction
{
    double confidence = 0; // in [0, 1]
    bool correct = false;  // or: happened
    std::int64_t group = 0;
};
std::vector<Prediction> topLabelPredictions(std::span<const ScoredForecast> rows);
std::vector<Prediction> thresholdPredictions(std::span<const ScoredForecast> rows, double speedup);

enum class Binning { EqualWidth, EqualMass };
struct Interval
{
    double low = 0, high = 0;
};
struct ReliabilityBar
{
    double low = 0, high = 0; // range of confidence
    std::size_t count = 0;    // 0: empty, nothing else means anything
    double meanConfidence = 0, accuracy = 0;
    std::optional<Interval> consistency; // of accuracy if confidences were right; around meanConfidence
    std::optional<Interval> confidence;  // of accuracy, rows resampled by group
};
// Always `bins` bars, empty ones included. Equal width: index min(floor(c bins), bins - 1). Equal mass: cut
// at ranks, equal confidences never apart, so there may be fewer and larger bars (the rest is empty).
std::vector<ReliabilityBar> reliabilityBars(std::span<const Prediction> predictions, std::size_t bins = 10,
                                            Binning binning = Binning::EqualWidth);
// The same with both 95 % bands.
std::vector<ReliabilityBar> reliabilityDiagram(std::span<const Prediction> predictions, std::size_t bins,
                                               Binning binning, Random& random, int resamples = 500);

struct CalibrationError
{
    std::size_t rows = 0;
    double ece = 0;     // sum n_i / N |conf_i - acc_i|
    double maximum = 0; // largest |conf_i - acc_i| of a bin that is not empty
    double debiasedSquare =
        0; // squared form minus acc (1 - acc) / (n - 1) per bin (bins of one row left out); < 0 is noise
};
std::optional<CalibrationError> calibrationError(std::span<const Prediction> predictions,
                                                 std::size_t bins = 10,
                                                 Binning binning = Binning::EqualWidth);
// ECE of forecasts with these confidences if every one were right: mean and 95 % point.
struct PerfectEce
{
    double mean = 0, percentile95 = 0;
};
std::optional<PerfectEce> perfectEce(std::span<const Prediction> predictions, std::size_t bins,
                                     Binning binning, Random& random, int resamples = 500);
// ECE of the running climatology on the same rows.
std::optional<double> climatologyEce(std::span<const ScoredForecast> rows, std::size_t bins = 10,
                                     Binning binning = Binning::EqualWidth);

// --- Ranking
// --------------------------------------------------------------------------------------------------------
struct RankedCandidate
{
    double score = 0;   // by which forecasts rank, higher first; NaN ranks last
    double speedup = 0; // true; 0: failed
};
// Best true speedup among the k = max(1, ceil(fraction n)) best-ranked over the best in the pool; ties
// averaged. Nothing when no candidate succeeded.
std::optional<double> speedupRecovered(std::span<const RankedCandidate> pool, double fraction);
inline constexpr std::array<double, 5> kRecoveredFractions{.01, .05, .10, .25, .50};
// Mean over kRecoveredFractions.
std::optional<double> meanSpeedupRecovered(std::span<const RankedCandidate> pool);
// Expected best of k drawn at random over the best of the pool (the reference line).
std::optional<double> randomRecovered(std::span<const RankedCandidate> pool, std::size_t k);

struct RankCorrelation
{
    double rho = 0;
    Interval interval; // 95 %, Fisher's z with Spearman's variance 1.06 / (n - 3)
};
// Spearman with average ranks. Nothing for fewer than 4 rows, constants or NaN.
std::optional<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y);
// Of forecast error (log2) against confidence: negative is good.
std::optional<RankCorrelation> monotonicity(std::span<const ScoredForecast> rows);

struct RiskCoverage
{
    std::vector<double> risk; // mean loss of the k + 1 most confident, ties averaged
    double aurc = 0;          // mean of risk
    double trapezoid = 0;     // the other convention: area by trapezoids between coverage 1/n and 1
    // Largest share kept with risk <= target; 0 when none.
    double coverageAt(double targetRisk) const;
};
std::optional<RiskCoverage> riskCoverage(std::span<const double> confidence, std::span<const double> loss);

// Finding candidates better than `ratio` times a reference by P > 1/2 ("child over parent >= 1.1").
struct Discovery
{
    std::size_t found = 0, claimed = 0, actual = 0, rows = 0;
    std::optional<double> precision, recall, lift; // nothing when their denominator is 0
};
Discovery discovery(std::span<const Prediction> predictions, double threshold = .5);

// --- Audited samples
// -------------------------------------------------------------------------------------------------
struct AuditedValue
{
    double value = 0;
    double pi = 1; // probability, logged at the decision, that this row was measured
    bool audit = false;
};
struct AuditedMean
{
    double mean = 0;      // Hajek: sum w x / sum w, w = 1 / pi
    double effective = 0; // (sum w)^2 / sum w^2
    std::size_t rows = 0, audits = 0;
    bool enoughForCalibration() const { return effective >= 100; } // else proper scores with an interval only
    bool enoughForMissed() const { return audits >= 20; }
};
// Rows with pi outside (0, 1] are left out: their weight is unknown.
std::optional<AuditedMean> auditedMean(std::span<const AuditedValue> rows);

} // namespace foresight
