// SPDX-License-Identifier: Apache-2.0
// Copies, activations, gates, rotary embedding, normalisations and quantisation: the sizes of their spaces,
// the operators they serve, and their CPU references against values worked out by hand.
#include "core/base/random.h"
#include "core/kernels/family.h"
#include "core/kernels/reference.h"
#include "tests/family_testing.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace foresight;
using namespace foresight::test;

namespace {

using Shape = std::vector<std::int64_t>;

// "ROWS=3 relu=true"
Symbols parsed(const QString& text)
{
    Symbols symbols;
    for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto at = part.indexOf(QLatin1Char('='));
        symbols[part.left(at).toStdString()] = part.mid(at + 1).toStdString();
    }
    return symbols;
}

Problem problem(const char* name, const char* sizes, const char* layout = "contiguous")
{
    return test::problem(name, parsed(QString::fromLatin1(sizes)), DType::F32, layout);
}

std::vector<std::vector<double>> reference(const Problem& of, const std::vector<std::vector<double>>& inputs)
{
    auto out = cpuReference(of, inputs);
    if (!out)
        qFatal("%s", out.error().message.c_str());
    return *out;
}

std::int64_t offsetOf(std::int64_t index, const Shape& shape, const Shape& strides)
{
    std::int64_t offset = 0;
    for (std::size_t d = shape.size(); d-- > 0;) {
        offset += index % shape[d] * strides[d];
        index /= shape[d];
    }
    return offset;
}

OperatorInput input(const Shape& shape, const Shape& strides = {}, DType dtype = DType::F16)
{
    return {dtype, shape, strides.empty() ? contiguousStrides(shape) : strides};
}

OperatorDescription aten(const char* name, std::vector<OperatorInput> inputs,
                         std::map<int, Value> scalars = {})
{
    return {OperatorDescription::Kind::Aten, name, std::move(inputs), std::move(scalars), {}};
}

// Strides of source.permute(order) for a contiguous source; `shape` becomes the permuted one.
Shape permuted(const std::vector<std::size_t>& order, Shape* shape)
{
    const Shape source = *shape, strides = contiguousStrides(source);
    Shape result;
    for (std::size_t i = 0; i < order.size(); ++i) {
        (*shape)[i] = source[order[i]];
        result.push_back(strides[order[i]]);
    }
    return result;
}

} // namespace

