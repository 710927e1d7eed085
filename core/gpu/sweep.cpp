// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/sweep.h"

#include "core/base/log.h"
#include "core/base/utc.h"
#include "core/base/version.h"
#include "core/gpu/sweep_space.h"
#include "core/gpu/toolkit.h"
#include "core/gpu/torch_baselines.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>

namespace foresight {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct Task
{
    SweepRecord::Kind kind = SweepRecord::Kind::Main;
    std::int64_t index = -1;
};

class Sweep
{
public:
    Sweep(const SweepOptions& options, const std::function<void(const SweepProgress&)>& progress,
          std::stop_token stop)
        : m_options(options), m_progress(progress), m_stop(std::move(stop))
    {
    }
    Result<SweepResult> run();

private:
    Result<void> prepare();
    Result<bool> measureAll();
    Result<bool> measureAgain();
    Result<bool> runTasks(const std::vector<Task>& tasks, const char* phase);
    Result<GpuRequest> requestFor(const Task& task) const;
    Result<void> record(const Task& task, GpuReply reply);
    Result<RecordedSpace> buildSpace(const std::vector<std::string>& notes,
                                     std::vector<RecordedSpace::Baseline> baselines) const;
    std::vector<RecordedSpace::Baseline> baselines(std::vector<std::string>& notes);
    void report(const char* phase, std::size_t done, std::size_t total);
    bool timeIsUp() const
    {
        return m_stop.stop_requested() ||
               (m_options.maxSeconds > 0 &&
                std::chrono::duration<double>(Clock::now() - m_started).count() > m_options.maxSeconds);
    }

    const SweepOptions& m_options;
    const std::function<void(const SweepProgress&)>& m_progress;
    std::stop_token m_stop;
    Clock::time_point m_started = Clock::now(), m_phaseStarted = Clock::now();
    std::size_t m_phaseDoneAtStart = 0;

    // The sink's side; declared before the GPU, whose threads use it until it is gone.
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<std::pair<JobId, GpuReply>> m_replies;

