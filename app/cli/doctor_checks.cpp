// SPDX-License-Identifier: Apache-2.0
#include "app/cli/doctor_checks.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/subprocess.h"
#include "core/gpu/gpu_doctor.h"
#include "core/kernels/family.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/statvfs.h>

namespace foresight::cli {
namespace {

using namespace std::chrono_literals;

Check good(std::string id, std::string detail)
{
    return {std::move(id), CheckState::Ok, std::move(detail), {}};
}

Check fromError(std::string id, CheckState state, const Error& error, std::string fix)
{
    return {std::move(id), state, error.message, error.hint.empty() ? std::move(fix) : error.hint};
}

} // namespace

std::vector<Check> checkProgramFiles()
{
    std::vector<Check> checks;
    const auto folder = dataFolder();
    if (!folder) {
        checks.push_back(fromError("data", CheckState::Fail, folder.error(), "reinstall"));
    } else if (const auto registry = FamilyRegistry::load(*folder, joinPath(userDataFolder(), "kernels"));
               !registry) {
        checks.push_back(fromError("data", CheckState::Fail, registry.error(), "reinstall"));
    } else {
        Check check = good("data", fmt::format("{} families in {}", registry->families().size(), *folder));
        for (const auto& problem : registry->problems()) {
            check.state = CheckState::Warn;
            check.detail += "; " + problem.message;
            check.fix = "repair or remove the family in your own folder";
        }
        checks.push_back(std::move(check));
    }
    const std::string window = joinPath(executableFolder(), "foresight");
    if (fileExists(window))
        checks.push_back(good("window", window));
    else
        checks.push_back({"window", CheckState::Absent,
                          "the window is not installed here; this program does not need it",
                          "install Qt 6.4 and build with -DFORESIGHT_GUI=ON to get it"});
    const std::string programs = executableFolder();
    std::string probe;
    for (const char* below : {"../lib/libforesight-probe.so", "../../lib/libforesight-probe.so",
                              "libforesight-probe.so", "../lib/foresight/libforesight-probe.so"})
        if (const std::string path = joinPath(programs, below); probe.empty() && fileExists(path))
            probe = path;
    if (!probe.empty())
        checks.push_back(good("probe", probe));
    else
        checks.push_back({"probe", CheckState::Absent, "libforesight-probe.so is not installed here",
                          "needed to record profiles: build with the CUPTI headers present (set CUDA_HOME)"});
    return checks;
}

std::vector<Check> checkGpu(const std::string& python, int device, bool measure, const std::stop_token& stop)
{
    GpuDoctorOptions options;
    options.python = python;
    options.device = device;
    options.measure = measure;
    std::vector<Check> checks = gpuDoctor(options, stop);
    // What could not be looked at because something before it is missing is missing too.
    for (const char* id : {"driver", "nvrtc", "cuda_headers", "cupti", "worker", "gpu"})
        if (std::none_of(checks.begin(), checks.end(), [id](const Check& check) { return check.id == id; }))
            checks.push_back({id, CheckState::Absent, "not found: something it needs is missing",
                              "mend the checks above first"});
    return checks;
}

Check checkPyTorch(const std::string& python, const std::stop_token& stop)
{
    const auto program = findProgram(python);
    if (!program)
        return {"pytorch", CheckState::Absent, program.error().message,
                "needed for profiles and PyTorch baselines: name an interpreter with --python"};
    ProcessOptions options;
    options.argv = {
        *program, "-c",
        "import json, sys\n"
        "out = {'python': sys.version.split()[0]}\n"
        "try:\n"
        "    import torch\n"
        "    out.update(torch=torch.__version__, cuda=torch.version.cuda, gpu=torch.cuda.is_available())\n"
        "except ImportError as error:\n"
        "    out['missing'] = str(error)\n"
        "print(json.dumps(out))\n"};
    options.maxOutputBytes = 1u << 16;
    const auto done = runProcess(options, {}, 90s, stop);
    constexpr const char* kFix =
        "needed for profiles and PyTorch baselines: install PyTorch for CUDA, or name another "
        "interpreter with --python";
    if (!done)
        return fromError("pytorch", CheckState::Fail, done.error(), kFix);
    const auto answer = parseJson(done->out.substr(0, done->out.find('\n')), python);
    if (!done->exit.exited || done->exit.status != 0 || !answer || !answer->is_object())
        return {"pytorch", CheckState::Fail, *program + " failed: " + done->exit.describe() + " " + done->err,
                kFix};
    const std::string version = answer->value("python", "?");
    if (!answer->contains("torch"))
        return {"pytorch", CheckState::Absent,
                fmt::format("{} (Python {}): {}", *program, version, answer->value("missing", "no torch")),
                kFix};
    const auto cuda = answer->find("cuda");
    const bool hasCuda = cuda != answer->end() && cuda->is_string();
    const std::string detail =
        fmt::format("{} (Python {}), torch {}, CUDA {}", *program, version, answer->value("torch", "?"),
                    hasCuda ? cuda->get<std::string>() : "none");
    if (!hasCuda)
        return {"pytorch", CheckState::Warn, detail,
                "this PyTorch cannot use a GPU: install one built for CUDA"};
    if (!answer->value("gpu", false))
        return {"pytorch", CheckState::Warn, detail + "; it sees no GPU", "see the checks of driver and gpu"};
    return good("pytorch", detail);
}

std::vector<Check> checkFolders()
{
    std::vector<Check> checks;
    const std::string cache = userCacheFolder();
    const std::string marker = joinPath(cache, "doctor");
    auto writable = makeFolders(cache);
    if (writable)
        writable = writeFileAtomically(marker, "ok");
    if (writable) {
        std::remove(marker.c_str());
        checks.push_back(good("cache", cache));
    } else {
        checks.push_back(fromError("cache", CheckState::Fail, writable.error(),
                                   "set XDG_CACHE_HOME to a writable folder"));
    }
    std::string existing = userDataFolder();
    while (!existing.empty() && existing != "/" && !folderExists(existing))
        existing = parentFolder(existing);
    struct statvfs info
    {
    };
    if (::statvfs(existing.empty() ? "." : existing.c_str(), &info) != 0) {
        checks.push_back(
            {"disk", CheckState::Warn, existing + ": " + std::strerror(errno), "check the folder"});
        return checks;
    }
    const double freeBytes = static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
    Check disk = good("disk", fmt::format("{:.1f} GB free in {}", freeBytes / 1e9, existing));
    if (freeBytes < 2e9) {
        disk.state = freeBytes < 2e8 ? CheckState::Fail : CheckState::Warn;
        disk.fix = "sessions and the compile cache need some room: free 2 GB";
    }
    checks.push_back(std::move(disk));
    return checks;
}

} // namespace foresight::cli
