// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/cuda_api.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <vector>

namespace foresight {

namespace {

#define FS_TEXT_(x) #x
#define FS_TEXT(x) FS_TEXT_(x)

// A versioned symbol that an older library lacks is looked for under its first name; the calls used here did
// not change their arguments between those versions.
void* symbol(void* library, const char* name)
{
    if (void* found = dlsym(library, name))
        return found;
    const std::size_t length = std::strlen(name);
    if (length > 3 && std::strcmp(name + length - 3, "_v2") == 0)
        return dlsym(library, std::string(name, length - 3).c_str());
    return nullptr;
}

template <typename Function> bool load(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(symbol(library, name));
    return function != nullptr;
}

Result<CudaDriver> openDriver()
{
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return makeError(ErrorCode::NotFound, "NVIDIA's driver library libcuda.so.1 is not on this machine.",
                         "Install the NVIDIA driver, or work with recorded spaces, which need no GPU.");
    CudaDriver driver;
    std::string missing;
#define FS_LOAD(name)                                                                                        \
    if (!load(library, FS_TEXT(name), driver.name))                                                          \
        missing += std::string(missing.empty() ? "" : ", ") + FS_TEXT(name);
    FS_DRIVER_FUNCTIONS(FS_LOAD)
#undef FS_LOAD
    if (!missing.empty())
        return makeError(ErrorCode::Unsupported, "The NVIDIA driver is too old: it lacks " + missing + ".",
                         "Install a driver for CUDA 12 or later.");
    load(library, "cuFuncGetParamInfo", driver.cuFuncGetParamInfo);
    if (const CUresult status = driver.cuInit(0); status != CUDA_SUCCESS) {
        const char* name = nullptr;
        driver.cuGetErrorName(status, &name);
        return makeError(ErrorCode::NotFound,
                         std::string("The NVIDIA driver finds no usable GPU: ") +
                             (name ? name : "unknown error") + ".",
                         "Check that nvidia-smi lists the GPU and that this user may open /dev/nvidia*.");
    }
    return driver;
}

} // namespace

Result<const CudaDriver*> cudaDriver()
{
    static const Result<CudaDriver> driver = openDriver();
    if (!driver)
        return driver.error();
    return &driver.value();
}

std::string cudaErrorText(CUresult status)
{
    const char *name = nullptr, *text = nullptr;
    if (const auto driver = cudaDriver()) {
        (*driver)->cuGetErrorName(status, &name);
        (*driver)->cuGetErrorString(status, &text);
    }
    return std::string(name ? name : "unknown CUDA error") + " (" + (text ? text : std::to_string(status)) +
           ")";
}

bool isStickyError(CUresult status)
{
    switch (status) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_UNKNOWN:
        return true;
    default:
        return false;
    }
}

} // namespace foresight