    std::unique_ptr<LocalGpu> m_gpu;
    ConfigSpace m_space;
    Symbols m_anchorConfiguration;
    std::optional<std::size_t> m_anchorIndex;
    std::vector<std::int64_t> m_order;
    std::string m_partial;
    std::optional<SweepLog> m_log;
};

Result<void> Sweep::prepare()
{
    if (!m_options.family || m_options.output.empty() || m_options.quads < 12 || m_options.anchorEvery < 1)
        return makeError(ErrorCode::InvalidArgument,
                         "A sweep needs a family, an output file, at least 12 quads and an anchor interval.");
    LocalGpuOptions gpu = m_options.gpu;
    gpu.family = m_options.family;
    gpu.problem = m_options.problem;
    gpu.anchorPlan = {};
    gpu.purpose = "sweep";
    gpu.seed = m_options.seed;
    FS_TRY(made, LocalGpu::make(std::move(gpu), m_stop));
    m_gpu = std::move(made);
    m_gpu->setSink([this](JobId job, GpuReply reply) {
        {
            const std::lock_guard lock(m_mutex);
            m_replies.emplace_back(job, std::move(reply));
        }
        m_arrived.notify_one();
    });
    const GpuSpec& spec = m_gpu->info().spec;
    FS_TRY(space, m_options.family->enumerate(m_options.problem, spec));
    FS_TRY(standard, m_options.family->defaultConfiguration(m_options.problem, spec));
    m_space = std::move(space);
    m_anchorConfiguration = std::move(standard);
    m_anchorIndex = m_space.find(m_anchorConfiguration);
    m_order = sweepOrder(m_space.size(), m_options.limit, m_options.seed,
                         m_anchorIndex ? static_cast<std::int64_t>(*m_anchorIndex) : -1);

    SweepIdentity identity;
    identity.familyHash = m_options.family->sourceHash();
    identity.problemKey = m_options.problem.key;
    identity.gpuName = spec.name;
    identity.seed = m_options.seed;
    identity.configurations = m_space.size();
    identity.limit = m_options.limit;
    identity.quads = m_options.quads;
    identity.regime = m_options.regime;
    identity.date = utcNowText();
    m_partial = m_options.output + ".partial.jsonl";
    FS_TRY(log, SweepLog::open(m_partial, identity, m_options.resume));
    m_log.emplace(std::move(log));
    return {};
}

Result<GpuRequest> Sweep::requestFor(const Task& task) const
{
    GpuRequest request;
    request.problem = m_options.problem;
    request.configuration = task.kind == SweepRecord::Kind::Anchor
                                ? m_anchorConfiguration
                                : m_space.configuration(static_cast<std::size_t>(task.index));
    FS_TRY(plan, m_options.family->instantiate(m_options.problem, request.configuration));
    request.plan = std::move(plan);
    request.timing.maxQuads = task.kind == SweepRecord::Kind::Again ? m_options.againQuads : m_options.quads;
    request.timing.regime = m_options.regime;
    // Data and coins of a measurement depend on what it is, not on when it is made.
    request.seed = (m_options.seed * 0x9e3779b97f4a7c15ull) ^
                   (static_cast<std::uint64_t>(task.index + 1) << 2) ^ static_cast<std::uint64_t>(task.kind);
    return request;
}

Result<void> Sweep::record(const Task& task, GpuReply reply)
{
    if (reply.outcome == Outcome::GpuUnwell)
        return makeError(ErrorCode::GpuError, reply.message, reply.hint + " Then resume the sweep.");
    if (task.kind == SweepRecord::Kind::Anchor && reply.outcome != Outcome::Ok)
        return makeError(ErrorCode::GpuError,
                         "The anchor (default configuration) failed: " +
                             std::string(outcomeName(reply.outcome)) + ": " + reply.message,
                         "Everything is timed against it, so the sweep stops; what was measured is kept.");
    reply.compileLog.clear(); // half of the file, and made again in a second when it is wanted
    SweepRecord entry;
    entry.kind = task.kind;
    entry.index = task.index;
    entry.reply = std::move(reply);
    return m_log->append(std::move(entry));
}

void Sweep::report(const char* phase, std::size_t done, std::size_t total)
{
    if (!m_progress)
        return;
    const SweepTable table(m_options, m_log->records());
    SweepProgress progress;
    progress.phase = phase;
    progress.done = done;
    progress.total = total;
    progress.failed = table.failures();
    progress.anchorNs = table.anchorNs();
    if (const auto best = table.best())
        progress.bestNs = *table.estimateNs(*best);
    progress.elapsedSeconds = std::chrono::duration<double>(Clock::now() - m_started).count();
    const double inPhase = std::chrono::duration<double>(Clock::now() - m_phaseStarted).count();
    if (done > m_phaseDoneAtStart)
        progress.remainingSeconds =
            inPhase / static_cast<double>(done - m_phaseDoneAtStart) * static_cast<double>(total - done);
    m_progress(progress);
}

// True when every task is recorded; false when time ran out or the caller stopped.
Result<bool> Sweep::runTasks(const std::vector<Task>& tasks, const char* phase)
{
    m_phaseStarted = Clock::now();
    const std::size_t before = m_log->records().size();
    m_phaseDoneAtStart = 0;
    const auto ahead = static_cast<std::size_t>(2 * m_gpu->info().maxCompiles + 2);
    std::map<JobId, Task> inFlight;
    std::size_t next = 0;
    bool stopping = false;
    Result<void> failed;
    while (!inFlight.empty() || (next < tasks.size() && !stopping)) {
        if (!stopping && (timeIsUp() || !failed)) {
            stopping = true;
            for (const auto& [job, task] : inFlight)
                m_gpu->cancel(job);
        }
        while (!stopping && next < tasks.size() && inFlight.size() < ahead) {
            FS_TRY(request, requestFor(tasks[next]));
            inFlight.emplace(m_gpu->submit(std::move(request)), tasks[next]);
            ++next;
        }
        std::deque<std::pair<JobId, GpuReply>> arrived;
        {
            std::unique_lock lock(m_mutex);
            m_arrived.wait_for(lock, 200ms, [this] { return !m_replies.empty(); });
            arrived.swap(m_replies);
        }
        for (auto& [job, reply] : arrived) {
            const auto entry = inFlight.find(job);
            if (entry == inFlight.end())
                continue;
            const Task task = entry->second;
            inFlight.erase(entry);
            if (reply.outcome == Outcome::Cancelled || !failed)
                continue;
            failed = record(task, std::move(reply));
            report(phase, m_log->records().size() - before, tasks.size());
        }
    }
    FS_CHECK(m_log->sync());
    if (!failed)
        return failed.error();
    return next == tasks.size() && m_log->records().size() - before == tasks.size();
}

Result<bool> Sweep::measureAll()
{
    std::map<std::int64_t, int> anchors;
    std::map<std::int64_t, int> rows;
    for (const SweepRecord& record : m_log->records()) {
        if (record.kind == SweepRecord::Kind::Anchor)
            ++anchors[record.index];
        else if (record.kind == SweepRecord::Kind::Main)
            ++rows[record.index];
    }
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        const auto position = static_cast<std::int64_t>(i);
        if (i % static_cast<std::size_t>(m_options.anchorEvery) == 0 && !anchors.contains(position))
            tasks.push_back({SweepRecord::Kind::Anchor, position});
        if (!rows.contains(m_order[i]))
            tasks.push_back({SweepRecord::Kind::Main, m_order[i]});
    }
    const auto end = static_cast<std::int64_t>(m_order.size());
    if (!anchors.contains(end))
        tasks.push_back({SweepRecord::Kind::Anchor, end});
    return runTasks(tasks, "measuring");
}

