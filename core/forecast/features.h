// SPDX-License-Identifier: Apache-2.0
// Numeric features of every configuration of a space, for surrogates with a distance (design 05, "The GP
// behind it"): each parameter as half rank, half min-max value (of its log2 when positive and spanning a
// factor of 4), trailing zeros of integers that are not all powers of two, and log2 of products of block and
// of tile sizes. All in [0, 1]. Pure; the result owns its data.
#pragma once

#include "core/base/random.h"
#include "core/kernels/config_space.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace foresight {

struct FeatureMatrix
{
    std::size_t rows = 0, columns = 0;
    std::vector<float> data; // column by column
    std::vector<std::string> names;

    float at(std::size_t row, std::size_t column) const { return data[column * rows + row]; }
};

// Parameters with one used value give no column; a space with none at all has no columns.
FeatureMatrix makeFeatures(const ConfigSpace& space);

// `count` distinct configurations to start a search with: each is, of 64 random draws, the one with the
// values of its parameters seen least so far and far (in `features`, which are `space`'s) from those chosen
// before. Fewer when the space is smaller. `taken` are left out and count as chosen before.
std::vector<std::uint32_t> startDesign(const ConfigSpace& space, const FeatureMatrix& features,
                                       std::size_t count, Random& random,
                                       std::span<const std::uint32_t> taken = {});

} // namespace foresight
