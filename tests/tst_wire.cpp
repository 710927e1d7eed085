// SPDX-License-Identifier: Apache-2.0
// The wire protocol: what the probe's outbox writes, the parser reads back, whatever happens to the stream
// between.
#include "core/base/random.h"
#include "core/probe/outbox.h"
#include "core/profile/wire_parser.h"

#include <QTest>

#include <cstring>

using namespace foresight;

namespace {

std::string drain(probe::Outbox& outbox)
{
    std::string stream;
    probe::Outbox::Batch batch;
    while (outbox.take(batch)) {
        stream.append(reinterpret_cast<const char*>(&batch.header), sizeof(batch.header));
        stream.append(batch.payload.data(), batch.payload.size());
    }
    return stream;
}

// One record of each type.
std::string sampleStream()
{
    probe::Outbox outbox(1u << 20);
    wire::Hello hello;
    hello.pid = 42;
    hello.cuptiVersion = 130001;
    hello.commandBytes = 9;
    hello.cuptiPathBytes = 4;
    outbox.append(wire::RecordType::Hello, hello, "python3\nx", "/lib");
    wire::RangePush push;
    push.id = 1;
    push.timestampNs = 100;
    push.thread = 7;
    push.textBytes = 5;
    outbox.append(wire::RecordType::RangePush, push, "outer");
    wire::Kernel kernel;
    kernel.startNs = 1000;
    kernel.endNs = 1500;
    kernel.correlation = 3;
    kernel.grid[0] = 12;
    outbox.appendKernel(kernel, "kernel_a");
    outbox.appendKernel(kernel, "kernel_b");
    outbox.appendKernel(kernel, "kernel_a");
    wire::External external;
    external.range = 1;
    external.correlation = 3;
    outbox.append(wire::RecordType::External, external);
    wire::Memory memory;
    memory.bytes = 4096;
    memory.startNs = 1600;
    memory.endNs = 1700;
    outbox.append(wire::RecordType::Memory, memory);
    wire::Launch launch;
    launch.correlation = 3;
    outbox.append(wire::RecordType::Launch, launch);
    wire::Mark mark;
    mark.textBytes = 4;
    outbox.append(wire::RecordType::Mark, mark, "here");
    wire::Status status;
    status.severity = 2;
    status.cuptiResult = 39;
    status.messageBytes = 3;
    status.adviceBytes = 6;
    outbox.append(wire::RecordType::Status, status, "bad", "better");
    wire::Device device;
    device.nameBytes = 11;
    outbox.append(wire::RecordType::Device, device, "NVIDIA H200");
    wire::RangePop pop;
    pop.id = 1;
    pop.timestampNs = 900;
    outbox.append(wire::RecordType::RangePop, pop);
    wire::Counts counts;
    counts.received = 4;
    counts.isFinal = 1;
    outbox.append(wire::RecordType::Counts, counts);
    return drain(outbox);
}

void verifySample(const ProbeRecords& records)
{
    QCOMPARE(records.hello.pid, 42u);
    QCOMPARE(records.command, std::string("python3\nx"));
    QCOMPARE(records.cuptiPath, std::string("/lib"));
    QCOMPARE(records.kernels.size(), std::size_t{3});
    QCOMPARE(records.names.size(), std::size_t{2});
    QCOMPARE(records.names.at(records.kernels[0].name), std::string("kernel_a"));
    QCOMPARE(records.names.at(records.kernels[1].name), std::string("kernel_b"));
    QCOMPARE(records.kernels[2].name, records.kernels[0].name);
    QCOMPARE(records.kernels[0].grid[0], 12);
    QCOMPARE(records.ranges.size(), std::size_t{1});
    QCOMPARE(records.ranges[0].text, std::string("outer"));
    QCOMPARE(records.ranges[0].endNs, std::uint64_t{900});
    QCOMPARE(records.externals.size(), std::size_t{1});
    QCOMPARE(records.memory.size(), std::size_t{1});
    QCOMPARE(records.launches.size(), std::size_t{1});
    QCOMPARE(records.marks.size(), std::size_t{1});
    QCOMPARE(records.statuses.size(), std::size_t{1});
    QCOMPARE(records.statuses[0].advice, std::string("better"));
    QCOMPARE(records.devices.size(), std::size_t{1});
    QCOMPARE(records.devices[0].name, std::string("NVIDIA H200"));
    QVERIFY(records.finalCounts);
    QCOMPARE(records.badRecords, std::uint64_t{0});
    QCOMPARE(records.missingBatches, std::uint64_t{0});
}

// A batch with the given header and payload.
std::string batch(std::string_view payload, std::uint64_t sequence = 0)
{
    wire::BatchHeader header;
    header.sequence = sequence;
    header.payloadBytes = static_cast<std::uint32_t>(payload.size());
    return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + std::string(payload);
}

std::string record(std::uint16_t type, std::uint32_t claimedBytes, std::size_t realBytes)
{
    wire::RecordHeader header;
    header.type = type;
    header.bytes = claimedBytes;
    std::string out(realBytes, '\0');
    std::memcpy(out.data(), &header, sizeof(header));
    return out;
}

} // namespace

