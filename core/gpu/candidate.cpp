// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/candidate.h"

#include "core/base/hash.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

// Registers are handed out in units of 8 per thread to whole warps.
std::int64_t registersOfBlock(int perThread, std::int64_t threads)
{
    const std::int64_t rounded = (std::int64_t{perThread} + 7) / 8 * 8;
    return rounded * ((threads + 31) / 32 * 32);
}

// Resources of what the plan launches, one entry per entry point, with what the driver would refuse refused
// here.
Result<std::vector<KernelResources>> launchResources(const BoundPlan& plan, const CompiledKernel& kernel,
                                                     const GpuSpec& spec)
{
    std::vector<KernelResources> used;
    for (const BoundLaunch& launch : plan.launches) {
        const auto entry =
            std::find_if(kernel.resources.begin(), kernel.resources.end(),
                         [&](const KernelResources& each) { return each.kernel == launch.kernel; });
        if (entry == kernel.resources.end()) {
            std::string names;
            for (const KernelResources& each : kernel.resources)
                names += (names.empty() ? "" : ", ") + each.kernel;
            return makeError(ErrorCode::CompileFailed,
                             "The plan launches " + launch.kernel + ", but the source has only: " + names +
                                 ".",
                             "Entry points must be `extern \"C\" __global__` functions.");
        }
        KernelResources resources = *entry;
        const std::int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
        resources.threadsPerBlock = static_cast<int>(threads);
        resources.dynamicShared = launch.sharedBytes;
        const std::int64_t shared = resources.staticShared + resources.dynamicShared;
        if (shared > spec.sharedPerBlockOptin)
            return makeError(ErrorCode::ResourceLimit,
                             "Launch of " + launch.kernel + ": " + std::to_string(shared) +
                                 " bytes of shared memory per block, the GPU allows " +
                                 std::to_string(spec.sharedPerBlockOptin) + ".");
        const std::int64_t registers = registersOfBlock(resources.registers, threads);
        if (registers > spec.registersPerBlock)
            return makeError(ErrorCode::ResourceLimit,
                             "Launch of " + launch.kernel + ": " + std::to_string(resources.registers) +
                                 " registers x " + std::to_string(threads) + " threads exceed the " +
                                 std::to_string(spec.registersPerBlock) + " registers of a block.");
        computeOccupancy(resources, spec);
        // A cooperative grid must be resident as a whole, or it never gets past its first meeting.
        const double warpsPerBlock = std::ceil(static_cast<double>(threads) / 32);
        const double blocksPerSm = resources.occupancy * spec.maxThreadsPerSm / 32 / warpsPerBlock;
        const auto blocks = static_cast<double>(launch.grid[0] * launch.grid[1] * launch.grid[2]);
        if (launch.cooperative && blocks > std::round(blocksPerSm) * spec.smCount)
            return makeError(ErrorCode::ResourceLimit,
                             "Launch of " + launch.kernel + ": only " +
                                 std::to_string(std::lround(blocksPerSm) * spec.smCount) + " of its " +
                                 std::to_string(std::llround(blocks)) +
                                 " cooperating blocks fit the GPU at once.");
        const bool known = std::any_of(used.begin(), used.end(), [&](const KernelResources& each) {
            return each.kernel == resources.kernel && each.threadsPerBlock == resources.threadsPerBlock &&
                   each.dynamicShared == resources.dynamicShared;
        });
        if (!known)
            used.push_back(std::move(resources));
    }
    return used;
}

int alignmentOf(const BoundPlan& plan)
{
    std::int64_t alignment = 1;
    for (const BoundPlan::Alignment& each : plan.alignments)
        alignment = std::max(alignment, each.bytes);
    return static_cast<int>(std::min<std::int64_t>(alignment, 4096));
}

} // namespace

Outcome outcomeOfPreparation(const Error& error)
{
    switch (error.code) {
    case ErrorCode::InvalidArgument:
    case ErrorCode::ResourceLimit:
        return Outcome::LaunchRejected;
    case ErrorCode::CompileFailed:
        return Outcome::BuildFailed;
    case ErrorCode::Cancelled:
        return Outcome::Cancelled;
    default:
        return Outcome::Internal;
    }
}

GpuReply replyForCompileError(const Error& error)
{
    GpuReply reply;
    reply.stage = Stage::Compile;
    reply.outcome = error.isCancelled()    ? Outcome::Cancelled
                    : isSourceFault(error) ? Outcome::BuildFailed
                                           : Outcome::Internal;
    reply.message = error.message.substr(0, error.message.find('\n'));
    reply.hint = error.hint;
    reply.compileLog = compileLogOf(error);
    return reply;
}

