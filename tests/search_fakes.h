// SPDX-License-Identifier: Apache-2.0
// A small analytic "GPU" and a distance-weighted forecaster for tests of the engine: exact, quick and
// deterministic, so that what is tested is the engine and not a model. Header-only; used by several test
// programs.
#pragma once

#include "core/base/random.h"
#include "core/search/engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

namespace foresight::fakes {

// 6 x 8 x 5 x 4 = 960 points; parameter d is a choice without order.
inline std::shared_ptr<const ConfigSpace> makeSpace(int a = 6, int b = 8, int c = 5, int d = 4)
{
    std::vector<TuningParameter> parameters(4);
    const int sizes[4] = {a, b, c, d};
    for (std::size_t p = 0; p < 4; ++p) {
        parameters[p].name = std::string(1, static_cast<char>('a' + p));
        for (int v = 0; v < sizes[p]; ++v)
            parameters[p].values.emplace_back(p == 3 ? Value(std::string(1, static_cast<char>('k' + v)))
                                                     : Value(std::int64_t{1} << v));
    }
    std::vector<std::uint16_t> codes;
    for (int i = 0; i < a * b * c * d; ++i)
        for (int p = 0, rest = i; p < 4; rest /= sizes[p], ++p)
            codes.push_back(static_cast<std::uint16_t>(rest % sizes[p]));
    return std::make_shared<const ConfigSpace>(std::move(parameters), std::move(codes));
}

// Time in ns of a configuration; 0: fails. Smooth but for the choice d, with failures in one corner.
inline double timeOf(const ConfigSpace& space, std::size_t index)
{
    const double x = space.code(index, 0), y = space.code(index, 1), z = space.code(index, 2);
    if (x >= 5 && y >= 6)
        return 0;
    const double choice[4] = {1.0, 1.6, 1.2, 2.0};
    const double shape =
        1 + .15 * (x - 3) * (x - 3) + .08 * (y - 5) * (y - 5) + .1 * (z - 1) * (z - 1) + .03 * x * z;
    return 1000 * shape * choice[space.code(index, 3) % 4];
}

struct FakeGpuOptions
{
    bool live = false;    // answers from its own thread
    bool anchored = true; // quads against the anchor's time
    double anchorNs = 4000;
    std::uint64_t delaySeed = 0;            // sleeps up to 2 ms at random before each answer; 0: never
    std::set<std::uint32_t> silent;         // indices never answered (live)
    std::set<std::uint32_t> internalErrors; // answered Internal once each
    std::set<std::uint32_t> unwell;
};

class FakeGpu : public Gpu
{
public:
    FakeGpu(std::shared_ptr<const ConfigSpace> space, FakeGpuOptions options = {})
        : m_space(std::move(space)), m_options(std::move(options)), m_delays(m_options.delaySeed)
    {
        m_info.recorded = !m_options.live;
        m_info.description = "test GPU";
        if (m_options.live)
            m_thread = std::jthread([this](std::stop_token stop) { serve(stop); });
    }

    void setSink(Sink sink) override
    {
        const std::lock_guard lock(m_mutex);
        m_sink = std::move(sink);
    }
    JobId submit(GpuRequest request) override
    {
        const std::lock_guard lock(m_mutex);
        const JobId job(++m_last);
        submitted.push_back(*request.spaceIndex);
        m_pending.push_back({job, *request.spaceIndex});
        m_changed.notify_all();
        return job;
    }
    void cancel(JobId job) override
    {
        const std::lock_guard lock(m_mutex);
        cancelled.push_back(job);
    }
    bool advance() override
    {
        if (m_options.live)
            return false;
        std::unique_lock lock(m_mutex);
        if (m_pending.empty())
            return false;
        answerFirst(lock);
        return true;
    }
    const GpuInfo& info() const override { return m_info; }
    double nowSeconds() const override { return m_now; }

    std::vector<std::uint32_t> submitted;
    std::vector<JobId> cancelled;

private:
    struct Job
    {
        JobId id;
        std::uint32_t index;
    };

