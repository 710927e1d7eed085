// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace foresight {
namespace {

// First 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t bigEndian32(const std::uint8_t* p)
{
    return (std::uint32_t{p[0]} << 24) | (std::uint32_t{p[1]} << 16) | (std::uint32_t{p[2]} << 8) |
           std::uint32_t{p[3]};
}

constexpr std::array<std::uint32_t, 256> makeCrcTable()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value & 1u) ? (value >> 1) ^ 0xedb88320u : value >> 1;
        table[i] = value;
    }
    return table;
}

} // namespace

Sha256::Sha256()
    : m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
{
}

void Sha256::block(const std::uint8_t* data)
{
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = bigEndian32(data + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    m_state[0] += a;
    m_state[1] += b;
    m_state[2] += c;
    m_state[3] += d;
    m_state[4] += e;
    m_state[5] += f;
    m_state[6] += g;
    m_state[7] += h;
}

void Sha256::update(const void* data, std::size_t bytes)
{
    if (bytes == 0)
        return;
    const auto* input = static_cast<const std::uint8_t*>(data);
    const std::size_t filled = static_cast<std::size_t>(m_bytes % 64);
    m_bytes += bytes;
    if (filled > 0) {
        const std::size_t take = std::min(bytes, 64 - filled);
        std::memcpy(m_buffer.data() + filled, input, take);
        input += take;
        bytes -= take;
        if (filled + take < 64)
            return;
        block(m_buffer.data());
    }
    for (; bytes >= 64; input += 64, bytes -= 64)
        block(input);
    if (bytes > 0)
        std::memcpy(m_buffer.data(), input, bytes);
}

void Sha256::updateU64(std::uint64_t value)
{
    std::array<std::uint8_t, 8> raw;
    for (std::size_t i = 0; i < 8; ++i)
        raw[i] = static_cast<std::uint8_t>(value >> (8 * i));
    update(raw.data(), raw.size());
}

void Sha256::updateF64(double value)
{
    updateU64(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));
}

std::array<std::uint8_t, 32> Sha256::finish()
{
    const std::uint64_t bits = m_bytes * 8;
    std::array<std::uint8_t, 72> padding{};
    padding[0] = 0x80;
    const std::size_t filled = static_cast<std::size_t>(m_bytes % 64);
    const std::size_t zeros = (filled < 56 ? 56 : 120) - filled;
    for (std::size_t i = 0; i < 8; ++i)
        padding[zeros + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
    update(padding.data(), zeros + 8);
    std::array<std::uint8_t, 32> digest;
    for (std::size_t i = 0; i < 32; ++i)
        digest[i] = static_cast<std::uint8_t>(m_state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

std::string Sha256::finishHex()
{
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(64);
    for (std::uint8_t byte : finish()) {
        hex += kDigits[byte >> 4];
        hex += kDigits[byte & 15];
    }
    return hex;
}

std::string sha256Hex(std::string_view data)
{
    Sha256 hash;
    hash.update(data);
    return hash.finishHex();
}

std::uint64_t fnv1a64(std::string_view data, std::uint64_t seed)
{
    std::uint64_t hash = seed;
    for (char c : data) {
        hash ^= static_cast<std::uint8_t>(c);
        hash *= 0x100000001b3ull;
    }
    return hash;
}

std::uint32_t crc32(const void* data, std::size_t bytes)
{
    static constexpr auto kTable = makeCrcTable();
    const auto* input = static_cast<const std::uint8_t*>(data);
    std::uint32_t crc = 0xffffffffu;
    for (std::size_t i = 0; i < bytes; ++i)
        crc = kTable[(crc ^ input[i]) & 0xffu] ^ (crc >> 8);
    return ~crc;
}

} // namespace foresight
