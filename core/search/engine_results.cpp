// SPDX-License-Identifier: Apache-2.0
// What the GPU answered, as events.
#include "core/search/engine_impl.h"

#include "core/base/json.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

constexpr int kMaxRetries = 2; // of answers that say nothing about the candidate

std::string compiledPayload(const GpuReply& reply)
{
    return canonicalJson(Json{{"cubin", reply.cubinHash}, {"kernels", reply.resources.size()}});
}

} // namespace

Result<void> Engine::Impl::finishJob(NodeId node, GpuReply reply)
{
    if (reply.outcome == Outcome::GpuUnwell) {
        m_fatal = makeError(ErrorCode::GpuError, "the GPU is unwell: " + reply.message,
                            reply.hint.empty() ? "see the driver's log; the search can be resumed later"
                                               : reply.hint);
        m_queue.push_front(node);
        return {};
    }
    const bool saysNothing = reply.outcome == Outcome::Cancelled || reply.outcome == Outcome::Internal;
    if (saysNothing && m_retries[node.value]++ < kMaxRetries) {
        m_queue.push_front(node);
        return {};
    }
    if (reply.outcome == Outcome::Ok && !(reply.timeNs() > 0 && std::isfinite(reply.timeNs()))) {
        reply.outcome = Outcome::Internal;
        reply.message = "the GPU answered without a time";
    }
    budget.addGpuSeconds(reply.costs.gpuSeconds());
    FS_CHECK(reply.outcome == Outcome::Ok ? logSuccess(node, reply) : logFailure(node, reply));
    FS_CHECK(emit(EventKind::BudgetState, {}, {},
                  static_cast<double>(tree.counts().measured + tree.counts().failed), budget.gpuSeconds(), 0,
                  {}, canonicalJson(Json{{"wall_s", wallSeconds()}})));
    return noteRefit();
}

// Compiled and verified, as far as the log does not have them from before an interruption.
Result<void> Engine::Impl::logStages(NodeId node, const GpuReply& reply, bool compiled, bool verified)
{
    const std::uint8_t logged = m_stagesLogged[node.value];
    if (compiled && !(logged & 1)) {
        double registers = 0, spills = 0;
        for (const KernelResources& r : reply.resources) {
            registers = std::max(registers, static_cast<double>(r.registers));
            spills += static_cast<double>(std::max<std::int64_t>(0, r.spillStores) +
                                          std::max<std::int64_t>(0, r.spillLoads));
        }
        FS_CHECK(emit(EventKind::Compiled, node, {}, registers, spills, 0, compiledPayload(reply),
                      encodeReplyAnnex(reply)));
    }
    if (verified && !(logged & 2)) {
        FS_CHECK(emit(EventKind::Verified, node, {}, reply.verification->maxAbsError,
                      reply.verification->maxRelError, 0, {}, encodeReplyAnnex(reply)));
    }
    return {};
}

Result<void> Engine::Impl::logSuccess(NodeId node, const GpuReply& reply)
{
    const Timing& timing = *reply.timing;
    MeasuredPayload payload;
    payload.timeNs = timing.candidateNs;
    payload.look = timing.look;
    payload.regime = timing.regime;
    payload.recorded = m_gpu.info().recorded;
    if (timing.look > 0 || timing.lnRatio != 0) {
        payload.anchorNs = timing.anchorNs;
        payload.lnRatio = timing.lnRatio;
        payload.lnLow = timing.lnLow;
        payload.lnHigh = timing.lnHigh;
    } else {
        // Without an anchor beside it: the space's own, or the first success of this search.
        if (timing.anchorNs > 0)
            payload.anchorNs = timing.anchorNs;
        else
            payload.anchorNs = m_anchorNs.value_or(timing.candidateNs);
        payload.lnRatio = payload.lnLow = payload.lnHigh = std::log(payload.anchorNs / timing.candidateNs);
    }
    FS_CHECK(logStages(node, reply, true, reply.verification.has_value()));
    const double log2Speedup = (m_options.lnBaselineOverAnchor + payload.lnRatio) / std::log(2.);
    const double halfWidth = (payload.lnHigh - payload.lnLow) / 2 / std::log(2.);
    return emit(EventKind::Measured, node, {}, log2Speedup, std::max(halfWidth, 0.), 0,
                encodePayload(payload), encodeMeasuredAnnex(reply));
}

Result<void> Engine::Impl::logFailure(NodeId node, const GpuReply& reply)
{
    const bool compiled = reply.stage != Stage::Compile && reply.outcome != Outcome::Unknown;
    const bool verified = compiled && reply.verification && reply.verification->passed;
    FS_CHECK(logStages(node, reply, compiled, verified));
    Json payload{{"stage", stageName(reply.stage)}, {"outcome", outcomeName(reply.outcome)}};
    if (reply.verification && !reply.verification->failedCheck.empty())
        payload["check"] = reply.verification->failedCheck;
    return emit(EventKind::Failed, node, {}, static_cast<double>(reply.stage),
                static_cast<double>(reply.outcome), 0, canonicalJson(payload), encodeReplyAnnex(reply));
}

} // namespace foresight
