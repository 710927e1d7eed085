// SPDX-License-Identifier: Apache-2.0
// The recorded profiles: the raw streams of the H200 against what torch.profiler counted for the same step,
// and the shipped sessions against what the rest of the program needs of them.
#include "core/base/file.h"
#include "core/profile/profile_builder.h"
#include "core/profile/wire_parser.h"
#include "core/store/session.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <zlib.h>

using namespace foresight;

namespace {

std::string unpacked(const std::string& path)
{
    std::string out;
    gzFile file = gzopen(path.c_str(), "rb");
    if (!file)
        return out;
    char buffer[65536];
    int got = 0;
    while ((got = gzread(file, buffer, sizeof(buffer))) > 0)
        out.append(buffer, static_cast<std::size_t>(got));
    gzclose(file);
    return out;
}

const FamilyRegistry& families()
{
    static const auto registry = FamilyRegistry::load(FORESIGHT_SOURCE_DIR);
    if (!registry)
        qFatal("families: %s", registry.error().message.c_str());
    return *registry;
}

long long countedLaunches(const Profile& profile)
{
    long long launches = 0;
    for (const auto& op : profile.operators) {
        for (const auto& kernel : op.kernels)
            launches += op.overlapsWith.valid() ? 0 : kernel.calls;
    }
    return launches;
}

} // namespace

class TestShippedSessions : public QObject
{
    Q_OBJECT

    void models()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("launches");     // of one step, by torch.profiler on the same machine
        QTest::addColumn<double>("gpuMs");     // likewise
        QTest::addColumn<QString>("expected"); // family of the operator with the most headroom to win
        QTest::newRow("decoder") << "vae_decoder_fp16" << 326 << 80.145 << "group_norm";
        QTest::newRow("decoder channels_last")
            << "vae_decoder_fp16_channels_last" << 287 << 124.708 << "group_norm";
        QTest::newRow("prefill") << "qwen_prefill_bf16" << 495 << 6.0407 << "rms_norm";
    }

private slots:
    void streams_data() { models(); }
    void streams()
    {
        QFETCH(QString, name);
        QFETCH(int, launches);
        QFETCH(double, gpuMs);
        const std::string bytes =
            unpacked(FORESIGHT_SOURCE_DIR "/tests/data/wire/" + name.toStdString() + ".bin.gz");
        QVERIFY(!bytes.empty());
        WireParser parser;
        QVERIFY(parser.feed(bytes).ok());
        parser.finish();
        const ProbeRecords& records = parser.records();
        QCOMPARE(records.badRecords + records.unknownRecords + records.missingBatches +
                     records.truncatedBytes,
                 std::uint64_t{0});
        QVERIFY(records.finalCounts);
        ProfileBuildOptions options;
        options.serve = servedBy(families());
        const Profile profile = buildProfile(records, options);
        QCOMPARE(profile.steps, std::int64_t{2});
        QCOMPARE(countedLaunches(profile), 2ll * launches);
        QVERIFY2(std::abs(profile.gpuNs / 2e6 / gpuMs - 1) < 0.01,
                 qPrintable(QString::number(profile.gpuNs)));
        QCOMPARE(profile.records.dropped + profile.records.untimed + profile.records.unmatched,
                 std::int64_t{0});
        QCOMPARE(profile.gpuName, std::string("NVIDIA H200"));
        double counted = 0;
        for (const auto& op : profile.operators)
            counted += op.overlapsWith.valid() ? 0 : op.gpuNs;
        QVERIFY(std::abs(counted / profile.gpuNs - 1) < 1e-9);
    }

    void sessions_data() { models(); }
    void sessions()
    {
        QFETCH(QString, name);
        QFETCH(int, launches);
        QFETCH(double, gpuMs);
        QFETCH(QString, expected);
        const std::string path = FORESIGHT_SOURCE_DIR "/profiles/sessions/" + name.toStdString() + ".fsight";
        const auto size = readFile(path);
        QVERIFY(size.ok());
        QVERIFY(size->size() < (2u << 20));
        auto session = Session::open(path, Session::Mode::ReadOnly);
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().message.c_str());
        const auto loaded = loadProfile(**session);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message.c_str());
        const Profile& profile = *loaded;
        QVERIFY(profile.distrust().empty());
        QCOMPARE(countedLaunches(profile), 2ll * launches);
        QVERIFY(std::abs(profile.gpuNs / 2e6 / gpuMs - 1) < 0.01);
        QVERIFY(profile.gpu.peakBandwidth > 0 && !profile.driver.empty() && !profile.torch.empty() &&
                !profile.date.empty());
        QVERIFY(profile.wallNs > profile.gpuNs * 0.9);
        QVERIFY(profile.operators.size() >= 10);
        std::set<std::int64_t> ids;
        double previous = profile.operators.front().headroomNs;
        for (const auto& op : profile.operators) {
            QVERIFY(ids.insert(op.id.value).second);
            QVERIFY(op.calls > 0 && op.gpuNs > 0 && !op.kernels.empty());
            QVERIFY(op.headroomNs <= previous);
            QVERIFY(op.minNs <= op.p50Ns && op.p50Ns <= op.p95Ns && op.p95Ns <= op.maxNs);
            previous = op.headroomNs;
            if (op.floorKind == FloorKind::Known)
                QVERIFY(op.floorNs > 0 && op.bytes > 0);
        }
        int searchable = 0;
        for (std::size_t i = 0; i < 5; ++i)
            searchable += families().match(profile.operators[i].description).empty() ? 0 : 1;
        QVERIFY2(searchable >= 2, qPrintable(QString::number(searchable)));
        const auto first = families().match(profile.operators.front().description);
        QVERIFY(!first.empty());
        QCOMPARE(QString::fromStdString(first.front().family->name()), expected);
        // The families' floor and the profile's agree on what the operator must move.
        for (const auto& op : profile.operators) {
            const auto matches = families().match(op.description);
            if (!matches.empty() && op.floorKind == FloorKind::Known)
                QVERIFY2(std::abs(matches.front().problem.compulsoryBytes / op.bytes - 1) < 0.02,
                         op.description.name.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestShippedSessions)
#include "tst_shipped_sessions.moc"
