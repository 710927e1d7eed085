// SPDX-License-Identifier: Apache-2.0
// Bytes and operations per operator against figures worked out by hand.
#include "core/profile/floors.h"

#include <QTest>

using namespace foresight;

namespace {

OperatorInput tensor(DType dtype, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides = {})
{
    return {dtype, std::move(shape), std::move(strides)};
}

OperatorDescription aten(const std::string& name, std::vector<OperatorInput> inputs,
                         std::map<int, Value> scalars = {})
{
    OperatorDescription op;
    op.name = "aten::" + name;
    op.inputs = std::move(inputs);
    op.scalars = std::move(scalars);
    return op;
}

GpuSpec gpu()
{
    GpuSpec spec;
    spec.peakBandwidth = 1e12;
    spec.peakFlopsF32 = 1e13;
    spec.matrixFlops = {{"f16", 1e15}, {"tf32", 1e14}};
    spec.emptyKernelNs = 1000;
    return spec;
}

const OperatorInput kNone{};

} // namespace

class TestFloors : public QObject
{
    Q_OBJECT
private slots:
    void table_data()
    {
        QTest::addColumn<double>("bytes");
        QTest::addColumn<double>("flops");
        const auto row = [this](const char* name, OperatorDescription op, double bytes, double flops) {
            m_ops[name] = std::move(op);
            QTest::newRow(name) << bytes << flops;
        };
        const auto h = DType::F16;
        // 2 x 1*128*64*64*2 B, two weights of 128, mean and rstd of 1 x 32.
        row("group norm",
            aten("native_group_norm",
                 {tensor(h, {1, 128, 64, 64}), tensor(h, {128}), tensor(h, {128}), kNone, kNone, kNone, kNone,
                  kNone},
                 {{3, std::int64_t{1}},
                  {4, std::int64_t{128}},
                  {5, std::int64_t{4096}},
                  {6, std::int64_t{32}},
                  {7, 1e-6}}),
            2 * 1048576.0 + 2 * 256 + 2 * 32 * 2, 0);
        // 4 x 1024 rows of 512: mean and rstd in f32 for each row.
        row("layer norm",
            aten("native_layer_norm",
                 {tensor(h, {4, 1024, 512}), kNone, tensor(h, {512}), tensor(h, {512}), kNone},
                 {{1, std::string("[512]")}, {4, 1e-5}}),
            2 * 4194304.0 + 2 * 1024 + 2 * 4096 * 4, 0);
        row("softmax",
            aten("_softmax", {tensor(DType::BF16, {8, 2048}), kNone, kNone},
                 {{1, std::int64_t{-1}}, {2, false}}),
            2 * 32768.0, 0);
        row("softmax to f32",
            aten("_softmax", {tensor(h, {8, 2048}), kNone, kNone}, {{1, std::int64_t{-1}}, {2, true}}),
            32768.0 + 65536.0, 0);
        row("mm", aten("mm", {tensor(h, {16, 32}), tensor(h, {32, 64})}), 2.0 * (16 * 32 + 32 * 64 + 16 * 64),
            2.0 * 16 * 32 * 64);
        row("addmm", aten("addmm", {tensor(h, {64}), tensor(h, {16, 32}), tensor(h, {32, 64})}),
            2.0 * (64 + 16 * 32 + 32 * 64 + 16 * 64), 2.0 * 16 * 32 * 64);
        row("bmm", aten("bmm", {tensor(h, {4, 16, 32}), tensor(h, {4, 32, 64})}),
            2.0 * 4 * (16 * 32 + 32 * 64 + 16 * 64), 2.0 * 4 * 16 * 32 * 64);
        row("linear", aten("linear", {tensor(h, {2, 8, 32}), tensor(h, {64, 32})}),
            2.0 * (2 * 8 * 32 + 64 * 32 + 2 * 8 * 64), 2.0 * 16 * 32 * 64);
        // 10x10 with padding 1, stride 2, window 3: 5x5 outputs.
        row("convolution",
            aten("cudnn_convolution",
                 {tensor(h, {1, 8, 10, 10}), tensor(h, {16, 8, 3, 3}), kNone, kNone, kNone, kNone},
                 {{2, std::string("[1, 1]")},
                  {3, std::string("[2, 2]")},
                  {4, std::string("[1, 1]")},
                  {5, std::int64_t{1}}}),
            2.0 * (800 + 1152 + 16 * 25), 2.0 * 16 * 25 * 8 * 9);
        // The general form, dilation 2 (reach 5): 10 + 0 - 5 + 1 = 6; two groups of 4 channels.
        row("dilated grouped convolution",
            aten("convolution",
                 {tensor(h, {1, 8, 10, 10}), tensor(h, {16, 4, 3, 3}), kNone, kNone, kNone, kNone, kNone,
                  kNone, kNone},
                 {{3, std::string("[1, 1]")},
                  {4, std::string("[0, 0]")},
                  {5, std::string("[2, 2]")},
                  {6, false},
                  {7, std::string("[0, 0]")},
                  {8, std::int64_t{2}}}),
            2.0 * (800 + 576 + 16 * 36), 2.0 * 16 * 36 * 4 * 9);
        // 2 batches, 4 heads, 128 queries and keys, width 64; causal: half.
        row("attention",
            aten("_scaled_dot_product_flash_attention",
                 {tensor(h, {2, 4, 128, 64}), tensor(h, {2, 4, 128, 64}), tensor(h, {2, 4, 128, 64}), kNone,
                  kNone},
                 {{3, 0.0}, {4, true}}),
            4 * 2.0 * 65536, 2.0 * 2 * 4 * 128 * 128 * 64);
        row("add", aten("add", {tensor(h, {4, 8}), tensor(h, {4, 8}), kNone}, {{2, std::int64_t{1}}}),
            2.0 * 32 * 3, 0);
        row("broadcast mul", aten("mul", {tensor(h, {4, 8}), tensor(h, {8})}), 2.0 * (32 + 8 + 32), 0);
        row("mul promotes", aten("mul", {tensor(h, {4, 8}), tensor(DType::F32, {4, 1})}), 64 + 16 + 32 * 4.0,
            0);
        row("mul by a 0-dim f32", aten("mul", {tensor(h, {4, 8}), tensor(DType::F32, {})}), 64 + 4 + 64, 0);
        row("expanded input", aten("add", {tensor(h, {4, 8}, {8, 1}), tensor(h, {4, 8}, {0, 1})}),
            64 + 16 + 64, 0);
        row("in place", aten("silu_", {tensor(h, {4, 8})}), 128, 0);
        row("copy with conversion", aten("copy_", {tensor(DType::F32, {4, 8}), tensor(h, {4, 8}), kNone}),
            128 + 64, 0);
        row("mean over the last",
            aten("mean", {tensor(DType::F32, {4, 8}), kNone, kNone}, {{1, std::string("[-1]")}, {2, true}}),
            128 + 16, 0);
        row("sum of all", aten("sum", {tensor(DType::F32, {4, 8})}), 128 + 4, 0);
        row("cat", aten("cat", {tensor(h, {4, 8}), tensor(h, {2, 8}), kNone}, {{2, std::int64_t{0}}}),
            2 * (64 + 32), 0);
        row("embedding", aten("embedding", {tensor(h, {32000, 64}), tensor(DType::I64, {1, 10})}),
            80 + 2 * 10 * 64 * 2.0, 0);
        row("upsample",
            aten("upsample_nearest2d", {tensor(h, {1, 2, 4, 4}), kNone}, {{1, std::string("[8, 8]")}}),
            64 + 2 * 64 * 2.0, 0);
    }
    void table()
    {
        QFETCH(double, bytes);
        QFETCH(double, flops);
        const OperatorCost cost = operatorCost(m_ops.at(QTest::currentDataTag()));
        QCOMPARE(cost.kind, FloorKind::Known);
        QCOMPARE(cost.bytes, bytes);
        QCOMPARE(cost.flops, flops);
    }

