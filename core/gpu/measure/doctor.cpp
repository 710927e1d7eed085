// SPDX-License-Identifier: Apache-2.0
// What this GPU does, measured: rates for floors, and the proofs that flush, clocks and escape check work
// here.
#include "core/gpu/measure/session.h"

#include "core/base/json.h"
#include "core/gpu/quad_stats.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace foresight::measure {

namespace {

constexpr double kCheckDeadlineSeconds = 10;

std::string format(const char* pattern, double a, double b = 0, double c = 0)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, a, b, c);
    return text;
}

Json check(const char* id, bool good, std::string detail, const char* fix)
{
    return Json{
        {"id", id}, {"state", good ? "ok" : "fail"}, {"detail", std::move(detail)}, {"fix", good ? "" : fix}};
}

struct Timer
{
    Device& device;
    CUevent begin = nullptr, end = nullptr;
    explicit Timer(Device& d) : device(d)
    {
        device.cu().cuEventCreate(&begin, CU_EVENT_DEFAULT);
        device.cu().cuEventCreate(&end, CU_EVENT_DEFAULT);
    }
    ~Timer()
    {
        if (device.lost())
            return;
        device.cu().cuEventDestroy(begin);
        device.cu().cuEventDestroy(end);
    }
    // Median of `count` after one discarded; `before` is outside the window.
    template <typename Before, typename Work> Result<double> medianNs(int count, Before before, Work work)
    {
        std::vector<double> samples;
        for (int i = 0; i <= count; ++i) {
            FS_CHECK(before());
            FS_CHECK(device.check(device.cu().cuEventRecord(begin, device.stream()), "recording an event"));
            FS_CHECK(work());
            FS_CHECK(device.check(device.cu().cuEventRecord(end, device.stream()), "recording an event"));
            FS_CHECK(device.waitFor(end, kCheckDeadlineSeconds));
            float milliseconds = 0;
            FS_CHECK(
                device.check(device.cu().cuEventElapsedTime(&milliseconds, begin, end), "reading a time"));
            if (i > 0)
                samples.push_back(static_cast<double>(milliseconds) * 1e6);
        }
        return medianOf(samples);
    }
};

} // namespace

Result<double> Session::copyBandwidth()
{
    // Large enough that caches do not matter; less on small cards.
    FS_TRY(free, m_device->freeBytes());
    const std::uint64_t bytes = std::min<std::uint64_t>(std::uint64_t{1} << 30, free / 4) & ~0xfffull;
    FS_TRY(source, DeviceMemory::allocate(*m_device, bytes));
    FS_TRY(target, DeviceMemory::allocate(*m_device, bytes));
    FS_CHECK(m_support->fill(source.address(), bytes / 4, DType::F32, TensorFill{}, 1, false));
    FS_CHECK(m_device->wait(kCheckDeadlineSeconds));
    Timer timer(*m_device);
    FS_TRY(ns,
           timer.medianNs(
               15, [] { return Result<void>(); },
               [&] {
                   return m_device->check(m_device->cu().cuMemcpyDtoDAsync(target.address(), source.address(),
                                                                           bytes, m_device->stream()),
                                          "copying memory");
               }));
    return 2.0 * static_cast<double>(bytes) / (ns * 1e-9);
}

Result<void> Session::measureRates()
{
    GpuSpec& spec = m_device->spec();
    if (spec.copyBandwidth > 0)
        return {};
    for (int i = 0; i < 200; ++i) // clocks up
        FS_CHECK(m_support->flush(m_device->stream()));
    FS_CHECK(m_device->wait(kCheckDeadlineSeconds));
    FS_TRY(emptyNs, emptyKernelNs(*m_device, *m_support, kCheckDeadlineSeconds));
    FS_TRY(bandwidth, copyBandwidth());
    spec.emptyKernelNs = emptyNs;
    spec.copyBandwidth = bandwidth;
    return {};
}

Result<Json> Session::spec()
{
    FS_CHECK(measureRates());
    Json clocks = Json::object();
    if (const Nvml* nvml = m_device->nvml()) {
        const NvmlReading reading = nvml->read();
        clocks = Json{{"smClockMhz", reading.smClockMhz},
                      {"memoryClockMhz", reading.memoryClockMhz},
                      {"maxSmClockMhz", nvml->maxSmClockMhz()},
                      {"maxMemoryClockMhz", nvml->maxMemoryClockMhz()},
                      {"busWidthBits", nvml->busWidthBits()},
                      {"temperatureC", reading.temperatureC},
                      {"powerW", reading.powerW},
                      {"throttleReasons", reading.throttleReasons},
                      {"computeProcesses", nvml->computeProcesses()}};
    }
    int driverApi = 0;
    m_device->cu().cuDriverGetVersion(&driverApi);
    return Json{{"spec", gpuSpecToJson(m_device->spec())},
                {"clocks", std::move(clocks)},
                {"nvml", m_device->nvml() != nullptr},
                {"uuid", m_device->uuid()},
                {"driverApi", driverApi},
                {"nvrtc", m_nvrtc}};
}

