// SPDX-License-Identifier: Apache-2.0
// Evaluation on recorded spaces: its arithmetic by hand, random search against its exact expectation, and the
// default search on whole tuning spaces recorded by others.
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/search/evaluate_spaces.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace foresight;

namespace {

// A Kernel Tuner cachefile with 5 x 4 configurations; two fail.
std::string smallCache()
{
    Json cache = Json::object();
    for (int x = 0; x < 5; ++x)
        for (int y = 0; y < 4; ++y) {
            const int bx = 16 << x, ty = 1 + y;
            Json row{{"block_size_x", bx}, {"tile_size", ty}};
            if (x == 4 && y >= 2)
                row["time"] = "RuntimeFailedConfig";
            else
                row["time"] = 1.0 + .5 * std::abs(x - 2) + .25 * std::abs(y - 1);
            cache[std::to_string(bx) + "," + std::to_string(ty)] = row;
        }
    return Json{{"device_name", "Test GPU"},
                {"kernel_name", "small"},
                {"tune_params_keys", {"block_size_x", "tile_size"}},
                {"tune_params", {{"block_size_x", {16, 32, 64, 128, 256}}, {"tile_size", {1, 2, 3, 4}}}},
                {"cache", cache}}
        .dump();
}

std::string sharedSpace(const char* name)
{
    return qEnvironmentVariable("FORESIGHT_SHARED").toStdString() + "/data/spaces/" + name;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSlow = true;
#else
constexpr bool kSlow = false;
#endif

} // namespace

class TestEvaluate : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_file = (m_folder.path() + QStringLiteral("/small.json")).toStdString();
        QVERIFY(writeFileAtomically(m_file, smallCache()).ok());
    }
    void scoresByHand()
    {
        const BudgetScore score = scoreOf(50, {.8, .9, 1.0}, .8);
        QCOMPARE(score.n, 50);
        QVERIFY(std::abs(score.mean - .9) < 1e-12);
        QVERIFY(std::abs(score.sd - .1) < 1e-12);
        QVERIFY(std::abs(score.standardError - .1 / std::sqrt(3.)) < 1e-12);
        QCOMPARE(score.min, .8);
        QVERIFY(std::abs(score.gapClosed - .5) < 1e-12);
        QVERIFY(!score.belowRandom);
        // Mean + 2 se = .70: below .72 - .01, but at 25 only below .72 - .03 would count.
        QVERIFY(scoreOf(50, {.70, .70}, .72).belowRandom);
        QVERIFY(!scoreOf(25, {.70, .70}, .72).belowRandom);
        QVERIFY(scoreOf(25, {.70, .70}, .74).belowRandom);
        QVERIFY(!scoreOf(50, {.60, .80}, .72).belowRandom); // 2 se = .2
        QCOMPARE(scoreOf(50, {1.}, 1.).gapClosed, 1.);
    }
    void randomSearchIsItsExactExpectation()
    {
        EvaluationOptions options;
        options.files = {m_file};
        options.searches = {"random"};
        options.budgets = {1, 3, 8, 15};
        options.seeds = 400;
        const auto evaluation = evaluateSpaces(options);
        QVERIFY2(evaluation.ok(), evaluation ? "" : evaluation.error().message.c_str());
        const auto space = readRecordedSpace(m_file);
        QVERIFY(space.ok());
        QCOMPARE(evaluation->spaces[0].valid, std::size_t{18});
        for (const BudgetScore& score : evaluation->spaces[0].policies[0].budgets) {
            QCOMPARE(score.random, space->exactRandom(static_cast<std::size_t>(score.n)));
            const double tolerance = 4 * score.standardError + .002;
            QVERIFY2(
                std::abs(score.mean - score.random) < tolerance,
                qPrintable(
                    QStringLiteral("n=%1: %2 against %3").arg(score.n).arg(score.mean).arg(score.random)));
        }
    }
    void threadsAndOrderDoNotMatter()
    {
        EvaluationOptions options;
        options.files = {m_file};
        options.searches = {"puct", "random", "ei", "greedy", "puct-paper", "uct", "evolve"};
        options.policies = {"improvement", "top"};
        options.budgets = {12, 20};
        options.seeds = 6;
        options.base.startDesign = 4;
        const auto text = [&](int threads) {
            options.threads = threads;
            int calls = 0;
            auto evaluation = evaluateSpaces(options, [&](std::int64_t done, std::int64_t total) {
                ++calls;
                if (total != 78 || done != calls) // (6 searches x 2 policies + random) x 6
                    calls = -1000;
            });
            if (!evaluation || calls != 78)
                return QString();
            for (SpaceScore& space : evaluation->spaces)
                for (SearchScore& score : space.policies)
                    score.hostMsPerMeasurement = 0;
            for (SearchScore& score : evaluation->aggregate)
                score.hostMsPerMeasurement = 0;
            return QString::fromStdString(evaluationToJson(*evaluation).dump());
        };
        const QString one = text(1);
        QVERIFY(!one.isEmpty());
        QCOMPARE(text(3), one);
        const Json json = Json::parse(one.toStdString());
        QCOMPARE(json["spaces"][0]["policies"].size(), std::size_t{13});
        QCOMPARE(json["spaces"][0]["policies"][0]["search"].get<std::string>(), std::string("puct"));
        // The whole space was measured.
        for (const Json& policy : json["spaces"][0]["policies"])
            QCOMPARE(policy["budgets"][1]["mean"].get<double>(), 1.);
        QCOMPARE(json["aggregate"].size(), std::size_t{13});
        QVERIFY(json["aggregate"][0]["budgets"][0].contains("random"));
    }
    void mistakesAreErrors()
    {
        EvaluationOptions options;
        QCOMPARE(evaluateSpaces(options).error().code, ErrorCode::InvalidArgument);
        options.files = {m_folder.path().toStdString() + "/none.json"};
        QVERIFY(!evaluateSpaces(options));
        options.files = {m_file};
        options.searches = {"best"};
        QCOMPARE(evaluateSpaces(options).error().code, ErrorCode::InvalidArgument);
        options.searches = {"puct"};
        options.budgets = {0};
        QCOMPARE(evaluateSpaces(options).error().code, ErrorCode::InvalidArgument);
        options.budgets = {5};
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(evaluateSpaces(options, {}, stop.get_token()).error().isCancelled());
    }
    void sameSeedSameLogOnARecordedGpu()
    {
        auto space = std::make_shared<RecordedSpace>(*readRecordedSpace(m_file));
        SearchOptions options;
        options.startDesign = 4;
        options.budget.measurements = 16;
        options.seed = 5;
        for (const RecordedMode mode : {RecordedMode::Mean, RecordedMode::Noisy}) {
            const auto first = runOnRecordedSpace(space, options, mode);
            const auto second = runOnRecordedSpace(space, options, mode);
            QVERIFY(first.ok() && second.ok());
            QCOMPARE(first->logHash, second->logHash);
            QCOMPARE(first->fractions.size(), std::size_t{16});
        }
    }
    // Bars of the product's design, on spaces recorded by others.
    void theDefaultSearchOnWholeSpaces_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("n");
        QTest::addColumn<double>("bar");
        QTest::newRow("convolution 3090") << QStringLiteral("convolution_RTX_3090.json.gz") << 100 << .99;
        QTest::newRow("convolution 2080 Ti")
            << QStringLiteral("convolution_RTX_2080_Ti.json.gz") << 100 << .99;
        QTest::newRow("pnpoly 3090") << QStringLiteral("pnpoly_RTX_3090.json.gz") << 100 << .99;
        QTest::newRow("gemm 3090") << QStringLiteral("gemm_RTX_3090.json.gz") << 100 << .985;
    }
    void theDefaultSearchOnWholeSpaces()
    {
        QFETCH(QString, file);
        QFETCH(int, n);
        QFETCH(double, bar);
        EvaluationOptions options;
        options.files = {sharedSpace(file.toLatin1().constData())};
        if (!fileExists(options.files[0]))
            QSKIP("needs the shared recorded spaces (FORESIGHT_SHARED)");
        if (kSlow)
            QSKIP("statistics need an optimised build; the other tests look for memory errors and races");
        options.budgets = {n};
        options.seeds = 6;
        const auto evaluation = evaluateSpaces(options);
        QVERIFY(evaluation.ok());
        const BudgetScore& score = evaluation->spaces[0].policies[0].budgets[0];
        QVERIFY2(score.mean >= bar, qPrintable(QString::number(score.mean)));
        QVERIFY(!score.belowRandom);
    }
    // The bars of the shipped spaces, with few seeds; `evaluate spaces` holds them with forty.
    void theDefaultSearchOnTheShippedSpaces()
    {
        if (kSlow)
            QSKIP("statistics need an optimised build; the other tests look for memory errors and races");
        EvaluationOptions options;
        const QDir folder(QStringLiteral(FORESIGHT_SOURCE_DIR "/profiles/spaces"));
        for (const QString& name : folder.entryList({QStringLiteral("*.zst")}, QDir::Files))
            options.files.push_back(folder.filePath(name).toStdString());
        options.budgets = {25, 50};
        options.seeds = 6;
        const auto evaluation = evaluateSpaces(options);
        QVERIFY2(evaluation.ok(), evaluation ? "" : evaluation.error().message.c_str());
        int hard = 0;
        for (const SpaceScore& space : evaluation->spaces) {
            hard += space.policies[0].budgets[1].random <= .95;
            for (const BudgetScore& score : space.policies[0].budgets)
                QVERIFY2(!score.belowRandom, space.file.c_str());
        }
        QVERIFY2(hard >= 3, qPrintable(QString::number(hard)));
        for (const BudgetScore& score : evaluation->aggregate[0].budgets)
            QVERIFY(score.mean > score.random);
        const double closed = evaluation->aggregate[0].budgets[1].gapClosed;
        QVERIFY2(closed >= .6, qPrintable(QString::number(closed)));
    }
    // Nothing to learn: the search must do as well as chance, and must not seem to do better.
    void shuffledTimesLeaveNothingToFind()
    {
        const std::string file = sharedSpace("pnpoly_RTX_3090.json.gz");
        if (!fileExists(file))
            QSKIP("needs the shared recorded spaces (FORESIGHT_SHARED)");
        if (kSlow)
            QSKIP("statistics need an optimised build; the other tests look for memory errors and races");
        RecordedSpace space = *readRecordedSpace(file);
        Random random(77);
        for (std::size_t i = space.rows.size(); i > 1; --i)
            std::swap(space.rows[i - 1], space.rows[random.below(i)]);
        const auto shuffled = std::make_shared<const RecordedSpace>(std::move(space));
        std::vector<double> fractions;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            SearchOptions options;
            options.seed = seed;
            options.budget.measurements = 50;
            const auto run = runOnRecordedSpace(shuffled, options);
            QVERIFY(run.ok());
            fractions.push_back(run->fractions.back());
        }
        const BudgetScore score = scoreOf(50, fractions, shuffled->exactRandom(50));
        QVERIFY2(std::abs(score.mean - score.random) < 3.5 * score.standardError + .01,
                 qPrintable(QStringLiteral("%1 against %2").arg(score.mean).arg(score.random)));
    }

private:
    QTemporaryDir m_folder;
    std::string m_file;
};

QTEST_APPLESS_MAIN(TestEvaluate)
#include "tst_evaluate.moc"
