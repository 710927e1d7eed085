// SPDX-License-Identifier: Apache-2.0
// `search` and `evaluate spaces` of the built foresight-cli, on a small made-up recorded space.
#include "core/base/file.h"
#include "core/gpu/recorded_space.h"
#include "core/kernels/family.h"
#include "core/profile/profile.h"
#include "core/search/event.h"
#include "core/search/started.h"
#include "core/store/session.h"
#include "tests/cli_runner.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <thread>
#include <unistd.h>

using namespace foresight;
using foresight::test::CliRun;
using foresight::test::CliRunner;

namespace {

// A smooth valley with one best point (x = 5, y = 2, z = 1), failures along one edge, every time known in
// advance.
RecordedSpace makeSpace(std::int64_t width)
{
    std::vector<TuningParameter> parameters(3);
    parameters[0].name = "x";
    parameters[1].name = "y";
    parameters[2].name = "z";
    for (std::int64_t i = 0; i < width; ++i) {
        parameters[0].values.emplace_back(i);
        parameters[1].values.emplace_back(i);
    }
    for (std::int64_t i = 0; i < 4; ++i)
        parameters[2].values.emplace_back(i);
    std::vector<std::uint16_t> codes;
    RecordedSpace space;
    for (std::int64_t x = 0; x < width; ++x)
        for (std::int64_t y = 0; y < width; ++y)
            for (std::int64_t z = 0; z < 4; ++z) {
                codes.insert(codes.end(), {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y),
                                           static_cast<std::uint16_t>(z)});
                RecordedRow row;
                const bool fails = y == width - 1;
                row.outcome = fails ? Outcome::BuildFailed : Outcome::Ok;
                const double away = std::abs(static_cast<double>(x - 5)) +
                                    2 * std::abs(static_cast<double>(y - 2)) +
                                    std::abs(static_cast<double>(z - 1));
                row.timeNs = fails ? 0 : 10'000 * (1 + .1 * away);
                if (!fails)
                    row.samplesNs.assign(12, row.timeNs);
                else
                    row.message = "planted";
                space.rows.push_back(row);
            }
    space.space = ConfigSpace(parameters, codes);
    space.title = "valley";
    space.gpuName = space.gpu.name = "NVIDIA H200";
    space.defaultIndex = 0; // x = y = z = 0: 20,000 ns
    space.baselines = {{"torch-eager", std::log(3.), std::log(2.9), std::log(3.1), 60'000}};
    space.driver = "1";
    space.cuda = "13";
    space.date = "2026-11-29";
    space.familyName = "valley";
    space.problemKey = "valley[N=1] f16 contiguous";
    space.dtype = DType::F16;
    space.layout = "contiguous";
    space.symbols = {{"N", std::int64_t{1}}};
    return space;
}

bool hasKeys(const Json& object, const std::vector<const char*>& keys)
{
    for (const char* key : keys)
        if (!object.is_object() || !object.contains(key)) {
            qWarning("no \"%s\" in %s", key, object.dump().c_str());
            return false;
        }
    return true;
}

std::vector<EventRow> eventsOf(const std::string& path, std::int64_t search)
{
    std::vector<EventRow> events;
    if (auto session = Session::open(path, Session::Mode::ReadOnly))
        static_cast<void>((*session)->readEvents(search, 0, std::numeric_limits<std::int64_t>::max(), true,
                                                 [&events](EventRow&& event) {
                                                     events.push_back(std::move(event));
                                                     return true;
                                                 }));
    return events;
}

} // namespace

class TestCliSearch : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void resultShape();
    void seedsRepeat();
    void baselines();
    void keptInASession();
    void eventStream();
    void resume();
    void interrupted();
    void usageErrors_data();
    void usageErrors();
    void failures();
    void operatorOfASession();
    void evaluateSpaces();
    void evaluateErrors();

private:
    CliRun search(std::vector<std::string> more) const
    {
        std::vector<std::string> words = {"search", "--json", "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        const bool named = std::find(more.begin(), more.end(), "--baseline") != more.end();
        if (!named)
            words.insert(words.end(), {"--baseline", "family-default"});
        return m_cli.run(words);
    }
    CliRunner m_cli;
    std::string m_space;
};

void TestCliSearch::initTestCase()
{
    QVERIFY2(fileExists(CliRunner::program()), "foresight-cli is not built");
    m_space = m_cli.path("valley.t4.json.zst");
    const auto written = writeRecordedSpace(makeSpace(10), m_space);
    QVERIFY2(written.ok(), written.ok() ? "" : written.error().toString().c_str());
}

void TestCliSearch::resultShape()
{
    const auto run = search({"--space", m_space, "--budget-measurements", "40", "--seed", "3"});
    QVERIFY2(run.status == 0, run.err.c_str());
    QVERIFY(hasKeys(run.json, {"operator", "problem", "configurations", "gpu", "runs"}));
    QCOMPARE(run.json["configurations"].get<int>(), 400);
    QCOMPARE(run.json["runs"].size(), std::size_t{1});
    const Json& one = run.json["runs"][0];
    QVERIFY(hasKeys(one, {"seed", "best", "trajectory", "counts", "calibration", "budget", "rate",
                          "skip_risk", "log_hash"}));
    QCOMPARE(one["seed"].get<int>(), 3);
    QVERIFY(hasKeys(one["best"], {"speedup", "config", "node", "measured"}));
    QCOMPARE(one["best"]["measured"].get<bool>(), true);
    QVERIFY(hasKeys(one["counts"],
                    {"proposed", "duplicates", "forecast", "skipped", "measured", "failed", "audited"}));
    QCOMPARE(one["counts"]["measured"].get<int>() + one["counts"]["failed"].get<int>(), 40);
    QVERIFY(hasKeys(one["calibration"], {"n", "ece", "rps", "rps_skill", "brier"}));
    QVERIFY(one["calibration"]["n"].get<int>() > 0 && one["calibration"]["n"].get<int>() <= 40);
    QCOMPARE(one["budget"]["measurements"]["used"].get<int>(), 40);
    QCOMPARE(one["budget"]["measurements"]["limit"].get<int>(), 40);
    QVERIFY(one["budget"]["gpu_seconds"]["limit"].is_null());
    QCOMPARE(one["log_hash"].get<std::string>().size(), std::size_t{64});
    const Json& trajectory = one["trajectory"];
    QCOMPARE(trajectory.size(), std::size_t{40});
    double best = 0;
    int candidates = 0;
    for (std::size_t i = 0; i < trajectory.size(); ++i) {
        QCOMPARE(trajectory[i]["measurements"].get<std::size_t>(), i + 1);
        QVERIFY(trajectory[i]["candidates"].get<int>() >= candidates);
        candidates = trajectory[i]["candidates"].get<int>();
        if (trajectory[i]["best_speedup"].is_null())
            continue;
        QVERIFY(trajectory[i]["best_speedup"].get<double>() >= best);
        best = trajectory[i]["best_speedup"].get<double>();
        const double fraction = trajectory[i]["fraction_of_optimum"].get<double>();
        QVERIFY(fraction > 0 && fraction <= 1);
        // Both are about the same candidate: 20,000 ns over its time, and 10,000 ns over its time.
        QVERIFY(std::abs(best / fraction - 2) < 1e-6);
    }
    QVERIFY(best > 1.5); // of 2, in a valley this smooth
    const auto text = m_cli.run({"search", "--space", m_space, "--budget-measurements", "5", "--quiet"});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.find("valley") != std::string::npos);
}

