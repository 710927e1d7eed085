// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/profile/profile.h"
#include "core/store/session.h"
#include "tests/cli_runner.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace foresight;
using foresight::test::CliRun;
using foresight::test::CliRunner;

namespace {

const std::vector<std::string> kCommands = {"doctor", "families", "compile", "operators", "profile",
                                            "search", "sweep",    "verdict", "evaluate"};

// What the contract says of every failure: status, and error{code,message,hint} as the only JSON.
void checkError(const CliRun& run, int status, const std::string& code, const std::string& part)
{
    QVERIFY2(run.status == status, (run.out + run.err).c_str());
    QVERIFY2(run.json.is_object() && run.json.contains("error"), run.out.c_str());
    const Json& error = run.json["error"];
    QCOMPARE(error["code"].get<std::string>(), code);
    QVERIFY2(error["message"].get<std::string>().find(part) != std::string::npos, error.dump().c_str());
    QVERIFY(error["hint"].is_string());
    QVERIFY(run.err.find(part) != std::string::npos); // people see it too
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

ProfiledOperator makeOperator(std::int64_t id, const std::string& name, double gpuNs, double floorNs,
                              std::int64_t calls)
{
    ProfiledOperator op;
    op.id = OperatorId(id);
    op.description.name = name;
    op.description.inputs = {{DType::F16, {1, 128, 64, 64}, {}}};
    op.modulePath = "up.0";
    op.modulePaths = {"up.0"};
    op.calls = calls;
    op.gpuNs = gpuNs;
    op.meanNs = gpuNs / static_cast<double>(calls);
    op.floorNs = floorNs;
    op.floorKind = FloorKind::Known;
    op.headroomNs = std::max(0., gpuNs - floorNs * static_cast<double>(calls));
    op.share = gpuNs / 10e6;
    return op;
}

} // namespace

class TestCli : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void help();
    void wrongUsage_data();
    void wrongUsage();
    void doctor();
    void families();
    void familiesOfTheUser();
    void spaceSizes();
    void problemErrors_data();
    void problemErrors();
    void compile();
    void operators();
    void verdicts();
    void sessionErrors();
    void commandsThatNeedAGpu();
    void outputThatCannotBeWritten();

private:
    CliRunner m_cli;
    Json m_can;
};

void TestCli::initTestCase()
{
    QVERIFY2(fileExists(CliRunner::program()), "foresight-cli is not built");
    m_can = m_cli.run({"doctor", "--json"}).json["can"];
}

void TestCli::help()
{
    const auto all = m_cli.run({"--help"});
    QCOMPARE(all.status, 0);
    QVERIFY(all.err.empty());
    for (const auto& command : kCommands) {
        QVERIFY(all.out.find("  " + command) != std::string::npos);
        const auto one = m_cli.run({command, "--help"});
        QCOMPARE(one.status, 0);
        QVERIFY2(one.out.find("Example:\n  foresight-cli " + command) != std::string::npos, one.out.c_str());
        QCOMPARE(one.out.find("--json") != std::string::npos, command != "evaluate"); // that one only groups
    }
    const auto version = m_cli.run({"--version"});
    QCOMPARE(version.status, 0);
    QVERIFY(version.out.starts_with("foresight-cli 0."));
}

void TestCli::wrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
    row("no command", {});
    row("unknown command", {QStringLiteral("fly")});
    row("unknown option", {QStringLiteral("doctor"), QStringLiteral("--fast")});
    row("missing argument", {QStringLiteral("operators")});
    row("json and jsonl", {QStringLiteral("families"), QStringLiteral("--json"), QStringLiteral("--jsonl")});
    row("not a number", {QStringLiteral("operators"), QStringLiteral("x"), QStringLiteral("--limit"),
                         QStringLiteral("many")});
    row("negative number", {QStringLiteral("profile"), QStringLiteral("--steps"), QStringLiteral("-1"),
                            QStringLiteral("--"), QStringLiteral("true")});
    row("nothing to profile", {QStringLiteral("profile")});
}

