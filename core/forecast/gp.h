// SPDX-License-Identifier: Apache-2.0
// Gaussian process over every configuration of a space: Matern-5/2 with one length per feature, unit signal
// variance (scaled by each target), Cholesky in double, the rows over the whole space in float. Several
// targets share one factorisation. Points are added one by one in O(points x space). Not thread-safe; owned
// by a forecaster.
#pragma once

#include "core/base/random.h"
#include "core/forecast/features.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace foresight {

class GaussianProcess
{
public:
    explicit GaussianProcess(FeatureMatrix features);
    ~GaussianProcess();
    GaussianProcess(const GaussianProcess&) = delete;
    GaussianProcess& operator=(const GaussianProcess&) = delete;

    std::size_t spaceSize() const;
    std::size_t points() const;
    double noise() const; // relative to the signal variance

    // Random-walk search for the mode of the posterior of lengths and noise (ln length ~ N(ln .7, 1), ln
    // noise ~ N(ln .01, 1.5)) given standardised observations; starts at the present values, never ends below
    // them.
    void optimise(std::span<const std::uint32_t> at, std::span<const double> y, Random& random, int steps);
    // Forgets all points and factorises these.
    void factorise(std::span<const std::uint32_t> at);
    // Adds one point to the factorisation.
    void append(std::uint32_t point);

    // What one kind of observation says of the whole space.
    struct Target
    {
        std::vector<double>
            innovations;          // per point: standardised surprise given the points before; 0 if absent
        std::vector<float> mean;  // per configuration
        std::size_t observed = 0; // points that had an observation
        double sumSquares = 0;    // of the innovations

        // Maximum-likelihood signal variance.
        double scale() const { return observed ? sumSquares / static_cast<double>(observed) : 1; }
    };
    // `absent[i]` points are assumed to be where the points before them predict: they say nothing.
    Target solve(std::span<const double> y, const std::vector<bool>& absent) const;
    // The target's part of the last `append`.
    void extend(Target& target, double y, bool isAbsent) const;

    // Variance per configuration relative to the signal's, with `pending` points assumed measured as well.
    std::vector<double> variance(std::span<const std::uint32_t> pending = {}) const;
    double varianceAt(std::uint32_t index) const; // nothing pending

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace foresight
