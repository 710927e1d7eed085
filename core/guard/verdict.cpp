// SPDX-License-Identifier: Apache-2.0
#include "core/guard/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace foresight {

namespace {

struct Look
{
    std::size_t quads, low, high; // ranks from 1
};
constexpr std::array<Look, 3> kLooks{{{12, 2, 11}, {24, 6, 19}, {48, 16, 33}}};

std::string times(double ln)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3fx", std::exp(ln));
    return text;
}

std::string inWords(const RatioInterval& ratio)
{
    return times(ratio.estimate) + " [" + times(ratio.low) + ", " + times(ratio.high) + "]";
}

Verdict fallBack(VerdictReason reason, std::string detail, std::optional<RatioInterval> ratio = {})
{
    return {false, reason, std::move(detail), ratio};
}

// The reason that an outcome of the GPU stands for.
VerdictReason reasonOf(const std::string& outcome)
{
    if (outcome == "build_failed" || outcome == "launch_rejected")
        return VerdictReason::BuildFailed;
    if (outcome == "nondeterministic")
        return VerdictReason::Nondeterministic;
    if (outcome == "suspect" || outcome == "escaped" || outcome == "replayed")
        return VerdictReason::Suspect;
    if (outcome == "timeout")
        return VerdictReason::Timeout;
    if (outcome == "crashed" || outcome == "out_of_memory")
        return VerdictReason::Crashed;
    if (outcome == "wrong_result" || outcome == "not_written" || outcome == "out_of_bounds" ||
        outcome == "input_modified")
        return VerdictReason::WrongResult;
    return VerdictReason::NotMeasured;
}

Verdict withoutSuccess(const VerdictEvidence& evidence)
{
    const auto most = std::max_element(evidence.failures.begin(), evidence.failures.end(),
                                       [](const auto& x, const auto& y) { return x.second < y.second; });
    if (most == evidence.failures.end())
        return fallBack(VerdictReason::NotMeasured, "no candidate has been measured");
    return fallBack(reasonOf(most->first), "every candidate failed, most often with " + most->first + " (" +
                                               std::to_string(most->second) + ")");
}

// Search-phase numbers choose finalists; all they can say here is that there is nothing to confirm.
Verdict withoutConfirmations(const VerdictEvidence& evidence)
{
    const std::string missing = std::to_string(evidence.confirmations.size()) + " of 2 confirmations";
    if (!evidence.search)
        return fallBack(VerdictReason::Unconfirmed, missing);
    const RatioInterval& seen = *evidence.search;
    if (seen.high < 0)
        return fallBack(VerdictReason::Slower,
                        "the best candidate is slower than " + evidence.baseline + ": " + inWords(seen));
    if (seen.low <= std::log1p(evidence.margin))
        return fallBack(VerdictReason::NotSignificant, "the best candidate is not clearly faster than " +
                                                           evidence.baseline + ": " + inWords(seen));
    return fallBack(VerdictReason::Unconfirmed, missing);
}

} // namespace

std::optional<RatioInterval> lookInterval(std::span<const double> quads)
{
    const Look* look = nullptr;
    for (const Look& entry : kLooks)
        if (quads.size() >= entry.quads)
            look = &entry;
    if (!look || std::any_of(quads.begin(), quads.end(), [](double q) { return !std::isfinite(q); }))
        return std::nullopt;
    std::vector<double> sorted(quads.begin(), quads.begin() + static_cast<std::ptrdiff_t>(look->quads));
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = look->quads / 2;
    return RatioInterval{sorted[look->low - 1], (sorted[half - 1] + sorted[half]) / 2,
                         sorted[look->high - 1]};
}

std::string_view verdictReasonName(VerdictReason reason)
{
    constexpr std::array<std::string_view, 13> kNames{"",
                                                      "slower",
                                                      "not_significant",
                                                      "wrong_result",
                                                      "nondeterministic",
                                                      "suspect",
                                                      "build_failed",
                                                      "timeout",
                                                      "crashed",
                                                      "unconfirmed",
                                                      "not_measured",
                                                      "stale",
                                                      "unsupported"};
    const auto index = static_cast<std::size_t>(reason);
    return index < kNames.size() ? kNames[index] : kNames[0];
}

