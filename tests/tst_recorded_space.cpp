// SPDX-License-Identifier: Apache-2.0
// Files of recorded spaces: ours and those of other tuners, cut, damaged, compressed and found again.
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/gpu/recorded_space.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <cstring>

using namespace foresight;

namespace {

bool near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance;
}

std::string sharedPath(const std::string& name)
{
    const QByteArray folder = qgetenv("FORESIGHT_SHARED");
    return folder.isEmpty() ? std::string() : folder.toStdString() + "/data/" + name;
}

std::string inFolder(const QTemporaryDir& folder, const std::string& name)
{
    return folder.path().toStdString() + '/' + name;
}

// Every field in use, to see that all survive.
RecordedSpace fullSpace()
{
    RecordedSpace s;
    s.title = "softmax rows \"quoted\"\n\xc3\xa4";
    s.space = ConfigSpace({{"BLOCK", {std::int64_t{32}, std::int64_t{64}}, "threads"},
                           {"FAST", {false, true}, ""},
                           {"MODE", {std::string("one"), std::string("two")}, ""},
                           {"SCALE", {2.0, .1}, ""}},
                          {0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0});
    s.gpuName = s.gpu.name = "NVIDIA H200";
    s.gpu.computeMajor = 9;
    s.gpu.smCount = 132;
    s.gpu.copyBandwidth = 4.3e12;
    s.driver = "580.1";
    s.cuda = "13.0";
    s.revision = "abc";
    s.date = "2026-11-29";
    s.smClockMhz = 1980;
    s.memoryClockMhz = 3201;
    s.familyName = "softmax";
    s.familyHash = "fam";
    s.problemKey = "softmax[C=8] bf16 contiguous";
    s.dtype = DType::BF16;
    s.layout = "contiguous";
    s.symbols = {{"C", std::int64_t{8}}, {"eps", 1e-5}, {"silu", true}, {"m", std::string("x")}};
    s.defaultIndex = 1;
    s.baselines = {{"torch-eager", .7, .6, .8, 123.5}};
    s.noiseFloor = .003;
    s.notes = {"first", "second"};
    s.rows.resize(3);
    RecordedRow& ok = s.rows[0];
    ok.outcome = Outcome::Ok;
    ok.timeNs = 1234.0625;
    ok.samplesNs = {1230.1, 1240.2};
    ok.sampleSets = {{1, 2, 3}, {4}};
    ok.anchorNs = 2000;
    ok.lnRatio = .48;
    ok.lnLow = .47;
    ok.lnHigh = .49;
    ok.look = 12;
    ok.truncated = ok.nearLimit = true;
    ok.regime = Regime::Hot;
    ok.contentHash = "c0ffee";
    KernelResources r;
    r.kernel = "k";
    r.registers = 40;
    r.spillStores = -1;
    r.dynamicShared = 4096;
    r.occupancy = .75;
    r.occupancyLimit = "registers";
    ok.resources = {r};
    ok.maxAbsError = 1e-4;
    ok.maxRelError = 2e-3;
    ok.costs = {.5, .01, .1};
    s.rows[1] = ok;
    s.rows[1].timeNs = 2000;
    s.rows[2].outcome = Outcome::OutOfBounds;
    s.rows[2].message = "wrote past y";
    s.rows[2].costs.compileSeconds = .3;
    return s;
}

