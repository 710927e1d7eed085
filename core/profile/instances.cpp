// SPDX-License-Identifier: Apache-2.0
#include "core/profile/instances.h"

#include "core/profile/floors.h"
#include "core/profile/kernel_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace foresight {

namespace {

bool isNorm(const std::string& name)
{
    static const std::set<std::string> names{"native_group_norm", "native_layer_norm", "native_batch_norm",
                                             "cudnn_batch_norm", "_fused_rms_norm"};
    return names.contains(name);
}

bool isActivation(const std::string& name)
{
    static const std::set<std::string> names{"silu",    "gelu",       "relu", "hardswish",
                                             "sigmoid", "leaky_relu", "tanh"};
    return names.contains(name);
}

class Finder
{
public:
    Finder(const RangeTree& tree, const ProbeRecords& records, const ServeFunction& serve)
        : m_tree(tree), m_records(records), m_serve(serve), m_children(tree.nodes.size()),
          m_own(tree.nodes.size()), m_containerOf(tree.nodes.size(), -1)
    {
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            if (tree.nodes[i].parent != kNoNode)
                m_children[static_cast<std::size_t>(tree.nodes[i].parent)].push_back(
                    static_cast<std::int32_t>(i));
        }
        for (std::size_t i = 0; i < tree.work.size(); ++i) {
            const auto index = static_cast<std::int32_t>(i);
            const std::int32_t launcher = tree.work[i].node;
            if (tree.inPlainStep(tree.work[i].step))
                continue;
            if (launcher == kNoNode)
                m_orphans.push_back(index);
            else
                m_own[static_cast<std::size_t>(owner(launcher))].push_back(index);
        }
    }

    std::vector<OperatorInstance> run()
    {
        findRegions();
        for (std::size_t i = 0; i < m_tree.nodes.size(); ++i) {
            if (m_tree.nodes[i].parent == kNoNode)
                findModules(static_cast<std::int32_t>(i));
        }
        addParts();
        return std::move(m_instances);
    }

private:
    const RangeNode& node(std::int32_t index) const { return m_tree.nodes[static_cast<std::size_t>(index)]; }

    // The range a piece of work belongs to: the innermost operator, else the innermost range of any kind.
    std::int32_t owner(std::int32_t index) const
    {
        for (std::int32_t at = index; at != kNoNode; at = node(at).parent) {
            if (node(at).text.kind == RangeText::Kind::Op)
                return at;
        }
        return index;
    }

    template <typename Visit> void visitSubtree(std::int32_t root, Visit visit) const
    {
        std::vector<std::int32_t> stack{root};
        while (!stack.empty()) {
            const std::int32_t at = stack.back();
            stack.pop_back();
            visit(at);
            const auto& children = m_children[static_cast<std::size_t>(at)];
            stack.insert(stack.end(), children.begin(), children.end());
        }
    }

    void claim(std::int32_t root, std::int32_t instance)
    {
        visitSubtree(root, [&](std::int32_t at) {
            m_containerOf[static_cast<std::size_t>(at)] = instance;
            auto& work = m_instances[static_cast<std::size_t>(instance)].work;
            const auto& own = m_own[static_cast<std::size_t>(at)];
            work.insert(work.end(), own.begin(), own.end());
        });
    }

    // Outermost operators that read an output of each operator.
    std::map<std::int64_t, std::vector<std::int32_t>> consumers() const
    {
        std::map<std::int64_t, std::vector<std::int32_t>> out;
        for (std::size_t i = 0; i < m_tree.nodes.size(); ++i) {
            for (const auto& [producer, output] : m_tree.nodes[i].text.inputOps) {
                auto& readers = out[producer];
                bool nested = false; // readers come in push order, so an enclosing one is already there
                for (std::int32_t at = static_cast<std::int32_t>(i); at != kNoNode && !nested;
                     at = node(at).parent)
                    nested = std::find(readers.begin(), readers.end(), at) != readers.end();
                if (producer > 0 && !nested)
                    readers.push_back(static_cast<std::int32_t>(i));
            }
        }
        return out;
    }

