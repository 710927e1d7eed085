// SPDX-License-Identifier: Apache-2.0
#include "core/search/tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace foresight {

namespace {

// A path this long cannot come from a search; without a limit a made-up log could make every visit walk a
// million nodes.
constexpr std::int32_t kMaxDepth = 4096;

Error corrupt(const EventRow& event, std::string_view why)
{
    return makeError(ErrorCode::Corrupt,
                     "event " + std::to_string(event.seq) + " (" +
                         std::string(eventKindName(static_cast<EventKind>(event.kind))) + ", node " +
                         std::to_string(event.node) + ") " + std::string(why),
                     "the search log is damaged from here on; the events before it are intact");
}

bool inRange(double value, int low, int high)
{
    return value >= low && value <= high && value == std::floor(value);
}

} // namespace

std::string_view nodeStateName(NodeState state)
{
    constexpr std::array<std::string_view, 7> kNames{"root",    "proposed", "forecast", "skipped",
                                                     "running", "measured", "failed"};
    const auto index = static_cast<std::size_t>(state);
    return index < kNames.size() ? kNames[index] : "unknown";
}

Tree::Tree()
{
    TreeNode root;
    root.id = NodeId(0);
    root.state = NodeState::Root;
    m_nodes.push_back(std::move(root));
}

Result<void> Tree::apply(const EventRow& event)
{
    const auto kind = static_cast<EventKind>(event.kind);
    if (event.seq != m_lastSeq + 1)
        return corrupt(event, "does not follow event " + std::to_string(m_lastSeq));
    if (event.version != 1)
        return corrupt(event, "has the unknown version " + std::to_string(event.version));
    if (!std::isfinite(event.a) || !std::isfinite(event.b))
        return corrupt(event, "has a value that is not finite");
    if (kind == EventKind::SearchStarted ? m_started : !m_started)
        return corrupt(event, m_started ? "starts a search that has started"
                                        : "comes before the search has started");
    if (m_finished)
        return corrupt(event, "comes after the search has finished");

    switch (kind) {
    case EventKind::SearchStarted:
        m_started = true;
        break;
    case EventKind::Paused:
    case EventKind::Resumed:
        if (m_paused == (kind == EventKind::Paused))
            return corrupt(event, m_paused ? "pauses a paused search" : "resumes a running search");
        m_paused = kind == EventKind::Paused;
        break;
    case EventKind::SearchFinished:
        if (!inRange(event.a, 1, 4))
            return corrupt(event, "has an unknown reason");
        m_finished = true;
        m_finishReason = finishReasonName(static_cast<FinishReason>(static_cast<int>(event.a)));
        break;
    case EventKind::ModelRefit:
    case EventKind::ModelLate:
    case EventKind::BreakpointHit:
    case EventKind::BudgetState:
        break;
    case EventKind::ParentSelected:
    case EventKind::CandidateProposed:
    case EventKind::DuplicateFound:
    case EventKind::ForecastMade:
    case EventKind::CandidateSkipped:
    case EventKind::CandidateChosen:
    case EventKind::Compiled:
    case EventKind::Verified:
    case EventKind::Measured:
    case EventKind::Failed:
    case EventKind::UserAction:
        FS_CHECK(applyToNode(event));
        break;
    default:
        return corrupt(event, "has the unknown kind " + std::to_string(event.kind));
    }
    m_lastSeq = event.seq;
    return {};
}

