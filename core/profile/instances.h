// SPDX-License-Identifier: Apache-2.0
// One call of one operator: which ranges it is made of and the GPU work below them. Modules and regions that
// a family serves claim the calls inside them, so that no time counts twice.
#pragma once

#include "core/profile/range_tree.h"

#include <functional>
#include <optional>

namespace foresight {

struct OperatorInstance
{
    OperatorDescription description;
    std::string path;               // enclosing module
    std::vector<std::int32_t> work; // indices into RangeTree::work
    std::int32_t container = -1;    // instance that already counts this one
};

using ServeFunction = std::function<std::optional<Problem>(const OperatorDescription&)>;

// Instances outside plain steps, containers first.
std::vector<OperatorInstance> findInstances(const RangeTree& tree, const ProbeRecords& records,
                                            const ServeFunction& serve);

} // namespace foresight
