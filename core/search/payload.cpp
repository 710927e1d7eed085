// SPDX-License-Identifier: Apache-2.0
#include "core/search/payload.h"

#include "core/base/json.h"
#include "core/search/payload_json.h"

namespace foresight {

using payload_json::decodeWith;
using payload_json::get;

std::string encodePayload(const ProposedPayload& payload)
{
    Json json{{"configuration", payload_json::symbolsToJson(payload.configuration)},
              {"origin", payload.origin}};
    if (payload.spaceIndex)
        json["index"] = *payload.spaceIndex;
    if (!payload.contentHash.empty())
        json["hash"] = payload.contentHash;
    return canonicalJson(json);
}

Result<ProposedPayload> decodeProposed(std::string_view payload)
{
    return decodeWith<ProposedPayload>(
        payload, "candidate_proposed", [](const Json& json, ProposedPayload& out) {
            out.configuration = payload_json::symbolsFromJson(json.at("configuration"));
            if (json.contains("index"))
                out.spaceIndex = json.at("index").get<std::uint32_t>();
            out.contentHash = get<std::string>(json, "hash");
            out.origin = get<std::string>(json, "origin");
        });
}

std::string encodePayload(const Forecast& forecast)
{
    return canonicalJson(Json{{"by", forecast.forecaster},
                              {"cold", forecast.coldStart},
                              {"ei", forecast.expectedImprovement},
                              {"fail", forecast.failsToRun},
                              {"mean", forecast.meanLog2},
                              {"model", forecast.modelVersion},
                              {"p", forecast.bins},
                              {"scheme", binSchemeName(forecast.scheme)},
                              {"sd", forecast.sdLog2},
                              {"wrong", forecast.wrongResult}});
}

Result<Forecast> decodeForecast(std::string_view payload)
{
    return decodeWith<Forecast>(payload, "forecast_made", [](const Json& json, Forecast& out) {
        out.bins = json.at("p").get<BinProbabilities>();
        const auto scheme = json.at("scheme").get<std::string>();
        if (scheme == binSchemeName(BinScheme::Gf8Formula))
            out.scheme = BinScheme::Gf8Formula;
        else if (scheme != binSchemeName(BinScheme::Gf8Label))
            throw payload_json::Problem{"the unknown bin scheme '" + scheme + "'"};
        out.failsToRun = get<double>(json, "fail");
        out.wrongResult = get<double>(json, "wrong");
        out.meanLog2 = get<double>(json, "mean");
        out.sdLog2 = get<double>(json, "sd");
        out.expectedImprovement = get<double>(json, "ei");
        out.forecaster = get<std::string>(json, "by");
        out.modelVersion = get<std::uint32_t>(json, "model");
        out.coldStart = get<bool>(json, "cold");
    });
}

std::string encodePayload(const DecisionPayload& payload)
{
    return canonicalJson(Json{{"of", payload.of},
                              {"rank", payload.rank},
                              {"rule", payload.rule},
                              {"threshold", payload.threshold}});
}

Result<DecisionPayload> decodeDecision(std::string_view payload)
{
    return decodeWith<DecisionPayload>(payload, "a decision", [](const Json& json, DecisionPayload& out) {
        out.rule = json.at("rule").get<std::string>();
        out.threshold = get<double>(json, "threshold");
        out.rank = get<int>(json, "rank");
        out.of = get<int>(json, "of");
    });
}

std::string encodePayload(const SelectionPayload& payload)
{
    Json top = Json::array();
    for (const SelectionTerm& term : payload.top)
        top.push_back(Json::array({term.node, term.q, term.prior, term.visits, term.score}));
    return canonicalJson(Json{{"T", payload.total},
                              {"c", payload.c},
                              {"hash", payload.hash},
                              {"k", payload.selectable},
                              {"scale", payload.scale},
                              {"top", std::move(top)}});
}

Result<SelectionPayload> decodeSelection(std::string_view payload)
{
    return decodeWith<SelectionPayload>(payload, "parent_selected",
                                        [](const Json& json, SelectionPayload& out) {
                                            out.total = get<double>(json, "T");
                                            out.c = get<double>(json, "c");
                                            out.scale = get<double>(json, "scale");
                                            out.selectable = get<int>(json, "k");
                                            out.hash = get<std::string>(json, "hash");
                                            for (const Json& row : json.at("top")) {
                                                SelectionTerm term;
                                                term.node = row.at(0).get<std::int64_t>();
                                                term.q = row.at(1).get<double>();
                                                term.prior = row.at(2).get<double>();
                                                term.visits = row.at(3).get<int>();
                                                term.score = row.at(4).get<double>();
                                                out.top.push_back(term);
                                            }
                                        });
}

std::string encodePayload(const MeasuredPayload& payload)
{
    return canonicalJson(Json{{"anchor_ns", payload.anchorNs},
                              {"ln_ratio", {payload.lnLow, payload.lnRatio, payload.lnHigh}},
                              {"look", payload.look},
                              {"recorded", payload.recorded},
                              {"regime", payload.regime == Regime::Hot ? "hot" : "cold"},
                              {"time_ns", payload.timeNs}});
}

Result<MeasuredPayload> decodeMeasured(std::string_view payload)
{
    return decodeWith<MeasuredPayload>(payload, "measured", [](const Json& json, MeasuredPayload& out) {
        out.timeNs = json.at("time_ns").get<double>();
        out.anchorNs = get<double>(json, "anchor_ns");
        const Json& ratio = json.at("ln_ratio");
        out.lnLow = ratio.at(0).get<double>();
        out.lnRatio = ratio.at(1).get<double>();
        out.lnHigh = ratio.at(2).get<double>();
        out.look = get<int>(json, "look");
        out.recorded = get<bool>(json, "recorded");
        out.regime = get<std::string>(json, "regime") == "hot" ? Regime::Hot : Regime::Cold;
    });
}

std::string encodeFinished(std::string_view reason)
{
    return canonicalJson(Json{{"reason", reason}});
}

Result<std::string> decodeFinished(std::string_view payload)
{
    return decodeWith<std::string>(payload, "search_finished", [](const Json& json, std::string& out) {
        out = json.at("reason").get<std::string>();
    });
}

} // namespace foresight
