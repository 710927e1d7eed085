// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/gp_forecaster.h"

#include "core/forecast/features.h"
#include "core/forecast/gp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace foresight {

namespace {

constexpr std::array<std::size_t, 8> kRefits{10, 16, 24, 36, 54, 80, 120, 170};
constexpr int kSearchSteps = 40;
constexpr std::size_t kMaxSearchPoints = 400;

// Refit after `labels`? The table, then each time half as many again.
bool isRefit(std::size_t labels)
{
    if (labels <= kRefits.back())
        return std::find(kRefits.begin(), kRefits.end(), labels) != kRefits.end();
    std::size_t next = kRefits.back();
    while (next < labels)
        next = (next * 3 + 1) / 2;
    return next == labels;
}

struct MeanAndSd
{
    double mean = 0, sd = 1;
};

class GpForecaster final : public Forecaster
{
public:
    explicit GpForecaster(ForecasterContext context)
        : m_prior(speedupPrior(context)), m_gp(makeFeatures(*context.space)), m_random(context.seed),
          m_closed(context.space->size(), false),
          // Half a gigabyte of rows at most; a search rarely needs more than a few hundred points.
          m_maxPoints(std::clamp<std::size_t>((std::size_t{1} << 27) / context.space->size(), 128, 1500))
    {
    }

    std::string_view name() const override { return "gp"; }

    void addLabel(const ForecastLabel& label) override
    {
        if (label.index >= m_closed.size())
            return;
        std::erase(m_pending, label.index);
        m_closed[label.index] = true;
        noteSurprise(label);
        m_labels.push_back(label);
        if (!label.log2Speedup) {
            ++m_failures;
            m_wrongResults += label.wrongResult ? 1 : 0;
        }
        const bool refit = isRefit(m_labels.size());
        if (refit || m_labels.size() < kRefits.front() || m_gp.points() >= m_maxPoints)
            fit(refit);
        else
            append(label);
        m_stale = true;
    }

    void addPending(std::uint32_t index) override
    {
        if (index >= m_closed.size() || m_closed[index])
            return;
        m_closed[index] = true;
        m_pending.push_back(index);
        m_stale = true;
    }

    std::vector<Forecast> forecast(std::span<const std::uint32_t> indices) override
    {
        update();
        std::vector<Forecast> all;
        all.reserve(indices.size());
        for (const std::uint32_t index : indices)
            all.push_back(forecastOf(index));
        return all;
    }

    std::span<const float> expectedImprovement() override
    {
        update();
        return m_improvement;
    }

    std::uint32_t modelVersion() const override { return m_version; }

private:
    // The target of expected improvement: (t_best / t)^2, 0 for failures. The square tells the fast from the
    // fastest at the price of what the slow differ by, which no search needs to know.
    double shareOfBest(const ForecastLabel& label) const
    {
        return label.log2Speedup && m_reference ? std::exp2(2 * (*label.log2Speedup - *m_reference)) : 0;
    }

