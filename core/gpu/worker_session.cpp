// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/worker_session.h"

#include "core/base/json.h"
#include "core/base/log.h"

#include <chrono>

namespace foresight {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// Setting up draws inputs and computes fp64 references for several data sets.
constexpr auto kProblemTimeout = 120s;
constexpr auto kCanaryTimeout = 30s;
constexpr int kCanaryQuads = 12;

GpuReply failedReply(Outcome outcome, const Error& error)
{
    GpuReply reply;
    reply.outcome = outcome;
    reply.stage = Stage::Verify;
    reply.message = error.message;
    reply.hint = error.hint;
    return reply;
}

// Failures that say something about the GPU; a refused launch or a cancelled job does not.
bool mayBeTheGpu(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Ok:
    case Outcome::BuildFailed:
    case Outcome::LaunchRejected:
    case Outcome::Cancelled:
    case Outcome::Unknown:
    case Outcome::GpuUnwell:
        return false;
    default:
        return true;
    }
}

} // namespace

WorkerSession::WorkerSession(const EvaluationSetup& setup, WorkerOptions worker, int canaryAfter,
                             std::uint64_t salt)
    : m_setup(setup), m_options(std::move(worker)), m_canaryAfter(canaryAfter), m_salt(salt)
{
}

WorkerSession::~WorkerSession() = default;

void WorkerSession::quit()
{
    if (m_worker)
        m_worker->quit();
    m_worker.reset();
}

Result<void> WorkerSession::ensureWorker(std::stop_token stop)
{
    if (m_worker && !m_worker->alive())
        m_worker.reset();
    if (!m_worker) {
        FS_TRY(worker, WorkerClient::start(m_options, stop));
        m_worker = std::move(worker);
        m_problemSent = false;
    }
    if (m_problemSent)
        return {};
    m_evaluated = 0;
    m_sent.clear();
    ++m_salt; // other data than the worker before
    const protocol::ProblemRequest request = m_setup.problemRequest(m_salt);
    FS_TRY(frame, protocol::encodeProblem(m_worker->nextId(), request, m_setup.problemCubins()));
    FS_TRY(reply, m_worker->call(frame, kProblemTimeout, stop));
    if (!reply.ok) {
        m_worker.reset();
        return reply.error.within("Preparing " + request.problem.key + " on the GPU");
    }
    if (reply.fatal)
        return makeError(ErrorCode::GpuError, "The GPU failed while the search was being prepared.");
    for (const protocol::Cubin& cubin : m_setup.problemCubins())
        m_sent.insert(cubin.hash);
    m_problemSent = true;
    return {};
}

WorkerSession::Attempt WorkerSession::sendCandidate(const Candidate& candidate, std::stop_token stop)
{
    Attempt result;
    result.served = m_evaluated > 0;
    std::vector<protocol::Cubin> cubins{candidate.cubins.front()};
    for (std::size_t i = 1; i < candidate.cubins.size(); ++i)
        if (!m_sent.contains(candidate.cubins[i].hash))
            cubins.push_back(candidate.cubins[i]);
    auto frame = protocol::encodeEvaluate(m_worker->nextId(), candidate.request, cubins);
    if (!frame) {
        result.reply = failedReply(Outcome::Internal, frame.error());
        return result;
    }
    const auto start = Clock::now();
    auto reply = m_worker->call(*frame, m_setup.options().requestTimeout, stop);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    ++m_evaluated;
    if (!reply) {
        result.lost = true;
        switch (reply.error().code) {
        case ErrorCode::Timeout:
            result.reply = failedReply(Outcome::Timeout, reply.error());
            result.reply.message = "The candidate did not finish within " +
                                   std::to_string(m_setup.options().requestTimeout.count() / 1000) +
                                   " s; the worker was stopped.";
            break;
        case ErrorCode::Cancelled:
            result.reply = failedReply(Outcome::Cancelled, reply.error());
            break;
        default:
            result.reply = failedReply(Outcome::Crashed, reply.error());
            break;
        }
        result.reply.costs.verifySeconds = seconds;
        return result;
    }
    result.lost = reply->fatal;
    for (std::size_t i = 1; i < cubins.size(); ++i)
        m_sent.insert(cubins[i].hash);
    if (!reply->ok) {
        result.reply = failedReply(reply->error.code == ErrorCode::ResourceLimit ? Outcome::OutOfMemory
                                   : reply->fatal                                ? Outcome::Crashed
                                                                                 : Outcome::Internal,
                                   reply->error);
        result.reply.costs.verifySeconds = seconds;
        return result;
    }
    auto json = parseJson(reply->resultText, "the worker's result");
    auto parsed =
        json ? protocol::gpuReplyFromJson(*json, "the worker's result") : Result<GpuReply>(json.error());
    if (!parsed) {
        // The frame's checksum was right, so this is no line noise: do not trust that process further.
        m_worker.reset();
        result.lost = true;
        result.reply = failedReply(Outcome::Internal, parsed.error());
        return result;
    }
    result.reply = std::move(*parsed);
    return result;
}

