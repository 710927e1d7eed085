// SPDX-License-Identifier: Apache-2.0
// The statistics of quads (design 04, "Timing"): order statistics at exactly three looks, nothing in between.
// Pure.
#pragma once

#include <array>
#include <span>

namespace foresight {

inline constexpr std::array<int, 3> kLooks{12, 24, 48};

// q = (ln a1 + ln a2 - ln c1 - ln c2) / 2; positive: the candidate is faster.
double quadValue(double a1, double a2, double c1, double c2);

struct QuadSummary
{
    int look = 0; // 12, 24 or 48; 0: too few quads, then low and high are the extremes
    double median = 0, low = 0, high = 0;
    bool decided() const { return look > 0 && (low > 0 || high < 0); }
};

// At the largest look that the number of quads reaches; later quads do not enter.
QuadSummary summarizeQuads(std::span<const double> quads);

// No look would call a win: at least four quads, all below zero and their median below -0.1.
bool quadsFutile(std::span<const double> quads);

double medianOf(std::span<const double> values); // 0 when empty

} // namespace foresight