    void serve(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        while (m_changed.wait(lock, stop, [this] { return !m_pending.empty(); })) {
            if (m_options.silent.count(m_pending.front().index)) {
                m_pending.pop_front();
                continue;
            }
            answerFirst(lock);
        }
    }
    void answerFirst(std::unique_lock<std::mutex>& lock)
    {
        const Job job = m_pending.front();
        m_pending.pop_front();
        GpuReply reply;
        reply.costs = {.5, .25, .125};
        m_now = m_now + reply.costs.total();
        const double time = timeOf(*m_space, job.index);
        reply.stage = Stage::Measure;
        if (m_options.unwell.count(job.index)) {
            reply.outcome = Outcome::GpuUnwell;
            reply.message = "the canary failed";
        } else if (m_options.internalErrors.erase(job.index)) {
            reply.outcome = Outcome::Internal;
        } else if (time <= 0) {
            reply.outcome = Outcome::LaunchRejected;
            reply.stage = Stage::Verify;
            reply.message = "too many resources";
        } else {
            reply.outcome = Outcome::Ok;
            Timing timing;
            timing.candidateNs = time;
            if (m_options.anchored) {
                timing.anchorNs = m_options.anchorNs;
                timing.look = 12;
                timing.lnRatio = std::log(m_options.anchorNs / time);
                timing.lnLow = timing.lnRatio - .01;
                timing.lnHigh = timing.lnRatio + .01;
            }
            reply.timing = timing;
            reply.verification = VerificationReport{};
            reply.verification->passed = true;
        }
        const Sink sink = m_sink;
        const auto delay = m_options.delaySeed ? m_delays.below(2000) : 0;
        lock.unlock();
        if (delay)
            std::this_thread::sleep_for(std::chrono::microseconds(delay));
        sink(job.id, std::move(reply));
        lock.lock();
    }

    std::shared_ptr<const ConfigSpace> m_space;
    FakeGpuOptions m_options;
    GpuInfo m_info;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<Job> m_pending;
    Sink m_sink;
    std::int64_t m_last = 0;
    std::atomic<double> m_now = 0;
    Random m_delays;
    std::jthread m_thread; // last: stops before the rest dies
};

// Mean of the labels weighted by 4^-distance; improvement grows with distance. Refits (in name) at 10, 20,
// 40, ... labels.
class FakeForecaster : public Forecaster
{
public:
    explicit FakeForecaster(std::shared_ptr<const ConfigSpace> space) : m_space(std::move(space)) {}

    std::string_view name() const override { return "test"; }
    void addLabel(const ForecastLabel& label) override
    {
        labels.push_back(label);
        std::erase(pending, label.index);
        if (labels.size() == m_nextRefit) {
            ++m_version;
            m_nextRefit *= 2;
        }
    }
    void addPending(std::uint32_t index) override { pending.push_back(index); }
    std::vector<Forecast> forecast(std::span<const std::uint32_t> indices) override
    {
        std::vector<Forecast> forecasts;
        for (const std::uint32_t index : indices) {
            Forecast f;
            const auto [mean, distance] = predict(index);
            f.meanLog2 = mean;
            f.sdLog2 = .1 + .1 * distance;
            f.bins = binsOfNormal(f.meanLog2, f.sdLog2);
            f.expectedImprovement = improvement(index);
            f.forecaster = "test";
            f.modelVersion = m_version;
            f.coldStart = labels.empty();
            forecasts.push_back(f);
        }
        return forecasts;
    }
    std::span<const float> expectedImprovement() override
    {
        m_improvement.assign(m_space->size(), 0);
        for (std::uint32_t i = 0; i < m_space->size(); ++i)
            m_improvement[i] = static_cast<float>(improvement(i));
        for (const ForecastLabel& label : labels)
            m_improvement[label.index] = 0;
        for (const std::uint32_t index : pending)
            m_improvement[index] = 0;
        return m_improvement;
    }
    std::uint32_t modelVersion() const override { return m_version; }

    std::vector<ForecastLabel> labels;
    std::vector<std::uint32_t> pending;

private:
    std::pair<double, int> predict(std::uint32_t index) const
    {
        double sum = 0, weights = 1e-9;
        int nearest = 4;
        for (const ForecastLabel& label : labels) {
            const int distance = m_space->distance(index, label.index);
            nearest = std::min(nearest, distance);
            const double weight = std::pow(4., -distance);
            sum += weight * label.log2Speedup.value_or(-3);
            weights += weight;
        }
        return {sum / weights, nearest};
    }
    double improvement(std::uint32_t index) const
    {
        double best = -4;
        for (const ForecastLabel& label : labels)
            best = std::max(best, label.log2Speedup.value_or(-4));
        const auto [mean, distance] = predict(index);
        const double sd = .1 + .1 * distance, z = (mean - best) / sd;
        return sd * (z * std::erfc(-z / std::sqrt(2.)) / 2 +
                     std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979));
    }

    std::shared_ptr<const ConfigSpace> m_space;
    std::vector<float> m_improvement;
    std::uint32_t m_version = 0;
    std::size_t m_nextRefit = 10;
};

inline SearchTarget makeTarget(std::shared_ptr<const ConfigSpace> space, bool withDefault = true)
{
    SearchTarget target;
    target.operatorName = "test::op";
    target.problemKey = "test[] f32 contiguous";
    target.space = std::move(space);
    if (withDefault)
        target.defaultIndex = 0;
    return target;
}

} // namespace foresight::fakes
