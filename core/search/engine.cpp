// SPDX-License-Identifier: Apache-2.0
// The loop: completions in, decisions out, controls in between.
#include "core/search/engine_impl.h"

#include "core/search/started.h"

#include <algorithm>

namespace foresight {

namespace {

SearchOptions normalised(SearchOptions options, const Gpu& gpu)
{
    if (gpu.info().recorded)
        options.maxInFlight = 1;
    if (options.search == "random") { // a policy or a design would no longer be random
        options.startDesign = 1;
        options.policy.name = "all";
        options.policy.candidatesPerExpansion = options.policy.measuredPerExpansion;
    }
    return options;
}

} // namespace

Engine::Impl::Impl(SearchTarget target, SearchOptions options, Forecaster& forecaster, Gpu& gpu,
                   EventSink sink, std::vector<EventRow> history)
    : budget(options.budget), m_target(std::move(target)), m_options(normalised(std::move(options), gpu)),
      m_forecaster(forecaster), m_gpu(gpu), m_sink(std::move(sink)), m_history(std::move(history)),
      m_selector(m_target.space,
                 searchKindFromName(m_options.search) ? *searchKindFromName(m_options.search)
                                                      : SearchKind::Puct,
                 m_options.exploration, m_options.seed),
      m_anchorNs(m_target.anchorNs)
{
    if (m_target.space)
        m_taken.assign(m_target.space->size(), 0);
}

Result<void> Engine::Impl::prepare()
{
    if (m_prepared)
        return {};
    FS_CHECK(checkSearchOptions(m_options));
    if (!m_target.space || m_target.space->size() == 0)
        return makeError(ErrorCode::InvalidArgument,
                         "there is nothing to search: the space of configurations is empty",
                         "no configuration of the family is valid for this shape on this GPU");
    if (m_target.defaultIndex && *m_target.defaultIndex >= m_target.space->size())
        return makeError(ErrorCode::InvalidArgument, "the default configuration is not in the space");
    m_gpu.setSink([box = mailbox](JobId job, GpuReply reply) {
        box->change([&] { box->replies.emplace_back(job, std::move(reply)); });
    });
    FS_CHECK(restore());
    m_prepared = true;
    if (tree.finished())
        return {};
    if (!tree.started() && m_replay.empty())
        FS_CHECK(startLog());
    FS_CHECK(finishInterrupted());
    // The last wish before the interruption, if it had not been granted.
    if (!events.empty() && events.back().kind == static_cast<std::int32_t>(EventKind::UserAction) &&
        events.back().a == static_cast<double>(UserActionKind::Measure))
        mailbox->change([this] {
            mailbox->actions.push_front({UserActionKind::Measure, NodeId(events.back().node)});
        });
    return {};
}

Result<void> Engine::Impl::run(std::stop_token stop)
{
    mailbox->change([this] { mailbox->stopping = false; });
    m_leaving = false;
    const std::stop_callback wake(stop, [box = mailbox] { box->change([&] { box->stopping = true; }); });
    m_stop = stop;
    auto result = prepare();
    while (result && !tree.finished()) {
        auto more = turn();
        if (!more)
            result = std::move(more).error();
        else if (!*more)
            break;
    }
    if (!result && result.error().isCancelled())
        FS_CHECK(leave(!m_inGroup));
    FS_CHECK(commit());
    return result;
}

Result<bool> Engine::Impl::turn()
{
    std::uint64_t version = 0;
    std::optional<std::string> finish;
    {
        const std::lock_guard lock(mailbox->mutex);
        version = mailbox->version;
        finish = mailbox->finish;
    }
    if (m_stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "the search was stopped");
    FS_CHECK(handleReplies());
    if (m_fatal) {
        FS_CHECK(leave(true));
        return *m_fatal;
    }
    FS_CHECK(handleActions());
    if (finish) {
        FS_CHECK(end(FinishReason::User, *finish));
        return false;
    }
    FS_CHECK(logPauseState());
    FS_CHECK(fillSlots());
    if (m_jobs.empty() && m_queue.empty()) {
        m_stepping = false;
        if (m_spaceExhausted || m_budgetReason) {
            FS_CHECK(m_budgetReason
                         ? end(FinishReason::Budget, "the budget of " + *m_budgetReason + " is used up")
                         : end(FinishReason::SpaceExhausted, {}));
            return false;
        }
    }
    FS_CHECK(wait(version));
    return true;
}

Result<void> Engine::Impl::logPauseState()
{
    bool paused = false;
    {
        const std::lock_guard lock(mailbox->mutex);
        paused = mailbox->paused;
    }
    if (paused == tree.paused())
        return {};
    return emit(paused ? EventKind::Paused : EventKind::Resumed);
}

Result<void> Engine::Impl::handleReplies()
{
    std::deque<std::pair<JobId, GpuReply>> replies;
    {
        const std::lock_guard lock(mailbox->mutex);
        replies.swap(mailbox->replies);
    }
    for (auto& [job, reply] : replies) {
        const auto it = m_jobs.find(job.value);
        if (it == m_jobs.end())
            continue; // cancelled before; stale
        const NodeId node = it->second;
        m_jobs.erase(it);
        FS_CHECK(finishJob(node, std::move(reply)));
    }
    return {};
}

Result<void> Engine::Impl::handleActions()
{
    std::deque<Mailbox::Action> actions;
    {
        const std::lock_guard lock(mailbox->mutex);
        actions.swap(mailbox->actions);
    }
    for (const auto& [action, node] : actions) {
        if (node.value < 0 || node.value >= static_cast<std::int64_t>(tree.nodes().size()))
            continue;
        const NodeState state = tree.node(node).state;
        const bool undecided = state > NodeState::Root && state < NodeState::Running;
        if (action == UserActionKind::Measure &&
            (!undecided || budget.exhausted(tree.counts().chosen, wallSeconds())))
            continue;
        const bool logged =
            !events.empty() && events.back().kind == static_cast<std::int32_t>(EventKind::UserAction) &&
            events.back().node == node.value && events.back().a == static_cast<double>(action);
        if (!logged)
            FS_CHECK(emit(EventKind::UserAction, node, {}, static_cast<double>(action)));
        if (action == UserActionKind::Measure) {
            DecisionPayload decision;
            decision.rule = "user";
            // Its probability of being measured is unknown: 0 leaves it out of weighted statistics.
            FS_CHECK(emit(EventKind::CandidateChosen, node, {}, tree.node(node).rankScore, 0, kByUser,
                          encodePayload(decision)));
        }
    }
    return {};
}

bool Engine::Impl::mayDecide()
{
    const std::lock_guard lock(mailbox->mutex);
    if (mailbox->stopping || mailbox->finish)
        return false;
    if (!mailbox->paused || (mailbox->gateEvents && mailbox->eventSteps > 0))
        return true;
    if (mailbox->expansionSteps > 0 && m_jobs.empty()) {
        --mailbox->expansionSteps;
        m_stepping = true;
        return true;
    }
    return false;
}

// While paused what has been chosen waits, too, except for what the user asked for.
std::deque<NodeId>::iterator Engine::Impl::nextSubmittable()
{
    const std::lock_guard lock(mailbox->mutex);
    if (mailbox->paused && !m_stepping && mailbox->expansionSteps > 0 && !m_queue.empty()) {
        --mailbox->expansionSteps; // the step ends the expansion that the pause cut short
        m_stepping = true;
    }
    if (!mailbox->paused || mailbox->gateEvents || m_stepping)
        return m_queue.begin();
    return std::find_if(m_queue.begin(), m_queue.end(),
                        [this](NodeId node) { return tree.node(node).byUser; });
}

Result<void> Engine::Impl::fillSlots()
{
    while (m_jobs.size() < static_cast<std::size_t>(m_options.maxInFlight)) {
        if (const auto next = nextSubmittable(); next != m_queue.end()) {
            const NodeId node = *next;
            m_queue.erase(next);
            FS_CHECK(submit(node));
            continue;
        }
        if (!m_queue.empty())
            break;
        if (m_spaceExhausted || m_budgetReason || !mayDecide())
            break;
        markPending();
        FS_TRY(decided, decide());
        m_spaceExhausted = decided == Decided::NothingLeft;
        if (decided != Decided::Yes)
            break;
    }
    return {};
}

Result<void> Engine::Impl::submit(NodeId node)
{
    const std::uint32_t index = indexOfNode[static_cast<std::size_t>(node.value)];
    GpuRequest request;
    request.configuration = m_target.space->configuration(index);
    request.spaceIndex = index;
    request.timing = m_options.timing;
    request.seed = mixSeed(m_options.seed, 3, static_cast<std::uint64_t>(node.value));
    if (m_target.problem)
        request.problem = *m_target.problem;
    if (m_target.plan) {
        auto plan = m_target.plan(index);
        if (plan) {
            request.plan = std::move(*plan);
        } else if (!m_gpu.info().recorded) { // a recording answers by configuration, too
            GpuReply refused;
            refused.outcome = Outcome::BuildFailed;
            refused.message = plan.error().message;
            refused.hint = plan.error().hint;
            return finishJob(node, std::move(refused));
        }
    }
    if (!m_gpu.info().recorded)
        FS_CHECK(commit());
    const JobId job = m_gpu.submit(std::move(request));
    m_jobs.emplace(job.value, node);
    return {};
}

Result<void> Engine::Impl::wait(std::uint64_t seenVersion)
{
    {
        const std::lock_guard lock(mailbox->mutex);
        if (mailbox->version != seenVersion)
            return {};
    }
    if (!m_jobs.empty()) {
        if (m_gpu.advance())
            return {};
        if (m_gpu.info().recorded)
            return makeError(ErrorCode::Internal, "the recorded GPU does not answer");
    }
    FS_CHECK(commit());
    std::unique_lock lock(mailbox->mutex);
    mailbox->changed.wait(lock, [&] { return mailbox->version != seenVersion; });
    return {};
}

void Engine::Impl::cancelJobs()
{
    for (const auto& [job, node] : m_jobs)
        m_gpu.cancel(JobId(job));
    m_jobs.clear();
    m_queue.assign(m_open.begin(), m_open.end()); // for another run
}

Result<void> Engine::Impl::leave(bool logPause)
{
    m_leaving = true;
    cancelJobs();
    if (logPause && tree.started() && !tree.finished() && !tree.paused())
        return emit(EventKind::Paused);
    return {};
}

Result<void> Engine::Impl::end(FinishReason reason, const std::string& text)
{
    cancelJobs();
    if (tree.paused())
        FS_CHECK(emit(EventKind::Resumed)); // a finished search is not a paused one
    return emit(EventKind::SearchFinished, {}, {}, static_cast<double>(reason), 0, 0,
                encodeFinished(text.empty() ? finishReasonName(reason) : text));
}

Engine::Engine(SearchTarget target, SearchOptions options, Forecaster& forecaster, Gpu& gpu, EventSink sink,
               std::vector<EventRow> history)
    : m(std::make_unique<Impl>(std::move(target), std::move(options), forecaster, gpu, std::move(sink),
                               std::move(history)))
{
}

Engine::~Engine() = default;

Result<void> Engine::run(std::stop_token stop)
{
    return m->run(std::move(stop));
}

void Engine::setFlush(std::function<Result<void>()> flush)
{
    m->flush = std::move(flush);
}

const Tree& Engine::tree() const
{
    return m->tree;
}

const std::vector<EventRow>& Engine::events() const
{
    return m->events;
}

double Engine::gpuSecondsUsed() const
{
    return m->budget.gpuSeconds();
}

std::optional<std::uint32_t> Engine::configurationOf(NodeId node) const
{
    if (node.value < 1 || node.value >= static_cast<std::int64_t>(m->indexOfNode.size()))
        return std::nullopt;
    return m->indexOfNode[static_cast<std::size_t>(node.value)];
}

} // namespace foresight
