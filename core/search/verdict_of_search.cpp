// SPDX-License-Identifier: Apache-2.0
#include "core/search/verdict_of_search.h"

#include "core/base/utc.h"
#include "core/gpu/local_gpu.h"
#include "core/search/payload.h"
#include "core/search/session_log.h"
#include "core/search/tree.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace foresight {

namespace {

constexpr double kLn2 = 0.69314718055994530942;
constexpr std::size_t kFinalists = 3;

struct Finalist
{
    NodeId node;
    ProposedPayload candidate;
    double lnSpeedup = 0, halfWidth = 0;
};

// What the log says: counts, failures, and the finalists: the best three and all whose interval meets the
// best's.
struct SearchOutcome
{
    StartedPayload started;
    Tree tree;
    std::vector<Finalist> finalists;
};

Result<SearchOutcome> readOutcome(const std::vector<EventRow>& events)
{
    SearchOutcome outcome;
    if (events.empty())
        return makeError(ErrorCode::InvalidArgument, "the search has no events", "run it first");
    FS_TRY(started, decodeStarted(events.front().payload));
    outcome.started = std::move(started);
    for (const EventRow& event : events)
        FS_CHECK(outcome.tree.apply(event));
    if (!outcome.tree.finished())
        return makeError(ErrorCode::InvalidArgument, "the search has not finished",
                         "resume it, or end it, first");

    std::vector<const TreeNode*> measured;
    for (const TreeNode& node : outcome.tree.nodes())
        if (node.state == NodeState::Measured)
            measured.push_back(&node);
    std::sort(measured.begin(), measured.end(), [](const TreeNode* a, const TreeNode* b) {
        return a->measuredLog2 != b->measuredLog2 ? a->measuredLog2 > b->measuredLog2 : a->id < b->id;
    });
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const TreeNode& node = *measured[i];
        const TreeNode& best = *measured.front();
        const bool meets =
            node.measuredLog2 + node.measuredHalfWidth >= best.measuredLog2 - best.measuredHalfWidth;
        if (i >= kFinalists && !meets)
            break;
        if (i >= 2 * kFinalists)
            break; // a flat top: more finalists would cost minutes and change nothing
        Finalist finalist{node.id, {}, node.measuredLog2 * kLn2, node.measuredHalfWidth * kLn2};
        const EventRow& proposed = events[static_cast<std::size_t>(node.proposedSeq - 1)];
        FS_TRY(candidate, decodeProposed(proposed.payload));
        finalist.candidate = std::move(candidate);
        outcome.finalists.push_back(std::move(finalist));
    }
    return outcome;
}

VerdictEvidence evidenceOf(const SearchOutcome& outcome)
{
    VerdictEvidence evidence;
    evidence.recorded = outcome.started.recorded;
    evidence.baseline = outcome.started.baseline;
    evidence.measured = outcome.tree.counts().measured;
    for (const TreeNode& node : outcome.tree.nodes())
        if (node.state == NodeState::Failed)
            ++evidence.failures[std::string(outcomeName(node.outcome))];
    return evidence;
}

void setCandidate(VerdictEvidence& evidence, const Finalist& finalist)
{
    evidence.node = finalist.node.value;
    evidence.configuration = symbolsText(finalist.candidate.configuration);
    evidence.search = RatioInterval{finalist.lnSpeedup - finalist.halfWidth, finalist.lnSpeedup,
                                    finalist.lnSpeedup + finalist.halfWidth};
}

// baseline / candidate from anchor / candidate: intervals add.
RatioInterval overBaseline(const RatioInterval& overAnchor, const PreparedSearch& prepared)
{
    const double middle = prepared.options.lnBaselineOverAnchor;
    const bool known = prepared.lnBaselineLow != prepared.lnBaselineHigh;
    return {overAnchor.low + (known ? prepared.lnBaselineLow : middle), overAnchor.estimate + middle,
            overAnchor.high + (known ? prepared.lnBaselineHigh : middle)};
}

// One stored set of samples as a confirmation: ln(anchor / sample), drift divided out when it was recorded.
void addRecorded(VerdictEvidence& evidence, const std::vector<double>& samples, double anchorNs,
                 const PreparedSearch& prepared, const char* process)
{
    std::vector<double> ratios;
    for (const double sample : samples)
        if (sample > 0)
            ratios.push_back(std::log(anchorNs / sample));
    const auto interval = lookInterval(ratios);
    if (!interval)
        return;
    VerdictEvidence::Confirmation confirmation;
    confirmation.ratio = overBaseline(*interval, prepared);
    confirmation.quads = static_cast<int>(ratios.size());
    confirmation.process = process;
    evidence.confirmations.push_back(std::move(confirmation));
}

