// SPDX-License-Identifier: Apache-2.0
// Which candidates a policy measures, what audits add, and what a budget takes away; the event payloads'
// round trips.
#include "core/search/budget.h"
#include "core/search/payload.h"
#include "core/search/policy.h"
#include "core/search/started.h"

#include <QtTest>

using namespace foresight;

namespace {

// Expected improvement and mean log2 S of six candidates; their orders differ on purpose.
std::vector<Forecast> sixForecasts()
{
    const double improvement[6] = {.5, .1, .9, .3, .2, .05};
    const double mean[6] = {1, 3, 0, 2, -1, .5};
    std::vector<Forecast> forecasts(6);
    for (std::size_t i = 0; i < 6; ++i) {
        forecasts[i].expectedImprovement = improvement[i];
        forecasts[i].meanLog2 = mean[i];
        forecasts[i].sdLog2 = .5;
        forecasts[i].bins = binsOfNormal(mean[i], .5);
    }
    return forecasts;
}

std::vector<std::size_t> chosen(const std::vector<CandidateDecision>& decisions, bool audits = false)
{
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < decisions.size(); ++i)
        if (decisions[i].chosen && decisions[i].audit == audits)
            indices.push_back(i);
    return indices;
}

using Indices = std::vector<std::size_t>;

} // namespace

