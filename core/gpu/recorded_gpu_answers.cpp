// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/recorded_gpu_answers.h"

#include "core/base/hash.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace foresight::recorded {

namespace {

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// The step at which a candidate with this outcome ended.
Stage stageOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::BuildFailed:
    case Outcome::LaunchRejected:
        return Stage::Compile;
    case Outcome::Ok:
    case Outcome::Escaped:
    case Outcome::Suspect:
        return Stage::Measure;
    default:
        return Stage::Verify;
    }
}

// Recordings without the look say it by their number of samples, two a quad.
int lookOf(const RecordedRow& row)
{
    if (!(row.lnLow < row.lnHigh))
        return 0;
    if (row.look > 0)
        return row.look;
    const std::size_t quads = row.samplesNs.size() / 2;
    return quads >= 48 ? 48 : quads >= 24 ? 24 : quads >= 12 ? 12 : 0;
}

} // namespace

Answers::Answers(std::shared_ptr<const RecordedSpace> space, RecordedMode mode, std::uint64_t seed)
    : m_space(std::move(space)), m_mode(mode), m_seed(seed)
{
    std::vector<double> compile, verify;
    for (std::size_t i = 0; i < m_space->rows.size(); ++i) {
        const RecordedRow& row = m_space->rows[i];
        if (row.costs.compileSeconds > 0)
            compile.push_back(row.costs.compileSeconds);
        if (row.costs.verifySeconds > 0)
            verify.push_back(row.costs.verifySeconds);
        if (!row.contentHash.empty())
            m_byHash.emplace(row.contentHash, static_cast<std::uint32_t>(i));
    }
    m_medianCompile = medianOf(std::move(compile));
    m_medianVerify = medianOf(std::move(verify));
}

std::optional<std::uint32_t> Answers::resolve(const GpuRequest& request, std::string& note) const
{
    const std::string hash = request.plan.source.empty() ? std::string() : request.plan.contentHash();
    std::optional<std::uint32_t> index = request.spaceIndex;
    if (index && *index >= m_space->rows.size())
        index.reset();
    if (index && !request.configuration.empty()) { // an index of another enumeration must not mislead
        const auto same = m_space->space.find(request.configuration);
        index = same ? std::optional(static_cast<std::uint32_t>(*same)) : std::nullopt;
    }
    if (!index && !hash.empty())
        if (const auto known = m_byHash.find(hash); known != m_byHash.end())
            index = known->second;
    if (!index && !request.configuration.empty())
        if (const auto same = m_space->space.find(request.configuration))
            index = static_cast<std::uint32_t>(*same);
    if (index && !hash.empty()) {
        const std::string& recorded = m_space->rows[*index].contentHash;
        if (!recorded.empty() && recorded != hash)
            note = "recorded from another version of this kernel's source or plan";
    }
    return index;
}

Stage Answers::lastStage(std::uint32_t index, Stage until) const
{
    return std::min(until, stageOf(m_space->rows[index].outcome));
}

// Compiler caches leave near-zero times in recordings: the median stands for those and for missing ones.
double Answers::compileSeconds(std::uint32_t index) const
{
    const double recorded = m_space->rows[index].costs.compileSeconds;
    return recorded > .05 * m_medianCompile ? recorded : m_medianCompile;
}

double Answers::verifySeconds(std::uint32_t index) const
{
    const double recorded = m_space->rows[index].costs.verifySeconds;
    return recorded > 0 ? recorded : m_medianVerify;
}

double Answers::measureSeconds(std::uint32_t index) const
{
    const RecordedRow& row = m_space->rows[index];
    if (row.costs.measureSeconds > 0)
        return row.costs.measureSeconds;
    return std::accumulate(row.samplesNs.begin(), row.samplesNs.end(), 0.) * 1e-9;
}

