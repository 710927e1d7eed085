// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace foresight {

namespace {

// E[max(floor, best of r drawn without replacement)] of speedups sorted downwards.
double expectedBest(const std::vector<double>& sorted, std::size_t r, double floor)
{
    const std::size_t n = sorted.size();
    if (r == 0 || n == 0)
        return floor;
    // P(the i-th is the best drawn), i from 1, as a running product: C(n-i, r-1) / C(n, r).
    double weight = static_cast<double>(r) / static_cast<double>(n), expectation = 0;
    for (std::size_t i = 1; i + r <= n + 1; ++i) {
        expectation += weight * std::max(floor, sorted[i - 1]);
        if (i + r <= n)
            weight *= static_cast<double>(n - i - r + 1) / static_cast<double>(n - i);
    }
    return expectation;
}

double usable(double speedup)
{
    return speedup > 0 && std::isfinite(speedup) ? speedup : 0;
}

std::optional<std::vector<double>> averageRanks(std::span<const double> values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
        return std::nullopt;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i + 1;
        while (end < order.size() && values[order[end]] == values[order[i]])
            ++end;
        const double rank = (static_cast<double>(i) + static_cast<double>(end - 1)) / 2;
        for (; i < end; ++i)
            ranks[order[i]] = rank;
    }
    return ranks;
}

} // namespace

std::optional<double> speedupRecovered(std::span<const RankedCandidate> pool, double fraction)
{
    double best = 0;
    for (const RankedCandidate& c : pool)
        best = std::max(best, usable(c.speedup));
    if (!(best > 0))
        return std::nullopt;
    // A hair less before rounding up: .1 x 30 is 3, not 4.
    const double wanted = std::ceil(fraction * static_cast<double>(pool.size()) - 1e-9);
    const std::size_t k =
        std::clamp<std::size_t>(wanted >= 1 ? static_cast<std::size_t>(wanted) : 1, 1, pool.size());

    std::vector<RankedCandidate> sorted(pool.begin(), pool.end());
    for (RankedCandidate& c : sorted)
        if (std::isnan(c.score))
            c.score = -std::numeric_limits<double>::infinity();
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    double sure = 0; // best of those ranked above the tie that the cut runs through
    std::size_t taken = 0;
    std::vector<double> tied;
    for (const RankedCandidate& c : sorted) {
        if (c.score > sorted[k - 1].score) {
            sure = std::max(sure, usable(c.speedup));
            ++taken;
        } else if (c.score == sorted[k - 1].score) {
            tied.push_back(usable(c.speedup));
        }
    }
    std::sort(tied.begin(), tied.end(), std::greater<>());
    return expectedBest(tied, k - taken, sure) / best;
}

std::optional<double> meanSpeedupRecovered(std::span<const RankedCandidate> pool)
{
    double sum = 0;
    for (const double fraction : kRecoveredFractions) {
        const auto recovered = speedupRecovered(pool, fraction);
        if (!recovered)
            return std::nullopt;
        sum += *recovered;
    }
    return sum / static_cast<double>(kRecoveredFractions.size());
}

std::optional<double> randomRecovered(std::span<const RankedCandidate> pool, std::size_t k)
{
    std::vector<double> speedups;
    for (const RankedCandidate& c : pool)
        speedups.push_back(usable(c.speedup));
    std::sort(speedups.begin(), speedups.end(), std::greater<>());
    if (speedups.empty() || !(speedups.front() > 0) || k == 0)
        return std::nullopt;
    return expectedBest(speedups, std::min(k, speedups.size()), 0) / speedups.front();
}

