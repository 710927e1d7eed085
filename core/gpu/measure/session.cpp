// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/session.h"

#include "core/base/json.h"
#include "core/base/version.h"
#include "core/gpu/protocol_json.h"

#include <chrono>
#include <unistd.h>

namespace foresight::measure {

namespace {

constexpr double kReferenceDeadlineSeconds = 60;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

Result<std::unique_ptr<Session>> Session::open(int device, const std::string& cacheFolder)
{
    std::unique_ptr<Session> session(new Session);
    FS_TRY(opened, Device::open(device));
    session->m_device = std::move(opened);
    FS_TRY(support, Support::load(*session->m_device, cacheFolder));
    session->m_support = std::move(support);
    if (auto version = nvrtcVersionText())
        session->m_nvrtc = *version;
    return session;
}

Session::~Session()
{
    // Memory and modules go before the context they live in.
    m_reduced.clear();
    m_problem.reset();
    m_modules.clear();
    m_support.reset();
}

std::string Session::call(std::string_view json, std::string_view binary, bool* fatal)
{
    Json reply{{"ok", false}, {"fatal", false}};
    const auto refuse = [&](const Error& error) {
        reply["error"] =
            Json{{"code", errorCodeName(error.code)}, {"message", error.message}, {"hint", error.hint}};
    };
    const Result<Json> request = parseJson(json, "the request");
    if (!request) {
        refuse(request.error());
    } else {
        reply["id"] = protocol::integer(*request, "id", -1);
        Result<Json> result = dispatch(*request, binary);
        if (result) {
            reply["ok"] = true;
            reply["result"] = std::move(result).value();
        } else {
            refuse(result.error());
        }
        dropCandidateCubins();
        // Everything has ended; this hands over what kernels printed, so that it comes with this reply.
        if (!m_device->lost())
            (void)m_device->check(m_device->cu().cuCtxSynchronize(), "ending a request");
    }
    reply["fatal"] = m_device->lost();
    *fatal = m_device->lost();
    return canonicalJson(reply);
}

Result<Json> Session::dispatch(const Json& request, std::string_view binary)
{
    if (m_device->lost())
        return makeError(ErrorCode::GpuError, "The CUDA context of this worker is lost.",
                         "Start another worker.");
    const std::string type = protocol::text(request, "type");
    if (type == "problem") {
        m_reduced.clear();
        m_problem.reset();
        m_modules.clear();
    }
    FS_CHECK(loadCubins(request, binary));
    if (type == "hello")
        return hello();
    if (type == "spec")
        return spec();
    if (type == "problem")
        return problem(request);
    if (type == "evaluate")
        return evaluate(request);
    if (type == "canary")
        return canary(request);
    if (type == "doctor")
        return doctor();
    if (type == "load_inputs")
        return loadInputs(request);
    if (type == "check_external")
        return checkExternal(request);
    if (type == "dump")
        return dump(request);
    if (type == "baseline")
        return baseline(request);
    return makeError(ErrorCode::InvalidArgument, "The GPU worker does not know the request '" + type + "'.",
                     "Program and worker may be of different versions.");
}

Result<Json> Session::hello() const
{
    return Json{{"version", protocol::kVersion},
                {"pid", ::getpid()},
                {"build", kRevision},
                {"device", m_device->spec().name},
                {"nvrtc", m_nvrtc}};
}

Result<void> Session::loadCubins(const Json& request, std::string_view binary)
{
    FS_TRY(cubins, protocol::cubinsFromFrame(request, binary));
    const std::string candidate = protocol::text(request, "cubin");
    for (protocol::Cubin& cubin : cubins) {
        if (m_modules.contains(cubin.hash))
            continue;
        auto module = Module::load(*m_device, cubin.data);
        if (!module) {
            if (isFatal(module.error()))
                return module.error();
            continue; // found missing where it is used, which says whose it is
        }
        if (cubin.hash == candidate)
            m_candidateCubins.insert(cubin.hash);
        m_modules[cubin.hash] = std::move(module).value();
    }
    return {};
}

void Session::dropCandidateCubins()
{
    for (const std::string& hash : m_candidateCubins)
        m_modules.erase(hash);
    m_candidateCubins.clear();
}

Result<const Module*> Session::moduleOf(const std::string& hash) const
{
    if (hash.empty())
        return static_cast<const Module*>(nullptr);
    const auto found = m_modules.find(hash);
    if (found == m_modules.end())
        return makeError(ErrorCode::InvalidArgument,
                         "The compiled kernels did not reach the worker or cannot be loaded on this GPU.",
                         "They must be compiled for " + m_device->spec().archName() + ".");
    return static_cast<const Module*>(found->second.get());
}

Result<std::unique_ptr<PlanRunner>> Session::makeRunner(const protocol::PlanUse& use,
                                                        const TensorSet& tensors)
{
    FS_TRY(module, moduleOf(use.cubin));
    return PlanRunner::make(*m_device, *m_support, module, use.plan, tensors.addresses());
}

Result<Json> Session::problem(const Json& request)
{
    const auto start = std::chrono::steady_clock::now();
    FS_TRY(parsed, protocol::problemRequestFromJson(request));
    FS_CHECK(measureRates());
    auto state = std::make_unique<ProblemState>();
    state->request = std::move(parsed);
    FS_TRY(free, m_device->freeBytes());
    FS_TRY(tensors, TensorSet::make(*m_device, *m_support, state->request.problem, 256,
                                    state->request.dataSets, free / 2));
    state->tensors = std::move(tensors);
    FS_TRY(reference, makeRunner(state->request.reference, *state->tensors));
    state->reference = std::move(reference);
    FS_TRY(anchor, makeRunner(state->request.anchor, *state->tensors));
    state->anchor = std::move(anchor);
    Random random(state->request.seed);
    for (int i = 0; i < state->request.dataSets; ++i)
        state->seeds.push_back(random.next());
    const std::size_t kept = state->tensors->slots().size();
    if (kept >= state->seeds.size()) {
        Verifier verifier(*m_device, *m_support, kReferenceDeadlineSeconds);
        for (std::uint64_t seed : state->seeds) {
            FS_CHECK(verifier.drawInputs(*state->tensors, InputSet::Normal, seed));
            FS_TRY(slot, verifier.reference(*state->tensors, *state->reference, InputSet::Normal, seed));
            (void)slot;
            FS_CHECK(m_device->wait(kReferenceDeadlineSeconds));
        }
    }
    Json result{{"bytesAllocated", state->tensors->allocatedBytes()},
                {"dataSetsKept", kept},
                {"seconds", secondsSince(start)}};
    m_problem = std::move(state);
    return result;
}

Result<Json> Session::evaluate(const Json& request)
{
    if (!m_problem)
        return makeError(ErrorCode::InvalidArgument, "No problem was sent before the candidate.");
    FS_TRY(parsed, protocol::evaluateRequestFromJson(request));
    FS_TRY(reply, evaluatePlan(parsed));
    return protocol::gpuReplyToJson(reply);
}

Result<Json> Session::canary(const Json& request)
{
    if (!m_problem)
        return makeError(ErrorCode::InvalidArgument, "No problem was sent before the canary.");
    const protocol::CanaryRequest parsed = protocol::canaryRequestFromJson(request);
    protocol::EvaluateRequest evaluation;
    evaluation.candidate = m_problem->request.anchor;
    evaluation.timing.maxQuads = parsed.quads;
    evaluation.seed = parsed.seed;
    evaluation.futility = false;
    FS_TRY(reply, evaluatePlan(evaluation));
    return protocol::gpuReplyToJson(reply);
}

CUdeviceptr Session::tensorAddress(const std::string& name) const
{
    if (!m_problem)
        return 0;
    const auto addresses = m_problem->tensors->addresses();
    const auto found = addresses.find(name);
    return found == addresses.end() ? 0 : found->second;
}

} // namespace foresight::measure
