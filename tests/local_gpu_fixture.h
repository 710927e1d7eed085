// SPDX-License-Identifier: Apache-2.0
// A LocalGpu on the scripted worker and the stand-in compiler: no GPU, no CUDA toolkit.
#pragma once

#include "core/base/file.h"
#include "core/gpu/local_gpu.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace fixture {

using namespace foresight;

inline std::string scriptedWorker()
{
    return std::string(FORESIGHT_BIN_DIR) + "/tests/scripted_worker";
}

inline Problem copyProblem()
{
    Problem problem;
    problem.family = "test_copy";
    problem.key = "test_copy[N=4096] f32 contiguous";
    problem.symbols["N"] = std::int64_t{4096};
    for (const char* name : {"x", "y"}) {
        TensorSpec tensor;
        tensor.name = name;
        tensor.role = tensor.name == "x" ? TensorSpec::Role::Input : TensorSpec::Role::Output;
        tensor.dtype = DType::F32;
        tensor.shape = {4096};
        tensor.strides = {1};
        problem.tensors.push_back(tensor);
    }
    problem.compulsoryBytes = 2 * 4 * 4096;
    return problem;
}

// A plan with one launch; the kernel's name tells the scripted worker how to behave.
inline KernelPlan planOf(const std::string& kernel, int block = 256, const std::string& source = {})
{
    KernelPlan plan;
    plan.source =
        source.empty() ? "extern \"C\" __global__ void " + kernel + "(float* x, float* y) {}" : source;
    PlanLaunch launch;
    launch.kernel = kernel;
    launch.grid = {*Expression::parse("ceildiv(N, " + std::to_string(block) + ")"), *Expression::parse("1"),
                   *Expression::parse("1")};
    launch.block = {*Expression::parse(std::to_string(block)), *Expression::parse("1"),
                    *Expression::parse("1")};
    launch.sharedBytes = *Expression::parse("0");
    for (const char* name : {"x", "y"}) {
        PlanArgument argument;
        argument.name = name;
        launch.arguments.push_back(argument);
    }
    plan.launches.push_back(std::move(launch));
    return plan;
}

inline GpuRequest requestOf(const std::string& kernel, Stage until = Stage::Measure)
{
    GpuRequest request;
    request.problem = copyProblem();
    request.plan = planOf(kernel);
    request.until = until;
    request.seed = 7;
    return request;
}

inline LocalGpuOptions optionsFor(const std::string& folder)
{
    LocalGpuOptions options;
    options.workerPath = scriptedWorker();
    options.compileSlots = 2;
    options.requestTimeout = std::chrono::milliseconds(3000);
    options.cacheFolder = folder + "/cache";
    options.lockFolder = folder;
    options.problem = copyProblem();
    options.anchorPlan = planOf("anchor");
    options.referencePlan = planOf("reference");
    return options;
}

// Collects replies from the GPU's own thread.
class Replies
{
public:
    AsyncService<GpuRequest, GpuReply>::Sink sink()
    {
        return [this](JobId job, GpuReply reply) {
            const std::lock_guard lock(m_mutex);
            m_order.push_back(job);
            ++m_count[job];
            m_replies[job] = std::move(reply);
            m_changed.notify_all();
        };
    }
    // Empty outcome name when nothing came within a minute.
    GpuReply wait(JobId job)
    {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait_for(lock, std::chrono::seconds(60), [&] { return m_replies.contains(job); }))
            return {};
        return m_replies[job];
    }
    bool has(JobId job)
    {
        const std::lock_guard lock(m_mutex);
        return m_replies.contains(job);
    }
    std::vector<JobId> order()
    {
        const std::lock_guard lock(m_mutex);
        return m_order;
    }
    int count(JobId job)
    {
        const std::lock_guard lock(m_mutex);
        return m_count[job];
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<JobId, GpuReply> m_replies;
    std::map<JobId, int> m_count;
    std::vector<JobId> m_order;
};

inline std::vector<std::string> lines(const std::string& path)
{
    std::vector<std::string> all;
    const auto text = readFile(path);
    if (!text)
        return all;
    for (std::size_t at = 0; at < text->size();) {
        const std::size_t end = text->find('\n', at);
        all.push_back(text->substr(at, end - at));
        at = end == std::string::npos ? text->size() : end + 1;
    }
    return all;
}

} // namespace fixture
