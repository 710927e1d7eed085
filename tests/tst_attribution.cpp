// SPDX-License-Identifier: Apache-2.0
// From records to operators: who launched what, what counts once, and what the steps took.
#include "core/base/random.h"
#include "core/profile/profile_builder.h"
#include "core/profile/range_text.h"
#include "core/profile/range_tree.h"
#include "tests/record_builder.h"

#include <QTest>

#include <algorithm>

using namespace foresight;
using test::RecordBuilder;

namespace {

const std::string kStep = R"({"fs":"s","i":1})";
const std::string kPlainStep = R"({"fs":"s","i":1,"plain":1})";

std::string module(const std::string& name, const std::string& path, const std::string& inputs = "[]",
                   const std::string& attributes = "{}")
{
    return R"({"fs":"m","c":")" + name + R"(","p":")" + path + R"(","l":1,"a":)" + attributes + R"(,"in":)" +
           inputs + "}";
}

Profile build(RecordBuilder& builder, const std::vector<std::string>& served = {})
{
    ProfileBuildOptions options;
    options.gpu.name = "test";
    options.gpu.peakBandwidth = 1e9; // one byte a nanosecond
    options.serve = [served](const OperatorDescription& op) -> std::optional<Problem> {
        if (std::find(served.begin(), served.end(), op.name) == served.end())
            return std::nullopt;
        Problem problem;
        problem.compulsoryBytes = 100;
        return problem;
    };
    return buildProfile(builder.finished(), options);
}

const ProfiledOperator* find(const Profile& profile, const std::string& name, bool overlapping = false)
{
    for (const auto& op : profile.operators) {
        if (op.description.name == name && op.overlapsWith.valid() == overlapping)
            return &op;
    }
    return nullptr;
}

double countedGpuNs(const Profile& profile)
{
    double total = 0;
    for (const auto& op : profile.operators)
        total += op.overlapsWith.valid() ? 0 : op.gpuNs;
    return total;
}

} // namespace

class TestAttribution : public QObject
{
    Q_OBJECT
private slots:
    void kernelsGoToTheInnermostOperator()
    {
        RecordBuilder b;
        b.open(kStep).open(module("Linear", "a.b"));
        b.open("aten::linear, op_id = 1, sizes = [[2, 4], [8, 4]]");
        b.open("aten::mm, op_id = 2, sizes = [[2, 4], [4, 8]]")
            .kernel("gemm", 100)
            .kernel("reduce", 20)
            .close();
        b.close().close().close();
        const Profile profile = build(b);
        QCOMPARE(profile.operators.size(), std::size_t{1});
        const auto& op = profile.operators.front();
        QCOMPARE(op.description.name, std::string("aten::mm"));
        QCOMPARE(op.description.inputs.size(), std::size_t{2});
        QCOMPARE(op.description.inputs[1].shape, (std::vector<std::int64_t>{4, 8}));
        QCOMPARE(op.description.inputs[0].dtype, DType::Unknown); // never guessed
        QCOMPARE(op.floorKind, FloorKind::None);
        QCOMPARE(op.calls, std::int64_t{1});
        QCOMPARE(op.gpuNs, 120.0);
        QCOMPARE(op.modulePath, std::string("a.b"));
        QCOMPARE(op.kernels.size(), std::size_t{2});
        QCOMPARE(op.kernels[0].name, std::string("gemm"));
        QCOMPARE(op.kernels[0].gpuNs, 100.0);
        QCOMPARE(op.kernels[0].block[0], std::int64_t{256});
        QCOMPARE(profile.gpuNs, 120.0);
        QCOMPARE(profile.records.unmatched, std::int64_t{0});
    }

    void statisticsAreExact()
    {
        RecordBuilder b;
        for (const std::uint64_t duration : {50, 10, 40, 20, 30})
            b.op("aten::silu, op_id = 1, sizes = [[4]]", duration);
        const auto profile = build(b);
        const auto& op = profile.operators.front();
        QCOMPARE(op.calls, std::int64_t{5});
        QCOMPARE(op.gpuNs, 150.0);
        QCOMPARE(op.meanNs, 30.0);
        QCOMPARE(op.minNs, 10.0);
        QCOMPARE(op.maxNs, 50.0);
        QCOMPARE(op.p50Ns, 30.0);
        QCOMPARE(op.p95Ns, 48.0);
        QCOMPARE(op.share, 1.0);
    }

