// SPDX-License-Identifier: Apache-2.0
// The speedup bins: the one table (design 05), in one place. S = baseline time / candidate time. A scheme id is
// stored with every forecast and label. All functions are pure.
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace foresight {

inline constexpr int kBinCount = 8;
using BinProbabilities = std::array<double, kBinCount>; // bins 1..8 at 0..7

enum class BinScheme : std::uint8_t {
    Gf8Label = 0,   // 1/4, 1/2, 2^-.5, 1, 2^.5, 2, 4; upper edges inclusive
    Gf8Formula = 1, // clamp(floor(2 log2 S) + 4, 1, 8); lower edges inclusive
};
std::string_view binSchemeName(BinScheme scheme); // "gf8-label", "gf8-formula"

// 1..8. InvalidArgument for S <= 0, NaN; +Inf is bin 8.
Result<int> binOf(double speedup, BinScheme scheme = BinScheme::Gf8Label);
// The seven inner edges, ascending, as speedups.
const std::array<double, kBinCount - 1>& binEdges(BinScheme scheme = BinScheme::Gf8Label);
double binRepresentative(int bin, BinScheme scheme = BinScheme::Gf8Label);
// "severe slowdown" ...; English, for JSON and the CLI (the window translates its own).
std::string_view binName(int bin);

// A distribution over log2 S. CDF linear between knots -4, -2, -1, -.5, 0, .5, 1, 2, 3 (label scheme).
double cdfAtLog2(const BinProbabilities& p, double log2Speedup);
// From forecast against the parent to forecast against the baseline: F(x - log2ParentSpeedup).
BinProbabilities shiftToBaseline(const BinProbabilities& againstParent, double log2ParentSpeedup);
// Mass of N(mean, sd) (in log2 S) per bin.
BinProbabilities binsOfNormal(double meanLog2, double sdLog2, BinScheme scheme = BinScheme::Gf8Label);

double geometricSpeedup(const BinProbabilities& p);  // exp(sum p ln rep)
double arithmeticSpeedup(const BinProbabilities& p); // sum p rep
double meanBinIndex(const BinProbabilities& p);      // 1..8
double probabilityAbove(const BinProbabilities& p, double speedup);
int mostLikelyBin(const BinProbabilities& p);        // 1..8, lowest on ties
double confidenceMax(const BinProbabilities& p);
double confidenceEntropy(const BinProbabilities& p); // 1 - H / ln 8
double topTwoMargin(const BinProbabilities& p);

} // namespace foresight
