// SPDX-License-Identifier: Apache-2.0
// Turns plans into what the worker executes: compile, bind to the problem and to the reduced problems, check
// what the device would refuse. Everything here runs without a GPU. Thread-safe after construction.
#pragma once

#include "core/base/result.h"
#include "core/gpu/compiler.h"
#include "core/gpu/gpu.h"
#include "core/gpu/protocol.h"
#include "core/kernels/family.h"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

// A candidate ready for the worker.
struct Candidate
{
    protocol::EvaluateRequest request;
    std::vector<protocol::Cubin> cubins; // the candidate's first, then those of reduced references
    std::vector<KernelResources> resources;
};

// What stays the same during a search.
class EvaluationSetup
{
public:
    struct Options
    {
        GpuSpec spec;
        Problem problem;
        KernelPlan anchorPlan, referencePlan;
        std::shared_ptr<const Family>
            family; // for reduced problems; without it only the full size is verified
        CompilerOptions compiler;
        std::chrono::milliseconds compileTimeout{60'000}, requestTimeout{20'000};
        std::uint64_t seed = 1;
        int dataSets = 8;
    };
    // Compiles anchor and reference: an error here is a fault of the family or the toolkit, and ends the
    // search.
    static Result<std::unique_ptr<EvaluationSetup>> make(Options options, std::stop_token stop = {});

    const Options& options() const { return m_options; }
    CompileRequest compileRequest(const KernelPlan& plan) const;
    // LaunchRejected candidates are InvalidArgument or ResourceLimit; CompileFailed when a launched kernel is
    // not in the CUBIN; anything else is our own fault.
    Result<Candidate> prepare(const GpuRequest& request, const CompiledKernel& kernel,
                              std::stop_token stop = {});
    // The request that sets a fresh worker up; `salt` makes its data differ from the previous worker's.
    protocol::ProblemRequest problemRequest(std::uint64_t salt) const;
    const std::vector<protocol::Cubin>& problemCubins() const { return m_cubins; }
    const KernelPlan& anchorPlan() const { return m_options.anchorPlan; }
    const std::string& anchorCubin() const { return m_cubins.back().data; }

private:
    explicit EvaluationSetup(Options options) : m_options(std::move(options)) {}
    Result<protocol::Cubin> compileOnce(const KernelPlan& plan, std::stop_token stop);
    Result<void> addReducedCases(const GpuRequest& request, Candidate& candidate, std::stop_token stop);

    Options m_options;
    protocol::ProblemRequest m_problem;
    std::vector<protocol::Cubin> m_cubins; // reference, anchor
    std::mutex m_mutex;
    std::map<std::string, protocol::Cubin>
        m_compiled; // references of reduced problems, by source and options
};

// How a failed preparation is recorded.
Outcome outcomeOfPreparation(const Error& error);
// A reply for a candidate that never reached the GPU.
GpuReply replyForCompileError(const Error& error);

} // namespace foresight