Result<bool> Sweep::measureAgain()
{
    constexpr int kRounds = 3;
    for (int round = 0; round <= kRounds; ++round) {
        std::vector<Task> tasks;
        {
            const SweepTable table(m_options, m_log->records());
            const std::vector<std::int64_t> rows = round == 0 ? table.chosenForAgain() : table.overtaken();
            for (const std::int64_t index : rows)
                if (!table.measuredAgain(index))
                    tasks.push_back({SweepRecord::Kind::Again, index});
        }
        if (tasks.empty() && round > 0)
            return true;
        if (tasks.empty())
            continue;
        // Lending the GPU out and back ends the worker: the next measurement is in another process.
        if (round == 0) {
            FS_TRY(loan, m_gpu->lend("sweep", m_stop));
        }
        FS_TRY(finished, runTasks(tasks, "measuring again"));
        if (!finished)
            return false;
    }
    return true;
}

std::vector<RecordedSpace::Baseline> Sweep::baselines(std::vector<std::string>& notes)
{
    if (!m_options.torchBaselines)
        return {};
    report("baselines", 0, 1);
    TorchOptions torch;
    std::string version;
    torch.regime = m_options.regime;
    torch.seed = m_options.seed;
    torch.torchVersion = &version;
    auto measured = measureTorchBaselines(*m_gpu, torch, m_stop);
    if (measured) {
        notes.push_back("baselines by PyTorch " + version);
        return std::move(*measured);
    }
    notes.push_back("no PyTorch baselines: " + measured.error().message.substr(0, 500));
    log(LogLevel::Warning, "gpu", notes.back());
    return {};
}

