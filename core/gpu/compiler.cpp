// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/compiler.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/subprocess.h"
#include "core/gpu/compile_cache.h"
#include "core/gpu/compile_wire.h"
#include "core/gpu/cubin.h"
#include "core/gpu/ptxas_log.h"
#include "core/gpu/worker_client.h"

#include <algorithm>
#include <charconv>

namespace foresight {

namespace {

constexpr std::size_t kMaxLogInError = std::size_t{64} << 10;
constexpr std::size_t kMaxAnswerBytes = std::size_t{256} << 20;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsAddressSpace = false; // a sanitizer's shadow memory takes terabytes of it
#else
constexpr bool kLimitsAddressSpace = true;
#endif

bool hasOption(const std::vector<std::string>& options, std::string_view longName, std::string_view shortName)
{
    return std::any_of(options.begin(), options.end(), [&](const std::string& option) {
        return option.starts_with(longName) || option.starts_with(shortName);
    });
}

std::vector<std::string> allOptions(const CompileRequest& request, const CudaToolkit& toolkit)
{
    std::vector<std::string> options = request.options;
    options.push_back("--gpu-architecture=" + request.arch);
    options.push_back("--ptxas-options=-v"); // puts spills into the log; the CUBIN does not hold them
    if (!hasOption(options, "--std", "-std"))
        options.push_back("--std=c++17");
    for (const std::string& path : request.includePaths)
        options.push_back("--include-path=" + path);
    for (const std::string& path : toolkit.includePaths)
        options.push_back("--include-path=" + path);
    return options;
}

// Include paths are left out: the toolkit's version stands for its headers, and a cache survives moving them.
// The caller's own include paths are part of the key.
std::string cacheKey(const CompileRequest& request, const CudaToolkit& toolkit)
{
    Sha256 hash;
    const auto add = [&](std::string_view text) {
        hash.updateU64(text.size());
        hash.update(text);
    };
    add("foresight compile 1");
    add(toolkit.version());
    add(request.arch);
    add(request.name);
    hash.updateU64(request.options.size());
    for (const std::string& option : request.options)
        add(option);
    hash.updateU64(request.includePaths.size());
    for (const std::string& path : request.includePaths)
        add(path);
    add(request.source);
    return hash.finishHex();
}

Result<void> checkArch(const std::string& arch, const CudaToolkit& toolkit)
{
    int number = 0;
    const char* begin = arch.data() + std::min<std::size_t>(3, arch.size());
    const auto parsed = std::from_chars(begin, arch.data() + arch.size(), number);
    if (!arch.starts_with("sm_") || parsed.ec != std::errc{})
        return makeError(ErrorCode::InvalidArgument, "\"" + arch + "\" is not a GPU architecture.",
                         "Write it like sm_90.");
    if (toolkit.archs.empty() ||
        std::find(toolkit.archs.begin(), toolkit.archs.end(), number) != toolkit.archs.end())
        return {};
    std::string known;
    for (const int each : toolkit.archs)
        known += (known.empty() ? "sm_" : ", sm_") + std::to_string(each);
    return makeError(ErrorCode::Unsupported,
                     "The CUDA " + toolkit.version() + " toolkit (" + toolkit.nvrtc +
                         ") cannot compile for " + arch + "; it knows " + known + ".",
                     number > toolkit.archs.back()
                         ? "Install a newer CUDA toolkit; the driver is not the problem."
                         : "Install an older CUDA toolkit that still supports this GPU.");
}

// The line of the first byte that is not UTF-8; 0 when all is. NVRTC takes some such bytes for the end of the
// file and then compiles nothing, without a word.
std::size_t lineOfBadUtf8(std::string_view text)
{
    std::size_t line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        line += lead == '\n' ? 1 : 0;
        const std::size_t length = lead < 0x80                   ? 1
                                   : lead >= 0xc2 && lead < 0xe0 ? 2
                                   : lead >= 0xe0 && lead < 0xf0 ? 3
                                   : lead >= 0xf0 && lead < 0xf5 ? 4
                                                                 : 0;
        if (length == 0 || text.size() - at < length)
            return line;
        for (std::size_t i = 1; i < length; ++i)
            if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80)
                return line;
        at += length;
    }
    return 0;
}

