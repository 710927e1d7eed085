// SPDX-License-Identifier: Apache-2.0
// CUDA C++ to CUBIN with NVRTC, without a GPU. Each compilation runs in its own child process with a deadline
// and a memory limit, so code that never ends to compile cannot hold up a search. `compileKernel` blocks and
// is safe to call from many threads; CompileService runs several at once. Errors: CompileFailed, Timeout,
// ResourceLimit (the source is to blame; the full log follows the first line of the message, see
// compileLogOf), NotFound and Unsupported (the toolkit is), Cancelled.
#pragma once

#include "core/base/result.h"
#include "core/gpu/toolkit.h"
#include "core/kernels/gpu_spec.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

struct CompileRequest
{
    std::string source;
    std::string name = "kernel.cu";   // as it appears in messages
    std::vector<std::string> options; // "-DVEC=8", "--use_fast_math"; the rest is added here
    std::string arch = "sm_90";
    std::vector<std::string> includePaths; // before the toolkit's own
    std::chrono::milliseconds timeout{60'000};
    std::uint64_t memoryLimitBytes = std::uint64_t{4} << 30; // address space of the child; 0: none
};

struct CompiledKernel
{
    std::string cubin;
    std::string log;
    std::vector<KernelResources> resources; // one per extern "C" entry point; block size and occupancy unset
    std::string hash;                       // sha256 of the CUBIN
    double seconds = 0;                     // of compiling, also when it came from the cache
    bool fromCache = false;
};

struct CompilerOptions
{
    ToolkitSearch toolkit;
    std::string cacheFolder; // empty: no cache
};

Result<CompiledKernel> compileKernel(const CompileRequest& request, const CompilerOptions& options,
                                     std::stop_token stop = {});

// The log inside an error of compileKernel; empty when there is none.
std::string compileLogOf(const Error& error);
// True when the source (not the toolkit, the machine or the user's wish) is the cause.
bool isSourceFault(const Error& error);

// Resources of every entry point in a CUBIN, with spill bytes from the log (-1 where the log does not tell).
Result<std::vector<KernelResources>> kernelResources(std::string_view cubin, std::string_view log);

// Runs compilations on its own threads, first come first served. `done` is called on one of them, exactly
// once per job. Destruction cancels what is left (their `done` gets Cancelled) and waits.
class CompileService
{
public:
    using Done = std::function<void(Result<CompiledKernel>)>;
    // threads 0: cores - 1, at least 1, and no more than the free memory feeds.
    explicit CompileService(CompilerOptions options, int threads = 0);
    ~CompileService();
    CompileService(const CompileService&) = delete;
    CompileService& operator=(const CompileService&) = delete;

    std::uint64_t submit(CompileRequest request, Done done);
    void cancel(std::uint64_t job);
    int threadCount() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace foresight
