// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/gp.h"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace foresight {

namespace {

using Eigen::Index;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kStartLength = .7, kStartNoise = .01;
constexpr double kMinNoise = 1e-4, kMaxNoise = .5;

template <typename Array> auto matern(const Array& squared) // 5 x squared scaled distance -> covariance
{
    const auto r = squared.sqrt().eval();
    return ((1 + r + r * r / 3) * (-r).exp()).eval();
}

double maternScalar(double squared)
{
    const double r = std::sqrt(squared);
    return (1 + r + r * r / 3) * std::exp(-r);
}

} // namespace

struct GaussianProcess::Impl
{
    FeatureMatrix features;
    Eigen::VectorXd lengths;
    double noise = kStartNoise;

    Eigen::MatrixXf scaled; // features / length x sqrt(5); space x features
    std::vector<std::uint32_t> points;
    Eigen::MatrixXd factor;   // lower; grows by doubling, the leading points x points block is valid
    std::vector<float> whole; // rows of L^-1 k(points, space), one after the other
    Eigen::ArrayXd variance;

    Index n() const { return static_cast<Index>(points.size()); }
    Index size() const { return static_cast<Index>(features.rows); }
    Index columns() const { return static_cast<Index>(features.columns); }

    Eigen::Map<const FloatRows> rows() const { return {whole.data(), n(), size()}; }

    void rescale()
    {
        scaled.resize(size(), columns());
        for (Index j = 0; j < columns(); ++j)
            scaled.col(j) = Eigen::Map<const Eigen::VectorXf>(features.data.data() + j * size(), size()) *
                            static_cast<float>(std::sqrt(5.) / lengths[j]);
    }

    // k(point, configurations from `first`), in float.
    Eigen::ArrayXf covariance(std::uint32_t point, Index first, Index count) const
    {
        Eigen::ArrayXf squared = Eigen::ArrayXf::Zero(count);
        for (Index j = 0; j < columns(); ++j)
            squared += (scaled.col(j).segment(first, count).array() - scaled(point, j)).square();
        return matern(squared);
    }

    double between(std::uint32_t a, std::uint32_t b) const
    {
        double squared = 0;
        for (Index j = 0; j < columns(); ++j) {
            const double d = static_cast<double>(scaled(a, j)) - static_cast<double>(scaled(b, j));
            squared += d * d;
        }
        return maternScalar(squared);
    }

    // L^-1 k(points, point)
    Eigen::VectorXd project(std::uint32_t point) const
    {
        Eigen::VectorXd k(n());
        for (Index i = 0; i < n(); ++i)
            k[i] = between(points[static_cast<std::size_t>(i)], point);
        factor.topLeftCorner(n(), n()).triangularView<Eigen::Lower>().solveInPlace(k);
        return k;
    }

    double diagonal(double explained) const { return std::sqrt(std::max(1 + noise - explained, 1e-8)); }
};

GaussianProcess::GaussianProcess(FeatureMatrix features) : m(std::make_unique<Impl>())
{
    m->features = std::move(features);
    m->lengths = Eigen::VectorXd::Constant(m->columns(), kStartLength);
    m->rescale();
    m->variance = Eigen::ArrayXd::Ones(m->size());
}

GaussianProcess::~GaussianProcess() = default;

std::size_t GaussianProcess::spaceSize() const
{
    return m->features.rows;
}

std::size_t GaussianProcess::points() const
{
    return m->points.size();
}

double GaussianProcess::noise() const
{
    return m->noise;
}

