// SPDX-License-Identifier: Apache-2.0
// A GPU that answers from a recorded space. Time is simulated: requests queue for compile slots, then for the
// one measuring slot, for as long as the recording says each step took. Replies are delivered only by
// advance(), in the order of that clock, so the same requests always give the same replies in the same order.
#include "core/gpu/recorded_gpu_answers.h"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

namespace foresight {

namespace {

int rank(Stage stage)
{
    return static_cast<int>(stage) + 1;
}

class RecordedGpu final : public Gpu
{
public:
    RecordedGpu(std::shared_ptr<const RecordedSpace> space, RecordedMode mode, std::uint64_t seed, int slots)
        : m_answers(std::move(space), mode, seed), m_slots(std::max(1, slots))
    {
        const RecordedSpace& recorded = m_answers.space();
        m_info.spec = recorded.gpu;
        m_info.recorded = true;
        m_info.description = (recorded.gpuName.empty() ? "unknown GPU" : recorded.gpuName) + " (recorded" +
                             (recorded.date.empty() ? "" : ' ' + recorded.date) + ')';
        m_info.maxCompiles = m_slots;
    }

    void setSink(Sink sink) override { m_sink = std::move(sink); }
    const GpuInfo& info() const override { return m_info; }
    double nowSeconds() const override { return m_now; }

    JobId submit(GpuRequest request) override
    {
        const JobId id{m_nextJob++};
        Job job;
        job.until = request.until;
        job.index = m_answers.resolve(request, job.note);
        m_jobs.emplace(id, std::move(job));
        enter(id);
        return id;
    }

    void cancel(JobId id) override
    {
        const auto job = m_jobs.find(id);
        if (job == m_jobs.end() || job->second.state == State::Ready)
            return; // its reply has been or is about to be delivered
        leaveQueues(id, job->second);
        GpuReply reply;
        reply.outcome = Outcome::Cancelled;
        reply.message = "cancelled";
        const auto index = job->second.index;
        makeReady(id, std::move(reply));
        if (index)
            wakeFollowers(*index);
    }

    bool advance() override
    {
        while (m_ready.empty()) {
            startWhatCanStart();
            if (!m_ready.empty())
                break;
            if (!stepClock())
                return false;
        }
        const JobId id = m_ready.front();
        m_ready.pop_front();
        const auto job = m_jobs.find(id);
        GpuReply reply = std::move(job->second.reply);
        m_jobs.erase(job);
        m_sink(id, std::move(reply)); // may submit again; nothing of ours is half done here
        return true;
    }

private:
    enum class State { CompileQueue, Compiling, MeasureQueue, Measuring, Following, Ready };

    struct Job
    {
        std::optional<std::uint32_t> index;
        Stage until = Stage::Measure;
        State state = State::CompileQueue;
        double ends =
            0;          // of the step in progress; when it became ready for the measuring slot while it waits
        GpuCosts costs; // charged so far
        std::string note;
        GpuReply reply;
    };

    struct Progress
    {
        int done = 0; // rank of the last stage paid for
        bool active = false;
        std::deque<JobId> followers; // the same configuration asked for again meanwhile
    };

    void enter(JobId id)
    {
        Job& job = m_jobs.at(id);
        if (!job.index) {
            GpuReply reply;
            reply.outcome = Outcome::Unknown;
            reply.message = "this configuration is not in the recorded space";
            reply.hint =
                "Only configurations in " + m_answers.space().file + " can be answered without a GPU.";
            makeReady(id, std::move(reply));
            return;
        }
        Progress& progress = m_progress[*job.index];
        if (progress.active) {
            job.state = State::Following;
            progress.followers.push_back(id);
            return;
        }
        progress.active = true;
        if (progress.done < rank(Stage::Compile)) {
            job.state = State::CompileQueue;
            m_compileQueue.push_back(id);
        } else {
            afterCompile(id, job);
        }
    }

    // Compiled just now or before: done, or on to the measuring slot.
    void afterCompile(JobId id, Job& job)
    {
        const Stage last = lastStage(job);
        if (last == Stage::Compile || m_progress[*job.index].done >= rank(last)) {
            finish(id);
            return;
        }
        job.state = State::MeasureQueue;
        job.ends = m_now;
        m_measureQueue.push_back(id);
    }