    void unknownKindsAreEstimates()
    {
        const OperatorCost cost =
            operatorCost(aten("grid_sampler", {tensor(DType::F32, {4, 8}), tensor(DType::F32, {2})}));
        QCOMPARE(cost.kind, FloorKind::Estimate);
        QCOMPARE(cost.bytes, 128 + 8 + 128.0);
        // A known kind without the arguments its rule needs is no better.
        QCOMPARE(operatorCost(aten("cudnn_convolution",
                                   {tensor(DType::F16, {1, 8, 4, 4}), tensor(DType::F16, {8, 8, 3, 3})}))
                     .kind,
                 FloorKind::Estimate);
    }

    void unknownDtypesHaveNoFloor()
    {
        QCOMPARE(operatorCost(aten("silu", {tensor(DType::Unknown, {4, 8})})).kind, FloorKind::None);
        QCOMPARE(operatorCost(aten("add", {tensor(DType::F16, {4, 8}), tensor(DType::Unknown, {4, 8})})).kind,
                 FloorKind::None);
        QCOMPARE(operatorCost(aten("empty", {})).kind, FloorKind::None);
    }

    void theFloorIsTheLargestTerm()
    {
        OperatorCost cost;
        cost.kind = FloorKind::Known;
        cost.dtype = DType::F16;
        cost.bytes = 10;
        QCOMPARE(costFloorNs(cost, gpu()), 1000.0); // an empty kernel
        cost.bytes = 5e6;
        QCOMPARE(costFloorNs(cost, gpu()), 5000.0); // 5 MB at 1 TB/s
        cost.flops = 1e8;
        QCOMPARE(costFloorNs(cost, gpu()), 10000.0); // without matrix units
        cost.matrixUnits = true;
        QCOMPARE(costFloorNs(cost, gpu()), 5000.0);
        cost.dtype = DType::F32; // could have run as tf32
        cost.flops = 1e9;
        QCOMPARE(costFloorNs(cost, gpu()), 10000.0);
        GpuSpec measured = gpu();
        measured.copyBandwidth = 5e11;
        cost.flops = 0;
        QCOMPARE(costFloorNs(cost, measured), 10000.0); // the measured rate replaces the sheet's
    }

private:
    std::map<std::string, OperatorDescription> m_ops;
};

QTEST_APPLESS_MAIN(TestFloors)
#include "tst_floors.moc"
