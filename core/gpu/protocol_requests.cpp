// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/protocol.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/gpu/protocol_json.h"

namespace foresight::protocol {

namespace {

Json planUseToJson(const PlanUse& use)
{
    return Json{{"plan", boundPlanToJson(use.plan)}, {"cubin", use.cubin}};
}

Result<PlanUse> planUseFromJson(const Json& json, std::string_view what)
{
    const Json* plan = member(json, "plan");
    if (!plan)
        return makeError(ErrorCode::ParseError, std::string(what) + ": no plan");
    PlanUse use;
    FS_TRY(bound, boundPlanFromJson(*plan, what));
    use.plan = std::move(bound);
    use.cubin = text(json, "cubin");
    return use;
}

Result<PlanUse> planUseMember(const Json& json, const char* key)
{
    const Json* use = member(json, key);
    if (!use)
        return makeError(ErrorCode::ParseError, std::string("The request has no '") + key + "'.");
    return planUseFromJson(*use, key);
}

Result<std::string> encode(std::int64_t id, std::string_view type, Json message,
                           const std::vector<Cubin>& cubins)
{
    message["id"] = id;
    message["type"] = type;
    std::string binary;
    if (!cubins.empty()) {
        Json list = Json::array();
        for (const Cubin& cubin : cubins) {
            list.push_back(Json{{"hash", cubin.hash}, {"bytes", cubin.data.size()}});
            binary += cubin.data;
        }
        message["cubins"] = std::move(list);
    }
    return encodeFrame(canonicalJson(message), binary);
}

} // namespace

Result<std::string> encodeSimple(std::int64_t id, std::string_view type)
{
    return encode(id, type, Json::object(), {});
}

Result<std::string> encodeProblem(std::int64_t id, const ProblemRequest& request,
                                  const std::vector<Cubin>& cubins)
{
    Json message{{"problem", problemToJson(request.problem)},
                 {"reference", planUseToJson(request.reference)},
                 {"anchor", planUseToJson(request.anchor)},
                 {"seed", request.seed},
                 {"dataSets", request.dataSets},
                 {"alignment", request.alignment}};
    return encode(id, "problem", std::move(message), cubins);
}

Result<std::string> encodeEvaluate(std::int64_t id, const EvaluateRequest& request,
                                   const std::vector<Cubin>& cubins)
{
    Json reduced = Json::array();
    for (const ReducedCase& entry : request.reduced) {
        Json item = planUseToJson(entry.candidate);
        item["label"] = entry.label;
        item["problem"] = problemToJson(entry.problem);
        item["reference"] = planUseToJson(entry.reference);
        reduced.push_back(std::move(item));
    }
    Json message = planUseToJson(request.candidate);
    message["reduced"] = std::move(reduced);
    message["until"] = stageName(request.until);
    message["timing"] = timingOptionsToJson(request.timing);
    message["seed"] = request.seed;
    message["alignment"] = request.alignment;
    message["allDataSets"] = request.allDataSets;
    message["futility"] = request.futility;
    message["deadlineSeconds"] = request.deadlineSeconds;
    return encode(id, "evaluate", std::move(message), cubins);
}

Result<std::string> encodeCanary(std::int64_t id, const CanaryRequest& request)
{
    return encode(id, "canary", Json{{"seed", request.seed}, {"quads", request.quads}}, {});
}

Result<Reply> parseReply(const Frame& frame)
{
    FS_TRY(json, parseJson(frame.json, "the GPU worker's reply"));
    if (!json.is_object() || !member(json, "id"))
        return makeError(ErrorCode::Corrupt, "The GPU worker's reply has no id.");
    Reply reply;
    reply.id = integer(json, "id", -1);
    reply.ok = boolean(json, "ok", false);
    reply.fatal = boolean(json, "fatal", false);
    if (const Json* log = member(json, "log")) {
        reply.log = text(*log, "text");
        reply.logDropped = unsignedInteger(*log, "dropped", 0);
    }
    if (reply.ok) {
        const Json* result = member(json, "result");
        reply.resultText = result ? canonicalJson(*result) : "{}";
        return reply;
    }
    reply.error = makeError(ErrorCode::GpuError, "The GPU worker failed without saying why.");
    if (const Json* error = member(json, "error")) {
        const std::string code = text(*error, "code");
        for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i)
            if (errorCodeName(static_cast<ErrorCode>(i)) == code)
                reply.error.code = static_cast<ErrorCode>(i);
        reply.error.message = text(*error, "message", reply.error.message.c_str());
        reply.error.hint = text(*error, "hint");
    }
    return reply;
}

