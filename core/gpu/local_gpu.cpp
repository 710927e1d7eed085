// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/local_gpu.h"

#include "core/base/file.h"
#include "core/gpu/device_figures.h"
#include "core/gpu/local_gpu_impl.h"

#include <algorithm>

namespace foresight {

namespace {

GpuReply cancelledReply(Stage stage)
{
    GpuReply reply;
    reply.outcome = Outcome::Cancelled;
    reply.stage = stage;
    reply.message = "Cancelled.";
    return reply;
}

} // namespace

Result<LocalGpuOptions> localGpuOptions(std::shared_ptr<const Family> family, const Problem& problem,
                                        const GpuSpec& spec)
{
    LocalGpuOptions options;
    FS_TRY(configuration, family->defaultConfiguration(problem, spec));
    FS_TRY(anchor, family->instantiate(problem, configuration));
    FS_TRY(reference, family->referencePlan(problem));
    options.anchorPlan = std::move(anchor);
    options.referencePlan = std::move(reference);
    options.problem = problem;
    options.family = std::move(family);
    return options;
}

// ---- LocalGpu::Impl: everything below runs with the mutex as its only shared state ----

void LocalGpu::Impl::finish(JobId id, GpuReply reply)
{
    {
        const std::lock_guard lock(mutex);
        const auto it = jobs.find(id);
        if (it == jobs.end())
            return; // answered already
        jobs.erase(it);
        std::erase(order, id);
        replies.emplace_back(id, std::move(reply));
    }
    changed.notify_all();
}

void LocalGpu::Impl::onCompiled(const std::shared_ptr<Job>& job, Result<CompiledKernel> result)
{
    if (!result) {
        finish(job->id, replyForCompileError(result.error()));
        return;
    }
    GpuReply& reply = job->reply;
    reply.stage = Stage::Compile;
    reply.compileLog = result->log;
    reply.cubinHash = result->hash;
    reply.resources = result->resources;
    reply.costs.compileSeconds = result->seconds;
    auto candidate = setup->prepare(job->request, *result, job->stop.get_token());
    if (!candidate) {
        reply.outcome = outcomeOfPreparation(candidate.error());
        reply.message = candidate.error().message;
        reply.hint = candidate.error().hint;
        finish(job->id, std::move(reply));
        return;
    }
    reply.resources = candidate->resources;
    if (job->request.until == Stage::Compile) {
        reply.outcome = Outcome::Ok;
        finish(job->id, std::move(reply));
        return;
    }
    {
        const std::lock_guard lock(mutex);
        job->candidate = std::move(*candidate);
        job->state = Job::State::Ready;
    }
    changed.notify_all();
}

// Measures the front job when it is ready; strictly in order of submission, one at a time.
void LocalGpu::Impl::measureLoop(std::stop_token stop)
{
    for (;;) {
        std::shared_ptr<Job> job;
        {
            std::unique_lock lock(mutex);
            const auto ready = [&] {
                return !lent && !order.empty() && jobs.at(order.front())->state == Job::State::Ready;
            };
            if (!changed.wait(lock, stop, ready))
                return;
            job = jobs.at(order.front());
            job->state = Job::State::Running;
            measuring = true;
        }
        GpuReply measured = session->evaluate(job->candidate, job->stop.get_token());
        measured.compileLog = std::move(job->reply.compileLog);
        measured.resources = std::move(job->reply.resources);
        measured.cubinHash = std::move(job->reply.cubinHash);
        measured.costs.compileSeconds = job->reply.costs.compileSeconds;
        {
            const std::lock_guard lock(mutex);
            measuring = false;
        }
        finish(job->id, std::move(measured));
        changed.notify_all();
    }
}

// One thread calls the sink, so that a slow sink never holds up the GPU or a compile thread.
void LocalGpu::Impl::deliverLoop(std::stop_token stop)
{
    for (;;) {
        std::pair<JobId, GpuReply> next;
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, stop, [&] { return !replies.empty(); });
            if (replies.empty())
                return; // stopped, and nothing is left
            next = std::move(replies.front());
            replies.pop_front();
        }
        if (sink)
            sink(next.first, std::move(next.second));
    }
}

// ---- LocalGpu ----

LocalGpu::LocalGpu() : m(std::make_unique<Impl>()) {}

Result<std::unique_ptr<LocalGpu>> LocalGpu::make(LocalGpuOptions options, std::stop_token stop)
{
    if (options.python.empty())
        options.python = "python3";
    if (options.cacheFolder.empty())
        options.cacheFolder = joinPath(userCacheFolder(), "kernels");
    std::unique_ptr<LocalGpu> gpu(new LocalGpu);
    Impl& m = *gpu->m;
    m.worker.path = options.workerPath;
    m.worker.device = options.device;
    m.worker.cacheFolder = joinPath(options.cacheFolder, "worker");
    FS_TRY(worker, WorkerClient::start(m.worker, stop));
    FS_TRY(figures, readDevice(*worker, options.device, stop));
    FS_TRY(deviceLock, GpuLock::acquire(figures.lockName, options.purpose, options.lockFolder));
    m.deviceLock = std::move(deviceLock);
    if (options.anchorPlan.source.empty() && options.family) {
        FS_TRY(standard, localGpuOptions(options.family, options.problem, figures.spec));
        options.anchorPlan = std::move(standard.anchorPlan);
        options.referencePlan = std::move(standard.referencePlan);
    }

    EvaluationSetup::Options setup;
    setup.spec = figures.spec;
    setup.problem = options.problem;
    setup.anchorPlan = options.anchorPlan;
    setup.referencePlan = options.referencePlan;
    setup.family = options.family;
    setup.compiler.toolkit = {options.cudaHome, options.python, options.workerPath};
    setup.compiler.cacheFolder = options.cacheFolder;
    setup.compileTimeout = options.compileTimeout;
    setup.requestTimeout = options.requestTimeout;
    setup.seed = options.seed;
    setup.dataSets = options.dataSets;
    FS_TRY(prepared, EvaluationSetup::make(std::move(setup), stop));
    m.setup = std::move(prepared);
    m.session = std::make_unique<WorkerSession>(*m.setup, m.worker, options.canaryAfter);
    m.session->adopt(std::move(worker));
    m.compiler = std::make_unique<CompileService>(m.setup->options().compiler, options.compileSlots);
    m.info.spec = figures.spec;
    m.info.description =
        figures.spec.name + (figures.spec.driver.empty() ? "" : ", driver " + figures.spec.driver);
    m.info.maxCompiles = m.compiler->threadCount();
    m.options = std::move(options);
    m.measurer = std::jthread([impl = gpu->m.get()](std::stop_token s) { impl->measureLoop(s); });
    m.deliverer = std::jthread([impl = gpu->m.get()](std::stop_token s) { impl->deliverLoop(s); });
    return gpu;
}