void TestCliSearch::seedsRepeat()
{
    const auto hashes = [this](const char* seed, const char* repeat) {
        std::vector<std::string> result;
        const auto run =
            search({"--space", m_space, "--budget-measurements", "25", "--seed", seed, "--repeat", repeat});
        for (const auto& one : run.json["runs"])
            result.push_back(one["log_hash"].get<std::string>());
        return result;
    };
    const auto first = hashes("1", "2");
    QCOMPARE(first.size(), std::size_t{2});
    QVERIFY(first[0] != first[1]);
    QCOMPARE(hashes("1", "2"), first);
    QCOMPARE(hashes("2", "1").front(), first[1]);
}

void TestCliSearch::baselines()
{
    const auto ours = search({"--space", m_space, "--budget-measurements", "30"}).json["runs"][0];
    const auto eager =
        search({"--space", m_space, "--budget-measurements", "30", "--baseline", "torch-eager"})
            .json["runs"][0];
    QCOMPARE(eager["baseline"].get<std::string>(), std::string("torch-eager"));
    QVERIFY(std::abs(eager["best"]["speedup"].get<double>() * 20'000 /
                         (eager["trajectory"].back()["fraction_of_optimum"].get<double>() * 2 * 20'000) -
                     3) < 1e-6);
    QVERIFY(ours["best"]["speedup"].get<double>() <= 2 + 1e-9);
}

void TestCliSearch::keptInASession()
{
    const std::string path = m_cli.path("kept.fsight");
    const auto run =
        search({"--space", m_space, "--budget-measurements", "20", "--repeat", "2", "--out", path});
    QVERIFY2(run.status == 0, run.err.c_str());
    auto session = *Session::open(path);
    const auto searches = *session->searches();
    session.reset();
    QCOMPARE(searches.size(), std::size_t{2});
    for (std::size_t i = 0; i < searches.size(); ++i) {
        QCOMPARE(searches[i].id, run.json["runs"][i]["search"].get<std::int64_t>());
        QCOMPARE(searches[i].problemKey, std::string("valley[N=1] f16 contiguous"));
        QCOMPARE(searches[i].events, run.json["runs"][i]["events"].get<std::int64_t>());
        QCOMPARE(canonicalLogHash(eventsOf(path, searches[i].id)),
                 run.json["runs"][i]["log_hash"].get<std::string>());
        QVERIFY(searchOptionsFromJson(searches[i].optionsJson).ok());
    }
    // A second search goes into the same session.
    QCOMPARE(search({"--space", m_space, "--budget-measurements", "5", "--out", path}).status, 0);
    QCOMPARE((*(*Session::open(path))->searches()).size(), std::size_t{3});
}

void TestCliSearch::eventStream()
{
    const auto run = m_cli.run({"search", "--space", m_space, "--budget-measurements", "10", "--jsonl"});
    QCOMPARE(run.status, 0);
    QVERIFY(run.lines.size() > 20);
    for (std::size_t i = 0; i + 1 < run.lines.size(); ++i) {
        QCOMPARE(run.lines[i]["seq"].get<std::size_t>(), i + 1);
        QVERIFY(run.lines[i]["event"].get<std::string>() != "unknown");
    }
    QCOMPARE(run.lines.front()["event"].get<std::string>(), std::string("search_started"));
    QCOMPARE(run.lines.back()["result"]["runs"].size(), std::size_t{1});
}

// A log that ends anywhere goes on to the same end.
void TestCliSearch::resume()
{
    const std::string whole = m_cli.path("whole.fsight");
    const auto run =
        search({"--space", m_space, "--budget-measurements", "30", "--seed", "9", "--out", whole});
    const auto events = eventsOf(whole, 1);
    QVERIFY(events.size() > 100);
    const auto record = (*(*Session::open(whole))->searches()).front();
    for (const std::size_t kept : {std::size_t{3}, events.size() / 2, events.size() - 1}) {
        const std::string path = m_cli.path("cut" + std::to_string(kept) + ".fsight");
        {
            auto session = *Session::create(path);
            const auto id = *session->addSearch(record);
            QVERIFY(session->appendEvents(id, std::span(events).first(kept)).ok());
        }
        const auto resumed = search({"--resume", "--out", path});
        QVERIFY2(resumed.status == 0, resumed.err.c_str());
        QCOMPARE(resumed.json["runs"][0]["log_hash"].get<std::string>(),
                 run.json["runs"][0]["log_hash"].get<std::string>());
        QCOMPARE(search({"--resume", "--out", path}).json["error"]["code"].get<std::string>(),
                 std::string("not_found"));
    }
    QCOMPARE(search({"--resume", "--out", m_cli.path("none.fsight")}).status, 1);
    QCOMPARE(search({"--resume"}).status, 2);
}

// Ctrl-C in mid-search: what was found is printed, the log is whole, and the search can go on.
void TestCliSearch::interrupted()
{
    const std::string big = m_cli.path("big.t4.json.zst");
    QVERIFY(writeRecordedSpace(makeSpace(60), big).ok());
    const std::string path = m_cli.path("interrupted.fsight");
    auto options =
        m_cli.options({"search", "--space", big, "--budget-measurements", "14000", "--out", path, "--jsonl"});
    auto started = Subprocess::start(options);
    QVERIFY(started.ok());
    std::string text;
    bool signalled = false;
    std::optional<ProcessExit> exit;
    for (int waited = 0; waited < 30'000 && !exit; ++waited) {
        char buffer[65536];
        const ssize_t n = ::read((*started)->stdoutFd(), buffer, sizeof buffer);
        if (n > 0) {
            text.append(buffer, static_cast<std::size_t>(n));
            if (!signalled && text.find("\"event\":\"measured\"") != std::string::npos) {
                ::kill((*started)->pid(), SIGINT);
                signalled = true;
            }
            continue;
        }
        exit = n == 0 ? std::optional((*started)->wait()) : std::nullopt;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    QVERIFY(signalled);
    QVERIFY(exit.has_value());
    QVERIFY2(exit->exited && exit->status == 1, exit->describe().c_str());
    const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
    const Json result = Json::parse(last, nullptr, false);
    QVERIFY2(hasKeys(result, {"error", "runs"}), last.c_str());
    QCOMPARE(result["error"]["code"].get<std::string>(), std::string("cancelled"));
    QVERIFY(result["runs"][0]["counts"]["measured"].get<int>() >= 1);
    const auto events = eventsOf(path, 1);
    QCOMPARE(static_cast<std::int64_t>(events.size()), result["runs"][0]["events"].get<std::int64_t>());
    QVERIFY(!fileExists(path + ".lock"));
}

void TestCliSearch::usageErrors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const char* arguments, const char* part) {
        QTest::newRow(name) << QString::fromUtf8(arguments).split(u' ', Qt::SkipEmptyParts)
                            << QString::fromUtf8(part);
    };
    row("no budget", "--space SPACE", "--budget-measurements");
    row("nothing to search", "--budget-measurements 5", "--space");
    row("two things", "--space SPACE --family softmax --budget-measurements 5", "one thing");
    row("session without operator", "x.fsight --budget-measurements 5", "--operator");
    row("unknown search", "--space SPACE --budget-measurements 5 --search magic", "magic");
    row("unknown policy", "--space SPACE --budget-measurements 5 --policy magic", "magic");
    row("unknown generator", "--space SPACE --budget-measurements 5 --generator magic", "magic");
    row("unknown gpu", "--space SPACE --budget-measurements 5 --gpu toaster", "toaster");
    row("unknown baseline", "--space SPACE --budget-measurements 5 --baseline magic", "magic");
    row("negative budget", "--space SPACE --budget-measurements -5", "");
    row("audit too rare", "--space SPACE --budget-measurements 5 --audit 0.001", "");
    row("no repeat", "--space SPACE --budget-measurements 5 --repeat 0", "");
    row("unknown family", "--family nope --shape N=1 --budget-measurements 5", "nope");
}

