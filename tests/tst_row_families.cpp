// SPDX-License-Identifier: Apache-2.0
// Skinny linear, cumulative sums, row reductions, cross entropy, embedding and pooling: CPU references
// against values worked out by hand, sizes of the spaces, operators that they serve.
#include "core/base/random.h"
#include "core/kernels/family.h"
#include "core/kernels/reference.h"
#include "tests/family_testing.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace foresight;
using namespace foresight::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

OperatorInput tensor(DType dtype, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides = {})
{
    if (strides.empty())
        strides = contiguousStrides(shape);
    return {dtype, std::move(shape), std::move(strides)};
}

// The key of the problem that an operator makes, or why there is none.
std::string matched(const char* name, const OperatorDescription& op)
{
    std::string why;
    const auto found = family(name)->match(op, &why);
    return found ? found->key : "no: " + why;
}

constexpr auto kAten = OperatorDescription::Kind::Aten;
constexpr auto kModule = OperatorDescription::Kind::Module;

} // namespace

class TestRowFamilies : public QObject
{
    Q_OBJECT

private slots:
    void skinnyLinear()
    {
        Symbols symbols = integers({{"M", 2}, {"N", 3}, {"K", 2}, {"bias", 1}});
        const auto out = cpuReference(problem("skinny_linear", symbols),
                                      {{1, 2, 3, 4}, {1, 0, 0, 1, 1, -1}, {10, 20, 30}});
        QVERIFY(out.ok());
        compare((*out)[0], {11, 22, 29, 13, 24, 29});
        QVERIFY(!family("skinny_linear")
                     ->makeProblem(DType::F16, "contiguous", integers({{"M", 17}, {"N", 1}, {"K", 1}})));
    }

    void cumsum()
    {
        const auto out = cpuReference(problem("cumsum", integers({{"ROWS", 2}, {"COLS", 4}})),
                                      {{1, 2, 3, 4, 1, kInf, -kInf, 5}});
        QVERIFY(out.ok());
        compare((*out)[0], {1, 3, 6, 10, 1, kInf, kNan, kNan});
    }

    void rowReduce()
    {
        const std::vector<double> x = {1, 5, 5, -2, kNan, 7, kNan, 0};
        const auto reduced = [&](std::int64_t op, bool indices) {
            return *cpuReference(
                problem("row_reduce", integers({{"ROWS", 2}, {"COLS", 4}, {"op", op}, {"indices", indices}})),
                {x});
        };
        compare(reduced(0, false)[0], {9, kNan});
        compare(reduced(1, false)[0], {2.25, kNan});
        compare(reduced(2, true)[0], {5, kNan});
        compare(reduced(2, true)[1], {1, 0}); // the first of equals, the first NaN
        compare(reduced(3, true)[0], {-2, kNan});
        compare(reduced(3, true)[1], {3, 0});
        QCOMPARE(reduced(3, false).size(), std::size_t{1});
        QVERIFY(!family("row_reduce")
                     ->makeProblem(DType::F32, "contiguous",
                                   integers({{"ROWS", 1}, {"COLS", 1}, {"indices", 1}})));
    }

    void crossEntropy()
    {
        const double ln3 = std::log(3.0);
        const std::vector<double> x = {0, ln3, 0, ln3, 0, ln3, kInf, 0}, targets = {1, 0, 7, 1};
        const auto losses = [&](std::int64_t reduction, std::int64_t ignored) {
            return (*cpuReference(
                problem("cross_entropy",
                        integers(
                            {{"ROWS", 4}, {"COLS", 2}, {"reduction", reduction}, {"ignore_index", ignored}})),
                {x, targets}))[0];
        };
        compare(losses(0, 7), {std::log(4.0 / 3), std::log(4.0), 0, kNan});
        compare(losses(0, -100), {std::log(4.0 / 3), std::log(4.0), kNan, kNan}); // 7 is no class
        const auto joined = [&](std::int64_t reduction, std::vector<double> some) {
            return (*cpuReference(
                problem("cross_entropy",
                        integers({{"ROWS", 2}, {"COLS", 2}, {"reduction", reduction}, {"ignore_index", 0}})),
                {{0, ln3, 0, ln3}, std::move(some)}))[0];
        };
        compare(joined(1, {1, 0}), {std::log(4.0 / 3)});
        compare(joined(2, {1, 1}), {2 * std::log(4.0 / 3)});
        compare(joined(1, {0, 0}), {kNan}); // the mean of nothing
    }

