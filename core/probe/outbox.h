// SPDX-License-Identifier: Apache-2.0
// Records waiting to be sent, in batches. Any thread appends (one short lock, no CUPTI call under it); the
// probe's own thread takes batches. When more than the cap waits, whole oldest batches are dropped and
// counted, and names are sent again, since a dropped batch may have held them.
#pragma once

#include "core/probe/wire.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace foresight::probe {

class Outbox
{
public:
    explicit Outbox(std::size_t capBytes) : m_capBytes(capBytes) {}

    // `record` starts with a RecordHeader; its type and size are filled in here.
    template <typename Record>
    void append(wire::RecordType type, Record record, std::string_view text = {}, std::string_view more = {})
    {
        std::lock_guard lock(m_mutex);
        appendLocked(type, &record, sizeof(Record), text, more);
    }
    // A kernel whose name is interned under the same lock, so that name and use stay in order.
    void appendKernel(wire::Kernel record, std::string_view name);

    struct Batch
    {
        wire::BatchHeader header;
        std::vector<char> payload;
    };
    // Seals the open batch and hands out the oldest; false when there is nothing.
    bool take(Batch& batch);
    std::uint64_t droppedBatches() const { return m_droppedBatches.load(); }
    std::uint64_t droppedRecords() const { return m_droppedRecords.load(); }

private:
    void appendLocked(wire::RecordType type, void* record, std::size_t bytes, std::string_view text,
                      std::string_view more);
    void sealLocked();

    struct TextHash
    {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::mutex m_mutex;
    std::size_t m_capBytes;
    std::size_t m_waitingBytes = 0;
    std::deque<Batch> m_sealed;
    Batch m_open;
    std::uint64_t m_nextSequence = 0;
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> m_names;
    std::uint32_t m_nextName = 1;
    std::atomic<std::uint64_t> m_droppedBatches{0}, m_droppedRecords{0};
};

} // namespace foresight::probe