class TestWire : public QObject
{
    Q_OBJECT
private slots:
    void everySplitOfTheStreamReadsTheSame()
    {
        const std::string stream = sampleStream();
        for (std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{64}, stream.size()}) {
            WireParser parser;
            for (std::size_t at = 0; at < stream.size(); at += chunk)
                QVERIFY(parser.feed(std::string_view(stream).substr(at, chunk)).ok());
            parser.finish();
            verifySample(parser.records());
        }
    }

    void aCutStreamKeepsWhatWasWhole()
    {
        const std::string stream = sampleStream();
        WireParser parser;
        QVERIFY(parser.feed(stream + stream.substr(0, 100)).ok());
        parser.finish();
        QCOMPARE(parser.records().truncatedBytes, std::uint64_t{100});
        QCOMPARE(parser.records().kernels.size(), std::size_t{3});
    }

    void gapsInTheSequenceAreCounted()
    {
        WireParser parser;
        QVERIFY(parser.feed(batch({}, 0) + batch({}, 3) + batch({}, 4)).ok());
        QCOMPARE(parser.records().missingBatches, std::uint64_t{2});
    }

    void liesAboutSizesAreContained()
    {
        // Longer than the batch, not a multiple of 8, shorter than its own header, zero.
        for (const std::uint32_t claimed : {64u, 15u, 4u, 0u, 0xfffffff8u}) {
            WireParser parser;
            QVERIFY(parser.feed(batch(record(3, claimed, 16)) + batch({}, 1)).ok());
            QCOMPARE(parser.records().badRecords, std::uint64_t{1});
            QVERIFY(parser.records().kernels.empty());
        }
        // Too short for its type: that record alone is lost.
        WireParser parser;
        QVERIFY(parser.feed(batch(record(3, 16, 16) + record(5, 24, 24))).ok());
        QCOMPARE(parser.records().badRecords, std::uint64_t{1});
        QCOMPARE(parser.records().externals.size(), std::size_t{1});
    }

    void textLongerThanItsRecordIsRefused()
    {
        wire::Name name;
        name.header.type = static_cast<std::uint16_t>(wire::RecordType::Name);
        name.header.bytes = sizeof(name);
        name.id = 1;
        name.textBytes = 0xffffffffu;
        WireParser parser;
        QVERIFY(parser.feed(batch(std::string(reinterpret_cast<const char*>(&name), sizeof(name)))).ok());
        QCOMPARE(parser.records().badRecords, std::uint64_t{1});
        QVERIFY(parser.records().names.empty());
    }

    void unknownTypesAndLongerRecordsAreSkipped()
    {
        WireParser parser;
        QVERIFY(parser.feed(batch(record(999, 40, 40) + record(5, 64, 64))).ok());
        QCOMPARE(parser.records().unknownRecords, std::uint64_t{1});
        QCOMPARE(parser.records().externals.size(), std::size_t{1});
        QCOMPARE(parser.records().badRecords, std::uint64_t{0});
    }

    void otherStreamsAndVersionsAreErrors()
    {
        WireParser foreign;
        QVERIFY(!foreign.feed("GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n").ok());
        std::string newer = batch({});
        newer[4] = 9;
        WireParser parser;
        const auto result = parser.feed(newer);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, ErrorCode::Unsupported);
        std::string huge = batch({});
        std::memset(huge.data() + 16, 0xff, 4);
        WireParser guarded;
        QVERIFY(!guarded.feed(huge).ok());
    }

    void backPressureDropsOldestBatchesAndNamesComeAgain()
    {
        probe::Outbox outbox(1u << 20);
        wire::Kernel kernel;
        kernel.startNs = 1;
        kernel.endNs = 2;
        constexpr std::size_t kCount = 40000; // about 4 MB
        for (std::size_t i = 0; i < kCount; ++i)
            outbox.appendKernel(kernel, "kernel_a");
        QVERIFY(outbox.droppedBatches() > 0);
        WireParser parser;
        QVERIFY(parser.feed(drain(outbox)).ok());
        const ProbeRecords& records = parser.records();
        QCOMPARE(records.missingBatches, outbox.droppedBatches());
        QVERIFY(records.kernels.size() < kCount);
        // Each dropped record is a kernel or the one name; what arrived is the newest.
        QVERIFY(records.kernels.size() + outbox.droppedRecords() >= kCount);
        QCOMPARE(records.names.at(records.kernels.back().name), std::string("kernel_a"));
    }

    void mutatedStreamsNeverBreakTheParser()
    {
        const std::string stream = sampleStream() + sampleStream();
        Random random(20261129);
        for (int round = 0; round < 3000; ++round) {
            std::string mutant = stream;
            const std::uint64_t changes = 1 + random.below(8);
            for (std::uint64_t i = 0; i < changes; ++i) {
                const auto at = static_cast<std::size_t>(random.below(mutant.size()));
                switch (random.below(4)) {
                case 0:
                    mutant[at] = static_cast<char>(random.below(256));
                    break;
                case 1:
                    mutant[at] = static_cast<char>(mutant[at] ^ (1 << random.below(8)));
                    break;
                case 2:
                    mutant.erase(at, static_cast<std::size_t>(random.below(32)));
                    break;
                default:
                    mutant.insert(at, static_cast<std::size_t>(random.below(32)), '\xff');
                }
                if (mutant.empty())
                    mutant = "x";
            }
            WireParser parser;
            (void)parser.feed(mutant).ok();
            parser.finish();
            QVERIFY(parser.records().kernels.size() <= 2 * mutant.size() / sizeof(wire::Kernel) + 1);
        }
    }
};

QTEST_APPLESS_MAIN(TestWire)
#include "tst_wire.moc"
