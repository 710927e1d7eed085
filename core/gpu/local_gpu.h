// SPDX-License-Identifier: Apache-2.0
// A real GPU on this machine through one foresight-worker process: compiles in killable children (several at once),
// verifies and times one candidate at a time, kills and restarts the worker on deadline and on sticky errors, retries
// innocents alone, and holds the device's lock file while it lives.
#pragma once

#include "core/gpu/gpu.h"

#include <chrono>
#include <memory>
#include <string>

namespace foresight {

struct LocalGpuOptions {
    int device = 0;
    std::string workerPath;      // empty: beside this program
    int compileSlots = 0;        // 0: cores - 1, bounded by memory
    std::chrono::milliseconds compileTimeout{60'000}, requestTimeout{20'000};
    std::string cacheFolder;     // empty: the user's cache
    KernelPlan anchorPlan;       // what every candidate is timed against (the family's default)
    Problem problem;             // the operator of this search
    KernelPlan referencePlan;    // fp64 reference
};

// Busy (naming the holder) when another process uses the device for timing; NotFound without a driver or GPU.
Result<std::unique_ptr<Gpu>> makeLocalGpu(LocalGpuOptions options);

// Spec of a device read by a worker process (the caller never creates a CUDA context). NotFound says what is missing.
Result<GpuSpec> probeLocalGpu(int device, const std::string& workerPath = {});

} // namespace foresight