Result<RecordedSpace> Sweep::buildSpace(const std::vector<std::string>& notes,
                                        std::vector<RecordedSpace::Baseline> baselines) const
{
    const SweepTable table(m_options, m_log->records());
    RecordedSpace recorded;
    recorded.file = m_options.output;
    recorded.title = m_options.problem.key;
    std::vector<std::int64_t> rows = m_order;
    std::sort(rows.begin(), rows.end());
    std::vector<std::uint16_t> codes;
    for (const std::int64_t index : rows)
        for (std::size_t p = 0; p < m_space.parameterCount(); ++p)
            codes.push_back(m_space.code(static_cast<std::size_t>(index), p));
    recorded.space = ConfigSpace(m_space.parameters(), std::move(codes));
    std::vector<double> smClocks, memoryClocks;
    for (const std::int64_t index : rows) {
        RecordedRow row = table.row(index);
        FS_TRY(plan, m_options.family->instantiate(m_options.problem,
                                                   m_space.configuration(static_cast<std::size_t>(index))));
        row.contentHash = plan.contentHash();
        recorded.rows.push_back(std::move(row));
    }
    for (const SweepRecord& record : m_log->records())
        if (record.reply.timing) {
            smClocks.push_back(record.reply.timing->smClockMhz);
            memoryClocks.push_back(record.reply.timing->memoryClockMhz);
        }
    const auto middle = [](std::vector<double> values) {
        if (values.empty())
            return 0.0;
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                         values.end());
        return values[values.size() / 2];
    };
    const GpuInfo& info = m_gpu->info();
    recorded.gpuName = info.spec.name;
    recorded.driver = info.spec.driver;
    recorded.gpu = info.spec;
    const LocalGpuOptions& gpu = m_gpu->options();
    if (const auto toolkit = findCudaToolkit({gpu.cudaHome, gpu.python, gpu.workerPath}))
        recorded.cuda = toolkit->version();
    recorded.revision = kRevision;
    recorded.date = m_log->identity().date;
    recorded.smClockMhz = middle(std::move(smClocks));
    recorded.memoryClockMhz = middle(std::move(memoryClocks));
    recorded.familyName = m_options.family->name();
    recorded.familyHash = m_options.family->sourceHash();
    recorded.problemKey = m_options.problem.key;
    recorded.dtype = m_options.problem.dtype;
    recorded.layout = m_options.problem.layout;
    recorded.symbols = m_options.symbols;
    recorded.defaultIndex = recorded.space.find(m_anchorConfiguration);
    recorded.baselines = std::move(baselines);
    recorded.noiseFloor = table.noiseFloor();
    recorded.notes = notes;
    recorded.notes.insert(recorded.notes.begin(), table.driftNote());
    return recorded;
}

Result<SweepResult> Sweep::run()
{
    FS_CHECK(prepare());
    SweepResult result;
    result.configurations = m_order.size();
    result.partialFile = m_partial;
    FS_TRY(all, measureAll());
    bool finished = all;
    if (finished) {
        FS_TRY(again, measureAgain());
        finished = again;
    }
    {
        const SweepTable table(m_options, m_log->records());
        for (const std::int64_t index : m_order) {
            result.measured += table.measured(index) ? 1 : 0;
            result.valid += table.estimateNs(index) ? 1 : 0;
            result.again += table.measuredAgain(index) ? 1 : 0;
        }
        result.anchorNs = table.anchorNs();
        result.noiseFloor = table.noiseFloor();
        if (const auto best = table.best()) {
            result.bestNs = *table.estimateNs(*best);
            result.bestConfiguration = m_space.text(static_cast<std::size_t>(*best));
        }
    }
    if (!finished)
        return result;
    auto measuredBaselines = baselines(result.notes);
    if (m_stop.stop_requested())
        return result;
    report("writing", 1, 1);
    FS_TRY(space, buildSpace(result.notes, std::move(measuredBaselines)));
    FS_CHECK(writeRecordedSpace(space, m_options.output));
    result.file = m_options.output;
    result.finished = true;
    m_log.reset();
    std::error_code ignored;
    std::filesystem::remove(m_partial, ignored);
    return result;
}

} // namespace

Result<SweepResult> runSweep(const SweepOptions& options,
                             const std::function<void(const SweepProgress&)>& progress, std::stop_token stop)
{
    Sweep sweep(options, progress, std::move(stop));
    return sweep.run();
}

} // namespace foresight
