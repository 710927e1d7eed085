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

// Positions in cells: column centre x (fractions happen), row y (integers). One row is a node's height plus a
// gap.
struct TreeLayoutBar
{
    float x0 = 0, x1 = 0; // from the parent's stem over all children hanging from it
    std::int32_t row = 0; // the row of the nodes below it; the bar runs in the gap above
    std::int32_t parent = -1;
};
struct TreeLayoutBlock
{ // frame around packed leaves
    float x0 = 0, x1 = 0;
    std::int32_t row0 = 0, row1 = 0; // inclusive
    std::int32_t parent = -1;
};
struct TreeLayoutTrunk
{ // vertical line from a parent to its shelves
    float x = 0;
    std::int32_t row0 = 0, row1 = 0;
    std::int32_t parent = -1;
};

struct TreeLayout
{
    std::vector<float> x;
    std::vector<std::int32_t> row;
    // Hangs from a bar (a drop is drawn); 0 for roots, hidden ones and members of a framed block.
    std::vector<std::uint8_t> drop;
    // Node indices of each row, ascending x: the spatial index.
    std::vector<std::vector<std::int32_t>> rows;
    std::vector<std::vector<TreeLayoutBar>> bars; // by row, ascending x0
    std::vector<TreeLayoutBlock> blocks;          // ascending row0
    std::int32_t tallestBlock = 0;                // in rows; bounds the search in `blocks`
    std::vector<TreeLayoutTrunk> trunks;
    float minX = 0, maxX = 0; // of cell centres
    std::int32_t rowCount = 0;
};

// Stops early and returns an empty layout when `stop` becomes true.
TreeLayout layoutTree(const TreeLayoutInput& input, const std::atomic<bool>* stop = nullptr);

} // namespace foresight
