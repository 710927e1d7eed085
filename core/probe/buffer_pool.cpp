// SPDX-License-Identifier: Apache-2.0
#include "core/probe/buffer_pool.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace foresight::probe {

namespace {

constexpr std::size_t kAhead = 8;

// Anonymous pages come zeroed and cost nothing until they are used.
std::uint8_t* makeBuffer()
{
    void* pages =
        mmap(nullptr, BufferPool::kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(pages);
}

} // namespace

BufferPool::BufferPool()
{
    m_free.reserve(kMaxBuffers);
    m_used.reserve(kMaxBuffers);
    maintain();
}

std::uint8_t* BufferPool::take()
{
    std::lock_guard lock(m_mutex);
    if (m_free.empty()) {
        ++m_starved;
        return nullptr;
    }
    std::uint8_t* buffer = m_free.back();
    m_free.pop_back();
    return buffer;
}

void BufferPool::giveBack(std::uint8_t* buffer, std::size_t usedBytes)
{
    std::lock_guard lock(m_mutex);
    m_used.push_back({buffer, std::min(usedBytes, kBufferBytes)});
}

void BufferPool::maintain()
{
    std::vector<Used> used;
    std::size_t missing = 0;
    {
        std::lock_guard lock(m_mutex);
        used.assign(m_used.begin(), m_used.end());
        m_used.clear();
        const std::size_t available = m_free.size() + used.size();
        if (available < kAhead)
            missing = std::min(kAhead - available, kMaxBuffers - m_made);
        m_made += missing;
    }
    for (const Used& entry : used)
        std::memset(entry.buffer, 0, entry.bytes);
    for (std::size_t i = 0; i < missing; ++i) {
        if (std::uint8_t* buffer = makeBuffer())
            used.push_back({buffer, 0});
    }
    std::lock_guard lock(m_mutex);
    for (const Used& entry : used)
        m_free.push_back(entry.buffer);
}

} // namespace foresight::probe
