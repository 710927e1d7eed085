// SPDX-License-Identifier: Apache-2.0
// The kinds of search events and what their typed columns mean. The log is the search: the tree, resuming, time travel
// and replays are folds over it. Payload fields are listed in resources/help/session-format.md.
#pragma once

#include "core/base/result.h"
#include "core/store/event_row.h"

#include <span>
#include <string>
#include <string_view>

namespace foresight {

enum class EventKind : std::int32_t {
    SearchStarted = 1,     // payload: operator, baseline, GPU, every parameter and budget, seeds, versions
    ParentSelected = 2,    // node = the node; a = its score, b = T; payload: c, scale, top 32 terms, hash of the rest
    CandidateProposed = 3, // node, parent; a = depth; payload: configuration, index, content hash, origin
    DuplicateFound = 4,    // node = the node it equals, parent = who proposed it
    ForecastMade = 5,      // node; a = expected log2 S (geometric), b = success probability; payload: the distribution
    CandidateSkipped = 6,  // node; a = rank score, b = pi; payload: rule, threshold
    CandidateChosen = 7,   // node; a = rank score, b = pi; flags: kAudit, kStartDesign, kByUser
    Compiled = 8,          // node; a = registers of the worst kernel, b = spill bytes; annex: log, times
    Verified = 9,          // node; a = max abs error, b = max rel error
    Measured = 10,         // node; a = log2 S over the baseline, b = half width of its interval (log2); payload: time_ns...
    Failed = 11,           // node; a = Stage, b = Outcome
    ModelRefit = 12,       // a = labels, b = model version
    ModelLate = 13,
    BreakpointHit = 14,
    UserAction = 15,       // node; payload: action, arguments
    BudgetState = 16,      // a = measurements used, b = GPU seconds used
    Paused = 17,
    Resumed = 18,
    SearchFinished = 19,   // payload: reason
};
std::string_view eventKindName(EventKind kind); // "search_started", ...

inline constexpr std::uint32_t kAudit = 1, kStartDesign = 2, kByUser = 4, kNonFinite = 8;

// sha256 over the canonical part (kind, version, node, parent, a, b, flags, payload) of all events in order.
std::string canonicalLogHash(std::span<const EventRow> events);

} // namespace foresight