void TestCli::wrongUsage()
{
    QFETCH(QStringList, arguments);
    std::vector<std::string> words;
    for (const QString& argument : arguments)
        words.push_back(argument.toStdString());
    const auto plain = m_cli.run(words);
    QCOMPARE(plain.status, 2);
    if (!arguments.contains(QStringLiteral("--json")))
        QVERIFY2(plain.out.empty(), plain.out.c_str());
    QVERIFY(!plain.err.empty());
    words.insert(std::find(words.begin(), words.end(), "--"), "--json");
    const auto run = m_cli.run(words);
    QCOMPARE(run.status, 2);
    QCOMPARE(Json::parse(run.out.substr(0, run.out.rfind('}') + 1))["error"]["code"].get<std::string>(),
             std::string("usage"));
}

void TestCli::doctor()
{
    const auto run = m_cli.run({"doctor", "--json"});
    QCOMPARE(run.status, 0);
    std::set<std::string> ids;
    static const std::set<std::string> kStates = {"ok", "warn", "fail", "absent"};
    for (const auto& check : run.json["checks"]) {
        QVERIFY(hasKeys(check, {"id", "state", "detail", "fix"}));
        const auto state = check["state"].get<std::string>();
        QVERIFY(kStates.contains(state));
        QVERIFY(!check["detail"].get<std::string>().empty());
        // Whatever does not work comes with what to do about it.
        if (state != "ok")
            QVERIFY2(!check["fix"].get<std::string>().empty(), check.dump().c_str());
        QVERIFY(ids.insert(check["id"].get<std::string>()).second);
    }
    for (const char* id : {"data", "worker", "window", "driver", "gpu", "nvrtc", "cuda_headers", "cupti",
                           "pytorch", "disk", "cache"})
        QVERIFY2(ids.contains(id), id);
    QVERIFY(run.json["can"]["search_recorded"].get<bool>());
    QVERIFY(m_cli.run({"doctor"}).out.find("can      search_recorded") != std::string::npos);
    // An interpreter that does not exist is a finding, not a failure of doctor.
    const auto noPython = m_cli.run({"doctor", "--json", "--python", "no-such-python"});
    QCOMPARE(noPython.status, 0);
    for (const auto& check : noPython.json["checks"])
        if (check["id"] == "pytorch")
            QCOMPARE(check["state"].get<std::string>(), std::string("absent"));
}

void TestCli::families()
{
    const auto run = m_cli.run({"families", "--json"});
    QCOMPARE(run.status, 0);
    QVERIFY(run.err.empty());
    std::set<std::string> names;
    for (const auto& family : run.json["families"]) {
        QVERIFY(hasKeys(family, {"name", "title", "description", "operators", "dtypes", "layouts", "symbols",
                                 "parameters", "combinations", "source_hash"}));
        QVERIFY(!family["operators"].empty());
        QVERIFY(!family["parameters"].empty());
        for (const auto& parameter : family["parameters"])
            QVERIFY(!parameter["values"].empty());
        QCOMPARE(family["source_hash"].get<std::string>().size(), std::size_t{64});
        names.insert(family["name"].get<std::string>());
    }
    const auto folders = listFolder(FORESIGHT_SOURCE_DIR "/resources/kernels");
    QVERIFY(folders.ok());
    for (const auto& folder : *folders)
        if (fileExists(std::string(FORESIGHT_SOURCE_DIR "/resources/kernels/") + folder + "/family.json"))
            QVERIFY2(names.contains(folder), folder.c_str());
    QVERIFY(names.contains("group_norm"));
    const auto one = m_cli.run({"families", "group_norm", "--json"});
    QCOMPARE(one.json["families"].size(), std::size_t{1});
    QVERIFY(m_cli.run({"families"}).out.find("group_norm") != std::string::npos);
    const auto text = m_cli.run({"families", "group_norm"});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.find("parameter") != std::string::npos);
    checkError(m_cli.run({"families", "nope", "--json"}), 2, "usage", "nope");
}