void compareRows(const RecordedRow& a, const RecordedRow& b)
{
    QCOMPARE(a.outcome, b.outcome);
    QCOMPARE(a.timeNs, b.timeNs);
    QCOMPARE(a.samplesNs, b.samplesNs);
    QCOMPARE(a.sampleSets, b.sampleSets);
    QCOMPARE(a.anchorNs, b.anchorNs);
    QCOMPARE(a.lnRatio, b.lnRatio);
    QCOMPARE(a.lnLow, b.lnLow);
    QCOMPARE(a.lnHigh, b.lnHigh);
    QCOMPARE(a.look, b.look);
    QCOMPARE(a.truncated, b.truncated);
    QCOMPARE(a.nearLimit, b.nearLimit);
    QCOMPARE(a.regime, b.regime);
    QCOMPARE(a.message, b.message);
    QCOMPARE(a.contentHash, b.contentHash);
    QCOMPARE(a.resources.size(), b.resources.size());
    for (std::size_t i = 0; i < a.resources.size(); ++i) {
        QCOMPARE(a.resources[i].registers, b.resources[i].registers);
        QCOMPARE(a.resources[i].spillStores, b.resources[i].spillStores);
        QCOMPARE(a.resources[i].dynamicShared, b.resources[i].dynamicShared);
        QCOMPARE(a.resources[i].occupancy, b.resources[i].occupancy);
        QCOMPARE(a.resources[i].occupancyLimit, b.resources[i].occupancyLimit);
    }
    QCOMPARE(a.maxAbsError, b.maxAbsError);
    QCOMPARE(a.maxRelError, b.maxRelError);
    QCOMPARE(a.costs.compileSeconds, b.costs.compileSeconds);
    QCOMPARE(a.costs.verifySeconds, b.costs.verifySeconds);
    QCOMPARE(a.costs.measureSeconds, b.costs.measureSeconds);
}

const char* const kCache = R"({"device_name": "NVIDIA Test", "kernel_name": "add", "problem_size": [4, 4],
"tune_params_keys": ["b", "mode", "one", "mix"],
"tune_params": {"b": [32, 64, 128], "mode": ["x", "y"], "one": [15], "mix": ["test", 1, true, 2.45]},
"cache": {
"64,x,15,1": {"b": 64, "mode": "x", "one": 15, "mix": 1, "time": 2.5, "times": [2.4, 2.6], "compile_time": 100, "verification_time": 3, "benchmark_time": 20, "timestamp": "2023-01-24 01:03:17"},
"32,x,15,True": {"b": 32, "mode": "x", "one": 15, "mix": true, "time": "RuntimeFailedConfig", "compile_time": 90},
"32,y,15,2.45": {"b": 32, "mode": "y", "one": 15, "mix": 2.45, "time": "CompilationFailedConfig"},
"128,y,15,test": {"b": 128, "mode": "y", "one": 15, "mix": "test", "time": 1e20},
"128,x,15,test": {"b": 128, "mode": "x", "one": 15, "mix": "test", "__error__": "InvalidConfig"},
"32,y,15,test": {"b": 32, "mode": "y", "one": 15, "mix": "test", "time": 0.0, "times": [0.0]},
"64,y,15,test": {"b": 64, "mode": "y", "one": 15, "mix": "test", "time": 1.25, "times": [1.25, 1.25, 1.25]}}
})";

} // namespace

class TestRecordedSpace : public QObject
{
    Q_OBJECT
private slots:
    void foreignFormats()
    {
        const auto read = [](const char* name) { return readRecordedSpace(sharedPath(name)); };
        if (!fileExists(sharedPath("format-samples/convolution_W7800_T4.json.gz")))
            QSKIP("FORESIGHT_SHARED has no format samples");
        const auto t4 = read("format-samples/convolution_W7800_T4.json.gz");
        QVERIFY2(t4.ok(), t4 ? "" : t4.error().toString().c_str());
        QCOMPARE(t4->rows.size(), std::size_t{4362});
        QCOMPARE(t4->validCount(), std::size_t{4246});
        const auto first = t4->space.find({{"block_size_x", std::int64_t{16}},
                                           {"block_size_y", std::int64_t{1}},
                                           {"tile_size_x", std::int64_t{1}},
                                           {"tile_size_y", std::int64_t{1}},
                                           {"read_only", std::int64_t{0}},
                                           {"use_padding", std::int64_t{0}},
                                           {"use_shmem", std::int64_t{0}},
                                           {"use_cmem", std::int64_t{1}},
                                           {"filter_height", std::int64_t{15}},
                                           {"filter_width", std::int64_t{15}}});
        QVERIFY(first.has_value());
        QVERIFY(near(t4->rows[*first].timeNs, 3442430.1236867905, 1));
        QCOMPARE(t4->rows[*first].samplesNs.size(), std::size_t{32});

        const auto ktt = read("format-samples/KTConvolutionOutput_3090.json.gz");
        QVERIFY2(ktt.ok(), ktt ? "" : ktt.error().toString().c_str());
        QCOMPARE(ktt->rows.size(), std::size_t{6768});
        QCOMPARE(ktt->validCount(), std::size_t{5240});
        QVERIFY(near(ktt->rows[0].timeNs, 7368064, 1e-6));
        QCOMPARE(ktt->rows[0].resources.at(0).registers, 28);
        QCOMPARE(ktt->rows[0].resources.at(0).threadsPerBlock, 64);

        const auto failed = read("format-samples/gemm_A4000_2000_all-failed.json.gz");
        QVERIFY(failed.ok());
        QCOMPARE(failed->rows.size(), std::size_t{2000});
        QCOMPARE(failed->validCount(), std::size_t{0});
        QCOMPARE(failed->bestNs(), 0.);
        QVERIFY(!failed->claimable());
        QCOMPARE(failed->exactRandom(50), 0.);

        const auto mixed = read("format-samples/kernel_tuner_strategies_test_cache_file.json");
        QVERIFY(mixed.ok());
        QVERIFY(mixed->validCount() > 10);
    }

