// SPDX-License-Identifier: Apache-2.0
// What is known of a GPU: from profiles/gpus/*.json, or from the device itself, with measured rates replacing sheet
// values when known.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/kernels/tensor.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace foresight {

struct GpuSpec {
    std::string name;               // as the driver says it, e.g. "NVIDIA H200"
    int computeMajor = 0, computeMinor = 0;
    int smCount = 0;
    int maxThreadsPerBlock = 1024, maxThreadsPerSm = 2048, maxBlocksPerSm = 32;
    std::int64_t registersPerSm = 65536, registersPerBlock = 65536;
    std::int64_t sharedPerBlock = 49152;      // without opting in
    std::int64_t sharedPerBlockOptin = 49152;
    std::int64_t sharedPerSm = 65536;
    std::int64_t reservedSharedPerBlock = 1024; // added by the system per block (sm_80 and later)
    std::int64_t l2Bytes = 0, memoryBytes = 0;
    double peakBandwidth = 0;  // bytes/s, data sheet (bus width x memory clock)
    double copyBandwidth = 0;  // bytes/s (read + written), measured; 0 when unknown
    double emptyKernelNs = 0;  // GPU duration of an empty kernel, measured; 0 when unknown
    double peakFlopsF32 = 0;   // flop/s without matrix units
    std::map<std::string, double> matrixFlops; // dense flop/s of the matrix units by dtype name
    std::string driver, source; // source: where the figures come from

    int arch() const { return computeMajor * 10 + computeMinor; }       // 90
    std::string archName() const;                                       // "sm_90"
    double bestBandwidth() const { return copyBandwidth > 0 ? copyBandwidth : peakBandwidth; }
};

Result<GpuSpec> gpuSpecFromJson(const Json& json, std::string_view what);
Json gpuSpecToJson(const GpuSpec& spec);
// All of profiles/gpus, sorted by name.
Result<std::vector<GpuSpec>> loadGpuSpecs(const std::string& dataFolder);
Result<GpuSpec> findGpuSpec(const std::string& dataFolder, std::string_view name);

// What a compiled kernel uses.
struct KernelResources {
    std::string kernel;
    int registers = 0;
    std::int64_t spillStores = 0, spillLoads = 0; // bytes, from the compiler's log; -1 when not known
    std::int64_t staticShared = 0, dynamicShared = 0, stackFrame = 0, codeBytes = 0;
    int threadsPerBlock = 0;
    double occupancy = 0; // resident warps / maximum, theoretical
    std::string occupancyLimit; // "registers", "shared", "threads", "blocks"
};

// Theoretical occupancy for a block of `threads`; fills occupancy and occupancyLimit.
void computeOccupancy(KernelResources& resources, const GpuSpec& gpu);

} // namespace foresight
