// SPDX-License-Identifier: Apache-2.0
// What of the live GPU path works on this machine, and how to mend the rest. Each check stands alone: one
// that fails does not hide the others. The measuring checks run in a worker process and take the GPU's lock
// meanwhile. Blocking (up to a minute with measuring); one call at a time.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

struct GpuCheck
{
    enum class State { Ok, Warn, Fail, Absent };
    std::string
        id; // "driver", "nvrtc", "toolkit_and_driver", "worker", "gpu", "flush", "copy_bandwidth", ...
    State state = State::Ok;
    std::string detail;
    std::string fix; // empty when there is nothing to do
};
std::string_view gpuCheckStateName(GpuCheck::State state); // "ok", "warn", "fail", "absent"

struct GpuDoctorOptions
{
    int device = 0;
    std::string workerPath, cudaHome, python, lockFolder, cacheFolder; // empty: as LocalGpu finds them
    bool measure = true; // also start a worker and measure (needs a GPU)
};

// driver, nvml, nvrtc, cuda_headers, toolkit_and_driver, cupti, worker, gpu, gpu_lock, compile; then what the
// worker measures (flush, empty kernel, copy bandwidth, clocks, ...), with the worker's own ids.
std::vector<GpuCheck> gpuDoctor(const GpuDoctorOptions& options, std::stop_token stop = {});

} // namespace foresight
