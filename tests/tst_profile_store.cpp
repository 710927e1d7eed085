// SPDX-License-Identifier: Apache-2.0
// A profile in its session and back.
#include <QTemporaryDir>
#include <QTest>

#include "core/profile/profile.h"
#include "core/store/database.h"
#include "core/store/session.h"

using namespace foresight;

namespace {

Profile sample()
{
    Profile profile;
    profile.title = "a model";
    profile.command = "python3 model.py";
    profile.gpuName = "NVIDIA H200";
    profile.driver = "580.1";
    profile.cuda = "13.0";
    profile.torch = "2.11";
    profile.python = "3.12";
    profile.date = "2026-11-29T12:00:00Z";
    profile.revision = "abc";
    profile.gpu.name = "NVIDIA H200";
    profile.gpu.peakBandwidth = 4.8e12;
    profile.gpu.smCount = 132;
    profile.gpu.computeMajor = 9;
    profile.gpu.l2Bytes = 60 << 20;
    profile.gpu.memoryBytes = std::int64_t{141} << 30;
    profile.gpu.matrixFlops = {{"f16", 9.9e14}};
    profile.gpu.peakFlopsF32 = 6.7e13;
    profile.gpu.source = "test";
    profile.steps = 2;
    profile.wallNs = 123.5;
    profile.gpuNs = 100.25;
    profile.launchBoundNs = 7;
    profile.probeOverheadNs = 3;
    profile.records = {1000, 2, 3, 4, "torch.profiler"};
    profile.notes = {"first", "second"};

    ProfiledOperator norm;
    norm.id = OperatorId(1);
    norm.description.kind = OperatorDescription::Kind::Module;
    norm.description.name = "FancyRMSNorm";
    norm.description.inputs = {{DType::BF16, {1, 2048, 2048}, {4194304, 2048, 1}}, {}};
    norm.description.scalars = {{1, std::int64_t{32}}, {2, 1e-6}, {3, true}, {4, std::string("[1, 2]")}};
    norm.description.attributes = {
        {"variance_epsilon", 1e-6}, {"n", std::int64_t{5}}, {"mode", std::string("x")}};
    norm.modulePath = "*";
    norm.modulePaths = {"a.norm", "b.norm"};
    norm.calls = 4;
    norm.gpuNs = 80;
    norm.meanNs = 20;
    norm.minNs = 10;
    norm.maxNs = 30;
    norm.p50Ns = 19;
    norm.p95Ns = 29;
    norm.floorNs = 5;
    norm.floorKind = FloorKind::Known;
    norm.bytes = 1024;
    norm.flops = 2048;
    norm.headroomNs = 60;
    norm.share = 0.8;
    ProfiledKernel kernel;
    kernel.name = "void kernel<float>(float*)";
    kernel.calls = 4;
    kernel.gpuNs = 80;
    kernel.grid[0] = 132;
    kernel.grid[1] = kernel.grid[2] = 1;
    kernel.block[0] = 256;
    kernel.block[1] = kernel.block[2] = 1;
    kernel.registers = 40;
    kernel.staticShared = 1024;
    kernel.dynamicShared = 2048;
    norm.kernels = {kernel, kernel};
    norm.kernels[1].name = "second";

    ProfiledOperator part;
    part.id = OperatorId(2);
    part.description.name = "aten::pow";
    part.calls = 4;
    part.gpuNs = 20;
    part.floorKind = FloorKind::None;
    part.overlapsWith = OperatorId(1);
    profile.operators = {norm, part};
    return profile;
}

} // namespace

