// SPDX-License-Identifier: Apache-2.0
#include "core/search/event.h"

#include "core/base/hash.h"

#include <array>

namespace foresight {

namespace {

constexpr std::array<std::string_view, 20> kNames{
    "unknown",         "search_started", "parent_selected",   "candidate_proposed",
    "duplicate_found", "forecast_made",  "candidate_skipped", "candidate_chosen",
    "compiled",        "verified",       "measured",          "failed",
    "model_refit",     "model_late",     "breakpoint_hit",    "user_action",
    "budget_state",    "paused",         "resumed",           "search_finished"};

bool isCanonical(std::int32_t kind)
{
    const auto k = static_cast<EventKind>(kind);
    return k != EventKind::Paused && k != EventKind::Resumed && k != EventKind::BudgetState;
}

} // namespace

std::string_view eventKindName(EventKind kind)
{
    const auto index = static_cast<std::size_t>(kind);
    return index < kNames.size() ? kNames[index] : kNames[0];
}

std::optional<EventKind> eventKindFromName(std::string_view name)
{
    for (std::size_t i = 1; i < kNames.size(); ++i)
        if (kNames[i] == name)
            return static_cast<EventKind>(i);
    return std::nullopt;
}

std::string_view finishReasonName(FinishReason reason)
{
    switch (reason) {
    case FinishReason::Budget:
        return "the budget is used up";
    case FinishReason::SpaceExhausted:
        return "every configuration has been tried";
    case FinishReason::User:
        return "stopped by the user";
    case FinishReason::GpuUnwell:
        return "the GPU is unwell";
    }
    return "unknown";
}

std::string canonicalLogHash(std::span<const EventRow> events)
{
    Sha256 hash;
    for (const EventRow& event : events) {
        if (!isCanonical(event.kind))
            continue;
        hash.updateU64(static_cast<std::uint64_t>(event.kind));
        hash.updateU64(static_cast<std::uint64_t>(event.version));
        hash.updateU64(static_cast<std::uint64_t>(event.node));
        hash.updateU64(static_cast<std::uint64_t>(event.parent));
        hash.updateF64(event.a);
        hash.updateF64(event.b);
        hash.updateU64(event.flags);
        hash.updateU64(event.payload.size());
        hash.update(event.payload);
    }
    return hash.finishHex();
}

} // namespace foresight