    void shapesDtypesStridesAndScalarsTellOperatorsApart()
    {
        RecordBuilder b;
        for (int id = 1; id <= 5; ++id)
            b.op("aten::silu, op_id = " + std::to_string(id) + ", sizes = [[" + (id == 5 ? "8" : "4, 2") +
                     "]]",
                 10);
        b.mark(R"({"fs":"ops","l":[{"id":1,"n":"aten::silu","in":[["f16",[4,2],[2,1]]],"sc":{}},)"
               R"({"id":2,"n":"aten::silu","in":[["f32",[4,2],[2,1]]],"sc":{}},)"
               R"({"id":3,"n":"aten::silu","in":[["f16",[4,2],[1,4]]],"sc":{}},)"
               R"({"id":4,"n":"aten::silu","in":[["f16",[4,2],[2,1]]],"sc":{"1":3}}]})");
        const Profile profile = build(b);
        QCOMPARE(profile.operators.size(), std::size_t{5});
        // The last one was not described, and nothing like it was: its dtype stays unknown.
        const auto last =
            std::find_if(profile.operators.begin(), profile.operators.end(),
                         [](const auto& op) { return op.description.inputs[0].shape.size() == 1; });
        QCOMPARE(last->description.inputs[0].dtype, DType::Unknown);
    }

    void otherStepsTakeOverDescriptionsByPosition()
    {
        RecordBuilder b;
        // Two copies of the same module, name and sizes that differ only in dtype: position decides.
        for (int step = 0; step < 2; ++step) {
            b.open(kStep).open(module("Norm", "n"));
            for (int i = 1; i <= 2; ++i)
                b.op("aten::copy_, op_id = " + std::to_string(step * 2 + i) + ", sizes = [[4], [4]]",
                     static_cast<std::uint64_t>(10 * i));
            b.close().close();
        }
        b.mark(
            R"({"fs":"ops","l":[{"id":1,"n":"aten::copy_","in":[["f32",[4],[1]],["f16",[4],[1]]],"sc":{}},)"
            R"({"id":2,"n":"aten::copy_","in":[["f16",[4],[1]],["f32",[4],[1]]],"sc":{}}]})");
        const Profile profile = build(b);
        QCOMPARE(profile.operators.size(), std::size_t{2});
        for (const auto& op : profile.operators) {
            QCOMPARE(op.calls, std::int64_t{2});
            const double each = op.description.inputs[0].dtype == DType::F32 ? 10 : 20;
            QCOMPARE(op.gpuNs, 2 * each);
            QCOMPARE(op.floorNs, 24.0); // 16 + 8 bytes at a byte a nanosecond
            QCOMPARE(op.floorKind, FloorKind::Known);
        }
        QCOMPARE(profile.steps, std::int64_t{2});
    }

    void aServedModuleCountsAndItsPartsOverlap()
    {
        RecordBuilder b;
        for (int i = 0; i < 2; ++i) {
            b.open(module("FancyRMSNorm", "layer." + std::to_string(i) + ".norm"));
            b.op("aten::pow, op_id = 1, sizes = [[4]]", 300)
                .op("aten::mul, op_id = 2, sizes = [[4], [4]]", 200)
                .close();
        }
        b.op("aten::mul, op_id = 3, sizes = [[4], [4]]", 7); // outside
        const Profile profile = build(b, {"FancyRMSNorm"});
        const auto* norm = find(profile, "FancyRMSNorm");
        QVERIFY(norm);
        QCOMPARE(norm->calls, std::int64_t{2});
        QCOMPARE(norm->gpuNs, 1000.0);
        QCOMPARE(norm->floorNs, 100.0);
        QCOMPARE(norm->headroomNs, 800.0);
        QCOMPARE(norm->modulePath, std::string("*"));
        QCOMPARE(norm->modulePaths.size(), std::size_t{2});
        const auto* part = find(profile, "aten::mul", true);
        const auto* outside = find(profile, "aten::mul", false);
        QVERIFY(part && outside);
        QVERIFY(part->overlapsWith == norm->id);
        QCOMPARE(part->gpuNs, 400.0);
        QCOMPARE(outside->gpuNs, 7.0);
        QCOMPARE(countedGpuNs(profile), profile.gpuNs);
    }

