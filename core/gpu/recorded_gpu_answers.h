// SPDX-License-Identifier: Apache-2.0
// What a recorded space answers for one configuration, without the clock: costs of each step, timing, reply.
// Pure and independent of the order of questions. Used by recorded_gpu.cpp only.
#pragma once

#include "core/gpu/recorded_space.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace foresight::recorded {

class Answers
{
public:
    Answers(std::shared_ptr<const RecordedSpace> space, RecordedMode mode, std::uint64_t seed);

    const RecordedSpace& space() const { return *m_space; }
    // By index when it means the same configuration, then by content, then by configuration. `note` is set
    // when the recording was made from another version of the kernel.
    std::optional<std::uint32_t> resolve(const GpuRequest& request, std::string& note) const;
    // The step at which a request for `until` ends.
    Stage lastStage(std::uint32_t index, Stage until) const;
    double compileSeconds(std::uint32_t index) const;
    double verifySeconds(std::uint32_t index) const;
    double measureSeconds(std::uint32_t index) const;
    // Without costs.
    GpuReply reply(std::uint32_t index, Stage until, const std::string& note) const;

private:
    Timing timing(std::uint32_t index) const;
    double anchorNs(const RecordedRow& row) const;

    std::shared_ptr<const RecordedSpace> m_space;
    RecordedMode m_mode;
    std::uint64_t m_seed;
    std::unordered_map<std::string, std::uint32_t> m_byHash;
    double m_medianCompile = 0, m_medianVerify = 0;
};

} // namespace foresight::recorded
