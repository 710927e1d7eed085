// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that move a selection among items laid out in rows, the same in every painted list. Pure.
#pragma once

#include <Qt>

#include <algorithm>
#include <optional>

namespace foresight {

// Where `key` moves the selection (-1: nothing selected yet) among `count` items in rows of `columns`, or in
// one list; nullopt when it is no such key. Never outside 0..count-1 unless there are no items.
inline std::optional<int> movedSelection(int key, int current, int count, std::optional<int> columns = {})
{
    const auto within = [count](int index) { return std::clamp(index, 0, std::max(count - 1, 0)); };
    switch (key) {
    case Qt::Key_Right:
        return columns ? std::optional(within(current + 1)) : std::nullopt;
    case Qt::Key_Left:
        return columns ? std::optional(within(current - 1)) : std::nullopt;
    case Qt::Key_Down:
        return within(current < 0 ? 0 : current + columns.value_or(1));
    case Qt::Key_Up:
        return within(current - columns.value_or(1));
    case Qt::Key_Home:
        return within(0);
    case Qt::Key_End:
        return within(count - 1);
    default:
        return std::nullopt;
    }
}

} // namespace foresight
