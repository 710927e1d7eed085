// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace foresight {

namespace {

double clampedConfidence(double confidence)
{
    return confidence >= 0 ? std::min(confidence, 1.) : 0; // NaN is no confidence
}

// Bin of each prediction, and the bins' ranges.
struct Assignment
{
    std::vector<std::size_t> bin;
    std::vector<Interval> ranges;
};

Assignment equalWidth(std::span<const Prediction> predictions, std::size_t bins)
{
    Assignment a;
    const auto m = static_cast<double>(bins);
    for (std::size_t b = 0; b < bins; ++b)
        a.ranges.push_back({static_cast<double>(b) / m, static_cast<double>(b + 1) / m});
    for (const Prediction& p : predictions) // 1.0 belongs to the last bin, 0.0 to the first
        a.bin.push_back(std::min(static_cast<std::size_t>(clampedConfidence(p.confidence) * m), bins - 1));
    return a;
}

Assignment equalMass(std::span<const Prediction> predictions, std::size_t bins)
{
    Assignment a;
    a.bin.resize(predictions.size());
    a.ranges.assign(bins, {1, 1});
    std::vector<std::size_t> order(predictions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto confidence = [&](std::size_t i) { return clampedConfidence(predictions[i].confidence); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return confidence(x) < confidence(y); });
    std::size_t start = 0;
    for (std::size_t b = 0; b < bins && start < order.size(); ++b) {
        std::size_t end = std::max(start + 1, (b + 1) * order.size() / bins);
        while (end < order.size() && confidence(order[end]) == confidence(order[end - 1]))
            ++end; // equal confidences stay together
        a.ranges[b] = {confidence(order[start]), confidence(order[end - 1])};
        for (; start < end; ++start)
            a.bin[order[start]] = b;
    }
    return a;
}

Assignment assign(std::span<const Prediction> predictions, std::size_t bins, Binning binning)
{
    return binning == Binning::EqualWidth ? equalWidth(predictions, bins) : equalMass(predictions, bins);
}

std::vector<ReliabilityBar> barsOf(std::span<const Prediction> predictions, const Assignment& a)
{
    std::vector<ReliabilityBar> bars(a.ranges.size());
    for (std::size_t b = 0; b < bars.size(); ++b) {
        bars[b].low = a.ranges[b].low;
        bars[b].high = a.ranges[b].high;
    }
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        ReliabilityBar& bar = bars[a.bin[i]];
        ++bar.count;
        bar.meanConfidence += clampedConfidence(predictions[i].confidence);
        bar.accuracy += predictions[i].correct ? 1 : 0;
    }
    for (ReliabilityBar& bar : bars)
        if (bar.count > 0) {
            bar.meanConfidence /= static_cast<double>(bar.count);
            bar.accuracy /= static_cast<double>(bar.count);
        }
    return bars;
}

CalibrationError errorOf(const std::vector<ReliabilityBar>& bars)
{
    CalibrationError error;
    double debiasedRows = 0;
    for (const ReliabilityBar& bar : bars)
        error.rows += bar.count;
    for (const ReliabilityBar& bar : bars) {
        if (bar.count == 0)
            continue;
        const double gap = std::fabs(bar.meanConfidence - bar.accuracy), n = static_cast<double>(bar.count);
        error.ece += n / static_cast<double>(error.rows) * gap;
        error.maximum = std::max(error.maximum, gap);
        if (bar.count < 2)
            continue;
        debiasedRows += n;
        error.debiasedSquare += n * (gap * gap - bar.accuracy * (1 - bar.accuracy) / (n - 1));
    }
    if (debiasedRows > 0)
        error.debiasedSquare /= debiasedRows;
    return error;
}

Interval middle95(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const auto at = [&](double q) {
        const double place = q * static_cast<double>(values.size() - 1);
        const auto i = static_cast<std::size_t>(place);
        const double next = values[std::min(i + 1, values.size() - 1)];
        return values[i] + (place - static_cast<double>(i)) * (next - values[i]);
    };
    return {at(.025), at(.975)};
}

// Outcomes drawn as if every confidence were right.
std::vector<Prediction> drawnFromConfidence(std::span<const Prediction> predictions, Random& random)
{
    std::vector<Prediction> drawn(predictions.begin(), predictions.end());
    for (Prediction& p : drawn)
        p.correct = random.coin(clampedConfidence(p.confidence));
    return drawn;
}

} // namespace

