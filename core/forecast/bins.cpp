// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/bins.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;
constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;

constexpr std::array<double, kBinCount - 1> kLabelEdges{0.25, 0.5, kSqrtHalf, 1, kSqrt2, 2, 4};
constexpr std::array<double, kBinCount - 1> kFormulaEdges{0.5, kSqrtHalf, 1, kSqrt2, 2, 2 * kSqrt2, 4};
constexpr std::array<double, kBinCount + 1> kLabelKnots{-4, -2, -1, -0.5, 0, 0.5, 1, 2, 3};
constexpr std::array<double, kBinCount + 1> kFormulaKnots{-4, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3};

constexpr std::array<std::string_view, kBinCount> kNames{
    "severe slowdown", "significant slowdown", "moderate slowdown", "minor slowdown",
    "minor speedup",   "significant speedup",  "high speedup",      "extreme speedup"};

const std::array<double, kBinCount + 1>& knots(BinScheme scheme)
{
    return scheme == BinScheme::Gf8Label ? kLabelKnots : kFormulaKnots;
}

// P(Z <= z), accurate in both tails.
double normalCdf(double z)
{
    return 0.5 * std::erfc(-z * (kSqrtHalf));
}

} // namespace

std::string_view binSchemeName(BinScheme scheme)
{
    return scheme == BinScheme::Gf8Label ? "gf8-label" : "gf8-formula";
}

Result<int> binOf(double speedup, BinScheme scheme)
{
    if (!(speedup > 0)) // also NaN
        return makeError(ErrorCode::InvalidArgument,
                         "a speedup must be a positive number, got " + std::to_string(speedup),
                         "Failed candidates have no speedup: give them a failure instead of a bin.");
    const auto& edges = binEdges(scheme);
    // Label bins own their upper edge, formula bins their lower one.
    const auto it = scheme == BinScheme::Gf8Label ? std::lower_bound(edges.begin(), edges.end(), speedup)
                                                  : std::upper_bound(edges.begin(), edges.end(), speedup);
    return static_cast<int>(it - edges.begin()) + 1;
}

const std::array<double, kBinCount - 1>& binEdges(BinScheme scheme)
{
    return scheme == BinScheme::Gf8Label ? kLabelEdges : kFormulaEdges;
}

double binRepresentative(int bin, BinScheme scheme)
{
    const auto& k = knots(scheme);
    const auto i = static_cast<std::size_t>(std::clamp(bin, 1, kBinCount) - 1);
    return std::exp2((k[i] + k[i + 1]) / 2);
}

std::string_view binName(int bin)
{
    return kNames[static_cast<std::size_t>(std::clamp(bin, 1, kBinCount) - 1)];
}

double cdfAtLog2(const BinProbabilities& p, double log2Speedup)
{
    const auto& k = kLabelKnots;
    if (!(log2Speedup > k.front()))
        return 0;
    if (log2Speedup >= k.back())
        return 1;
    double below = 0;
    for (std::size_t i = 0; i < kBinCount; ++i) {
        if (log2Speedup < k[i + 1])
            return std::min(1.0, below + p[i] * (log2Speedup - k[i]) / (k[i + 1] - k[i]));
        below += p[i];
    }
    return 1;
}

BinProbabilities shiftToBaseline(const BinProbabilities& againstParent, double log2ParentSpeedup)
{
    if (log2ParentSpeedup == 0)
        return againstParent;
    BinProbabilities shifted{};
    double below = 0;
    for (std::size_t i = 0; i + 1 < kBinCount; ++i) {
        const double upTo = std::max(below, cdfAtLog2(againstParent, kLabelKnots[i + 1] - log2ParentSpeedup));
        shifted[i] = upTo - below;
        below = upTo;
    }
    shifted[kBinCount - 1] = std::max(0.0, 1 - below);
    return shifted;
}

BinProbabilities binsOfNormal(double meanLog2, double sdLog2, BinScheme scheme)
{
    BinProbabilities p{};
    const auto& edges = binEdges(scheme);
    if (!(sdLog2 > 0)) { // a point mass
        const double s = std::clamp(std::exp2(meanLog2), 1e-300, 1e300);
        const auto bin = binOf(s, scheme);
        p[bin.ok() ? static_cast<std::size_t>(*bin - 1) : 0] = 1;
        return p;
    }
    double below = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const double upTo = std::max(below, normalCdf((std::log2(edges[i]) - meanLog2) / sdLog2));
        p[i] = upTo - below;
        below = upTo;
    }
    p[kBinCount - 1] = normalCdf((meanLog2 - std::log2(edges.back())) / sdLog2);
    double sum = 0;
    for (const double q : p)
        sum += q;
    for (double& q : p)
        q /= sum;
    return p;
}

double geometricSpeedup(const BinProbabilities& p)
{
    double sum = 0;
    for (int b = 1; b <= kBinCount; ++b)
        sum += p[static_cast<std::size_t>(b - 1)] * std::log(binRepresentative(b));
    return std::exp(sum);
}

double arithmeticSpeedup(const BinProbabilities& p)
{
    double sum = 0;
    for (int b = 1; b <= kBinCount; ++b)
        sum += p[static_cast<std::size_t>(b - 1)] * binRepresentative(b);
    return sum;
}

double meanBinIndex(const BinProbabilities& p)
{
    double sum = 0;
    for (int b = 1; b <= kBinCount; ++b)
        sum += p[static_cast<std::size_t>(b - 1)] * b;
    return sum;
}

double probabilityAbove(const BinProbabilities& p, double speedup)
{
    return speedup > 0 ? 1 - cdfAtLog2(p, std::log2(speedup)) : 1;
}

int mostLikelyBin(const BinProbabilities& p)
{
    return static_cast<int>(std::max_element(p.begin(), p.end()) - p.begin()) + 1;
}

double confidenceMax(const BinProbabilities& p)
{
    return *std::max_element(p.begin(), p.end());
}

double confidenceEntropy(const BinProbabilities& p)
{
    double entropy = 0;
    for (const double q : p)
        if (q > 0)
            entropy -= q * std::log(q);
    return 1 - entropy / std::log(static_cast<double>(kBinCount));
}

double topTwoMargin(const BinProbabilities& p)
{
    BinProbabilities sorted = p;
    std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(), std::greater<>());
    return sorted[0] - sorted[1];
}

} // namespace foresight
