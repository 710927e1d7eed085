// SPDX-License-Identifier: Apache-2.0
// What a worker says of its device. One thread per worker.
#pragma once

#include "core/base/result.h"
#include "core/gpu/worker_client.h"
#include "core/kernels/gpu_spec.h"

#include <stop_token>
#include <string>

namespace foresight {

struct DeviceFigures
{
    GpuSpec spec;
    std::string lockName; // the UUID when the worker knows it; else the device's number as the system counts
};

Result<DeviceFigures> readDevice(WorkerClient& worker, int device, std::stop_token stop = {});

} // namespace foresight
