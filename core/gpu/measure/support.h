// SPDX-License-Identifier: Apache-2.0
// Our own kernels (support.cu) on one device: compiled by NVRTC at first use and kept in the user's cache by
// hash of source, compiler and architecture. Calls enqueue on the device's stream and return.
#pragma once

#include "core/gpu/measure/device.h"
#include "core/gpu/tolerance.h"
#include "core/kernels/tensor.h"

#include <string>

namespace foresight::measure {

// As in support.cu.
struct CompareResult
{
    std::uint64_t bad = 0, unwritten = 0, firstBad = ~0ull, firstUnwritten = ~0ull;
    std::uint64_t maxAbs = 0, maxRel = 0, worst = 0;
    std::uint64_t histogram[18] = {};
    double maxAbsError() const;
    double maxRelError() const;
    std::uint64_t worstIndex() const { return worst & ((1ull << 40) - 1); }
};

struct Zone
{
    CUdeviceptr begin;
    std::uint64_t bytes;
};

// The bits outputs hold before a run: a NaN that arithmetic does not make; for integers 0xa5 in every byte.
std::uint64_t fillPattern(DType dtype);

class Support
{
public:
    static Result<std::unique_ptr<Support>> load(Device& device, const std::string& cacheFolder);
    ~Support();

    Result<void> fill(CUdeviceptr data, std::uint64_t elements, DType dtype, const TensorFill& fill,
                      std::uint64_t seed, bool alternating);
    Result<void> poke(CUdeviceptr data, std::uint64_t index, DType dtype, double value);
    Result<void> fillOutput(CUdeviceptr data, std::uint64_t elements, DType dtype);
    Result<void> zones(CUdeviceptr table, int count, std::uint64_t largest, CUdeviceptr result, bool check);
    Result<void> checksum(CUdeviceptr data, std::uint64_t bytes, CUdeviceptr result);
    Result<void> stats(CUdeviceptr values, std::uint64_t count, CUdeviceptr result);
    Result<void> compare(CUdeviceptr out, const TensorSpec& tensor, CUdeviceptr expected,
                         const ToleranceTerms& tolerance, CUdeviceptr stats, CUdeviceptr result);
    Result<void> compareRuns(CUdeviceptr first, CUdeviceptr second, const TensorSpec& tensor,
                             const ToleranceTerms& tolerance, CUdeviceptr stats, CUdeviceptr result);
    Result<void> flush(CUstream stream) const; // reads flushBytes() of clean memory
    Result<void> readBytes(CUdeviceptr data, std::uint64_t bytes, CUstream stream) const;
    Result<void> empty(CUstream stream) const;
    Result<void> spin(std::uint64_t ns, CUstream stream) const;
    std::uint64_t flushBytes() const { return m_flushBytes; }
    CUdeviceptr flushMemory() const { return m_flush.address(); }

private:
    explicit Support(Device& device) : m_device(device) {}
    Result<void> launch(CUfunction function, unsigned gridX, unsigned gridY, void** arguments,
                        const char* doing, CUstream stream) const;
    unsigned gridFor(std::uint64_t threads, unsigned blocksPerSm = 8) const;

    Device& m_device;
    CUmodule m_module = nullptr;
    CUfunction m_fill = nullptr, m_poke = nullptr, m_zones = nullptr, m_checksum = nullptr, m_stats = nullptr,
               m_compare = nullptr, m_compareRuns = nullptr, m_flushKernel = nullptr, m_empty = nullptr,
               m_spin = nullptr;
    DeviceMemory m_flush, m_sink;
    std::uint64_t m_flushBytes = 0;
};

} // namespace foresight::measure