class TestPolicy : public QObject
{
    Q_OBJECT
private slots:
    void improvementTakesTheBestK()
    {
        PolicyOptions options;
        Random coins(1);
        auto decisions = decideCandidates(options, sixForecasts(), std::nullopt, coins);
        QCOMPARE(chosen(decisions), (Indices{2}));
        QCOMPARE(decisions[2].pi, 1.);
        QCOMPARE(decisions[2].score, .9);
        QCOMPARE(decisions[2].payload.rank, 1);
        QCOMPARE(decisions[0].payload.rank, 2);
        QCOMPARE(decisions[0].payload.of, 6);
        QCOMPARE(decisions[0].payload.threshold, .9);
        QCOMPARE(decisions[0].pi, 0.);
        options.measuredPerExpansion = 3;
        QCOMPARE(chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins)), (Indices{0, 2, 3}));
    }
    void topRanksByExpectedSpeedup()
    {
        PolicyOptions options;
        options.name = "top";
        Random coins(1);
        QCOMPARE(chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins)),
                 (Indices{1, 3})); // ceil(1.5)
        options.topFraction = .01; // never rounds to none
        QCOMPARE(chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins)), (Indices{1}));
        options.topFraction = .5; // exactly three
        QCOMPARE(chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins)), (Indices{0, 1, 3}));
        // 16 -> 4, as in the paper.
        options.topFraction = .25;
        QCOMPARE(chosen(decideCandidates(options, std::vector<Forecast>(16), std::nullopt, coins)).size(),
                 std::size_t{4});
        // A likely failure counts less.
        auto forecasts = sixForecasts();
        forecasts[1].failsToRun = .9;
        options.topFraction = .1;
        QCOMPARE(chosen(decideCandidates(options, forecasts, std::nullopt, coins)), (Indices{3}));
    }
    void allMeasuresAllWithinTheBudget()
    {
        PolicyOptions options;
        options.name = "all";
        Random coins(1);
        QCOMPARE(chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins)).size(),
                 std::size_t{6});
        const auto decisions = decideCandidates(options, sixForecasts(), 2, coins);
        QCOMPARE(chosen(decisions), (Indices{0, 2}));
        QCOMPARE(decisions[3].payload.rule, std::string("budget"));
        QCOMPARE(decisions[3].pi, 0.);
        QVERIFY(chosen(decideCandidates(options, sixForecasts(), 0, coins)).empty());
        QVERIFY(decideCandidates(options, {}, std::nullopt, coins).empty());
    }
    // P(log2 S > 1.5 + log2 1.02) of means 1, 3, 0, 2, -1, .5 with sd .5: .1452 .9984 .0011 .8271 0 .0198.
    void probabilityOfBeatingTheBest()
    {
        const auto forecasts = sixForecasts();
        const double threshold = 1.5 + std::log2(1.02);
        const double expected[6] = {.1452, .9984, .0011, .8271, 0, .0198};
        for (std::size_t i = 0; i < 6; ++i)
            QVERIFY(std::abs(probabilityOfExceeding(forecasts[i], threshold) - expected[i]) < 1e-4);
        Forecast forecast = forecasts[0];
        QCOMPARE(probabilityOfExceeding(forecast, 1), .5);
        forecast.failsToRun = .2;
        QCOMPARE(probabilityOfExceeding(forecast, 1), .4);
        forecast.sdLog2 = 0; // from its bins alone
        forecast.bins = {0, 0, 0, 0, 0, .5, .5, 0};
        QCOMPARE(probabilityOfExceeding(forecast, 1), .4);
    }
    void confidenceSkipsTheHopeless()
    {
        PolicyOptions options;
        options.name = "confidence";
        Random coins(1);
        const auto with = [&](double confidence) {
            options.confidence = confidence;
            return chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins, 1.5));
        };
        QCOMPARE(with(.05), (Indices{0, 1, 3}));
        QCOMPARE(with(.01), (Indices{0, 1, 3, 5}));
        QCOMPARE(with(.5), (Indices{1, 3}));
        QCOMPARE(with(.9999), (Indices{1})); // one always
        // Nothing measured yet: whatever runs is better.
        QCOMPARE(chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins)).size(),
                 std::size_t{6});
    }
    void riskSkipsAShareOfTheChances()
    {
        PolicyOptions options;
        options.name = "risk";
        Random coins(1);
        const auto with = [&](double risk) {
            options.risk = risk;
            return chosen(decideCandidates(options, sixForecasts(), std::nullopt, coins, 1.5));
        };
        // Of 1.9916 in all: .0996 may be skipped (.0209 are), .1992 (.1661 are), 1 % = .0199 (.0011 are).
        QCOMPARE(with(.05), (Indices{0, 1, 3}));
        QCOMPARE(with(.1), (Indices{1, 3}));
        QCOMPARE(with(.01), (Indices{0, 1, 3, 5}));
        QCOMPARE(with(0).size(), std::size_t{6});
        QCOMPARE(with(.99), (Indices{1}));
    }
    // Audits in proportion to p, and the running total of xi L / pi is right on the mean.
    void auditsUnderRiskAreUnbiased()
    {
        PolicyOptions options;
        options.name = "risk";
        options.auditProbability = .2;
        const double loss[6] = {0, 0, .3, 0, .1, .6};
        Random coins(11);
        constexpr int kRuns = 20000;
        double total = 0, audits = 0;
        for (int run = 0; run < kRuns; ++run) {
            const auto decisions = decideCandidates(options, sixForecasts(), std::nullopt, coins, 1.5);
            for (std::size_t i = 0; i < 6; ++i)
                if (decisions[i].audit) {
                    total += loss[i] / decisions[i].pi / kRuns;
                    audits += 1. / kRuns;
                }
            QCOMPARE(decisions[4].pi, .02); // never rarer
            QVERIFY(std::abs(decisions[5].pi - .2 * 3 * .0198 / .0209) < .01);
        }
        // Variances: .09 * 49, .01 * 49 and .36 * .76 a run: sd of the mean .016.
        QVERIFY2(std::abs(total - 1) < .08, qPrintable(QString::number(total)));
        QVERIFY2(audits > .55 && audits < .65, qPrintable(QString::number(audits)));
    }
    void auditsAreIndependentCoins()
    {
        PolicyOptions options;
        options.auditProbability = .2;
        Random coins(5);
        int audits = 0, pairs = 0;
        constexpr int kRuns = 4000;
        for (int run = 0; run < kRuns; ++run) {
            const auto decisions = decideCandidates(options, sixForecasts(), std::nullopt, coins);
            QCOMPARE(chosen(decisions), (Indices{2}));
            const auto audited = chosen(decisions, true);
            audits += static_cast<int>(audited.size());
            pairs += decisions[0].audit && decisions[1].audit;
            for (std::size_t i = 0; i < 6; ++i) {
                QCOMPARE(decisions[i].pi, i == 2 ? 1. : .2); // logged for the skipped, too
                if (decisions[i].audit)
                    QCOMPARE(decisions[i].payload.rule, std::string("audit"));
            }
        }
        // 20,000 coins of .2: 5 standard deviations are 283; 4,000 pairs of .04: 62.
        QVERIFY2(std::abs(audits - 4000) < 283, qPrintable(QString::number(audits)));
        QVERIFY2(std::abs(pairs - 160) < 62, qPrintable(QString::number(pairs)));
    }
    void auditsCountAgainstTheBudget()
    {
        PolicyOptions options;
        options.auditProbability = 1;
        Random coins(5);
        const auto decisions = decideCandidates(options, sixForecasts(), 3, coins);
        QCOMPARE(chosen(decisions), (Indices{2}));
        QCOMPARE(chosen(decisions, true), (Indices{0, 3})); // next best first
    }
    void impossibleOptionsAreRefused()
    {
        const auto bad = [](auto change) {
            SearchOptions options;
            change(options);
            const auto result = checkSearchOptions(options);
            return !result && result.error().code == ErrorCode::InvalidArgument;
        };
        QVERIFY(checkSearchOptions(SearchOptions()).ok());
        QVERIFY(bad([](SearchOptions& o) { o.policy.name = "best"; }));
        QVERIFY(bad([](SearchOptions& o) { o.search = "mcts"; }));
        QVERIFY(bad([](SearchOptions& o) { o.policy.auditProbability = .01; }));
        QVERIFY(bad([](SearchOptions& o) { o.policy.auditProbability = std::nan(""); }));
        QVERIFY(bad([](SearchOptions& o) { o.policy.topFraction = 0; }));
        QVERIFY(bad([](SearchOptions& o) { o.policy.topFraction = std::nan(""); }));
        QVERIFY(bad([](SearchOptions& o) { o.policy.candidatesPerExpansion = 0; }));
        QVERIFY(bad([](SearchOptions& o) { o.policy.measuredPerExpansion = 0; }));
        QVERIFY(bad([](SearchOptions& o) { o.startDesign = 0; }));
        QVERIFY(bad([](SearchOptions& o) { o.maxInFlight = 0; }));
        QVERIFY(bad([](SearchOptions& o) { o.exploration = -1; }));
        QVERIFY(bad([](SearchOptions& o) { o.budget.gpuSeconds = std::nan(""); }));
        QVERIFY(bad([](SearchOptions& o) { o.budget.measurements = -1; }));
    }
    void budgetsAreHardStops()
    {
        SearchBudget limits;
        limits.measurements = 3;
        limits.gpuSeconds = 2;
        limits.wallSeconds = 10;
        BudgetMeter meter(limits);
        QVERIFY(!meter.exhausted(2, 9.99));
        QCOMPARE(*meter.exhausted(3, 0), std::string("measurements"));
        QCOMPARE(*meter.exhausted(0, 10), std::string("wall seconds"));
        QCOMPARE(*meter.remaining(1), std::int64_t{2});
        QCOMPARE(*meter.remaining(5), std::int64_t{0});
        meter.addGpuSeconds(1.5);
        QVERIFY(!meter.exhausted(0, 0));
        meter.addGpuSeconds(.5);
        QCOMPARE(*meter.exhausted(0, 0), std::string("GPU seconds"));
        QVERIFY(!BudgetMeter({}).exhausted(1'000'000, 1e9));
        QVERIFY(!BudgetMeter({}).remaining(5));
    }

    void payloadsComeBackAsTheyWere()
    {
        ProposedPayload proposed{
            {{"vec", std::int64_t{8}}, {"algo", std::string("split")}, {"fast", true}, {"eps", 1e-5}},
            17u,
            "ab12",
            "neighbourhood"};
        auto proposedAgain = decodeProposed(encodePayload(proposed));
        QVERIFY(proposedAgain.ok());
        QCOMPARE(proposedAgain->configuration, proposed.configuration);
        QCOMPARE(proposedAgain->spaceIndex, proposed.spaceIndex);
        QCOMPARE(proposedAgain->contentHash, proposed.contentHash);
        QCOMPARE(proposedAgain->origin, proposed.origin);

        Forecast forecast = sixForecasts()[3];
        forecast.failsToRun = .25;
        forecast.wrongResult = .125;
        forecast.forecaster = "gp";
        forecast.modelVersion = 3;
        forecast.coldStart = true;
        auto forecastAgain = decodeForecast(encodePayload(forecast));
        QVERIFY(forecastAgain.ok());
        QCOMPARE(forecastAgain->bins, forecast.bins);
        QCOMPARE(forecastAgain->meanLog2, forecast.meanLog2);
        QCOMPARE(forecastAgain->failsToRun, .25);
        QCOMPARE(forecastAgain->wrongResult, .125);
        QCOMPARE(forecastAgain->expectedImprovement, forecast.expectedImprovement);
        QCOMPARE(forecastAgain->modelVersion, 3u);
        QVERIFY(forecastAgain->coldStart);

        SelectionPayload selection{12, 1, .5, 21, {{4, 1.5, .25, 2.5, 3}, {0, .5, .125, 1, 12}}, "00ff"};
        auto selectionAgain = decodeSelection(encodePayload(selection));
        QVERIFY(selectionAgain.ok());
        QCOMPARE(selectionAgain->total, 12.);
        QCOMPARE(selectionAgain->selectable, 21);
        QCOMPARE(selectionAgain->top.size(), std::size_t{2});
        QCOMPARE(selectionAgain->top[0].score, 2.5);
        QCOMPARE(selectionAgain->top[0].visits, 3);
        QCOMPARE(selectionAgain->top[1].prior, .125);
        QCOMPARE(selectionAgain->hash, selection.hash);

        MeasuredPayload measured{1234.5, 2000, .48, .47, .49, 24, Regime::Hot, true};
        auto measuredAgain = decodeMeasured(encodePayload(measured));
        QVERIFY(measuredAgain.ok());
        QCOMPARE(measuredAgain->timeNs, 1234.5);
        QCOMPARE(measuredAgain->lnLow, .47);
        QCOMPARE(measuredAgain->lnHigh, .49);
        QCOMPARE(measuredAgain->look, 24);
        QCOMPARE(measuredAgain->regime, Regime::Hot);
        QVERIFY(measuredAgain->recorded);

        GpuReply reply;
        reply.outcome = Outcome::NotWritten;
        reply.stage = Stage::Verify;
        reply.message = "element (3, 4) was never written";
        reply.compileLog = std::string(100'000, 'x');
        reply.costs = {1, 2, 3};
        reply.resources.push_back({});
        reply.resources[0].kernel = "k";
        reply.resources[0].registers = 77;
        reply.verification = VerificationReport{};
        reply.verification->failedCheck = "written";
        reply.verification->firstBadIndex = {3, 4};
        auto replyAgain = decodeReplyAnnex(encodeReplyAnnex(reply));
        QVERIFY(replyAgain.ok());
        QCOMPARE(replyAgain->outcome, Outcome::NotWritten);
        QCOMPARE(replyAgain->stage, Stage::Verify);
        QCOMPARE(replyAgain->message, reply.message);
        QVERIFY(replyAgain->compileLog.size() < 70'000);
        QCOMPARE(replyAgain->costs.gpuSeconds(), 5.);
        QCOMPARE(replyAgain->resources[0].registers, 77);
        QCOMPARE(replyAgain->verification->firstBadIndex, (std::vector<std::int64_t>{3, 4}));

        reply.timing = Timing{};
        reply.timing->candidateSamplesNs = {1, 2.5};
        reply.timing->otherRegimeLnRatio = .1;
        auto timingAgain = decodeMeasuredAnnex(encodeMeasuredAnnex(reply));
        QVERIFY(timingAgain.ok());
        QCOMPARE(timingAgain->timing->candidateSamplesNs, (std::vector<double>{1, 2.5}));
        QCOMPARE(*timingAgain->timing->otherRegimeLnRatio, .1);

        StartedPayload started;
        started.options.budget.gpuSeconds = 12.5;
        started.options.policy = {"top", 8, 2, .5, .05};
        started.options.seed = 0xfedcba9876543210ull;
        started.options.lnBaselineOverAnchor = -.25;
        started.configurations = 400;
        auto startedAgain = decodeStarted(encodePayload(started));
        QVERIFY(startedAgain.ok());
        QCOMPARE(encodePayload(*startedAgain), encodePayload(started));
        QCOMPARE(startedAgain->options.seed, started.options.seed);
        QVERIFY(!startedAgain->options.budget.measurements);
    }
    void brokenPayloadsAreErrors()
    {
        const std::string good[] = {encodePayload(ProposedPayload{{{"a", true}}, 1u, "", "user"}),
                                    encodePayload(sixForecasts()[0]),
                                    encodePayload(DecisionPayload{"all", 1, 2, 3}),
                                    encodePayload(SelectionPayload{1, 1, 1, 1, {{0, 1, 1, 1, 1}}, "ab"}),
                                    encodePayload(MeasuredPayload{1, 2, 3, 4, 5, 12, Regime::Cold, false}),
                                    encodePayload(StartedPayload{})};
        Random random(11);
        int refused = 0;
        for (int i = 0; i < 6000; ++i) {
            std::string text = good[random.below(6)];
            for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits) {
                const auto at = static_cast<std::size_t>(random.below(text.size()));
                if (random.coin(.3))
                    text.erase(at, 1 + random.below(8));
                else
                    text[at] = "{}[]\",:0-enull\xff\n"[random.below(15)];
                if (text.empty())
                    text = "x";
            }
            const bool results[] = {decodeProposed(text).ok(),   decodeForecast(text).ok(),
                                    decodeDecision(text).ok(),   decodeSelection(text).ok(),
                                    decodeMeasured(text).ok(),   decodeStarted(text).ok(),
                                    decodeReplyAnnex(text).ok(), decodeMeasuredAnnex(text).ok()};
            refused += !results[0];
        }
        QVERIFY(refused > 1000);
        QCOMPARE(decodeMeasured("{}").error().code, ErrorCode::Corrupt);
        QCOMPARE(decodeForecast("[1]").error().code, ErrorCode::Corrupt);
        QCOMPARE(decodeProposed("").error().code, ErrorCode::Corrupt);
    }
};

QTEST_APPLESS_MAIN(TestPolicy)
#include "tst_policy.moc"