void GaussianProcess::optimise(std::span<const std::uint32_t> at, std::span<const double> y, Random& random,
                               int steps)
{
    const auto n = static_cast<Index>(at.size());
    const Index d = m->columns();
    const Eigen::Map<const Eigen::VectorXd> observations(y.data(), n);
    if (n == 0 || !(observations.squaredNorm() > 0))
        return; // nothing to tell one length from another

    RowMatrix x(n, d), unit(n, d);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < d; ++j)
            x(i, j) = static_cast<double>(
                m->features.at(at[static_cast<std::size_t>(i)], static_cast<std::size_t>(j)));

    Eigen::MatrixXd k(n, n);
    const auto logPosterior = [&](const Eigen::VectorXd& lengths, double noise) {
        unit = x * (std::sqrt(5.) * lengths.cwiseInverse()).asDiagonal();
        for (Index i = 0; i < n; ++i) {
            k(i, i) = 1 + noise;
            for (Index j = i + 1; j < n; ++j)
                k(j, i) = maternScalar((unit.row(i) - unit.row(j)).squaredNorm());
        }
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(k); // in place; k is rebuilt next time
        if (llt.info() != Eigen::Success)
            return -1e18;
        Eigen::VectorXd a = observations;
        llt.matrixL().solveInPlace(a);
        double value = -.5 * static_cast<double>(n) * std::log(a.squaredNorm() / static_cast<double>(n));
        value -= k.diagonal().array().log().sum();
        value -= .5 * (lengths.array().log() - std::log(kStartLength)).square().sum();
        const double deviation = (std::log(noise) - std::log(kStartNoise)) / 1.5;
        return value - .5 * deviation * deviation;
    };

    double best = logPosterior(m->lengths, m->noise);
    for (int step = 0; step < steps; ++step) {
        Eigen::VectorXd lengths = m->lengths;
        for (Index j = 0; j < d; ++j) {
            const double move = random.normal() * .5;
            if (random.coin(.4))
                lengths[j] *= std::exp(move);
        }
        const double noise = std::clamp(m->noise * std::exp(random.normal() * .6), kMinNoise, kMaxNoise);
        const double value = logPosterior(lengths, noise);
        if (value > best) {
            best = value;
            m->lengths = lengths;
            m->noise = noise;
        }
    }
    m->rescale();
}

void GaussianProcess::factorise(std::span<const std::uint32_t> at)
{
    m->points.assign(at.begin(), at.end());
    const Index n = m->n(), size = m->size();
    m->factor.setZero(std::max<Index>(n, 16), std::max<Index>(n, 16));
    auto corner = m->factor.topLeftCorner(n, n);
    for (Index i = 0; i < n; ++i) {
        corner(i, i) = 1 + m->noise;
        for (Index j = i + 1; j < n; ++j)
            corner(j, i) = m->between(at[static_cast<std::size_t>(i)], at[static_cast<std::size_t>(j)]);
    }
    Eigen::MatrixXd k = corner;
    Eigen::LLT<Eigen::MatrixXd> llt(k);
    // Repeated configurations with little noise may need a little more on the diagonal.
    for (double jitter = 1e-8; llt.info() != Eigen::Success && jitter < 1; jitter *= 10) {
        k = corner;
        k.diagonal().array() += jitter;
        llt.compute(k);
    }
    corner.triangularView<Eigen::Lower>() = llt.matrixLLT().triangularView<Eigen::Lower>();

    m->whole.assign(static_cast<std::size_t>(n * size), 0.f);
    m->variance = Eigen::ArrayXd::Ones(size);
    if (n == 0)
        return;
    Eigen::Map<FloatRows> rows(m->whole.data(), n, size);
    constexpr Index kBlock = 1024; // keeps the double block in the cache
    Eigen::MatrixXd block;
    for (Index first = 0; first < size; first += kBlock) {
        const Index count = std::min(kBlock, size - first);
        block.resize(n, count);
        for (Index i = 0; i < n; ++i)
            block.row(i) =
                m->covariance(at[static_cast<std::size_t>(i)], first, count).matrix().cast<double>();
        corner.triangularView<Eigen::Lower>().solveInPlace(block);
        rows.middleCols(first, count) = block.cast<float>();
        m->variance.segment(first, count) -= block.array().square().colwise().sum().transpose();
    }
}

