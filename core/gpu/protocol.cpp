// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/protocol.h"

#include "core/base/hash.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace foresight::protocol {

namespace {

constexpr std::array<char, 4> kMagic{'F', 'S', 'W', '1'};

void putU32(std::string& out, std::uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        out.push_back(static_cast<char>((value >> shift) & 0xffu));
}

std::uint32_t getU32(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return value;
}

Error lengthError(std::size_t json, std::size_t binary)
{
    return makeError(ErrorCode::ResourceLimit, "A message to or from the GPU worker is too long (" +
                                                   std::to_string(json) + " + " + std::to_string(binary) +
                                                   " bytes).");
}

// Waits until `fd` is ready for `events`; false when the time is over.
Result<bool> waitReady(int fd, short events,
                       const std::optional<std::chrono::steady_clock::time_point>& deadline)
{
    for (;;) {
        int timeoutMs = -1;
        if (deadline) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                *deadline - std::chrono::steady_clock::now());
            if (left.count() <= 0)
                return false;
            timeoutMs = static_cast<int>(std::min<long long>(left.count(), 1'000'000'000));
        }
        pollfd entry{fd, events, 0};
        const int ready = ::poll(&entry, 1, timeoutMs);
        if (ready > 0)
            return true;
        if (ready == 0)
            return false;
        if (errno != EINTR)
            return makeError(ErrorCode::IoError,
                             std::string("Waiting for the GPU worker failed: ") + strerror(errno));
    }
}

std::optional<std::chrono::steady_clock::time_point> deadlineAfter(std::chrono::milliseconds timeout)
{
    if (timeout.count() <= 0)
        return std::nullopt;
    return std::chrono::steady_clock::now() + timeout;
}

} // namespace

Result<std::string> encodeFrame(std::string_view json, std::string_view binary)
{
    if (json.size() > kMaxJsonBytes || binary.size() > kMaxBinaryBytes)
        return lengthError(json.size(), binary.size());
    std::string frame;
    frame.reserve(kHeaderBytes + json.size() + binary.size());
    frame.append(kMagic.data(), kMagic.size());
    putU32(frame, static_cast<std::uint32_t>(json.size()));
    putU32(frame, static_cast<std::uint32_t>(binary.size()));
    putU32(frame, 0);
    frame.append(json);
    frame.append(binary);
    const std::uint32_t crc = crc32(frame.data() + kHeaderBytes, frame.size() - kHeaderBytes);
    std::string crcBytes;
    putU32(crcBytes, crc);
    frame.replace(12, 4, crcBytes);
    return frame;
}

Result<std::optional<Frame>> FrameReader::next()
{
    // The magic is checked as soon as it can be, so that foreign output is not taken for a length.
    const std::size_t known = std::min(m_buffer.size(), kMagic.size());
    if (std::memcmp(m_buffer.data(), kMagic.data(), known) != 0)
        return makeError(ErrorCode::Corrupt,
                         "The GPU worker's stream does not hold a message where one should start.",
                         "Something else wrote to the worker's protocol descriptor; restart the worker.");
    if (m_buffer.size() < kHeaderBytes)
        return std::optional<Frame>{};
    const std::size_t json = getU32(m_buffer, 4);
    const std::size_t binary = getU32(m_buffer, 8);
    if (json > kMaxJsonBytes || binary > kMaxBinaryBytes)
        return lengthError(json, binary);
    if (m_buffer.size() < kHeaderBytes + json + binary)
        return std::optional<Frame>{};
    if (crc32(m_buffer.data() + kHeaderBytes, json + binary) != getU32(m_buffer, 12))
        return makeError(ErrorCode::Corrupt, "A message to or from the GPU worker has a wrong checksum.");
    Frame frame{m_buffer.substr(kHeaderBytes, json), m_buffer.substr(kHeaderBytes + json, binary)};
    m_buffer.erase(0, kHeaderBytes + json + binary);
    return std::optional<Frame>(std::move(frame));
}

Result<void> writeFrame(int fd, std::string_view json, std::string_view binary,
                        std::chrono::milliseconds timeout)
{
    FS_TRY(frame, encodeFrame(json, binary));
    const auto deadline = deadlineAfter(timeout);
    std::size_t done = 0;
    while (done < frame.size()) {
        FS_TRY(ready, waitReady(fd, POLLOUT, deadline));
        if (!ready)
            return makeError(ErrorCode::Timeout, "The GPU worker does not take a message.");
        const ssize_t count = ::write(fd, frame.data() + done, frame.size() - done);
        if (count > 0)
            done += static_cast<std::size_t>(count);
        else if (count < 0 && errno != EINTR && errno != EAGAIN)
            return makeError(ErrorCode::IoError,
                             std::string("Writing to the GPU worker failed: ") + strerror(errno));
    }
    return {};
}

Result<std::optional<Frame>> readFrame(int fd, FrameReader& reader, std::chrono::milliseconds timeout)
{
    const auto deadline = deadlineAfter(timeout);
    std::array<char, 65536> chunk;
    for (;;) {
        FS_TRY(frame, reader.next());
        if (frame)
            return frame;
        FS_TRY(ready, waitReady(fd, POLLIN, deadline));
        if (!ready)
            return makeError(ErrorCode::Timeout, "The GPU worker does not answer.");
        const ssize_t count = ::read(fd, chunk.data(), chunk.size());
        if (count > 0) {
            reader.feed(std::string_view(chunk.data(), static_cast<std::size_t>(count)));
        } else if (count == 0) {
            if (!reader.empty())
                return makeError(ErrorCode::IoError, "The GPU worker ended in the middle of a message.");
            return std::optional<Frame>{};
        } else if (errno != EINTR && errno != EAGAIN) {
            return makeError(ErrorCode::IoError,
                             std::string("Reading from the GPU worker failed: ") + strerror(errno));
        }
    }
}

Cubin makeCubin(std::string data)
{
    Cubin cubin;
    cubin.hash = sha256Hex(data);
    cubin.data = std::move(data);
    return cubin;
}

} // namespace foresight::protocol