    void anUnservedModuleIsNoOperator()
    {
        RecordBuilder b;
        b.open(module("FancyRMSNorm", "n")).op("aten::pow, op_id = 1, sizes = [[4]]", 3).close();
        const Profile profile = build(b);
        QCOMPARE(profile.operators.size(), std::size_t{1});
        QCOMPARE(profile.operators[0].description.name, std::string("aten::pow"));
        QVERIFY(!profile.operators[0].overlapsWith.valid());
    }

    void aModuleThatIsOneServedOperatorIsThatOperator()
    {
        RecordBuilder b;
        b.open(module("GroupNorm", "n")).open("aten::group_norm, op_id = 1, sizes = [[4]]");
        b.op("aten::native_group_norm, op_id = 2, sizes = [[4]]", 30).close().close();
        const Profile profile = build(b, {"GroupNorm", "aten::native_group_norm"});
        QCOMPARE(profile.operators.size(), std::size_t{1});
        QCOMPARE(profile.operators[0].description.name, std::string("aten::native_group_norm"));
        // With a layout copy beside it the module is more than the operator, and counts.
        RecordBuilder c;
        c.open(module("GroupNorm", "n")).open("aten::group_norm, op_id = 1, sizes = [[4]]");
        c.op("aten::copy_, op_id = 2, sizes = [[4], [4]]", 20)
            .op("aten::native_group_norm, op_id = 3, sizes = [[4]]", 30);
        c.close().close();
        const Profile more = build(c, {"GroupNorm", "aten::native_group_norm"});
        const auto* norm = find(more, "GroupNorm");
        QVERIFY(norm);
        QCOMPARE(norm->gpuNs, 50.0);
        QCOMPARE(countedGpuNs(more), 50.0);
    }

    void normAndActivationJoinByDataFlow()
    {
        RecordBuilder b = normThenSilu("");
        const Profile profile = build(b, {"native_group_norm -> silu", "aten::native_group_norm"});
        const auto* region = find(profile, "native_group_norm -> silu");
        QVERIFY(region);
        QCOMPARE(region->description.kind, OperatorDescription::Kind::Region);
        QCOMPARE(region->gpuNs, 20.0 + 30.0 + 5.0); // copy, norm, silu
        QCOMPARE(region->calls, std::int64_t{1});
        QCOMPARE(region->modulePath, std::string("n"));
        // The norm's arguments, with the layout the caller gave.
        QCOMPARE(region->description.inputs[0].strides, (std::vector<std::int64_t>{16, 1, 8, 2}));
        QVERIFY(valuesEqual(region->description.scalars.at(6), std::int64_t{2}));
        for (const char* part : {"aten::copy_", "aten::native_group_norm", "aten::silu"}) {
            const auto* op = find(profile, part, true);
            QVERIFY2(op, part);
            QVERIFY(op->overlapsWith == region->id);
        }
        QCOMPARE(countedGpuNs(profile), profile.gpuNs);
    }

    void aNormReadTwiceIsNoRegion()
    {
        RecordBuilder b = normThenSilu(
            "aten::add, op_id = 9, sizes = [[1, 2, 4, 2], [1, 2, 4, 2]], input_op_ids = [(1,0), (0,-1)]");
        const Profile profile = build(b, {"native_group_norm -> silu"});
        QVERIFY(!find(profile, "native_group_norm -> silu"));
        QVERIFY(find(profile, "aten::silu"));
    }