    // Labels the model is fitted to: all, or the better half of the limit and the latest beyond it.
    std::vector<std::size_t> trainingSet() const
    {
        std::vector<std::size_t> order(m_labels.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (order.size() < m_maxPoints)
            return order;
        const auto better = [&](std::size_t a, std::size_t b) {
            return m_labels[a].log2Speedup.value_or(-1e300) > m_labels[b].log2Speedup.value_or(-1e300);
        };
        std::stable_sort(order.begin(), order.end(), better);
        const auto half = order.begin() + static_cast<std::ptrdiff_t>(m_maxPoints / 2);
        std::sort(half, order.end(), std::greater<>());
        order.resize(m_maxPoints * 3 / 4);
        std::sort(order.begin(), order.end());
        return order;
    }

    void fit(bool refit)
    {
        const std::vector<std::size_t> training = trainingSet();
        m_reference.reset();
        for (const ForecastLabel& label : m_labels)
            if (label.log2Speedup && (!m_reference || *label.log2Speedup > *m_reference))
                m_reference = label.log2Speedup;

        std::vector<std::uint32_t> at;
        std::vector<double> share, speed, fails;
        std::vector<bool> failed;
        for (const std::size_t i : training) {
            const ForecastLabel& label = m_labels[i];
            at.push_back(label.index);
            share.push_back(shareOfBest(label));
            failed.push_back(!label.log2Speedup);
            speed.push_back(label.log2Speedup.value_or(0));
            fails.push_back(failed.back() ? 1 : 0);
        }
        const auto n = static_cast<double>(training.size());
        m_shareUnit.mean = std::accumulate(share.begin(), share.end(), 0.) / n;
        double squares = 0;
        for (const double s : share)
            squares += (s - m_shareUnit.mean) * (s - m_shareUnit.mean);
        m_shareUnit.sd = std::sqrt(squares / n) + 1e-9;
        m_speedUnit = unitOfSpeeds(speed, failed);
        m_failBase = (static_cast<double>(m_failures) + .5) / (static_cast<double>(m_labels.size()) + 1);
        for (std::size_t i = 0; i < training.size(); ++i) {
            share[i] = (share[i] - m_shareUnit.mean) / m_shareUnit.sd;
            speed[i] = (speed[i] - m_speedUnit.mean) / m_speedUnit.sd;
            fails[i] -= m_failBase;
        }
        if (refit) {
            searchLengths(at, share);
            ++m_version;
        }
        m_gp.factorise(at);
        const std::vector<bool> none(training.size(), false);
        m_share = m_gp.solve(share, none);
        m_speed = m_gp.solve(speed, failed);
        m_fail = m_gp.solve(fails, none);
    }

    // On every point, or on an even choice of them where all would take seconds.
    void searchLengths(const std::vector<std::uint32_t>& at, const std::vector<double>& share)
    {
        const std::size_t stride = (at.size() + kMaxSearchPoints - 1) / kMaxSearchPoints;
        std::vector<std::uint32_t> someAt;
        std::vector<double> someShare;
        for (std::size_t i = 0; i < at.size(); i += stride) {
            someAt.push_back(at[i]);
            someShare.push_back(share[i]);
        }
        m_gp.optimise(someAt, someShare, m_random, kSearchSteps);
    }

    // Shrunk towards the prior while few have succeeded.
    MeanAndSd unitOfSpeeds(const std::vector<double>& speed, const std::vector<bool>& failed) const
    {
        constexpr double kPriorWeight = 2;
        double count = 0, sum = 0;
        for (std::size_t i = 0; i < speed.size(); ++i)
            if (!failed[i]) {
                count += 1;
                sum += speed[i];
            }
        if (count == 0)
            return {m_prior.meanLog2, m_prior.sdLog2};
        MeanAndSd unit;
        unit.mean = sum / count;
        double squares = kPriorWeight * m_prior.sdLog2 * m_prior.sdLog2;
        for (std::size_t i = 0; i < speed.size(); ++i)
            if (!failed[i])
                squares += (speed[i] - unit.mean) * (speed[i] - unit.mean);
        unit.sd = std::sqrt(squares / (count + kPriorWeight));
        return unit;
    }

    void append(const ForecastLabel& label)
    {
        m_gp.append(label.index);
        m_gp.extend(m_share, (shareOfBest(label) - m_shareUnit.mean) / m_shareUnit.sd, false);
        m_gp.extend(m_speed, (label.log2Speedup.value_or(0) - m_speedUnit.mean) / m_speedUnit.sd,
                    !label.log2Speedup);
        m_gp.extend(m_fail, (label.log2Speedup ? 0 : 1) - m_failBase, false);
    }

    void update()
    {
        if (!m_stale)
            return;
        m_stale = false;
        m_variance = m_gp.variance(m_pending);
        m_improvement.assign(m_closed.size(), 0.f);
        double bar = 0;
        for (const ForecastLabel& label : m_labels)
            bar = std::max(bar, shareOfBest(label));
        const double scale = m_share.scale();
        // Without a success, or with nothing but equal ones, there is nothing to improve on: explore, away
        // from failures first.
        const bool explore = !m_reference || !(scale > 1e-12);
        for (std::size_t i = 0; i < m_closed.size(); ++i) {
            if (m_closed[i])
                continue;
            const double variance = std::max(m_variance[i], 1e-9);
            double improvement;
            if (explore)
                improvement = std::sqrt(variance) * (1 - failProbability(i));
            else
                improvement = normalExpectedImprovement(
                    m_shareUnit.mean + m_shareUnit.sd * static_cast<double>(m_share.mean[i]),
                    m_shareUnit.sd * std::sqrt(variance * scale), bar);
            m_improvement[i] = static_cast<float>(improvement);
        }
    }

    double failProbability(std::size_t index) const
    {
        if (m_labels.empty())
            return 1 - (1 - m_prior.failsToRun) * (1 - m_prior.wrongResult);
        const double least = .5 / (static_cast<double>(m_labels.size()) + 1);
        return std::clamp(m_failBase + static_cast<double>(m_fail.mean[index]), least,
                          1 - std::max(least, .02));
    }

    // Of the label of a configuration, measuring noise included.
    MeanAndSd speedOf(std::size_t index, double variance) const
    {
        if (m_speed.observed == 0)
            return {m_prior.meanLog2, m_prior.sdLog2};
        // One more observation of unit variance keeps the first few from looking certain.
        const double scale = (m_speed.sumSquares + 1) / (static_cast<double>(m_speed.observed) + 1);
        return {m_speedUnit.mean + m_speedUnit.sd * static_cast<double>(m_speed.mean[index]),
                m_speedUnit.sd * std::sqrt((std::max(variance, 1e-9) + m_gp.noise()) * scale)};
    }

    // How wide forecasts should have been so far: each label is compared with the forecast made before it
    // came.
    double widening() const
    {
        constexpr double kPriorWeight = 10;
        const double ratio = (kPriorWeight + m_surpriseSquares) / (kPriorWeight + m_surprises);
        return std::clamp(std::sqrt(ratio), .7, 3.);
    }

    void noteSurprise(const ForecastLabel& label)
    {
        if (!label.log2Speedup || m_speed.observed < 2)
            return;
        const MeanAndSd before = speedOf(label.index, m_gp.varianceAt(label.index));
        const double z = (*label.log2Speedup - before.mean) / before.sd;
        m_surpriseSquares = .98 * m_surpriseSquares + std::min(z * z, 25.);
        m_surprises = .98 * m_surprises + 1;
    }

    Forecast forecastOf(std::uint32_t index) const
    {
        if (index >= m_closed.size() || m_labels.empty()) {
            Forecast cold = priorForecast(m_prior);
            cold.forecaster = "gp";
            cold.expectedImprovement =
                index < m_closed.size() ? static_cast<double>(m_improvement[index]) : 0;
            return cold;
        }
        Forecast forecast;
        forecast.forecaster = "gp";
        forecast.modelVersion = m_version;
        const MeanAndSd speed = speedOf(index, m_variance[index]);
        const double sd = std::max(speed.sd * widening(), 1e-3);
        // Kernels have cliffs: one forecast in ten is off by more than a normal allows. On the public spaces
        // these tails lower the log score by .04 to .14.
        constexpr double kTail = .1, kTailWidth = 2.5;
        forecast.bins = binsOfNormal(speed.mean, sd);
        const BinProbabilities tail = binsOfNormal(speed.mean, kTailWidth * sd);
        for (std::size_t b = 0; b < forecast.bins.size(); ++b)
            forecast.bins[b] += kTail * (tail[b] - forecast.bins[b]);
        forecast.meanLog2 = speed.mean;
        forecast.sdLog2 = sd * std::sqrt(1 - kTail + kTail * kTailWidth * kTailWidth);
        const double fails = failProbability(index);
        const double wrongShare =
            (static_cast<double>(m_wrongResults) + .1) / (static_cast<double>(m_failures) + 1);
        forecast.failsToRun = fails * (1 - wrongShare);
        forecast.wrongResult = 1 - (1 - fails) / (1 - forecast.failsToRun);
        forecast.expectedImprovement = static_cast<double>(m_improvement[index]);
        return forecast;
    }

    SpeedupPrior m_prior;
    GaussianProcess m_gp;
    Random m_random;
    std::vector<bool> m_closed; // measured or pending
    std::size_t m_maxPoints;
    std::vector<ForecastLabel> m_labels;
    std::vector<std::uint32_t> m_pending;
    std::size_t m_failures = 0, m_wrongResults = 0;
    std::uint32_t m_version = 0;

    std::optional<double> m_reference; // best log2 S at the last fit; shares are relative to it
    MeanAndSd m_shareUnit, m_speedUnit;
    double m_failBase = 0;
    GaussianProcess::Target m_share, m_speed, m_fail;
    double m_surpriseSquares = 0, m_surprises = 0;

    bool m_stale = true;
    std::vector<double> m_variance;
    std::vector<float> m_improvement;
};

} // namespace

std::unique_ptr<Forecaster> makeGpForecaster(ForecasterContext context)
{
    return std::make_unique<GpForecaster>(std::move(context));
}

} // namespace foresight