void TestCliSearch::usageErrors()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    std::vector<std::string> words;
    for (const QString& argument : arguments)
        words.push_back(argument == QStringLiteral("SPACE") ? m_space : argument.toStdString());
    const auto run = search(words);
    QVERIFY2(run.status == 2, (run.out + run.err).c_str());
    QCOMPARE(run.json["error"]["code"].get<std::string>(), std::string("usage"));
    const std::string all =
        run.json["error"]["message"].get<std::string>() + run.json["error"]["hint"].get<std::string>();
    QVERIFY2(all.find(part.toStdString()) != std::string::npos, all.c_str());
}

void TestCliSearch::failures()
{
    const auto missing = search({"--space", m_cli.path("absent.json"), "--budget-measurements", "5"});
    QCOMPARE(missing.status, 1);
    QCOMPARE(missing.json["error"]["code"].get<std::string>(), std::string("not_found"));
    const std::string broken = m_cli.path("broken.t4.json");
    QVERIFY(writeFileAtomically(broken, "{\"results\": 5}").ok());
    QCOMPARE(search({"--space", broken, "--budget-measurements", "5"}).status, 1);
    const auto noForecaster =
        search({"--space", m_space, "--budget-measurements", "5", "--forecaster", "magic"});
    QVERIFY(noForecaster.status != 0);
    QVERIFY(noForecaster.json.contains("error"));
    // Its folder does not exist.
    QCOMPARE(
        search({"--space", m_space, "--budget-measurements", "5", "--out", m_cli.path("no/such/x.fsight")})
            .status,
        1);
}

