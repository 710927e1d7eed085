// SPDX-License-Identifier: Apache-2.0
// NVIDIA's libraries, opened at run time: the driver (libcuda), NVRTC and NVML. Needs cuda.h to build and
// nothing to start; what is missing on this machine is a NotFound error that says so. Tables are loaded once
// and never unloaded; safe to use from any thread.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <string>

namespace foresight {

// Every driver function we call. The header's macros pick the versioned symbol; the table is filled by that
// name.
#define FS_DRIVER_FUNCTIONS(X)                                                                               \
    X(cuInit)                                                                                                \
    X(cuDriverGetVersion)                                                                                    \
    X(cuGetErrorName)                                                                                        \
    X(cuGetErrorString)                                                                                      \
    X(cuDeviceGetCount)                                                                                      \
    X(cuDeviceGet)                                                                                           \
    X(cuDeviceGetName)                                                                                       \
    X(cuDeviceGetAttribute)                                                                                  \
    X(cuDeviceTotalMem)                                                                                      \
    X(cuDeviceGetUuid)                                                                                       \
    X(cuDeviceGetPCIBusId)                                                                                   \
    X(cuDevicePrimaryCtxRetain)                                                                              \
    X(cuDevicePrimaryCtxRelease)                                                                             \
    X(cuCtxSetCurrent)                                                                                       \
    X(cuCtxSynchronize)                                                                                      \
    X(cuMemGetInfo)                                                                                          \
    X(cuMemAlloc)                                                                                            \
    X(cuMemFree)                                                                                             \
    X(cuMemAllocHost)                                                                                        \
    X(cuMemFreeHost)                                                                                         \
    X(cuMemcpyDtoHAsync)                                                                                     \
    X(cuMemcpyHtoDAsync)                                                                                     \
    X(cuMemcpyDtoDAsync)                                                                                     \
    X(cuMemsetD8Async)                                                                                       \
    X(cuMemsetD16Async)                                                                                      \
    X(cuMemsetD32Async)                                                                                      \
    X(cuModuleLoadData)                                                                                      \
    X(cuModuleUnload)                                                                                        \
    X(cuModuleGetFunction)                                                                                   \
    X(cuFuncGetAttribute)                                                                                    \
    X(cuFuncSetAttribute)                                                                                    \
    X(cuLaunchKernel)                                                                                        \
    X(cuLaunchKernelEx)                                                                                      \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                           \
    X(cuStreamCreate)                                                                                        \
    X(cuStreamDestroy)                                                                                       \
    X(cuStreamBeginCapture)                                                                                  \
    X(cuStreamEndCapture)                                                                                    \
    X(cuEventCreate)                                                                                         \
    X(cuEventDestroy)                                                                                        \
    X(cuEventRecord)                                                                                         \
    X(cuEventQuery)                                                                                          \
    X(cuEventElapsedTime)                                                                                    \
    X(cuGraphCreate)                                                                                         \
    X(cuGraphDestroy)                                                                                        \
    X(cuGraphAddChildGraphNode)                                                                              \
    X(cuGraphAddEventRecordNode)                                                                             \
    X(cuGraphInstantiate)                                                                                    \
    X(cuGraphExecDestroy)                                                                                    \
    X(cuGraphLaunch)

struct CudaDriver
{
#define FS_MEMBER(name) decltype(&::name) name = nullptr;
    FS_DRIVER_FUNCTIONS(FS_MEMBER)
#undef FS_MEMBER
    // Since driver 12.4; null on older ones.
    CUresult(CUDAAPI* cuFuncGetParamInfo)(CUfunction, std::size_t, std::size_t*, std::size_t*) = nullptr;
};

// Loads libcuda.so.1 and calls cuInit, once. NotFound: no driver or no GPU on this machine.
Result<const CudaDriver*> cudaDriver();

// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".
std::string cudaErrorText(CUresult status);
// The context is lost: every later call fails, so the process must end.
bool isStickyError(CUresult status);

// NVRTC, for our own support kernels (candidates are compiled in a killable child).
// Compiles to a CUBIN for `arch` ("sm_90"). CompileFailed carries the log.
Result<std::string> nvrtcCompile(const std::string& source, const std::string& name, const std::string& arch);
Result<std::string> nvrtcVersionText();

// One device's clocks and state through NVML (declared here, from its documented interface). Fields are 0
// when a figure is not available.
struct NvmlReading
{
    double smClockMhz = 0, memoryClockMhz = 0, temperatureC = 0, powerW = 0;
    std::uint64_t throttleReasons = 0;
};

class Nvml
{
public:
    // By PCI bus id, since NVML's order is not CUDA's. NotFound without the library or the device.
    static Result<Nvml> open(const std::string& pciBusId);
    double smClockMhz() const;
    std::uint64_t throttleReasons() const; // all bits as NVML gives them
    NvmlReading read() const;
    double maxSmClockMhz() const;
    double maxMemoryClockMhz() const;
    int busWidthBits() const;
    int computeProcesses() const; // with a context on this device; -1 unknown
    std::string driverVersion() const;

private:
    void* m_device = nullptr;
};

// Those throttle reasons that make a sample useless: hardware and software thermal, power cap, power brake.
inline constexpr std::uint64_t kBadThrottleReasons = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

} // namespace foresight
