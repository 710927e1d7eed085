// SPDX-License-Identifier: Apache-2.0
// Strong ids: a JobId cannot be handed to something that wants a NodeId.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace foresight {

template <typename Tag>
struct Id {
    std::int64_t value = -1;

    constexpr Id() = default;
    constexpr explicit Id(std::int64_t v) : value(v) {}
    constexpr bool valid() const { return value >= 0; }
    constexpr auto operator<=>(const Id&) const = default;
};

using NodeId = Id<struct NodeTag>;         // node of one search tree; the root is 0
using JobId = Id<struct JobTag>;           // one request to an asynchronous service
using SearchId = Id<struct SearchTag>;     // one search in a session
using OperatorId = Id<struct OperatorTag>; // one profiled operator (shape bucket) in a session

} // namespace foresight

template <typename Tag>
struct std::hash<foresight::Id<Tag>> {
    std::size_t operator()(const foresight::Id<Tag>& id) const noexcept
    {
        return std::hash<std::int64_t>{}(id.value);
    }
};
