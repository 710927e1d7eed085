// SPDX-License-Identifier: Apache-2.0
// Where a search starts: a few configurations that have seen every value of every parameter, far from each
// other. Values matter more than distance: a value never tried is one the forecaster knows nothing of, and an
// algorithm with few configurations is otherwise met too late.
#include "core/forecast/features.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foresight {

namespace {

constexpr std::size_t kDraws = 64;     // enough to choose well, few enough for seeds to differ
constexpr double kDistanceWeight = .5; // against 1 for a value never seen

float squaredDistance(const FeatureMatrix& features, std::size_t a, std::size_t b)
{
    float sum = 0;
    for (std::size_t c = 0; c < features.columns; ++c) {
        const float d = features.at(a, c) - features.at(b, c);
        sum += d * d;
    }
    return sum;
}

// How often each value of each parameter has been chosen.
class SeenValues
{
public:
    explicit SeenValues(const ConfigSpace& space) : m_space(space)
    {
        for (const TuningParameter& parameter : space.parameters())
            m_counts.emplace_back(parameter.values.size(), 0);
    }
    void add(std::size_t index)
    {
        for (std::size_t p = 0; p < m_counts.size(); ++p)
            ++m_counts[p][m_space.code(index, p)];
    }
    double novelty(std::size_t index) const
    {
        double sum = 0;
        for (std::size_t p = 0; p < m_counts.size(); ++p)
            sum += 1. / (1 + m_counts[p][m_space.code(index, p)]);
        return sum;
    }

private:
    const ConfigSpace& m_space;
    std::vector<std::vector<int>> m_counts;
};

} // namespace

std::vector<std::uint32_t> startDesign(const ConfigSpace& space, const FeatureMatrix& features,
                                       std::size_t count, Random& random,
                                       std::span<const std::uint32_t> taken)
{
    std::vector<std::uint32_t> chosen, free, away;
    std::vector<bool> used(space.size(), false);
    SeenValues seen(space);
    for (const std::uint32_t t : taken)
        if (t < used.size() && !used[t]) {
            used[t] = true;
            away.push_back(t);
            seen.add(t);
        }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i])
            free.push_back(static_cast<std::uint32_t>(i));

    while (chosen.size() < count && !free.empty()) {
        const std::size_t draws = std::min(kDraws, free.size());
        // The draws are moved to the end of `free`, so they are distinct.
        for (std::size_t d = 0; d < draws; ++d)
            std::swap(free[random.below(free.size() - d)], free[free.size() - 1 - d]);
        std::size_t best = free.size() - 1;
        double bestScore = -1;
        for (std::size_t d = 0; d < draws && !away.empty(); ++d) {
            const std::size_t place = free.size() - 1 - d;
            float nearest = std::numeric_limits<float>::infinity();
            for (const std::uint32_t other : away)
                nearest = std::min(nearest, squaredDistance(features, free[place], other));
            const double score =
                seen.novelty(free[place]) + kDistanceWeight * std::sqrt(static_cast<double>(nearest));
            if (score > bestScore) {
                bestScore = score;
                best = place;
            }
        }
        chosen.push_back(free[best]);
        away.push_back(free[best]);
        seen.add(free[best]);
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return chosen;
}

} // namespace foresight