Error withLog(ErrorCode code, std::string message, std::string hint, std::string_view log)
{
    if (!log.empty()) {
        message += '\n';
        message += log.substr(0, kMaxLogInError);
    }
    return makeError(code, std::move(message), std::move(hint));
}

Error memoryError(const CompileRequest& request, const std::string& detail, std::string_view log)
{
    return withLog(ErrorCode::ResourceLimit,
                   "The compiler needed more than its limit of " +
                       std::to_string(request.memoryLimitBytes >> 20) + " MiB (" + detail + ").",
                   "The source makes the compiler unroll or instantiate too much.", log);
}

Error rejectedError(const CompileRequest& request, const CompileAnswer& answer, const CudaToolkit& toolkit)
{
    const std::string line = firstErrorLine(answer.log);
    if (line.find("out of memory") != std::string::npos ||
        answer.message.find("OUT_OF_MEMORY") != std::string::npos)
        return memoryError(request, line.empty() ? answer.message : line, answer.log);
    std::string hint;
    if (answer.log.find("cannot open source file") != std::string::npos ||
        answer.log.find("could not open source file") != std::string::npos) {
        hint =
            toolkit.includePaths.empty()
                ? "No folder with the CUDA toolkit's headers (cuda_fp16.h) was found beside " +
                      toolkit.nvrtc +
                      ". The headers are part of the toolkit, not of the driver: install it or set CUDA_HOME."
                : "Only headers that NVRTC can read are available (no host or standard library headers). "
                  "Looked in " +
                      toolkit.includePaths.front() + ".";
    }
    return withLog(ErrorCode::CompileFailed,
                   "The kernel does not compile: " + (line.empty() ? answer.message : line), hint,
                   answer.log);
}

Result<CompileAnswer> runChild(const CompileRequest& request, const CompilerOptions& options,
                               const CudaToolkit& toolkit, std::stop_token stop)
{
    CompileJob job;
    job.library = toolkit.nvrtc;
    job.name = request.name;
    job.source = request.source;
    job.options = allOptions(request, toolkit);

    const std::string worker =
        options.toolkit.workerPath.empty() ? defaultWorkerPath() : options.toolkit.workerPath;
    ProcessOptions process;
    process.argv = {worker, "--compile"};
    process.environment = workerEnvironment();
    process.memoryLimitBytes = kLimitsAddressSpace ? request.memoryLimitBytes : 0;
    // Ends a child that outlives its parent.
    process.cpuLimitSeconds = static_cast<std::uint64_t>(request.timeout.count() / 1000 + 10);
    process.maxOutputBytes = kMaxAnswerBytes;
    auto output = runProcess(process, encodeCompileJob(job), request.timeout, stop);
    if (!output) {
        if (output.error().code == ErrorCode::Timeout)
            return makeError(
                ErrorCode::Timeout,
                "The compiler did not finish within " + std::to_string(request.timeout.count() / 1000) +
                    " s and was stopped.",
                "The source makes the compiler loop or unrolls too much; raise the limit if it is honest.");
        return output.error();
    }
    auto answer = decodeCompileAnswer(output->out);
    if (answer)
        return answer;
    // Out of memory inside the compiler shows as an abort, a segmentation fault or its own message.
    const bool memory =
        request.memoryLimitBytes != 0 && (output->err.find("bad_alloc") != std::string::npos ||
                                          output->err.find("out of memory") != std::string::npos ||
                                          output->peakRssBytes > request.memoryLimitBytes / 2);
    if (memory)
        return memoryError(request, output->exit.describe(), output->err);
    return withLog(ErrorCode::CompileFailed, "The compiler crashed (" + output->exit.describe() + ").",
                   "The source is recorded as not compiling; if it should, please report it.", output->err);
}

} // namespace

std::string compileLogOf(const Error& error)
{
    const std::size_t end = error.message.find('\n');
    return end == std::string::npos ? std::string() : error.message.substr(end + 1);
}

