// SPDX-License-Identifier: Apache-2.0
// Binding plans: limits, overflow, empty tensors, requirements; JSON both ways; the content hash.
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/kernels/plan.h"

#include <QtTest>

using namespace foresight;

namespace {

GpuSpec gpu()
{
    GpuSpec spec;
    spec.name = "Test GPU";
    spec.computeMajor = 9;
    spec.smCount = 132;
    spec.sharedPerBlockOptin = 232448;
    return spec;
}

Problem problem(std::int64_t n)
{
    Problem p;
    p.family = "copy";
    p.dtype = DType::F16;
    p.symbols = {{"N", n}, {"eps", 1e-5}};
    TensorSpec x{"x", TensorSpec::Role::Input, DType::F16, {n}, {1}, {}, 1};
    TensorSpec y = x;
    y.name = "y";
    y.role = TensorSpec::Role::Output;
    p.tensors = {x, y};
    return p;
}

std::string planText()
{
    auto text = readFile(FORESIGHT_SOURCE_DIR "/tests/data/copy_plan.json");
    if (!text)
        qFatal("%s", text.error().message.c_str());
    return *text;
}

Json planJson()
{
    return Json::parse(planText());
}

Result<BoundPlan> bindJson(const Json& json, const Problem& p)
{
    FS_TRY(plan, planFromJson(json, "test"));
    return bindPlan(plan, p, gpu());
}

} // namespace

class TestPlan : public QObject
{
    Q_OBJECT

private slots:
    void binds()
    {
        const auto bound = bindJson(planJson(), problem(8000));
        QVERIFY2(bound.ok(), bound ? "" : bound.error().message.c_str());
        QCOMPARE(bound->launches.size(), std::size_t{1});
        const BoundLaunch& launch = bound->launches[0];
        QCOMPARE(launch.grid, (std::array<std::int64_t, 3>{4, 1, 1}));
        QCOMPARE(launch.block, (std::array<std::int64_t, 3>{256, 1, 1}));
        QCOMPARE(launch.sharedBytes, std::int64_t{1024});
        QCOMPARE(launch.arguments.size(), std::size_t{5});
        QCOMPARE(launch.arguments[3].integer, std::int64_t{1000});
        QCOMPARE(launch.arguments[4].real, 1e-5);
        QCOMPARE(bound->workspaces[0].bytes, std::int64_t{4000});
        QVERIFY(bound->workspaces[0].zeroed);
        QCOMPARE(bound->alignments.size(), std::size_t{2});
        QCOMPARE(bound->alignments[0].bytes, std::int64_t{16});
        QCOMPARE(bound->alignments[1].bytes, std::int64_t{2}); // the element size

        const auto back = boundPlanFromJson(boundPlanToJson(*bound), "test");
        QVERIFY(back.ok());
        QCOMPARE(canonicalJson(boundPlanToJson(*back)), canonicalJson(boundPlanToJson(*bound)));
    }

