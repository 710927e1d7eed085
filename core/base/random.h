// SPDX-License-Identifier: Apache-2.0
// The one random generator of searches and tests: xoshiro256** seeded by splitmix64. Unlike <random>'s
// distributions, every draw is specified here, so the same seed gives the same search with any standard library.
#pragma once

#include <cstdint>

namespace foresight {

class Random {
public:
    explicit Random(std::uint64_t seed);
    std::uint64_t next();
    // Uniform in [0, 1) with 53 bits.
    double uniform();
    // Uniform integer in [0, n), n > 0, without modulo bias.
    std::uint64_t below(std::uint64_t n);
    // Standard normal (Marsaglia polar method).
    double normal();
    bool coin(double probability) { return uniform() < probability; }

private:
    std::uint64_t m_state[4];
    double m_spare = 0;
    bool m_hasSpare = false;
};

} // namespace foresight