    void kernelTunerRows()
    {
        const auto space = parseRecordedSpace(kCache, "cache.json");
        QVERIFY2(space.ok(), space ? "" : space.error().toString().c_str());
        QCOMPARE(space->gpuName, std::string("NVIDIA Test"));
        QCOMPARE(space->date, std::string("2023-01-24"));
        QCOMPARE(space->rows.size(), std::size_t{7});
        QCOMPARE(space->validCount(), std::size_t{2});
        QCOMPARE(space->space.parameterCount(), std::size_t{4}); // one with a single value, too
        // File order, not key order.
        QCOMPARE(space->rows[0].timeNs, 2.5e6);
        QCOMPARE(space->rows[0].samplesNs, (std::vector<double>{2.4e6, 2.6e6}));
        QCOMPARE(space->rows[0].costs.compileSeconds, .1);
        QCOMPARE(space->rows[0].costs.verifySeconds, .003);
        QCOMPARE(space->rows[0].costs.measureSeconds, .02);
        QCOMPARE(space->rows[1].outcome, Outcome::Crashed);
        QCOMPARE(space->rows[1].message, std::string("RuntimeFailedConfig"));
        QCOMPARE(space->rows[2].outcome, Outcome::BuildFailed);
        QCOMPARE(space->rows[3].outcome, Outcome::Crashed);
        QCOMPARE(space->rows[4].outcome, Outcome::LaunchRejected);
        QVERIFY(space->rows[5].outcome != Outcome::Ok); // a zero time is no measurement
        QCOMPARE(space->bestNs(), 1.25e6);
        // 1 and true stay two values; each row has its own.
        QVERIFY(std::holds_alternative<bool>(space->space.value(1, 3)));
        QVERIFY(std::holds_alternative<std::int64_t>(space->space.value(0, 3)));
        const std::string notes = std::accumulate(space->notes.begin(), space->notes.end(), std::string());
        QVERIFY(notes.find("marker") != std::string::npos);
        QVERIFY(notes.find("zero or less") != std::string::npos);
    }

    void unclosedAndCutFilesLoad()
    {
        const std::string whole = kCache;
        // As a running tuner leaves it: without the last two brackets, with a comma.
        std::string open = whole.substr(0, whole.rfind("}\n}")) + ",\n";
        auto space = parseRecordedSpace(open, "open.json");
        QVERIFY2(space.ok(), space ? "" : space.error().toString().c_str());
        QCOMPARE(space->rows.size(), std::size_t{7});
        QVERIFY(!space->notes.empty());
        QVERIFY(space->notes.back().find("not closed") != std::string::npos);
        // In the middle of the last row.
        space = parseRecordedSpace(whole.substr(0, whole.find("\"64,y") + 40), "cut.json");
        QVERIFY(space.ok());
        QCOMPARE(space->rows.size(), std::size_t{6});
        // Before any row: nothing to use, said as an error.
        space = parseRecordedSpace(whole.substr(0, whole.find("\"64,x")), "empty.json");
        QVERIFY(!space.ok());
    }

