// SPDX-License-Identifier: Apache-2.0
// One open GPU and the problem being worked on: answers the requests of core/gpu/protocol.h. One thread.
#pragma once

#include "core/base/json_fwd.h"
#include "core/gpu/measure/quads.h"
#include "core/gpu/measure/verify.h"
#include "core/gpu/protocol.h"

#include <map>
#include <set>

namespace foresight::measure {

class Session
{
public:
    static Result<std::unique_ptr<Session>> open(int device, const std::string& cacheFolder);
    ~Session();

    // The reply without its "log".
    std::string call(std::string_view json, std::string_view binary, bool* fatal);

    CUstream stream() const { return m_device->stream(); }
    CUdeviceptr tensorAddress(const std::string& name) const;
    void setBaseline(TimedWork work) { m_baseline = std::move(work); }

private:
    struct ProblemState
    {
        protocol::ProblemRequest request;
        std::unique_ptr<TensorSet> tensors;
        std::unique_ptr<PlanRunner> anchor, reference;
        std::vector<std::uint64_t> seeds;
        ReferenceSlot* loaded = nullptr; // of load_inputs
    };
    struct ReducedState
    {
        std::unique_ptr<TensorSet> tensors;
        std::unique_ptr<PlanRunner> reference;
    };
    struct Floors
    {
        double hardNs = 0, targetNs = 0;
    };

    Session() = default;
    Result<Json> dispatch(const Json& request, std::string_view binary);
    Result<Json> hello() const;
    Result<Json> spec();
    Result<Json> problem(const Json& request);
    Result<Json> evaluate(const Json& request);
    Result<Json> canary(const Json& request);
    Result<Json> doctor();
    Result<Json> loadInputs(const Json& request);
    Result<Json> checkExternal(const Json& request);
    Result<Json> baseline(const Json& request);
    Result<Json> dump(const Json& request);

    Result<void> loadCubins(const Json& request, std::string_view binary);
    void dropCandidateCubins();
    Result<const Module*> moduleOf(const std::string& hash) const;
    Result<std::unique_ptr<PlanRunner>> makeRunner(const protocol::PlanUse& use, const TensorSet& tensors);
    Result<void> measureRates();
    Result<double> copyBandwidth();
    // A whole evaluation; the reply carries the outcome, an Error is a failure of ours.
    Result<GpuReply> evaluatePlan(const protocol::EvaluateRequest& request);
    Result<Outcome> verifyReduced(const protocol::EvaluateRequest& request, Random& random,
                                  VerificationReport& report);
    Result<Outcome> verifyFull(const protocol::EvaluateRequest& request, PlanRunner& candidate,
                               Random& random, VerificationReport& report, std::uint64_t* lastSeed,
                               std::uint64_t* timingSeed);
    Result<Outcome> timeCandidate(const protocol::EvaluateRequest& request, PlanRunner& candidate,
                                  Random& random, Timing& timing, GpuReply& reply);
    Result<ReducedState*> reducedState(const protocol::ReducedCase& entry, int alignment);
    Floors floors(const Problem& problem, Regime regime) const;

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Support> m_support;
    std::map<std::string, std::unique_ptr<Module>> m_modules; // by hash
    std::set<std::string> m_candidateCubins;                  // dropped after the request they came with
    std::unique_ptr<ProblemState> m_problem;
    std::map<std::string, ReducedState> m_reduced;
    TimedWork m_baseline;
    std::string m_nvrtc;
};

} // namespace foresight::measure
