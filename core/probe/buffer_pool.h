// SPDX-License-Identifier: Apache-2.0
// Activity buffers for CUPTI, made ahead of need: taking and giving back never allocate, so both are safe
// inside CUPTI's callbacks. Capped; when the pool is empty, `take` returns null, CUPTI drops records, and it
// is counted. Buffers are never freed (CUPTI may hold one until the process ends).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace foresight::probe {

class BufferPool
{
public:
    static constexpr std::size_t kBufferBytes = 1u << 20;
    static constexpr std::size_t kMaxBuffers = 96;

    BufferPool();
    std::uint8_t* take();
    void giveBack(std::uint8_t* buffer, std::size_t usedBytes);
    // From the probe's own thread: zeroes what came back and makes more when few are left.
    void maintain();
    std::uint64_t starved() const { return m_starved.load(); }

private:
    struct Used
    {
        std::uint8_t* buffer;
        std::size_t bytes;
    };
    std::mutex m_mutex;
    std::vector<std::uint8_t*> m_free;
    std::vector<Used> m_used; // given back, still to be zeroed
    std::size_t m_made = 0;
    std::atomic<std::uint64_t> m_starved{0};
};

} // namespace foresight::probe
