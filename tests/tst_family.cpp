// SPDX-License-Identifier: Apache-2.0
// Family files: the shipped ones load, have the sizes promised, bind real operators; broken ones say what is
// wrong.
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/kernels/family.h"
#include "tests/family_testing.h"

#include <QTemporaryDir>
#include <QtTest>

#include <set>

using namespace foresight;
using namespace foresight::test;

namespace {

const std::string kKernels = FORESIGHT_SOURCE_DIR "/resources/kernels";

OperatorInput tensor(DType dtype, std::vector<std::int64_t> shape, bool channelsLast = false)
{
    return {dtype, shape, channelsLast ? channelsLastStrides(shape) : contiguousStrides(shape)};
}

OperatorDescription nativeGroupNorm(bool channelsLast)
{
    OperatorDescription op;
    op.name = "aten::native_group_norm";
    op.inputs = {tensor(DType::F16, {1, 128, 64, 32}, channelsLast),
                 tensor(DType::F16, {128}),
                 tensor(DType::F16, {128}),
                 {},
                 {},
                 {},
                 {},
                 {}};
    op.scalars = {{3, std::int64_t{1}},
                  {4, std::int64_t{128}},
                  {5, std::int64_t{2048}},
                  {6, std::int64_t{32}},
                  {7, 1e-6}};
    return op;
}

// A small family in a folder of its own, changed by the tests.
const char* const kTiny = R"json({
  "schema": 1, "name": "tiny", "title": "Tiny", "dtypes": ["f32"],
  "symbols": [{"name": "N", "help": "elements"}],
  "tensors": [{"name": "x", "shape": ["N"]}, {"name": "y", "role": "output", "shape": ["N"]}],
  "parameters": [
    {"name": "ALGO", "values": ["a", "b"]},
    {"name": "T", "values": [32, 64, 128], "default": "64"},
    {"name": "S", "values": [2, 4], "when": "ALGO == 'b'", "canonical": 1}],
  "locals": [{"name": "work", "value": "N // T"}],
  "constraints": [{"condition": "T * S <= 256", "message": "too large"}, {"condition": "work > 0", "message": "too small"}],
  "launches": [{"kernel": "tiny", "grid": ["ceildiv(N, T)"], "block": ["T"], "args": [{"kind": "tensor", "name": "x"}, {"kind": "tensor", "name": "y"}]
}],
  "reference": {"launches": [{"kernel": "reference", "grid": ["N"], "block": [1], "args": [{"kind": "tensor", "name": "y"}]}]},
  "reduced": [{"N": "min(N, T + 1)"}],
  "operators": [{"names": ["aten::tiny"], "bind": {"N": "numel(0)"}}]
})json";

Result<std::shared_ptr<const Family>> loadText(const QTemporaryDir& folder, const std::string& text)
{
    const std::string path = folder.path().toStdString();
    for (const auto& [name, data] : {std::pair<const char*, std::string>{"family.json", text},
                                     {"kernel.cu", "// kernel"},
                                     {"reference.cu", "// reference"}})
        if (!writeFileAtomically(joinPath(path, name), data))
            qFatal("cannot write to the temporary folder");
    return Family::load(path);
}

} // namespace

class TestFamily : public QObject
{
    Q_OBJECT

private slots:
    void shippedFamiliesLoad()
    {
        const auto registry = FamilyRegistry::load(FORESIGHT_SOURCE_DIR);
        QVERIFY2(registry.ok(), registry ? "" : registry.error().message.c_str());
        for (const char* name : {"group_norm", "rms_norm", "softmax"})
            QVERIFY2(registry->find(name), name);
        QVERIFY(registry->problems().empty());
        for (const auto& entry : registry->families()) {
            QVERIFY(!entry->title().empty() && !entry->operatorNames().empty() &&
                    entry->sourceHash().size() == 64);
            for (const auto& parameter : entry->parameters())
                QVERIFY2(!parameter.help.empty(), parameter.name.c_str());
        }
    }

