// SPDX-License-Identifier: Apache-2.0
#include "core/profile/wire_parser.h"

#include <cstring>

namespace foresight {

namespace {

template <typename Record> bool readFixed(std::string_view bytes, Record& record)
{
    if (bytes.size() < sizeof(Record))
        return false;
    std::memcpy(&record, bytes.data(), sizeof(Record));
    return true;
}

// The text behind a record's fixed part; false when it does not fit.
bool readText(std::string_view bytes, std::size_t fixed, std::uint32_t size, std::string_view& text)
{
    if (bytes.size() < fixed || bytes.size() - fixed < size)
        return false;
    text = bytes.substr(fixed, size);
    return true;
}

bool readTwoTexts(std::string_view bytes, std::size_t fixed, std::uint32_t first, std::uint32_t second,
                  std::string& a, std::string& b)
{
    std::string_view firstText, secondText;
    if (!readText(bytes, fixed, first, firstText) || !readText(bytes, fixed + first, second, secondText))
        return false;
    a = firstText;
    b = secondText;
    return true;
}

} // namespace

Result<void> WireParser::feed(std::string_view bytes)
{
    m_buffer.append(bytes);
    std::size_t at = 0;
    while (m_buffer.size() - at >= sizeof(wire::BatchHeader)) {
        wire::BatchHeader header;
        std::memcpy(&header, m_buffer.data() + at, sizeof(header));
        if (header.magic != wire::kBatchMagic || header.headerBytes < sizeof(header) ||
            header.headerBytes > 4096 || header.payloadBytes > wire::kMaxPayloadBytes) {
            m_records.truncatedBytes += m_buffer.size() - at;
            m_buffer.clear();
            return makeError(ErrorCode::ParseError,
                             "The stream from the probed process is not a probe stream",
                             "Something else connected to the socket, or the probe library is damaged.");
        }
        if (header.version != wire::kVersion) {
            m_buffer.clear();
            return makeError(ErrorCode::Unsupported,
                             "The probe speaks version " + std::to_string(header.version) +
                                 " of the protocol, this program version " + std::to_string(wire::kVersion),
                             "Use libforesight-probe.so from the same installation as this program.");
        }
        const std::size_t total = std::size_t{header.headerBytes} + header.payloadBytes;
        if (m_buffer.size() - at < total)
            break;
        if (header.sequence > m_nextSequence)
            m_records.missingBatches += header.sequence - m_nextSequence;
        if (header.sequence >= m_nextSequence)
            m_nextSequence = header.sequence + 1;
        parseBatch(std::string_view(m_buffer).substr(at + header.headerBytes, header.payloadBytes));
        at += total;
    }
    m_buffer.erase(0, at);
    return {};
}

void WireParser::finish()
{
    m_records.truncatedBytes += m_buffer.size();
    m_buffer.clear();
}

void WireParser::parseBatch(std::string_view payload)
{
    while (!payload.empty()) {
        wire::RecordHeader header;
        if (!readFixed(payload, header) || header.bytes < sizeof(header) || header.bytes % 8 != 0 ||
            header.bytes > payload.size()) {
            ++m_records.badRecords; // nothing after it can be found
            return;
        }
        if (!parseRecord(static_cast<wire::RecordType>(header.type), payload.substr(0, header.bytes)))
            ++m_records.badRecords;
        payload.remove_prefix(header.bytes);
    }
}

bool WireParser::parseRecord(wire::RecordType type, std::string_view bytes)
{
    std::string_view text;
    switch (type) {
    case wire::RecordType::Hello: {
        wire::Hello hello;
        if (!readFixed(bytes, hello) ||
            !readTwoTexts(bytes, sizeof(hello), hello.commandBytes, hello.cuptiPathBytes, m_records.command,
                          m_records.cuptiPath))
            return false;
        m_records.hello = hello;
        return true;
    }
    case wire::RecordType::Name: {
        wire::Name name;
        if (!readFixed(bytes, name) || !readText(bytes, sizeof(name), name.textBytes, text))
            return false;
        m_records.names[name.id] = text;
        return true;
    }
    case wire::RecordType::Kernel:
        return readFixed(bytes, m_records.kernels.emplace_back()) || (m_records.kernels.pop_back(), false);
    case wire::RecordType::Memory:
        return readFixed(bytes, m_records.memory.emplace_back()) || (m_records.memory.pop_back(), false);
    case wire::RecordType::External:
        return readFixed(bytes, m_records.externals.emplace_back()) ||
               (m_records.externals.pop_back(), false);
    case wire::RecordType::Launch:
        return readFixed(bytes, m_records.launches.emplace_back()) || (m_records.launches.pop_back(), false);
    case wire::RecordType::RangePush: {
        wire::RangePush push;
        if (!readFixed(bytes, push) || !readText(bytes, sizeof(push), push.textBytes, text) || push.id == 0 ||
            push.parent >= push.id)
            return false;
        m_openRanges[push.id] = m_records.ranges.size();
        m_records.ranges.push_back(
            {push.id, push.parent, push.timestampNs, 0, push.thread, std::string(text)});
        return true;
    }
    case wire::RecordType::RangePop: {
        wire::RangePop pop;
        if (!readFixed(bytes, pop))
            return false;
        const auto open = m_openRanges.find(pop.id);
        if (open == m_openRanges.end())
            return true; // its push was in a dropped batch
        m_records.ranges[open->second].endNs = pop.timestampNs;
        m_openRanges.erase(open);
        return true;
    }
    case wire::RecordType::Mark: {
        wire::Mark mark;
        if (!readFixed(bytes, mark) || !readText(bytes, sizeof(mark), mark.textBytes, text))
            return false;
        m_records.marks.push_back({mark.timestampNs, mark.thread, std::string(text)});
        return true;
    }
    case wire::RecordType::Status: {
        wire::Status status;
        ProbeStatus out;
        if (!readFixed(bytes, status) || status.severity > 2 ||
            !readTwoTexts(bytes, sizeof(status), status.messageBytes, status.adviceBytes, out.message,
                          out.advice))
            return false;
        out.severity = static_cast<wire::Severity>(status.severity);
        out.cuptiResult = status.cuptiResult;
        m_records.statuses.push_back(std::move(out));
        return true;
    }
    case wire::RecordType::Counts:
        if (!readFixed(bytes, m_records.counts))
            return false;
        m_records.finalCounts = m_records.finalCounts || m_records.counts.isFinal != 0;
        return true;
    case wire::RecordType::Device: {
        ProbeDevice device;
        if (!readFixed(bytes, device.values) ||
            !readText(bytes, sizeof(device.values), device.values.nameBytes, text))
            return false;
        device.name = text;
        m_records.devices.push_back(std::move(device));
        return true;
    }
    }
    ++m_records.unknownRecords; // of a newer probe: skipped by its size
    return true;
}

} // namespace foresight
