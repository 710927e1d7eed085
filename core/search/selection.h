// SPDX-License-Identifier: Apache-2.0
// Which node of the tree to expand, and with which configurations: PUCT guided by the forecaster (design 05)
// and the searches it is compared with. Deterministic; owned by the engine's thread. Ties go to the lower
// node id, ties among configurations (all improbable alike) to a seeded shuffle, never to the order of the
// file.
#pragma once

#include "core/kernels/config_space.h"
#include "core/search/payload.h"
#include "core/search/tree.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace foresight {

struct PuctNode
{
    NodeId node;
    double q = 0;     // reward
    double prior = 0; // P
    int visits = 0;   // n
};

// q + c * scale * prior * sqrt(width) * sqrt(1 + total) / (1 + visits). width: K, or 1 for the papers' form.
double puctScore(const PuctNode& node, double c, double scale, double width, double total);
// max - median (mean of the middle two for an even count), at least 1e-6.
double rewardScale(std::span<const double> rewards);
double medianOf(std::vector<double> values); // 0 for none
// The papers' prior over imported or proposed nodes: (N - rank) / sum, best reward first, rank from 0.
std::vector<double> rankPrior(std::span<const double> rewards);

enum class SearchKind {
    Puct,                // guided by the forecaster: the default
    PuctPaper,           // rank prior over every measured node, scale max - min
    Uct,                 // descends from the root: mean of the subtree, progressive widening
    ExpectedImprovement, // best of the whole space
    Random,
    Greedy, // around the best so far
    Evolve, // mutants and crossings of the winners of small tournaments
};
// "puct", "puct-paper", "uct", "ei", "random", "greedy", "evolve"
Result<SearchKind> searchKindFromName(std::string_view name);

// What a selection may look at.
struct SearchView
{
    const Tree& tree;
    std::span<const NodeId> measured;           // in the order finished
    std::span<const std::uint32_t> indexOfNode; // configuration of each node (the root's is unused)
    std::span<const std::uint8_t> taken;        // per configuration: chosen before, or forbidden
    std::span<const float> expectedImprovement; // per configuration; empty for Random
};

struct Selection
{
    NodeId parent;
    SelectionPayload payload;
    const std::vector<std::uint32_t>* neighbourhood = nullptr; // nullptr: the whole space
};

class Selector
{
public:
    Selector(std::shared_ptr<const ConfigSpace> space, SearchKind kind, double c, std::uint64_t seed);

    // Nothing when every configuration has been tried.
    std::optional<Selection> select(const SearchView& view);
    // At most `count` untried configurations of the selection, best first.
    std::vector<std::uint32_t> best(const Selection& selection, const SearchView& view,
                                    std::size_t count) const;

private:
    const std::vector<std::uint32_t>& neighbours(std::uint32_t index);
    const std::vector<std::uint32_t>* neighboursOf(const SearchView& view, NodeId node); // null: the root's
    std::optional<Selection> selectPuct(const SearchView& view);
    std::optional<Selection> selectPuctPaper(const SearchView& view);
    std::optional<Selection> selectUct(const SearchView& view);
    std::optional<Selection> selectGreedy(const SearchView& view);
    std::optional<Selection> selectEvolve(const SearchView& view);

    std::shared_ptr<const ConfigSpace> m_space;
    SearchKind m_kind;
    double m_c;
    std::uint64_t m_seed;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_neighbours;
    std::vector<std::uint32_t> m_offspring; // of the last Evolve selection
};

// Largest expected improvement over the untried of `neighbourhood` (null: of the space); nothing when all are
// tried.
std::optional<double> bestImprovement(const SearchView& view,
                                      const std::vector<std::uint32_t>* neighbourhood);
// At most `count` measured nodes that are not forbidden, best first, ties by node.
std::vector<NodeId> bestMeasured(const SearchView& view, std::size_t count);
// Sorts the terms by score, keeps the top ones and a hash of all; gives the chosen node.
NodeId settle(SelectionPayload& payload);

// Seeds of independent streams: the same three numbers give the same stream on every machine.
std::uint64_t mixSeed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

} // namespace foresight