// A family that cannot be read is reported and skipped, and never ends up in the results.
void TestCli::familiesOfTheUser()
{
    CliRunner cli;
    const std::string folder = cli.path("data/foresight/kernels/broken");
    QVERIFY(makeFolders(folder).ok());
    QVERIFY(writeFileAtomically(folder + "/family.json", R"({"name": "broken", "title": "1 + * 2"})").ok());
    const auto run = cli.run({"families", "--json"});
    QCOMPARE(run.status, 0);
    QVERIFY(run.json.is_object());
    QVERIFY2(run.err.find("broken") != std::string::npos, run.err.c_str());
    for (const auto& family : run.json["families"])
        QVERIFY(family["name"] != "broken");
    const auto doctor = cli.run({"doctor", "--json", "--python", "no-such-python"});
    QCOMPARE(doctor.json["checks"][0]["id"].get<std::string>(), std::string("data"));
    QCOMPARE(doctor.json["checks"][0]["state"].get<std::string>(), std::string("warn"));
}

void TestCli::spaceSizes()
{
    const auto run = m_cli.run({"families", "group_norm", "--shape", "N=1", "C=128", "H=1024", "W=1024",
                                "G=32", "silu=true", "--dtype", "f16", "--json"});
    QVERIFY2(run.status == 0, run.err.c_str());
    const Json& space = run.json["families"][0]["space"];
    QVERIFY(hasKeys(space, {"problem", "gpu", "configurations", "default", "floor_us"}));
    QVERIFY(space["configurations"].get<int>() >= 300);
    // Each element is read once and written once in two bytes: the floor cannot be below this at 4.8 TB/s,
    // the sheet bandwidth of an H200.
    QVERIFY(space["floor_us"].get<double>() >= 2. * 128 * 1024 * 1024 * 2 / 4.8e12 * 1e6 * .99);
    QVERIFY(space["problem"].get<std::string>().starts_with("group_norm["));
}

void TestCli::problemErrors_data()
{
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("extra");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const char* shape, const char* extra, const char* part) {
        QTest::newRow(name) << QString::fromUtf8(shape) << QString::fromUtf8(extra)
                            << QString::fromUtf8(part);
    };
    row("no value", "N=", "", "name=value");
    row("no name", "=3", "", "name=value");
    row("no equals sign", "N", "", "name=value");
    row("twice", "N=1,N=2", "", "twice");
    row("missing size", "N=1,C=128,W=8", "", "H");
    row("unknown size", "N=1,C=128,H=8,W=8,G=32,depth=3", "", "depth");
    row("impossible", "N=1,C=100,H=8,W=8,G=32", "", "");
    row("not a number", "N=1,C=many,H=8,W=8,G=32", "", "C");
    row("negative", "N=-1,C=128,H=8,W=8,G=32", "", "");
    row("unknown dtype", "N=1,C=128,H=8,W=8,G=32", "--dtype=f13", "f13");
    row("unknown layout", "N=1,C=128,H=8,W=8,G=32", "--layout=spiral", "spiral");
}

void TestCli::problemErrors()
{
    QFETCH(QString, shape);
    QFETCH(QString, extra);
    QFETCH(QString, part);
    std::vector<std::string> words = {"families", "group_norm", "--json", "--shape", shape.toStdString()};
    if (!extra.isEmpty())
        words.push_back(extra.toStdString());
    checkError(m_cli.run(words), 2, "usage", part.toStdString());
}