    void startWhatCanStart()
    {
        while (m_compiling < m_slots && !m_compileQueue.empty()) {
            Job& job = m_jobs.at(m_compileQueue.front());
            m_compileQueue.pop_front();
            job.costs.compileSeconds = m_answers.compileSeconds(*job.index);
            job.ends = m_now + job.costs.compileSeconds;
            job.state = State::Compiling;
            ++m_compiling;
        }
        if (!m_measuring && !m_measureQueue.empty()) {
            m_measuring = m_measureQueue.front();
            m_measureQueue.pop_front();
            Job& job = m_jobs.at(*m_measuring);
            const int done = m_progress[*job.index].done;
            const Stage last = lastStage(job);
            if (done < rank(Stage::Verify))
                job.costs.verifySeconds = m_answers.verifySeconds(*job.index);
            if (last == Stage::Measure)
                job.costs.measureSeconds = m_answers.measureSeconds(*job.index);
            job.ends = m_now + job.costs.gpuSeconds();
            job.state = State::Measuring;
        }
    }

    // To the next end of a step: the earliest, then the older job. False when nothing is going on.
    bool stepClock()
    {
        JobId next;
        double earliest = 0;
        for (const auto& [id, job] : m_jobs)
            if ((job.state == State::Compiling || job.state == State::Measuring) &&
                (!next.valid() || job.ends < earliest)) {
                next = id;
                earliest = job.ends;
            }
        if (!next.valid())
            return false;
        m_now = std::max(m_now, earliest);
        Job& job = m_jobs.at(next);
        Progress& progress = m_progress[*job.index];
        if (job.state == State::Compiling) {
            --m_compiling;
            progress.done = std::max(progress.done, rank(Stage::Compile));
            afterCompile(next, job);
        } else {
            m_measuring.reset();
            progress.done = std::max(progress.done, rank(lastStage(job)));
            finish(next);
        }
        return true;
    }

    void finish(JobId id)
    {
        const Job& job = m_jobs.at(id);
        const std::uint32_t index = *job.index;
        GpuReply reply = m_answers.reply(index, job.until, job.note);
        reply.costs = job.costs;
        makeReady(id, std::move(reply));
        wakeFollowers(index);
    }

    void makeReady(JobId id, GpuReply reply)
    {
        Job& job = m_jobs.at(id);
        job.state = State::Ready;
        job.reply = std::move(reply);
        m_ready.push_back(id);
    }

    void wakeFollowers(std::uint32_t index)
    {
        Progress& progress = m_progress[index];
        if (progress.active && std::any_of(m_jobs.begin(), m_jobs.end(), [&](const auto& entry) {
                const Job& job = entry.second;
                return job.index == index && job.state != State::Ready && job.state != State::Following;
            }))
            return; // a follower was cancelled, the one it follows goes on
        progress.active = false;
        if (progress.followers.empty())
            return;
        const JobId next = progress.followers.front();
        progress.followers.pop_front();
        enter(next);
    }

    void leaveQueues(JobId id, Job& job)
    {
        std::erase(m_compileQueue, id);
        std::erase(m_measureQueue, id);
        if (job.index)
            std::erase(m_progress[*job.index].followers, id);
        if (job.state == State::Compiling)
            --m_compiling;
        if (m_measuring == id)
            m_measuring.reset();
    }

    Stage lastStage(const Job& job) const { return m_answers.lastStage(*job.index, job.until); }

    recorded::Answers m_answers;
    int m_slots;
    GpuInfo m_info;
    Sink m_sink;

    double m_now = 0;
    std::int64_t m_nextJob = 0;
    std::map<JobId, Job> m_jobs; // not yet delivered
    std::unordered_map<std::uint32_t, Progress> m_progress;
    std::deque<JobId> m_compileQueue, m_measureQueue, m_ready;
    int m_compiling = 0;
    std::optional<JobId> m_measuring;
};

} // namespace

std::unique_ptr<Gpu> makeRecordedGpu(std::shared_ptr<const RecordedSpace> space, RecordedMode mode,
                                     std::uint64_t seed, int compileSlots)
{
    return std::make_unique<RecordedGpu>(std::move(space), mode, seed, compileSlots);
}

} // namespace foresight