    void embedding()
    {
        const Problem p = problem("embedding", integers({{"ROWS", 3}, {"COLS", 2}, {"V", 4}}), DType::F16);
        compare((*cpuReference(p, {{3, 0, 3}, {0, 1, 2, 3, 4, 5, 6, 7}}))[0], {6, 7, 0, 1, 6, 7});
        QCOMPARE(p.tensors[0].dtype, DType::I64);
        // Three indices, three rows out, and at least 3 * 4 / 7 = 1 row of the table: not all of it.
        QCOMPARE(p.compulsoryBytes, 3.0 * 8 + 3 * 4 + 1 * 4);
    }

    void maxPool()
    {
        // 3 x 3 window, stride 2, padding 1 over 3 x 4.
        const std::vector<double> x = {1, 2, 3, 4, 5, 9, 7, 8, 9, 9, kNan, 0};
        const auto out = cpuReference(
            problem("max_pool2d", integers({{"C", 1}, {"H", 3}, {"W", 4}, {"indices", 1}})), {x});
        QVERIFY(out.ok());
        compare((*out)[0], {9, 9, 9, kNan});
        compare((*out)[1], {5, 5, 5, 10});
        const auto low = cpuReference(problem("max_pool2d", integers({{"C", 1},
                                                                      {"H", 2},
                                                                      {"W", 2},
                                                                      {"indices", 1},
                                                                      {"KH", 2},
                                                                      {"KW", 2},
                                                                      {"PH", 0},
                                                                      {"PW", 0}})),
                                      {{-kInf, -kInf, -kInf, -kInf}});
        compare((*low)[0], {-kInf});
        compare((*low)[1], {0});
    }

