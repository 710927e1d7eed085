// SPDX-License-Identifier: Apache-2.0
// Inside of LocalGpu, shared by its few .cpp files. One mutex guards the job table; the worker session
// belongs to the measuring thread, or to the borrower while the GPU is lent.
#pragma once

#include "core/gpu/candidate.h"
#include "core/gpu/gpu_lock.h"
#include "core/gpu/local_gpu.h"
#include "core/gpu/worker_session.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace foresight {

struct LocalGpu::Impl
{
    struct Job
    {
        enum class State { Compiling, Ready, Running } state = State::Compiling;
        JobId id;
        GpuRequest request;
        std::uint64_t compileJob = 0;
        Candidate candidate; // once Ready
        GpuReply reply;      // what compiling gave
        std::stop_source stop;
    };

    LocalGpuOptions options;
    WorkerOptions worker;
    GpuInfo info;
    GpuLock deviceLock;
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    std::unique_ptr<EvaluationSetup> setup;
    std::unique_ptr<WorkerSession> session;
    Sink sink;

    std::mutex mutex;
    std::condition_variable_any changed;
    std::map<JobId, std::shared_ptr<Job>> jobs; // not yet answered
    std::deque<JobId> order;                    // of those that go to the GPU
    std::deque<std::pair<JobId, GpuReply>> replies;
    std::int64_t nextId = 1;
    bool measuring = false, lent = false;
    std::string lentTo;

    std::unique_ptr<CompileService> compiler;
    std::jthread measurer, deliverer;

    void finish(JobId id, GpuReply reply);
    void onCompiled(const std::shared_ptr<Job>& job, Result<CompiledKernel> result);
    void measureLoop(std::stop_token stop);
    void deliverLoop(std::stop_token stop);
};

} // namespace foresight