std::vector<Prediction> topLabelPredictions(std::span<const ScoredForecast> rows)
{
    std::vector<Prediction> predictions;
    for (const ScoredForecast& row : rows)
        predictions.push_back({confidenceMax(row.bins), mostLikelyBin(row.bins) == row.trueBin, row.group});
    return predictions;
}

std::vector<Prediction> thresholdPredictions(std::span<const ScoredForecast> rows, double speedup)
{
    std::vector<Prediction> predictions;
    for (const ScoredForecast& row : rows)
        predictions.push_back({probabilityAbove(row.bins, speedup), row.trueSpeedup > speedup, row.group});
    return predictions;
}

std::vector<ReliabilityBar> reliabilityBars(std::span<const Prediction> predictions, std::size_t bins,
                                            Binning binning)
{
    bins = std::max<std::size_t>(bins, 1);
    return barsOf(predictions, assign(predictions, bins, binning));
}

std::vector<ReliabilityBar> reliabilityDiagram(std::span<const Prediction> predictions, std::size_t bins,
                                               Binning binning, Random& random, int resamples)
{
    bins = std::max<std::size_t>(bins, 1);
    const Assignment assignment = assign(predictions, bins, binning);
    std::vector<ReliabilityBar> bars = barsOf(predictions, assignment);
    if (predictions.empty() || resamples < 2)
        return bars;

    std::map<std::int64_t, std::vector<std::size_t>> byGroup;
    for (std::size_t i = 0; i < predictions.size(); ++i)
        byGroup[predictions[i].group].push_back(i);
    std::vector<const std::vector<std::size_t>*> groups;
    for (const auto& [id, members] : byGroup)
        groups.push_back(&members);

    std::vector<std::vector<double>> consistent(bins), resampled(bins);
    for (int r = 0; r < resamples; ++r) {
        const auto drawn = barsOf(drawnFromConfidence(predictions, random), assignment);
        for (std::size_t b = 0; b < bins; ++b)
            if (drawn[b].count > 0)
                consistent[b].push_back(drawn[b].accuracy);

        std::vector<double> hits(bins, 0.), counts(bins, 0.);
        // One group is the whole set: then its rows are drawn, there is nothing else to draw.
        const std::size_t draws = groups.size() > 1 ? groups.size() : predictions.size();
        for (std::size_t d = 0; d < draws; ++d) {
            const std::size_t pick = random.below(draws);
            const std::vector<std::size_t> single{pick};
            for (const std::size_t i : groups.size() > 1 ? *groups[pick] : single) {
                counts[assignment.bin[i]] += 1;
                hits[assignment.bin[i]] += predictions[i].correct ? 1 : 0;
            }
        }
        for (std::size_t b = 0; b < bins; ++b)
            if (counts[b] > 0)
                resampled[b].push_back(hits[b] / counts[b]);
    }
    for (std::size_t b = 0; b < bins; ++b) {
        if (bars[b].count == 0)
            continue;
        bars[b].consistency = middle95(std::move(consistent[b]));
        if (!resampled[b].empty())
            bars[b].confidence = middle95(std::move(resampled[b]));
    }
    return bars;
}

std::optional<CalibrationError> calibrationError(std::span<const Prediction> predictions, std::size_t bins,
                                                 Binning binning)
{
    if (predictions.empty())
        return std::nullopt;
    return errorOf(reliabilityBars(predictions, bins, binning));
}

std::optional<PerfectEce> perfectEce(std::span<const Prediction> predictions, std::size_t bins,
                                     Binning binning, Random& random, int resamples)
{
    if (predictions.empty() || resamples < 1)
        return std::nullopt;
    const Assignment assignment = assign(predictions, std::max<std::size_t>(bins, 1), binning);
    std::vector<double> values;
    for (int r = 0; r < resamples; ++r)
        values.push_back(errorOf(barsOf(drawnFromConfidence(predictions, random), assignment)).ece);
    std::sort(values.begin(), values.end());
    PerfectEce perfect;
    perfect.mean = std::accumulate(values.begin(), values.end(), 0.) / static_cast<double>(values.size());
    perfect.percentile95 =
        values[static_cast<std::size_t>(.95 * static_cast<double>(values.size() - 1) + .5)];
    return perfect;
}

std::optional<double> climatologyEce(std::span<const ScoredForecast> rows, std::size_t bins, Binning binning)
{
    if (rows.empty())
        return std::nullopt;
    std::vector<ScoredForecast> climatology(rows.begin(), rows.end());
    const auto forecasts = runningClimatology(rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
        climatology[i].bins = forecasts[i];
    return calibrationError(topLabelPredictions(climatology), bins, binning)->ece;
}

} // namespace foresight
