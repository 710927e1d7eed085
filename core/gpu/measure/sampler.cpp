// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/sampler.h"

#include "core/gpu/quad_stats.h"

#include <utility>

namespace foresight::measure {

Result<std::unique_ptr<Sampler>> Sampler::make(Device& device, Support& support, TimedWork work,
                                               Regime regime, bool asGraph)
{
    std::unique_ptr<Sampler> sampler(new Sampler(device, support, std::move(work), regime));
    const CudaDriver& cu = device.cu();
    for (CUevent* event : {&sampler->m_begin, &sampler->m_end})
        FS_CHECK(device.check(cu.cuEventCreate(event, CU_EVENT_DEFAULT), "making an event"));
    FS_CHECK(device.check(cu.cuEventCreate(&sampler->m_done, CU_EVENT_DISABLE_TIMING), "making an event"));
    if (asGraph || sampler->m_work.graph)
        FS_CHECK(sampler->build());
    return sampler;
}

Sampler::~Sampler()
{
    if (m_device.lost())
        return;
    const CudaDriver& cu = m_device.cu();
    if (m_exec)
        cu.cuGraphExecDestroy(m_exec);
    for (CUgraph graph : m_graphs)
        cu.cuGraphDestroy(graph);
    for (CUevent event : {m_begin, m_end, m_done})
        if (event)
            cu.cuEventDestroy(event);
}

Result<CUgraph> Sampler::capture(const std::function<Result<void>(CUstream)>& enqueue)
{
    const CudaDriver& cu = m_device.cu();
    FS_CHECK(m_device.check(cu.cuStreamBeginCapture(m_device.stream(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
                            "starting to capture a graph"));
    const Result<void> enqueued = enqueue(m_device.stream());
    CUgraph graph = nullptr;
    const CUresult status = cu.cuStreamEndCapture(m_device.stream(), &graph);
    if (graph)
        m_graphs.push_back(graph);
    FS_CHECK(enqueued);
    FS_CHECK(m_device.check(status, "capturing a graph"));
    return graph;
}

// [flush or one call] -> event -> work -> event, each part a child graph.
Result<void> Sampler::build()
{
    const CudaDriver& cu = m_device.cu();
    CUgraph work = m_work.graph;
    if (!work) {
        FS_TRY(captured, capture(m_work.enqueue));
        work = captured;
    }
    CUgraph before = work;
    if (m_regime == Regime::Cold) {
        FS_TRY(flush, capture([this](CUstream stream) { return m_support.flush(stream); }));
        before = flush;
    }
    CUgraph whole = nullptr;
    FS_CHECK(m_device.check(cu.cuGraphCreate(&whole, 0), "making a graph"));
    m_graphs.push_back(whole);
    CUgraphNode nodes[4] = {};
    FS_CHECK(m_device.check(cu.cuGraphAddChildGraphNode(&nodes[0], whole, nullptr, 0, before),
                            "building a graph"));
    FS_CHECK(m_device.check(cu.cuGraphAddEventRecordNode(&nodes[1], whole, &nodes[0], 1, m_begin),
                            "building a graph"));
    FS_CHECK(m_device.check(cu.cuGraphAddChildGraphNode(&nodes[2], whole, &nodes[1], 1, work),
                            "building a graph"));
    FS_CHECK(m_device.check(cu.cuGraphAddEventRecordNode(&nodes[3], whole, &nodes[2], 1, m_end),
                            "building a graph"));
    return m_device.check(cu.cuGraphInstantiate(&m_exec, whole, 0), "building a graph");
}

Result<void> Sampler::enqueue()
{
    const CudaDriver& cu = m_device.cu();
    const CUstream stream = m_device.stream();
    if (m_exec) {
        FS_CHECK(m_device.check(cu.cuGraphLaunch(m_exec, stream), "launching a graph"));
    } else {
        if (m_regime == Regime::Cold)
            FS_CHECK(m_support.flush(stream));
        else
            FS_CHECK(m_work.enqueue(stream));
        FS_CHECK(m_device.check(cu.cuEventRecord(m_begin, stream), "recording an event"));
        FS_CHECK(m_work.enqueue(stream));
        FS_CHECK(m_device.check(cu.cuEventRecord(m_end, stream), "recording an event"));
    }
    return m_device.check(cu.cuEventRecord(m_done, stream), "recording an event");
}

Result<double> Sampler::finishNs(double deadlineSeconds)
{
    FS_CHECK(m_device.waitFor(m_done, deadlineSeconds));
    float milliseconds = 0;
    FS_CHECK(
        m_device.check(m_device.cu().cuEventElapsedTime(&milliseconds, m_begin, m_end), "reading a time"));
    return static_cast<double>(milliseconds) * 1e6;
}

Result<double> Sampler::sampleNs(double deadlineSeconds)
{
    FS_CHECK(enqueue());
    return finishNs(deadlineSeconds);
}

Result<double> emptyKernelNs(Device& device, Support& support, double deadlineSeconds)
{
    TimedWork work{[&support](CUstream stream) { return support.empty(stream); }, nullptr};
    FS_TRY(sampler, Sampler::make(device, support, work, Regime::Cold, true));
    std::vector<double> samples;
    for (int i = 0; i < 26; ++i) {
        FS_TRY(ns, sampler->sampleNs(deadlineSeconds));
        if (i > 0)
            samples.push_back(ns);
    }
    return medianOf(samples);
}

} // namespace foresight::measure