bool isSourceFault(const Error& error)
{
    return error.code == ErrorCode::CompileFailed || error.code == ErrorCode::Timeout ||
           error.code == ErrorCode::ResourceLimit;
}

Result<std::vector<KernelResources>> kernelResources(std::string_view cubin, std::string_view log)
{
    FS_TRY(info, parseCubin(cubin));
    const std::vector<PtxasKernel> logged = parsePtxasLog(log);
    std::vector<KernelResources> all;
    for (const CubinKernel& kernel : info.kernels) {
        KernelResources resources;
        resources.kernel = kernel.name;
        resources.registers = kernel.registers;
        resources.staticShared = kernel.staticShared;
        resources.stackFrame = kernel.stackFrame;
        resources.codeBytes = kernel.codeBytes;
        resources.spillStores = resources.spillLoads = -1;
        const auto entry = std::find_if(logged.begin(), logged.end(),
                                        [&](const PtxasKernel& each) { return each.name == kernel.name; });
        if (entry != logged.end()) {
            if (entry->hasSpillLine) {
                resources.spillStores = entry->spillStores;
                resources.spillLoads = entry->spillLoads;
            }
            if (resources.registers == 0)
                resources.registers = entry->registers;
        }
        all.push_back(std::move(resources));
    }
    return all;
}

Result<CompiledKernel> compileKernel(const CompileRequest& request, const CompilerOptions& options,
                                     std::stop_token stop)
{
    if (request.source.empty())
        return makeError(ErrorCode::CompileFailed, "The kernel does not compile: the source is empty.");
    if (const std::size_t line = lineOfBadUtf8(request.source); line != 0)
        return makeError(ErrorCode::CompileFailed, "The kernel does not compile: line " +
                                                       std::to_string(line) + " is not valid UTF-8.");
    FS_TRY(toolkit, findCudaToolkit(options.toolkit));
    FS_CHECK(checkArch(request.arch, toolkit));

    CompileCache cache(options.cacheFolder);
    const std::string key = cacheKey(request, toolkit);
    if (auto cached = cache.find(key)) {
        if (auto resources = kernelResources(cached->cubin, cached->log)) {
            CompiledKernel kernel;
            kernel.hash = sha256Hex(cached->cubin);
            kernel.cubin = std::move(cached->cubin);
            kernel.log = std::move(cached->log);
            kernel.resources = std::move(*resources);
            kernel.seconds = cached->seconds;
            kernel.fromCache = true;
            return kernel;
        }
    }
    if (stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "Compiling was cancelled.");

    FS_TRY(answer, runChild(request, options, toolkit, stop));
    switch (answer.status) {
    case CompileAnswer::Status::Ok:
        break;
    case CompileAnswer::Status::SourceRejected:
        return rejectedError(request, answer, toolkit);
    case CompileAnswer::Status::LibraryMissing:
        return makeError(
            ErrorCode::NotFound, "The CUDA toolkit's run-time compiler cannot be loaded: " + answer.message,
            "It is part of the CUDA toolkit, not of the driver; set CUDA_HOME to a complete toolkit.");
    case CompileAnswer::Status::LibraryFailed:
        return makeError(ErrorCode::Unsupported, "The CUDA run-time compiler failed: " + answer.message,
                         "Check that " + toolkit.nvrtc +
                             " is complete (libnvrtc-builtins must lie beside it).");
    }
    FS_TRY(resources, kernelResources(answer.cubin, answer.log));
    if (resources.empty())
        return withLog(ErrorCode::CompileFailed, "The source holds no kernel.",
                       "Entry points are `extern \"C\" __global__` functions.", answer.log);
    CompiledKernel kernel;
    kernel.hash = sha256Hex(answer.cubin);
    kernel.resources = std::move(resources);
    kernel.seconds = answer.seconds;
    cache.store(key, {answer.cubin, answer.log, answer.seconds});
    kernel.cubin = std::move(answer.cubin);
    kernel.log = std::move(answer.log);
    return kernel;
}

} // namespace foresight
