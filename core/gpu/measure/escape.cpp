// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/sampler.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace foresight::measure {

namespace {

struct Window
{
    double eventNs = 0, wallNs = 0;
};

// The device as a whole is waited for at the end: other streams and device-side launches included. Our own
// stream has ended by then, so this blocks only on work that escaped; the parent's deadline covers work that
// never ends.
Result<Window> runWindow(Device& device, const TimedWork& work, int launches, CUevent begin, CUevent end,
                         double deadlineSeconds)
{
    using Clock = std::chrono::steady_clock;
    const CudaDriver& cu = device.cu();
    FS_CHECK(device.wait(deadlineSeconds));
    const auto start = Clock::now();
    FS_CHECK(device.check(cu.cuEventRecord(begin, device.stream()), "recording an event"));
    for (int i = 0; i < launches; ++i)
        FS_CHECK(work.enqueue(device.stream()));
    FS_CHECK(device.check(cu.cuEventRecord(end, device.stream()), "recording an event"));
    FS_CHECK(device.waitFor(end, deadlineSeconds));
    FS_CHECK(device.check(cu.cuCtxSynchronize(), "waiting for the whole device"));
    const auto stop = Clock::now();
    float milliseconds = 0;
    FS_CHECK(device.check(cu.cuEventElapsedTime(&milliseconds, begin, end), "reading a time"));
    return Window{static_cast<double>(milliseconds) * 1e6,
                  std::chrono::duration<double, std::nano>(stop - start).count()};
}

} // namespace

Result<EscapeCheck> checkEscaped(Device& device, Support& support, const TimedWork& work, double workNs,
                                 double deadlineSeconds)
{
    constexpr double kWindowNs = 2e6, kExcessNs = 50e3, kExcessShare = 0.1;
    constexpr int kTries = 8;
    EscapeCheck check;
    check.launches =
        static_cast<int>(std::clamp(std::ceil(kWindowNs / std::max(workNs, 1000.0)), 1.0, 2000.0));
    const TimedWork empty{[&support](CUstream stream) { return support.empty(stream); }, nullptr};
    CUevent begin = nullptr, end = nullptr;
    const CudaDriver& cu = device.cu();
    FS_CHECK(device.check(cu.cuEventCreate(&begin, CU_EVENT_DEFAULT), "making an event"));
    FS_CHECK(device.check(cu.cuEventCreate(&end, CU_EVENT_DEFAULT), "making an event"));
    Result<void> status;
    // A busy host delays some tries, real escaped work delays all. Pauses that grow, so that one other
    // process's time slice cannot cover several tries (with 16 compilers on 16 cores, 2 of 544 honest kernels
    // failed three in a row).
    for (int attempt = 0; attempt < kTries && status; ++attempt) {
        if (attempt >= 2)
            std::this_thread::sleep_for(std::chrono::milliseconds(attempt));
        const Result<Window> own = runWindow(device, work, check.launches, begin, end, deadlineSeconds);
        const Result<Window> idle =
            own ? runWindow(device, empty, check.launches, begin, end, deadlineSeconds)
                : Result<Window>(Window{});
        if (!own || !idle) {
            status = own ? idle.error() : own.error();
            break;
        }
        const double excess = (own->wallNs - own->eventNs) - (idle->wallNs - idle->eventNs);
        if (attempt == 0 || excess < check.excessNs) {
            check.eventNs = own->eventNs;
            check.wallNs = own->wallNs;
            check.excessNs = excess;
        }
        if (!(check.excessNs > kExcessNs && check.excessNs > kExcessShare * check.eventNs))
            break;
    }
    if (!device.lost()) {
        cu.cuEventDestroy(begin);
        cu.cuEventDestroy(end);
    }
    FS_CHECK(status);
    check.escaped = check.excessNs > kExcessNs && check.excessNs > kExcessShare * check.eventNs;
    return check;
}

} // namespace foresight::measure
