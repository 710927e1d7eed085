// SPDX-License-Identifier: Apache-2.0
// One candidate from loading to verdict.
#include "core/gpu/measure/session.h"

#include "core/base/json.h"
#include "core/gpu/quad_stats.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace foresight::measure {

namespace {

constexpr std::size_t kMaxReducedStates = 32;

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string describe(Outcome outcome, const VerificationReport& report)
{
    const std::string where = report.tensor.empty() ? "" : " of '" + report.tensor + "'";
    std::string index;
    for (std::int64_t i : report.firstBadIndex)
        index += (index.empty() ? "" : ", ") + std::to_string(i);
    const std::string at = report.firstBadIndex.empty() ? "" : ", first at [" + index + "]";
    const std::string inputs = " (inputs: " + report.failedInput + ")";
    switch (outcome) {
    case Outcome::WrongResult:
        return std::to_string(report.badElements) + " elements" + where + " are wrong" + at + ": " +
               std::to_string(report.firstBadValue) + " instead of " +
               std::to_string(report.firstBadExpected) + inputs;
    case Outcome::NotWritten:
        return std::to_string(report.badElements) + " elements" + where + " were not written" + at + inputs;
    case Outcome::Replayed:
        return "the output" + where + " belongs to the data that was there before" + inputs;
    case Outcome::Nondeterministic:
        return "two runs on the same data differ by more than rounding in " +
               std::to_string(report.badElements) + " elements" + where + inputs;
    case Outcome::OutOfBounds:
        return "memory beside the buffer" + where + " was written" + inputs;
    case Outcome::InputModified:
        return "the input" + where + " was changed" + inputs;
    default:
        return {};
    }
}

} // namespace

Result<GpuReply> Session::evaluatePlan(const protocol::EvaluateRequest& request)
{
    using Clock = std::chrono::steady_clock;
    GpuReply reply;
    reply.cubinHash = request.candidate.cubin;
    reply.stage = Stage::Verify;
    VerificationReport report;
    report.passed = true;
    Random random(request.seed ^ 0xc0ffee5eedull);

    // Failures of the GPU while the candidate runs are the candidate's.
    const auto candidateFailed = [&reply](const Error& error) {
        reply.outcome = outcomeOf(error);
        reply.message = error.message;
        reply.hint = error.hint;
        return reply;
    };
    auto start = Clock::now();
    const auto closeVerification = [&] {
        reply.costs.verifySeconds = secondsSince(start);
        reply.verification = report;
    };
    const Result<Outcome> reduced = verifyReduced(request, random, report);
    if (!reduced || *reduced != Outcome::Ok) {
        closeVerification();
        if (!reduced)
            return candidateFailed(reduced.error());
        reply.outcome = *reduced;
        reply.message = describe(*reduced, report);
        return reply;
    }
    auto candidate = makeRunner(request.candidate, *m_problem->tensors);
    if (!candidate)
        return candidateFailed(candidate.error());
    std::uint64_t lastSeed = 0, timingSeed = 0;
    const Result<Outcome> full = verifyFull(request, **candidate, random, report, &lastSeed, &timingSeed);
    closeVerification();
    if (!full)
        return candidateFailed(full.error());
    reply.outcome = *full;
    if (*full != Outcome::Ok) {
        reply.message = describe(*full, report);
        return reply;
    }
    if (request.until != Stage::Measure || request.candidate.plan.launches.empty())
        return reply;

    // Timing on data that was never verified with, judged once more afterwards.
    start = Clock::now();
    reply.stage = Stage::Measure;
    Verifier verifier(*m_device, *m_support, request.deadlineSeconds);
    TensorSet& tensors = *m_problem->tensors;
    if (auto drawn = verifier.drawInputs(tensors, InputSet::Normal, timingSeed); !drawn)
        return candidateFailed(drawn.error());
    auto slot = verifier.reference(tensors, *m_problem->reference, InputSet::Normal, timingSeed);
    if (!slot)
        return candidateFailed(slot.error());
    Timing timing;
    const Result<Outcome> timed = timeCandidate(request, **candidate, random, timing, reply);
    reply.costs.measureSeconds = secondsSince(start);
    if (!timed)
        return candidateFailed(timed.error());
    reply.outcome = *timed;
    if (!timing.candidateSamplesNs.empty())
        reply.timing = timing;
    if (reply.outcome != Outcome::Ok)
        return reply;
    Verifier::RunOptions again;
    again.seed = timingSeed;
    again.label = "after timing";
    for (const ReferenceSlot& other : tensors.slots())
        if (other.set == static_cast<int>(InputSet::Normal) && other.seed == lastSeed)
            again.previous = &other;
    const Result<Outcome> after = verifier.rerun(tensors, **candidate, **slot, again, report);
    reply.costs.measureSeconds = secondsSince(start);
    reply.verification = report;
    if (!after)
        return candidateFailed(after.error());
    reply.outcome = *after;
    if (*after != Outcome::Ok)
        reply.message = describe(*after, report);
    return reply;
}

