// SPDX-License-Identifier: Apache-2.0
// The kinds of search events and what their typed columns mean. The log is the search: the tree, resuming,
// time travel and replays are folds over it. Payload fields are listed in resources/help/session-format.md.
#pragma once

#include "core/base/result.h"
#include "core/store/event_row.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace foresight {

enum class EventKind : std::int32_t {
    SearchStarted = 1, // payload: operator, baseline, GPU, every parameter and budget, seeds, versions
    ParentSelected =
        2, // node = the node; a = its score, b = T; payload: c, scale, top 32 terms, hash of the rest
    CandidateProposed = 3, // node, parent; a = depth; payload: configuration, index, content hash, origin
    DuplicateFound = 4,    // node = the node it equals, parent = who proposed it
    ForecastMade =
        5, // node; a = expected log2 S (geometric), b = success probability; payload: the distribution
    CandidateSkipped = 6, // node; a = rank score, b = pi; payload: rule, threshold
    CandidateChosen = 7,  // node; a = rank score, b = pi; flags: kAudit, kStartDesign, kByUser
    Compiled = 8,         // node; a = registers of the worst kernel, b = spill bytes; annex: log, times
    Verified = 9,         // node; a = max abs error, b = max rel error
    Measured =
        10, // node; a = log2 S over the baseline, b = half width of its interval (log2); payload: time_ns...
    Failed = 11,     // node; a = Stage, b = Outcome
    ModelRefit = 12, // a = labels, b = model version
    ModelLate = 13,
    BreakpointHit = 14,
    UserAction = 15,  // node; a = UserActionKind; payload: arguments
    BudgetState = 16, // a = measurements used, b = GPU seconds used
    Paused = 17,
    Resumed = 18,
    SearchFinished = 19, // a = FinishReason; payload: reason
};
std::string_view eventKindName(EventKind kind); // "search_started", ...; "unknown" for other numbers
std::optional<EventKind> eventKindFromName(std::string_view name);

enum class UserActionKind : std::int32_t { Measure = 1, Forbid = 2, Allow = 3, Pin = 4, Unpin = 5 };
enum class FinishReason : std::int32_t { Budget = 1, SpaceExhausted = 2, User = 3, GpuUnwell = 4 };
std::string_view finishReasonName(FinishReason reason);

// kNonFinite: a value of a or b was infinite or NaN and is stored as the largest double.
inline constexpr std::uint32_t kAudit = 1, kStartDesign = 2, kByUser = 4, kNonFinite = 8;

// sha256 over the canonical part (kind, version, node, parent, a, b, flags, payload) of all events in order.
// Paused, Resumed and BudgetState are left out: watching a search, interrupting it or what it cost does not
// make it another.
std::string canonicalLogHash(std::span<const EventRow> events);

} // namespace foresight
