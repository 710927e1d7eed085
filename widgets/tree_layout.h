// SPDX-License-Identifier: GPL-3.0-or-later
// A tidy tree for search trees: childless children of one parent are packed into a block below it, the others
// are laid out side by side along their contours (Reingold-Tilford), and a family too wide to read is broken
// into shelves. Pure function of its input, near-linear, no recursion (depth is unlimited); runs on any
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace foresight {

struct TreeLayoutInput
{
    // Index of the parent, -1 for a root or for a node that is not shown. Parents come before children.
    std::vector<std::int32_t> parent;
    std::vector<std::uint8_t> visible; // same length
};

// Positions: x in cells (a node and the space beside it is one cell wide, x is its centre), rows in half node
// pitches. A node fills kNodeRows rows from its row on; kGapRows rows above children hold the line that joins
// them to their parent.
inline constexpr std::int32_t kNodeRows = 2;
inline constexpr std::int32_t kGapRows = 1;
inline constexpr float kCellAspect = 4.6f; // a cell's width in row heights

struct TreeLayoutBar
{ // horizontal line in the gap row `row`, over the children hanging from it
    float x0 = 0, x1 = 0;
    std::int32_t row = 0;
    std::int32_t parent = -1;
};
struct TreeLayoutBlock
{ // frame around packed leaves; hangs from the bar in the gap row above
    float x0 = 0, x1 = 0;
    std::int32_t row0 = 0, row1 = 0; // last row inclusive
    std::int32_t parent = -1;
};
struct TreeLayoutTrunk
{ // vertical line left of the shelves, between their gap rows
    float x = 0;
    std::int32_t row0 = 0, row1 = 0;
    std::int32_t parent = -1;
};

struct TreeLayout
{
    std::vector<float> x;
    std::vector<std::int32_t> row;   // -1: not shown
    std::vector<std::uint8_t> drop;  // 1: a line joins it to the bar above it
    std::vector<std::int32_t> block; // by parent: its block, or -1
    std::vector<std::int32_t> trunk; // by parent: its trunk, or -1
    // Node indices of each row by ascending x, and bars of each gap row by ascending x0 (they never overlap).
    std::vector<std::vector<std::int32_t>> rows;
    std::vector<std::vector<TreeLayoutBar>> bars;
    std::vector<TreeLayoutBlock> blocks; // by ascending row0
    std::int32_t tallestBlock = 0;       // in rows: how far above a viewport a block may begin
    std::vector<TreeLayoutTrunk> trunks;
    float minX = 0, maxX = 0; // outer edges
    std::int32_t rowCount = 0;
    std::int32_t shown = 0;
};

// Stops early and returns an empty layout when `stop` becomes true.
TreeLayout layoutTree(const TreeLayoutInput& input, const std::atomic<bool>* stop = nullptr);

} // namespace foresight
