// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/metrics.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

std::size_t placeOf(int bin)
{
    return static_cast<std::size_t>(std::clamp(bin, 1, kBinCount) - 1);
}

} // namespace

double halfBrier(const BinProbabilities& p, int trueBin)
{
    double sum = 0;
    for (std::size_t b = 0; b < p.size(); ++b) {
        const double d = p[b] - (b == placeOf(trueBin) ? 1 : 0);
        sum += d * d;
    }
    return sum / 2;
}

double rankedProbabilityScore(const BinProbabilities& p, int trueBin)
{
    double sum = 0, below = 0;
    for (std::size_t b = 0; b + 1 < p.size(); ++b) {
        below += p[b];
        const double d = below - (b >= placeOf(trueBin) ? 1 : 0);
        sum += d * d;
    }
    return sum / (kBinCount - 1);
}

double negativeLogLikelihood(const BinProbabilities& p, int trueBin)
{
    return -std::log(std::max(p[placeOf(trueBin)], 1e-12));
}

std::pair<double, double> pitInterval(const BinProbabilities& p, int trueBin)
{
    double below = 0;
    for (std::size_t b = 0; b < placeOf(trueBin); ++b)
        below += p[b];
    return {below, trueBin >= kBinCount ? 1. : std::min(1., below + p[placeOf(trueBin)])};
}

double forecastError(const BinProbabilities& p, double trueSpeedup)
{
    return std::fabs(binRepresentative(mostLikelyBin(p)) - trueSpeedup);
}

double forecastErrorLog2(const BinProbabilities& p, double trueSpeedup)
{
    return std::fabs(std::log2(binRepresentative(mostLikelyBin(p)) / trueSpeedup));
}

std::optional<MeanScores> meanScores(std::span<const ScoredForecast> rows)
{
    if (rows.empty())
        return std::nullopt;
    MeanScores sum;
    for (const ScoredForecast& row : rows) {
        sum.halfBrier += halfBrier(row.bins, row.trueBin);
        sum.rps += rankedProbabilityScore(row.bins, row.trueBin);
        sum.nll += negativeLogLikelihood(row.bins, row.trueBin);
        sum.sharpness += confidenceEntropy(row.bins);
        sum.forecastError += forecastError(row.bins, row.trueSpeedup);
        sum.forecastErrorLog2 += forecastErrorLog2(row.bins, row.trueSpeedup);
        sum.accuracy += mostLikelyBin(row.bins) == row.trueBin ? 1 : 0;
    }
    const auto n = static_cast<double>(rows.size());
    return MeanScores{
        rows.size(),           sum.halfBrier / n,         sum.rps / n,     sum.nll / n, sum.sharpness / n,
        sum.forecastError / n, sum.forecastErrorLog2 / n, sum.accuracy / n};
}

std::vector<BinProbabilities> runningClimatology(std::span<const ScoredForecast> rows)
{
    std::vector<BinProbabilities> forecasts;
    forecasts.reserve(rows.size());
    BinProbabilities counts;
    counts.fill(.5);
    double total = .5 * kBinCount;
    for (const ScoredForecast& row : rows) {
        BinProbabilities p = counts;
        for (double& q : p)
            q /= total;
        forecasts.push_back(p);
        counts[placeOf(row.trueBin)] += 1;
        total += 1;
    }
    return forecasts;
}

std::optional<Skill> skillOverClimatology(std::span<const ScoredForecast> rows)
{
    if (rows.empty())
        return std::nullopt;
    const auto climatology = runningClimatology(rows);
    double brier = 0, rps = 0, nll = 0, brierBase = 0, rpsBase = 0, nllBase = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        brier += halfBrier(rows[i].bins, rows[i].trueBin);
        rps += rankedProbabilityScore(rows[i].bins, rows[i].trueBin);
        nll += negativeLogLikelihood(rows[i].bins, rows[i].trueBin);
        brierBase += halfBrier(climatology[i], rows[i].trueBin);
        rpsBase += rankedProbabilityScore(climatology[i], rows[i].trueBin);
        nllBase += negativeLogLikelihood(climatology[i], rows[i].trueBin);
    }
    // The base never scores 0: no running frequency reaches 1.
    return Skill{1 - brier / brierBase, 1 - rps / rpsBase, 1 - nll / nllBase};
}

std::vector<double> pitHistogram(std::span<const ScoredForecast> rows, std::size_t bins)
{
    if (rows.empty() || bins == 0)
        return {};
    std::vector<double> mass(bins, 0.);
    const double width = 1 / static_cast<double>(bins);
    for (const ScoredForecast& row : rows) {
        const auto [low, high] = pitInterval(row.bins, row.trueBin);
        if (!(high > low)) { // a forecast of 0 for what happened: a point
            mass[std::min(bins - 1, static_cast<std::size_t>(low / width))] += 1;
            continue;
        }
        for (std::size_t b = 0; b < bins; ++b) {
            const double left = static_cast<double>(b) * width;
            mass[b] += std::max(0., std::min(high, left + width) - std::max(low, left)) / (high - low);
        }
    }
    for (double& m : mass)
        m /= static_cast<double>(rows.size());
    return mass;
}

} // namespace foresight