double Answers::anchorNs(const RecordedRow& row) const
{
    if (m_space->defaultIndex && m_space->rows[*m_space->defaultIndex].timeNs > 0)
        return m_space->rows[*m_space->defaultIndex].timeNs;
    return row.anchorNs;
}

Timing Answers::timing(std::uint32_t index) const
{
    const RecordedRow& row = m_space->rows[index];
    Timing timing;
    timing.candidateNs = row.timeNs;
    timing.candidateSamplesNs = row.samplesNs;
    timing.truncated = row.truncated;
    timing.nearLimit = row.nearLimit;
    timing.regime = row.regime;
    timing.smClockMhz = m_space->smClockMhz;
    timing.memoryClockMhz = m_space->memoryClockMhz;
    const bool hasInterval = row.lnLow < row.lnHigh;
    bool ownRatio = false; // the recorded quads belong to the samples that are answered with
    if (m_mode == RecordedMode::Noisy && !row.samplesNs.empty()) {
        Random random(fnv1a64("recorded sample set", m_seed) ^ ((index + 1) * 0x9e3779b97f4a7c15ull));
        const std::size_t set = random.below(row.sampleSets.size() + 1);
        if (set > 0 && !row.sampleSets[set - 1].empty())
            timing.candidateSamplesNs = row.sampleSets[set - 1];
        else if (hasInterval)
            ownRatio = true;
        else // a single set without quads: what repeating it would give, drawn from its own samples
            for (double& sample : timing.candidateSamplesNs)
                sample = row.samplesNs[random.below(row.samplesNs.size())];
        timing.candidateNs = medianOf(timing.candidateSamplesNs);
    }
    timing.anchorNs = anchorNs(row);
    if (ownRatio && timing.anchorNs > 0) {
        timing.lnRatio = row.lnRatio;
        timing.candidateNs = timing.anchorNs * std::exp(-row.lnRatio);
    } else if (timing.anchorNs > 0 && timing.candidateNs > 0) {
        timing.lnRatio = std::log(timing.anchorNs / timing.candidateNs);
    } else {
        timing.lnRatio = row.lnRatio;
    }
    if (!(timing.candidateNs > 0) || !std::isfinite(timing.candidateNs) || !std::isfinite(timing.lnRatio)) {
        // Samples or a ratio that cannot be: the best estimate was checked when the file was read.
        timing.candidateNs = row.timeNs;
        timing.lnRatio = timing.anchorNs > 0 ? std::log(timing.anchorNs / row.timeNs) : 0;
    }
    // The recorded interval's width around the ratio that is answered with.
    timing.lnLow = timing.lnRatio + (hasInterval ? row.lnLow - row.lnRatio : 0);
    timing.lnHigh = timing.lnRatio + (hasInterval ? row.lnHigh - row.lnRatio : 0);
    timing.look = lookOf(row);
    return timing;
}

GpuReply Answers::reply(std::uint32_t index, Stage until, const std::string& note) const
{
    const RecordedRow& row = m_space->rows[index];
    GpuReply reply;
    reply.stage = lastStage(index, until);
    const bool failedByThen = row.outcome != Outcome::Ok && stageOf(row.outcome) <= until;
    reply.outcome = failedByThen ? row.outcome : Outcome::Ok;
    reply.message = failedByThen ? row.message : note;
    reply.hint = failedByThen ? note : std::string();
    if (row.outcome != Outcome::BuildFailed)
        reply.resources = row.resources;
    else
        reply.compileLog = row.message;
    if (reply.stage >= Stage::Verify) {
        VerificationReport report;
        report.passed = !failedByThen || reply.stage == Stage::Measure;
        report.maxAbsError = row.maxAbsError;
        report.maxRelError = row.maxRelError;
        if (!report.passed)
            report.failedCheck = outcomeName(row.outcome);
        reply.verification = std::move(report);
    }
    if (reply.stage == Stage::Measure && reply.outcome == Outcome::Ok)
        reply.timing = timing(index);
    return reply;
}

} // namespace foresight::recorded
