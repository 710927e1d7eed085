// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace foresight::measure {

namespace {

// fp32 lanes of a multiprocessor, from the CUDA programming guide's table of throughputs.
int lanesPerSm(int major, int minor)
{
    if (major == 7 || (major == 8 && minor == 0))
        return 64;
    return 128;
}

} // namespace

Result<std::unique_ptr<Device>> Device::open(int ordinal)
{
    FS_TRY(cu, cudaDriver());
    std::unique_ptr<Device> device(new Device);
    device->m_cu = cu;
    int count = 0;
    FS_CHECK(device->check(cu->cuDeviceGetCount(&count), "counting GPUs"));
    if (ordinal < 0 || ordinal >= count)
        return makeError(ErrorCode::NotFound, "There is no GPU number " + std::to_string(ordinal) +
                                                  ": this machine has " + std::to_string(count) + ".");
    FS_CHECK(device->check(cu->cuDeviceGet(&device->m_device, ordinal), "opening the GPU"));
    FS_CHECK(device->check(cu->cuDevicePrimaryCtxRetain(&device->m_context, device->m_device),
                           "making a context"));
    FS_CHECK(device->check(cu->cuCtxSetCurrent(device->m_context), "making the context current"));
    FS_CHECK(device->check(cu->cuStreamCreate(&device->m_stream, CU_STREAM_NON_BLOCKING), "making a stream"));
    FS_CHECK(device->check(cu->cuEventCreate(&device->m_event, CU_EVENT_DISABLE_TIMING), "making an event"));
    std::array<char, 64> busId{};
    if (cu->cuDeviceGetPCIBusId(busId.data(), static_cast<int>(busId.size()), device->m_device) ==
        CUDA_SUCCESS)
        if (auto nvml = Nvml::open(busId.data()))
            device->m_nvml = *nvml;
    device->readAttributes(ordinal, device->m_device);
    return device;
}

void Device::readAttributes(int ordinal, CUdevice device)
{
    const auto attribute = [&](CUdevice_attribute which) {
        int value = 0;
        m_cu->cuDeviceGetAttribute(&value, which, device);
        return value;
    };
    std::array<char, 256> name{};
    m_cu->cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device);
    std::size_t memory = 0;
    m_cu->cuDeviceTotalMem(&memory, device);
    GpuSpec& s = m_spec;
    s.name = name.data();
    s.computeMajor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    s.computeMinor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    s.smCount = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    s.maxThreadsPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    s.maxThreadsPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    s.maxBlocksPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    s.registersPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    s.registersPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
    s.sharedPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    s.sharedPerBlockOptin = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    s.sharedPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    s.reservedSharedPerBlock = attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    s.l2Bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    s.memoryBytes = static_cast<std::int64_t>(memory);
    double smMhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000.0;
    double memoryMhz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1000.0;
    int busBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    if (m_nvml) {
        smMhz = std::max(smMhz, m_nvml->maxSmClockMhz());
        if (const double mhz = m_nvml->maxMemoryClockMhz(); mhz > 0)
            memoryMhz = mhz;
        if (const int bits = m_nvml->busWidthBits(); bits > 0)
            busBits = bits;
        s.driver = m_nvml->driverVersion();
    }
    s.peakBandwidth = 2.0 * memoryMhz * 1e6 * busBits / 8.0; // two transfers per clock
    s.peakFlopsF32 = 2.0 * lanesPerSm(s.computeMajor, s.computeMinor) * s.smCount * smMhz * 1e6;
    s.source = "device " + std::to_string(ordinal);
}

Device::~Device()
{
    if (!m_cu || m_lost)
        return;
    if (m_event)
        m_cu->cuEventDestroy(m_event);
    if (m_stream)
        m_cu->cuStreamDestroy(m_stream);
    if (m_context)
        m_cu->cuDevicePrimaryCtxRelease(m_device);
}

