// SPDX-License-Identifier: Apache-2.0
#include "core/guard/verdict.h"

#include "core/base/json.h"

namespace foresight {

namespace {

Json toJson(const RatioInterval& ratio)
{
    return Json::array({ratio.low, ratio.estimate, ratio.high});
}

RatioInterval ratioFrom(const Json& json)
{
    return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

} // namespace

std::string evidenceToJson(const VerdictEvidence& e)
{
    Json confirmations = Json::array();
    for (const auto& c : e.confirmations)
        confirmations.push_back(Json{
            {"ln", toJson(c.ratio)}, {"quads", c.quads}, {"process", c.process}, {"cubin", c.cubinHash}});
    Json json{{"source", e.recorded ? "recorded" : "measured"},
              {"baseline", e.baseline},
              {"margin", e.margin},
              {"agreement", e.agreement},
              {"unsupported", e.unsupported},
              {"stale", e.stale},
              {"measured", e.measured},
              {"failures", e.failures},
              {"node", e.node},
              {"configuration", e.configuration},
              {"cubin", e.cubinHash},
              {"verified", e.verified},
              {"suspect", e.suspect},
              {"confirmation_outcome", e.confirmationOutcome},
              {"confirmations", std::move(confirmations)},
              {"notes", e.notes}};
    if (e.search)
        json["search_ln"] = toJson(*e.search);
    if (e.otherRegimeLn)
        json["other_regime_ln"] = *e.otherRegimeLn;
    return canonicalJson(json);
}

Result<VerdictEvidence> evidenceFromJson(std::string_view text)
{
    FS_TRY(json, parseJson(text, "a verdict's evidence"));
    try {
        VerdictEvidence e;
        e.recorded = json.at("source").get<std::string>() == "recorded";
        e.baseline = json.at("baseline").get<std::string>();
        e.margin = json.at("margin").get<double>();
        e.agreement = json.value("agreement", e.agreement);
        e.unsupported = json.value("unsupported", "");
        e.stale = json.value("stale", "");
        e.measured = json.at("measured").get<std::int64_t>();
        e.failures = json.at("failures").get<std::map<std::string, std::int64_t>>();
        e.node = json.at("node").get<std::int64_t>();
        e.configuration = json.value("configuration", "");
        e.cubinHash = json.value("cubin", "");
        e.verified = json.at("verified").get<bool>();
        e.suspect = json.at("suspect").get<bool>();
        e.confirmationOutcome = json.value("confirmation_outcome", "ok");
        if (json.contains("search_ln"))
            e.search = ratioFrom(json.at("search_ln"));
        for (const Json& c : json.at("confirmations"))
            e.confirmations.push_back({ratioFrom(c.at("ln")), c.at("quads").get<int>(),
                                       c.value("process", ""), c.value("cubin", "")});
        if (json.contains("other_regime_ln"))
            e.otherRegimeLn = json.at("other_regime_ln").get<double>();
        e.notes = json.value("notes", e.notes);
        return e;
    } catch (const Json::exception& exception) {
        return makeError(ErrorCode::Corrupt,
                         std::string("a verdict's evidence cannot be read: ") + exception.what());
    }
}

} // namespace foresight