    // norm -> activation by data flow, where nothing else reads the norm's output.
    void findRegions()
    {
        const auto readers = consumers();
        for (std::size_t i = 0; i < m_tree.nodes.size(); ++i) {
            const RangeNode& activation = m_tree.nodes[i];
            if (activation.text.inputOps.empty() || !isActivation(plainOperatorName(activation.text.name)) ||
                m_tree.inPlainStep(activation.step))
                continue;
            const std::int64_t producer = activation.text.inputOps.front().first;
            const auto found = m_tree.nodeOfOp.find(producer);
            const auto reading = readers.find(producer);
            if (found == m_tree.nodeOfOp.end() || reading == readers.end() || reading->second.size() != 1 ||
                reading->second.front() != static_cast<std::int32_t>(i))
                continue;
            std::int32_t norm = kNoNode;
            visitSubtree(found->second, [&](std::int32_t at) {
                if (isNorm(plainOperatorName(node(at).text.name)) &&
                    !m_own[static_cast<std::size_t>(at)].empty())
                    norm = at;
            });
            if (norm == kNoNode || m_containerOf[static_cast<std::size_t>(norm)] >= 0)
                continue;
            OperatorInstance region;
            region.description = m_tree.description(norm);
            // The input as the whole call saw it: the norm itself may have been given a contiguous copy.
            const OperatorDescription outer = m_tree.description(found->second);
            if (!outer.inputs.empty() && !region.description.inputs.empty() &&
                outer.inputs[0].dtype != DType::Unknown &&
                outer.inputs[0].shape == region.description.inputs[0].shape)
                region.description.inputs[0] = outer.inputs[0];
            region.description.kind = OperatorDescription::Kind::Region;
            region.description.name =
                plainOperatorName(node(norm).text.name) + " -> " + plainOperatorName(activation.text.name);
            if (!m_serve || !m_serve(region.description))
                continue;
            region.path = m_tree.modulePath(norm);
            const auto instance = static_cast<std::int32_t>(m_instances.size());
            m_instances.push_back(std::move(region));
            claim(found->second, instance);
            claim(static_cast<std::int32_t>(i), instance);
        }
    }

    // The outermost served module counts, unless it is no more than its one served operator.
    void findModules(std::int32_t root)
    {
        std::vector<std::int32_t> stack{root};
        while (!stack.empty()) {
            const std::int32_t at = stack.back();
            stack.pop_back();
            if (countsAsModule(at)) {
                OperatorInstance module;
                module.description = node(at).text.description;
                module.path = node(at).text.path;
                m_instances.push_back(std::move(module));
                claim(at, static_cast<std::int32_t>(m_instances.size()) - 1);
                continue;
            }
            const auto& children = m_children[static_cast<std::size_t>(at)];
            stack.insert(stack.end(), children.rbegin(), children.rend());
        }
    }

    bool countsAsModule(std::int32_t index) const
    {
        const RangeNode& module = node(index);
        if (module.text.kind != RangeText::Kind::Module || !m_serve || m_tree.inPlainStep(module.step) ||
            !m_serve(module.text.description))
            return false;
        std::vector<std::int32_t> parts;
        bool claimed = false;
        visitSubtree(index, [&](std::int32_t at) {
            claimed = claimed || m_containerOf[static_cast<std::size_t>(at)] >= 0;
            if (!m_own[static_cast<std::size_t>(at)].empty())
                parts.push_back(at);
        });
        if (claimed || parts.empty())
            return false;
        return parts.size() > 1 || !m_serve(m_tree.description(parts.front()));
    }

    void addParts()
    {
        for (std::size_t i = 0; i < m_tree.nodes.size(); ++i) {
            if (m_own[i].empty())
                continue;
            const auto index = static_cast<std::int32_t>(i);
            if (m_containerOf[i] >= 0 && m_tree.nodes[i].text.kind == RangeText::Kind::Module)
                continue; // the container's own launches, counted by it already
            OperatorInstance part;
            part.description = m_tree.description(index);
            if (m_tree.nodes[i].text.kind == RangeText::Kind::Step)
                part.description.name = "outside operators";
            part.path = m_tree.modulePath(index);
            part.work = m_own[i];
            part.container = m_containerOf[i];
            m_instances.push_back(std::move(part));
        }
        // Launched outside any range: each kernel is its own operator, so that programs without ranges show
        // too.
        for (const std::int32_t index : m_orphans) {
            const GpuWork& work = m_tree.work[static_cast<std::size_t>(index)];
            OperatorInstance part;
            part.description.kind = OperatorDescription::Kind::Region;
            part.description.name = "outside any range";
            if (work.kernel >= 0) {
                const auto name =
                    m_records.names.find(m_records.kernels[static_cast<std::size_t>(work.kernel)].name);
                if (name != m_records.names.end())
                    part.description.name = demangledName(name->second);
            } else {
                part.description.name =
                    memoryWorkName(m_records.memory[static_cast<std::size_t>(work.memory)]);
            }
            part.work.push_back(index);
            m_instances.push_back(std::move(part));
        }
    }

    const RangeTree& m_tree;
    const ProbeRecords& m_records;
    const ServeFunction& m_serve;
    std::vector<std::vector<std::int32_t>> m_children, m_own;
    std::vector<std::int32_t> m_containerOf, m_orphans;
    std::vector<OperatorInstance> m_instances;
};

} // namespace

std::vector<OperatorInstance> findInstances(const RangeTree& tree, const ProbeRecords& records,
                                            const ServeFunction& serve)
{
    return Finder(tree, records, serve).run();
}

} // namespace foresight
