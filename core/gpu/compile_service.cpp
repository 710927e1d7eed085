// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/compiler.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

namespace foresight {

namespace {

// NVRTC with large templates takes several hundred MB; leave room for two such passes per thread.
constexpr std::uint64_t kBytesPerThread = std::uint64_t{1536} << 20;

std::uint64_t availableMemoryBytes()
{
    std::ifstream file("/proc/meminfo");
    std::string label, unit;
    std::uint64_t kib = 0;
    while (file >> label >> kib) {
        std::getline(file, unit);
        if (label == "MemAvailable:")
            return kib << 10;
    }
    return 0;
}

int defaultThreads()
{
    int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    if (const std::uint64_t memory = availableMemoryBytes(); memory != 0)
        count = std::min(count, static_cast<int>(std::max<std::uint64_t>(1, memory / kBytesPerThread)));
    return count;
}

} // namespace

struct CompileService::Impl
{
    struct Job
    {
        CompileRequest request;
        Done done;
        std::stop_source stop;
    };

    CompilerOptions options;
    std::mutex mutex;
    std::condition_variable_any wake;
    std::map<std::uint64_t, std::shared_ptr<Job>> jobs; // waiting and running
    std::deque<std::uint64_t> waiting;
    std::uint64_t nextId = 1;
    std::vector<std::jthread> threads; // last: stopped and joined before the rest goes

    void work(std::stop_token stop)
    {
        for (;;) {
            std::shared_ptr<Job> job;
            std::uint64_t id = 0;
            {
                std::unique_lock lock(mutex);
                if (!wake.wait(lock, stop, [&] { return !waiting.empty(); }))
                    return;
                id = waiting.front();
                waiting.pop_front();
                job = jobs.at(id);
            }
            Result<CompiledKernel> result =
                job->stop.stop_requested()
                    ? Result<CompiledKernel>(makeError(ErrorCode::Cancelled, "Cancelled."))
                    : compileKernel(job->request, options, job->stop.get_token());
            job->done(std::move(result));
            const std::lock_guard lock(mutex);
            jobs.erase(id);
        }
    }
};

CompileService::CompileService(CompilerOptions options, int threads) : m(std::make_unique<Impl>())
{
    m->options = std::move(options);
    const int count = threads > 0 ? threads : defaultThreads();
    for (int i = 0; i < count; ++i)
        m->threads.emplace_back([impl = m.get()](std::stop_token stop) { impl->work(stop); });
}

CompileService::~CompileService()
{
    std::deque<std::uint64_t> left;
    {
        const std::lock_guard lock(m->mutex);
        left.swap(m->waiting);
        for (auto& [id, job] : m->jobs)
            job->stop.request_stop();
    }
    for (std::jthread& thread : m->threads)
        thread.request_stop();
    for (std::jthread& thread : m->threads)
        thread.join();
    for (const std::uint64_t id : left)
        m->jobs.at(id)->done(makeError(ErrorCode::Cancelled, "Cancelled."));
}

std::uint64_t CompileService::submit(CompileRequest request, Done done)
{
    auto job = std::make_shared<Impl::Job>();
    job->request = std::move(request);
    job->done = std::move(done);
    std::uint64_t id = 0;
    {
        const std::lock_guard lock(m->mutex);
        id = m->nextId++;
        m->jobs.emplace(id, std::move(job));
        m->waiting.push_back(id);
    }
    m->wake.notify_one();
    return id;
}

void CompileService::cancel(std::uint64_t id)
{
    std::shared_ptr<Impl::Job> waitingJob;
    {
        const std::lock_guard lock(m->mutex);
        const auto it = m->jobs.find(id);
        if (it == m->jobs.end())
            return;
        it->second->stop.request_stop();
        const auto place = std::find(m->waiting.begin(), m->waiting.end(), id);
        if (place == m->waiting.end())
            return; // running: its thread answers
        m->waiting.erase(place);
        waitingJob = it->second;
        m->jobs.erase(it);
    }
    waitingJob->done(makeError(ErrorCode::Cancelled, "Cancelled."));
}

int CompileService::threadCount() const
{
    return static_cast<int>(m->threads.size());
}

} // namespace foresight
