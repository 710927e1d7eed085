// SPDX-License-Identifier: Apache-2.0
// Expansions: which candidates to propose, forecast and measure. Every draw comes from (seed, stream, count),
// never from a running generator, so that a resumed search continues as the interrupted one would have.
#include "core/search/engine_impl.h"

#include <algorithm>

namespace foresight {

namespace {

enum Stream : std::uint64_t { kStartStream = 1, kAuditStream = 2 };

} // namespace

void Engine::Impl::markPending()
{
    for (const NodeId node : m_open)
        if (std::find(m_pending.begin(), m_pending.end(), node) == m_pending.end()) {
            m_forecaster.addPending(indexOfNode[static_cast<std::size_t>(node.value)]);
            m_pending.push_back(node);
        }
}

Result<void> Engine::Impl::noteRefit()
{
    const std::uint32_t version = m_forecaster.modelVersion();
    if (version == m_loggedModel)
        return {};
    const auto labels = static_cast<double>(tree.counts().measured + tree.counts().failed);
    return emit(EventKind::ModelRefit, {}, {}, labels, version);
}

Result<Engine::Impl::Decided> Engine::Impl::decide()
{
    if (auto reason = budget.exhausted(tree.counts().chosen, wallSeconds())) {
        m_budgetReason = std::move(reason);
        return Decided::NoBudget;
    }
    if (m_replay.empty())
        FS_CHECK(noteRefit());
    return m_startChosen < m_options.startDesign ? decideStart() : expand();
}

std::optional<std::uint32_t> Engine::Impl::nextStartIndex()
{
    if (m_target.defaultIndex && !m_taken[*m_target.defaultIndex])
        return m_target.defaultIndex;
    if (m_features.rows == 0)
        m_features = makeFeatures(*m_target.space);
    std::vector<std::uint32_t> taken;
    for (std::uint32_t i = 0; i < m_taken.size(); ++i)
        if (m_taken[i])
            taken.push_back(i);
    const TreeCounts& counts = tree.counts();
    Random random(mixSeed(m_options.seed, kStartStream,
                          static_cast<std::uint64_t>(counts.proposed + counts.duplicates)));
    const auto design = startDesign(*m_target.space, m_features, 1, random, taken);
    return design.empty() ? std::nullopt : std::optional(design.front());
}

Result<Engine::Impl::Decided> Engine::Impl::decideStart()
{
    const auto index = nextStartIndex();
    if (!index)
        return Decided::NothingLeft;
    m_inGroup = true;
    bool fresh = false;
    FS_TRY(node, propose(*index, NodeId(0), kStartDesign,
                         index == m_target.defaultIndex ? "default" : "start design", fresh));
    if (fresh) {
        const auto forecasts = m_forecaster.forecast(std::span(&*index, 1));
        FS_CHECK(emitForecast(node, forecasts.front()));
        DecisionPayload decision;
        decision.rule = "start design";
        decision.rank = decision.of = 1;
        FS_CHECK(
            emit(EventKind::CandidateChosen, node, NodeId(0), 0, 1, kStartDesign, encodePayload(decision)));
    }
    m_inGroup = false;
    return Decided::Yes;
}

Result<Engine::Impl::Decided> Engine::Impl::expand()
{
    SearchView view{tree, m_measured, indexOfNode, m_taken, {}};
    if (m_options.search != "random")
        view.expectedImprovement = m_forecaster.expectedImprovement();
    if (m_replay.empty())
        FS_CHECK(noteRefit());
    const auto selection = m_selector.select(view);
    if (!selection)
        return Decided::NothingLeft;
    // More than are wanted: some may turn out to be written-out twins of others.
    const auto wanted = static_cast<std::size_t>(m_options.policy.candidatesPerExpansion);
    const std::vector<std::uint32_t> ranked = m_selector.best(*selection, view, 2 * wanted + 8);

    m_inGroup = true;
    const NodeId parent = selection->parent;
    const auto expansion = static_cast<std::uint64_t>(tree.counts().expansions);
    const double score = selection->payload.top.empty() ? 0 : selection->payload.top.front().score;
    FS_CHECK(emit(EventKind::ParentSelected, parent, {}, score, selection->payload.total, 0,
                  encodePayload(selection->payload)));

    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> indices;
    for (const std::uint32_t index : ranked) {
        if (nodes.size() == wanted)
            break;
        bool fresh = false;
        FS_TRY(node, propose(index, parent, 0, parent.value == 0 ? "whole space" : "neighbourhood", fresh));
        if (fresh && std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
            nodes.push_back(node);
            indices.push_back(indexOfNode[static_cast<std::size_t>(node.value)]);
        }
    }
    const std::vector<Forecast> forecasts = m_forecaster.forecast(indices);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        FS_CHECK(emitForecast(nodes[i], forecasts[i]));

    Random coins(mixSeed(m_options.seed, kAuditStream, expansion));
    std::optional<double> incumbent;
    if (tree.incumbent())
        incumbent = tree.node(*tree.incumbent()).measuredLog2;
    const auto decisions = decideCandidates(m_options.policy, forecasts,
                                            budget.remaining(tree.counts().chosen), coins, incumbent);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const CandidateDecision& decision = decisions[i];
        FS_CHECK(emit(decision.chosen ? EventKind::CandidateChosen : EventKind::CandidateSkipped, nodes[i],
                      parent, decision.score, decision.pi, decision.audit ? kAudit : 0,
                      encodePayload(decision.payload)));
    }
    m_inGroup = false;
    return Decided::Yes;
}

Result<NodeId> Engine::Impl::propose(std::uint32_t index, NodeId parent, std::uint32_t flags,
                                     const char* origin, bool& fresh)
{
    ProposedPayload payload;
    payload.configuration = m_target.space->configuration(index);
    payload.spaceIndex = index;
    payload.origin = origin;
    std::optional<NodeId> known;
    if (const auto it = m_nodeOfIndex.find(index); it != m_nodeOfIndex.end()) {
        known = it->second;
    } else if (m_target.plan) {
        // A plan that cannot be made is not a duplicate of anything; it fails when it is submitted.
        if (auto plan = m_target.plan(index)) {
            payload.contentHash = plan->contentHash();
            if (const auto twin = m_nodeOfHash.find(payload.contentHash); twin != m_nodeOfHash.end())
                known = twin->second;
        }
    }
    if (known) {
        fresh = tree.node(*known).state < NodeState::Running && !tree.node(*known).forbidden;
        FS_CHECK(emit(EventKind::DuplicateFound, *known, parent, 0, 0, flags, encodePayload(payload)));
        return *known;
    }
    fresh = true;
    const NodeId node(static_cast<std::int64_t>(tree.nodes().size()));
    FS_CHECK(emit(EventKind::CandidateProposed, node, parent, tree.node(parent).depth + 1, 0, flags,
                  encodePayload(payload)));
    return node;
}

Result<void> Engine::Impl::emitForecast(NodeId node, const Forecast& forecast)
{
    return emit(EventKind::ForecastMade, node, {}, expectedLog2(forecast),
                std::clamp(forecast.successProbability(), 0., 1.), 0, encodePayload(forecast));
}

} // namespace foresight