    void emptyOutputLaunchesNothing()
    {
        const auto bound = bindJson(planJson(), problem(0));
        QVERIFY(bound.ok());
        QVERIFY(bound->launches.empty() && bound->workspaces.empty());
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<qint64>("n");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, const char* path, const char* value, qint64 n, ErrorCode code) {
            QTest::newRow(name) << QString::fromLatin1(path) << QString::fromLatin1(value) << n
                                << static_cast<int>(code);
        };
        row("requirement", "", "", 8001, ErrorCode::InvalidArgument);
        row("requirement on a local", "", "", 8000000000, ErrorCode::InvalidArgument);
        row("i32 argument overflows", "/launches/0/args/3/value", "3000000000", 8000,
            ErrorCode::ResourceLimit);
        row("grid of zero", "/launches/0/grid/0", "words - 1000", 8000, ErrorCode::ResourceLimit);
        row("grid too large", "/launches/0/grid/0", "2147483648", 8000, ErrorCode::ResourceLimit);
        row("integer overflow", "/launches/0/grid/0", "N * 4611686018427387904", 8000,
            ErrorCode::InvalidArgument);
        row("block too large", "/parameters/THREADS", "2048", 8000, ErrorCode::ResourceLimit);
        row("shared memory", "/launches/0/shared_bytes", "232449", 8000, ErrorCode::ResourceLimit);
        row("negative workspace", "/workspaces/0/bytes", "0 - N", 8000, ErrorCode::ResourceLimit);
        row("unknown symbol", "/launches/0/grid/0", "M", 8000, ErrorCode::NotFound);
        row("unknown tensor", "/launches/0/args/0/name", "z", 8000, ErrorCode::InvalidArgument);
        row("unknown workspace", "/launches/0/args/2/name", "z", 8000, ErrorCode::InvalidArgument);
        row("fraction as a grid", "/launches/0/grid/0", "N / 3", 8000, ErrorCode::InvalidArgument);
    }
    void refusals()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(qint64, n);
        QFETCH(int, code);
        Json json = planJson();
        if (path == QStringLiteral("/parameters/THREADS"))
            json["parameters"]["THREADS"] = 2048;
        else if (!path.isEmpty())
            json[Json::json_pointer(path.toStdString())] = value.toStdString();
        const auto bound = bindJson(json, problem(n));
        QVERIFY(!bound.ok());
        QCOMPARE(static_cast<int>(bound.error().code), code);
    }

    void clusters()
    {
        Json json = planJson();
        json["launches"][0]["cluster"] = {"4", 1, 1};
        QVERIFY(bindJson(json, problem(8000)).ok()); // a grid of 4
        json["launches"][0]["cluster"] = {"3", 1, 1};
        QVERIFY(!bindJson(json, problem(8000)).ok());
        json["launches"][0]["cluster"] = {"4", 1, 1};
        auto plan = planFromJson(json, "test");
        GpuSpec old = gpu();
        old.computeMajor = 8;
        QVERIFY(!bindPlan(*plan, problem(8000), old).ok());
    }

    void contentHash()
    {
        const auto hash = [](const Json& json) { return planFromJson(json, "test")->contentHash(); };
        const std::string base = hash(planJson());
        QCOMPARE(base.size(), std::size_t{64});
        Json same = planJson();
        same["source"] = same["source"].get<std::string>() + "  \r\n\n";
        same["family"] = "other";
        same["requires"][0]["message"] = "other words";
        QCOMPARE(hash(same), base);
        for (const char* path : {"/source", "/compile_options/0", "/launches/0/kernel", "/launches/0/grid/0",
                                 "/workspaces/0/bytes", "/requires/0/condition", "/locals/0/value"}) {
            Json other = planJson();
            other[Json::json_pointer(path)] = "1 + 1";
            QVERIFY2(hash(other) != base, path);
        }
        Json aligned = planJson();
        aligned["alignments"][0]["bytes"] = 8;
        QVERIFY(hash(aligned) != base);
        QCOMPARE(hash(planToJson(*planFromJson(planJson(), "test"))), base);
    }

    // Damaged JSON text must be refused or read, never crash.
    void mutations()
    {
        Random random(11);
        int read = 0;
        for (int i = 0; i < 3000; ++i) {
            std::string text = planText();
            for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
                const auto at = static_cast<std::size_t>(random.below(text.size()));
                const std::string alphabet = "\"{}[]:,019NxT-";
                if (random.below(2))
                    text[at] = alphabet[static_cast<std::size_t>(random.below(alphabet.size()))];
                else
                    text.erase(at, 1 + random.below(6));
            }
            const auto json = parseJson(text, "mutated");
            if (!json)
                continue;
            const auto plan = planFromJson(*json, "mutated");
            read += plan.ok() && bindPlan(*plan, problem(8000), gpu()).ok();
        }
        QVERIFY(read > 0);
    }
};

QTEST_APPLESS_MAIN(TestPlan)
#include "tst_plan.moc"