std::string Device::uuid() const
{
    CUuuid id{};
    if (m_cu->cuDeviceGetUuid(&id, m_device) != CUDA_SUCCESS)
        return {};
    std::string text = "GPU";
    for (std::size_t i = 0; i < sizeof id.bytes; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        const auto byte = static_cast<unsigned char>(id.bytes[i]);
        text += "0123456789abcdef"[byte >> 4];
        text += "0123456789abcdef"[byte & 15];
    }
    return text;
}

Result<void> Device::check(CUresult status, const char* doing) const
{
    if (status == CUDA_SUCCESS)
        return {};
    const std::string message =
        std::string("CUDA failed while ") + doing + ": " + cudaErrorText(status) + ".";
    if (isStickyError(status)) {
        m_lost = true;
        return makeError(ErrorCode::GpuError, message,
                         "The worker restarts; other candidates are not affected.");
    }
    if (status == CUDA_ERROR_OUT_OF_MEMORY)
        return makeError(ErrorCode::ResourceLimit, message,
                         "Close other programs on this GPU or take a smaller shape.");
    return makeError(ErrorCode::InvalidArgument, message);
}

Result<void> Device::wait(double deadlineSeconds)
{
    FS_CHECK(check(m_cu->cuEventRecord(m_event, m_stream), "recording an event"));
    return waitFor(m_event, deadlineSeconds);
}

Result<void> Device::waitFor(CUevent event, double deadlineSeconds) const
{
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (;;) {
        const CUresult status = m_cu->cuEventQuery(event);
        if (status != CUDA_ERROR_NOT_READY)
            return check(status, "running kernels");
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (seconds > deadlineSeconds) {
            m_lost = true;
            return makeError(ErrorCode::Timeout,
                             "The GPU did not finish within " + std::to_string(deadlineSeconds) + " s.",
                             "The worker is restarted.");
        }
        if (seconds > 0.02) // long work: leave the core to others
            std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

Result<std::size_t> Device::freeBytes() const
{
    std::size_t free = 0, total = 0;
    FS_CHECK(check(m_cu->cuMemGetInfo(&free, &total), "asking for free memory"));
    return free;
}

Outcome outcomeOf(const Error& error)
{
    switch (error.code) {
    case ErrorCode::GpuError:
        return Outcome::Crashed;
    case ErrorCode::Timeout:
        return Outcome::Timeout;
    case ErrorCode::ResourceLimit:
        return Outcome::OutOfMemory;
    case ErrorCode::InvalidArgument:
        return Outcome::LaunchRejected;
    default:
        return Outcome::Internal;
    }
}

bool isFatal(const Error& error)
{
    return error.code == ErrorCode::GpuError || error.code == ErrorCode::Timeout;
}

Result<DeviceMemory> DeviceMemory::allocate(Device& device, std::size_t bytes)
{
    DeviceMemory memory;
    memory.m_device = &device;
    memory.m_bytes = std::max<std::size_t>(bytes, 16);
    FS_CHECK(
        device.check(device.cu().cuMemAlloc(&memory.m_address, memory.m_bytes), "allocating GPU memory"));
    return memory;
}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept
{
    if (this != &other) {
        release();
        m_device = std::exchange(other.m_device, nullptr);
        m_address = std::exchange(other.m_address, 0);
        m_bytes = std::exchange(other.m_bytes, 0);
    }
    return *this;
}

void DeviceMemory::release()
{
    if (m_address && m_device && !m_device->lost())
        m_device->cu().cuMemFree(m_address);
    m_address = 0;
}

Result<HostMemory> HostMemory::allocate(Device& device, std::size_t bytes)
{
    HostMemory memory;
    memory.m_device = &device;
    FS_CHECK(
        device.check(device.cu().cuMemAllocHost(&memory.m_address, bytes), "allocating page-locked memory"));
    return memory;
}

HostMemory& HostMemory::operator=(HostMemory&& other) noexcept
{
    if (this != &other) {
        release();
        m_device = std::exchange(other.m_device, nullptr);
        m_address = std::exchange(other.m_address, nullptr);
    }
    return *this;
}

void HostMemory::release()
{
    if (m_address && m_device && !m_device->lost())
        m_device->cu().cuMemFreeHost(m_address);
    m_address = nullptr;
}

} // namespace foresight::measure
