// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/quads.h"

#include "core/gpu/quad_stats.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace foresight::measure {

namespace {

constexpr double kGraphBelowNs = 20'000;

class ClockWatch
{
public:
    explicit ClockWatch(const Nvml* nvml) : m_nvml(nvml)
    {
        if (!m_nvml)
            return;
        // Reading while a sample runs costs nothing when it is quicker than the sample; else only once a
        // quad.
        const auto start = std::chrono::steady_clock::now();
        m_nvml->smClockMhz();
        m_perSample = std::chrono::steady_clock::now() - start < std::chrono::microseconds(500);
    }
    void beforeQuad()
    {
        m_anchor.clear();
        m_candidate.clear();
    }
    void duringSample(bool candidate)
    {
        if (m_nvml && (m_perSample || (m_anchor.empty() && m_candidate.empty())))
            (candidate ? m_candidate : m_anchor).push_back(m_nvml->smClockMhz());
    }
    // Whether the quad counts.
    bool afterQuad(Timing& timing)
    {
        if (!m_nvml)
            return true;
        const std::uint64_t reasons = m_nvml->throttleReasons();
        timing.throttleReasons |= reasons;
        for (const auto* clocks : {&m_anchor, &m_candidate})
            m_all.insert(m_all.end(), clocks->begin(), clocks->end());
        if (reasons & kBadThrottleReasons)
            return false;
        const double a = medianOf(m_anchor), c = medianOf(m_candidate);
        return !(a > 0 && c > 0) || std::fabs(a - c) <= 0.01 * std::max(a, c);
    }
    double medianClock() const { return medianOf(m_all); }

private:
    const Nvml* m_nvml;
    bool m_perSample = false;
    std::vector<double> m_anchor, m_candidate, m_all;
};

// An idle GPU lowers its clocks; a few milliseconds of reading bring them back.
Result<void> warmUp(Device& device, Support& support, double deadlineSeconds)
{
    const Nvml* nvml = device.nvml();
    const double top = nvml ? nvml->maxSmClockMhz() : 0;
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < 20; ++i)
            FS_CHECK(support.flush(device.stream()));
        const double now = nvml ? nvml->smClockMhz() : 0;
        FS_CHECK(device.wait(deadlineSeconds));
        if (round >= 1 && (top <= 0 || now >= 0.85 * top))
            return {};
        if (round >= 1 && now <= 0)
            return {};
    }
    return {};
}

Result<std::unique_ptr<Sampler>> makeSampler(Device& device, Support& support, const TimedWork& work,
                                             Regime regime, bool asGraph)
{
    auto sampler = Sampler::make(device, support, work, regime, asGraph);
    if (!sampler && asGraph && !work.graph && !isFatal(sampler.error()))
        return Sampler::make(device, support, work, regime, false); // not everything can be captured
    return sampler;
}

} // namespace

Result<double> roughNs(Device& device, Support& support, const TimedWork& work, double deadlineSeconds)
{
    FS_TRY(sampler, Sampler::make(device, support, work, Regime::Cold, false));
    std::vector<double> samples;
    for (int i = 0; i < 3; ++i) {
        FS_TRY(ns, sampler->sampleNs(deadlineSeconds));
        samples.push_back(ns);
    }
    return *std::min_element(samples.begin(), samples.end());
}

Result<Timing> timeQuads(Device& device, Support& support, const TimedWork& anchor,
                         const TimedWork& candidate, const QuadOptions& options, Random& random,
                         int* rejected)
{
    const double deadline = options.deadlineSeconds;
    bool asGraph = options.graphs || anchor.graph || candidate.graph;
    FS_CHECK(warmUp(device, support, deadline));
    if (!asGraph) {
        FS_TRY(a, roughNs(device, support, anchor, deadline));
        FS_TRY(c, roughNs(device, support, candidate, deadline));
        asGraph = std::min(a, c) < kGraphBelowNs;
    }
    FS_TRY(anchorSampler, makeSampler(device, support, anchor, options.regime, asGraph));
    FS_TRY(candidateSampler, makeSampler(device, support, candidate, options.regime, asGraph));
    FS_TRY(discardedA, anchorSampler->sampleNs(deadline));
    FS_TRY(discardedC, candidateSampler->sampleNs(deadline));
    (void)discardedA;
    (void)discardedC;

    Timing timing;
    timing.regime = options.regime;
    ClockWatch clocks(device.nvml());
    std::vector<double> quads;
    int dropped = 0;
    const auto start = std::chrono::steady_clock::now();
    // Clocks that never settle end the measurement without an interval instead of never.
    for (int attempt = 0; attempt < 3 * options.maxQuads && static_cast<int>(quads.size()) < options.maxQuads;
         ++attempt) {
        if (attempt > 0 &&
            std::chrono::steady_clock::now() - start > std::chrono::duration<double>(options.budgetSeconds)) {
            timing.truncated = true;
            break;
        }
        const bool candidateFirst = random.coin(0.5);
        double a[2] = {}, c[2] = {};
        int seenA = 0, seenC = 0;
        clocks.beforeQuad();
        for (int position = 0; position < 4; ++position) {
            const bool outer = position == 0 || position == 3;
            const bool isCandidate = outer == candidateFirst;
            Sampler& sampler = isCandidate ? *candidateSampler : *anchorSampler;
            FS_CHECK(sampler.enqueue());
            clocks.duringSample(isCandidate);
            FS_TRY(ns, sampler.finishNs(deadline));
            (isCandidate ? c[seenC++] : a[seenA++]) =
                std::max(ns, 1.0); // a zero time is below the clock's step
        }
        if (!clocks.afterQuad(timing)) {
            ++dropped;
            continue;
        }
        timing.anchorSamplesNs.insert(timing.anchorSamplesNs.end(), {a[0], a[1]});
        timing.candidateSamplesNs.insert(timing.candidateSamplesNs.end(), {c[0], c[1]});
        quads.push_back(quadValue(a[0], a[1], c[0], c[1]));
        const bool isLook =
            std::find(kLooks.begin(), kLooks.end(), static_cast<int>(quads.size())) != kLooks.end();
        if (isLook && options.stopWhenDecided && summarizeQuads(quads).decided())
            break;
        if (options.futility && static_cast<int>(quads.size()) < options.maxQuads && quadsFutile(quads)) {
            timing.truncated = true;
            break;
        }
    }
    const QuadSummary summary = summarizeQuads(quads);
    timing.look = summary.look;
    timing.lnRatio = summary.median;
    timing.lnLow = summary.low;
    timing.lnHigh = summary.high;
    timing.anchorNs = medianOf(timing.anchorSamplesNs);
    timing.candidateNs = medianOf(timing.candidateSamplesNs);
    if (const Nvml* nvml = device.nvml()) {
        const NvmlReading reading = nvml->read();
        timing.smClockMhz = clocks.medianClock();
        timing.memoryClockMhz = reading.memoryClockMhz;
        timing.temperatureC = reading.temperatureC;
        timing.powerW = reading.powerW;
        timing.sharedGpu = nvml->computeProcesses() > 1;
    }
    if (rejected)
        *rejected = dropped;
    if (quads.empty())
        return makeError(ErrorCode::Unsupported,
                         "The GPU's clocks changed during every sample, so nothing was measured.",
                         "Other work on the GPU, heat or a power limit: look at nvidia-smi.");
    return timing;
}

} // namespace foresight::measure
