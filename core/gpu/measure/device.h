// SPDX-License-Identifier: Apache-2.0
// One GPU as this process uses it: the primary context (shared with PyTorch in host mode), one stream of
// ours, memory, and waiting that never blocks. One thread. Errors tell how a candidate ended: GpuError = the
// context is lost, Timeout = the work did not end, ResourceLimit = out of memory, InvalidArgument = the
// launch was refused.
#pragma once

#include "core/gpu/cuda_api.h"
#include "core/gpu/gpu.h"
#include "core/kernels/gpu_spec.h"

#include <memory>
#include <optional>

namespace foresight::measure {

class Device
{
public:
    static Result<std::unique_ptr<Device>> open(int ordinal);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const CudaDriver& cu() const { return *m_cu; }
    CUstream stream() const { return m_stream; }
    const Nvml* nvml() const { return m_nvml ? &*m_nvml : nullptr; }
    // Attributes, and what was measured so far.
    GpuSpec& spec() { return m_spec; }
    const GpuSpec& spec() const { return m_spec; }
    int smCount() const { return m_spec.smCount; }
    std::string uuid() const; // "GPU-0123...", as nvidia-smi writes it

    // Remembers a lost context.
    Result<void> check(CUresult status, const char* doing) const;
    bool lost() const { return m_lost; }
    // Waits for everything enqueued on the stream so far, by asking; a Timeout means it still runs.
    Result<void> wait(double deadlineSeconds);
    Result<void> waitFor(CUevent event, double deadlineSeconds) const;
    Result<std::size_t> freeBytes() const;

private:
    Device() = default;
    void readAttributes(int ordinal, CUdevice device);
    const CudaDriver* m_cu = nullptr;
    CUdevice m_device = 0;
    CUcontext m_context = nullptr;
    CUstream m_stream = nullptr;
    CUevent m_event = nullptr;
    std::optional<Nvml> m_nvml;
    GpuSpec m_spec;
    mutable bool m_lost = false;
};

Outcome outcomeOf(const Error& error);
bool isFatal(const Error& error);

// Device memory; freed when it goes, unless the context is lost.
class DeviceMemory
{
public:
    DeviceMemory() = default;
    static Result<DeviceMemory> allocate(Device& device, std::size_t bytes);
    ~DeviceMemory() { release(); }
    DeviceMemory(DeviceMemory&& other) noexcept { *this = std::move(other); }
    DeviceMemory& operator=(DeviceMemory&& other) noexcept;
    CUdeviceptr address() const { return m_address; }
    std::size_t bytes() const { return m_bytes; }

private:
    void release();
    Device* m_device = nullptr;
    CUdeviceptr m_address = 0;
    std::size_t m_bytes = 0;
};

// Page-locked host memory for results.
class HostMemory
{
public:
    HostMemory() = default;
    static Result<HostMemory> allocate(Device& device, std::size_t bytes);
    ~HostMemory() { release(); }
    HostMemory(HostMemory&& other) noexcept { *this = std::move(other); }
    HostMemory& operator=(HostMemory&& other) noexcept;
    template <typename T> T* as() const { return static_cast<T*>(m_address); }

private:
    void release();
    Device* m_device = nullptr;
    void* m_address = nullptr;
};

} // namespace foresight::measure
