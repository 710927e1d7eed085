// SPDX-License-Identifier: Apache-2.0
// The search tree as a pure fold over events: apply(event) for each event in order gives the state at that
// event. Reads no blobs beyond the typed columns (and the payload of search_started). A plain value: copy it
// to keep a moment, hand shared_ptr<const Tree> to other threads.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/forecast/forecast.h"
#include "core/gpu/gpu.h"
#include "core/search/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foresight {

enum class NodeState : std::uint8_t {
    Root,
    Proposed, // forecast pending
    Forecast, // forecast, decision pending
    Skipped,  // a ghost
    Running,  // chosen, result pending
    Measured,
    Failed,
};
std::string_view nodeStateName(NodeState state);

struct TreeNode
{
    NodeId id, parent;
    std::int32_t depth = 0;
    NodeState state = NodeState::Proposed;
    std::int64_t proposedSeq = 0; // event that created it
    std::int64_t decidedSeq = 0;  // chosen/skipped
    std::int64_t finishedSeq = 0; // measured/failed
    bool hasForecast = false;
    double forecastLog2 = 0, forecastSuccess = 1; // as last forecast before the decision
    std::int64_t forecastSeq = 0;                 // its event (payload has the distribution)
    double rankScore = 0, pi = 1;
    bool audit = false, startDesign = false, byUser = false, forbidden = false, pinned = false;
    double measuredLog2 = 0, measuredHalfWidth = 0;
    Outcome outcome = Outcome::Unknown;
    Stage failedStage = Stage::Compile;
    int duplicates = 0;          // times it was proposed again
    std::int32_t expansions = 0; // times selected as parent
    std::int32_t visits = 0;     // expansions of the node and its descendants
    double bestChildLog2 =
        0; // among children that an expansion chose: a start design is not the root's merit
    bool hasBestChild = false;
    std::vector<NodeId> children;
};

// `forecast`: nodes that have one; `skipped`: ghosts at this moment; `audited`: chosen by an audit's coin.
struct TreeCounts
{
    std::int64_t proposed = 0, duplicates = 0, forecast = 0, skipped = 0, chosen = 0, measured = 0,
                 failed = 0, audited = 0, expansions = 0;
};

class Tree
{
public:
    Tree();
    // Corrupt when the event cannot follow (unknown node, wrong state, sequence gap); the tree is then
    // unchanged. A ghost chosen by another parent's expansion moves below that parent.
    Result<void> apply(const EventRow& event);

    const std::vector<TreeNode>& nodes() const { return m_nodes; } // index = id; node 0 is the root
    const TreeNode& node(NodeId id) const { return m_nodes[static_cast<std::size_t>(id.value)]; }
    const TreeCounts& counts() const { return m_counts; }
    std::int64_t lastSeq() const { return m_lastSeq; }
    std::optional<NodeId> incumbent() const { return m_incumbent; } // best measured
    std::vector<NodeId> bestPath() const;                           // root .. incumbent
    // Best log2 S after each finished measurement (measured or failed), in order; -inf before the first
    // success.
    const std::vector<double>& bestSoFar() const { return m_bestSoFar; }
    bool started() const { return m_started; }
    bool finished() const { return m_finished; }
    bool paused() const { return m_paused; }
    const std::string& finishReason() const { return m_finishReason; }
    // Chosen but neither measured nor failed, in the order chosen: submitted again on resume.
    std::vector<NodeId> unfinished() const;

private:
    Result<void> applyToNode(const EventRow& event);
    void choose(const EventRow& event, TreeNode& node);
    void finishNode(const EventRow& event, TreeNode& node, bool measured);

    std::vector<TreeNode> m_nodes;
    TreeCounts m_counts;
    std::vector<double> m_bestSoFar;
    std::optional<NodeId> m_incumbent;
    std::int64_t m_lastSeq = 0;
    bool m_started = false, m_finished = false, m_paused = false;
    std::string m_finishReason;
};

} // namespace foresight