void TestCliSearch::operatorOfASession()
{
    CliRunner cli;
    const auto registry = FamilyRegistry::load(FORESIGHT_SOURCE_DIR);
    QVERIFY(registry.ok());
    const auto family = registry->find("group_norm");
    QVERIFY(family != nullptr);
    // ATen's argument order: input, weight, bias, N, C, HxW, group, eps.
    ProfiledOperator op;
    op.id = OperatorId(7);
    op.description.name = "aten::native_group_norm";
    op.description.inputs = {{DType::F16, {1, 64, 32, 32}, {65536, 1024, 32, 1}},
                             {DType::F16, {64}, {1}},
                             {DType::F16, {64}, {1}}};
    op.description.inputs.resize(8);
    op.description.scalars = {{3, std::int64_t{1}},
                              {4, std::int64_t{64}},
                              {5, std::int64_t{1024}},
                              {6, std::int64_t{32}},
                              {7, 1e-5}};
    op.calls = 1;
    op.gpuNs = op.meanNs = 1000;
    std::string why;
    const auto problem = family->match(op.description, &why);
    QVERIFY2(problem.has_value(), why.c_str());
    const std::string path = cli.path("profile.fsight");
    {
        auto session = *Session::create(path);
        Profile profile;
        profile.title = "one operator";
        profile.operators = {op};
        QVERIFY(saveProfile(*session, profile).ok());
    }
    const std::vector<std::string> words = {
        "search", path, "--operator", "7", "--gpu", "recorded", "--budget-measurements", "12", "--json"};
    const auto nothing = cli.run(words);
    QCOMPARE(nothing.status, 1);
    QCOMPARE(nothing.json["error"]["code"].get<std::string>(), std::string("not_found"));
    // It says what was looked for, and what there is or how to get it.
    QVERIFY(nothing.json["error"]["message"].get<std::string>().find(problem->key) != std::string::npos);
    QVERIFY(nothing.json["error"]["hint"].get<std::string>().find("recorded") != std::string::npos);

    RecordedSpace space = makeSpace(10);
    space.problemKey = problem->key;
    space.familyName = "group_norm";
    QVERIFY(makeFolders(cli.path("data/foresight/spaces")).ok());
    QVERIFY(writeRecordedSpace(space, cli.path("data/foresight/spaces/x.t4.json.zst")).ok());
    auto kept = words;
    kept.insert(kept.end(), {"--out", cli.path("out.fsight")});
    const auto run = cli.run(kept);
    QVERIFY2(run.status == 0, (run.out + run.err).c_str());
    QCOMPARE(run.json["problem"].get<std::string>(), problem->key);
    // The session with the search has the profile too, and the profile's own session is as it was.
    auto out = *Session::open(cli.path("out.fsight"));
    QCOMPARE((*out->searches()).front().operatorId, std::int64_t{7});
    QCOMPARE(loadProfile(*out)->operators.size(), std::size_t{1});
    QCOMPARE((*(*Session::open(path))->searches()).size(), std::size_t{0});
    auto wrong = words;
    wrong[3] = "8";
    QCOMPARE(cli.run(wrong).status, 2);
}

