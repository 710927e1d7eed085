// SPDX-License-Identifier: Apache-2.0
#include "core/probe/cupti_api.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <glob.h>
#include <vector>

namespace foresight::probe {

namespace {

template <typename Function> bool resolve(void* handle, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
}

void addMatches(std::vector<std::string>& places, const std::string& pattern)
{
    glob_t found{};
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        for (std::size_t i = 0; i < found.gl_pathc; ++i)
            places.emplace_back(found.gl_pathv[i]);
    }
    globfree(&found);
}

// Folders named site-packages or dist-packages that something mapped into this process lies in: where this
// program's PyTorch is, its CUPTI is.
std::vector<std::string> packageFolders()
{
    std::vector<std::string> folders;
    std::ifstream maps("/proc/self/maps");
    std::string line;
    while (std::getline(maps, line)) {
        for (const char* word : {"/site-packages/", "/dist-packages/"}) {
            const auto at = line.find(word);
            const auto slash = line.find('/');
            if (at == std::string::npos || slash > at)
                continue;
            std::string folder = line.substr(slash, at - slash + std::strlen(word) - 1);
            if (folders.empty() || folders.back() != folder)
                folders.push_back(std::move(folder));
        }
    }
    return folders;
}

bool useLibrary(CuptiApi& api, const char* path, int flags, std::string& why)
{
    void* handle = dlopen(path, flags);
    if (!handle) {
        if (!(flags & RTLD_NOLOAD)) {
            const char* reason = dlerror();
            why += std::string("\n  ") + path + ": " + (reason ? reason : "could not be opened");
        }
        return false;
    }
    CuptiApi found;
    const bool complete = resolve(handle, "cuptiGetVersion", found.getVersion) &&
                          resolve(handle, "cuptiGetResultString", found.getResultString) &&
                          resolve(handle, "cuptiGetTimestamp", found.getTimestamp) &&
                          resolve(handle, "cuptiActivityRegisterCallbacks", found.registerCallbacks) &&
                          resolve(handle, "cuptiActivityEnable", found.enable) &&
                          resolve(handle, "cuptiActivityFlushAll", found.flushAll) &&
                          resolve(handle, "cuptiActivityGetNextRecord", found.getNextRecord) &&
                          resolve(handle, "cuptiActivityGetNumDroppedRecords", found.getNumDroppedRecords) &&
                          resolve(handle, "cuptiActivityPushExternalCorrelationId", found.pushExternal) &&
                          resolve(handle, "cuptiActivityPopExternalCorrelationId", found.popExternal);
    if (!complete || found.getVersion(&found.version) != CUPTI_SUCCESS) {
        why += std::string("\n  ") + path + ": lacks entry points the probe needs";
        return false;
    }
    resolve(handle, "cuptiSetThreadIdType", found.setThreadIdType);
    resolve(handle, "cuptiActivityEnableRuntimeApi", found.enableRuntimeApi);
    resolve(handle, "cuptiActivityEnableDriverApi", found.enableDriverApi);
    resolve(handle, "cuptiGetCallbackName", found.getCallbackName);
    resolve(handle, "cuptiActivityDisable", found.disable);
    Dl_info info{};
    if (dladdr(reinterpret_cast<void*>(found.getVersion), &info) && info.dli_fname)
        found.path = info.dli_fname;
    else
        found.path = path;
    found.handle = handle;
    api = std::move(found);
    return true;
}

} // namespace

std::string CuptiApi::resultText(CUptiResult result) const
{
    const char* text = nullptr;
    if (getResultString && getResultString(result, &text) == CUPTI_SUCCESS && text)
        return text;
    return "CUPTI result " + std::to_string(static_cast<int>(result));
}

bool loadCupti(CuptiApi& api, std::string& why)
{
    why = "libcupti was not found. Tried:";
    if (const char* chosen = std::getenv("FORESIGHT_CUPTI_LIBRARY"); chosen && *chosen)
        return useLibrary(api, chosen, RTLD_NOW | RTLD_LOCAL, why);
    const char* const sonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11", "libcupti.so"};
    for (const char* soname : sonames) {
        if (useLibrary(api, soname, RTLD_NOW | RTLD_NOLOAD, why))
            return true;
    }
    std::vector<std::string> places;
    for (const auto& folder : packageFolders())
        addMatches(places, folder + "/nvidia/*/lib/libcupti.so.*");
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* root = std::getenv(variable); root && *root) {
            addMatches(places, std::string(root) + "/lib64/libcupti.so.*");
            addMatches(places, std::string(root) + "/extras/CUPTI/lib64/libcupti.so.*");
        }
    }
    addMatches(places, "/usr/local/cuda/lib64/libcupti.so.*");
    addMatches(places, "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.*");
    for (const auto& place : places) {
        if (useLibrary(api, place.c_str(), RTLD_NOW | RTLD_LOCAL, why))
            return true;
    }
    for (const char* soname : sonames) {
        if (useLibrary(api, soname, RTLD_NOW | RTLD_LOCAL, why))
            return true;
    }
    return false;
}

std::string cuptiAdvice(int result)
{
    switch (result) {
    case 15:
        return "CUPTI could not initialise. The GPU driver is older than the CUDA version of this CUPTI, or "
               "the toolkit's "
               "'stubs' folder is on LD_LIBRARY_PATH and hides the real driver. Update the driver, or "
               "install a "
               "CUPTI that matches it, and take 'stubs' off LD_LIBRARY_PATH.";
    case 35:
        return "This user may not profile on this machine. Ask its administrator to load the NVIDIA module "
               "with "
               "NVreg_RestrictProfilingToAdminUsers=0, or run as root or with CAP_SYS_ADMIN (in a container: "
               "--cap-add=SYS_ADMIN).";
    case 39:
        return "Another profiler already uses CUPTI in this process (Nsight Systems, Nsight Compute, DCGM's "
               "profiling, "
               "torch.profiler). Only one can: end it, then record again.";
    case 999:
        return "CUPTI found no working GPU driver in this process. Check that nvidia-smi lists the GPU here.";
    default:
        return {};
    }
}

} // namespace foresight::probe
