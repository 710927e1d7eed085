// SPDX-License-Identifier: Apache-2.0
// The ranges of one process as a tree (step -> modules -> operators) with the GPU work each launched. Built
// in two passes over the records, since they arrive in no order.
#pragma once

#include "core/profile/probe_records.h"
#include "core/profile/range_text.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace foresight {

inline constexpr std::int32_t kNoNode = -1;

struct RangeNode
{
    RangeText text;
    std::uint64_t startNs = 0, endNs = 0;
    std::uint32_t thread = 0;
    std::int32_t parent = kNoNode;   // always smaller than the node's own index
    std::int32_t step = kNoNode;     // enclosing step node, itself for a step
    std::int32_t descriptionOf = -1; // index into RangeTree::described, for operators
};

struct GpuWork
{
    std::uint64_t startNs = 0, endNs = 0;
    std::int32_t node = kNoNode; // innermost range that launched it
    std::int32_t step = kNoNode; // step of that range, or the one that was open at the launch
    std::int32_t kernel = -1;    // index into records.kernels, or
    std::int32_t memory = -1;    // into records.memory
    double durationNs() const { return static_cast<double>(endNs - startNs); }
};

struct RangeTree
{
    std::vector<RangeNode> nodes;
    std::vector<GpuWork> work;       // by start time; untimed kernels are not in it
    std::vector<std::int32_t> steps; // nodes, in order
    std::vector<OperatorDescription> described;
    std::unordered_map<std::int64_t, std::int32_t> nodeOfOp; // emit_nvtx op id -> node
    std::int64_t untimed = 0, unmatched = 0;
    // From the hook.
    std::string disturbedBy;
    std::vector<std::string> notes;
    std::vector<std::pair<std::string, std::string>> info;

    bool inPlainStep(std::int32_t step) const;       // of a node or of work
    std::string modulePath(std::int32_t node) const; // of the innermost enclosing module
    // What is known of an operator range: what the hook said, else the sizes alone.
    OperatorDescription description(std::int32_t node) const;
};

RangeTree buildRangeTree(const ProbeRecords& records);

} // namespace foresight
