// SPDX-License-Identifier: Apache-2.0
// Which of an expansion's candidates to measure (design 05). Pure functions of the forecasts, the options and
// the random stream of the audits.
#pragma once

#include "core/base/random.h"
#include "core/search/engine.h"
#include "core/search/payload.h"

#include <optional>
#include <span>
#include <vector>

namespace foresight {

struct CandidateDecision
{
    bool chosen = false, audit = false;
    double score = 0; // what the rule ranks by
    double pi =
        0; // probability of being measured: 1 by the rule, else the audit's; 0 when there was no budget
    DecisionPayload payload;
};

// InvalidArgument with the allowed names or range.
Result<void> checkPolicy(const PolicyOptions& options);

// One decision per forecast, in order. `remaining`: measurements the budget still allows (nothing: no limit);
// audits count too. Each candidate the rule skips is audited by an independent coin; under `risk` its
// probability is in proportion to p. `incumbentLog2`: best log2 S so far; without one everything is an
// improvement. Whatever the rule says, the most promising candidate of an expansion is measured: a search
// that measures nothing learns nothing and would ask the same again.
std::vector<CandidateDecision> decideCandidates(const PolicyOptions& options,
                                                std::span<const Forecast> forecasts,
                                                std::optional<std::int64_t> remaining, Random& auditCoins,
                                                std::optional<double> incumbentLog2 = {});

// P(succeeds and log2 S > threshold).
double probabilityOfExceeding(const Forecast& forecast, double thresholdLog2);

// log2 of the expected (geometric) speedup: the forecaster's own mean when it has one, else from its bins.
double expectedLog2(const Forecast& forecast);

} // namespace foresight
