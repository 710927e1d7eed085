// SPDX-License-Identifier: Apache-2.0
#include "core/search/policy.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace foresight {

namespace {

bool ranksByProbability(const PolicyOptions& options)
{
    return options.name == "confidence" || options.name == "risk";
}

double rankScore(const PolicyOptions& options, const Forecast& forecast,
                 const std::optional<double>& incumbentLog2)
{
    if (options.name == "top")
        return expectedLog2(forecast) + std::log2(std::max(forecast.successProbability(), 1e-6));
    if (ranksByProbability(options))
        return incumbentLog2
                   ? probabilityOfExceeding(forecast, *incumbentLog2 + std::log2(1 + options.margin))
                   : forecast.successProbability();
    return forecast.expectedImprovement;
}

// How many of the candidates, whose scores are in descending order, the rule measures.
std::size_t wanted(const PolicyOptions& options, const std::vector<double>& scores)
{
    const std::size_t count = scores.size();
    if (options.name == "all")
        return count;
    if (options.name == "top") {
        // The product is rounded to 1e-9 first: .07 * 100 must not become 8.
        const double k = std::ceil(options.topFraction * static_cast<double>(count) - 1e-9);
        return std::min(count, static_cast<std::size_t>(std::max(k, 1.0)));
    }
    std::size_t k = count;
    if (options.name == "confidence") {
        while (k > 1 && scores[k - 1] < options.confidence)
            --k;
        return k;
    }
    if (options.name == "risk") {
        const double allowed = options.risk * std::accumulate(scores.begin(), scores.end(), 0.);
        double skipped = 0;
        while (k > 1 && skipped + scores[k - 1] <= allowed)
            skipped += scores[--k];
        return k;
    }
    return std::min(count, static_cast<std::size_t>(options.measuredPerExpansion));
}

// Of each skipped candidate. Under `risk` in proportion to p, so that the running total of missed gains has
// little variance where gains are likely; the mean over the skipped stays as it was asked for, up to the
// bounds.
double auditProbability(const PolicyOptions& options, double score, double meanSkipped)
{
    if (options.name != "risk" || !(meanSkipped > 0))
        return options.auditProbability;
    return std::clamp(options.auditProbability * score / meanSkipped, .02, 1.);
}

} // namespace

double expectedLog2(const Forecast& forecast)
{
    return forecast.sdLog2 > 0 ? forecast.meanLog2 : std::log2(geometricSpeedup(forecast.bins));
}

double probabilityOfExceeding(const Forecast& forecast, double thresholdLog2)
{
    const double above =
        forecast.sdLog2 > 0
            ? .5 * std::erfc((thresholdLog2 - forecast.meanLog2) / forecast.sdLog2 / std::sqrt(2.))
            : 1 - cdfAtLog2(forecast.bins, thresholdLog2);
    return std::clamp(above * forecast.successProbability(), 0., 1.);
}

Result<void> checkPolicy(const PolicyOptions& options)
{
    const auto invalid = [](std::string message, std::string hint) {
        return makeError(ErrorCode::InvalidArgument, std::move(message), std::move(hint));
    };
    constexpr const char* kNames[] = {"all", "top", "confidence", "improvement", "risk"};
    if (std::find(std::begin(kNames), std::end(kNames), options.name) == std::end(kNames))
        return invalid("there is no policy '" + options.name + "'",
                       "the policies are all, top, confidence, improvement and risk");
    const auto isShare = [](double value) { return value >= 0 && value < 1; };
    if (!isShare(options.margin) || !isShare(options.confidence) || !isShare(options.risk))
        return invalid("margin, confidence and risk of a policy must be from 0 to below 1",
                       "the defaults are 0.02, 0.05 and 0.05");
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
                                                std::optional<std::int64_t> remaining, Random& auditCoins,
                                                std::optional<double> incumbentLog2)
{
    const std::size_t count = forecasts.size();
    std::vector<CandidateDecision> decisions(count);
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        order[i] = i;
        decisions[i].score = rankScore(options, forecasts[i], incumbentLog2);
    }
    std::stable_sort(order.begin(), order.end(), [&decisions](std::size_t x, std::size_t y) {
        return decisions[x].score > decisions[y].score;
    });
    std::vector<double> scores;
    for (const std::size_t i : order)
        scores.push_back(decisions[i].score);
    const std::size_t k = wanted(options, scores);
    const double meanSkipped =
        k < count ? std::accumulate(scores.begin() + static_cast<std::ptrdiff_t>(k), scores.end(), 0.) /
                        static_cast<double>(count - k)
                  : 0;
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
            const double pi = auditProbability(options, decision.score, meanSkipped);
            const bool heads = auditCoins.coin(pi);
            decision.pi = left > 0 ? pi : 0;
            decision.chosen = decision.audit = heads && left > 0;
            if (decision.audit)
                decision.payload.rule = "audit";
        }
        left -= decision.chosen ? 1 : 0;
    }
    return decisions;
}

} // namespace foresight
