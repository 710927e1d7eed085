// SPDX-License-Identifier: Apache-2.0
// Events into the log and back: every change of the engine's state goes through `accept`, live and on resume
// alike.
#include "core/search/engine_impl.h"

#include "core/base/json.h"
#include "core/base/version.h"
#include "core/search/payload_json.h"
#include "core/search/started.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace foresight {

namespace {

double storable(double value, std::uint32_t& flags)
{
    if (std::isfinite(value))
        return value;
    flags |= kNonFinite;
    return value < 0 ? std::numeric_limits<double>::lowest() : std::numeric_limits<double>::max();
}

bool sameDecision(const EventRow& x, const EventRow& y)
{
    return x.kind == y.kind && x.version == y.version && x.node == y.node && x.parent == y.parent &&
           x.a == y.a && x.b == y.b && x.flags == y.flags && x.payload == y.payload;
}

bool isPartOfExpansion(EventKind kind)
{
    return kind == EventKind::ParentSelected || kind == EventKind::CandidateProposed ||
           kind == EventKind::DuplicateFound || kind == EventKind::ForecastMade ||
           kind == EventKind::CandidateSkipped || kind == EventKind::CandidateChosen;
}

// Where the expansion begins that the log ends with; the log's size when it does not end inside one.
std::size_t interruptedExpansion(const std::vector<EventRow>& log)
{
    for (std::size_t i = log.size(); i > 0; --i) {
        const EventRow& event = log[i - 1];
        const auto kind = static_cast<EventKind>(event.kind);
        if (!isPartOfExpansion(kind) || (event.flags & kByUser))
            break;
        const bool proposal = kind == EventKind::CandidateProposed || kind == EventKind::DuplicateFound;
        if (kind == EventKind::ParentSelected || (proposal && (event.flags & kStartDesign)))
            return i - 1;
    }
    return log.size();
}

} // namespace

Result<void> Engine::Impl::emit(EventKind kind, NodeId node, NodeId parent, double a, double b,
                                std::uint32_t flags, std::string payload, std::string annex)
{
    EventRow event;
    event.kind = static_cast<std::int32_t>(kind);
    event.node = node.value;
    event.parent = parent.value;
    event.a = storable(a, flags);
    event.b = storable(b, flags);
    event.flags = flags;
    event.payload = std::move(payload);
    event.annex = std::move(annex);
    return emit(std::move(event));
}

Result<void> Engine::Impl::emit(EventRow event)
{
    event.seq = tree.lastSeq() + 1;
    if (!events.empty())
        event.search = events.front().search;
    if (!m_replay.empty()) {
        if (!sameDecision(m_replay.front(), event)) {
            m_replayFailed = true;
            return makeError(ErrorCode::Internal, "the continuation differs from the log");
        }
        EventRow logged = std::move(m_replay.front());
        m_replay.pop_front();
        return accept(std::move(logged), true);
    }
    const auto kind = static_cast<EventKind>(event.kind);
    if (kind != EventKind::Paused && kind != EventKind::Resumed && kind != EventKind::SearchFinished)
        FS_CHECK(passGate());
    event.timeNs = std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
    if (m_sink)
        FS_CHECK(m_sink(event));
    return accept(std::move(event), false);
}

Result<void> Engine::Impl::passGate()
{
    {
        const std::lock_guard lock(mailbox->mutex);
        if (!mailbox->gateEvents || m_leaving)
            return {};
    }
    FS_CHECK(commit());
    std::unique_lock lock(mailbox->mutex);
    mailbox->changed.wait(lock, [this] {
        return !mailbox->gateEvents || mailbox->eventSteps > 0 || mailbox->stopping || mailbox->finish;
    });
    if (mailbox->stopping)
        return makeError(ErrorCode::Cancelled, "the search was stopped");
    if (mailbox->gateEvents && mailbox->eventSteps > 0)
        --mailbox->eventSteps;
    return {};
}

Result<void> Engine::Impl::accept(EventRow&& event, bool fromHistory)
{
    FS_CHECK(tree.apply(event));
    FS_CHECK(absorb(event, fromHistory));
    events.push_back(std::move(event));
    return {};
}

