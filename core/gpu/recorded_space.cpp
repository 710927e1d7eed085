// SPDX-License-Identifier: Apache-2.0
// Statistics over a recorded space.
#include "core/gpu/recorded_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace foresight {

namespace {

bool succeeded(const RecordedRow& row)
{
    return row.outcome == Outcome::Ok && row.timeNs > 0 && std::isfinite(row.timeNs);
}

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.) / static_cast<double>(values.size());
}

// Standard error of the mean over the mean.
double relativeError(const std::vector<double>& values)
{
    const double mean = meanOf(values), n = static_cast<double>(values.size());
    double squares = 0;
    for (const double v : values)
        squares += (v - mean) * (v - mean);
    return mean > 0 ? std::sqrt(squares / (n - 1) / n) / mean : std::numeric_limits<double>::infinity();
}

} // namespace

std::size_t RecordedSpace::validCount() const
{
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), succeeded));
}

std::optional<std::size_t> RecordedSpace::bestIndex() const
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (succeeded(rows[i]) && (!best || rows[i].timeNs < rows[*best].timeNs))
            best = i;
    return best;
}

double RecordedSpace::bestNs() const
{
    const auto best = bestIndex();
    return best ? rows[*best].timeNs : 0;
}

double RecordedSpace::bestStandardError() const
{
    const auto best = bestIndex();
    if (!best)
        return std::numeric_limits<double>::infinity();
    const RecordedRow& row = rows[*best];
    std::vector<std::vector<double>> sets = row.sampleSets;
    if (!row.samplesNs.empty())
        sets.insert(sets.begin(), row.samplesNs);
    std::erase_if(sets, [](const auto& set) { return set.empty(); });

    double error = std::numeric_limits<double>::infinity();
    std::vector<double> all, means;
    for (const auto& set : sets) {
        all.insert(all.end(), set.begin(), set.end());
        means.push_back(meanOf(set));
    }
    if (all.size() >= 2)
        error = relativeError(all);
    // Processes differ by more than their samples do; both must be small.
    if (means.size() >= 2)
        error = std::max(error, relativeError(means));
    // The order-statistic interval of the quads covers about two standard errors on each side.
    if (all.size() < 2 && row.lnLow < row.lnHigh)
        error = (row.lnHigh - row.lnLow) / 4;
    return error;
}

double RecordedSpace::exactRandom(std::size_t k) const
{
    std::vector<double> times;
    for (const RecordedRow& row : rows)
        if (succeeded(row))
            times.push_back(row.timeNs);
    const std::size_t n = rows.size();
    k = std::min(k, n);
    if (times.empty() || k == 0)
        return 0;
    std::sort(times.begin(), times.end());
    // P(the i-th fastest of n is the best of k) = C(n-i, k-1) / C(n, k). Kept as a running product of ratios
    // in log space: every factor is in (0, 1], nothing cancels, and vanishing terms stay zero.
    double logWeight = std::log(static_cast<double>(k) / static_cast<double>(n));
    double expectation = 0;
    for (std::size_t i = 1; i <= times.size() && i + k <= n + 1; ++i) {
        expectation += std::exp(logWeight) * (times.front() / times[i - 1]);
        if (i + k <= n)
            logWeight += std::log(static_cast<double>(n - i - k + 1) / static_cast<double>(n - i));
    }
    return expectation;
}

} // namespace foresight
