// SPDX-License-Identifier: Apache-2.0
// One row of the append-only search log. The typed columns are all the fold needs. `payload` is canonical
// JSON (it counts in the log's hash); `annex` holds what may differ between equal runs: durations, costs, log
// texts, live samples.
#pragma once

#include <cstdint>
#include <string>

namespace foresight {

struct EventRow
{
    std::int64_t seq = 0; // 1.. within the search, without gaps
    std::int64_t search = 0;
    std::int32_t kind = 0; // search/event.h: EventKind
    std::int32_t version = 1;
    std::int64_t node = -1, parent = -1;
    double a = 0, b = 0;
    std::uint32_t flags = 0;
    std::string payload, annex;
    std::int64_t timeNs = 0; // wall clock, since the epoch; not canonical
};

} // namespace foresight