void TestCli::compile()
{
    const std::vector<std::string> shape = {"--shape", "N=1",     "C=128", "H=64",  "W=64",
                                            "G=32",    "--dtype", "f16",   "--json"};
    auto words = [&shape](std::vector<std::string> first) {
        first.insert(first.end(), shape.begin(), shape.end());
        return first;
    };
    checkError(m_cli.run(words({"compile", "nope"})), 2, "usage", "nope");
    checkError(m_cli.run(words({"compile", "group_norm", "--config", "turbo=11"})), 2, "usage", "turbo");
    checkError(m_cli.run(words({"compile", "group_norm", "--arch", "sm_1"})), 2, "usage", "sm_1");
    if (!m_can["compile"].get<bool>()) {
        const auto run = m_cli.run(words({"compile", "group_norm"}));
        QCOMPARE(run.status, 1);
        QVERIFY(run.json.contains("error"));
        QSKIP("no CUDA toolkit or worker here: compiled results are not checked");
    }
    const std::string cubin = m_cli.path("x.cubin");
    const auto run = m_cli.run(words({"compile", "group_norm", "--arch", "sm_90", "--out", cubin}));
    QVERIFY2(run.status == 0, run.err.c_str());
    QVERIFY(hasKeys(run.json, {"family", "problem", "configuration", "arch", "resources", "log", "cubin_hash",
                               "seconds"}));
    QVERIFY(!run.json["resources"].empty());
    for (const auto& kernel : run.json["resources"]) {
        QVERIFY(hasKeys(kernel, {"kernel", "registers", "spill_stores", "spill_loads", "static_shared",
                                 "dynamic_shared", "threads_per_block", "occupancy"}));
        QVERIFY(kernel["registers"].get<int>() > 0 && kernel["registers"].get<int>() <= 255);
    }
    QVERIFY(readFile(cubin)->starts_with("\x7f"
                                         "ELF"));
}

void TestCli::operators()
{
    const std::string path = m_cli.path("profile.fsight");
    {
        auto session = *Session::create(path);
        Profile profile;
        profile.title = "three operators";
        profile.command = "python3 x.py";
        profile.gpuName = "NVIDIA H200";
        profile.steps = 3;
        profile.gpuNs = 10e6;
        profile.records = {100, 0, 0, 0, {}};
        profile.notes = {"CUPTI was busy for the first step."};
        // Time and headroom rank differently: the second has most time and nothing to win.
        profile.operators = {makeOperator(1, "aten::a", 3e6, 100e3, 10),
                             makeOperator(2, "aten::b", 6e6, 590e3, 10),
                             makeOperator(3, "aten::c", 1e6, 1e3, 100)};
        QVERIFY(saveProfile(*session, profile).ok());
    }
    auto ids = [this, &path](const std::string& sort) {
        const auto run = m_cli.run({"operators", path, "--json", "--sort", sort});
        std::vector<int> result;
        for (const auto& op : run.json["operators"])
            result.push_back(op["id"].get<int>());
        return result;
    };
    QCOMPARE(ids("headroom"), (std::vector<int>{1, 3, 2}));
    QCOMPARE(ids("time"), (std::vector<int>{2, 1, 3}));
    QCOMPARE(ids("calls").front(), 3);
    QCOMPARE(ids("x_floor"), (std::vector<int>{3, 1, 2}));
    const auto run = m_cli.run({"operators", path, "--json", "--limit", "1"});
    QCOMPARE(run.status, 0);
    QCOMPARE(run.json["operators"].size(), std::size_t{1});
    const Json& op = run.json["operators"][0];
    QVERIFY(hasKeys(op, {"id", "name", "path", "dtypes", "shapes", "calls", "gpu_time_us", "share",
                         "floor_us", "x_floor", "headroom_us", "families"}));
    QCOMPARE(op["gpu_time_us"].get<double>(), 3000.);
    QCOMPARE(op["floor_us"].get<double>(), 100.);
    QCOMPARE(op["x_floor"].get<double>(), 3.);
    QCOMPARE(op["headroom_us"].get<double>(), 2000.);
    QCOMPARE(op["dtypes"], Json::array({"f16"}));
    QCOMPARE(op["shapes"], Json::parse("[[1,128,64,64]]"));
    QVERIFY(hasKeys(run.json["records"], {"received", "dropped", "untimed", "unmatched"}));
    QCOMPARE(run.json["records"]["received"].get<int>(), 100);
    QCOMPARE(run.json["profile"]["notes"], Json::array({"CUPTI was busy for the first step."}));
    const std::string text = m_cli.run({"operators", path}).out;
    QVERIFY(text.find("aten::b") != std::string::npos);
    QVERIFY(text.find("Note: CUPTI was busy") != std::string::npos);
    checkError(m_cli.run({"operators", path, "--sort", "beauty", "--json"}), 2, "usage", "beauty");
    // The session was only read.
    QCOMPARE(fileExists(path + ".lock"), false);
}

