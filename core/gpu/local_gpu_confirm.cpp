// SPDX-License-Identifier: Apache-2.0
// Confirmation of finalists: the best of many by one noisy sample each is overstated, so what is reported
// comes from fresh processes with fresh data only (04, "Confirmation").
#include "core/base/random.h"
#include "core/gpu/local_gpu_impl.h"

#include <algorithm>
#include <numeric>

namespace foresight {

namespace {

using Clock = std::chrono::steady_clock;

// False when `stop` came first.
bool sleepUntil(Clock::time_point time, std::stop_token stop)
{
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_until(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

std::vector<std::size_t> shuffled(std::size_t count, Random& random)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    return order;
}

void summarise(Confirmation& confirmation)
{
    confirmation.outcome = Outcome::Ok;
    double sum = 0;
    for (const GpuReply& run : confirmation.runs) {
        if (run.outcome != Outcome::Ok || !run.timing) {
            confirmation.outcome = run.outcome == Outcome::Ok ? Outcome::Internal : run.outcome;
            confirmation.message = run.message.empty() ? "the measurement has no timing" : run.message;
            return;
        }
        const Timing& timing = *run.timing;
        const bool first = &run == &confirmation.runs.front();
        sum += timing.lnRatio;
        confirmation.lnLow = first ? timing.lnLow : std::min(confirmation.lnLow, timing.lnLow);
        confirmation.lnHigh = first ? timing.lnHigh : std::max(confirmation.lnHigh, timing.lnHigh);
    }
    confirmation.lnRatio = sum / static_cast<double>(confirmation.runs.size());
}

} // namespace

Result<std::vector<Confirmation>> LocalGpu::confirm(const std::vector<GpuRequest>& finalists,
                                                    const ConfirmOptions& options, std::stop_token stop)
{
    if (options.processes < 1 || options.quads < 12)
        return makeError(ErrorCode::InvalidArgument,
                         "A confirmation needs at least one process and 12 quads.");
    std::vector<Confirmation> confirmations(finalists.size());
    std::vector<std::optional<Candidate>> candidates(finalists.size());
    std::vector<CompiledKernel> kernels(finalists.size());
    for (std::size_t i = 0; i < finalists.size(); ++i) {
        auto kernel =
            compileKernel(m->setup->compileRequest(finalists[i].plan), m->setup->options().compiler, stop);
        GpuReply failed;
        if (kernel) {
            auto candidate = m->setup->prepare(finalists[i], *kernel, stop);
            if (candidate) {
                candidate->request.until = Stage::Measure;
                candidate->request.timing.maxQuads = options.quads;
                candidate->request.timing.bothRegimes = true;
                candidate->request.allDataSets = true;
                candidate->request.futility = false;
                candidates[i] = std::move(*candidate);
                kernels[i] = std::move(*kernel);
                continue;
            }
            failed.outcome = outcomeOfPreparation(candidate.error());
            failed.message = candidate.error().message;
        } else {
            failed = replyForCompileError(kernel.error());
        }
        if (failed.outcome == Outcome::Cancelled)
            return makeError(ErrorCode::Cancelled, "Cancelled.");
        confirmations[i].runs.push_back(std::move(failed));
    }

    FS_TRY(loan, lend("confirming finalists", stop));
    Random random(options.seed);
    std::vector<Clock::time_point> lastEnd(finalists.size(), Clock::time_point::min());
    for (int process = 0; process < options.processes; ++process) {
        for (const std::size_t i : shuffled(finalists.size(), random)) {
            if (!candidates[i])
                continue;
            if (process > 0 && !sleepUntil(lastEnd[i] + options.spacing, stop))
                return makeError(ErrorCode::Cancelled, "Cancelled.");
            if (options.progress)
                options.progress("confirming candidate " + std::to_string(i + 1) + " of " +
                                 std::to_string(finalists.size()) + ", process " +
                                 std::to_string(process + 1));
            Candidate candidate = *candidates[i];
            candidate.request.seed = random.next();
            // A session per run: a new process, new allocations, data that no earlier run saw.
            WorkerSession session(*m->setup, m->worker, m->options.canaryAfter, random.next());
            GpuReply reply = session.evaluate(candidate, stop);
            session.quit();
            lastEnd[i] = Clock::now();
            if (stop.stop_requested())
                return makeError(ErrorCode::Cancelled, "Cancelled.");
            reply.compileLog = kernels[i].log;
            reply.cubinHash = kernels[i].hash;
            reply.resources = candidate.resources;
            const bool good = reply.outcome == Outcome::Ok;
            confirmations[i].runs.push_back(std::move(reply));
            if (!good)
                candidates[i].reset(); // one failure is enough
        }
    }
    for (Confirmation& confirmation : confirmations)
        summarise(confirmation);
    return confirmations;
}

} // namespace foresight
