// SPDX-License-Identifier: Apache-2.0
#include "core/probe/outbox.h"

#include <algorithm>
#include <cstring>

namespace foresight::probe {

namespace {
constexpr std::size_t kBatchBytes = 256u << 10;
constexpr std::size_t kMaxTextBytes = 64u << 10;
} // namespace

void Outbox::appendKernel(wire::Kernel record, std::string_view name)
{
    name = name.substr(0, kMaxTextBytes);
    std::lock_guard lock(m_mutex);
    auto found = m_names.find(name);
    if (found == m_names.end()) {
        found = m_names.emplace(std::string(name), m_nextName++).first;
        wire::Name text;
        text.id = found->second;
        text.textBytes = static_cast<std::uint32_t>(name.size());
        appendLocked(wire::RecordType::Name, &text, sizeof(text), name, {});
        // Sealing may have dropped a batch and forgotten the names; this one is in the open batch all the
        // same.
        record.name = text.id;
    } else {
        record.name = found->second;
    }
    appendLocked(wire::RecordType::Kernel, &record, sizeof(record), {}, {});
}

void Outbox::appendLocked(wire::RecordType type, void* record, std::size_t bytes, std::string_view text,
                          std::string_view more)
{
    const std::size_t total = wire::paddedBytes(bytes + text.size() + more.size());
    if (total > wire::kMaxRecordBytes) {
        ++m_droppedRecords;
        return;
    }
    wire::RecordHeader header;
    header.type = static_cast<std::uint16_t>(type);
    header.bytes = static_cast<std::uint32_t>(total);
    std::memcpy(record, &header, sizeof(header));

    auto& payload = m_open.payload;
    const std::size_t at = payload.size();
    payload.resize(at + total);
    std::memcpy(payload.data() + at, record, bytes);
    if (!text.empty())
        std::memcpy(payload.data() + at + bytes, text.data(), text.size());
    if (!more.empty())
        std::memcpy(payload.data() + at + bytes + text.size(), more.data(), more.size());
    ++m_open.header.records;
    if (payload.size() >= kBatchBytes)
        sealLocked();
}

void Outbox::sealLocked()
{
    if (m_open.payload.empty())
        return;
    m_open.header.sequence = m_nextSequence++;
    m_open.header.payloadBytes = static_cast<std::uint32_t>(m_open.payload.size());
    m_waitingBytes += m_open.payload.size();
    m_sealed.push_back(std::move(m_open));
    m_open = Batch{};
    while (m_waitingBytes > m_capBytes && m_sealed.size() > 1) {
        m_waitingBytes -= m_sealed.front().payload.size();
        m_droppedRecords += m_sealed.front().header.records;
        ++m_droppedBatches;
        m_sealed.pop_front();
        m_names.clear(); // ids are never reused, so a name sent again only gets a second id
    }
}

bool Outbox::take(Batch& batch)
{
    std::lock_guard lock(m_mutex);
    if (m_sealed.empty())
        sealLocked();
    if (m_sealed.empty())
        return false;
    batch = std::move(m_sealed.front());
    m_sealed.pop_front();
    m_waitingBytes -= batch.payload.size();
    return true;
}

} // namespace foresight::probe
