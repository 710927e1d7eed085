// SPDX-License-Identifier: Apache-2.0
#include "core/search/selection.h"

#include "core/base/hash.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr std::size_t kArchive = 20; // best measured nodes that can be selected
constexpr int kRadius = 2;           // Hamming distance of a neighbourhood
constexpr std::size_t kTermsLogged = 32;
// A node is selectable while its neighbourhood promises at least this share of what the whole space promises.
// A good node among nothing but tried or hopeless neighbours would otherwise be chosen for its reward alone,
// for ever.
constexpr double kLeastShare = .1;

std::uint64_t mix(std::uint64_t z)
{
    z = (z ^ (z >> 33)) * 0xff51afd7ed558ccdull;
    z = (z ^ (z >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return z ^ (z >> 33);
}

double rewardOf(const Tree& tree, NodeId id)
{
    return tree.node(id).measuredLog2;
}

std::string hashOf(std::span<const SelectionTerm> terms)
{
    Sha256 hash;
    for (const SelectionTerm& term : terms) {
        hash.updateU64(static_cast<std::uint64_t>(term.node));
        hash.updateF64(term.q);
        hash.updateF64(term.prior);
        hash.updateU64(static_cast<std::uint64_t>(term.visits));
        hash.updateF64(term.score);
    }
    return hash.finishHex();
}

} // namespace

std::vector<NodeId> bestMeasured(const SearchView& view, std::size_t count)
{
    std::vector<NodeId> nodes;
    nodes.reserve(view.measured.size());
    for (const NodeId id : view.measured)
        if (!view.tree.node(id).forbidden)
            nodes.push_back(id);
    const auto better = [&view](NodeId x, NodeId y) {
        const double a = rewardOf(view.tree, x), b = rewardOf(view.tree, y);
        return a != b ? a > b : x < y;
    };
    const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(count, nodes.size()));
    std::partial_sort(nodes.begin(), end, nodes.end(), better);
    nodes.erase(end, nodes.end());
    return nodes;
}

// Largest expected improvement over untried configurations; nothing when all are tried.
std::optional<double> bestImprovement(const SearchView& view, const std::vector<std::uint32_t>* neighbourhood)
{
    bool any = false;
    float best = 0;
    const auto look = [&](std::size_t index) {
        if (view.taken[index])
            return;
        any = true;
        if (!view.expectedImprovement.empty())
            best = std::max(best, view.expectedImprovement[index]);
    };
    if (neighbourhood) {
        for (const std::uint32_t index : *neighbourhood)
            look(index);
    } else {
        for (std::size_t index = 0; index < view.taken.size(); ++index)
            look(index);
    }
    if (!any)
        return std::nullopt;
    return static_cast<double>(best);
}

std::uint64_t mixSeed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
{
    return mix(mix(mix(seed + 0x9e3779b97f4a7c15ull) + stream * 0xd1342543de82ef95ull) +
               index * 0xaf251af3b0f025b5ull);
}

double puctScore(const PuctNode& node, double c, double scale, double width, double total)
{
    return node.q + c * scale * node.prior * std::sqrt(width) * std::sqrt(1 + total) / (1 + node.visits);
}

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2)
        return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double rewardScale(std::span<const double> rewards)
{
    if (rewards.empty())
        return 1e-6;
    const double most = *std::max_element(rewards.begin(), rewards.end());
    return std::max(most - medianOf({rewards.begin(), rewards.end()}), 1e-6);
}

std::vector<double> rankPrior(std::span<const double> rewards)
{
    const std::size_t n = rewards.size();
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return rewards[x] > rewards[y]; });
    std::vector<double> prior(n);
    const double sum = static_cast<double>(n) * static_cast<double>(n + 1) / 2;
    for (std::size_t rank = 0; rank < n; ++rank)
        prior[order[rank]] = static_cast<double>(n - rank) / sum;
    return prior;
}

Result<SearchKind> searchKindFromName(std::string_view name)
{
    if (name == "puct")
        return SearchKind::Puct;
    if (name == "ei")
        return SearchKind::ExpectedImprovement;
    if (name == "random")
        return SearchKind::Random;
    if (name == "greedy")
        return SearchKind::Greedy;
    if (name == "puct-paper")
        return SearchKind::PuctPaper;
    if (name == "uct")
        return SearchKind::Uct;
    if (name == "evolve")
        return SearchKind::Evolve;
    return makeError(ErrorCode::InvalidArgument, "there is no search '" + std::string(name) + "'",
                     "the searches are puct, puct-paper, uct, ei, random, greedy and evolve");
}

Selector::Selector(std::shared_ptr<const ConfigSpace> space, SearchKind kind, double c, std::uint64_t seed)
    : m_space(std::move(space)), m_kind(kind), m_c(c), m_seed(seed)
{
}