Result<ProblemRequest> problemRequestFromJson(const Json& json)
{
    const Json* problem = member(json, "problem");
    if (!problem)
        return makeError(ErrorCode::ParseError, "The request has no 'problem'.");
    ProblemRequest request;
    FS_TRY(parsed, problemFromJson(*problem, "problem"));
    request.problem = std::move(parsed);
    FS_TRY(reference, planUseMember(json, "reference"));
    request.reference = std::move(reference);
    FS_TRY(anchor, planUseMember(json, "anchor"));
    request.anchor = std::move(anchor);
    request.seed = unsignedInteger(json, "seed", 0);
    request.dataSets = static_cast<int>(std::clamp<std::int64_t>(integer(json, "dataSets", 8), 3, 64));
    request.alignment = static_cast<int>(std::clamp<std::int64_t>(integer(json, "alignment", 16), 1, 256));
    return request;
}

Result<EvaluateRequest> evaluateRequestFromJson(const Json& json)
{
    EvaluateRequest request;
    FS_TRY(candidate, planUseFromJson(json, "candidate"));
    request.candidate = std::move(candidate);
    if (const Json* reduced = member(json, "reduced"); reduced && reduced->is_array()) {
        for (const Json& entry : *reduced) {
            ReducedCase item;
            item.label = text(entry, "label");
            const Json* problem = member(entry, "problem");
            if (!problem)
                return makeError(ErrorCode::ParseError, "A reduced case has no 'problem'.");
            FS_TRY(parsed, problemFromJson(*problem, "reduced problem"));
            item.problem = std::move(parsed);
            FS_TRY(plan, planUseFromJson(entry, "reduced candidate"));
            item.candidate = std::move(plan);
            FS_TRY(reference, planUseMember(entry, "reference"));
            item.reference = std::move(reference);
            request.reduced.push_back(std::move(item));
        }
    }
    request.until = stageFromName(text(json, "until")).value_or(Stage::Measure);
    if (const Json* timing = member(json, "timing"))
        request.timing = timingOptionsFromJson(*timing);
    request.seed = unsignedInteger(json, "seed", 0);
    request.alignment = static_cast<int>(std::clamp<std::int64_t>(integer(json, "alignment", 16), 1, 256));
    request.allDataSets = boolean(json, "allDataSets", false);
    request.futility = boolean(json, "futility", false);
    request.deadlineSeconds = std::clamp(number(json, "deadlineSeconds", 10), 0.05, 600.0);
    return request;
}

CanaryRequest canaryRequestFromJson(const Json& json)
{
    CanaryRequest request;
    request.seed = unsignedInteger(json, "seed", 0);
    request.quads = static_cast<int>(std::clamp<std::int64_t>(integer(json, "quads", 12), 1, 480));
    return request;
}

Result<std::vector<Cubin>> cubinsFromFrame(const Json& json, std::string_view binary)
{
    std::vector<Cubin> cubins;
    std::size_t at = 0;
    if (const Json* list = member(json, "cubins"); list && list->is_array()) {
        for (const Json& entry : *list) {
            const std::uint64_t bytes = unsignedInteger(entry, "bytes", 0);
            if (bytes > binary.size() - at)
                return makeError(ErrorCode::Corrupt, "The list of CUBINs is longer than the message.");
            Cubin cubin = makeCubin(std::string(binary.substr(at, static_cast<std::size_t>(bytes))));
            if (cubin.hash != text(entry, "hash"))
                return makeError(ErrorCode::Corrupt, "A CUBIN does not have the hash it should have.");
            at += static_cast<std::size_t>(bytes);
            cubins.push_back(std::move(cubin));
        }
    }
    if (at != binary.size())
        return makeError(ErrorCode::Corrupt, "The message holds more than its CUBINs.");
    return cubins;
}

} // namespace foresight::protocol