    void unclosedPublicFileLoads()
    {
        const std::string path = sharedPath("format-samples/kernel_tuner_strategies_test_cache_file.json");
        if (!fileExists(path))
            QSKIP("FORESIGHT_SHARED has no format samples");
        const auto text = readFile(path);
        const auto whole = parseRecordedSpace(*text, "whole");
        std::string open = *text;
        for (int i = 0; i < 2; ++i)
            open.resize(open.rfind('}'));
        const auto cut = parseRecordedSpace(open + ",", "cut");
        QVERIFY(whole.ok() && cut.ok());
        QCOMPARE(cut->rows.size(), whole->rows.size());
        QCOMPARE(cut->bestNs(), whole->bestNs());
    }

    void nonFiniteWordsAreFailures()
    {
        std::string text = kCache;
        text.replace(text.find("\"time\": 1.25"), 12, "\"time\": NaN");
        text.replace(text.find("\"time\": 2.5,"), 12, "\"time\": Infinity,");
        const auto space = parseRecordedSpace(text, "nan.json");
        QVERIFY2(space.ok(), space ? "" : space.error().toString().c_str());
        QCOMPARE(space->rows.size(), std::size_t{7});
        QCOMPARE(space->validCount(), std::size_t{0});
    }

    void duplicatesAndSingleRows()
    {
        const std::string row = R"({"b": 1, "time": 2.0})";
        const std::string head = R"({"tune_params_keys": ["b"], "tune_params": {"b": [1]}, "cache": {)";
        auto space = parseRecordedSpace(head + "\"1\": " + row + "}}", "one.json");
        QVERIFY(space.ok());
        QCOMPARE(space->rows.size(), std::size_t{1});
        QCOMPARE(space->exactRandom(1), 1.);
        QVERIFY(!space->claimable()); // one sample says nothing of its error
        space = parseRecordedSpace(head + "\"1\": " + row + ", \"1b\": " + R"({"b": 1, "time": 9.0})" + "}}",
                                   "two.json");
        QVERIFY(space.ok());
        QCOMPARE(space->rows.size(), std::size_t{1});
        QCOMPARE(space->bestNs(), 2e6);
        QVERIFY(!space->notes.empty());
        space = parseRecordedSpace(head + "\"1\": " + row + R"(, "2": {"time": 1.0}, "3": 7}})", "bad.json");
        QVERIFY(space.ok());
        QCOMPARE(space->rows.size(), std::size_t{1});
        QVERIFY(space->notes.at(0).starts_with("2 rows"));
    }

    void oursRoundTrips_data()
    {
        QTest::addColumn<QByteArray>("ending");
        for (const char* ending : {".t4.json", ".t4.json.gz", ".t4.json.zst"})
            QTest::newRow(ending) << QByteArray(ending);
    }