    void plainStepsGiveTheTimesOthersTheOperators()
    {
        RecordBuilder b;
        b.open(kPlainStep).kernel("k", 100).kernel("k", 100, 50).close();
        b.open(kStep)
            .open("aten::silu, op_id = 1, sizes = [[4]]")
            .kernel("k", 100)
            .kernel("k", 100, 900)
            .close()
            .close();
        b.open(kStep)
            .open("aten::silu, op_id = 2, sizes = [[4]]")
            .kernel("k", 100)
            .kernel("k", 100, 900)
            .close()
            .close();
        const Profile profile = build(b);
        QCOMPARE(profile.steps, std::int64_t{2});
        QCOMPARE(profile.gpuNs, 400.0);
        QCOMPARE(profile.operators.size(), std::size_t{1});
        QCOMPARE(profile.operators[0].calls, std::int64_t{2});
        QCOMPARE(profile.launchBoundNs, 2 * 50.0); // scaled from one plain step to two
        // The plain step opened at host time 1010 and its work ended at 2250.
        QCOMPARE(profile.wallNs, 2 * (2250.0 - 1010.0));
    }

    // A backward pass launches from a thread without ranges; in a plain step that is nothing to report.
    void workOfOtherThreadsInPlainStepsIsTimingOnly()
    {
        RecordBuilder b;
        b.open(kPlainStep).kernel("backward", 100, 0, false).close();
        b.open(kStep).op("aten::silu, op_id = 1, sizes = [[4]]", 10).kernel("lost", 7, 0, false).close();
        const Profile profile = build(b);
        QCOMPARE(profile.gpuNs, 17.0);
        QCOMPARE(profile.records.unmatched, std::int64_t{1});
        QVERIFY(!find(profile, "backward"));
        QVERIFY(find(profile, "lost"));
        QCOMPARE(profile.wallNs, 2100.0 - 1010.0);
    }

    void workOutsideRangesShowsByKernelName()
    {
        RecordBuilder b;
        b.kernel("_Z3fooPf", 10).kernel("_Z3fooPf", 30);
        const Profile profile = build(b);
        QCOMPARE(profile.records.unmatched, std::int64_t{2});
        QCOMPARE(profile.operators.size(), std::size_t{1});
        QCOMPARE(profile.operators[0].calls, std::int64_t{2});
        QCOMPARE(profile.operators[0].description.name, std::string("foo(float*)"));
        QCOMPARE(profile.operators[0].kernels[0].name, std::string("foo(float*)"));
        QVERIFY(profile.distrust().find("could not be matched") != std::string::npos);
    }

    void distrustNamesTheReason()
    {
        RecordBuilder b;
        b.op("aten::silu, op_id = 1, sizes = [[4]]", 10);
        QVERIFY(build(b).distrust().empty());
        b.records.counts.droppedByCupti = 3;
        QVERIFY(build(b).distrust().find("75 % of the records were dropped") == 0);
        b.mark(R"({"fs":"disturbed","by":"torch.profiler"})");
        QVERIFY(build(b).distrust().find("Disturbed by torch.profiler") == 0);
        RecordBuilder empty;
        QCOMPARE(build(empty).distrust(), std::string("No GPU work was recorded."));
        QVERIFY(!build(empty).notes.empty());
    }

    void operatorsAreSortedByHeadroom()
    {
        RecordBuilder b;
        b.open(module("Big", "n"))
            .op("aten::pow, op_id = 1, sizes = [[4]]", 900)
            .op("aten::exp, op_id = 2, sizes = [[4]]", 1)
            .close();
        b.open(module("Small", "m"))
            .op("aten::pow, op_id = 3, sizes = [[4]]", 300)
            .op("aten::exp, op_id = 4, sizes = [[4]]", 1)
            .close();
        const Profile profile = build(b, {"Big", "Small"});
        QVERIFY(std::is_sorted(profile.operators.begin(), profile.operators.end(),
                               [](const auto& x, const auto& y) { return x.headroomNs > y.headroomNs; }));
        QCOMPARE(profile.operators.front().description.name, std::string("Big"));
    }