Result<void> Engine::Impl::absorb(const EventRow& event, bool fromHistory)
{
    const NodeId node(event.node);
    const auto index = [&] { return indexOfNode[static_cast<std::size_t>(event.node)]; };
    const auto finished = [&] {
        std::erase(m_open, node);
        std::erase(m_pending, node);
        std::erase(m_queue, node);
    };
    switch (static_cast<EventKind>(event.kind)) {
    case EventKind::SearchStarted:
        if (fromHistory) {
            FS_TRY(started, decodeStarted(event.payload));
            if (started.spaceHash != spaceHash(*m_target.space))
                return makeError(
                    ErrorCode::Unsupported,
                    "this search cannot be continued: its space of configurations has changed since",
                    "start a new search; the old one can still be looked at");
        }
        break;
    case EventKind::ParentSelected:
        markPending();
        break;
    case EventKind::CandidateProposed: {
        FS_TRY(proposed, decodeProposed(event.payload));
        if (!proposed.spaceIndex || *proposed.spaceIndex >= m_taken.size())
            return makeError(ErrorCode::Corrupt,
                             "a candidate of the log is not in the space of configurations",
                             "start a new search; the old one can still be looked at");
        indexOfNode.push_back(*proposed.spaceIndex);
        m_nodeOfIndex.emplace(*proposed.spaceIndex, node);
        if (!proposed.contentHash.empty())
            m_nodeOfHash.emplace(proposed.contentHash, node);
        break;
    }
    case EventKind::DuplicateFound: {
        FS_TRY(proposed, decodeProposed(event.payload));
        if (proposed.spaceIndex && *proposed.spaceIndex < m_taken.size()) {
            m_nodeOfIndex.emplace(*proposed.spaceIndex, node);
            m_taken[*proposed.spaceIndex] = m_taken[index()];
        }
        break;
    }
    case EventKind::CandidateChosen:
        m_taken[index()] = 1;
        m_queue.push_back(node);
        m_open.push_back(node);
        m_startChosen += (event.flags & kStartDesign) ? 1 : 0;
        break;
    case EventKind::Compiled:
        m_stagesLogged[node.value] |= 1;
        break;
    case EventKind::Verified:
        m_stagesLogged[node.value] |= 2;
        break;
    case EventKind::Measured: {
        FS_TRY(measured, decodeMeasured(event.payload));
        if (!m_anchorNs && measured.anchorNs > 0)
            m_anchorNs = measured.anchorNs;
        finished();
        m_measured.push_back(node);
        m_forecaster.addLabel({index(), event.a, false});
        break;
    }
    case EventKind::Failed: {
        finished();
        const auto outcome = static_cast<Outcome>(static_cast<int>(event.b));
        if (outcome < Outcome::Unknown) // the others say nothing about the candidate
            m_forecaster.addLabel(
                {index(), std::nullopt, outcome >= Outcome::WrongResult && outcome <= Outcome::Suspect});
        break;
    }
    case EventKind::ModelRefit:
        m_loggedModel = static_cast<std::uint32_t>(event.b);
        break;
    case EventKind::BudgetState:
        if (fromHistory) {
            budget.setGpuSeconds(event.b);
            if (auto annex = parseJson(event.annex.empty() ? "{}" : event.annex, "budget_state");
                annex && annex->is_object())
                if (const auto it = annex->find("wall_s"); it != annex->end() && it->is_number())
                    m_wallOffset = it->get<double>();
        }
        break;
    case EventKind::UserAction:
        if (event.node > 0) {
            const auto action = static_cast<UserActionKind>(static_cast<int>(event.a));
            if (action == UserActionKind::Forbid || action == UserActionKind::Allow)
                m_taken[index()] =
                    action == UserActionKind::Forbid || tree.node(node).state >= NodeState::Running;
        }
        break;
    default:
        break;
    }
    // Killed between a result and the budget that counts it: the costs are in the result's annex.
    if (fromHistory && (event.kind == static_cast<std::int32_t>(EventKind::Measured) ||
                        event.kind == static_cast<std::int32_t>(EventKind::Failed)))
        if (auto reply = decodeReplyAnnex(event.annex.empty() ? "{}" : event.annex)) {
            budget.addGpuSeconds(reply->costs.gpuSeconds());
            m_wallOffset += reply->costs.total();
        }
    return {};
}

Result<void> Engine::Impl::restore()
{
    const std::size_t open = interruptedExpansion(m_history);
    for (std::size_t i = 0; i < open; ++i)
        FS_CHECK(accept(std::move(m_history[i]), true));
    for (std::size_t i = open; i < m_history.size(); ++i)
        m_replay.push_back(std::move(m_history[i]));
    m_history.clear();
    m_history.shrink_to_fit();
    return {};
}

Result<void> Engine::Impl::finishInterrupted()
{
    if (m_replay.empty()) // a refit that followed the last result, but was not logged
        return noteRefit();
    // The same state and seed give the same expansion again: what is in the log already is only followed.
    auto decided = decide();
    if (!decided && !m_replayFailed)
        return decided.error();
    // Another version of the program, or live answers in another order: keep what the log says and go on from
    // there.
    m_inGroup = false;
    m_replayFailed = false;
    while (!m_replay.empty()) {
        EventRow logged = std::move(m_replay.front());
        m_replay.pop_front();
        FS_CHECK(accept(std::move(logged), true));
    }
    return {};
}

Result<void> Engine::Impl::startLog()
{
    StartedPayload started;
    started.options = m_options;
    started.operatorName = m_target.operatorName;
    started.problemKey = m_target.problemKey;
    started.gpu = m_gpu.info().description;
    started.recorded = m_gpu.info().recorded;
    started.baseline =
        m_target.defaultIndex || m_target.anchorNs ? m_options.baselineName : "first successful measurement";
    if (m_target.problem) {
        started.family = m_target.problem->family;
        started.layout = m_target.problem->layout;
        started.dtype = m_target.problem->dtype;
        started.symbols = m_target.problem->symbols;
    }
    started.configurations = m_target.space->size();
    started.spaceHash = spaceHash(*m_target.space);
    const Json annex{{"version", kVersion}, {"revision", kRevision}};
    return emit(EventKind::SearchStarted, {}, {}, 0, 0, 0, encodePayload(started), canonicalJson(annex));
}

} // namespace foresight
