// SPDX-License-Identifier: Apache-2.0
// The compile child: NVRTC runs here and nowhere else, so that endless compilations can be killed and the
// memory they take ends with the process. The parent sets limits and the deadline.
#include "core/gpu/compile_wire.h"

#include <chrono>
#include <cstdio>
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

namespace foresight {

namespace {

constexpr std::size_t kMaxJobBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxLogBytes = std::size_t{1} << 20;

// NVRTC's C interface, declared here so that no NVIDIA header is needed to build (names and meanings from the
// NVRTC user guide, section "API reference").
using Program = void*;
constexpr int kNvrtcSuccess = 0;
constexpr int kNvrtcOutOfMemory = 1;
constexpr int kNvrtcInvalidOption = 5;
constexpr int kNvrtcCompilation = 6;

struct Nvrtc
{
    int (*version)(int*, int*) = nullptr;
    int (*archCount)(int*) = nullptr;
    int (*archs)(int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*logSize)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*cubinSize)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    const char* (*errorText)(int) = nullptr;
};

template <typename Function> bool resolve(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

bool resolveAll(void* library, Nvrtc& api)
{
    return resolve(library, "nvrtcVersion", api.version) &&
           resolve(library, "nvrtcGetNumSupportedArchs", api.archCount) &&
           resolve(library, "nvrtcGetSupportedArchs", api.archs) &&
           resolve(library, "nvrtcCreateProgram", api.create) &&
           resolve(library, "nvrtcDestroyProgram", api.destroy) &&
           resolve(library, "nvrtcCompileProgram", api.compile) &&
           resolve(library, "nvrtcGetProgramLogSize", api.logSize) &&
           resolve(library, "nvrtcGetProgramLog", api.log) &&
           resolve(library, "nvrtcGetCUBINSize", api.cubinSize) &&
           resolve(library, "nvrtcGetCUBIN", api.cubin) &&
           resolve(library, "nvrtcGetErrorString", api.errorText);
}

std::string readAll(int fd)
{
    std::string data;
    char buffer[1 << 16];
    while (data.size() <= kMaxJobBytes) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got <= 0)
            break;
        data.append(buffer, static_cast<std::size_t>(got));
    }
    return data;
}

bool writeAll(int fd, std::string_view data)
{
    while (!data.empty()) {
        const ssize_t put = ::write(fd, data.data(), data.size());
        if (put <= 0)
            return false;
        data.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
}

void compileProgram(const Nvrtc& api, const CompileJob& job, CompileAnswer& answer)
{
    using Status = CompileAnswer::Status;
    if (job.source.find('\0') != std::string::npos) {
        answer.status = Status::SourceRejected;
        answer.message = "the source contains a NUL byte";
        return;
    }
    Program program = nullptr;
    if (const int error = api.create(&program, job.source.c_str(), job.name.c_str(), 0, nullptr, nullptr);
        error != kNvrtcSuccess) {
        answer.message = std::string("nvrtcCreateProgram: ") + api.errorText(error);
        return;
    }
    std::vector<const char*> options;
    for (const std::string& option : job.options)
        options.push_back(option.c_str());
    const auto start = std::chrono::steady_clock::now();
    const int error = api.compile(program, static_cast<int>(options.size()), options.data());
    answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    std::size_t size = 0;
    if (api.logSize(program, &size) == kNvrtcSuccess && size > 1) {
        answer.log.resize(size);
        if (api.log(program, answer.log.data()) != kNvrtcSuccess)
            answer.log.clear();
        while (!answer.log.empty() && answer.log.back() == '\0')
            answer.log.pop_back();
        if (answer.log.size() > kMaxLogBytes) {
            answer.log.resize(kMaxLogBytes);
            answer.log += "\n[the rest of the log was dropped]\n";
        }
    }
    if (error == kNvrtcCompilation || error == kNvrtcInvalidOption || error == kNvrtcOutOfMemory) {
        answer.status = Status::SourceRejected;
        answer.message = api.errorText(error);
    } else if (error != kNvrtcSuccess) {
        answer.message = std::string("nvrtcCompileProgram: ") + api.errorText(error);
    } else if (api.cubinSize(program, &size) != kNvrtcSuccess || size == 0) {
        answer.message = "NVRTC returned no CUBIN; is the architecture a real one (sm_90, not compute_90)?";
    } else {
        answer.cubin.resize(size);
        if (api.cubin(program, answer.cubin.data()) == kNvrtcSuccess)
            answer.status = Status::Ok;
        else
            answer.message = "nvrtcGetCUBIN failed";
    }
    api.destroy(&program);
}

CompileAnswer answerJob(const CompileJob& job)
{
    using Status = CompileAnswer::Status;
    CompileAnswer answer;
    void* library = dlopen(job.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        answer.status = Status::LibraryMissing;
        const char* why = dlerror();
        answer.message = why != nullptr ? why : "dlopen failed";
        return answer;
    }
    Nvrtc api;
    int archCount = 0;
    if (!resolveAll(library, api)) {
        answer.message = job.library + " lacks functions of NVRTC 11.2 or newer";
        return answer;
    }
    if (api.version(&answer.versionMajor, &answer.versionMinor) != kNvrtcSuccess ||
        api.archCount(&archCount) != kNvrtcSuccess || archCount <= 0) {
        answer.message = job.library + " does not tell its version";
        return answer;
    }
    answer.archs.resize(static_cast<std::size_t>(archCount));
    if (api.archs(answer.archs.data()) != kNvrtcSuccess)
        answer.archs.clear();
    if (job.source.empty())
        answer.status = Status::Ok;
    else
        compileProgram(api, job, answer);
    return answer;
}

} // namespace

int compileMain(int, char**)
{
    // The answer has its own descriptor: whatever the compiler prints goes to stderr.
    const int out = ::dup(STDOUT_FILENO);
    if (out < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 1;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Compiling ahead must not take the processor from the process that is timing.
    ::setpriority(PRIO_PROCESS, 0, 10);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);

    const auto job = decodeCompileJob(readAll(STDIN_FILENO));
    if (!job) {
        std::fprintf(stderr, "%s\n", job.error().message.c_str());
        return 1;
    }
    const bool written = writeAll(out, encodeCompileAnswer(answerJob(*job)));
    // The answer is out; unloading the compiler would only cost time.
    std::fflush(nullptr);
    ::_exit(written ? 0 : 1);
}

} // namespace foresight