Result<void> confirmRecorded(VerdictEvidence& evidence, const SearchOutcome& outcome,
                             const PreparedSearch& prepared)
{
    const Finalist& best = outcome.finalists.front();
    const RecordedSpace& space = *prepared.space;
    const auto index = best.candidate.spaceIndex ? std::optional<std::size_t>(*best.candidate.spaceIndex)
                                                 : space.space.find(best.candidate.configuration);
    if (!index || *index >= space.rows.size())
        return makeError(ErrorCode::Corrupt, "the best candidate is not in the recorded space " + space.file);
    const RecordedRow& row = space.rows[*index];
    const double anchorNs = prepared.target.anchorNs.value_or(row.anchorNs);
    evidence.notes.push_back("from the recorded space " + space.file + "; nothing was run for this verdict");
    if (anchorNs <= 0)
        return {};
    addRecorded(evidence, row.samplesNs, anchorNs, prepared, "recorded, first process");
    for (const auto& again : row.sampleSets)
        addRecorded(evidence, again, anchorNs, prepared, "recorded, measured again in another process");
    return {};
}

GpuRequest requestOf(const Finalist& finalist, const PreparedSearch& prepared, KernelPlan plan)
{
    GpuRequest request;
    request.problem = *prepared.target.problem;
    request.plan = std::move(plan);
    request.configuration = finalist.candidate.configuration;
    request.timing = prepared.options.timing;
    request.timing.maxQuads = 48;
    request.timing.bothRegimes = true;
    request.seed = prepared.options.seed + 1;
    return request;
}

Result<void> confirmLive(VerdictEvidence& evidence, const SearchOutcome& outcome, PreparedSearch& prepared,
                         const VerdictTask& task, std::stop_token stop)
{
    auto* gpu = dynamic_cast<LocalGpu*>(prepared.gpu.get());
    if (!gpu)
        return makeError(ErrorCode::Internal, "the search ran on a GPU that cannot confirm its results");
    std::vector<GpuRequest> requests;
    for (const Finalist& finalist : outcome.finalists) {
        FS_TRY(plan,
               prepared.family->instantiate(*prepared.target.problem, finalist.candidate.configuration));
        requests.push_back(requestOf(finalist, prepared, std::move(plan)));
    }
    ConfirmOptions options;
    options.spacing = task.spacing;
    options.seed = prepared.options.seed + 1;
    options.progress = task.progress;
    FS_TRY(confirmations, gpu->confirm(requests, options, stop));
    // Reported is the finalist whose confirmation is best; search-phase numbers are never pooled in.
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < confirmations.size(); ++i) {
        const bool ok = confirmations[i].outcome == Outcome::Ok,
                   best = confirmations[chosen].outcome == Outcome::Ok;
        if (ok && (!best || confirmations[i].lnRatio > confirmations[chosen].lnRatio))
            chosen = i;
    }
    setCandidate(evidence, outcome.finalists[chosen]);
    const Confirmation& confirmed = confirmations[chosen];
    evidence.confirmationOutcome = std::string(outcomeName(confirmed.outcome));
    for (const GpuReply& run : confirmed.runs) {
        if (!run.timing)
            continue;
        VerdictEvidence::Confirmation entry;
        entry.ratio = overBaseline({run.timing->lnLow, run.timing->lnRatio, run.timing->lnHigh}, prepared);
        entry.quads = run.timing->look;
        entry.process = "fresh worker process";
        entry.cubinHash = run.cubinHash;
        evidence.cubinHash = run.cubinHash;
        evidence.confirmations.push_back(std::move(entry));
        if (run.timing->otherRegimeLnRatio)
            evidence.otherRegimeLn = *run.timing->otherRegimeLnRatio + prepared.options.lnBaselineOverAnchor;
    }
    evidence.notes.push_back(std::to_string(confirmations.size()) + " finalists confirmed");
    return {};
}

// The search that has just ended may still be closing the session: a short wait, then the honest Busy.
Result<std::unique_ptr<Session>> openWhenFree(const std::string& path, const std::stop_token& stop)
{
    constexpr int kTries = 50;
    for (int tried = 1;; ++tried) {
        auto session = Session::open(path, Session::Mode::ReadWrite);
        if (session || session.error().code != ErrorCode::Busy || tried == kTries || stop.stop_requested())
            return session;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

} // namespace

Result<VerdictRecord> decideSearch(const VerdictTask& task, std::stop_token stop)
{
    FS_TRY(session, openWhenFree(task.sessionPath, stop));
    FS_TRY(events, loadHistory(*session, task.search));
    FS_TRY(outcome, readOutcome(events));
    VerdictEvidence evidence = evidenceOf(outcome);
    if (!outcome.finalists.empty()) {
        setCandidate(evidence, outcome.finalists.front());
        FS_TRY(request, loadRequest(*session, task.search));
        if (!task.spaceFolders.empty())
            request.spaceFolders = task.spaceFolders;
        FS_TRY(prepared, prepareSearch(std::move(request), stop));
        if (prepared.space)
            FS_CHECK(confirmRecorded(evidence, outcome, prepared));
        else
            FS_CHECK(confirmLive(evidence, outcome, prepared, task, stop));
    }
    const Verdict verdict = decideVerdict(evidence);
    VerdictRecord record;
    record.search = task.search;
    FS_TRY(searches, session->searches());
    for (const SearchRecord& search : searches)
        if (search.id == task.search)
            record.operatorId = search.operatorId;
    record.decision = std::string(verdictDecisionName(verdict));
    record.reason = std::string(verdictReasonName(verdict.reason));
    record.evidenceJson = evidenceToJson(evidence);
    record.created = utcNowText();
    FS_CHECK(session->putVerdict(record));
    return record;
}

} // namespace foresight
