// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/gp_forecaster.h"

#include <algorithm>
#include <cmath>

namespace foresight {

SpeedupPrior speedupPrior(const ForecasterContext& context)
{
    SpeedupPrior prior;
    if (!context.problem || !context.baselineNs || !(*context.baselineNs > 0))
        return prior;
    const double floorNs = context.problem->floorNs(context.gpu);
    if (!(floorNs > 0) || !std::isfinite(floorNs))
        return prior;
    // Nothing is faster than the floor; most plain variants are within a factor of four of the baseline. The
    // prior sits between the two with both ends about 1.5 standard deviations out.
    const double limit = std::clamp(std::log2(*context.baselineNs / floorNs), 0.0, 10.0);
    prior.meanLog2 = (limit - 2) / 2;
    prior.sdLog2 = std::max(1.0, (limit + 2) / 3);
    return prior;
}

Forecast priorForecast(const SpeedupPrior& prior)
{
    Forecast forecast;
    forecast.bins = binsOfNormal(prior.meanLog2, prior.sdLog2);
    forecast.meanLog2 = prior.meanLog2;
    forecast.sdLog2 = prior.sdLog2;
    forecast.failsToRun = prior.failsToRun;
    forecast.wrongResult = prior.wrongResult;
    forecast.coldStart = true;
    return forecast;
}

double normalExpectedImprovement(double mean, double sd, double bar)
{
    constexpr double kInvSqrt2Pi = 0.39894228040143267794, kSqrtHalf = 0.70710678118654752440;
    const double z = (mean - bar) / sd;
    if (z > -5) // the sum cancels further out
        return sd * (z * .5 * std::erfc(-z * kSqrtHalf) + kInvSqrt2Pi * std::exp(-.5 * z * z));
    const double w = 1 / (z * z);
    // Asymptotic series of the same; below z = -12 a power law takes over so that floats do not flush to
    // zero.
    const double at = std::max(z, -12.);
    const double v = 1 / (at * at);
    const double tail =
        kInvSqrt2Pi * std::exp(-.5 * at * at) * v * (1 - 3 * v + 15 * v * v - 105 * v * v * v);
    return sd * (z < -12 ? tail * w / v : tail);
}

namespace {

class RooflineForecaster final : public Forecaster
{
public:
    explicit RooflineForecaster(ForecasterContext context)
        : m_prior(speedupPrior(context)), m_size(context.space->size()), m_closed(m_size, false)
    {
    }

    std::string_view name() const override { return "roofline"; }

    void addLabel(const ForecastLabel& label) override
    {
        close(label.index);
        ++m_labels;
        if (label.log2Speedup && (!m_best || *label.log2Speedup > *m_best))
            m_best = label.log2Speedup;
    }

    void addPending(std::uint32_t index) override { close(index); }

    std::vector<Forecast> forecast(std::span<const std::uint32_t> indices) override
    {
        Forecast one = priorForecast(m_prior);
        one.forecaster = "roofline";
        one.coldStart = m_labels == 0;
        std::vector<Forecast> all(indices.size(), one);
        for (std::size_t i = 0; i < indices.size(); ++i)
            all[i].expectedImprovement = improvementOf(indices[i]);
        return all;
    }

    std::span<const float> expectedImprovement() override
    {
        m_improvement.resize(m_size);
        for (std::size_t i = 0; i < m_size; ++i)
            m_improvement[i] = static_cast<float>(improvementOf(static_cast<std::uint32_t>(i)));
        return m_improvement;
    }

    std::uint32_t modelVersion() const override { return 0; }

private:
    void close(std::uint32_t index)
    {
        if (index < m_size)
            m_closed[index] = true;
    }

    double improvementOf(std::uint32_t index) const
    {
        if (index >= m_size || m_closed[index])
            return 0;
        return normalExpectedImprovement(m_prior.meanLog2, m_prior.sdLog2, m_best.value_or(m_prior.meanLog2));
    }

    SpeedupPrior m_prior;
    std::size_t m_size;
    std::vector<bool> m_closed; // measured or pending
    std::size_t m_labels = 0;
    std::optional<double> m_best;
    std::vector<float> m_improvement;
};

} // namespace

std::unique_ptr<Forecaster> makeRooflineForecaster(ForecasterContext context)
{
    return std::make_unique<RooflineForecaster>(std::move(context));
}

} // namespace foresight