Result<Session::ReducedState*> Session::reducedState(const protocol::ReducedCase& entry, int alignment)
{
    const std::string key = canonicalJson(protocol::problemToJson(entry.problem)) + entry.reference.cubin +
                            canonicalJson(boundPlanToJson(entry.reference.plan)) + std::to_string(alignment);
    if (const auto found = m_reduced.find(key); found != m_reduced.end())
        return &found->second;
    if (m_reduced.size() >= kMaxReducedStates)
        m_reduced.clear();
    ReducedState state;
    FS_TRY(tensors,
           TensorSet::make(*m_device, *m_support, entry.problem, alignment, 2, std::uint64_t{1} << 30));
    state.tensors = std::move(tensors);
    FS_TRY(reference, makeRunner(entry.reference, *state.tensors));
    state.reference = std::move(reference);
    return &m_reduced.emplace(key, std::move(state)).first->second;
}

Result<Outcome> Session::verifyReduced(const protocol::EvaluateRequest& request, Random& random,
                                       VerificationReport& report)
{
    Verifier verifier(*m_device, *m_support, request.deadlineSeconds);
    for (const protocol::ReducedCase& entry : request.reduced) {
        FS_TRY(state, reducedState(entry, request.alignment));
        FS_TRY(candidate, makeRunner(entry.candidate, *state->tensors));
        const ReferenceSlot* previous = nullptr;
        for (InputSet set : kInputSets) {
            Verifier::RunOptions options;
            options.set = set;
            options.seed = random.next();
            options.twice = set == InputSet::Normal;
            options.previous = previous;
            options.label = entry.label.c_str();
            FS_TRY(outcome, verifier.run(*state->tensors, *candidate, *state->reference, options, report));
            if (outcome != Outcome::Ok)
                return outcome;
            FS_TRY(slot, verifier.reference(*state->tensors, *state->reference, set, options.seed));
            previous = slot;
        }
    }
    return Outcome::Ok;
}

Result<Outcome> Session::verifyFull(const protocol::EvaluateRequest& request, PlanRunner& candidate,
                                    Random& random, VerificationReport& report, std::uint64_t* lastSeed,
                                    std::uint64_t* timingSeed)
{
    Verifier verifier(*m_device, *m_support, request.deadlineSeconds);
    TensorSet& tensors = *m_problem->tensors;
    struct Draw
    {
        InputSet set;
        std::uint64_t seed;
    };
    std::vector<Draw> draws;
    if (request.allDataSets) {
        for (InputSet set : kInputSets)
            draws.push_back({set, random.next()});
        draws.push_back({InputSet::Normal, random.next()});
        *timingSeed = random.next();
    } else {
        // Two of the prepared sets at random, a third for timing.
        std::vector<std::uint64_t> seeds = m_problem->seeds;
        for (std::size_t i = 0; i < 3; ++i)
            std::swap(seeds[i], seeds[i + random.below(seeds.size() - i)]);
        draws = {{InputSet::Normal, seeds[0]}, {InputSet::Normal, seeds[1]}};
        *timingSeed = seeds[2];
    }
    const ReferenceSlot* previous = nullptr;
    for (std::size_t i = 0; i < draws.size(); ++i) {
        Verifier::RunOptions options;
        options.set = draws[i].set;
        options.seed = draws[i].seed;
        options.twice = i == 0;
        options.previous = previous;
        FS_TRY(outcome, verifier.run(tensors, candidate, *m_problem->reference, options, report));
        if (outcome != Outcome::Ok)
            return outcome;
        FS_TRY(slot, verifier.reference(tensors, *m_problem->reference, options.set, options.seed));
        previous = slot;
        *lastSeed = options.seed;
    }
    return Outcome::Ok;
}

