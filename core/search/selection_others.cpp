// SPDX-License-Identifier: Apache-2.0
// The searches that PUCT guided by the forecaster is compared with: the papers' PUCT, UCT, evolution.
#include "core/search/selection.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr double kWidening = 2; // children a node may have: kWidening x sqrt(1 + its expansions)
constexpr std::size_t kPopulation = 20;
constexpr int kTournament = 3;
constexpr std::uint64_t kEvolveStream = 0x65766f6c7665ull;

double rangeOf(const SearchView& view)
{
    double least = view.tree.node(view.measured.front()).measuredLog2, most = least;
    for (const NodeId id : view.measured) {
        least = std::min(least, view.tree.node(id).measuredLog2);
        most = std::max(most, view.tree.node(id).measuredLog2);
    }
    return std::max(most - least, 1e-6);
}

double medianReward(const SearchView& view)
{
    std::vector<double> rewards;
    for (const NodeId id : view.measured)
        rewards.push_back(view.tree.node(id).measuredLog2);
    return medianOf(std::move(rewards));
}

// Mean reward of each node's subtree, itself included; nothing measured: 0.
std::vector<double> subtreeMeans(const SearchView& view)
{
    std::vector<double> sum(view.tree.nodes().size(), 0), count(sum.size(), 0);
    for (const NodeId measured : view.measured)
        for (NodeId id = measured; id.value >= 0; id = view.tree.node(id).parent) {
            sum[static_cast<std::size_t>(id.value)] += view.tree.node(measured).measuredLog2;
            count[static_cast<std::size_t>(id.value)] += 1;
        }
    for (std::size_t i = 0; i < sum.size(); ++i)
        if (count[i] > 0)
            sum[i] /= count[i];
    return sum;
}

} // namespace

std::optional<Selection> Selector::selectPuctPaper(const SearchView& view)
{
    std::vector<PuctNode> options;
    std::vector<double> own;
    const auto offer = [&](NodeId id, double reward) {
        if (!bestImprovement(view, neighboursOf(view, id)))
            return;
        const TreeNode& node = view.tree.node(id);
        own.push_back(reward);
        options.push_back({id, node.hasBestChild ? node.bestChildLog2 : reward, 0, node.visits});
    };
    offer(NodeId(0), medianReward(view));
    if (options.empty())
        return std::nullopt;
    for (const NodeId id : bestMeasured(view, view.measured.size()))
        offer(id, view.tree.node(id).measuredLog2);

    Selection selection;
    SelectionPayload& payload = selection.payload;
    payload.total = static_cast<double>(view.tree.counts().expansions);
    payload.c = m_c;
    payload.scale = rangeOf(view);
    payload.selectable = static_cast<int>(options.size());
    const std::vector<double> prior = rankPrior(own);
    for (std::size_t i = 0; i < options.size(); ++i) {
        options[i].prior = prior[i];
        payload.top.push_back({options[i].node.value, options[i].q, prior[i],
                               puctScore(options[i], m_c, payload.scale, 1, payload.total),
                               options[i].visits});
    }
    selection.parent = settle(payload);
    selection.neighbourhood = neighboursOf(view, selection.parent);
    return selection;
}

std::optional<Selection> Selector::selectUct(const SearchView& view)
{
    if (!bestImprovement(view, nullptr))
        return std::nullopt;
    const std::vector<double> mean = subtreeMeans(view);
    const std::size_t size = view.tree.nodes().size();
    // Whether anything is left to try at a node or below it. Measured nodes only: ghosts have no children.
    std::vector<char> own(size, 0), below(size, 0);
    own[0] = 1;
    for (const NodeId id : view.measured) {
        if (view.tree.node(id).forbidden || !bestImprovement(view, neighboursOf(view, id)))
            continue;
        own[static_cast<std::size_t>(id.value)] = 1;
        for (NodeId up = id; up.value >= 0; up = view.tree.node(up).parent)
            below[static_cast<std::size_t>(up.value)] = 1;
    }

    Selection selection;
    SelectionPayload& payload = selection.payload;
    payload.total = static_cast<double>(view.tree.counts().expansions);
    payload.c = m_c;
    payload.scale = rangeOf(view);
    NodeId at(0);
    for (;;) {
        const TreeNode& node = view.tree.node(at);
        payload.top.clear();
        std::size_t children = 0;
        for (const NodeId child : node.children) {
            const TreeNode& descendant = view.tree.node(child);
            children +=
                descendant.state == NodeState::Measured || descendant.state == NodeState::Failed ? 1 : 0;
            const auto place = static_cast<std::size_t>(child.value);
            if (descendant.state != NodeState::Measured || !below[place])
                continue;
            const double explore = std::sqrt(std::log(2. + node.visits) / (1. + descendant.visits));
            payload.top.push_back({child.value, mean[place], 0, mean[place] + m_c * payload.scale * explore,
                                   descendant.visits});
        }
        const bool wide = static_cast<double>(children) >= kWidening * std::sqrt(1. + node.visits);
        const bool expand = own[static_cast<std::size_t>(at.value)] && !wide;
        if (expand || payload.top.empty())
            break;
        at = settle(payload);
    }
    if (!own[static_cast<std::size_t>(at.value)])
        at = NodeId(0);
    payload.top = {{at.value, mean[static_cast<std::size_t>(at.value)], 0, 0, view.tree.node(at).visits}};
    payload.selectable = 1;
    settle(payload);
    selection.parent = at;
    selection.neighbourhood = neighboursOf(view, at);
    return selection;
}

std::optional<Selection> Selector::selectEvolve(const SearchView& view)
{
    const std::vector<NodeId> population = bestMeasured(view, kPopulation);
    if (population.empty())
        return std::nullopt;
    const auto expansions = static_cast<std::uint64_t>(view.tree.counts().expansions);
    Random random(mixSeed(m_seed, kEvolveStream, expansions));
    const auto winner = [&] { // the population is sorted: the lowest place wins
        std::uint64_t place = population.size() - 1;
        for (int i = 0; i < kTournament; ++i)
            place = std::min(place, random.below(population.size()));
        return population[place];
    };
    const NodeId mother = winner(), father = winner();
    const std::uint32_t a = view.indexOfNode[static_cast<std::size_t>(mother.value)];
    const std::uint32_t b = view.indexOfNode[static_cast<std::size_t>(father.value)];

    m_offspring = neighbours(a);
    if (a != b)
        for (std::uint32_t i = 0; i < m_space->size(); ++i) {
            bool crossing = true;
            for (std::size_t p = 0; crossing && p < m_space->parameterCount(); ++p)
                crossing =
                    m_space->code(i, p) == m_space->code(a, p) || m_space->code(i, p) == m_space->code(b, p);
            if (crossing)
                m_offspring.push_back(i);
        }
    std::sort(m_offspring.begin(), m_offspring.end());
    m_offspring.erase(std::unique(m_offspring.begin(), m_offspring.end()), m_offspring.end());
    if (!bestImprovement(view, &m_offspring))
        return std::nullopt; // a stranger from the whole space instead
    Selection selection;
    selection.parent = mother;
    selection.neighbourhood = &m_offspring;
    selection.payload.total = static_cast<double>(expansions);
    selection.payload.selectable = static_cast<int>(population.size());
    return selection;
}

} // namespace foresight