void TestCli::verdicts()
{
    const std::string path = m_cli.path("verdicts.fsight");
    {
        auto session = *Session::create(path);
        SearchRecord search;
        search.operatorName = "aten::native_group_norm";
        search.problemKey = "group_norm[...] f16";
        const auto id = *session->addSearch(search);
        QVERIFY(session->putVerdict({0, id, 4, "fall back", "not faster", R"({"lo": 0.98})", ""}).ok());
    }
    const auto run = m_cli.run({"verdict", path, "--json"});
    QCOMPARE(run.status, 0);
    const Json& verdict = run.json["verdicts"][0];
    QVERIFY(hasKeys(verdict,
                    {"search", "operator", "operator_name", "problem", "decision", "reason", "evidence"}));
    QCOMPARE(verdict["decision"].get<std::string>(), std::string("fall back"));
    QCOMPARE(verdict["evidence"]["lo"].get<double>(), .98);
    QVERIFY(m_cli.run({"verdict", path}).out.find("not faster") != std::string::npos);
}

void TestCli::sessionErrors()
{
    const std::string text = m_cli.path("text.fsight");
    QVERIFY(writeFileAtomically(text, "this is no session").ok());
    for (const char* command : {"operators", "verdict"}) {
        checkError(m_cli.run({command, m_cli.path("absent.fsight"), "--json"}), 1, "not_found",
                   "absent.fsight");
        checkError(m_cli.run({command, text, "--json"}), 1, "invalid_argument", "not a Foresight session");
        const auto lines = m_cli.run({command, text, "--jsonl"});
        QCOMPARE(lines.status, 1);
        QCOMPARE(lines.lines.size(), std::size_t{1});
        QVERIFY(lines.lines[0].contains("error"));
        const auto plain = m_cli.run({command, text});
        QCOMPARE(plain.status, 1);
        QVERIFY(plain.out.empty());
    }
}

void TestCli::commandsThatNeedAGpu()
{
    if (m_can["search_live"].get<bool>())
        QSKIP("there is a GPU here");
    const std::string file = m_cli.path("x.t4.json.zst");
    const auto sweep = m_cli.run({"sweep", "group_norm", "--shape", "N=1,C=128,H=64,W=64,G=32", "--dtype",
                                  "f16", "--out", file, "--json"});
    QCOMPARE(sweep.status, 1);
    QVERIFY2(hasKeys(sweep.json, {"error"}), sweep.out.c_str());
    QVERIFY(!sweep.json["error"]["message"].get<std::string>().empty());
    QVERIFY(!fileExists(file));
    checkError(m_cli.run({"sweep", "group_norm", "--shape", "N=1,C=128,H=64,W=64,G=32", "--dtype", "f16",
                          "--out", file, "--regime", "lukewarm", "--json"}),
               2, "usage", "lukewarm");
}

void TestCli::outputThatCannotBeWritten()
{
    ProcessOptions options = m_cli.options({});
    options.argv = {"sh", "-c", CliRunner::program() + " families --json > /dev/full"};
    const auto full = runProcess(options, {}, std::chrono::minutes(1));
    QVERIFY(full->exit.exited);
    QCOMPARE(full->exit.status, 1);
    QVERIFY(full->err.find("could not be written") != std::string::npos);
    // A reader that goes away ends the program without a signal and without hanging.
    options.argv = {"sh", "-c", CliRunner::program() + " families --json | true"};
    QCOMPARE(runProcess(options, {}, std::chrono::minutes(1))->exit.status, 0);
}

QTEST_APPLESS_MAIN(TestCli)
#include "tst_cli.moc"