std::optional<RankCorrelation> spearman(std::span<const double> x, std::span<const double> y)
{
    if (x.size() != y.size() || x.size() < 4)
        return std::nullopt;
    const auto rx = averageRanks(x), ry = averageRanks(y);
    if (!rx || !ry)
        return std::nullopt;
    const double mean = static_cast<double>(x.size() - 1) / 2;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += ((*rx)[i] - mean) * ((*ry)[i] - mean);
        xx += ((*rx)[i] - mean) * ((*rx)[i] - mean);
        yy += ((*ry)[i] - mean) * ((*ry)[i] - mean);
    }
    if (!(xx > 0 && yy > 0))
        return std::nullopt;
    RankCorrelation result;
    result.rho = std::clamp(xy / std::sqrt(xx * yy), -1., 1.);
    const double z = std::atanh(std::clamp(result.rho, -1 + 1e-12, 1 - 1e-12));
    const double half = 1.959963984540054 * std::sqrt(1.06 / static_cast<double>(x.size() - 3));
    result.interval = {std::tanh(z - half), std::tanh(z + half)};
    return result;
}

std::optional<RankCorrelation> monotonicity(std::span<const ScoredForecast> rows)
{
    std::vector<double> confidence, error;
    for (const ScoredForecast& row : rows) {
        confidence.push_back(confidenceMax(row.bins));
        error.push_back(forecastErrorLog2(row.bins, row.trueSpeedup));
    }
    return spearman(confidence, error);
}

std::optional<RiskCoverage> riskCoverage(std::span<const double> confidence, std::span<const double> loss)
{
    const std::size_t n = confidence.size();
    if (n == 0 || loss.size() != n)
        return std::nullopt;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        return std::isnan(confidence[i]) ? -std::numeric_limits<double>::infinity() : confidence[i];
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) > key(b); });
    RiskCoverage curve;
    double before = 0; // loss of all more confident than the tie at hand
    for (std::size_t i = 0; i < n;) {
        std::size_t end = i;
        double tied = 0;
        for (; end < n && key(order[end]) == key(order[i]); ++end)
            tied += loss[order[end]];
        const double each = tied / static_cast<double>(end - i);
        for (std::size_t k = i; k < end; ++k)
            curve.risk.push_back((before + each * static_cast<double>(k + 1 - i)) /
                                 static_cast<double>(k + 1));
        before += tied;
        i = end;
    }
    const auto count = static_cast<double>(n);
    curve.aurc = std::accumulate(curve.risk.begin(), curve.risk.end(), 0.) / count;
    for (std::size_t k = 1; k < n; ++k)
        curve.trapezoid += (curve.risk[k - 1] + curve.risk[k]) / 2 / count;
    return curve;
}

double RiskCoverage::coverageAt(double targetRisk) const
{
    for (std::size_t k = risk.size(); k > 0; --k)
        if (risk[k - 1] <= targetRisk)
            return static_cast<double>(k) / static_cast<double>(risk.size());
    return 0;
}

Discovery discovery(std::span<const Prediction> predictions, double threshold)
{
    Discovery d;
    d.rows = predictions.size();
    for (const Prediction& p : predictions) {
        const bool claim = p.confidence > threshold;
        d.claimed += claim ? 1 : 0;
        d.actual += p.correct ? 1 : 0;
        d.found += claim && p.correct ? 1 : 0;
    }
    const auto found = static_cast<double>(d.found);
    if (d.claimed > 0)
        d.precision = found / static_cast<double>(d.claimed);
    if (d.actual > 0)
        d.recall = found / static_cast<double>(d.actual);
    if (d.precision && d.actual > 0)
        d.lift = *d.precision / (static_cast<double>(d.actual) / static_cast<double>(d.rows));
    return d;
}

std::optional<AuditedMean> auditedMean(std::span<const AuditedValue> rows)
{
    AuditedMean result;
    double weights = 0, squares = 0, sum = 0;
    for (const AuditedValue& row : rows) {
        if (!(row.pi > 0 && row.pi <= 1) || std::isnan(row.value))
            continue;
        const double w = 1 / row.pi;
        weights += w;
        squares += w * w;
        sum += w * row.value;
        ++result.rows;
        result.audits += row.audit ? 1 : 0;
    }
    if (result.rows == 0)
        return std::nullopt;
    result.mean = sum / weights;
    result.effective = weights * weights / squares;
    return result;
}

} // namespace foresight