    void rangeTextsOfAllKinds()
    {
        const RangeText op = parseRangeText(
            "aten::cat, seq = 12, op_id = 34, sizes = [[2, 3], [], [4]], input_op_ids = [(7,0), (0,-1)]");
        QCOMPARE(op.kind, RangeText::Kind::Op);
        QCOMPARE(op.name, std::string("aten::cat"));
        QCOMPARE(op.opId, std::int64_t{34});
        QCOMPARE(op.sizes, (std::vector<std::vector<std::int64_t>>{{2, 3}, {}, {4}}));
        QCOMPARE(op.inputOps.size(), std::size_t{2});
        QCOMPARE(op.inputOps[0], (std::pair<std::int64_t, int>{7, 0}));
        QCOMPARE(parseRangeText("aten::silu").kind, RangeText::Kind::Op);
        QCOMPARE(parseRangeText("my phase: load, then run").kind, RangeText::Kind::User);
        QCOMPARE(parseRangeText("{\"fs\":\"m\",").kind, RangeText::Kind::User); // cut off
        const RangeText m = parseRangeText(module("N", "a.b", R"([["bf16",[2,4],[4,1]],null])",
                                                  R"({"eps":1e-6,"n":3,"affine":true,"mode":"x"})"));
        QCOMPARE(m.kind, RangeText::Kind::Module);
        QCOMPARE(m.path, std::string("a.b"));
        QCOMPARE(m.description.inputs.size(), std::size_t{2});
        QCOMPARE(m.description.inputs[0].dtype, DType::BF16);
        QVERIFY(valuesEqual(m.description.attributes.at("n"), std::int64_t{3}));
    }

    void mutatedTextsNeverBreakTheBuilder()
    {
        Random random(7);
        const std::vector<std::string> texts{
            kStep, kPlainStep, module("N", "a", R"([["f16",[2,4],[4,1]]])", R"({"eps":1e-6})"),
            "aten::silu, op_id = 2, sizes = [[2, 3], []], input_op_ids = [(1,0)]",
            R"({"fs":"ops","l":[{"id":1,"n":"aten::silu","in":[["f16",[4,2],[2,1]],null],"sc":{"1":3,"2":"[1, 2]"}}]})"};
        for (int round = 0; round < 400; ++round) {
            RecordBuilder b;
            for (int i = 0; i < 6; ++i) {
                std::string text = texts[static_cast<std::size_t>(random.below(texts.size()))];
                for (std::uint64_t n = random.below(4); n > 0; --n)
                    text[static_cast<std::size_t>(random.below(text.size()))] =
                        static_cast<char>(random.below(256));
                if (random.coin(0.3))
                    text.resize(static_cast<std::size_t>(random.below(text.size())));
                if (random.coin(0.3))
                    b.mark(text);
                else
                    b.op(text, random.below(100));
            }
            const Profile profile = build(b, {"N", "aten::silu"});
            QCOMPARE(countedGpuNs(profile), profile.gpuNs);
        }
    }

private:
    // A channels_last group norm that copies first, then a silu of it, and optionally another reader.
    static RecordBuilder normThenSilu(const std::string& otherReader)
    {
        RecordBuilder b;
        b.open(kStep).open(module("GroupNorm", "n"));
        b.open("aten::group_norm, op_id = 1, sizes = [[1, 2, 4, 2], [], [2], [2], [], []], input_op_ids = "
               "[(0,-1)]");
        b.op("aten::copy_, op_id = 2, sizes = [[1, 2, 4, 2], [1, 2, 4, 2]]", 20);
        b.op("aten::native_group_norm, op_id = 3, sizes = [[1, 2, 4, 2], [2], [2], [], [], [], [], []], "
             "input_op_ids = [(2,0)]",
             30);
        b.close().close();
        b.op("aten::silu, op_id = 4, sizes = [[1, 2, 4, 2]], input_op_ids = [(1,0)]", 5);
        if (!otherReader.empty())
            b.op(otherReader, 3);
        b.close();
        b.mark(
            R"({"fs":"ops","l":[{"id":1,"n":"aten::group_norm","in":[["f16",[1,2,4,2],[16,1,8,2]]],"sc":{"1":2}},)"
            R"({"id":3,"n":"aten::native_group_norm","in":[["f16",[1,2,4,2],[16,8,2,1]],["f16",[2],[1]],["f16",[2],[1]]],"sc":{"6":2,"7":1e-6}}]})");
        return b;
    }
};

QTEST_APPLESS_MAIN(TestAttribution)
#include "tst_attribution.moc"
