// SPDX-License-Identifier: Apache-2.0
// What `doctor` looks at. Nothing here needs a GPU or touches one in this process: devices are asked by a
// worker.
#pragma once

#include "core/gpu/gpu_doctor.h"

#include <stop_token>
#include <string>
#include <vector>

namespace foresight::cli {

using Check = GpuCheck;
using CheckState = GpuCheck::State;

std::vector<Check> checkProgramFiles(); // data, window, probe
// What core/gpu checks: driver, compiler, worker, device, and with `measure` what the worker measures.
std::vector<Check> checkGpu(const std::string& python, int device, bool measure, const std::stop_token& stop);
Check checkPyTorch(const std::string& python, const std::stop_token& stop); // pytorch
std::vector<Check> checkFolders();                                          // disk, cache

} // namespace foresight::cli