std::string_view verdictDecisionName(const Verdict& verdict)
{
    return verdict.deploy ? "deploy" : "fall back";
}

double falseDeployBound()
{
    // P(q(16) of 48 > median) = P(Bin(48, 1/2) <= 15).
    double term = std::pow(.5, 48), tail = 0;
    for (int k = 0; k <= 15; ++k) {
        tail += term;
        term *= static_cast<double>(48 - k) / (k + 1);
    }
    return tail * tail;
}

Verdict decideVerdict(const VerdictEvidence& evidence)
{
    if (!evidence.unsupported.empty())
        return fallBack(VerdictReason::Unsupported, evidence.unsupported);
    if (evidence.node < 0 || evidence.measured <= 0)
        return withoutSuccess(evidence);
    if (!evidence.stale.empty())
        return fallBack(VerdictReason::Stale, evidence.stale);
    if (!evidence.verified)
        return fallBack(VerdictReason::WrongResult, "the candidate's results have not been verified");
    if (evidence.confirmationOutcome != "ok")
        return fallBack(reasonOf(evidence.confirmationOutcome),
                        "run again in a fresh process it ended with " + evidence.confirmationOutcome);
    if (evidence.suspect)
        return fallBack(VerdictReason::Suspect, "it claims to be faster than the hardware allows");
    if (evidence.confirmations.size() < 2)
        return withoutConfirmations(evidence);

    RatioInterval all{1e300, 0, -1e300};
    double least = 1e300, most = -1e300;
    const double bar = std::log1p(evidence.margin);
    std::size_t clear = 0;
    for (const auto& confirmation : evidence.confirmations) {
        const RatioInterval& ratio = confirmation.ratio;
        if (!std::isfinite(ratio.low) || !std::isfinite(ratio.estimate) || !std::isfinite(ratio.high))
            return fallBack(VerdictReason::Unconfirmed, "a confirmation ended without a number");
        if (confirmation.quads >= 12 && ratio.low > bar && ratio.low <= ratio.estimate &&
            ratio.estimate <= ratio.high)
            ++clear;
        all.low = std::min(all.low, ratio.low);
        all.high = std::max(all.high, ratio.high);
        all.estimate += ratio.estimate / static_cast<double>(evidence.confirmations.size());
        least = std::min(least, ratio.estimate);
        most = std::max(most, ratio.estimate);
        if (!confirmation.cubinHash.empty() && !evidence.cubinHash.empty() &&
            confirmation.cubinHash != evidence.cubinHash)
            return fallBack(VerdictReason::Unconfirmed, "another binary was confirmed than was verified");
    }
    if (all.high < 0)
        return fallBack(VerdictReason::Slower, "slower than " + evidence.baseline + ": " + inWords(all), all);
    if (clear == 0)
        return fallBack(VerdictReason::NotSignificant,
                        inWords(all) + " is not clearly above " + times(bar) + " of " + evidence.baseline,
                        all);
    if (clear < evidence.confirmations.size())
        return fallBack(VerdictReason::Unconfirmed,
                        "only " + std::to_string(clear) + " of " +
                            std::to_string(evidence.confirmations.size()) +
                            " confirmations is clearly above " + times(bar),
                        all);
    if (!(most - least <= std::log1p(evidence.agreement)))
        return fallBack(VerdictReason::Unconfirmed,
                        "the confirmations disagree: " + times(least) + " and " + times(most), all);
    if (evidence.otherRegimeLn && !(*evidence.otherRegimeLn >= 0))
        return fallBack(VerdictReason::Slower,
                        "faster, but " + times(*evidence.otherRegimeLn) + " in the other cache regime", all);
    return {true, VerdictReason::None, inWords(all) + " over " + evidence.baseline, all};
}

} // namespace foresight
