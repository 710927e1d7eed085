// SPDX-License-Identifier: Apache-2.0
// A GPU's reply as JSON for the annex of events: everything but what decisions rest on.
#include "core/search/payload.h"

#include "core/base/json.h"
#include "core/search/payload_json.h"

namespace foresight {

namespace {

using payload_json::decodeWith;
using payload_json::get;

constexpr std::size_t kMaxLogBytes = 64 * 1024;

std::string capped(const std::string& text)
{
    if (text.size() <= kMaxLogBytes)
        return text;
    return text.substr(0, kMaxLogBytes) + "\n... (" + std::to_string(text.size() - kMaxLogBytes) +
           " more bytes)";
}

Json resourcesToJson(const std::vector<KernelResources>& resources)
{
    Json array = Json::array();
    for (const KernelResources& r : resources)
        array.push_back(Json{{"kernel", r.kernel},
                             {"registers", r.registers},
                             {"spill_stores", r.spillStores},
                             {"spill_loads", r.spillLoads},
                             {"static_shared", r.staticShared},
                             {"dynamic_shared", r.dynamicShared},
                             {"stack", r.stackFrame},
                             {"code", r.codeBytes},
                             {"threads", r.threadsPerBlock},
                             {"occupancy", r.occupancy},
                             {"limit", r.occupancyLimit}});
    return array;
}

std::vector<KernelResources> resourcesFromJson(const Json& array)
{
    std::vector<KernelResources> resources;
    for (const Json& json : array) {
        KernelResources r;
        r.kernel = get<std::string>(json, "kernel");
        r.registers = get<int>(json, "registers");
        r.spillStores = get<std::int64_t>(json, "spill_stores");
        r.spillLoads = get<std::int64_t>(json, "spill_loads");
        r.staticShared = get<std::int64_t>(json, "static_shared");
        r.dynamicShared = get<std::int64_t>(json, "dynamic_shared");
        r.stackFrame = get<std::int64_t>(json, "stack");
        r.codeBytes = get<std::int64_t>(json, "code");
        r.threadsPerBlock = get<int>(json, "threads");
        r.occupancy = get<double>(json, "occupancy");
        r.occupancyLimit = get<std::string>(json, "limit");
        resources.push_back(std::move(r));
    }
    return resources;
}

Json verificationToJson(const VerificationReport& v)
{
    return Json{{"passed", v.passed},           {"check", v.failedCheck},
                {"input", v.failedInput},       {"tensor", v.tensor},
                {"max_abs", v.maxAbsError},     {"max_rel", v.maxRelError},
                {"tolerance", v.tolerance},     {"first_bad", v.firstBadIndex},
                {"bad_value", v.firstBadValue}, {"bad_expected", v.firstBadExpected},
                {"bad", v.badElements},         {"elements", v.elements},
                {"ulps", v.ulpHistogram},       {"inputs", v.inputsTried}};
}

VerificationReport verificationFromJson(const Json& json)
{
    VerificationReport v;
    v.passed = get<bool>(json, "passed");
    v.failedCheck = get<std::string>(json, "check");
    v.failedInput = get<std::string>(json, "input");
    v.tensor = get<std::string>(json, "tensor");
    v.maxAbsError = get<double>(json, "max_abs");
    v.maxRelError = get<double>(json, "max_rel");
    v.tolerance = get<double>(json, "tolerance");
    v.firstBadIndex = get<std::vector<std::int64_t>>(json, "first_bad");
    v.firstBadValue = get<double>(json, "bad_value");
    v.firstBadExpected = get<double>(json, "bad_expected");
    v.badElements = get<std::int64_t>(json, "bad");
    v.elements = get<std::int64_t>(json, "elements");
    v.ulpHistogram = get<std::vector<std::int64_t>>(json, "ulps");
    v.inputsTried = get<std::vector<std::string>>(json, "inputs");
    return v;
}

Json timingToJson(const Timing& t)
{
    Json json{{"candidate_ns", t.candidateNs},
              {"anchor_ns", t.anchorNs},
              {"ln_ratio", {t.lnLow, t.lnRatio, t.lnHigh}},
              {"look", t.look},
              {"truncated", t.truncated},
              {"near_limit", t.nearLimit},
              {"hot", t.regime == Regime::Hot},
              {"candidate_samples_ns", t.candidateSamplesNs},
              {"anchor_samples_ns", t.anchorSamplesNs},
              {"sm_mhz", t.smClockMhz},
              {"memory_mhz", t.memoryClockMhz},
              {"temperature_c", t.temperatureC},
              {"power_w", t.powerW},
              {"throttle", t.throttleReasons},
              {"shared_gpu", t.sharedGpu},
              {"energy_j", t.energyJ}};
    if (t.otherRegimeLnRatio)
        json["other_regime"] = *t.otherRegimeLnRatio;
    return json;
}

Timing timingFromJson(const Json& json)
{
    Timing t;
    t.candidateNs = get<double>(json, "candidate_ns");
    t.anchorNs = get<double>(json, "anchor_ns");
    const auto ratio = get<std::vector<double>>(json, "ln_ratio", {0, 0, 0});
    if (ratio.size() != 3)
        throw payload_json::Problem{"'ln_ratio' has not three numbers"};
    t.lnLow = ratio[0];
    t.lnRatio = ratio[1];
    t.lnHigh = ratio[2];
    t.look = get<int>(json, "look");
    t.truncated = get<bool>(json, "truncated");
    t.nearLimit = get<bool>(json, "near_limit");
    t.regime = get<bool>(json, "hot") ? Regime::Hot : Regime::Cold;
    t.candidateSamplesNs = get<std::vector<double>>(json, "candidate_samples_ns");
    t.anchorSamplesNs = get<std::vector<double>>(json, "anchor_samples_ns");
    t.smClockMhz = get<double>(json, "sm_mhz");
    t.memoryClockMhz = get<double>(json, "memory_mhz");
    t.temperatureC = get<double>(json, "temperature_c");
    t.powerW = get<double>(json, "power_w");
    t.throttleReasons = get<std::uint64_t>(json, "throttle");
    t.sharedGpu = get<bool>(json, "shared_gpu");
    t.energyJ = get<double>(json, "energy_j");
    if (json.contains("other_regime"))
        t.otherRegimeLnRatio = json.at("other_regime").get<double>();
    return t;
}

std::string encodeAnnex(const GpuReply& reply, bool timing)
{
    Json json{{"outcome", outcomeName(reply.outcome)},
              {"stage", stageName(reply.stage)},
              {"costs", {reply.costs.compileSeconds, reply.costs.verifySeconds, reply.costs.measureSeconds}}};
    const auto text = [&json](const char* key, const std::string& value) {
        if (!value.empty())
            json[key] = capped(value);
    };
    text("message", reply.message);
    text("hint", reply.hint);
    text("cubin", reply.cubinHash);
    if (timing) {
        if (reply.timing)
            json["timing"] = timingToJson(*reply.timing);
    } else {
        text("log", reply.compileLog);
        if (!reply.resources.empty())
            json["resources"] = resourcesToJson(reply.resources);
        if (reply.verification)
            json["verification"] = verificationToJson(*reply.verification);
    }
    return canonicalJson(json);
}

Result<GpuReply> decodeAnnex(std::string_view annex, std::string_view what)
{
    return decodeWith<GpuReply>(annex, what, [](const Json& json, GpuReply& out) {
        out.outcome = outcomeFromName(get<std::string>(json, "outcome"));
        const auto stage = get<std::string>(json, "stage");
        for (const Stage s : {Stage::Compile, Stage::Verify, Stage::Measure})
            if (stage == stageName(s))
                out.stage = s;
        const auto costs = get<std::vector<double>>(json, "costs", {0, 0, 0});
        if (costs.size() != 3)
            throw payload_json::Problem{"'costs' has not three numbers"};
        out.costs = GpuCosts{costs[0], costs[1], costs[2]};
        out.message = get<std::string>(json, "message");
        out.hint = get<std::string>(json, "hint");
        out.cubinHash = get<std::string>(json, "cubin");
        out.compileLog = get<std::string>(json, "log");
        if (json.contains("resources"))
            out.resources = resourcesFromJson(json.at("resources"));
        if (json.contains("verification"))
            out.verification = verificationFromJson(json.at("verification"));
        if (json.contains("timing"))
            out.timing = timingFromJson(json.at("timing"));
    });
}

} // namespace

std::string encodeMeasuredAnnex(const GpuReply& reply)
{
    return encodeAnnex(reply, true);
}

Result<GpuReply> decodeMeasuredAnnex(std::string_view annex)
{
    return decodeAnnex(annex, "measured");
}

std::string encodeReplyAnnex(const GpuReply& reply)
{
    return encodeAnnex(reply, false);
}

Result<GpuReply> decodeReplyAnnex(std::string_view annex)
{
    return decodeAnnex(annex, "a reply");
}

} // namespace foresight