Result<std::unique_ptr<EvaluationSetup>> EvaluationSetup::make(Options options, std::stop_token stop)
{
    std::unique_ptr<EvaluationSetup> setup(new EvaluationSetup(std::move(options)));
    const Options& o = setup->m_options;
    auto reference = setup->compileOnce(o.referencePlan, stop);
    if (!reference)
        return reference.error().within("The reference of " + o.problem.family);
    auto anchor = setup->compileOnce(o.anchorPlan, stop);
    if (!anchor)
        return anchor.error().within("The anchor (default configuration) of " + o.problem.family);
    auto boundReference = bindPlan(o.referencePlan, o.problem, o.spec);
    if (!boundReference)
        return boundReference.error().within("The reference of " + o.problem.family);
    auto boundAnchor = bindPlan(o.anchorPlan, o.problem, o.spec);
    if (!boundAnchor)
        return boundAnchor.error().within("The anchor (default configuration) of " + o.problem.family);

    setup->m_problem.problem = o.problem;
    setup->m_problem.reference = {std::move(*boundReference), reference->hash};
    setup->m_problem.anchor = {std::move(*boundAnchor), anchor->hash};
    setup->m_problem.dataSets = o.dataSets;
    setup->m_problem.alignment = alignmentOf(setup->m_problem.anchor.plan);
    setup->m_cubins = {std::move(*reference), std::move(*anchor)};
    return setup;
}

CompileRequest EvaluationSetup::compileRequest(const KernelPlan& plan) const
{
    CompileRequest request;
    request.source = plan.source;
    request.options = plan.compileOptions;
    request.name = plan.family.empty() ? "kernel.cu" : plan.family + ".cu";
    request.arch = m_options.spec.archName();
    request.timeout = m_options.compileTimeout;
    return request;
}

Result<protocol::Cubin> EvaluationSetup::compileOnce(const KernelPlan& plan, std::stop_token stop)
{
    std::string key = plan.source;
    for (const std::string& option : plan.compileOptions)
        key += '\0' + option;
    key = sha256Hex(key);
    {
        const std::lock_guard lock(m_mutex);
        if (const auto it = m_compiled.find(key); it != m_compiled.end())
            return it->second;
    }
    // Two threads may compile the same reference at once; the results are equal and the second is dropped.
    FS_TRY(kernel, compileKernel(compileRequest(plan), m_options.compiler, stop));
    protocol::Cubin cubin{kernel.hash, std::move(kernel.cubin)};
    const std::lock_guard lock(m_mutex);
    return m_compiled.emplace(std::move(key), std::move(cubin)).first->second;
}

protocol::ProblemRequest EvaluationSetup::problemRequest(std::uint64_t salt) const
{
    protocol::ProblemRequest request = m_problem;
    request.seed = m_options.seed * 0x9e3779b97f4a7c15ull + salt;
    return request;
}

Result<void> EvaluationSetup::addReducedCases(const GpuRequest& request, Candidate& candidate,
                                              std::stop_token stop)
{
    if (!m_options.family)
        return {};
    Symbols configuration = request.configuration;
    if (configuration.empty()) {
        FS_TRY(standard, m_options.family->defaultConfiguration(m_options.problem, m_options.spec));
        configuration = std::move(standard);
    }
    FS_TRY(problems, m_options.family->reducedProblems(m_options.problem, configuration));
    for (Problem& problem : problems) {
        auto bound = bindPlan(request.plan, problem, m_options.spec);
        if (!bound) {
            // A free candidate need not serve other shapes than its own.
            if (bound.error().code == ErrorCode::InvalidArgument ||
                bound.error().code == ErrorCode::ResourceLimit)
                continue;
            return bound.error();
        }
        FS_TRY(plan, m_options.family->referencePlan(problem));
        FS_TRY(reference, bindPlan(plan, problem, m_options.spec));
        FS_TRY(cubin, compileOnce(plan, stop));
        protocol::ReducedCase reduced;
        reduced.label = problem.key;
        reduced.candidate = {std::move(*bound), candidate.request.candidate.cubin};
        reduced.reference = {std::move(reference), cubin.hash};
        reduced.problem = std::move(problem);
        candidate.request.reduced.push_back(std::move(reduced));
        const auto same = [&](const protocol::Cubin& each) { return each.hash == cubin.hash; };
        if (std::none_of(candidate.cubins.begin(), candidate.cubins.end(), same))
            candidate.cubins.push_back(std::move(cubin));
    }
    return {};
}

Result<Candidate> EvaluationSetup::prepare(const GpuRequest& request, const CompiledKernel& kernel,
                                           std::stop_token stop)
{
    if (request.problem.key != m_options.problem.key)
        return makeError(ErrorCode::Internal, "The candidate is for " + request.problem.key +
                                                  ", this GPU was set up for " + m_options.problem.key + ".");
    FS_TRY(bound, bindPlan(request.plan, m_options.problem, m_options.spec));
    FS_TRY(resources, launchResources(bound, kernel, m_options.spec));
    Candidate candidate;
    candidate.resources = std::move(resources);
    candidate.cubins.push_back({kernel.hash, kernel.cubin});
    candidate.request.alignment = alignmentOf(bound);
    candidate.request.candidate = {std::move(bound), kernel.hash};
    candidate.request.until = request.until;
    candidate.request.timing = request.timing;
    candidate.request.seed = request.seed;
    candidate.request.deadlineSeconds = std::chrono::duration<double>(m_options.requestTimeout).count() / 2;
    FS_CHECK(addReducedCases(request, candidate, stop));
    return candidate;
}

} // namespace foresight
