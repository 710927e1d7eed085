// SPDX-License-Identifier: Apache-2.0
// A recorded profile as plain values: operators with exact counts and GPU time, their kernels, floors and
// headroom.
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/kernels/family.h"
#include "core/kernels/gpu_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace foresight {

class Session;

struct ProfiledKernel
{
    std::string name; // demangled, full
    std::int64_t calls = 0;
    double gpuNs = 0; // total
    std::int64_t grid[3]{}, block[3]{};
    int registers = 0;
    std::int64_t staticShared = 0, dynamicShared = 0;
};

enum class FloorKind { Known, Estimate, None };

struct ProfiledOperator
{
    OperatorId id;
    OperatorDescription description;
    std::string modulePath; // "up.0.n1" of one caller; "*" when several
    std::vector<std::string> modulePaths;
    std::int64_t calls = 0; // per recorded window
    double gpuNs = 0, meanNs = 0, minNs = 0, maxNs = 0, p50Ns = 0, p95Ns = 0;
    double floorNs = 0; // per call
    FloorKind floorKind = FloorKind::None;
    double bytes = 0, flops = 0; // per call
    double headroomNs = 0;       // gpuNs - calls * floorNs, >= 0
    double share = 0;            // of all GPU time
    OperatorId overlapsWith;     // a larger operator (region/module) that already counts this one's headroom:
                                 // leave operators with a valid one out of sums
    std::vector<ProfiledKernel> kernels;
};

struct ProfileRecords
{
    std::int64_t received = 0, dropped = 0, untimed = 0, unmatched = 0;
    std::string disturbedBy; // "torch.profiler", or empty
};

struct Profile
{
    std::string title, command, gpuName, driver, cuda, torch, python, date, revision;
    GpuSpec gpu;
    std::int64_t steps = 0;
    double wallNs = 0, gpuNs = 0; // of the recorded window
    double launchBoundNs = 0;     // gaps between kernels inside steps
    double probeOverheadNs = 0;   // host time spent in the probe
    ProfileRecords records;
    std::vector<std::string>
        notes; // what the user should know: refused by CUPTI and what to do, hook's remarks
    std::vector<ProfiledOperator> operators; // by headroom, largest first

    // Empty when ranking is trustworthy; else why not ("12 % of the records were dropped ...").
    std::string distrust() const;
};

Result<void> saveProfile(Session& session, const Profile& profile);
Result<Profile> loadProfile(const Session& session);

} // namespace foresight