LocalGpu::~LocalGpu()
{
    std::vector<std::shared_ptr<Impl::Job>> left;
    {
        const std::lock_guard lock(m->mutex);
        for (auto& [id, job] : m->jobs)
            left.push_back(job);
    }
    for (const auto& job : left)
        job->stop.request_stop();
    m->compiler.reset(); // its callbacks finish the jobs that were compiling
    m->measurer.request_stop();
    if (m->measurer.joinable())
        m->measurer.join();
    for (const auto& job : left)
        m->finish(job->id, cancelledReply(Stage::Compile));
    m->deliverer.request_stop();
    if (m->deliverer.joinable())
        m->deliverer.join();
    if (m->session)
        m->session->quit();
}

void LocalGpu::setSink(Sink sink)
{
    const std::lock_guard lock(m->mutex);
    m->sink = std::move(sink);
}

JobId LocalGpu::submit(GpuRequest request)
{
    auto job = std::make_shared<Impl::Job>();
    job->request = std::move(request);
    {
        const std::lock_guard lock(m->mutex);
        job->id = JobId(m->nextId++);
        m->jobs.emplace(job->id, job);
        if (job->request.until != Stage::Compile)
            m->order.push_back(job->id);
    }
    const std::uint64_t compileJob =
        m->compiler->submit(m->setup->compileRequest(job->request.plan),
                            [impl = m.get(), job](auto result) { impl->onCompiled(job, std::move(result)); });
    const std::lock_guard lock(m->mutex);
    job->compileJob = compileJob;
    return job->id;
}

void LocalGpu::cancel(JobId id)
{
    std::shared_ptr<Impl::Job> job;
    Stage stage = Stage::Compile;
    std::uint64_t compileJob = 0;
    {
        const std::lock_guard lock(m->mutex);
        const auto it = m->jobs.find(id);
        if (it == m->jobs.end())
            return;
        job = it->second;
        stage = job->state == Impl::Job::State::Running ? Stage::Verify : Stage::Compile;
        compileJob = job->compileJob;
    }
    // The answer goes out at once; what is running is stopped behind it.
    m->finish(id, cancelledReply(stage));
    job->stop.request_stop();
    if (compileJob != 0)
        m->compiler->cancel(compileJob);
}

const GpuInfo& LocalGpu::info() const
{
    return m->info;
}

double LocalGpu::nowSeconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m->started).count();
}

EvaluationSetup& LocalGpu::setup() const
{
    return *m->setup;
}

const LocalGpuOptions& LocalGpu::options() const
{
    return m->options;
}

Result<std::unique_ptr<LocalGpu::Loan>> LocalGpu::lend(const std::string& purpose, std::stop_token stop)
{
    std::unique_lock lock(m->mutex);
    if (m->lent)
        return makeError(ErrorCode::Busy, "The GPU is already lent to " + m->lentTo + ".");
    m->lent = true;
    m->lentTo = purpose;
    if (!m->changed.wait(lock, stop, [&] { return !m->measuring; })) {
        m->lent = false;
        lock.unlock();
        m->changed.notify_all();
        return makeError(ErrorCode::Cancelled, "Cancelled.");
    }
    // Nobody touches the session while it is lent: ending the worker politely must not hold up cancels.
    lock.unlock();
    m->session->quit();
    m->deviceLock.setPurpose(purpose);
    return std::unique_ptr<Loan>(new Loan(*this));
}

LocalGpu::Loan::~Loan()
{
    {
        const std::lock_guard lock(m_gpu.m->mutex);
        m_gpu.m->lent = false;
        m_gpu.m->deviceLock.setPurpose(m_gpu.m->options.purpose);
    }
    m_gpu.m->changed.notify_all();
}

Result<std::unique_ptr<Gpu>> makeLocalGpu(LocalGpuOptions options)
{
    FS_TRY(gpu, LocalGpu::make(std::move(options)));
    return std::unique_ptr<Gpu>(std::move(gpu));
}

Result<GpuSpec> probeLocalGpu(int device, const std::string& workerPath)
{
    WorkerOptions options;
    options.path = workerPath;
    options.device = device;
    FS_TRY(worker, WorkerClient::start(options));
    FS_TRY(figures, readDevice(*worker, device));
    worker->quit();
    return figures.spec;
}

} // namespace foresight
