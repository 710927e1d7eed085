// SPDX-License-Identifier: Apache-2.0
// Finds the CUDA toolkit's run-time compiler (libnvrtc) and headers. The library is only ever loaded in a
// child process; asking it for its version costs some 50 ms, so results are remembered per process.
// Thread-safe. NotFound lists every place that was looked at and says which piece is missing.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace foresight {

struct ToolkitSearch
{
    std::string home;       // looked at first, before $CUDA_HOME, $CUDA_PATH, /usr/local/cuda*, nvcc's folder
    std::string python;     // an interpreter whose site-packages may hold NVIDIA's wheels; empty: not asked
    std::string workerPath; // empty: foresight-worker beside this program
};

struct CudaToolkit
{
    std::string nvrtc;                     // path, or the name the dynamic loader resolved
    std::vector<std::string> includePaths; // with cuda_fp16.h, and its cccl/ when there is one
    int versionMajor = 0, versionMinor = 0;
    std::vector<int> archs; // that it compiles for: 75, 80, ...
    std::string version() const { return std::to_string(versionMajor) + "." + std::to_string(versionMinor); }
};

Result<CudaToolkit> findCudaToolkit(const ToolkitSearch& search);

// Beside this program, or one folder up (tests live in bin/tests), or $FORESIGHT_WORKER.
std::string defaultWorkerPath();

} // namespace foresight
