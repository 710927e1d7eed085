// SPDX-License-Identifier: Apache-2.0
// Takes single timing samples of something that enqueues work on a stream: the cache flush outside the window
// (cold) or one untimed call before it (hot), then [event, work, event]. Short work is timed as a graph, so
// that launch gaps stay outside; every sample is its own graph launch. One thread.
#pragma once

#include "core/gpu/measure/support.h"

#include <functional>
#include <memory>
#include <vector>

namespace foresight::measure {

// Work to time: enqueued on the stream given, or a ready CUDA graph of it (not owned).
struct TimedWork
{
    std::function<Result<void>(CUstream)> enqueue;
    CUgraph graph = nullptr;
};

class Sampler
{
public:
    // `asGraph` may fail for work that cannot be captured; then make one without.
    static Result<std::unique_ptr<Sampler>> make(Device& device, Support& support, TimedWork work,
                                                 Regime regime, bool asGraph);
    ~Sampler();
    Result<void> enqueue();
    // Waits for the sample enqueued last; its GPU time.
    Result<double> finishNs(double deadlineSeconds);
    Result<double> sampleNs(double deadlineSeconds);

private:
    Sampler(Device& device, Support& support, TimedWork work, Regime regime)
        : m_device(device), m_support(support), m_work(std::move(work)), m_regime(regime)
    {
    }
    Result<void> build();
    Result<CUgraph> capture(const std::function<Result<void>(CUstream)>& enqueue);

    Device& m_device;
    Support& m_support;
    TimedWork m_work;
    Regime m_regime;
    CUevent m_begin = nullptr, m_end = nullptr, m_done = nullptr;
    std::vector<CUgraph> m_graphs; // owned
    CUgraphExec m_exec = nullptr;
};

// GPU duration of an empty kernel, taken the way short kernels are.
Result<double> emptyKernelNs(Device& device, Support& support, double deadlineSeconds);

// Work that outlives its window (design 04, "Escaped work"): launches totalling 2 ms of event time; what the
// wall clock until the whole device is idle says beyond that, less the same for empty kernels.
struct EscapeCheck
{
    int launches = 0;
    double eventNs = 0, wallNs = 0, excessNs = 0; // the least excess of all tries
    bool escaped = false;
};
Result<EscapeCheck> checkEscaped(Device& device, Support& support, const TimedWork& work, double workNs,
                                 double deadlineSeconds);

} // namespace foresight::measure
