// SPDX-License-Identifier: Apache-2.0
// Content hashing. SHA-256 (FIPS 180-4) for everything that is stored or compared across machines; FNV-1a for
// hash tables and seeds only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace foresight {

class Sha256 {
public:
    Sha256();
    void update(const void* data, std::size_t bytes);
    void update(std::string_view text) { update(text.data(), text.size()); }
    // Little-endian bytes of a value; doubles by bit pattern, -0.0 and 0.0 alike.
    void updateU64(std::uint64_t value);
    void updateF64(double value);
    std::array<std::uint8_t, 32> finish();
    std::string finishHex();

private:
    void block(const std::uint8_t* data);
    std::array<std::uint32_t, 8> m_state{};
    std::array<std::uint8_t, 64> m_buffer{};
    std::uint64_t m_bytes = 0;
};

std::string sha256Hex(std::string_view data);
std::uint64_t fnv1a64(std::string_view data, std::uint64_t seed = 0xcbf29ce484222325ull);
// CRC-32 (IEEE 802.3, reflected), as used by the worker protocol's frames.
std::uint32_t crc32(const void* data, std::size_t bytes);

} // namespace foresight