void TestCliSearch::evaluateSpaces()
{
    const auto run = m_cli.run({"evaluate", "spaces", m_space, "--search", "puct,random", "--budgets",
                                "25,50", "--seeds", "4", "--json", "--quiet"});
    QVERIFY2(run.status == 0, run.err.c_str());
    QVERIFY(hasKeys(run.json, {"spaces", "aggregate"}));
    const Json& space = run.json["spaces"][0];
    QVERIFY(hasKeys(space, {"file", "configurations", "valid", "claimable", "policies"}));
    QCOMPARE(space["configurations"].get<int>(), 400);
    QCOMPARE(space["valid"].get<int>(), 360);
    QCOMPARE(space["policies"].size(), std::size_t{2});
    // Known for this space: exact random after k draws, counted here by its definition over all 400 times.
    const RecordedSpace truth = makeSpace(10);
    for (const auto& policy : space["policies"]) {
        QVERIFY(hasKeys(policy, {"search", "policy", "forecaster", "budgets"}));
        QCOMPARE(policy["budgets"].size(), std::size_t{2});
        for (const auto& budget : policy["budgets"]) {
            QVERIFY(hasKeys(budget, {"n", "mean", "sd", "min", "random"}));
            QVERIFY(budget["mean"].get<double>() > 0 && budget["mean"].get<double>() <= 1);
            QVERIFY(budget["min"].get<double>() <= budget["mean"].get<double>());
            const double exact = truth.exactRandom(budget["n"].get<std::size_t>());
            QVERIFY(std::abs(budget["random"].get<double>() - exact) < 1e-9);
        }
    }
    QCOMPARE(run.json["aggregate"].size(), std::size_t{2});
    QCOMPARE(space["policies"][0]["search"].get<std::string>(), std::string("puct"));
    // A licence file beside a space, as FOLDER/* names it, is not a space.
    const auto text = m_cli.run(
        {"evaluate", "spaces", m_space, m_space + ".license", "--budgets", "5", "--seeds", "1", "--quiet"});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.find("at 5") != std::string::npos);
}

void TestCliSearch::evaluateErrors()
{
    const auto status = [this](std::vector<std::string> words) {
        words.insert(words.begin(), {"evaluate", "spaces"});
        words.push_back("--json");
        const auto run = m_cli.run(words);
        return run.json.contains("error") ? run.status : -2;
    };
    QCOMPARE(status({m_space, "--seeds", "2"}), 2);
    QCOMPARE(status({m_space, "--budgets", "5"}), 2);
    QCOMPARE(status({m_space, "--budgets", "0", "--seeds", "2"}), 2);
    QCOMPARE(status({m_space, "--budgets", "5", "--seeds", "0"}), 2);
    QCOMPARE(status({m_space, "--budgets", "5", "--seeds", "2", "--search", "magic"}), 2);
    QCOMPARE(status({m_cli.path("absent"), "--budgets", "5", "--seeds", "2"}), 1);
    QCOMPARE(status({m_space + ".license", "--budgets", "5", "--seeds", "2"}), 2);
    QCOMPARE(m_cli.run({"evaluate"}).status, 2);
}

QTEST_APPLESS_MAIN(TestCliSearch)
#include "tst_cli_search.moc"