    // Sizes of the spaces that matter; each plan binds, each default is a member.
    void spaces_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QList<int>>("sizes");
        QTest::addColumn<int>("least");
        const auto group = [](const char* dtype, QList<int> sizes) {
            for (const char* layout : {"contiguous", "channels_last"})
                QTest::addRow("group_norm %d %d %s %s", sizes[1], sizes[2], dtype, layout)
                    << QStringLiteral("group_norm") << QString::fromLatin1(dtype)
                    << QString::fromLatin1(layout) << sizes << 300;
        };
        group("f16", {1, 128, 1024});
        group("f16", {1, 256, 512});
        group("f16", {1, 256, 1024});
        group("f16", {1, 512, 256});
        group("f16", {1, 512, 128});
        group("f16", {2, 512, 128});
        group("f32", {1, 128, 1024});
        const auto rows = [](const char* name, const char* dtype, int r, int c) {
            QTest::addRow("%s %d %d %s", name, r, c, dtype)
                << QString::fromLatin1(name) << QString::fromLatin1(dtype) << QStringLiteral("contiguous")
                << QList<int>{r, c} << 300;
        };
        for (const char* dtype : {"bf16", "f16", "f32"})
            for (const auto& [r, c] :
                 {std::pair{8192, 4096}, {2048, 2048}, {32768, 128}, {16384, 128}, {2048, 2560}})
                rows("rms_norm", dtype, r, c);
        rows("softmax", "bf16", 16384, 2048);
        rows("softmax", "f32", 16384, 2048);
        rows("softmax", "bf16", 512, 262144);
    }
    void spaces()
    {
        QFETCH(QString, name);
        QFETCH(QString, dtype);
        QFETCH(QString, layout);
        QFETCH(QList<int>, sizes);
        QFETCH(int, least);
        const auto entry = family(name.toLatin1().constData());
        const GpuSpec gpu = h200();
        Symbols given =
            sizes.size() == 2
                ? integers({{"ROWS", sizes[0]}, {"COLS", sizes[1]}})
                : integers({{"N", sizes[0]}, {"C", sizes[1]}, {"H", sizes[2]}, {"W", sizes[2]}, {"silu", 1}});
        const auto problem =
            entry->makeProblem(dtypeFromName(dtype.toStdString()), layout.toStdString(), given);
        QVERIFY2(problem.ok(), problem ? "" : problem.error().message.c_str());
        const auto space = entry->enumerate(*problem, gpu);
        QVERIFY2(space.ok(), space ? "" : space.error().message.c_str());
        QVERIFY2(static_cast<int>(space->size()) >= least && space->size() <= 1200,
                 std::to_string(space->size()).c_str());
        const auto standard = entry->defaultConfiguration(*problem, gpu);
        QVERIFY(standard.ok());
        QVERIFY(space->find(*standard).has_value());
        Random random(5);
        std::set<std::string> hashes;
        for (int i = 0; i < 25; ++i) {
            const auto index = static_cast<std::size_t>(random.below(space->size()));
            const Symbols configuration = space->configuration(index);
            QCOMPARE(symbolsText(*entry->canonical(*problem, configuration)), symbolsText(configuration));
            const auto plan = entry->instantiate(*problem, configuration);
            QVERIFY2(plan.ok(), plan ? "" : plan.error().message.c_str());
            const auto bound = bindPlan(*plan, *problem, gpu);
            QVERIFY2(bound.ok(), (symbolsText(configuration) + (bound ? "" : bound.error().message)).c_str());
            QVERIFY(!bound->launches.empty());
            hashes.insert(plan->contentHash());
            const auto reduced = entry->reducedProblems(*problem, configuration);
            QVERIFY2(reduced.ok() && !reduced->empty(), symbolsText(configuration).c_str());
            for (const Problem& small : *reduced) {
                QVERIFY(small.compulsoryBytes <= problem->compulsoryBytes);
                const auto again = bindPlan(*plan, small, gpu); // the same kernel must serve it
                QVERIFY2(again.ok(),
                         (small.key + " " + symbolsText(configuration) + (again ? "" : again.error().message))
                             .c_str());
            }
        }
        QVERIFY(hashes.size() >= 10);
        QVERIFY(entry->referencePlan(*problem).ok());
        QVERIFY(bindPlan(*entry->referencePlan(*problem), *problem, gpu).ok());
    }

    void problems()
    {
        const auto entry = family("group_norm");
        const auto problem = entry->makeProblem(
            DType::F16, "channels_last", integers({{"C", 128}, {"H", 1024}, {"W", 1024}, {"silu", 1}}));
        QVERIFY(problem.ok());
        QCOMPARE(problem->key, std::string("group_norm[C=128,G=32,H=1024,N=1,W=1024,affine=true,silu=true,"
                                           "stats=false] f16 channels_last"));
        QCOMPARE(problem->tensors.size(), std::size_t{4});
        QCOMPARE(problem->tensors[0].strides, (std::vector<std::int64_t>{134217728, 1, 131072, 128}));
        QCOMPARE(problem->compulsoryBytes,
                 2.0 * (2.0 * 134217728 + 256)); // x, y, weight, bias in two bytes each
        QVERIFY(std::abs(problem->floorNs(h200()) / 1000 - 125.3) <
                .2); // the floor of the published measurements
        QVERIFY(!entry->makeProblem(DType::F16, "contiguous", integers({{"C", 100}, {"H", 4}}))); // 100 % 32
        QVERIFY(!entry->makeProblem(DType::F16, "contiguous", integers({{"C", 64}})));            // H missing
        QVERIFY(!entry->makeProblem(DType::F16, "contiguous",
                                    integers({{"C", 64}, {"H", 1}, {"Q", 1}}))); // unknown
        QVERIFY(!entry->makeProblem(DType::I32, "contiguous", integers({{"C", 64}, {"H", 1}})));
        QVERIFY(!entry->makeProblem(DType::F16, "sideways", integers({{"C", 64}, {"H", 1}})));
        QVERIFY(!entry->makeProblem(DType::F16, "contiguous", {{"C", 64.5}, {"H", std::int64_t{1}}}));
        QVERIFY(!entry->makeProblem(
            DType::F16, "contiguous",
            integers({{"N", 1000000000}, {"C", 1000000000}, {"H", 1000000000}, {"G", 1}})));
        QVERIFY(entry->makeProblem(
            DType::F16, "contiguous",
            {{"C", std::string("64")}, {"H", std::string("2")}, {"silu", std::string("true")}}));
        // Nothing to do: no launches.
        const auto empty =
            entry->makeProblem(DType::F16, "contiguous", integers({{"N", 0}, {"C", 64}, {"H", 4}}));
        QVERIFY(empty.ok());
        const auto reference = entry->referencePlan(*empty);
        QVERIFY(reference.ok());
        QVERIFY(bindPlan(*reference, *empty, h200())->launches.empty());
    }

    // A plan says which other problems it serves.
    void plansCarryTheirRequirements()
    {
        const auto entry = family("group_norm");
        const auto made = [&](std::int64_t width, bool silu, const char* layout = "contiguous",
                              DType dtype = DType::F16) {
            return *entry->makeProblem(dtype, layout,
                                       integers({{"C", 128}, {"H", 256}, {"W", width}, {"silu", silu}}));
        };
        const auto plan =
            entry->instantiate(made(256, true), *entry->defaultConfiguration(made(256, true), h200()));
        QVERIFY(plan.ok());
        QVERIFY(bindPlan(*plan, made(256, true), h200()).ok());
        QVERIFY(bindPlan(*plan, made(264, true), h200()).ok());
        QVERIFY(bindPlan(*plan, made(255, true), h200()).ok()); // 256 * 255 is a multiple of 8 all the same
        QVERIFY(!bindPlan(*plan, made(256, false), h200()).ok());
        QVERIFY(!bindPlan(*plan, made(256, true, "channels_last"), h200()).ok());
        QVERIFY(!bindPlan(*plan, made(256, true, "contiguous", DType::BF16), h200()).ok());
        const auto odd = *entry->makeProblem(DType::F16, "contiguous",
                                             integers({{"C", 128}, {"H", 15}, {"W", 17}, {"silu", 1}}));
        QVERIFY(!bindPlan(*plan, odd, h200()).ok());
    }

    void oddShapesHaveConfigurations()
    {
        const GpuSpec gpu = h200();
        const auto norm = family("group_norm");
        for (const char* layout : {"contiguous", "channels_last"})
            for (const auto& sizes :
                 {integers({{"C", 6}, {"H", 7}, {"W", 5}, {"G", 3}}), integers({{"C", 32}, {"H", 1}}),
                  integers({{"C", 320}, {"H", 33}, {"W", 31}})}) {
                const auto problem = norm->makeProblem(DType::F16, layout, sizes);
                QVERIFY(problem.ok());
                const auto standard = norm->defaultConfiguration(*problem, gpu);
                QVERIFY2(standard.ok(), problem->key.c_str());
                QVERIFY(bindPlan(*norm->instantiate(*problem, *standard), *problem, gpu).ok());
            }
        for (const char* name : {"rms_norm", "softmax"})
            for (const auto& [r, c] :
                 {std::pair{1, 1}, {3, 77}, {1, 4096}, {7, 1000}, {5, 50257}, {2, 262145}, {100000, 3}}) {
                const auto problem = family(name)->makeProblem(DType::BF16, "contiguous",
                                                               integers({{"ROWS", r}, {"COLS", c}}));
                const auto standard = family(name)->defaultConfiguration(*problem, gpu);
                QVERIFY2(standard.ok(), problem->key.c_str());
                QVERIFY(bindPlan(*family(name)->instantiate(*problem, *standard), *problem, gpu).ok());
            }
    }

    void matchesOperators()
    {
        const auto norm = family("group_norm");
        std::string why;
        auto problem = norm->match(nativeGroupNorm(false), &why);
        QVERIFY2(problem, why.c_str());
        QCOMPARE(
            problem->key,
            std::string(
                "group_norm[C=128,G=32,H=64,N=1,W=32,affine=true,silu=false,stats=true] f16 contiguous"));
        QCOMPARE(problem->tensors.size(), std::size_t{6});
        QCOMPARE(std::get<double>(problem->symbols.at("eps")), 1e-6);
        problem = norm->match(nativeGroupNorm(true), &why);
        QVERIFY(problem && problem->layout == "channels_last");

        OperatorDescription op = nativeGroupNorm(false);
        op.inputs[0].strides = {128 * 64 * 64, 64 * 64, 64, 1}; // a slice of a wider tensor
        QVERIFY(!norm->match(op, &why));
        QVERIFY2(why.find("neither contiguous nor channels_last") != std::string::npos, why.c_str());
        op = nativeGroupNorm(false);
        op.scalars.erase(6);
        QVERIFY(!norm->match(op, &why));
        QVERIFY2(why.find("argument 6") != std::string::npos, why.c_str());
        op = nativeGroupNorm(false);
        op.inputs[1].dtype = DType::F32;
        QVERIFY(!norm->match(op, &why));
        op = nativeGroupNorm(false);
        op.inputs[0].dtype = DType::Unknown;
        QVERIFY(!norm->match(op, &why));
        op.name = "aten::other";
        QVERIFY(!norm->match(op, &why));

        OperatorDescription module{OperatorDescription::Kind::Module,
                                   "Qwen3RMSNorm",
                                   {tensor(DType::BF16, {1, 2048, 16, 128})},
                                   {},
                                   {{"variance_epsilon", 1e-6}}};
        problem = family("rms_norm")->match(module, &why);
        QVERIFY2(problem, why.c_str());
        QCOMPARE(
            problem->key,
            std::string(
                "rms_norm[COLS=128,ROWS=32768,stats=false,weight=true,weight_offset=0] bf16 contiguous"));
        module.name = "Gemma2RMSNorm";
        module.attributes = {{"eps", 1e-5}};
        problem = family("rms_norm")->match(module, &why);
        QVERIFY(problem && std::get<std::int64_t>(problem->symbols.at("weight_offset")) == 1 &&
                std::get<double>(problem->symbols.at("eps")) == 1e-5);

        OperatorDescription softmax{OperatorDescription::Kind::Aten,
                                    "aten::_softmax",
                                    {tensor(DType::BF16, {8, 2048, 2048}), {}, {}},
                                    {{1, std::int64_t{-1}}, {2, false}},
                                    {}};
        problem = family("softmax")->match(softmax, &why);
        QVERIFY2(problem, why.c_str());
        QCOMPARE(problem->key,
                 std::string("softmax[COLS=2048,ROWS=16384,f32_out=false,log=false] bf16 contiguous"));
        softmax.scalars[1] = std::int64_t{1};
        QVERIFY(!family("softmax")->match(softmax, &why));
        QVERIFY(why.find("last dimension") != std::string::npos);
        softmax.scalars = {{1, std::int64_t{2}}, {2, true}};
        problem = family("softmax")->match(softmax, &why);
        QVERIFY(problem && problem->tensors.back().dtype == DType::F32);

        const auto registry = FamilyRegistry::load(FORESIGHT_SOURCE_DIR);
        QCOMPARE(registry->match(nativeGroupNorm(false)).size(), std::size_t{1});
    }

    void tinyFamily()
    {
        QTemporaryDir folder;
        const auto tiny = loadText(folder, kTiny);
        QVERIFY2(tiny.ok(), tiny ? "" : tiny.error().message.c_str());
        const auto problem = (*tiny)->makeProblem(DType::F32, "contiguous", integers({{"N", 100}}));
        const auto space = (*tiny)->enumerate(*problem, h200());
        // a: T 32, 64 with S = 1; b: T 32, 64 with S 2, 4. T = 128 has no work.
        QCOMPARE(space->size(), std::size_t{6});
        QCOMPARE(symbolsText(*(*tiny)->defaultConfiguration(*problem, h200())),
                 std::string("ALGO=a,S=1,T=64"));
        Symbols given = {{"ALGO", std::string("a")}, {"T", std::int64_t{32}}, {"S", std::int64_t{4}}};
        QCOMPARE(symbolsText(*(*tiny)->canonical(*problem, given)), std::string("ALGO=a,S=1,T=32"));
        given["ALGO"] = std::string("b");
        given["S"] = std::int64_t{1}; // the canonical value of an inactive parameter only
        QVERIFY(!(*tiny)->canonical(*problem, given));
        QVERIFY(!(*tiny)->instantiate(*problem, {{"ALGO", std::string("a")}}));
        const auto plan =
            (*tiny)->instantiate(*problem, {{"ALGO", std::string("a")}, {"T", std::int64_t{32}}});
        QVERIFY(plan.ok());
        for (const char* option : {"-DP_ALGO_a=1", "-DP_ALGO=0", "-DP_T=32", "-DP_S=1", "-DT_F32=1",
                                   "-DT_BYTES=4", "-DLAYOUT_contiguous=1"})
            QVERIFY2(std::find(plan->compileOptions.begin(), plan->compileOptions.end(), option) !=
                         plan->compileOptions.end(),
                     option);
        QCOMPARE((*(*tiny)->reducedProblems(*problem, space->configuration(0)))[0].tensors[0].elements(),
                 std::int64_t{33});
        QVERIFY((*tiny)->match(
            {OperatorDescription::Kind::Aten, "aten::tiny", {tensor(DType::F32, {3, 5})}, {}, {}}));
    }

    // The worked example of the help page is a family.
    void documentedExample()
    {
        const auto page = readFile(FORESIGHT_SOURCE_DIR "/resources/help/families.md");
        QVERIFY(page.ok());
        const std::size_t begin = page->find("    {\n      \"schema\"");
        QVERIFY(begin != std::string::npos);
        const std::size_t end = page->find("\n    }\n", begin);
        QVERIFY(end != std::string::npos);
        QTemporaryDir folder;
        const auto example = loadText(folder, page->substr(begin, end + 6 - begin));
        QVERIFY2(example.ok(), example ? "" : example.error().message.c_str());
        const auto problem = (*example)->makeProblem(DType::F32, "contiguous", integers({{"N", 1000}}));
        QCOMPARE((*example)->enumerate(*problem, h200())->size(), std::size_t{6});
        const auto standard = (*example)->defaultConfiguration(*problem, h200());
        QCOMPARE((*example)->enumerate(*problem, h200())->find(*standard).has_value(), true);
    }

    // A large raw space is walked with pruning, and its size is what counting by hand gives.
    void largeSpace()
    {
        QTemporaryDir folder;
        Json json = Json::parse(kTiny);
        json["parameters"] = Json::array();
        for (const char* name : {"A", "B", "C", "D", "E", "F"})
            json["parameters"].push_back({{"name", name}, {"values", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}});
        json["locals"] = {{{"name", "sum"}, {"value", "A + B + C"}}};
        json["constraints"] = {{{"condition", "sum == 4"}, {"message", ""}},
                               {{"condition", "D < E"}, {"message", ""}}};
        json["launches"][0]["grid"] = {"1"};
        json["launches"][0]["block"] = {"32"};
        json["reduced"] = Json::array();
        const auto large = loadText(folder, json.dump());
        QVERIFY2(large.ok(), large ? "" : large.error().message.c_str());
        const auto problem = (*large)->makeProblem(DType::F32, "contiguous", integers({{"N", 100}}));
        QCOMPARE((*large)->enumerate(*problem, h200())->size(), std::size_t{15 * 45 * 10});
    }

    void brokenFamilies_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* path, const char* json, const char* says) {
            QTest::addRow("%s %s", path, json)
                << QString::fromLatin1(path) << QString::fromLatin1(json) << QString::fromLatin1(says);
        };
        row("/schema", "2", "schema 2");
        row("/name", "\"two words\"", "not a name");
        row("/dtypes", "[\"f99\"]", "unknown dtype");
        row("/symbols/0/type", "\"text\"", "unknown type");
        row("/tensors/0/shape/0", "\"M\"", "unknown symbol 'M'");
        row("/tensors/1/role", "\"input\"", "no output");
        row("/parameters/0/values", "[\"a-b\"]", "macro");
        row("/parameters/1/values", "[1, 1]", "twice");
        row("/parameters/1/values", "[]", "values");
        row("/parameters/2/when", "\"Q == 1\"", "unknown symbol 'Q'");
        row("/parameters/0/name", "\"N\"", "used twice");
        row("/constraints/0/condition", "\"T *\"", "ends too early");
        row("/constraints/0/condition", "\"T * missing > 1\"", "unknown symbol 'missing'");
        row("/launches/0/args/0/name", "\"z\"", "no tensor or workspace 'z'");
        row("/launches/0/grid", "[]", "'grid'");
        row("/launches", "[]", "no launches");
        row("/reference", "null", "'reference'");
        row("/sources", "[\"../secret\"]", "outside");
        row("/reduced/0", "{\"M\": 1}", "no symbol 'M'");
        row("/operators/0/bind", "{\"M\": 1}", "unknown symbol 'M'");
        row("/operators/0/kind", "\"planet\"", "unknown kind");
    }
    void brokenFamilies()
    {
        QFETCH(QString, path);
        QFETCH(QString, json);
        QFETCH(QString, says);
        QTemporaryDir folder;
        Json text = Json::parse(kTiny);
        text[Json::json_pointer(path.toStdString())] = Json::parse(json.toStdString());
        const auto loaded = loadText(folder, text.dump());
        QVERIFY(!loaded.ok());
        QVERIFY2(loaded.error().message.find(says.toStdString()) != std::string::npos,
                 loaded.error().message.c_str());
    }

    void mutations()
    {
        QTemporaryDir folder;
        Random random(3);
        int survived = 0;
        for (int i = 0; i < 120; ++i) {
            std::string text = kTiny;
            for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits) {
                const auto at = static_cast<std::size_t>(random.below(text.size()));
                const std::string alphabet = "\"{}[]:,019Nx=-";
                if (random.below(2))
                    text[at] = alphabet[static_cast<std::size_t>(random.below(alphabet.size()))];
                else
                    text.erase(at, 1 + random.below(5));
            }
            const auto loaded = loadText(folder, text);
            if (!loaded)
                continue;
            ++survived;
            const auto problem = (*loaded)->makeProblem(DType::F32, "contiguous", integers({{"N", 100}}));
            if (problem)
                survived += (*loaded)->enumerate(*problem, h200()).ok();
        }
        QVERIFY(survived > 0);
    }

    void brokenUserFamilyIsReported()
    {
        QTemporaryDir folder;
        QVERIFY(folder.isValid());
        const std::string user = folder.path().toStdString();
        QVERIFY(makeFolders(joinPath(user, "mine")).ok());
        QVERIFY(writeFileAtomically(joinPath(user, "mine/family.json"), "{").ok());
        const auto registry = FamilyRegistry::load(FORESIGHT_SOURCE_DIR, user);
        QVERIFY(registry.ok());
        QCOMPARE(registry->problems().size(), std::size_t{1});
        QVERIFY(registry->find("group_norm"));
        QVERIFY(!FamilyRegistry::load(user).ok());
    }

    void gpuDescriptions()
    {
        const auto specs = loadGpuSpecs(FORESIGHT_SOURCE_DIR);
        QVERIFY2(specs.ok(), specs ? "" : specs.error().message.c_str());
        QVERIFY(specs->size() >= 5);
        for (const GpuSpec& spec : *specs) {
            QVERIFY2(!spec.source.empty() && spec.peakBandwidth > 0 && spec.peakFlopsF32 > 0,
                     spec.name.c_str());
            const auto back = gpuSpecFromJson(gpuSpecToJson(spec), "copy");
            QVERIFY(back.ok());
            QCOMPARE(canonicalJson(gpuSpecToJson(*back)), canonicalJson(gpuSpecToJson(spec)));
        }
        QCOMPARE(h200().archName(), std::string("sm_90"));
        QVERIFY(!findGpuSpec(FORESIGHT_SOURCE_DIR, "Abacus"));
        QVERIFY(!gpuSpecFromJson(Json::parse(R"({"name": "x", "sm_count": "many"})"), "x"));
    }

    void occupancy()
    {
        const GpuSpec gpu = h200();
        KernelResources use;
        use.threadsPerBlock = 256;
        use.registers = 32;
        computeOccupancy(use, gpu);
        QCOMPARE(use.occupancy, 1.0);
        use.registers = 128; // 16 warps of 128 registers fill the register file
        computeOccupancy(use, gpu);
        QCOMPARE(use.occupancy, .25);
        QCOMPARE(use.occupancyLimit, std::string("registers"));
        use.registers = 32;
        use.dynamicShared = 100 * 1024; // two blocks of 101 KiB
        computeOccupancy(use, gpu);
        QCOMPARE(use.occupancy, .25);
        QCOMPARE(use.occupancyLimit, std::string("shared"));
        use.threadsPerBlock = 32;
        use.dynamicShared = 0;
        computeOccupancy(use, gpu);
        QCOMPARE(use.occupancyLimit, std::string("blocks"));
        QCOMPARE(use.occupancy, .5);
    }
};

QTEST_APPLESS_MAIN(TestFamily)
#include "tst_family.moc"
