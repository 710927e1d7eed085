// SPDX-License-Identifier: Apache-2.0
// A real GPU on this machine through one foresight-worker process: compiles in killable children (several at
// once), verifies and times one candidate at a time in the order submitted, kills and restarts the worker on
// deadline and on sticky errors, retries innocents alone, and holds the device's lock file while it lives.
// All functions may be called from any thread; replies reach the sink on a thread of this object. Destruction
// answers what is left (Cancelled) and waits.
#pragma once

#include "core/gpu/gpu.h"
#include "core/kernels/family.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

class EvaluationSetup;

struct LocalGpuOptions
{
    int device = 0;
    std::string workerPath; // empty: beside this program
    int compileSlots = 0;   // 0: cores - 1, bounded by memory
    std::chrono::milliseconds compileTimeout{60'000}, requestTimeout{20'000};
    std::string cacheFolder;  // empty: the user's cache
    KernelPlan anchorPlan;    // what every candidate is timed against; empty: the default of `family`
    Problem problem;          // the operator of this search
    KernelPlan referencePlan; // fp64 reference

    std::shared_ptr<const Family> family; // for verification on reduced problems too; may be absent
    std::string cudaHome;                 // empty: searched for
    std::string python;                   // interpreter with PyTorch, for baselines; empty: "python3"
    std::string lockFolder;               // empty: the user's runtime folder
    std::string purpose = "search";       // shown to whoever finds the GPU taken
    std::uint64_t seed = 1;               // of verification and timing data
    int dataSets = 8;                     // pairs of inputs and reference kept at full size
    int canaryAfter = 5;                  // failures in a row that make the GPU itself suspect
};

// The options for one problem of a family: anchor = its default configuration on `spec`.
Result<LocalGpuOptions> localGpuOptions(std::shared_ptr<const Family> family, const Problem& problem,
                                        const GpuSpec& spec);

// One finalist measured again (04, "Confirmation").
struct Confirmation
{
    Outcome outcome = Outcome::Internal; // Ok only when every process agreed
    std::string message;
    double lnRatio = 0, lnLow = 0, lnHigh = 0; // anchor / candidate: mean, [min low, max high]
    std::vector<GpuReply> runs;                // one per process
};
struct ConfirmOptions
{
    int processes = 2;
    int quads = 48;
    std::chrono::milliseconds spacing{60'000}; // between two processes of one finalist, at least
    std::uint64_t seed = 1;
    std::function<void(const std::string&)> progress; // "confirming 2 of 3, process 1"; may be empty
};

class LocalGpu : public Gpu
{
public:
    // Busy (naming the holder) when another process uses the device for timing; NotFound without a driver or
    // GPU; compile errors of the anchor or the reference.
    static Result<std::unique_ptr<LocalGpu>> make(LocalGpuOptions options, std::stop_token stop = {});
    ~LocalGpu() override;

    void setSink(Sink sink) override;
    JobId submit(GpuRequest request) override;
    void cancel(JobId job) override;
    const GpuInfo& info() const override;
    double nowSeconds() const override;

    // The GPU for somebody else (the PyTorch host mode, a confirmation) while this lives: the running
    // measurement has ended, the worker is gone and its memory free; compiling goes on. The lock file stays
    // ours and names `purpose`.
    class Loan
    {
    public:
        ~Loan();
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;

    private:
        friend class LocalGpu;
        explicit Loan(LocalGpu& gpu) : m_gpu(gpu) {}
        LocalGpu& m_gpu;
    };
    // Blocks until the running measurement is over; Cancelled when `stop` comes first; Busy when already
    // lent.
    Result<std::unique_ptr<Loan>> lend(const std::string& purpose, std::stop_token stop = {});

    // Measures each finalist in fresh processes with new data, in random order, spaced in time. Blocks;
    // search-phase numbers are never pooled into the result. One entry per finalist, in their order.
    Result<std::vector<Confirmation>> confirm(const std::vector<GpuRequest>& finalists,
                                              const ConfirmOptions& options, std::stop_token stop = {});

    const LocalGpuOptions& options() const;
    EvaluationSetup& setup() const;

private:
    LocalGpu();
    struct Impl;
    std::unique_ptr<Impl> m;
};

Result<std::unique_ptr<Gpu>> makeLocalGpu(LocalGpuOptions options);

// Spec of a device read by a worker process (the caller never creates a CUDA context). NotFound says what is
// missing.
Result<GpuSpec> probeLocalGpu(int device, const std::string& workerPath = {});

} // namespace foresight
