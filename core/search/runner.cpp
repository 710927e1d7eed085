// SPDX-License-Identifier: Apache-2.0
#include "core/search/runner.h"

#include "core/base/file.h"
#include "core/search/payload.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace foresight {

namespace {

constexpr std::chrono::milliseconds kInterval{33};

} // namespace

std::shared_ptr<SearchFacts> factsOf(const PreparedSearch& prepared)
{
    auto facts = std::make_shared<SearchFacts>();
    facts->operatorName = prepared.target.operatorName;
    facts->problemKey = prepared.target.problemKey;
    facts->gpuDescription = prepared.gpu->info().description;
    facts->options = prepared.options;
    facts->lnBaselineLow = prepared.lnBaselineLow;
    facts->lnBaselineHigh = prepared.lnBaselineHigh;
    facts->recorded = prepared.gpu->info().recorded;
    facts->notes = prepared.notes;
    if (prepared.space && prepared.space->validCount() > 0) {
        facts->spaceFile = prepared.space->file;
        const std::size_t all = prepared.space->rows.size();
        const auto most = static_cast<std::size_t>(prepared.options.budget.measurements.value_or(400));
        for (std::size_t k = 1; k <= std::min(all, most); ++k)
            facts->exactRandom.push_back(prepared.space->exactRandom(k));
        if (prepared.target.anchorNs)
            facts->optimumLog2 = (std::log(*prepared.target.anchorNs / prepared.space->bestNs()) +
                                  prepared.options.lnBaselineOverAnchor) /
                                 std::log(2.);
    }
    return facts;
}

struct SearchRunner::Impl
{
    RunnerOptions options;
    Callback callback;

    mutable std::mutex mutex;
    std::condition_variable_any changed;
    // Under the mutex:
    Engine* engine = nullptr;
    std::vector<std::function<void(Engine&)>> early; // controls from before there was an engine
    std::shared_ptr<SearchBatch> next = std::make_shared<SearchBatch>();
    bool fresh = false, ended = false;
    double pace = 0;
    std::atomic<bool> delivered = false;

    std::jthread worker, publisher; // last: joined before the rest dies

    template <typename Change> void publish(Change&& change)
    {
        {
            const std::lock_guard lock(mutex);
            change(*next);
            fresh = true;
        }
        changed.notify_all();
    }

    void control(std::function<void(Engine&)> action)
    {
        const std::lock_guard lock(mutex);
        if (engine)
            action(*engine);
        else if (!ended)
            early.push_back(std::move(action));
    }

    void deliver()
    {
        std::unique_lock lock(mutex);
        for (;;) {
            changed.wait(lock, [this] { return fresh || ended; });
            const bool last = ended;
            if (fresh) {
                auto following = std::make_shared<SearchBatch>();
                following->phase = next->phase;
                following->message = next->message;
                following->error = next->error;
                following->facts = next->facts;
                const std::shared_ptr<const SearchBatch> batch = std::exchange(next, std::move(following));
                fresh = false;
                lock.unlock();
                callback(batch);
                lock.lock();
            }
            if (last && !fresh)
                break;
            if (!ended)
                changed.wait_for(lock, kInterval, [this] { return ended; });
        }
        delivered = true;
    }

    // Takes its time over each result when a search on recorded data is to be watched.
    Result<void> keepPace(SessionSink* sink, const std::stop_token& stop)
    {
        std::unique_lock lock(mutex);
        if (pace <= 0)
            return {};
        const auto delay = std::chrono::duration<double>(pace);
        lock.unlock();
        if (sink)
            FS_CHECK(sink->flush());
        lock.lock();
        changed.wait_for(lock, stop, delay, [] { return false; });
        return {};
    }

    Result<std::unique_ptr<Session>> openSession() const
    {
        if (options.sessionPath.empty())
            return std::unique_ptr<Session>();
        if (!options.resume && !fileExists(options.sessionPath))
            return Session::create(options.sessionPath);
        return Session::open(options.sessionPath, Session::Mode::ReadWrite);
    }

