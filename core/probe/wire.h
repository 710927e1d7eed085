// SPDX-License-Identifier: Apache-2.0
// What the probe sends over its UNIX socket: the one header shared by the injected library and the host side.
//
// A stream is a sequence of batches: BatchHeader, then `payloadBytes` of records. A record is a RecordHeader
// and `bytes` in all, a multiple of 8; text follows the fixed part and is not terminated. All numbers are
// little-endian. A reader skips unknown record types and longer records than it knows by their size. Batches
// carry a sequence number: a gap means that the probe dropped whole batches because the reader was too slow.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foresight::wire {

inline constexpr std::uint32_t kBatchMagic = 0x54425346; // "FSBT"
inline constexpr std::uint16_t kVersion = 1;
inline constexpr std::uint32_t kMaxPayloadBytes = 4u << 20;
inline constexpr std::uint32_t kMaxRecordBytes = 1u << 20;

struct BatchHeader
{
    std::uint32_t magic = kBatchMagic;
    std::uint16_t version = kVersion;
    std::uint16_t headerBytes = sizeof(BatchHeader); // a reader skips what is longer than it knows
    std::uint64_t sequence = 0;                      // 0, 1, 2, ... per connection
    std::uint32_t payloadBytes = 0;
    std::uint32_t records = 0;
};
static_assert(sizeof(BatchHeader) == 24);

enum class RecordType : std::uint16_t {
    Hello = 1,
    Name = 2, // text of an id
    Kernel = 3,
    Memory = 4,   // copy or fill
    External = 5, // API correlation id -> innermost range
    RangePush = 6,
    RangePop = 7,
    Mark = 8,    // message of the hook or an NVTX mark
    Status = 9,  // something the user must know
    Counts = 10, // running totals; the last one is final
    Device = 11,
    Launch = 12, // host side of a kernel launch
};

struct RecordHeader
{
    std::uint16_t type = 0;
    std::uint16_t flags = 0;
    std::uint32_t bytes = 0; // of the whole record, header and text included
};

struct Hello
{
    RecordHeader header;
    std::uint32_t pid = 0, parentPid = 0;
    std::uint32_t cuptiVersion = 0; // 0: no CUPTI
    std::uint32_t commandBytes = 0; // text: command line (arguments separated by newlines), then CUPTI's path
    std::uint32_t cuptiPathBytes = 0, reserved = 0;
    std::uint64_t timestampNs = 0; // on the clock of all other records
    std::uint64_t wallClockNs = 0; // since the epoch, at the same moment
};

struct Name
{
    RecordHeader header;
    std::uint32_t id = 0, textBytes = 0;
};

struct Kernel
{
    RecordHeader header;
    std::uint64_t startNs = 0, endNs = 0; // both 0: not timed
    std::uint64_t graphNode = 0;
    std::uint32_t correlation = 0, name = 0;
    std::uint32_t device = 0, context = 0, stream = 0, graph = 0;
    std::int32_t grid[3]{}, block[3]{};
    std::int32_t registers = 0, staticShared = 0, dynamicShared = 0, reserved = 0;
};

enum class MemoryKind : std::uint32_t { Copy = 1, Fill = 2 };

struct Memory
{
    RecordHeader header;
    std::uint64_t startNs = 0, endNs = 0, bytes = 0;
    std::uint32_t correlation = 0, kind = 0; // MemoryKind
    std::uint32_t copyKind = 0;              // CUpti_ActivityMemcpyKind; 0 for a fill
    std::uint32_t device = 0, context = 0, stream = 0;
};

struct External
{
    RecordHeader header;
    std::uint64_t range = 0;
    std::uint32_t correlation = 0, reserved = 0;
};

struct RangePush
{
    RecordHeader header;
    std::uint64_t id = 0, parent = 0; // parent 0: none, or one that was not recorded
    std::uint64_t timestampNs = 0;
    std::uint32_t thread = 0, textBytes = 0;
};

struct RangePop
{
    RecordHeader header;
    std::uint64_t id = 0, timestampNs = 0;
};

struct Mark
{
    RecordHeader header;
    std::uint64_t timestampNs = 0;
    std::uint32_t thread = 0, textBytes = 0;
};

enum class Severity : std::uint32_t { Info = 0, Warning = 1, Error = 2 };

struct Status
{
    RecordHeader header;
    std::uint32_t severity = 0;
    std::int32_t cuptiResult = 0;                    // 0: not about a CUPTI call
    std::uint32_t messageBytes = 0, adviceBytes = 0; // text: message, then what to do about it
};

struct Counts
{
    RecordHeader header;
    std::uint64_t received = 0;      // activity records taken from CUPTI inside the window
    std::uint64_t outsideWindow = 0; // taken, but not asked for
    std::uint64_t droppedByCupti = 0;
    std::uint64_t droppedBatches = 0, droppedRecords = 0; // by back-pressure
    std::uint64_t starvedBuffers = 0;                     // CUPTI asked for a buffer and got none
    std::uint64_t hostOverheadNs = 0;                     // time spent in the probe on the program's threads
    std::uint64_t isFinal = 0;
};

struct Device
{
    RecordHeader header;
    std::uint32_t ordinal = 0, nameBytes = 0;
    std::int32_t computeMajor = 0, computeMinor = 0, smCount = 0, driverApiVersion = 0;
    std::int64_t memoryBytes = 0, l2Bytes = 0;
    std::int64_t memoryClockKhz = 0, memoryBusBits = 0;
};

struct Launch
{
    RecordHeader header;
    std::uint64_t startNs = 0, endNs = 0;
    std::uint32_t correlation = 0, thread = 0;
};

constexpr std::uint32_t paddedBytes(std::size_t bytes)
{
    return static_cast<std::uint32_t>((bytes + 7u) & ~std::size_t{7});
}

} // namespace foresight::wire