Result<void> Tree::applyToNode(const EventRow& event)
{
    const auto kind = static_cast<EventKind>(event.kind);
    const auto size = static_cast<std::int64_t>(m_nodes.size());
    const bool hasParent = event.parent >= 0 && event.parent < size;

    if (kind == EventKind::CandidateProposed) {
        if (event.node != size)
            return corrupt(event, "is not the next node, " + std::to_string(size));
        if (!hasParent)
            return corrupt(event, "has the unknown parent " + std::to_string(event.parent));
        TreeNode& parent = m_nodes[static_cast<std::size_t>(event.parent)];
        if (parent.depth + 1 > kMaxDepth || event.a != parent.depth + 1)
            return corrupt(event, "has the wrong depth");
        TreeNode node;
        node.id = NodeId(event.node);
        node.parent = parent.id;
        node.depth = parent.depth + 1;
        node.proposedSeq = event.seq;
        node.startDesign = (event.flags & kStartDesign) != 0;
        parent.children.push_back(node.id);
        m_nodes.push_back(std::move(node)); // `parent` is invalid from here on
        ++m_counts.proposed;
        return {};
    }

    if (event.node < 0 || event.node >= size) {
        if (kind == EventKind::UserAction && event.node == -1)
            return {};
        return corrupt(event, "names an unknown node");
    }
    TreeNode& node = m_nodes[static_cast<std::size_t>(event.node)];
    const NodeState state = node.state;
    const bool undecided =
        state == NodeState::Proposed || state == NodeState::Forecast || state == NodeState::Skipped;
    const std::string wrongState =
        "does not fit the node's state '" + std::string(nodeStateName(state)) + "'";

    switch (kind) {
    case EventKind::ParentSelected: {
        if (state != NodeState::Root && state != NodeState::Measured)
            return corrupt(event, wrongState);
        ++node.expansions;
        ++m_counts.expansions;
        for (NodeId id = node.id; id.valid();) {
            TreeNode& ancestor = m_nodes[static_cast<std::size_t>(id.value)];
            ++ancestor.visits;
            id = ancestor.parent;
        }
        break;
    }
    case EventKind::DuplicateFound:
        if (state == NodeState::Root)
            return corrupt(event, wrongState);
        if (!hasParent)
            return corrupt(event, "has the unknown parent " + std::to_string(event.parent));
        ++node.duplicates;
        ++m_counts.duplicates;
        break;
    case EventKind::ForecastMade:
        if (!undecided)
            return corrupt(event, wrongState);
        if (event.b < 0 || event.b > 1)
            return corrupt(event, "has a success probability outside 0..1");
        if (state == NodeState::Skipped)
            --m_counts.skipped; // a ghost proposed again is decided again
        if (!node.hasForecast)
            ++m_counts.forecast;
        node.hasForecast = true;
        node.forecastLog2 = event.a;
        node.forecastSuccess = event.b;
        node.forecastSeq = event.seq;
        node.state = NodeState::Forecast;
        break;
    case EventKind::CandidateSkipped:
        if (state != NodeState::Forecast)
            return corrupt(event, wrongState);
        if (event.b < 0 || event.b > 1)
            return corrupt(event, "has a probability outside 0..1");
        node.state = NodeState::Skipped;
        node.rankScore = event.a;
        node.pi = event.b;
        node.decidedSeq = event.seq;
        ++m_counts.skipped;
        break;
    case EventKind::CandidateChosen:
        if (!undecided)
            return corrupt(event, wrongState);
        if (event.b < 0 || event.b > 1)
            return corrupt(event, "has a probability outside 0..1");
        if (event.parent != -1 && event.parent != node.parent.value) {
            const bool expandable =
                hasParent && event.parent != event.node &&
                (event.parent == 0 ||
                 m_nodes[static_cast<std::size_t>(event.parent)].state == NodeState::Measured);
            if (!expandable || !node.children.empty())
                return corrupt(event, "cannot move below node " + std::to_string(event.parent));
            if (m_nodes[static_cast<std::size_t>(event.parent)].depth + 1 > kMaxDepth)
                return corrupt(event, "has the wrong depth");
        }
        choose(event, node);
        break;
    case EventKind::Compiled:
    case EventKind::Verified:
        if (state != NodeState::Running)
            return corrupt(event, wrongState);
        break;
    case EventKind::Measured:
        if (state != NodeState::Running)
            return corrupt(event, wrongState);
        finishNode(event, node, true);
        break;
    case EventKind::Failed:
        if (state != NodeState::Running)
            return corrupt(event, wrongState);
        if (!inRange(event.a, 0, static_cast<int>(Stage::Measure)) ||
            !inRange(event.b, 1, static_cast<int>(Outcome::Internal)))
            return corrupt(event, "has an unknown stage or outcome");
        finishNode(event, node, false);
        break;
    case EventKind::UserAction:
        if (!inRange(event.a, 1, 5))
            return corrupt(event, "is an unknown action");
        switch (static_cast<UserActionKind>(static_cast<int>(event.a))) {
        case UserActionKind::Forbid:
        case UserActionKind::Allow:
            node.forbidden = static_cast<int>(event.a) == static_cast<int>(UserActionKind::Forbid);
            break;
        case UserActionKind::Pin:
        case UserActionKind::Unpin:
            node.pinned = static_cast<int>(event.a) == static_cast<int>(UserActionKind::Pin);
            break;
        case UserActionKind::Measure:
            break;
        }
        break;
    default:
        break;
    }
    return {};
}

