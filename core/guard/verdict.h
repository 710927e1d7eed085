// SPDX-License-Identifier: Apache-2.0
// Deploy, or fall back with exactly one primary reason (design 06). Pure: from evidence that is stored as it
// is, so the same evidence gives the same verdict whenever and wherever it is looked at.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

// ln of a ratio of times (> 0: the candidate is faster).
struct RatioInterval
{
    double low = 0, estimate = 0, high = 0;
};

// Order statistics at exactly three looks: n = 12 [q(2), q(11)], 24 [q(6), q(19)], 48 [q(16), q(33)], taken
// from the first so many quads; more than 48 are not looked at. Nothing below 12. The chance that any of the
// three excludes the true median is .026 whatever the distribution (binomial tails .0063 + .0066 + .0133).
std::optional<RatioInterval> lookInterval(std::span<const double> quads);

enum class VerdictReason {
    None, // deploy
    Slower,
    NotSignificant,
    WrongResult,
    Nondeterministic,
    Suspect,
    BuildFailed,
    Timeout,
    Crashed,
    Unconfirmed,
    NotMeasured,
    Stale,
    Unsupported,
};
std::string_view verdictReasonName(VerdictReason reason); // "slower", ...; "" for None

struct VerdictEvidence
{
    bool recorded = false; // from a recorded space: nothing was run for this verdict
    std::string baseline = "family-default";
    double margin = .03;     // deploy only above 1 + margin
    double agreement = .03;  // the two estimates may differ by this factor - 1
    std::string unsupported; // why no candidate can serve the operator; empty: can
    std::string stale;       // what has changed since (GPU, driver, toolkit); empty: nothing

    std::int64_t measured = 0;                    // candidates that succeeded in the search
    std::map<std::string, std::int64_t> failures; // outcome name -> how many
    std::int64_t node = -1;                       // the best one; -1: none
    std::string configuration;
    std::string cubinHash;                  // in the search; empty: not known
    std::optional<RatioInterval> search;    // baseline / candidate as seen while searching
    bool verified = true, suspect = false;  // the best one
    std::string confirmationOutcome = "ok"; // of running it again: an outcome name

    struct Confirmation
    {
        RatioInterval ratio; // baseline / candidate
        int quads = 0;
        std::string process; // where it comes from, in words
        std::string cubinHash;
    };
    std::vector<Confirmation> confirmations;
    std::optional<double> otherRegimeLn; // point ratio in the other regime (cold/hot)
    std::vector<std::string> notes;
};

struct Verdict
{
    bool deploy = false;
    VerdictReason reason = VerdictReason::None;
    std::string detail; // one sentence with the numbers
    std::optional<RatioInterval>
        ratio; // what is reported: mean of the confirmations, [lowest low, highest high]
};

Verdict decideVerdict(const VerdictEvidence& evidence);

// Chance that a candidate of no effect is deployed with these two confirmations at 48 quads and no margin:
// both lower bounds above the true median (.0066 each). The family-wise figure of a pack is at most this
// times its operators.
double falseDeployBound();

std::string evidenceToJson(const VerdictEvidence& evidence); // canonical
Result<VerdictEvidence> evidenceFromJson(std::string_view json);
std::string_view verdictDecisionName(const Verdict& verdict); // "deploy" / "fall back"

} // namespace foresight