    void oursRoundTrips()
    {
        QFETCH(QByteArray, ending);
        QTemporaryDir folder;
        const std::string path = inFolder(folder, "space" + ending.toStdString());
        const RecordedSpace out = fullSpace();
        QVERIFY(writeRecordedSpace(out, path).ok());
        const auto bytes = readFile(path);
        QVERIFY(writeRecordedSpace(out, path).ok());
        QVERIFY(*bytes == *readFile(path)); // the same space, the same bytes
        const auto in = readRecordedSpace(path);
        QVERIFY2(in.ok(), in ? "" : in.error().toString().c_str());
        QCOMPARE(in->title, out.title);
        QCOMPARE(in->gpuName, out.gpuName);
        QCOMPARE(in->gpu.smCount, 132);
        QCOMPARE(in->gpu.copyBandwidth, 4.3e12);
        QCOMPARE(in->driver, out.driver);
        QCOMPARE(in->cuda, out.cuda);
        QCOMPARE(in->revision, out.revision);
        QCOMPARE(in->date, out.date);
        QCOMPARE(in->smClockMhz, out.smClockMhz);
        QCOMPARE(in->memoryClockMhz, out.memoryClockMhz);
        QCOMPARE(in->familyName, out.familyName);
        QCOMPARE(in->familyHash, out.familyHash);
        QCOMPARE(in->problemKey, out.problemKey);
        QCOMPARE(in->dtype, out.dtype);
        QCOMPARE(in->layout, out.layout);
        QVERIFY(in->symbols == out.symbols);
        QCOMPARE(in->defaultIndex, out.defaultIndex);
        QCOMPARE(in->noiseFloor, out.noiseFloor);
        QCOMPARE(in->notes, out.notes);
        QCOMPARE(in->baselines.size(), std::size_t{1});
        QCOMPARE(in->baselines[0].name, std::string("torch-eager"));
        QCOMPARE(in->baselines[0].lnOverAnchor, .7);
        QCOMPARE(in->baselines[0].timeNs, 123.5);
        QCOMPARE(in->rows.size(), out.rows.size());
        for (std::size_t i = 0; i < out.rows.size(); ++i) {
            QVERIFY(in->space.configuration(i) == out.space.configuration(i));
            compareRows(in->rows[i], out.rows[i]);
        }
        // Writing what was read gives the same bytes again.
        const std::string copy = inFolder(folder, "copy" + ending.toStdString());
        QVERIFY(writeRecordedSpace(*in, copy).ok());
        QVERIFY(*bytes == *readFile(copy));
    }

    void importedSpacesCanBeWrittenAndReadAgain()
    {
        // Of their GPU only the name is known.
        QTemporaryDir folder;
        const std::string path = inFolder(folder, "imported.t4.json.gz");
        const auto imported = parseRecordedSpace(kCache, "cache.json");
        QVERIFY(writeRecordedSpace(*imported, path).ok());
        const auto again = readRecordedSpace(path);
        QVERIFY2(again.ok(), again ? "" : again.error().toString().c_str());
        QCOMPARE(again->gpu.name, std::string("NVIDIA Test"));
        QCOMPARE(again->notes, imported->notes);
        QCOMPARE(again->rows.size(), imported->rows.size());
        for (std::size_t i = 0; i < again->rows.size(); ++i) {
            QVERIFY(again->space.configuration(i) == imported->space.configuration(i));
            compareRows(again->rows[i], imported->rows[i]);
        }
    }

    void compressionIsFoundByContent()
    {
        QTemporaryDir folder;
        const std::string zst = inFolder(folder, "a.t4.json.zst");
        const std::string misnamed = inFolder(folder, "b.json");
        QVERIFY(writeRecordedSpace(fullSpace(), zst).ok());
        QVERIFY(writeFileAtomically(misnamed, *readFile(zst)).ok());
        QVERIFY(readRecordedSpace(misnamed).ok());
        // Cut compressed data is an error, not a shorter space.
        for (const char* name : {"c.t4.json.zst", "c.t4.json.gz"}) {
            const std::string path = inFolder(folder, name);
            QVERIFY(writeRecordedSpace(fullSpace(), path).ok());
            const std::string bytes = *readFile(path);
            QVERIFY(writeFileAtomically(path, bytes.substr(0, bytes.size() - 5)).ok());
            const auto cut = readRecordedSpace(path);
            QVERIFY(!cut.ok());
            QVERIFY(!cut.error().message.empty());
        }
        QVERIFY(!readRecordedSpace(inFolder(folder, "missing")).ok());
    }

