// SPDX-License-Identifier: Apache-2.0
// Verdicts: worked cases for every reason, the intervals' exact error, and how often a candidate of no effect
// passes.
#include "core/base/random.h"
#include "core/guard/verdict.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <set>

using namespace foresight;

namespace {

// Faster by 20 %, confirmed twice.
VerdictEvidence good()
{
    VerdictEvidence e;
    e.baseline = "torch-eager";
    e.measured = 40;
    e.node = 17;
    e.cubinHash = "abc";
    const RatioInterval ratio{std::log(1.18), std::log(1.2), std::log(1.22)};
    e.search = ratio;
    e.confirmations = {{ratio, 48, "first", "abc"}, {ratio, 48, "second", "abc"}};
    return e;
}

RatioInterval around(double speedup, double factor)
{
    return {std::log(speedup / factor), std::log(speedup), std::log(speedup * factor)};
}

} // namespace

class TestVerdict : public QObject
{
    Q_OBJECT
private slots:
    void intervalsAreTheOrderStatistics()
    {
        std::vector<double> quads;
        for (int i = 1; i <= 60; ++i)
            quads.push_back((i * 37) % 61); // 1..60, shuffled
        QVERIFY(!lookInterval(std::span(quads).first(11)));
        std::vector<double> twelve;
        for (int i = 1; i <= 12; ++i)
            twelve.push_back((i * 5) % 13); // 1..12
        auto interval = lookInterval(twelve);
        QVERIFY(interval);
        QCOMPARE(interval->low, 2.);
        QCOMPARE(interval->estimate, 6.5);
        QCOMPARE(interval->high, 11.);
        twelve.push_back(1000); // not a look: the first twelve count
        QCOMPARE(lookInterval(twelve)->high, 11.);
        std::vector<double> more;
        for (int i = 48; i >= 1; --i)
            more.push_back(i);
        QCOMPARE(lookInterval(more)->low, 16.);
        QCOMPARE(lookInterval(more)->high, 33.);
        QCOMPARE(lookInterval(std::span(more).last(24))->low, 6.);
        QCOMPARE(lookInterval(std::span(more).last(24))->high, 19.);
        more[3] = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!lookInterval(more));
    }
    void everyReasonHasItsCase()
    {
        const auto reason = [](auto change) {
            VerdictEvidence e = good();
            change(e);
            const Verdict verdict = decideVerdict(e);
            if (verdict.deploy != verdict.detail.empty() && !verdict.deploy && verdict.detail.empty())
                return std::string("without words");
            return verdict.deploy ? std::string("deploy") : std::string(verdictReasonName(verdict.reason));
        };
        QCOMPARE(reason([](auto&) {}), std::string("deploy"));
        QCOMPARE(
            reason([](auto& e) { e.confirmations[0].ratio = e.confirmations[1].ratio = around(.9, 1.02); }),
            std::string("slower"));
        QCOMPARE(
            reason([](auto& e) { e.confirmations[0].ratio = e.confirmations[1].ratio = around(1.04, 1.02); }),
            std::string("not_significant"));
        QCOMPARE(
            reason([](auto& e) { e.confirmations[0].ratio = e.confirmations[1].ratio = around(1.0, 1.02); }),
            std::string("not_significant"));
        QCOMPARE(reason([](auto& e) { e.confirmations[1].ratio = around(1.04, 1.02); }),
                 std::string("unconfirmed"));
        QCOMPARE(reason([](auto& e) { e.confirmations[1].ratio = around(1.25, 1.02); }),
                 std::string("unconfirmed")); // 4 % apart
        QCOMPARE(reason([](auto& e) { e.confirmations[1].ratio = around(1.23, 1.02); }),
                 std::string("deploy"));
        QCOMPARE(reason([](auto& e) { e.confirmations[1].cubinHash = "def"; }), std::string("unconfirmed"));
        QCOMPARE(reason([](auto& e) { e.confirmations[1].quads = 0; }),
                 std::string("unconfirmed")); // no interval behind it
        QCOMPARE(reason([](auto& e) { e.confirmations.pop_back(); }), std::string("unconfirmed"));
        QCOMPARE(reason([](auto& e) {
                     e.confirmations.clear();
                     e.search = around(.9, 1.02);
                 }),
                 std::string("slower"));
        QCOMPARE(reason([](auto& e) {
                     e.confirmations.clear();
                     e.search = around(1.01, 1.02);
                 }),
                 std::string("not_significant"));
        QCOMPARE(reason([](auto& e) { e.suspect = true; }), std::string("suspect"));
        QCOMPARE(reason([](auto& e) { e.verified = false; }), std::string("wrong_result"));
        QCOMPARE(reason([](auto& e) { e.confirmationOutcome = "nondeterministic"; }),
                 std::string("nondeterministic"));
        QCOMPARE(reason([](auto& e) { e.confirmationOutcome = "crashed"; }), std::string("crashed"));
        QCOMPARE(reason([](auto& e) { e.confirmationOutcome = "timeout"; }), std::string("timeout"));
        QCOMPARE(reason([](auto& e) { e.stale = "the driver is another one"; }), std::string("stale"));
        QCOMPARE(reason([](auto& e) { e.unsupported = "no family serves aten::sort"; }),
                 std::string("unsupported"));
        QCOMPARE(reason([](auto& e) { e.otherRegimeLn = std::log(.95); }), std::string("slower"));
        QCOMPARE(reason([](auto& e) { e.otherRegimeLn = 0; }), std::string("deploy"));
        QCOMPARE(reason([](auto& e) { e.margin = .19; }), std::string("not_significant"));
        const auto nothing = [&](std::map<std::string, std::int64_t> failures) {
            return reason([&](auto& e) {
                e.node = -1;
                e.measured = 0;
                e.failures = failures;
            });
        };
        QCOMPARE(nothing({}), std::string("not_measured"));
        QCOMPARE(nothing({{"build_failed", 5}, {"timeout", 2}}), std::string("build_failed"));
        QCOMPARE(nothing({{"build_failed", 1}, {"not_written", 2}}), std::string("wrong_result"));
        // NaN never passes.
        QCOMPARE(reason([](auto& e) {
                     e.confirmations[0].ratio = {NAN, NAN, NAN};
                 }),
                 std::string("unconfirmed"));
        QCOMPARE(reason([](auto& e) {
                     e.confirmations[0].ratio = e.confirmations[1].ratio = {NAN, NAN, NAN};
                 }),
                 std::string("unconfirmed"));
        QCOMPARE(reason([](auto& e) { e.otherRegimeLn = NAN; }), std::string("slower"));
    }
    void whatIsReported()
    {
        VerdictEvidence e = good();
        e.confirmations[1].ratio = {std::log(1.15), std::log(1.21), std::log(1.25)};
        const Verdict verdict = decideVerdict(e);
        QVERIFY(verdict.deploy);
        QVERIFY(std::abs(std::exp(verdict.ratio->estimate) - std::sqrt(1.2 * 1.21)) <
                1e-12); // geometric mean
        QVERIFY(std::abs(std::exp(verdict.ratio->low) - 1.15) < 1e-12);
        QVERIFY(std::abs(std::exp(verdict.ratio->high) - 1.25) < 1e-12);
        QCOMPARE(verdictDecisionName(verdict), std::string_view("deploy"));
    }
    // The same distribution on both sides: how often do the three looks call a difference, how often is it
    // deployed?
    void aVersusA()
    {
        Random random(2026);
        constexpr int kRuns = 20'000;
        int called = 0, deployed = 0;
        for (int run = 0; run < kRuns; ++run) {
            VerdictEvidence e = good();
            e.margin = 0;
            e.agreement = 1;
            bool any = false;
            for (auto& confirmation : e.confirmations) {
                std::vector<double> quads(48);
                for (double& q : quads) // skewed by rare slow samples, as timings are, with median 0
                    q = random.coin(.1) ? 5 * random.normal() : random.normal();
                for (const std::size_t look : {12u, 24u, 48u}) {
                    const auto interval = lookInterval(std::span(quads).first(look));
                    any = any ||
                          (&confirmation == &e.confirmations[0] && (interval->low > 0 || interval->high < 0));
                    confirmation.ratio = *interval;
                }
            }
            called += any;
            deployed += decideVerdict(e).deploy;
        }
        // .026 in all at most (the looks overlap): 3 standard deviations are .0034.
        QVERIFY2(called < kRuns * (.0262 + .0034), qPrintable(QString::number(called)));
        QVERIFY2(called > kRuns * .01, qPrintable(QString::number(called))); // and the looks are used
        // Two lower bounds of .0066: 4.4e-5, so .87 expected in 20,000; 6 or more has probability .0003.
        QVERIFY(std::abs(falseDeployBound() - .0066 * .0066) < 3e-6);
        QVERIFY2(deployed < 6, qPrintable(QString::number(deployed)));
    }
    void exactErrorsOfTheLooks()
    {
        const auto tail = [](int n, int k) { // P(Bin(n, 1/2) <= k)
            double term = std::pow(.5, n), sum = 0;
            for (int i = 0; i <= k; ++i) {
                sum += term;
                term *= static_cast<double>(n - i) / (i + 1);
            }
            return sum;
        };
        const double total = 2 * (tail(12, 1) + tail(24, 5) + tail(48, 15));
        QVERIFY2(std::abs(total - .026) < .0005, qPrintable(QString::number(total)));
        QVERIFY(std::abs(falseDeployBound() - tail(48, 15) * tail(48, 15)) < 1e-12);
    }
    void evidenceComesBackAsItWas()
    {
        VerdictEvidence e = good();
        e.recorded = true;
        e.failures = {{"timeout", 2}};
        e.otherRegimeLn = .125;
        e.notes = {"from recordings"};
        const std::string text = evidenceToJson(e);
        const auto again = evidenceFromJson(text);
        QVERIFY(again.ok());
        QCOMPARE(evidenceToJson(*again), text);
        QCOMPARE(again->confirmations.size(), std::size_t{2});
        QCOMPARE(decideVerdict(*again).deploy, decideVerdict(e).deploy);
        Random random(4);
        for (int i = 0; i < 2000; ++i) {
            std::string broken = text;
            broken[random.below(broken.size())] = "{}[],:\"0n\xff"[random.below(10)];
            if (const auto parsed = evidenceFromJson(broken))
                (void)decideVerdict(*parsed);
        }
        QVERIFY(!evidenceFromJson("{}"));
        QVERIFY(!evidenceFromJson("[]"));
    }
    void namesOfReasons()
    {
        std::set<std::string_view> names;
        for (int i = 1; i <= 12; ++i)
            names.insert(verdictReasonName(static_cast<VerdictReason>(i)));
        QCOMPARE(names.size(), std::size_t{12});
        QVERIFY(!names.count(""));
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