Result<Json> Session::doctor()
{
    FS_CHECK(measureRates());
    Device& device = *m_device;
    Support& support = *m_support;
    const GpuSpec& spec = device.spec();
    Json checks = Json::array();

    // The flush: a kernel reading 16 MB is as slow after it as at first touch, and four flushes change
    // nothing.
    constexpr std::uint64_t kProbeBytes = 16 << 20;
    FS_TRY(probe, DeviceMemory::allocate(device, kProbeBytes));
    FS_TRY(far, DeviceMemory::allocate(device, 4 * support.flushBytes()));
    FS_CHECK(support.fill(probe.address(), kProbeBytes / 4, DType::F32, TensorFill{}, 7, false));
    FS_CHECK(support.fill(far.address(), far.bytes() / 4, DType::F32, TensorFill{}, 8, false));
    FS_CHECK(device.wait(kCheckDeadlineSeconds));
    Timer timer(device);
    const auto readProbe = [&] { return support.readBytes(probe.address(), kProbeBytes, device.stream()); };
    const auto flushTimes = [&](int times) {
        return [&support, &device, times]() -> Result<void> {
            for (int i = 0; i < times; ++i)
                FS_CHECK(support.flush(device.stream()));
            return {};
        };
    };
    // "First touch": after reading 1 GB of other memory nothing of the probe can be left in any cache.
    FS_TRY(firstTouch, timer.medianNs(
                           25, [&] { return support.readBytes(far.address(), far.bytes(), device.stream()); },
                           readProbe));
    FS_TRY(once, timer.medianNs(25, flushTimes(1), readProbe));
    FS_TRY(fourTimes, timer.medianNs(25, flushTimes(4), readProbe));
    FS_TRY(hot, timer.medianNs(25, readProbe, readProbe));
    const bool flushGood =
        std::fabs(once / firstTouch - 1) <= 0.03 && std::fabs(fourTimes / once - 1) <= 0.03;
    checks.push_back(
        check("flush", flushGood,
              format("16 MB read: %.2f us at first touch, %.2f us after the flush, %.2f us after four",
                     firstTouch / 1000, once / 1000, fourTimes / 1000),
              "Cold times are not trustworthy here; report the GPU's name and this line."));

    const bool bandwidthGood = spec.peakBandwidth <= 0 || spec.copyBandwidth < 1.02 * spec.peakBandwidth;
    checks.push_back(check("copy-bandwidth", spec.copyBandwidth > 0 && bandwidthGood,
                           format("%.1f GB/s measured, %.1f GB/s by bus width and memory clock",
                                  spec.copyBandwidth / 1e9, spec.peakBandwidth / 1e9),
                           "The driver reports a wrong bus width or clock: floors are off."));
    checks.push_back(check("empty-kernel", spec.emptyKernelNs > 0 && spec.emptyKernelNs < 20'000,
                           format("%.2f us", spec.emptyKernelNs / 1000),
                           "Other work may be running on the GPU."));

    // The escape check must fail a planted side stream and pass an honest short kernel.
    CUstream side = nullptr;
    FS_CHECK(device.check(device.cu().cuStreamCreate(&side, CU_STREAM_NON_BLOCKING), "making a stream"));
    const TimedWork planted{[&](CUstream stream) -> Result<void> {
                                FS_CHECK(support.empty(stream));
                                return support.spin(100'000, side);
                            },
                            nullptr};
    const TimedWork honest{[&](CUstream stream) { return support.spin(2'000, stream); }, nullptr};
    FS_TRY(plantedCheck, checkEscaped(device, support, planted, 100'000, kCheckDeadlineSeconds));
    FS_TRY(honestCheck, checkEscaped(device, support, honest, 3'000, kCheckDeadlineSeconds));
    device.cu().cuStreamDestroy(side);
    checks.push_back(
        check("escaped-work", plantedCheck.escaped && !honestCheck.escaped,
              format("planted side stream: %.0f us beyond its window; honest 2 us kernel: %.0f us",
                     plantedCheck.excessNs / 1000, honestCheck.excessNs / 1000),
              "Work on other streams would not be noticed here, or honest kernels would be refused."));

    double nvmlUs = 0;
    if (const Nvml* nvml = device.nvml()) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 20; ++i)
            nvml->smClockMhz();
        nvmlUs =
            std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / 20;
        const NvmlReading reading = nvml->read();
        const bool good = reading.smClockMhz > 0 && (reading.throttleReasons & kBadThrottleReasons) == 0;
        checks.push_back(check("clocks", good,
                               format("SM %.0f MHz, memory %.0f MHz, %.0f C", reading.smClockMhz,
                                      reading.memoryClockMhz, reading.temperatureC),
                               "The GPU is throttling (heat or power) or hides its clocks."));
        const int processes = nvml->computeProcesses();
        checks.push_back(Json{{"id", "shared-gpu"},
                              {"state", processes > 1 ? "warn" : "ok"},
                              {"detail", std::to_string(processes) + " processes use the GPU"},
                              {"fix", processes > 1 ? "Close the others while measuring." : ""}});
    } else {
        checks.push_back(Json{{"id", "clocks"},
                              {"state", "warn"},
                              {"detail", "NVML is not available: clocks are not recorded"},
                              {"fix", "Install libnvidia-ml.so.1 (part of the driver)."}});
    }
    return Json{{"checks", std::move(checks)},
                {"figures",
                 {{"firstTouchNs", firstTouch},
                  {"afterFlushNs", once},
                  {"afterFourFlushesNs", fourTimes},
                  {"hotNs", hot},
                  {"flushBytes", support.flushBytes()},
                  {"copyBandwidth", spec.copyBandwidth},
                  {"peakBandwidth", spec.peakBandwidth},
                  {"emptyKernelNs", spec.emptyKernelNs},
                  {"escapePlantedNs", plantedCheck.excessNs},
                  {"escapeHonestNs", honestCheck.excessNs},
                  {"nvmlCallUs", nvmlUs}}}};
}

} // namespace foresight::measure
