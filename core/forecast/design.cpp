// SPDX-License-Identifier: Apache-2.0
// Where a search starts: a few configurations far from each other.
#include "core/forecast/features.h"

#include <algorithm>
#include <limits>

namespace foresight {

namespace {

float squaredDistance(const FeatureMatrix& features, std::size_t a, std::size_t b)
{
    float sum = 0;
    for (std::size_t c = 0; c < features.columns; ++c) {
        const float d = features.at(a, c) - features.at(b, c);
        sum += d * d;
    }
    return sum;
}

} // namespace

std::vector<std::uint32_t> spaceFillingDesign(const FeatureMatrix& features, std::size_t count,
                                              Random& random, std::span<const std::uint32_t> taken)
{
    constexpr std::size_t kDraws = 5;
    std::vector<std::uint32_t> chosen, free, away(taken.begin(), taken.end());
    std::vector<bool> used(features.rows, false);
    for (const std::uint32_t t : taken)
        if (t < used.size())
            used[t] = true;
    for (std::size_t i = 0; i < features.rows; ++i)
        if (!used[i])
            free.push_back(static_cast<std::uint32_t>(i));

    while (chosen.size() < count && !free.empty()) {
        const std::size_t draws = std::min(kDraws, free.size());
        // The draws are moved to the end of `free`, so they are distinct.
        for (std::size_t d = 0; d < draws; ++d)
            std::swap(free[random.below(free.size() - d)], free[free.size() - 1 - d]);
        std::size_t best = free.size() - 1;
        float bestDistance = -1;
        for (std::size_t d = 0; d < draws && !away.empty(); ++d) {
            const std::size_t place = free.size() - 1 - d;
            float nearest = std::numeric_limits<float>::infinity();
            for (const std::uint32_t other : away)
                nearest = std::min(nearest, squaredDistance(features, free[place], other));
            if (nearest > bestDistance) {
                bestDistance = nearest;
                best = place;
            }
        }
        chosen.push_back(free[best]);
        away.push_back(free[best]);
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return chosen;
}

} // namespace foresight