WorkerSession::Attempt WorkerSession::attempt(const Candidate& candidate, std::stop_token stop)
{
    Result<void> ready = ensureWorker(stop);
    if (!ready && !ready.error().isCancelled() && ready.error().code != ErrorCode::NotFound) {
        log(LogLevel::Warning, "gpu", "Starting the GPU worker again: " + ready.error().toString());
        m_worker.reset();
        ready = ensureWorker(stop);
    }
    if (ready)
        return sendCandidate(candidate, stop);
    m_worker.reset();
    Attempt result;
    result.lost = true;
    if (ready.error().isCancelled()) {
        result.reply = failedReply(Outcome::Cancelled, ready.error());
    } else if (ready.error().code == ErrorCode::ResourceLimit) {
        result.reply = failedReply(Outcome::OutOfMemory, ready.error());
    } else {
        m_unwell = "The GPU worker cannot be started: " + ready.error().message;
        result.reply = unwellReply();
        result.reply.hint = ready.error().hint;
    }
    return result;
}

GpuReply WorkerSession::evaluate(const Candidate& candidate, std::stop_token stop)
{
    if (!m_unwell.empty())
        return unwellReply();
    if (stop.stop_requested())
        return failedReply(Outcome::Cancelled, makeError(ErrorCode::Cancelled, "Cancelled."));
    Attempt first = attempt(candidate, stop);
    if (first.lost)
        m_worker.reset();
    GpuReply reply = std::move(first.reply);
    if (first.lost && first.served && reply.outcome == Outcome::Crashed && !stop.stop_requested()) {
        // What an earlier candidate left behind may have surfaced here: only a crash on its own counts.
        log(LogLevel::Info, "gpu", "A candidate crashed in a used worker; trying it alone in a fresh one.");
        Attempt alone = attempt(candidate, stop);
        if (alone.lost)
            m_worker.reset();
        alone.reply.costs.verifySeconds += reply.costs.verifySeconds;
        alone.reply.costs.measureSeconds += reply.costs.measureSeconds;
        reply = std::move(alone.reply);
    }
    checkWell(reply, stop);
    return reply;
}

void WorkerSession::checkWell(GpuReply& reply, std::stop_token stop)
{
    if (reply.outcome == Outcome::Ok)
        m_failures = 0;
    else if (mayBeTheGpu(reply.outcome))
        ++m_failures;
    if (m_failures < m_canaryAfter || stop.stop_requested())
        return;
    m_failures = 0;
    // Cheap first: in the worker that is there. Only a failure in a fresh one condemns the GPU.
    if (m_worker && canary(stop))
        return;
    m_worker.reset();
    if (auto well = canary(stop); !well && !well.error().isCancelled()) {
        m_unwell = std::to_string(m_canaryAfter) +
                   " candidates failed in a row, and so did the default kernel: " + well.error().message;
        const std::string own = reply.message;
        reply = unwellReply();
        if (!own.empty())
            reply.message += " The last candidate's failure: " + own;
        m_worker.reset();
    }
}

Result<void> WorkerSession::canary(std::stop_token stop)
{
    FS_CHECK(ensureWorker(stop));
    protocol::CanaryRequest request;
    request.seed = m_salt;
    request.quads = kCanaryQuads;
    FS_TRY(frame, protocol::encodeCanary(m_worker->nextId(), request));
    FS_TRY(reply, m_worker->call(frame, kCanaryTimeout, stop));
    if (!reply.ok)
        return reply.error;
    FS_TRY(json, parseJson(reply.resultText, "the canary's result"));
    FS_TRY(result, protocol::gpuReplyFromJson(json, "the canary's result"));
    if (result.outcome != Outcome::Ok)
        return makeError(ErrorCode::GpuError,
                         std::string(outcomeName(result.outcome)) + ": " + result.message);
    return {};
}

GpuReply WorkerSession::unwellReply() const
{
    return failedReply(Outcome::GpuUnwell,
                       makeError(ErrorCode::GpuError, m_unwell,
                                 "Look at nvidia-smi and the kernel log (Xid messages); resetting the GPU or "
                                 "restarting the machine usually helps. Then resume the search."));
}

} // namespace foresight
