// SPDX-License-Identifier: Apache-2.0
// NVML behind class Nvml; the toolkit's nvml.h is often not installed, so the few calls are declared here.
#include "core/gpu/cuda_api.h"

#include <array>
#include <dlfcn.h>

namespace foresight {

namespace {

using Device = void*;
constexpr int kClockSm = 1, kClockMemory = 2, kTemperatureGpu = 0;
constexpr int kInsufficientSize = 7;

struct ProcessEntry
{ // nvmlProcessInfo_t as of interface version 2 and 3
    unsigned int pid;
    unsigned long long usedMemory;
    unsigned int gpuInstance, computeInstance;
};

struct NvmlTable
{
    int (*init)() = nullptr;
    int (*byBusId)(const char*, Device*) = nullptr;
    int (*clock)(Device, int, unsigned int*) = nullptr;
    int (*maxClock)(Device, int, unsigned int*) = nullptr;
    int (*temperature)(Device, int, unsigned int*) = nullptr;
    int (*power)(Device, unsigned int*) = nullptr;
    int (*throttle)(Device, unsigned long long*) = nullptr;
    int (*busWidth)(Device, unsigned int*) = nullptr;
    int (*processes)(Device, unsigned int*, ProcessEntry*) = nullptr;
    int (*driver)(char*, unsigned int) = nullptr;
    bool ready = false;
};

template <typename Function>
bool load(void* library, std::initializer_list<const char*> names, Function& function)
{
    for (const char* name : names)
        if (void* found = dlsym(library, name)) {
            function = reinterpret_cast<Function>(found);
            return true;
        }
    return false;
}

const NvmlTable& table()
{
    static const NvmlTable result = [] {
        NvmlTable t;
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library || !load(library, {"nvmlInit_v2", "nvmlInit"}, t.init) ||
            !load(library, {"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"},
                  t.byBusId) ||
            !load(library, {"nvmlDeviceGetClockInfo"}, t.clock))
            return t;
        load(library, {"nvmlDeviceGetMaxClockInfo"}, t.maxClock);
        load(library, {"nvmlDeviceGetTemperature"}, t.temperature);
        load(library, {"nvmlDeviceGetPowerUsage"}, t.power);
        load(library, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"},
             t.throttle);
        load(library, {"nvmlDeviceGetMemoryBusWidth"}, t.busWidth);
        load(library, {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"},
             t.processes);
        load(library, {"nvmlSystemGetDriverVersion"}, t.driver);
        t.ready = t.init() == 0;
        return t;
    }();
    return result;
}

double clockOf(Device device, int kind)
{
    unsigned int mhz = 0;
    return device && table().clock(device, kind, &mhz) == 0 ? mhz : 0;
}

double maxClockOf(Device device, int kind)
{
    unsigned int mhz = 0;
    return device && table().maxClock && table().maxClock(device, kind, &mhz) == 0 ? mhz : 0;
}

} // namespace

Result<Nvml> Nvml::open(const std::string& pciBusId)
{
    if (!table().ready)
        return makeError(ErrorCode::NotFound,
                         "NVIDIA's management library (libnvidia-ml.so.1) cannot be used here.",
                         "Clocks, power and throttling are then not recorded with measurements.");
    Nvml nvml;
    if (table().byBusId(pciBusId.c_str(), &nvml.m_device) != 0)
        return makeError(ErrorCode::NotFound, "NVML does not know the GPU at " + pciBusId + ".");
    return nvml;
}

double Nvml::smClockMhz() const
{
    return clockOf(m_device, kClockSm);
}
double Nvml::maxSmClockMhz() const
{
    return maxClockOf(m_device, kClockSm);
}
double Nvml::maxMemoryClockMhz() const
{
    return maxClockOf(m_device, kClockMemory);
}

std::uint64_t Nvml::throttleReasons() const
{
    unsigned long long reasons = 0;
    if (!m_device || !table().throttle || table().throttle(m_device, &reasons) != 0)
        return 0;
    return reasons;
}

NvmlReading Nvml::read() const
{
    NvmlReading reading;
    if (!m_device)
        return reading;
    reading.smClockMhz = smClockMhz();
    reading.memoryClockMhz = clockOf(m_device, kClockMemory);
    unsigned int value = 0;
    if (table().temperature && table().temperature(m_device, kTemperatureGpu, &value) == 0)
        reading.temperatureC = value;
    if (table().power && table().power(m_device, &value) == 0)
        reading.powerW = value / 1000.0;
    reading.throttleReasons = throttleReasons();
    return reading;
}

int Nvml::busWidthBits() const
{
    unsigned int bits = 0;
    return m_device && table().busWidth && table().busWidth(m_device, &bits) == 0 ? static_cast<int>(bits)
                                                                                  : 0;
}

int Nvml::computeProcesses() const
{
    std::array<ProcessEntry, 64> entries;
    unsigned int count = static_cast<unsigned int>(entries.size());
    if (!m_device || !table().processes)
        return -1;
    const int status = table().processes(m_device, &count, entries.data());
    return status == 0 || status == kInsufficientSize ? static_cast<int>(count) : -1;
}

std::string Nvml::driverVersion() const
{
    std::array<char, 96> text{};
    return table().driver && table().driver(text.data(), static_cast<unsigned int>(text.size())) == 0
               ? std::string(text.data())
               : std::string();
}

} // namespace foresight