std::optional<Selection> Selector::select(const SearchView& view)
{
    if (!view.measured.empty()) {
        std::optional<Selection> selection;
        switch (m_kind) {
        case SearchKind::Puct:
            return selectPuct(view);
        case SearchKind::PuctPaper:
            return selectPuctPaper(view);
        case SearchKind::Uct:
            return selectUct(view);
        case SearchKind::Greedy:
            selection = selectGreedy(view);
            break;
        case SearchKind::Evolve:
            selection = selectEvolve(view);
            break;
        case SearchKind::ExpectedImprovement:
        case SearchKind::Random:
            break;
        }
        if (selection)
            return selection;
    }
    if (!bestImprovement(view, nullptr))
        return std::nullopt;
    Selection selection;
    selection.parent = NodeId(0);
    selection.payload.total = static_cast<double>(view.tree.counts().expansions);
    selection.payload.selectable = 1;
    return selection;
}

std::optional<Selection> Selector::selectGreedy(const SearchView& view)
{
    for (const NodeId id : bestMeasured(view, view.measured.size())) {
        const auto& around = neighbours(view.indexOfNode[static_cast<std::size_t>(id.value)]);
        if (!bestImprovement(view, &around))
            continue;
        Selection selection;
        selection.parent = id;
        selection.neighbourhood = &around;
        selection.payload.total = static_cast<double>(view.tree.counts().expansions);
        selection.payload.selectable = 1;
        return selection;
    }
    return std::nullopt;
}

std::optional<Selection> Selector::selectPuct(const SearchView& view)
{
    std::vector<double> rewards;
    rewards.reserve(view.measured.size());
    for (const NodeId id : view.measured)
        rewards.push_back(rewardOf(view.tree, id));

    std::vector<PuctNode> options;
    double sum = 0;
    const auto offer = [&](NodeId id, double own, double least = 0) {
        const auto improvement = bestImprovement(view, neighboursOf(view, id));
        if (!improvement || *improvement < least)
            return;
        const TreeNode& node = view.tree.node(id);
        options.push_back({id, node.hasBestChild ? node.bestChildLog2 : own, *improvement, node.visits});
        sum += *improvement;
    };
    offer(NodeId(0), medianOf(rewards));
    if (options.empty())
        return std::nullopt;
    const double least = kLeastShare * options.front().prior;
    for (const NodeId id : bestMeasured(view, kArchive))
        offer(id, rewardOf(view.tree, id), least);

    const auto width = static_cast<double>(options.size());
    Selection selection;
    SelectionPayload& payload = selection.payload;
    payload.total = static_cast<double>(view.tree.counts().expansions);
    payload.c = m_c;
    payload.scale = rewardScale(rewards);
    payload.selectable = static_cast<int>(options.size());
    for (PuctNode& option : options) {
        option.prior = sum > 0 ? option.prior / sum : 1 / width;
        const double score = puctScore(option, m_c, payload.scale, width, payload.total);
        payload.top.push_back({option.node.value, option.q, option.prior, score, option.visits});
    }
    selection.parent = settle(payload);
    selection.neighbourhood = neighboursOf(view, selection.parent);
    return selection;
}

std::vector<std::uint32_t> Selector::best(const Selection& selection, const SearchView& view,
                                          std::size_t count) const
{
    struct Entry
    {
        float improvement;
        std::uint64_t shuffle;
        std::uint32_t index;
    };
    std::vector<Entry> entries;
    const std::uint64_t salt =
        mixSeed(m_seed, 0x73687566666cull, static_cast<std::uint64_t>(view.tree.counts().expansions));
    // Offspring come as they were bred; the policy may still rank them.
    const bool ranked = m_kind != SearchKind::Evolve && !view.expectedImprovement.empty();
    const auto add = [&](std::uint32_t index) {
        if (!view.taken[index])
            entries.push_back({ranked ? view.expectedImprovement[index] : 0.f, mix(salt ^ index), index});
    };
    if (selection.neighbourhood) {
        for (const std::uint32_t index : *selection.neighbourhood)
            add(index);
    } else {
        for (std::size_t index = 0; index < view.taken.size(); ++index)
            add(static_cast<std::uint32_t>(index));
    }
    const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(count, entries.size()));
    std::partial_sort(entries.begin(), end, entries.end(), [](const Entry& x, const Entry& y) {
        return x.improvement != y.improvement ? x.improvement > y.improvement : x.shuffle < y.shuffle;
    });
    std::vector<std::uint32_t> indices;
    for (auto it = entries.begin(); it != end; ++it)
        indices.push_back(it->index);
    return indices;
}

NodeId settle(SelectionPayload& payload)
{
    payload.hash = hashOf(payload.top);
    std::sort(payload.top.begin(), payload.top.end(), [](const SelectionTerm& x, const SelectionTerm& y) {
        return x.score != y.score ? x.score > y.score : x.node < y.node;
    });
    if (payload.top.size() > kTermsLogged)
        payload.top.resize(kTermsLogged);
    return NodeId(payload.top.front().node);
}

const std::vector<std::uint32_t>* Selector::neighboursOf(const SearchView& view, NodeId node)
{
    if (node.value == 0)
        return nullptr;
    return &neighbours(view.indexOfNode[static_cast<std::size_t>(node.value)]);
}

const std::vector<std::uint32_t>& Selector::neighbours(std::uint32_t index)
{
    auto it = m_neighbours.find(index);
    if (it == m_neighbours.end())
        it = m_neighbours.emplace(index, m_space->neighbours(index, kRadius)).first;
    return it->second;
}

} // namespace foresight
