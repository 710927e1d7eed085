// SPDX-License-Identifier: Apache-2.0
#include "core/base/random.h"

#include <bit>
#include <cmath>

namespace foresight {
namespace {

// Steele, Lea and Flood's splitmix64: spreads a small seed over the whole state.
std::uint64_t splitMix(std::uint64_t& state)
{
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

} // namespace

Random::Random(std::uint64_t seed)
{
    for (auto& word : m_state)
        word = splitMix(seed);
}

std::uint64_t Random::next()
{
    const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
    const std::uint64_t t = m_state[1] << 17;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= t;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

double Random::uniform()
{
    return static_cast<double>(next() >> 11) * 0x1p-53;
}

std::uint64_t Random::below(std::uint64_t n)
{
    if (n <= 1)
        return 0;
    // Values below 2^64 mod n would be hit once too often: draw again.
    const std::uint64_t threshold = (0 - n) % n;
    for (;;) {
        const std::uint64_t value = next();
        if (value >= threshold)
            return value % n;
    }
}

double Random::normal()
{
    if (m_hasSpare) {
        m_hasSpare = false;
        return m_spare;
    }
    for (;;) {
        const double u = 2 * uniform() - 1;
        const double v = 2 * uniform() - 1;
        const double s = u * u + v * v;
        if (s >= 1 || s == 0)
            continue;
        const double factor = std::sqrt(-2 * std::log(s) / s);
        m_spare = v * factor;
        m_hasSpare = true;
        return u * factor;
    }
}

} // namespace foresight
