// SPDX-License-Identifier: Apache-2.0
// Records of one process -> Profile: kernels to operators, served modules and regions, floors, headroom, step
// times. A pure function of its input: the same records give the same profile.
#pragma once

#include "core/profile/probe_records.h"
#include "core/profile/profile.h"

#include <functional>
#include <optional>

namespace foresight {

struct ProfileBuildOptions
{
    GpuSpec gpu; // name empty: made from what the probe says of the device
    // The problem a family makes of an operator; decides which modules and regions count as operators of
    // their own.
    std::function<std::optional<Problem>(const OperatorDescription&)> serve;
    std::string title, driver, revision;
    std::string date; // empty: when the process introduced itself
};

Profile buildProfile(const ProbeRecords& records, const ProfileBuildOptions& options);

// `serve` from the families; the registry must outlive it.
std::function<std::optional<Problem>(const OperatorDescription&)> servedBy(const FamilyRegistry& registry);

} // namespace foresight