    void spacesAreFoundByKey()
    {
        QTemporaryDir folder;
        const std::string a = inFolder(folder, "a.t4.json.zst");
        const std::string b = inFolder(folder, "sub/b.t4.json");
        QVERIFY(makeFolders(inFolder(folder, "sub")).ok());
        RecordedSpace space = fullSpace();
        QVERIFY(writeRecordedSpace(space, a).ok());
        space.date = "2026-12-24";
        QVERIFY(writeRecordedSpace(space, b).ok());
        QVERIFY(writeFileAtomically(inFolder(folder, "c.t4.json"), "{\"nothing\": 1}").ok());
        const std::vector<std::string> folders{folder.path().toStdString()};
        QCOMPARE(findRecordedSpaces(folders, space.problemKey), (std::vector<std::string>{b, a}));
        QCOMPARE(findRecordedSpaces(folders, space.problemKey, "NVIDIA H200").size(), std::size_t{2});
        QVERIFY(findRecordedSpaces(folders, space.problemKey, "another").empty());
        QVERIFY(findRecordedSpaces(folders, "another").empty());
        QVERIFY(findRecordedSpaces({"/nonexistent"}, space.problemKey).empty());
        // A changed file is seen.
        space.problemKey = "another key of another length";
        QVERIFY(writeRecordedSpace(space, b).ok());
        QCOMPARE(findRecordedSpaces(folders, space.problemKey), std::vector<std::string>{b});
        const auto headers = listRecordedSpaces(folders);
        QCOMPARE(headers.size(), std::size_t{2});
        QCOMPARE(headers[0].configurations, std::size_t{3});
        QCOMPARE(headers[0].dtype, DType::BF16);
        QVERIFY(QFile::remove(QString::fromStdString(b)));
        QVERIFY(findRecordedSpaces(folders, space.problemKey).empty());
    }

    void damagedFilesNeverCrash_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("cache") << QByteArray(kCache);
        QTemporaryDir folder;
        const std::string path = inFolder(folder, "a.t4.json");
        QVERIFY(writeRecordedSpace(fullSpace(), path).ok());
        QTest::newRow("ours") << QByteArray::fromStdString(*readFile(path));
        QTest::newRow("ktt") << QByteArray(
            R"({"Metadata": {"Device": "d", "TimeUnit": "Microseconds"}, "Results": [{"ComputationResults":
            [{"CompilationData": {"RegistersCount": 28}, "LocalSize": {"X": 2, "Y": 32, "Z": 1}}],
            "Configuration": [{"Name": "A", "Value": 2}], "Status": "Ok", "TotalDuration": 7.5}]})");
    }

    void damagedFilesNeverCrash()
    {
        QFETCH(QByteArray, text);
        Random random(99);
        const char* const pieces[] = {"null",    "[]",     "{}", "-1", "1e999", "\"\"",
                                      "true",    "1e-320", ",",  "}",  "\"",    "99999999999999999999",
                                      "\\u0000", "[[[[",   "NaN"};
        int readable = 0;
        for (int round = 0; round < 4000; ++round) {
            std::string damaged = text.toStdString();
            const int changes = 1 + static_cast<int>(random.below(4));
            for (int c = 0; c < changes; ++c) {
                const std::size_t at = random.below(damaged.size());
                switch (random.below(5)) {
                case 0:
                    damaged[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    damaged.erase(at, random.below(20) + 1);
                    break;
                case 2:
                    damaged.insert(at, pieces[random.below(std::size(pieces))]);
                    break;
                case 3: { // a value for another
                    const std::size_t colon = damaged.find(": ", at);
                    if (colon != std::string::npos) {
                        const std::size_t end = damaged.find_first_of(",}]", colon);
                        if (end != std::string::npos)
                            damaged.replace(colon + 2, end - colon - 2,
                                            pieces[random.below(std::size(pieces))]);
                    }
                    break;
                }
                default:
                    damaged.resize(at + 1);
                }
                if (damaged.empty())
                    damaged = " ";
            }
            const auto space = parseRecordedSpace(damaged, "damaged");
            if (!space) {
                QVERIFY(!space.error().message.empty());
                continue;
            }
            ++readable;
            QCOMPARE(space->rows.size(), space->space.size());
            QVERIFY(std::isfinite(space->exactRandom(2)));
            QVERIFY(space->validCount() <= space->rows.size());
            for (const RecordedRow& row : space->rows)
                QVERIFY(row.outcome != Outcome::Ok || row.timeNs > 0);
        }
        QVERIFY(readable > 100); // the damage is not so great that only errors are tried
    }
};

QTEST_APPLESS_MAIN(TestRecordedSpace)
#include "tst_recorded_space.moc"
