// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/gpu_doctor.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/gpu/compiler.h"
#include "core/gpu/device_figures.h"
#include "core/gpu/gpu_lock.h"
#include "core/gpu/toolkit.h"
#include "core/gpu/worker_client.h"

#include <cstdio>
#include <dlfcn.h>

namespace foresight {

namespace {

using State = GpuCheck::State;
using namespace std::chrono_literals;

constexpr auto kDoctorTimeout = 120s;

GpuCheck fromError(std::string id, State state, const Error& error, std::string fix = {})
{
    return {std::move(id), state, error.message.substr(0, error.message.find('\n')),
            error.hint.empty() ? std::move(fix) : error.hint};
}

// The CUDA version a driver supports, e.g. 13000; 0: no driver. Asking creates no context.
int driverCudaVersion()
{
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return 0;
    int version = 0;
    if (auto* ask = reinterpret_cast<int (*)(int*)>(::dlsym(library, "cuDriverGetVersion")); ask != nullptr)
        if (ask(&version) != 0)
            version = 0;
    ::dlclose(library);
    return version;
}

std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

GpuCheck checkDriver(int cudaVersion)
{
    if (cudaVersion == 0)
        return {
            "driver", State::Absent, "no NVIDIA driver (libcuda.so.1 cannot be loaded)",
            "Install NVIDIA's driver to measure on this machine; searches on recorded spaces work without."};
    std::string detail = "supports CUDA " + versionText(cudaVersion);
    if (auto text = readFile("/proc/driver/nvidia/version", 4096))
        detail += "; " + text->substr(0, text->find('\n'));
    return {"driver", State::Ok, detail, ""};
}

GpuCheck checkNvml(bool haveDriver)
{
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr)
        return {"nvml", haveDriver ? State::Warn : State::Absent, "libnvidia-ml.so.1 cannot be loaded",
                "It is part of the driver. Without it clocks, temperature and throttling are not watched."};
    ::dlclose(library);
    return {"nvml", State::Ok, "libnvidia-ml.so.1", ""};
}

void checkToolkit(const GpuDoctorOptions& options, int driverVersion, std::vector<GpuCheck>& checks)
{
    const auto toolkit = findCudaToolkit({options.cudaHome, options.python, options.workerPath});
    if (!toolkit) {
        checks.push_back(fromError("nvrtc", State::Absent, toolkit.error()));
        return;
    }
    const std::string archs = toolkit->archs.empty() ? ""
                                                     : ", sm_" + std::to_string(toolkit->archs.front()) +
                                                           " to sm_" + std::to_string(toolkit->archs.back());
    checks.push_back(
        {"nvrtc", State::Ok, "CUDA " + toolkit->version() + archs + " (" + toolkit->nvrtc + ")", ""});
    if (toolkit->includePaths.empty())
        checks.push_back({"cuda_headers", State::Fail, "no folder with cuda_fp16.h beside NVRTC",
                          "The headers are part of the CUDA toolkit, not of the driver; set CUDA_HOME to a "
                          "complete one."});
    else
        checks.push_back({"cuda_headers", State::Ok, toolkit->includePaths.front(), ""});
    if (driverVersion > 0) {
        const bool newer = toolkit->versionMajor > driverVersion / 1000;
        checks.push_back(
            {"toolkit_and_driver", newer ? State::Fail : State::Ok,
             "toolkit " + toolkit->version() + ", driver for CUDA " + versionText(driverVersion),
             newer ? "Kernels of this toolkit do not load on this driver: update the driver, or set "
                     "CUDA_HOME to a toolkit of the driver's major version."
                   : ""});
    }
    std::string cupti;
    for (const std::string& include : toolkit->includePaths) {
        const std::string root = parentFolder(include);
        for (const char* sub :
             {"lib64", "lib", "extras/CUPTI/lib64", "../cuda_cupti/lib", "../../extras/CUPTI/lib64"})
            for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
                if (cupti.empty() && fileExists(joinPath(joinPath(root, sub), name)))
                    cupti = joinPath(joinPath(root, sub), name);
    }
    if (cupti.empty())
        checks.push_back({"cupti", State::Absent, "libcupti was not found beside the toolkit",
                          "Needed to record profiles; PyTorch's own copy serves too."});
    else
        checks.push_back({"cupti", State::Ok, cupti, ""});
}

GpuCheck checkCompiling(const GpuDoctorOptions& options, const std::string& arch)
{
    CompileRequest request;
    request.source =
        "#include <cuda_fp16.h>\nextern \"C\" __global__ void doctor(__half* x) { x[threadIdx.x] = 1; }\n";
    request.name = "doctor.cu";
    request.arch = arch;
    const auto kernel = compileKernel(request, {{options.cudaHome, options.python, options.workerPath}, {}});
    if (!kernel)
        return fromError("compile", State::Fail, kernel.error());
    char text[96];
    std::snprintf(text, sizeof text, "a kernel for %s in %.0f ms", arch.c_str(), kernel->seconds * 1e3);
    return {"compile", State::Ok, text, ""};
}

State stateFromName(const std::string& name)
{
    for (const State state : {State::Ok, State::Warn, State::Fail, State::Absent})
        if (gpuCheckStateName(state) == name)
            return state;
    return State::Fail;
}

// The worker's own checks, appended as they are.
void checkMeasuring(WorkerClient& worker, std::vector<GpuCheck>& checks, std::stop_token stop)
{
    const auto text = worker.callSimple("doctor", kDoctorTimeout, stop);
    if (!text) {
        checks.push_back(fromError("measuring", State::Fail, text.error()));
        return;
    }
    const auto json = parseJson(*text, "the worker's checks");
    if (!json || !json->contains("checks") || !(*json)["checks"].is_array()) {
        checks.push_back({"measuring", State::Fail, "the worker's answer has no checks",
                          "Program and worker may be of different versions."});
        return;
    }
    for (const Json& entry : (*json)["checks"]) {
        const auto member = [&](const char* key) {
            const auto found = entry.find(key);
            return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        checks.push_back({member("id"), stateFromName(member("state")), member("detail"), member("fix")});
    }
}

} // namespace

std::string_view gpuCheckStateName(GpuCheck::State state)
{
    switch (state) {
    case State::Ok:
        return "ok";
    case State::Warn:
        return "warn";
    case State::Fail:
        return "fail";
    case State::Absent:
        return "absent";
    }
    return "fail";
}

std::vector<GpuCheck> gpuDoctor(const GpuDoctorOptions& options, std::stop_token stop)
{
    std::vector<GpuCheck> checks;
    const int driver = driverCudaVersion();
    checks.push_back(checkDriver(driver));
    checks.push_back(checkNvml(driver > 0));
    checkToolkit(options, driver, checks);

    WorkerOptions workerOptions;
    workerOptions.path = options.workerPath;
    workerOptions.device = options.device;
    workerOptions.cacheFolder = joinPath(
        options.cacheFolder.empty() ? joinPath(userCacheFolder(), "kernels") : options.cacheFolder, "worker");
    const std::string path = options.workerPath.empty() ? defaultWorkerPath() : options.workerPath;
    auto worker = WorkerClient::start(workerOptions, stop);
    if (!worker) {
        const bool noProgram = !fileExists(path);
        checks.push_back(noProgram ? fromError("worker", State::Absent, worker.error())
                                   : GpuCheck{"worker", State::Ok, path, ""});
        if (!noProgram) {
            checks.push_back(fromError("gpu", driver == 0 ? State::Absent : State::Fail, worker.error()));
            checks.push_back(checkCompiling(options, "sm_90"));
        }
        return checks;
    }
    checks.push_back({"worker", State::Ok, path, ""});
    auto device = readDevice(**worker, options.device, stop);
    if (!device) {
        checks.push_back(fromError("gpu", State::Fail, device.error()));
        return checks;
    }
    checks.push_back({"gpu", State::Ok,
                      device->spec.name + ", " + device->spec.archName() + ", " +
                          std::to_string(device->spec.smCount) + " SMs, " +
                          std::to_string(device->spec.memoryBytes >> 30) + " GiB",
                      ""});
    checks.push_back(checkCompiling(options, device->spec.archName()));
    if (!options.measure)
        return checks;
    const auto lock = GpuLock::acquire(device->lockName, "doctor", options.lockFolder);
    if (!lock) {
        checks.push_back(fromError("gpu_lock", State::Warn, lock.error()));
        return checks;
    }
    checks.push_back({"gpu_lock", State::Ok, "free", ""});
    checkMeasuring(**worker, checks, stop);
    (*worker)->quit();
    return checks;
}

} // namespace foresight
