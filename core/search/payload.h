// SPDX-License-Identifier: Apache-2.0
// The JSON of search events as values: one struct per kind that carries more than its typed columns, with
// encode and decode. The engine writes them, panels, reports and importers read them; nobody else touches the
// JSON. Decoding foreign or broken text gives Corrupt with the field's name. Canonical parts (payload) and
// free parts (annex) apart.
#pragma once

#include "core/base/result.h"
#include "core/forecast/forecast.h"
#include "core/gpu/gpu.h"
#include "core/kernels/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

// candidate_proposed
struct ProposedPayload
{
    Symbols configuration;
    std::optional<std::uint32_t> spaceIndex;
    std::string contentHash; // of the plan, when known
    std::string origin;      // "default", "start design", "neighbourhood", "user"
};
std::string encodePayload(const ProposedPayload& payload);
Result<ProposedPayload> decodeProposed(std::string_view payload);

// forecast_made: the whole Forecast
std::string encodePayload(const Forecast& forecast);
Result<Forecast> decodeForecast(std::string_view payload);

// candidate_skipped / candidate_chosen
struct DecisionPayload
{
    std::string rule;     // policy name, "audit", "start design", "user"
    double threshold = 0; // the score that would have been enough in this batch
    int rank = 0, of = 0; // 1-based rank among the batch's siblings
};
std::string encodePayload(const DecisionPayload& payload);
Result<DecisionPayload> decodeDecision(std::string_view payload);

// parent_selected
struct SelectionTerm
{
    std::int64_t node = 0;
    double q = 0, prior = 0, score = 0;
    int visits = 0;
};
struct SelectionPayload
{
    double total = 0, c = 0, scale = 0; // T, c, scale
    int selectable = 0;                 // K
    std::vector<SelectionTerm> top;     // by score, at most 32, the chosen one first
    std::string hash;                   // of the full vector
};
std::string encodePayload(const SelectionPayload& payload);
Result<SelectionPayload> decodeSelection(std::string_view payload);

// measured: payload has what decisions rest on, annex samples, clocks, costs
struct MeasuredPayload
{
    double timeNs = 0, anchorNs = 0;
    double lnRatio = 0, lnLow = 0, lnHigh = 0; // anchor / candidate
    int look = 0;
    Regime regime = Regime::Cold;
    bool recorded = false; // from a recorded space, not from a GPU now
};
std::string encodePayload(const MeasuredPayload& payload);
Result<MeasuredPayload> decodeMeasured(std::string_view payload);
std::string encodeMeasuredAnnex(const GpuReply& reply);
Result<GpuReply> decodeMeasuredAnnex(std::string_view annex);

// search_finished
std::string encodeFinished(std::string_view reason);
Result<std::string> decodeFinished(std::string_view payload);

// compiled, verified, failed: annex has logs, resources and reports
std::string encodeReplyAnnex(const GpuReply& reply);
Result<GpuReply> decodeReplyAnnex(std::string_view annex);

} // namespace foresight
