// SPDX-License-Identifier: Apache-2.0
// The one interface to "something that can compile, verify and time candidates": LocalGpu (a worker process on a real
// GPU) and RecordedGpu (answers from a recorded space on a virtual clock). Asynchronous; see AsyncService.
#pragma once

#include "core/base/async_service.h"
#include "core/base/result.h"
#include "core/kernels/gpu_spec.h"
#include "core/kernels/plan.h"
#include "core/kernels/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foresight {

// How a candidate ended. Everything but Ok is a failure of the candidate except the last four.
enum class Outcome {
    Ok,
    BuildFailed,      // the compiler refused it, or ran out of its time or memory
    LaunchRejected,   // exceeds device limits or its own `requires`
    WrongResult,      // a value outside tolerance, or NaN/Inf at the wrong place
    NotWritten,       // an output element kept its NaN fill pattern
    Replayed,         // right at first, wrong on other data at the same pointers
    Nondeterministic, // two runs differ beyond rounding
    OutOfBounds,      // wrote into the red zones around a buffer
    InputModified,
    Escaped,          // work outlives the timed window
    Suspect,          // faster than the hardware allows
    Timeout,
    Crashed,          // illegal address, misaligned access, launch failure
    OutOfMemory,
    Unknown,    // not in the recorded space
    GpuUnwell,  // the canary fails too
    Cancelled,
    Internal,
};
std::string_view outcomeName(Outcome outcome); // "ok", "build_failed", ...
Outcome outcomeFromName(std::string_view name);

enum class Stage { Compile, Verify, Measure };
std::string_view stageName(Stage stage);

enum class Regime { Cold, Hot };

// 12, 24 and 48 quads are the looks (see 04, "Timing").
struct TimingOptions {
    int maxQuads = 12;
    Regime regime = Regime::Cold;
    bool bothRegimes = false; // finalists: the other regime as a point ratio
};

struct GpuRequest {
    Problem problem;
    KernelPlan plan;
    Symbols configuration; // when it came from a family or a recorded space; else empty
    std::optional<std::uint32_t> spaceIndex;
    Stage until = Stage::Measure;
    TimingOptions timing;
    std::uint64_t seed = 0; // of verification and timing data
};

// Quads against the anchor: q = (ln a1 + ln a2 - ln c1 - ln c2) / 2.
struct Timing {
    double candidateNs = 0, anchorNs = 0;      // medians
    double lnRatio = 0, lnLow = 0, lnHigh = 0; // median q and the interval at the look taken
    int look = 0;                              // 12, 24 or 48; 0: no interval (recorded sample without quads)
    bool truncated = false;                    // stopped for futility
    bool nearLimit = false;                    // between the hard and the target floor
    Regime regime = Regime::Cold;
    std::optional<double> otherRegimeLnRatio;
    std::vector<double> candidateSamplesNs, anchorSamplesNs; // all, in the order taken
    double smClockMhz = 0, memoryClockMhz = 0, temperatureC = 0, powerW = 0;
    std::uint64_t throttleReasons = 0;
    bool sharedGpu = false;
    double energyJ = 0;
};

struct VerificationReport {
    bool passed = false;
    std::string failedCheck;  // "values", "written", "red zones", "inputs", "replay", "determinism"
    std::string failedInput;  // "normal", "zeros", "large", ...
    std::string tensor;
    double maxAbsError = 0, maxRelError = 0, tolerance = 0; // tolerance at the worst element
    std::vector<std::int64_t> firstBadIndex;
    double firstBadValue = 0, firstBadExpected = 0;
    std::int64_t badElements = 0, elements = 0;
    std::vector<std::int64_t> ulpHistogram; // 0, 1, 2, 3-4, 5-8, ... > 2^15
    std::vector<std::string> inputsTried;
};

struct GpuCosts { // not part of the canonical log
    double compileSeconds = 0, verifySeconds = 0, measureSeconds = 0;
    double gpuSeconds() const { return verifySeconds + measureSeconds; }
    double total() const { return compileSeconds + verifySeconds + measureSeconds; }
};

struct GpuReply {
    Outcome outcome = Outcome::Internal;
    Stage stage = Stage::Compile; // the last stage reached
    std::string message, hint;
    std::string compileLog;
    std::vector<KernelResources> resources;
    std::string cubinHash;
    std::optional<VerificationReport> verification;
    std::optional<Timing> timing;
    GpuCosts costs;
    // S = baseline / candidate is anchor / candidate here; the baseline is folded in by the search.
    double timeNs() const { return timing ? timing->candidateNs : 0; }
};

struct GpuInfo {
    GpuSpec spec;
    bool recorded = false;
    std::string description; // "NVIDIA H200 (recorded 2026-11-29)" / "NVIDIA H200, driver 580"
    int maxCompiles = 1;     // useful number of requests in flight
};

class Gpu : public AsyncService<GpuRequest, GpuReply> {
public:
    virtual const GpuInfo& info() const = 0;
    // Seconds since construction: wall clock for a live GPU, the virtual clock for a recorded one.
    virtual double nowSeconds() const = 0;
};

} // namespace foresight