Session::Floors Session::floors(const Problem& problem, Regime regime) const
{
    const GpuSpec& spec = m_device->spec();
    double read = 0, written = 0;
    for (const TensorSpec& tensor : problem.tensors)
        (tensor.role == TensorSpec::Role::Input ? read : written) += static_cast<double>(tensor.bytes());
    if (problem.compulsoryBytes > 0) // less than all inputs where a family says so: an embedding's table
        read = std::min(read, std::max(0.0, problem.compulsoryBytes - written));
    const double l2 = static_cast<double>(spec.l2Bytes);
    if (regime == Regime::Hot)
        read = std::max(0.0, read - l2);
    // Matrix units do up to about 16 times the plain fp32 rate; a candidate may use them.
    constexpr double kMatrixRate = 16;
    Floors floors;
    if (spec.peakBandwidth > 0)
        floors.hardNs = 1e9 * (read + std::max(0.0, written - l2)) / spec.peakBandwidth;
    if (spec.peakFlopsF32 > 0)
        floors.hardNs = std::max(floors.hardNs, 1e9 * problem.flops / (kMatrixRate * spec.peakFlopsF32));
    floors.targetNs = problem.floorNs(spec);
    return floors;
}

Result<Outcome> Session::timeCandidate(const protocol::EvaluateRequest& request, PlanRunner& candidate,
                                       Random& random, Timing& timing, GpuReply& reply)
{
    const TimedWork work{[&candidate](CUstream stream) { return candidate.enqueue(stream); }, nullptr};
    PlanRunner& anchorRunner = *m_problem->anchor;
    const TimedWork anchor{[&anchorRunner](CUstream stream) { return anchorRunner.enqueue(stream); },
                           nullptr};
    FS_TRY(rough, roughNs(*m_device, *m_support, work, request.deadlineSeconds));
    if (candidate.mayEscape()) {
        FS_TRY(escape, checkEscaped(*m_device, *m_support, work, rough, request.deadlineSeconds));
        if (escape.escaped) {
            reply.message =
                "Work goes on after the kernels have ended: " + std::to_string(escape.excessNs / 1000) +
                " us beyond the timed " + std::to_string(escape.eventNs / 1000) + " us.";
            return Outcome::Escaped;
        }
    }
    QuadOptions options;
    options.regime = request.timing.regime;
    options.maxQuads = request.timing.maxQuads;
    options.stopWhenDecided = !request.allDataSets;
    options.futility = request.futility;
    options.deadlineSeconds = options.budgetSeconds = request.deadlineSeconds;
    int rejected = 0;
    FS_TRY(timed, timeQuads(*m_device, *m_support, anchor, work, options, random, &rejected));
    timing = std::move(timed);
    if (rejected > 0)
        reply.message = std::to_string(rejected) + " quads were dropped because the clocks changed.";
    const Floors limits = floors(m_problem->request.problem, timing.regime);
    const double slowest = timing.look > 0 ? timing.anchorNs * std::exp(-timing.lnLow) : timing.candidateNs;
    if (slowest < 0.98 * limits.hardNs) {
        reply.message = "The kernel takes " + std::to_string(slowest / 1000) +
                        " us but moving its data takes " + std::to_string(limits.hardNs / 1000) +
                        " us at the memory's peak.";
        return Outcome::Suspect;
    }
    timing.nearLimit = slowest < limits.targetNs;
    if (request.timing.bothRegimes) {
        QuadOptions other = options;
        other.regime = options.regime == Regime::Cold ? Regime::Hot : Regime::Cold;
        other.maxQuads = kLooks[0];
        FS_TRY(second, timeQuads(*m_device, *m_support, anchor, work, other, random, nullptr));
        timing.otherRegimeLnRatio = second.lnRatio;
    }
    return Outcome::Ok;
}

} // namespace foresight::measure
