// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/quad_stats.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace foresight {

namespace {

struct Look
{
    std::size_t quads, low, high; // ranks from 1
};
constexpr std::array<Look, 3> kIntervals{{{12, 2, 11}, {24, 6, 19}, {48, 16, 33}}};

std::vector<double> sorted(std::span<const double> values)
{
    std::vector<double> copy(values.begin(), values.end());
    std::sort(copy.begin(), copy.end());
    return copy;
}

double middle(const std::vector<double>& values)
{
    if (values.empty())
        return 0;
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace

double quadValue(double a1, double a2, double c1, double c2)
{
    return (std::log(a1) + std::log(a2) - std::log(c1) - std::log(c2)) / 2;
}

QuadSummary summarizeQuads(std::span<const double> quads)
{
    QuadSummary summary;
    const Look* look = nullptr;
    for (const Look& entry : kIntervals)
        if (quads.size() >= entry.quads)
            look = &entry;
    const std::vector<double> values = sorted(look ? quads.first(look->quads) : quads);
    if (values.empty())
        return summary;
    summary.median = middle(values);
    summary.look = look ? static_cast<int>(look->quads) : 0;
    summary.low = look ? values[look->low - 1] : values.front();
    summary.high = look ? values[look->high - 1] : values.back();
    return summary;
}

bool quadsFutile(std::span<const double> quads)
{
    if (quads.size() < 4)
        return false;
    const std::vector<double> values = sorted(quads);
    return values.back() < 0 && middle(values) < -0.1;
}

double medianOf(std::span<const double> values)
{
    return middle(sorted(values));
}

} // namespace foresight
