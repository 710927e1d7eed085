// SPDX-License-Identifier: Apache-2.0
#include "core/search/started.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/search/budget.h"
#include "core/search/payload_json.h"
#include "core/search/policy.h"
#include "core/search/selection.h"

namespace foresight {

namespace {

using payload_json::decodeWith;
using payload_json::get;

Json optionsJson(const SearchOptions& o)
{
    Json budget = Json::object();
    if (o.budget.measurements)
        budget["measurements"] = *o.budget.measurements;
    if (o.budget.gpuSeconds)
        budget["gpu_seconds"] = *o.budget.gpuSeconds;
    if (o.budget.wallSeconds)
        budget["wall_seconds"] = *o.budget.wallSeconds;
    return Json{{"search", o.search},
                {"forecaster", o.forecaster},
                {"generator", o.generator},
                {"policy",
                 {{"name", o.policy.name},
                  {"candidates", o.policy.candidatesPerExpansion},
                  {"measured", o.policy.measuredPerExpansion},
                  {"top_fraction", o.policy.topFraction},
                  {"audit", o.policy.auditProbability},
                  {"margin", o.policy.margin},
                  {"confidence", o.policy.confidence},
                  {"risk", o.policy.risk}}},
                {"budget", std::move(budget)},
                {"seed", o.seed},
                {"start_design", o.startDesign},
                {"exploration", o.exploration},
                {"in_flight", o.maxInFlight},
                {"timing",
                 {{"max_quads", o.timing.maxQuads},
                  {"hot", o.timing.regime == Regime::Hot},
                  {"both", o.timing.bothRegimes}}},
                {"baseline", o.baselineName},
                {"ln_baseline_over_anchor", o.lnBaselineOverAnchor}};
}

void readOptions(const Json& json, SearchOptions& o)
{
    o.search = json.at("search").get<std::string>();
    o.forecaster = json.at("forecaster").get<std::string>();
    o.generator = get<std::string>(json, "generator", o.generator);
    const Json& policy = json.at("policy");
    o.policy.name = policy.at("name").get<std::string>();
    o.policy.candidatesPerExpansion = get<int>(policy, "candidates", o.policy.candidatesPerExpansion);
    o.policy.measuredPerExpansion = get<int>(policy, "measured", o.policy.measuredPerExpansion);
    o.policy.topFraction = get<double>(policy, "top_fraction", o.policy.topFraction);
    o.policy.auditProbability = get<double>(policy, "audit");
    o.policy.margin = get<double>(policy, "margin", o.policy.margin);
    o.policy.confidence = get<double>(policy, "confidence", o.policy.confidence);
    o.policy.risk = get<double>(policy, "risk", o.policy.risk);
    const Json& budget = json.at("budget");
    if (budget.contains("measurements"))
        o.budget.measurements = budget.at("measurements").get<std::int64_t>();
    if (budget.contains("gpu_seconds"))
        o.budget.gpuSeconds = budget.at("gpu_seconds").get<double>();
    if (budget.contains("wall_seconds"))
        o.budget.wallSeconds = budget.at("wall_seconds").get<double>();
    o.seed = json.at("seed").get<std::uint64_t>();
    o.startDesign = get<int>(json, "start_design", o.startDesign);
    o.exploration = get<double>(json, "exploration", o.exploration);
    o.maxInFlight = get<int>(json, "in_flight", o.maxInFlight);
    if (json.contains("timing")) {
        const Json& timing = json.at("timing");
        o.timing.maxQuads = get<int>(timing, "max_quads", o.timing.maxQuads);
        o.timing.regime = get<bool>(timing, "hot") ? Regime::Hot : Regime::Cold;
        o.timing.bothRegimes = get<bool>(timing, "both");
    }
    o.baselineName = get<std::string>(json, "baseline", o.baselineName);
    o.lnBaselineOverAnchor = get<double>(json, "ln_baseline_over_anchor");
}

} // namespace

std::string searchOptionsToJson(const SearchOptions& options)
{
    return canonicalJson(optionsJson(options));
}

Result<SearchOptions> searchOptionsFromJson(std::string_view json)
{
    return decodeWith<SearchOptions>(
        json, "search options", [](const Json& object, SearchOptions& out) { readOptions(object, out); });
}

std::string encodePayload(const StartedPayload& payload)
{
    return canonicalJson(Json{{"options", optionsJson(payload.options)},
                              {"operator", payload.operatorName},
                              {"problem", payload.problemKey},
                              {"gpu", payload.gpu},
                              {"recorded", payload.recorded},
                              {"baseline", payload.baseline},
                              {"family", payload.family},
                              {"layout", payload.layout},
                              {"dtype", dtypeName(payload.dtype)},
                              {"symbols", payload_json::symbolsToJson(payload.symbols)},
                              {"configurations", payload.configurations},
                              {"space", payload.spaceHash}});
}

Result<StartedPayload> decodeStarted(std::string_view payload)
{
    return decodeWith<StartedPayload>(payload, "search_started", [](const Json& json, StartedPayload& out) {
        readOptions(json.at("options"), out.options);
        out.operatorName = get<std::string>(json, "operator");
        out.problemKey = get<std::string>(json, "problem");
        out.gpu = get<std::string>(json, "gpu");
        out.recorded = get<bool>(json, "recorded");
        out.baseline = get<std::string>(json, "baseline");
        out.family = get<std::string>(json, "family");
        out.layout = get<std::string>(json, "layout");
        out.dtype = dtypeFromName(get<std::string>(json, "dtype"));
        if (json.contains("symbols"))
            out.symbols = payload_json::symbolsFromJson(json.at("symbols"));
        out.configurations = get<std::size_t>(json, "configurations");
        out.spaceHash = get<std::string>(json, "space");
    });
}

Result<void> checkSearchOptions(const SearchOptions& options)
{
    FS_CHECK(checkPolicy(options.policy));
    FS_CHECK(BudgetMeter::check(options.budget));
    if (auto kind = searchKindFromName(options.search); !kind)
        return kind.error();
    if (options.startDesign < 1 || options.maxInFlight < 1)
        return makeError(ErrorCode::InvalidArgument,
                         "the start design and the measurements in flight must be at least 1",
                         "the defaults are 10 and 1");
    if (!(options.exploration >= 0 && options.exploration <= 1000))
        return makeError(ErrorCode::InvalidArgument, "the exploration constant must be between 0 and 1000",
                         "the default is 1");
    return {};
}

std::string spaceHash(const ConfigSpace& space)
{
    Sha256 hash;
    for (const TuningParameter& parameter : space.parameters()) {
        hash.update(parameter.name);
        for (const Value& value : parameter.values) {
            hash.update("\x1f");
            hash.update(valueText(value));
        }
        hash.update("\n");
    }
    std::vector<std::uint16_t> row(space.parameterCount());
    for (std::size_t i = 0; i < space.size(); ++i) {
        for (std::size_t p = 0; p < row.size(); ++p)
            row[p] = space.code(i, p);
        hash.update(row.data(), row.size() * sizeof row[0]);
    }
    return hash.finishHex();
}

} // namespace foresight