    void spaces_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<QString>("layout");
        QTest::addColumn<int>("least");
        QTest::addColumn<int>("row");
        const auto add = [](const char* name, DType dtype, int least, int row,
                            const char* layout = "contiguous") {
            QTest::addRow("%s %s %d", name, std::string(dtypeName(dtype)).c_str(), row)
                << QString::fromLatin1(name) << static_cast<int>(dtype) << QString::fromLatin1(layout)
                << least << row;
        };
        for (DType dtype : {DType::BF16, DType::F16, DType::F32}) {
            add("skinny_linear", dtype, 200, 0);
            add("skinny_linear", dtype, 200, 1);
            add("skinny_linear", dtype, 20, 2);
            add("cumsum", dtype, 200, 0);
            add("cumsum", dtype, 4, 1);
            add("row_reduce", dtype, 200, 0);
            add("row_reduce", dtype, 100, 1);
            add("row_reduce", dtype, 10, 2);
            add("cross_entropy", dtype, 100, 0);
            add("cross_entropy", dtype, 10, 1);
            add("embedding", dtype, 100, 0);
            add("embedding", dtype, 20, 1);
            add("max_pool2d", dtype, 200, 0);
            add("max_pool2d", dtype, 200, 1, "channels_last");
            add("max_pool2d", dtype, 20, 2);
        }
    }
    // Each has enough configurations, its default among them; plans bind, on reduced shapes too.
    void spaces()
    {
        QFETCH(QString, name);
        QFETCH(int, dtype);
        QFETCH(QString, layout);
        QFETCH(int, least);
        QFETCH(int, row);
        const std::map<QString, std::vector<Symbols>> shapes = {
            {QStringLiteral("skinny_linear"),
             {integers({{"M", 1}, {"N", 12288}, {"K", 4096}}),
              integers({{"M", 4}, {"N", 10240}, {"K", 2560}}),
              integers({{"M", 13}, {"N", 37}, {"K", 77}, {"bias", 1}})}},
            {QStringLiteral("cumsum"),
             {integers({{"ROWS", 1024}, {"COLS", 32768}}), integers({{"ROWS", 3}, {"COLS", 77}})}},
            {QStringLiteral("row_reduce"),
             {integers({{"ROWS", 8192}, {"COLS", 8192}}),
              integers({{"ROWS", 65536}, {"COLS", 49}, {"op", 1}}),
              integers({{"ROWS", 3}, {"COLS", 1}, {"op", 2}, {"indices", 1}})}},
            {QStringLiteral("cross_entropy"),
             {integers({{"ROWS", 2048}, {"COLS", 151936}}),
              integers({{"ROWS", 9}, {"COLS", 77}, {"reduction", 1}})}},
            {QStringLiteral("embedding"),
             {integers({{"ROWS", 16384}, {"COLS", 1024}, {"V", 50000}}),
              integers({{"ROWS", 3}, {"COLS", 77}, {"V", 5}})}},
            {QStringLiteral("max_pool2d"),
             {integers({{"N", 32}, {"C", 64}, {"H", 112}, {"W", 112}}),
              integers({{"N", 32}, {"C", 64}, {"H", 112}, {"W", 112}}),
              integers({{"N", 2}, {"C", 5}, {"H", 9}, {"W", 7}, {"indices", 1}})}}};
        const auto entry = family(name.toStdString());
        const auto gpu = findGpuSpec(FORESIGHT_SOURCE_DIR, "NVIDIA H200");
        QVERIFY(gpu.ok());
        const Problem made = problem(name.toStdString(), shapes.at(name)[static_cast<std::size_t>(row)],
                                     static_cast<DType>(dtype), layout.toLatin1().constData());
        const auto space = entry->enumerate(made, *gpu);
        QVERIFY2(space.ok(), space ? "" : space.error().message.c_str());
        QVERIFY2(static_cast<int>(space->size()) >= least && space->size() <= 1200,
                 std::to_string(space->size()).c_str());
        const auto standard = entry->defaultConfiguration(made, *gpu);
        QVERIFY(standard.ok());
        QVERIFY(space->find(*standard).has_value());
        Random random(6);
        for (int i = 0; i < 40; ++i) {
            const Symbols configuration =
                space->configuration(static_cast<std::size_t>(random.below(space->size())));
            QCOMPARE(symbolsText(*entry->canonical(made, configuration)), symbolsText(configuration));
            const auto plan = entry->instantiate(made, configuration);
            QVERIFY2(plan.ok(), plan ? "" : plan.error().message.c_str());
            const auto bound = bindPlan(*plan, made, *gpu);
            QVERIFY2(bound.ok(), (symbolsText(configuration) + (bound ? "" : bound.error().message)).c_str());
            const auto reduced = entry->reducedProblems(made, configuration);
            QVERIFY2(reduced.ok() && !reduced->empty(), symbolsText(configuration).c_str());
            for (const Problem& small : *reduced)
                QVERIFY2(bindPlan(*plan, small, *gpu).ok(), (small.key + symbolsText(configuration)).c_str());
        }
        const auto reference = entry->referencePlan(made);
        QVERIFY(reference.ok() && bindPlan(*reference, made, *gpu).ok());
    }

    void matchesLinear()
    {
        const std::string key = "skinny_linear[K=64,M=2,N=128,bias=false] bf16 contiguous";
        const std::string biased = "skinny_linear[K=64,M=2,N=128,bias=true] bf16 contiguous";
        const OperatorInput x = tensor(DType::BF16, {1, 2, 64}), flat = tensor(DType::BF16, {2, 64});
        const OperatorInput weight = tensor(DType::BF16, {128, 64}),
                            turned = tensor(DType::BF16, {64, 128}, {1, 64});
        const OperatorInput bias = tensor(DType::BF16, {128});
        QCOMPARE(matched("skinny_linear", {kAten, "aten::linear", {x, weight, {}}, {}, {}}), key);
        QCOMPARE(matched("skinny_linear", {kAten, "aten::linear", {x, weight, bias}, {}, {}}), biased);
        QCOMPARE(matched("skinny_linear", {kAten, "aten::mm", {flat, turned}, {}, {}}), key);
        QVERIFY(matched("skinny_linear", {kAten, "aten::mm", {flat, tensor(DType::BF16, {64, 128})}, {}, {}})
                    .starts_with("no"));
        QCOMPARE(matched("skinny_linear", {kAten, "aten::addmm", {bias, flat, turned}, {}, {}}), biased);
        QVERIFY(matched("skinny_linear", {kAten, "aten::addmm", {bias, flat, turned, {}, {}}, {{3, 2.0}}, {}})
                    .starts_with("no"));
        QVERIFY(
            matched("skinny_linear", {kAten, "aten::linear", {tensor(DType::BF16, {17, 64}), weight}, {}, {}})
                .starts_with("no"));
        const Symbols attributes = {
            {"out_features", std::int64_t{128}}, {"has_bias", true}, {"weight_dtype", std::string("bf16")}};
        QCOMPARE(matched("skinny_linear", {kModule, "Linear", {x}, {}, attributes}), biased);
    }

    void matchesRows()
    {
        const OperatorInput x = tensor(DType::F32, {4, 8, 16}), image = tensor(DType::F32, {4, 8, 7, 7});
        QCOMPARE(matched("cumsum", {kAten, "aten::cumsum", {x}, {{1, std::int64_t{-1}}}, {}}),
                 std::string("cumsum[COLS=16,ROWS=32] f32 contiguous"));
        QVERIFY(
            matched("cumsum", {kAten, "aten::cumsum", {x}, {{1, std::int64_t{1}}}, {}}).starts_with("no"));
        const auto rows = [](int op, const char* shape, bool indices = false) {
            return std::string("row_reduce[") + shape + ",indices=" + (indices ? "true" : "false") +
                   ",op=" + std::to_string(op) + "] f32 contiguous";
        };
        const auto list = [](const char* dims) { return std::map<int, Value>{{1, std::string(dims)}}; };
        QCOMPARE(matched("row_reduce", {kAten, "aten::sum", {x}, list("[-1]"), {}}),
                 rows(0, "COLS=16,ROWS=32"));
        QCOMPARE(matched("row_reduce", {kAten, "aten::mean", {x}, list("[2]"), {}}),
                 rows(1, "COLS=16,ROWS=32"));
        QVERIFY(matched("row_reduce", {kAten, "aten::mean", {x}, list("[1]"), {}}).starts_with("no"));
        QVERIFY(matched("row_reduce", {kAten, "aten::sum", {x}, {}, {}}).starts_with("no"));
        QCOMPARE(matched("row_reduce", {kAten, "aten::mean", {image}, list("[-1, -2]"), {}}),
                 rows(1, "COLS=49,ROWS=32"));
        QCOMPARE(matched("row_reduce", {kAten, "aten::amax", {x}, list("[-1]"), {}}),
                 rows(2, "COLS=16,ROWS=32"));
        QCOMPARE(matched("row_reduce", {kAten, "aten::max", {x}, {{1, std::int64_t{2}}}, {}}),
                 rows(2, "COLS=16,ROWS=32", true));
        QCOMPARE(matched("row_reduce", {kAten, "aten::adaptive_avg_pool2d", {image}, list("[1, 1]"), {}}),
                 rows(1, "COLS=49,ROWS=32"));
        QCOMPARE(matched("row_reduce",
                         {kModule, "AdaptiveAvgPool2d", {image}, {}, {{"output_size", std::int64_t{1}}}}),
                 rows(1, "COLS=49,ROWS=32"));
        QVERIFY(matched("row_reduce",
                        {kModule, "AdaptiveAvgPool2d", {image}, {}, {{"output_size", std::int64_t{7}}}})
                    .starts_with("no"));

        const OperatorInput logits = tensor(DType::F32, {32, 100}), classes = tensor(DType::I64, {32});
        QCOMPARE(matched("cross_entropy", {kAten,
                                           "aten::cross_entropy_loss",
                                           {logits, classes, {}},
                                           {{3, std::int64_t{0}}, {4, std::int64_t{-100}}, {5, 0.0}},
                                           {}}),
                 std::string("cross_entropy[COLS=100,ROWS=32,ignore_index=-100,reduction=0] f32 contiguous"));
        QVERIFY(matched("cross_entropy",
                        {kAten, "aten::cross_entropy_loss", {logits, classes, {}}, {{5, 0.1}}, {}})
                    .starts_with("no"));
        QCOMPARE(matched("cross_entropy",
                         {kModule,
                          "CrossEntropyLoss",
                          {logits, classes},
                          {},
                          {{"reduction", std::string("sum")}, {"ignore_index", std::int64_t{0}}}}),
                 std::string("cross_entropy[COLS=100,ROWS=32,ignore_index=0,reduction=2] f32 contiguous"));

        const OperatorInput table = tensor(DType::F16, {50, 24}), index = tensor(DType::I64, {2, 5});
        const std::string key = "embedding[COLS=24,ROWS=10,V=50] f16 contiguous";
        QCOMPARE(matched("embedding", {kAten, "aten::embedding", {table, index}, {}, {}}), key);
        QCOMPARE(matched("embedding", {kModule,
                                       "Embedding",
                                       {index},
                                       {},
                                       {{"num_embeddings", std::int64_t{50}},
                                        {"embedding_dim", std::int64_t{24}},
                                        {"weight_dtype", std::string("f16")}}}),
                 key);
        QVERIFY(matched("embedding", {kAten, "aten::embedding", {table, tensor(DType::I32, {5})}, {}, {}})
                    .starts_with("no"));
    }

    void matchesPooling()
    {
        const std::vector<std::int64_t> shape = {2, 64, 112, 112};
        const auto key = [](bool indices, int k, int s, int p, const char* layout) {
            const auto text = [](int value) { return std::to_string(value); };
            return "max_pool2d[C=64,H=112,KH=" + text(k) + ",KW=" + text(k) + ",N=2,PH=" + text(p) +
                   ",PW=" + text(p) + ",SH=" + text(s) + ",SW=" + text(s) +
                   ",W=112,indices=" + (indices ? "true" : "false") + "] f16 " + layout;
        };
        const OperatorInput x = tensor(DType::F16, shape),
                            last = tensor(DType::F16, shape, channelsLastStrides(shape));
        const auto scalars = [](const char* k, const char* s, const char* p) {
            return std::map<int, Value>{{1, std::string(k)},
                                        {2, std::string(s)},
                                        {3, std::string(p)},
                                        {4, std::string("[1, 1]")},
                                        {5, false}};
        };
        QCOMPARE(matched("max_pool2d",
                         {kAten, "aten::max_pool2d", {x}, scalars("[3, 3]", "[2, 2]", "[1, 1]"), {}}),
                 key(false, 3, 2, 1, "contiguous"));
        QCOMPARE(
            matched("max_pool2d",
                    {kAten, "aten::max_pool2d_with_indices", {last}, scalars("[2, 2]", "[]", "[0, 0]"), {}}),
            key(true, 2, 2, 0, "channels_last"));
        QVERIFY(
            matched("max_pool2d", {kAten, "aten::max_pool2d", {x}, scalars("[3, 2]", "[2, 2]", "[1, 1]"), {}})
                .starts_with("no"));
        const Symbols attributes = {
            {"kernel_size", std::int64_t{3}}, {"stride", std::int64_t{2}}, {"padding", std::int64_t{1}},
            {"dilation", std::int64_t{1}},    {"ceil_mode", false},        {"return_indices", false}};
        QCOMPARE(matched("max_pool2d", {kModule, "MaxPool2d", {x}, {}, attributes}),
                 key(false, 3, 2, 1, "contiguous"));
    }
};

QTEST_APPLESS_MAIN(TestRowFamilies)
#include "tst_row_families.moc"
