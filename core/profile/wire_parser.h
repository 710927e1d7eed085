// SPDX-License-Identifier: Apache-2.0
// Turns the byte stream of one probe into ProbeRecords. Takes any split of the stream and any bytes at all:
// what does not make sense inside a batch is counted, a stream that is not ours is an error. One thread at a
// time.
#pragma once

#include "core/base/result.h"
#include "core/profile/probe_records.h"

#include <string_view>

namespace foresight {

class WireParser
{
public:
    // After an error the stream must be dropped; what was parsed stays.
    Result<void> feed(std::string_view bytes);
    void finish(); // the stream has ended: counts what is left of a cut batch
    const ProbeRecords& records() const { return m_records; }
    ProbeRecords takeRecords() { return std::move(m_records); }

private:
    void parseBatch(std::string_view payload);
    bool parseRecord(wire::RecordType type, std::string_view record);

    ProbeRecords m_records;
    std::string m_buffer;
    std::uint64_t m_nextSequence = 0;
    std::unordered_map<std::uint64_t, std::size_t> m_openRanges; // id -> index in m_records.ranges
};

} // namespace foresight