void GaussianProcess::append(std::uint32_t point)
{
    const Index n = m->n(), size = m->size();
    if (n + 1 > m->factor.rows()) {
        const Index capacity = std::max<Index>(16, 2 * m->factor.rows());
        Eigen::MatrixXd larger = Eigen::MatrixXd::Zero(capacity, capacity);
        larger.topLeftCorner(n, n) = m->factor.topLeftCorner(n, n);
        m->factor = std::move(larger);
    }
    const Eigen::VectorXd l = m->project(point);
    const double diagonal = m->diagonal(l.squaredNorm());
    Eigen::VectorXf row = m->covariance(point, 0, size).matrix();
    if (n > 0)
        row.noalias() -= m->rows().transpose() * l.cast<float>();
    row /= static_cast<float>(diagonal);
    m->factor.row(n).head(n) = l.transpose();
    m->factor(n, n) = diagonal;
    m->whole.insert(m->whole.end(), row.data(), row.data() + size);
    m->points.push_back(point);
    m->variance -= row.cast<double>().array().square();
}

GaussianProcess::Target GaussianProcess::solve(std::span<const double> y,
                                               const std::vector<bool>& absent) const
{
    Target target;
    const Index n = m->n();
    Eigen::VectorXd a = Eigen::VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i) {
        const auto place = static_cast<std::size_t>(i);
        if (absent[place])
            continue;
        a[i] = (y[place] - m->factor.row(i).head(i).dot(a.head(i))) / m->factor(i, i);
        ++target.observed;
        target.sumSquares += a[i] * a[i];
    }
    target.innovations.assign(a.data(), a.data() + n);
    target.mean.assign(m->features.rows, 0.f);
    Eigen::Map<Eigen::VectorXf> mean(target.mean.data(), m->size());
    if (n > 0)
        mean.noalias() = m->rows().transpose() * a.cast<float>();
    return target;
}

void GaussianProcess::extend(Target& target, double y, bool isAbsent) const
{
    const Index last = m->n() - 1;
    double innovation = 0;
    if (!isAbsent) {
        const Eigen::Map<const Eigen::VectorXd> before(target.innovations.data(), last);
        innovation = (y - m->factor.row(last).head(last).dot(before)) / m->factor(last, last);
        ++target.observed;
        target.sumSquares += innovation * innovation;
        Eigen::Map<Eigen::VectorXf> mean(target.mean.data(), m->size());
        mean += static_cast<float>(innovation) * m->rows().row(last).transpose();
    }
    target.innovations.push_back(innovation);
}

double GaussianProcess::varianceAt(std::uint32_t index) const
{
    return m->variance[index];
}

std::vector<double> GaussianProcess::variance(std::span<const std::uint32_t> pending) const
{
    const Index size = m->size();
    Eigen::ArrayXd variance = m->variance;
    std::vector<Eigen::VectorXd>
        projections; // of each pending point onto the points and the pending before it
    std::vector<double> diagonals;
    std::vector<Eigen::VectorXf> rows;
    for (std::size_t q = 0; q < pending.size(); ++q) {
        Eigen::VectorXd l(m->n() + static_cast<Index>(q));
        l.head(m->n()) = m->project(pending[q]);
        Eigen::VectorXf row = m->covariance(pending[q], 0, size).matrix();
        if (m->n() > 0)
            row.noalias() -= m->rows().transpose() * l.head(m->n()).cast<float>();
        for (std::size_t e = 0; e < q; ++e) {
            const Index filled = m->n() + static_cast<Index>(e);
            l[filled] =
                (m->between(pending[q], pending[e]) - projections[e].dot(l.head(filled))) / diagonals[e];
            row -= static_cast<float>(l[filled]) * rows[e];
        }
        diagonals.push_back(m->diagonal(l.squaredNorm()));
        row /= static_cast<float>(diagonals.back());
        variance -= row.cast<double>().array().square();
        projections.push_back(std::move(l));
        rows.push_back(std::move(row));
    }
    return {variance.data(), variance.data() + size};
}

} // namespace foresight
