// SPDX-License-Identifier: Apache-2.0
#include "core/profile/range_tree.h"

#include <algorithm>
#include <map>

namespace foresight {

namespace {

// The step that was open at a moment of the host.
std::int32_t stepAt(const RangeTree& tree, std::uint64_t timeNs)
{
    const auto after = std::upper_bound(tree.steps.begin(), tree.steps.end(), timeNs,
                                        [&](std::uint64_t time, std::int32_t step) {
                                            return time < tree.nodes[static_cast<std::size_t>(step)].startNs;
                                        });
    if (after == tree.steps.begin())
        return kNoNode;
    const RangeNode& step = tree.nodes[static_cast<std::size_t>(*std::prev(after))];
    return step.endNs == 0 || timeNs <= step.endNs ? *std::prev(after) : kNoNode;
}

void addNodes(const ProbeRecords& records, RangeTree& tree)
{
    std::unordered_map<std::uint64_t, std::int32_t> nodeOf;
    tree.nodes.reserve(records.ranges.size());
    for (const auto& range : records.ranges) {
        const auto index = static_cast<std::int32_t>(tree.nodes.size());
        RangeNode& node = tree.nodes.emplace_back();
        node.text = parseRangeText(range.text);
        node.startNs = range.startNs;
        node.endNs = range.endNs;
        node.thread = range.thread;
        if (const auto parent = nodeOf.find(range.parent); range.parent != 0 && parent != nodeOf.end())
            node.parent = parent->second;
        nodeOf[range.id] = index;
        if (node.text.kind == RangeText::Kind::Step) {
            node.step = index;
            tree.steps.push_back(index);
        } else if (node.parent != kNoNode) {
            node.step = tree.nodes[static_cast<std::size_t>(node.parent)].step;
        }
        if (node.text.kind == RangeText::Kind::Op && node.text.opId > 0)
            tree.nodeOfOp[node.text.opId] = index;
    }

    // Ranges of other threads (the backward pass) have no parent: their step is the one they began in.
    for (RangeNode& node : tree.nodes) {
        if (node.step == kNoNode)
            node.step = stepAt(tree, node.startNs);
    }

    std::unordered_map<std::uint32_t, std::int32_t> rangeOfCorrelation;
    for (const auto& external : records.externals) {
        if (const auto found = nodeOf.find(external.range); found != nodeOf.end())
            rangeOfCorrelation[external.correlation] = found->second;
    }
    std::unordered_map<std::uint32_t, std::uint64_t> launchTime;
    for (const auto& launch : records.launches)
        launchTime[launch.correlation] = launch.startNs;
    const auto add = [&](std::uint64_t start, std::uint64_t end, std::uint32_t correlation,
                         std::int32_t kernel, std::int32_t memory) {
        if (start == 0 || end < start) {
            ++tree.untimed;
            return;
        }
        GpuWork& work = tree.work.emplace_back();
        work.startNs = start;
        work.endNs = end;
        work.kernel = kernel;
        work.memory = memory;
        if (const auto found = rangeOfCorrelation.find(correlation); found != rangeOfCorrelation.end())
            work.node = found->second;
        else if (const auto launch = launchTime.find(correlation); launch != launchTime.end())
            work.step = stepAt(tree, launch->second);
        if (work.node != kNoNode)
            work.step = tree.nodes[static_cast<std::size_t>(work.node)].step;
        else if (!tree.inPlainStep(work.step))
            ++tree.unmatched;
    };
    for (std::size_t i = 0; i < records.kernels.size(); ++i) {
        const auto& kernel = records.kernels[i];
        add(kernel.startNs, kernel.endNs, kernel.correlation, static_cast<std::int32_t>(i), -1);
    }
    for (std::size_t i = 0; i < records.memory.size(); ++i) {
        const auto& memory = records.memory[i];
        add(memory.startNs, memory.endNs, memory.correlation, -1, static_cast<std::int32_t>(i));
    }
    std::sort(tree.work.begin(), tree.work.end(),
              [](const GpuWork& a, const GpuWork& b) { return a.startNs < b.startNs; });
}

std::string sizeKey(const RangeNode& node)
{
    std::string key = node.text.name;
    for (const auto& shape : node.text.sizes) {
        key += '[';
        for (const auto extent : shape)
            key += std::to_string(extent) + ',';
        key += ']';
    }
    return key;
}

// The hook describes the operators of one step. Other steps that run the same operators in the same order
// take over the descriptions by position; else an operator takes one over when only one fits its module, name
// and sizes.
void spreadDescriptions(RangeTree& tree)
{
    std::map<std::int32_t, std::vector<std::int32_t>> opsOfStep;
    std::map<std::int32_t, std::size_t> described;
    std::unordered_map<std::string, std::int32_t> bySignature; // -2: several differ
    const auto signature = [&](std::int32_t index) {
        return tree.modulePath(index) + '|' + sizeKey(tree.nodes[static_cast<std::size_t>(index)]);
    };
    const auto same = [&](std::int32_t a, std::int32_t b) {
        const auto& x = tree.described[static_cast<std::size_t>(a)];
        const auto& y = tree.described[static_cast<std::size_t>(b)];
        if (x.inputs.size() != y.inputs.size() || x.scalars != y.scalars)
            return false;
        for (std::size_t i = 0; i < x.inputs.size(); ++i) {
            if (x.inputs[i].dtype != y.inputs[i].dtype || x.inputs[i].shape != y.inputs[i].shape ||
                x.inputs[i].strides != y.inputs[i].strides)
                return false;
        }
        return true;
    };
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const RangeNode& node = tree.nodes[i];
        if (node.text.kind != RangeText::Kind::Op)
            continue;
        const auto index = static_cast<std::int32_t>(i);
        opsOfStep[node.step].push_back(index);
        if (node.descriptionOf < 0)
            continue;
        ++described[node.step];
        const auto [entry, fresh] = bySignature.emplace(signature(index), node.descriptionOf);
        if (!fresh && entry->second >= 0 && !same(entry->second, node.descriptionOf))
            entry->second = -2;
    }
    if (described.empty())
        return;
    const auto best = std::max_element(described.begin(), described.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto& model = opsOfStep[best->first];
    for (const auto& [step, ops] : opsOfStep) {
        bool aligned = ops.size() == model.size();
        for (std::size_t i = 0; aligned && i < ops.size(); ++i)
            aligned = sizeKey(tree.nodes[static_cast<std::size_t>(ops[i])]) ==
                      sizeKey(tree.nodes[static_cast<std::size_t>(model[i])]);
        for (std::size_t i = 0; i < ops.size(); ++i) {
            RangeNode& node = tree.nodes[static_cast<std::size_t>(ops[i])];
            if (node.descriptionOf >= 0)
                continue;
            if (aligned) {
                node.descriptionOf = tree.nodes[static_cast<std::size_t>(model[i])].descriptionOf;
            } else if (const auto found = bySignature.find(signature(ops[i])); found != bySignature.end()) {
                node.descriptionOf = std::max(found->second, -1);
            }
        }
    }
}

} // namespace

bool RangeTree::inPlainStep(std::int32_t step) const
{
    return step != kNoNode && nodes[static_cast<std::size_t>(step)].text.plain;
}

std::string RangeTree::modulePath(std::int32_t index) const
{
    for (; index != kNoNode; index = nodes[static_cast<std::size_t>(index)].parent) {
        const RangeNode& node = nodes[static_cast<std::size_t>(index)];
        if (node.text.kind == RangeText::Kind::Module)
            return node.text.path;
    }
    return {};
}

OperatorDescription RangeTree::description(std::int32_t index) const
{
    const RangeNode& node = nodes[static_cast<std::size_t>(index)];
    if (node.descriptionOf >= 0)
        return described[static_cast<std::size_t>(node.descriptionOf)];
    if (node.text.kind == RangeText::Kind::Module)
        return node.text.description;
    OperatorDescription out;
    out.kind = node.text.kind == RangeText::Kind::Op ? OperatorDescription::Kind::Aten
                                                     : OperatorDescription::Kind::Region;
    out.name = node.text.name;
    for (const auto& shape : node.text.sizes)
        out.inputs.push_back({DType::Unknown, shape, {}});
    return out;
}

RangeTree buildRangeTree(const ProbeRecords& records)
{
    RangeTree tree;
    addNodes(records, tree);
    for (const auto& mark : records.marks) {
        HookMessage message = parseHookMessage(mark.text);
        switch (message.kind) {
        case HookMessage::Kind::Ops:
            for (auto& op : message.ops) {
                const auto node = tree.nodeOfOp.find(op.opId);
                if (node == tree.nodeOfOp.end() ||
                    tree.nodes[static_cast<std::size_t>(node->second)].text.name != op.description.name)
                    continue;
                tree.nodes[static_cast<std::size_t>(node->second)].descriptionOf =
                    static_cast<std::int32_t>(tree.described.size());
                tree.described.push_back(std::move(op.description));
            }
            break;
        case HookMessage::Kind::Info:
            tree.info.insert(tree.info.end(), message.info.begin(), message.info.end());
            break;
        case HookMessage::Kind::Disturbed:
            tree.disturbedBy = message.text;
            break;
        case HookMessage::Kind::Note:
            tree.notes.push_back(message.text);
            break;
        case HookMessage::Kind::None:
            break;
        }
    }
    spreadDescriptions(tree);
    return tree;
}

} // namespace foresight
