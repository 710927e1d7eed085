// SPDX-License-Identifier: Apache-2.0
#include "core/search/policy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foresight {

namespace {

double rankScore(const PolicyOptions& options, const Forecast& forecast)
{
    if (options.name == "top")
        return expectedLog2(forecast) + std::log2(std::max(forecast.successProbability(), 1e-6));
    return forecast.expectedImprovement;
}

std::size_t wanted(const PolicyOptions& options, std::size_t count)
{
    if (options.name == "all")
        return count;
    if (options.name == "top") {
        // The product is rounded to 1e-9 first: .07 * 100 must not become 8.
        const double k = std::ceil(options.topFraction * static_cast<double>(count) - 1e-9);
        return std::min(count, static_cast<std::size_t>(std::max(k, 1.0)));
    }
    return std::min(count, static_cast<std::size_t>(options.measuredPerExpansion));
}

} // namespace

double expectedLog2(const Forecast& forecast)
{
    return forecast.sdLog2 > 0 ? forecast.meanLog2 : std::log2(geometricSpeedup(forecast.bins));
}

Result<void> checkPolicy(const PolicyOptions& options)
{
    const auto invalid = [](std::string message, std::string hint) {
        return makeError(ErrorCode::InvalidArgument, std::move(message), std::move(hint));
    };
    if (options.name != "all" && options.name != "top" && options.name != "improvement")
        return invalid("there is no policy '" + options.name + "'",
                       "the policies are all, top and improvement");
    if (options.candidatesPerExpansion < 1 || options.measuredPerExpansion < 1)
        return invalid("an expansion needs at least one candidate and one measurement",
                       "give numbers from 1");
    if (!(options.topFraction > 0 && options.topFraction <= 1))
        return invalid("the fraction of policy 'top' must be above 0 and at most 1", "for example 0.25");
    if (options.auditProbability != 0 && !(options.auditProbability >= .02 && options.auditProbability <= 1))
        return invalid("the audit probability must be 0 (no audits) or between 0.02 and 1",
                       "rarer audits would need weights above 50, which say nothing");
    return {};
}

std::vector<CandidateDecision> decideCandidates(const PolicyOptions& options,
                                                std::span<const Forecast> forecasts,
                                                std::optional<std::int64_t> remaining, Random& auditCoins)
{
    const std::size_t count = forecasts.size();
    std::vector<CandidateDecision> decisions(count);
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        order[i] = i;
        decisions[i].score = rankScore(options, forecasts[i]);
    }
    std::stable_sort(order.begin(), order.end(), [&decisions](std::size_t x, std::size_t y) {
        return decisions[x].score > decisions[y].score;
    });
    const std::size_t k = wanted(options, count);
    const double threshold = k > 0 ? decisions[order[k - 1]].score : 0;
    std::int64_t left = remaining.value_or(std::numeric_limits<std::int64_t>::max());
    for (std::size_t rank = 0; rank < count; ++rank) {
        CandidateDecision& decision = decisions[order[rank]];
        decision.payload = {options.name, threshold, static_cast<int>(rank + 1), static_cast<int>(count)};
        if (rank < k) {
            decision.chosen = left > 0;
            decision.pi = decision.chosen ? 1 : 0;
            if (!decision.chosen)
                decision.payload.rule = "budget";
        } else if (options.auditProbability > 0) {
            // The coin is always thrown, so that the budget's end does not shift the stream of later coins.
            const bool heads = auditCoins.coin(options.auditProbability);
            decision.pi = left > 0 ? options.auditProbability : 0;
            decision.chosen = decision.audit = heads && left > 0;
            if (decision.audit)
                decision.payload.rule = "audit";
        }
        left -= decision.chosen ? 1 : 0;
    }
    return decisions;
}

} // namespace foresight