void Tree::choose(const EventRow& event, TreeNode& node)
{
    if (node.state == NodeState::Skipped)
        --m_counts.skipped;
    if (event.parent != -1 && event.parent != node.parent.value) {
        auto& siblings = m_nodes[static_cast<std::size_t>(node.parent.value)].children;
        siblings.erase(std::find(siblings.begin(), siblings.end(), node.id));
        TreeNode& parent = m_nodes[static_cast<std::size_t>(event.parent)];
        parent.children.push_back(node.id);
        node.parent = parent.id;
        node.depth = parent.depth + 1;
    }
    node.state = NodeState::Running;
    node.rankScore = event.a;
    node.pi = event.b;
    node.decidedSeq = event.seq;
    node.audit = (event.flags & kAudit) != 0;
    node.startDesign = (event.flags & kStartDesign) != 0;
    node.byUser = (event.flags & kByUser) != 0;
    ++m_counts.chosen;
    if (node.audit)
        ++m_counts.audited;
}

void Tree::finishNode(const EventRow& event, TreeNode& node, bool measured)
{
    node.finishedSeq = event.seq;
    double best = m_bestSoFar.empty() ? -std::numeric_limits<double>::infinity() : m_bestSoFar.back();
    if (measured) {
        node.state = NodeState::Measured;
        node.outcome = Outcome::Ok;
        node.measuredLog2 = event.a;
        node.measuredHalfWidth = event.b;
        ++m_counts.measured;
        if (!m_incumbent || event.a > best)
            m_incumbent = node.id;
        best = std::max(best, event.a);
        TreeNode& parent = m_nodes[static_cast<std::size_t>(node.parent.value)];
        if (!node.startDesign && (!parent.hasBestChild || event.a > parent.bestChildLog2)) {
            parent.hasBestChild = true;
            parent.bestChildLog2 = event.a;
        }
    } else {
        node.state = NodeState::Failed;
        node.failedStage = static_cast<Stage>(static_cast<int>(event.a));
        node.outcome = static_cast<Outcome>(static_cast<int>(event.b));
        ++m_counts.failed;
    }
    m_bestSoFar.push_back(best);
}

std::vector<NodeId> Tree::bestPath() const
{
    std::vector<NodeId> path;
    for (NodeId id = m_incumbent.value_or(NodeId()); id.valid(); id = node(id).parent)
        path.push_back(id);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<NodeId> Tree::unfinished() const
{
    std::vector<NodeId> nodes;
    for (const TreeNode& candidate : m_nodes)
        if (candidate.state == NodeState::Running)
            nodes.push_back(candidate.id);
    std::sort(nodes.begin(), nodes.end(),
              [this](NodeId x, NodeId y) { return node(x).decidedSeq < node(y).decidedSeq; });
    return nodes;
}

} // namespace foresight
