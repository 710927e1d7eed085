// SPDX-License-Identifier: Apache-2.0
// NVRTC behind nvrtcCompile; its C interface is declared here, so that its header is not needed.
#include "core/gpu/cuda_api.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace foresight {

namespace {

using Program = void*;

struct Nvrtc
{
    int (*version)(int*, int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*logSize)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*cubinSize)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    const char* (*errorText)(int) = nullptr;
};

template <typename Function> bool load(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

std::vector<std::string> candidatePaths()
{
    std::vector<std::string> paths;
    if (const char* chosen = std::getenv("FORESIGHT_NVRTC"))
        paths.emplace_back(chosen);
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
        paths.emplace_back(name);
        for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
            if (const char* root = std::getenv(variable))
                paths.push_back(std::string(root) + "/lib64/" + name);
        paths.push_back(std::string("/usr/local/cuda/lib64/") + name);
        paths.push_back(std::string("/usr/local/cuda/targets/x86_64-linux/lib/") + name);
    }
    return paths;
}

Result<Nvrtc> openNvrtc()
{
    void* library = nullptr;
    for (const std::string& path : candidatePaths())
        if ((library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)))
            break;
    if (!library)
        return makeError(ErrorCode::NotFound,
                         "NVIDIA's run-time compiler (libnvrtc.so.13 or .12) was not found.",
                         "Install the CUDA toolkit, set CUDA_HOME to it, or FORESIGHT_NVRTC to the library.");
    Nvrtc api;
    if (!load(library, "nvrtcVersion", api.version) || !load(library, "nvrtcCreateProgram", api.create) ||
        !load(library, "nvrtcDestroyProgram", api.destroy) ||
        !load(library, "nvrtcCompileProgram", api.compile) ||
        !load(library, "nvrtcGetProgramLogSize", api.logSize) ||
        !load(library, "nvrtcGetProgramLog", api.log) || !load(library, "nvrtcGetCUBINSize", api.cubinSize) ||
        !load(library, "nvrtcGetCUBIN", api.cubin) || !load(library, "nvrtcGetErrorString", api.errorText))
        return makeError(ErrorCode::Unsupported, "The NVRTC library is too old to write CUBINs.",
                         "Use CUDA 12 or later.");
    return api;
}

Result<const Nvrtc*> nvrtc()
{
    static const Result<Nvrtc> api = openNvrtc();
    if (!api)
        return api.error();
    return &api.value();
}

} // namespace

Result<std::string> nvrtcVersionText()
{
    FS_TRY(api, nvrtc());
    int major = 0, minor = 0;
    api->version(&major, &minor);
    return std::to_string(major) + "." + std::to_string(minor);
}

Result<std::string> nvrtcCompile(const std::string& source, const std::string& name, const std::string& arch)
{
    FS_TRY(api, nvrtc());
    Program program = nullptr;
    if (const int status = api->create(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr);
        status != 0)
        return makeError(ErrorCode::CompileFailed, std::string("NVRTC: ") + api->errorText(status));
    const std::string archOption = "--gpu-architecture=" + arch;
    const std::array<const char*, 2> options{archOption.c_str(), "--std=c++17"};
    const int status = api->compile(program, static_cast<int>(options.size()), options.data());
    std::size_t size = 0;
    if (status != 0) {
        api->logSize(program, &size);
        std::string log(size, '\0');
        if (size > 0)
            api->log(program, log.data());
        api->destroy(&program);
        return makeError(ErrorCode::CompileFailed,
                         "NVRTC cannot compile " + name + " for " + arch + ": " + api->errorText(status) +
                             "\n" + log.c_str(),
                         "The GPU may be newer than this CUDA toolkit: install a newer one.");
    }
    std::string cubin;
    if (api->cubinSize(program, &size) == 0 && size > 0) {
        cubin.resize(size);
        if (api->cubin(program, cubin.data()) != 0)
            cubin.clear();
    }
    api->destroy(&program);
    if (cubin.empty())
        return makeError(ErrorCode::CompileFailed, "NVRTC gave no CUBIN for " + arch + ".");
    return cubin;
}

} // namespace foresight