    Result<void> run(const std::stop_token& stop)
    {
        FS_TRY(session, openSession());
        SearchRequest request = options.request;
        std::vector<EventRow> history;
        if (options.resume) {
            if (!session)
                return makeError(ErrorCode::InvalidArgument, "a search can be resumed only in its session");
            FS_TRY(stored, loadRequest(*session, *options.resume));
            stored.dataFolder = request.dataFolder;
            stored.spaceFolders = request.spaceFolders;
            stored.device = request.device;
            request = std::move(stored);
            FS_TRY(log, loadHistory(*session, *options.resume));
            history = std::move(log);
        }
        FS_TRY(prepared, prepareSearch(std::move(request), stop));
        auto facts = factsOf(prepared);
        facts->operatorId = options.operatorId;
        std::unique_ptr<SessionSink> sink;
        if (session) {
            facts->sessionPath = session->path();
            if (options.resume) {
                facts->searchId = *options.resume;
            } else {
                FS_TRY(id, beginSearch(*session, prepared, options.operatorId));
                facts->searchId = id;
            }
            sink = std::make_unique<SessionSink>(*session, facts->searchId);
        }
        publish([&](SearchBatch& batch) {
            batch.facts = facts;
            batch.phase = SearchPhase::Running;
            batch.events = history;
        });

        Engine made(
            std::move(prepared.target), prepared.options, *prepared.forecaster, *prepared.gpu,
            [&](EventRow& event) { return take(event, sink.get(), stop); }, std::move(history));
        if (sink)
            made.setFlush([&sink] { return sink->flush(); });
        if (options.startPaused)
            made.pause();
        {
            const std::lock_guard lock(mutex);
            engine = &made;
            for (const auto& action : early)
                action(made);
            early.clear();
        }
        auto result = made.run(stop);
        {
            const std::lock_guard lock(mutex);
            engine = nullptr;
        }
        if (result) {
            const std::string why = made.events().empty() ? std::string() : reasonOf(made.events().back());
            publish([&](SearchBatch& batch) {
                batch.phase = SearchPhase::Finished;
                batch.message = why;
            });
        }
        return result;
    }

    static std::string reasonOf(const EventRow& event)
    {
        auto reason = decodeFinished(event.payload);
        return reason ? *reason : std::string();
    }

    Result<void> take(EventRow& event, SessionSink* sink, const std::stop_token& stop)
    {
        if (sink)
            FS_CHECK(sink->append(event));
        const auto kind = static_cast<EventKind>(event.kind);
        publish([&](SearchBatch& batch) {
            batch.events.push_back(event);
            if (kind == EventKind::Paused)
                batch.phase = SearchPhase::Paused;
            else if (kind == EventKind::Resumed)
                batch.phase = SearchPhase::Running;
        });
        if (kind == EventKind::Measured || kind == EventKind::Failed)
            return keepPace(sink, stop);
        return {};
    }

    void work(const std::stop_token& stop)
    {
        auto result = run(stop);
        publish([&](SearchBatch& batch) {
            if (!result && result.error().isCancelled()) {
                batch.phase = SearchPhase::Interrupted;
            } else if (!result) {
                batch.phase = SearchPhase::Failed;
                batch.message = result.error().message;
                batch.error = result.error();
            }
        });
        {
            const std::lock_guard lock(mutex);
            ended = true;
        }
        changed.notify_all();
    }
};

SearchRunner::SearchRunner(RunnerOptions options, Callback callback) : m(std::make_unique<Impl>())
{
    m->pace = options.secondsPerMeasurement;
    m->options = std::move(options);
    m->callback = std::move(callback);
    m->fresh = true; // "preparing"
    m->publisher = std::jthread([impl = m.get()] { impl->deliver(); });
    m->worker = std::jthread([impl = m.get()](std::stop_token stop) { impl->work(stop); });
}

SearchRunner::~SearchRunner()
{
    stop();
    m->worker.join();
    m->publisher.join();
}

void SearchRunner::pause()
{
    m->control([](Engine& engine) { engine.pause(); });
}

void SearchRunner::resume()
{
    m->control([](Engine& engine) { engine.resume(); });
}

void SearchRunner::stepExpansion()
{
    m->control([](Engine& engine) { engine.stepExpansion(); });
}

void SearchRunner::stepEvent()
{
    m->control([](Engine& engine) { engine.stepEvent(); });
}

void SearchRunner::finish(std::string reason)
{
    m->control([reason = std::move(reason)](Engine& engine) { engine.finish(reason); });
}

void SearchRunner::requestAction(UserActionKind action, NodeId node)
{
    m->control([=](Engine& engine) { engine.requestAction(action, node); });
}

void SearchRunner::setPace(double secondsPerMeasurement)
{
    const std::lock_guard lock(m->mutex);
    m->pace = secondsPerMeasurement;
}

void SearchRunner::stop()
{
    m->worker.request_stop();
}

bool SearchRunner::running() const
{
    return !m->delivered;
}

} // namespace foresight