class TestFamiliesLayers : public QObject
{
    Q_OBJECT

private slots:
    void spaces_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("layout");
        QTest::addColumn<QString>("sizes");
        QTest::addColumn<int>("least");
        const auto add = [](const char* name, const char* dtype, const char* sizes, int least = 100,
                            const char* layout = "contiguous") {
            QTest::addRow("%s %s %s %s", name, dtype, layout, sizes)
                << QString::fromLatin1(name) << QString::fromLatin1(dtype) << QString::fromLatin1(layout)
                << QString::fromLatin1(sizes) << least;
        };
        add("permute_copy", "f32", "ROWS=8192 COLS=8192", 500);
        add("permute_copy", "f16", "ROWS=8192 COLS=8192", 500);
        add("permute_copy", "f16", "BATCH=16 ROWS=1024 COLS=32 INNER=128", 300);
        add("permute_copy", "f16", "ROWS=1048576 COLS=128", 500);
        add("permute_copy", "bf16", "BATCH=2 ROWS=77 COLS=3 INNER=3", 50);
        add("permute_copy", "f32", "BATCH=3 ROWS=77 COLS=131", 100);
        add("silu", "f32", "N=1000003");
        add("gelu", "f16", "N=54423552 tanh=true");
        add("gelu", "f32", "N=7", 5);
        add("relu", "bf16", "N=25690112");
        add("add", "f16", "N=25690112 relu=true");
        add("gated", "bf16", "ROWS=2048 COLS=10240 gelu=true tanh=true");
        add("gated", "bf16", "ROWS=8192 COLS=12288");
        add("gated", "f16", "ROWS=300 COLS=1001 packed=true");
        add("rope", "bf16", "H=32 S=4096 D=128");
        add("rope", "f16", "B=2 H=8 S=100 D=96 interleaved=true", 100, "seq_first");
        add("rope", "f32", "H=1 S=1 D=2", 3);
        add("batch_norm", "f16", "N=32 C=256 H=56 W=56 relu=true");
        add("batch_norm", "f16", "N=32 C=256 H=56 W=56 relu=true add=true", 100, "channels_last");
        add("batch_norm", "f32", "N=32 C=2048 H=7 W=7 add=true relu=true param_f32=false");
        add("batch_norm", "bf16", "N=3 C=67 H=7 W=7", 10, "channels_last");
        add("layer_norm", "f16", "ROWS=8858 COLS=1536");
        add("layer_norm", "f32", "ROWS=3 COLS=50257 stats=true", 20);
        add("add_rms_norm", "bf16", "ROWS=8192 COLS=4096");
        add("add_rms_norm", "f32", "ROWS=7 COLS=77 weight_offset=1", 20);
        add("fp8_quantise", "bf16", "ROWS=8192 COLS=4096");
        add("fp8_quantise", "f32", "ROWS=7 COLS=77", 20);
    }
    // Each configuration drawn binds, for the problem and for reduced ones; the default is a member.
    void spaces()
    {
        QFETCH(QString, name);
        QFETCH(QString, dtype);
        QFETCH(QString, layout);
        QFETCH(QString, sizes);
        QFETCH(int, least);
        const auto entry = family(name.toStdString());
        const GpuSpec gpu = h200();
        const auto made =
            entry->makeProblem(dtypeFromName(dtype.toStdString()), layout.toStdString(), parsed(sizes));
        QVERIFY2(made.ok(), made ? "" : made.error().message.c_str());
        const auto space = entry->enumerate(*made, gpu);
        QVERIFY2(space.ok(), space ? "" : space.error().message.c_str());
        QVERIFY2(static_cast<int>(space->size()) >= least && space->size() <= 2000,
                 std::to_string(space->size()).c_str());
        const auto standard = entry->defaultConfiguration(*made, gpu);
        QVERIFY(standard.ok() && space->find(*standard).has_value());
        Random random(11);
        for (int i = 0; i < 25; ++i) {
            const auto index = static_cast<std::size_t>(random.below(space->size()));
            const Symbols configuration = space->configuration(index);
            QCOMPARE(symbolsText(*entry->canonical(*made, configuration)), symbolsText(configuration));
            const auto plan = entry->instantiate(*made, configuration);
            QVERIFY2(plan.ok(), plan ? "" : plan.error().message.c_str());
            const auto bound = bindPlan(*plan, *made, gpu);
            QVERIFY2(bound.ok(), (symbolsText(configuration) + (bound ? "" : bound.error().message)).c_str());
            QVERIFY(!bound->launches.empty());
            const auto reduced = entry->reducedProblems(*made, configuration);
            QVERIFY2(reduced.ok() && !reduced->empty(), symbolsText(configuration).c_str());
            for (const Problem& small : *reduced) {
                QVERIFY(small.compulsoryBytes <= made->compulsoryBytes);
                const auto again = bindPlan(*plan, small, gpu);
                QVERIFY2(again.ok(),
                         (small.key + " " + symbolsText(configuration) + (again ? "" : again.error().message))
                             .c_str());
            }
        }
        QVERIFY(bindPlan(*entry->referencePlan(*made), *made, gpu).ok());
    }

    void nothingToDoLaunchesNothing()
    {
        for (const auto& [name, sizes] : {std::pair{"permute_copy", "ROWS=0 COLS=5"},
                                          {"gelu", "N=0"},
                                          {"gated", "ROWS=0 COLS=8"},
                                          {"rope", "H=2 S=0 D=8"},
                                          {"batch_norm", "N=0 C=8 H=2"},
                                          {"layer_norm", "ROWS=0 COLS=8"}}) {
            const Problem empty = problem(name, sizes);
            const auto entry = family(name);
            const auto standard = entry->defaultConfiguration(empty, h200());
            QVERIFY2(standard.ok(), name);
            const auto bound = bindPlan(*entry->instantiate(empty, *standard), empty, h200());
            QVERIFY2(bound.ok() && bound->launches.empty(), name);
        }
    }

    // Every view served must be exactly what the problem's source tensor describes, element by element.
    void permutationsMatch_data()
    {
        QTest::addColumn<QList<int>>("order");
        QTest::addColumn<bool>("served");
        const auto add = [](QList<int> order, bool served) {
            QString text;
            for (int i : order)
                text += QString::number(i);
            QTest::addRow("%s", qPrintable(text)) << order << served;
        };
        add({1, 0}, true);
        add({0, 2, 1}, true);
        add({1, 0, 2}, true);
        add({1, 2, 0}, true);
        add({2, 0, 1}, true);
        add({2, 1, 0}, false);
        add({0, 2, 1, 3}, true);
        add({0, 1, 3, 2}, true);
        add({0, 2, 3, 1}, true);
        add({0, 3, 1, 2}, true);
        add({3, 2, 1, 0}, false);
        add({2, 0, 3, 1}, false);
    }
    void permutationsMatch()
    {
        QFETCH(QList<int>, order);
        QFETCH(bool, served);
        for (const Shape& extents : {Shape{2, 3, 4, 5}, Shape{1, 6, 2, 3}}) {
            Shape shape(extents.begin(), extents.begin() + order.size());
            std::vector<std::size_t> places;
            for (int i : order)
                places.push_back(static_cast<std::size_t>(i));
            const Shape strides = permuted(places, &shape);
            for (const auto& op : {aten("aten::copy_", {input(shape), input(shape, strides)}),
                                   aten("aten::clone", {input(shape, strides)}, {{1, std::int64_t{0}}})}) {
                std::string why;
                const auto found = family("permute_copy")->match(op, &why);
                if (!served && extents[0] > 1) {
                    QVERIFY(!found);
                    continue;
                }
                if (!found && extents[0] == 1)
                    continue; // some of these are contiguous
                QVERIFY2(found, why.c_str());
                const TensorSpec& x = found->tensors[0];
                QCOMPARE(x.elements(),
                         std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
                for (std::int64_t i = 0; i < x.elements(); ++i)
                    QCOMPARE(offsetOf(i, x.shape, x.strides), offsetOf(i, shape, strides));
            }
        }
    }

    void layoutConversions()
    {
        const Shape shape{2, 6, 4, 5}, last = channelsLastStrides(shape);
        // To channels_last: position m of the result in memory holds the element whose source offset the
        // problem says.
        const auto there =
            family("permute_copy")->match(aten("aten::copy_", {input(shape, last), input(shape)}));
        QVERIFY(there);
        for (std::int64_t i = 0; i < 240; ++i) {
            const std::int64_t place = offsetOf(i, shape, last);
            QCOMPARE(offsetOf(place, there->tensors[0].shape, there->tensors[0].strides), i);
        }
        const auto back =
            family("permute_copy")->match(aten("aten::copy_", {input(shape), input(shape, last)}));
        QVERIFY(back);
        std::string why;
        QVERIFY(!family("permute_copy")->match(aten("aten::copy_", {input(shape), input(shape)}), &why));
        QVERIFY(!family("permute_copy")
                     ->match(aten("aten::copy_", {input(shape), input(shape, last, DType::F32)}), &why));
        QVERIFY2(why.find("differ in dtype") != std::string::npos, why.c_str());
        // A clone that keeps the order of its source permutes nothing.
        QVERIFY(!family("permute_copy")->match(aten("aten::clone", {input(shape, last)})));
    }

    void pointwiseOperatorsMatch()
    {
        const auto x = input({4, 100});
        std::string why;
        QVERIFY(family("silu")->match(aten("aten::silu", {x})));
        const auto tanhForm =
            family("gelu")->match(aten("aten::gelu", {x, {}}, {{1, std::string("tanh")}}), &why);
        QVERIFY2(tanhForm && std::get<bool>(tanhForm->symbols.at("tanh")), why.c_str());
        const auto exact =
            family("gelu")->match(aten("aten::gelu", {x, {}}, {{1, std::string("none")}}), &why);
        QVERIFY2(exact && !std::get<bool>(exact->symbols.at("tanh")), why.c_str());
        QVERIFY(family("relu")->match(aten("aten::clamp_min_", {x, {}}, {{1, std::int64_t{0}}})));
        QVERIFY(!family("relu")->match(aten("aten::clamp_min_", {x, {}}, {{1, std::int64_t{1}}})));
        QVERIFY(!family("relu")->match(aten("aten::relu", {input({4, 100}, {200, 1})})));
        QVERIFY(family("add")->match(aten("aten::add", {x, x, {}}, {{2, std::int64_t{1}}})));
        QVERIFY(!family("add")->match(aten("aten::add", {x, x, {}}, {{2, std::int64_t{2}}}), &why));
        QVERIFY2(why.find("scaled") != std::string::npos, why.c_str());
        QVERIFY(!family("add")->match(aten("aten::add", {input({1, 8, 4, 4}), input({1, 8, 1, 1})})));
        QVERIFY(!family("add")->match(aten("aten::add", {input({8, 4}), input({4, 8})})));
        OperatorDescription region = aten("silu -> mul", {x, x});
        region.kind = OperatorDescription::Kind::Region;
        QVERIFY(family("gated")->match(region));
    }

    void layersMatch()
    {
        std::string why;
        const OperatorInput f32 = input({8}, {}, DType::F32);
        const auto norm =
            aten("aten::native_batch_norm", {input({2, 8, 4, 4}), f32, f32, f32, f32, {}, {}, {}},
                 {{5, false}, {6, 0.1}, {7, 1e-3}});
        auto found = family("batch_norm")->match(norm, &why);
        QVERIFY2(found, why.c_str());
        QCOMPARE(found->key, std::string("batch_norm[C=8,H=4,N=2,W=4,add=false,affine=true,param_f32=true,"
                                         "relu=false] f16 contiguous"));
        QCOMPARE(std::get<double>(found->symbols.at("eps")), 1e-3);
        OperatorDescription training = norm;
        training.scalars[5] = true;
        QVERIFY(!family("batch_norm")->match(training, &why));
        QVERIFY2(why.find("training") != std::string::npos, why.c_str());
        OperatorDescription fused = norm;
        fused.kind = OperatorDescription::Kind::Region;
        fused.name = "native_batch_norm -> relu";
        fused.inputs[0].strides = channelsLastStrides({2, 8, 4, 4});
        found = family("batch_norm")->match(fused, &why);
        QVERIFY2(found && found->layout == "channels_last" && std::get<bool>(found->symbols.at("relu")),
                 why.c_str());

        const OperatorInput weight = input({100});
        const auto layer =
            aten("aten::native_layer_norm", {input({2, 3, 100}), {}, weight, weight, {}}, {{4, 1e-6}});
        found = family("layer_norm")->match(layer, &why);
        QVERIFY2(found, why.c_str());
        QCOMPARE(found->tensors.size(), std::size_t{6});
        QCOMPARE(found->tensors[4].dtype, DType::F32);
        OperatorDescription two = layer;
        two.inputs[2] = two.inputs[3] = input({3, 100});
        QVERIFY(!family("layer_norm")->match(two, &why));
        QVERIFY2(why.find("last dimension") != std::string::npos, why.c_str());
    }

    void references()
    {
        const double sigmoid = 1 / (1 + std::exp(-1.0));
        compare(reference(problem("silu", "N=4"), {{1, -1, 0, NAN}})[0], {sigmoid, sigmoid - 1, 0, NAN});
        // The normal distribution's share below 1, and the published value of the tanh form.
        compare(reference(problem("gelu", "N=2"), {{1, -1}})[0], {0.8413447460685429, -0.1586552539314571});
        compare(reference(problem("gelu", "N=1 tanh=true"), {{1}})[0], {0.8411919906082768});
        compare(reference(problem("relu", "N=3"), {{-2, 3, NAN}})[0], {0, 3, NAN});
        compare(reference(problem("add", "N=2 relu=true"), {{1, 1}, {2, -2}})[0], {3, 0});
        compare(reference(problem("gated", "ROWS=1 COLS=2"), {{1, -1}, {2, 3}})[0],
                {2 * sigmoid, 3 * (sigmoid - 1)});
        compare(reference(problem("gated", "ROWS=2 COLS=1 packed=true"), {{1, 2, -1, 3}})[0],
                {2 * sigmoid, 3 * (sigmoid - 1)});
        const std::vector<std::vector<double>> turns = {{1, 2, 3, 4}, {0, 0, 0, 0}, {1, 1, 1, 1}};
        compare(reference(problem("rope", "H=1 S=1 D=4"), turns)[0], {-3, -4, 1, 2});
        compare(reference(problem("rope", "H=1 S=1 D=4 interleaved=true"), turns)[0], {-2, 1, -4, 3});
    }

    void referencesOfLayers()
    {
        // (3 - 1) / sqrt(3 + 1) = 1 in the first channel, (5 - 5) / 1 = 0 in the second.
        compare(reference(problem("batch_norm", "C=2 H=1 eps=1 add=true relu=true"),
                          {{3, 5}, {1, 4}, {1, 5}, {3, 0}, {2, 1}, {-5, 0.5}})[0],
                {0, 4.5}); // 2 * 1 - 5 + 1 < 0; 0 + 0.5 + 4
        const auto layer = reference(problem("layer_norm", "ROWS=2 COLS=2 eps=3 stats=true"),
                                     {{1, 3, INFINITY, 1}, {2, 2}, {1, 0}});
        compare(layer[0], {0, 1, NAN, NAN}); // mean 2, 1 / sqrt(1 + 3) = 0.5
        compare(layer[1], {2, NAN});
        compare(layer[2], {0.5, NAN});
        const double inverse = 1 / std::sqrt(12.5);
        const auto summed = reference(problem("add_rms_norm", "ROWS=1 COLS=2 eps=0 weight_offset=1"),
                                      {{1, 3}, {2, 1}, {0, 1}});
        compare(summed[0], {3, 4});
        compare(summed[1], {3 * inverse, 8 * inverse});
        const auto bytes =
            reference(problem("fp8_quantise", "ROWS=3 COLS=2 least=0.5"), {{1, -2, 0, 0.25, NAN, 1}});
        compare(bytes[0], {224, -448, 0, 224, NAN, NAN});
        compare(bytes[1], {2.0 / 448, 0.5 / 448, NAN});
        QVERIFY(!cpuReference(problem("add", "N=2"), {{1, 2}}));
    }
};

QTEST_APPLESS_MAIN(TestFamiliesLayers)
#include "tst_families_layers.moc"