class TestProfileStore : public QObject
{
    Q_OBJECT
private slots:
    void everythingComesBack()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("a.fsight")).toStdString();
        const Profile before = sample();
        {
            auto session = Session::create(path);
            QVERIFY(session.ok());
            QVERIFY(saveProfile(**session, before).ok());
            QVERIFY(saveProfile(**session, before).ok()); // replaces
        }
        auto session = Session::open(path, Session::Mode::ReadOnly);
        QVERIFY(session.ok());
        const auto loaded = loadProfile(**session);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
        const Profile& after = *loaded;
        QCOMPARE(after.title, before.title);
        QCOMPARE(after.command, before.command);
        QCOMPARE(after.gpuName, before.gpuName);
        QCOMPARE(after.driver, before.driver);
        QCOMPARE(after.cuda, before.cuda);
        QCOMPARE(after.torch, before.torch);
        QCOMPARE(after.python, before.python);
        QCOMPARE(after.date, before.date);
        QCOMPARE(after.revision, before.revision);
        QCOMPARE(after.gpu.name, before.gpu.name);
        QCOMPARE(after.gpu.peakBandwidth, before.gpu.peakBandwidth);
        QCOMPARE(after.gpu.matrixFlops, before.gpu.matrixFlops);
        QCOMPARE(after.steps, before.steps);
        QCOMPARE(after.wallNs, before.wallNs);
        QCOMPARE(after.gpuNs, before.gpuNs);
        QCOMPARE(after.launchBoundNs, before.launchBoundNs);
        QCOMPARE(after.probeOverheadNs, before.probeOverheadNs);
        QCOMPARE(after.notes, before.notes);
        QCOMPARE(after.records.received, std::int64_t{1000});
        QCOMPARE(after.records.dropped, std::int64_t{2});
        QCOMPARE(after.records.untimed, std::int64_t{3});
        QCOMPARE(after.records.unmatched, std::int64_t{4});
        QCOMPARE(after.records.disturbedBy, before.records.disturbedBy);
        QCOMPARE(after.operators.size(), std::size_t{2});
        const auto& x = after.operators[0];
        const auto& y = before.operators[0];
        QVERIFY(x.id == y.id);
        QCOMPARE(x.description.kind, y.description.kind);
        QCOMPARE(x.description.name, y.description.name);
        QCOMPARE(x.description.inputs.size(), std::size_t{2});
        QCOMPARE(x.description.inputs[0].dtype, DType::BF16);
        QCOMPARE(x.description.inputs[0].shape, y.description.inputs[0].shape);
        QCOMPARE(x.description.inputs[0].strides, y.description.inputs[0].strides);
        QCOMPARE(x.description.inputs[1].dtype, DType::Unknown);
        QCOMPARE(x.description.scalars.size(), std::size_t{4});
        for (const auto& [position, value] : y.description.scalars)
            QVERIFY(valuesEqual(x.description.scalars.at(position), value));
        QVERIFY(std::holds_alternative<bool>(x.description.scalars.at(3)));
        QCOMPARE(symbolsText(x.description.attributes), symbolsText(y.description.attributes));
        QCOMPARE(x.modulePath, y.modulePath);
        QCOMPARE(x.modulePaths, y.modulePaths);
        QCOMPARE(x.calls, y.calls);
        const double read[] = {x.gpuNs,   x.meanNs, x.minNs, x.maxNs,      x.p50Ns, x.p95Ns,
                               x.floorNs, x.bytes,  x.flops, x.headroomNs, x.share};
        const double written[] = {y.gpuNs,   y.meanNs, y.minNs, y.maxNs,      y.p50Ns, y.p95Ns,
                                  y.floorNs, y.bytes,  y.flops, y.headroomNs, y.share};
        for (std::size_t i = 0; i < std::size(read); ++i)
            QCOMPARE(read[i], written[i]);
        QCOMPARE(x.floorKind, FloorKind::Known);
        QVERIFY(!x.overlapsWith.valid());
        QCOMPARE(x.kernels.size(), std::size_t{2});
        QCOMPARE(x.kernels[0].name, y.kernels[0].name);
        QCOMPARE(x.kernels[1].name, std::string("second"));
        QCOMPARE(x.kernels[0].grid[0], std::int64_t{132});
        QCOMPARE(x.kernels[0].block[0], std::int64_t{256});
        QCOMPARE(x.kernels[0].registers, 40);
        QCOMPARE(x.kernels[0].staticShared, std::int64_t{1024});
        QCOMPARE(x.kernels[0].dynamicShared, std::int64_t{2048});
        QVERIFY(after.operators[1].overlapsWith == OperatorId(1));
        QVERIFY(!saveProfile(**session, before).ok()); // read-only
    }

    void aSessionWithoutProfileSaysSo()
    {
        QTemporaryDir folder;
        auto session = Session::create(folder.filePath(QStringLiteral("b.fsight")).toStdString());
        QVERIFY(session.ok());
        const auto loaded = loadProfile(**session);
        QVERIFY(!loaded.ok());
        QCOMPARE(loaded.error().code, ErrorCode::NotFound);
    }

    void damagedRowsAreErrors()
    {
        QTemporaryDir folder;
        auto session = Session::create(folder.filePath(QStringLiteral("c.fsight")).toStdString());
        QVERIFY(session.ok());
        const char* const damage[] = {
            "UPDATE profile_operator SET descriptor = '{}' WHERE id = 1",
            "UPDATE profile_operator SET descriptor = '[1' WHERE id = 1",
            R"(UPDATE profile_operator SET descriptor = '{"kind":"aten","name":"x","inputs":[{"dtype":"f16","shape":["a"],"strides":[]}],"scalars":{},"attributes":{}}' WHERE id = 1)",
            R"(UPDATE profile_operator SET descriptor = '{"kind":"other","name":"x"}' WHERE id = 1)",
            "UPDATE profile_operator SET floor_kind = 17 WHERE id = 1",
            "UPDATE profile_kernel SET operator = 99",
            "UPDATE profile_meta SET value = '{}'",
            "UPDATE profile_meta SET value = 'null'"};
        for (const char* sql : damage) {
            QVERIFY(saveProfile(**session, sample()).ok());
            QVERIFY(loadProfile(**session).ok());
            QVERIFY((*session)->database().execute(sql).ok());
            QVERIFY2(!loadProfile(**session).ok(), sql);
        }
    }
};

QTEST_APPLESS_MAIN(TestProfileStore)
#include "tst_profile_store.moc"
