// SPDX-License-Identifier: Apache-2.0
// Inside core/search: the state of a running engine. Everything but Mailbox belongs to the thread that calls
// run.
#pragma once

#include "core/forecast/features.h"
#include "core/search/budget.h"
#include "core/search/engine.h"
#include "core/search/policy.h"
#include "core/search/selection.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace foresight {

// What other threads may touch. Shared with the GPU's sink, which may outlive the engine.
struct Mailbox
{
    struct Action
    {
        UserActionKind kind;
        NodeId node;
    };
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<JobId, GpuReply>> replies;
    std::deque<Action> actions;
    bool paused = false;
    bool gateEvents = false; // events pass one by one
    int expansionSteps = 0, eventSteps = 0;
    bool stopping = false;
    std::optional<std::string> finish;
    std::uint64_t version = 0; // counts every change

    template <typename Change> void change(Change&& apply)
    {
        {
            const std::lock_guard lock(mutex);
            apply();
            ++version;
        }
        changed.notify_all();
    }
};

class Engine::Impl
{
public:
    Impl(SearchTarget target, SearchOptions options, Forecaster& forecaster, Gpu& gpu, EventSink sink,
         std::vector<EventRow> history);

    Result<void> run(std::stop_token stop);

    std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>();
    std::function<Result<void>()> flush;
    Tree tree;
    std::vector<EventRow> events;
    BudgetMeter budget;
    std::vector<std::uint32_t> indexOfNode{0}; // configuration of each node

private:
    // engine.cpp: the loop
    Result<void> prepare();
    Result<bool> turn(); // one round; false at the end
    Result<void> logPauseState();
    Result<void> handleReplies();
    Result<void> handleActions();
    Result<void> fillSlots();
    std::deque<NodeId>::iterator nextSubmittable();
    Result<void> submit(NodeId node);
    Result<void> wait(std::uint64_t seenVersion);
    Result<void> leave(bool logPause); // stop was requested, or the GPU is unwell
    void cancelJobs();
    Result<void> commit() { return flush ? flush() : Result<void>(); }
    Result<void> end(FinishReason reason, const std::string& text);
    bool mayDecide();
    double wallSeconds() const { return m_wallOffset + m_gpu.nowSeconds(); }

    // engine_decide.cpp: expansions
    enum class Decided { Yes, NothingLeft, NoBudget };
    Result<Decided> decide();
    Result<Decided> decideStart();
    Result<Decided> expand();
    Result<NodeId> propose(std::uint32_t index, NodeId parent, std::uint32_t flags, const char* origin,
                           bool& fresh);
    Result<void> emitForecast(NodeId node, const Forecast& forecast);
    void markPending();
    Result<void> noteRefit();
    std::optional<std::uint32_t> nextStartIndex();

    // engine_log.cpp: events in and out
    Result<void> emit(EventRow event);
    Result<void> emit(EventKind kind, NodeId node = {}, NodeId parent = {}, double a = 0, double b = 0,
                      std::uint32_t flags = 0, std::string payload = {}, std::string annex = {});
    Result<void> passGate();
    Result<void> accept(EventRow&& event, bool fromHistory);
    Result<void> absorb(const EventRow& event, bool fromHistory);
    Result<void> restore();
    Result<void> finishInterrupted();
    Result<void> startLog();

    // engine_results.cpp: what the GPU said
    Result<void> finishJob(NodeId node, GpuReply reply);
    Result<void> logStages(NodeId node, const GpuReply& reply, bool compiled, bool verified);
    Result<void> logSuccess(NodeId node, const GpuReply& reply);
    Result<void> logFailure(NodeId node, const GpuReply& reply);

    SearchTarget m_target;
    SearchOptions m_options;
    Forecaster& m_forecaster;
    Gpu& m_gpu;
    EventSink m_sink;
    std::vector<EventRow> m_history;
    Selector m_selector;
    std::stop_token m_stop;
    bool m_prepared = false, m_replayFailed = false, m_spaceExhausted = false;
    bool m_inGroup = false;  // between the events of one expansion
    bool m_leaving = false;  // events no longer wait to be stepped through
    bool m_stepping = false; // an expansion step is under way
    std::optional<std::string> m_budgetReason;
    int m_startChosen = 0;
    std::deque<EventRow> m_replay; // logged events of an expansion that was cut short
    std::optional<Error> m_fatal;

    FeatureMatrix m_features;                                // for the start design
    std::vector<std::uint8_t> m_taken;                       // per configuration
    std::unordered_map<std::uint32_t, NodeId> m_nodeOfIndex; // proposed before
    std::unordered_map<std::string, NodeId> m_nodeOfHash;
    std::vector<NodeId> m_measured;
    std::deque<NodeId> m_queue;    // chosen, not submitted
    std::vector<NodeId> m_open;    // chosen, not finished, in the order chosen
    std::vector<NodeId> m_pending; // of those: told to the forecaster
    std::unordered_map<std::int64_t, NodeId> m_jobs;
    std::unordered_map<std::int64_t, int> m_retries;
    std::unordered_map<std::int64_t, std::uint8_t> m_stagesLogged; // bit 0 compiled, bit 1 verified
    std::uint32_t m_loggedModel = 0;
    double m_wallOffset = 0;
    std::optional<double> m_anchorNs;
};

} // namespace foresight
