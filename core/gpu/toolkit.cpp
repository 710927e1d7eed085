// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/toolkit.h"

#include "core/base/file.h"
#include "core/base/subprocess.h"
#include "core/gpu/compile_wire.h"
#include "core/gpu/worker_client.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

namespace foresight {

namespace {

using namespace std::chrono_literals;

constexpr auto kProbeTimeout = 30s;

std::string environmentValue(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

void addUnique(std::vector<std::string>& list, std::string item)
{
    if (!item.empty() && std::find(list.begin(), list.end(), item) == list.end())
        list.push_back(std::move(item));
}

// Toolkit roots, most wanted first.
std::vector<std::string> toolkitRoots(const ToolkitSearch& search)
{
    std::vector<std::string> roots;
    addUnique(roots, search.home);
    addUnique(roots, environmentValue("CUDA_HOME"));
    addUnique(roots, environmentValue("CUDA_PATH"));
    addUnique(roots, "/usr/local/cuda");
    if (auto names = listFolder("/usr/local")) {
        std::vector<std::string> versions;
        for (const std::string& name : *names)
            if (name.starts_with("cuda-"))
                versions.push_back(name);
        // Newest first; "cuda-9" against "cuda-13" does not matter, both numbers are tried.
        for (auto it = versions.rbegin(); it != versions.rend(); ++it)
            addUnique(roots, joinPath("/usr/local", *it));
    }
    std::string path = environmentValue("PATH");
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const std::string folder = path.substr(at, end - at);
        if (!folder.empty() && fileExists(joinPath(folder, "nvcc")))
            addUnique(roots, parentFolder(folder));
        at = end + 1;
    }
    addUnique(roots, "/opt/cuda");
    addUnique(roots, "/usr/lib/cuda");
    addUnique(roots, "/usr/lib/nvidia-cuda-toolkit");
    return roots;
}

// The folders named "nvidia" in the site-packages of `python`; NVIDIA's wheels put one folder per product
// there.
std::vector<std::string> wheelFolders(const std::string& python)
{
    std::vector<std::string> folders;
    if (python.empty())
        return folders;
    ProcessOptions options;
    options.argv = {python, "-c", "import sys; print('\\n'.join(sys.path))"};
    const auto output = runProcess(options, {}, 20s);
    if (!output || !output->exit.exited || output->exit.status != 0)
        return folders;
    const std::string& text = output->out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string nvidia = joinPath(text.substr(at, end - at), "nvidia");
        at = end + 1;
        if (!folderExists(nvidia))
            continue;
        if (auto names = listFolder(nvidia))
            for (auto it = names->rbegin(); it != names->rend(); ++it)
                addUnique(folders, joinPath(nvidia, *it));
    }
    return folders;
}

std::vector<std::string> librariesBelow(const std::string& root)
{
    std::vector<std::string> found;
    for (const char* sub : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
        const std::string folder = joinPath(root, sub);
        if (!folderExists(folder))
            continue;
        for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
            if (fileExists(joinPath(folder, name)))
                addUnique(found, joinPath(folder, name));
    }
    return found;
}

std::vector<std::string> headersBelow(const std::string& root)
{
    for (const char* sub : {"include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"}) {
        const std::string folder = joinPath(root, sub);
        if (!fileExists(joinPath(folder, "cuda_fp16.h")))
            continue;
        std::vector<std::string> paths{folder};
        if (folderExists(joinPath(folder, "cccl")))
            paths.push_back(joinPath(folder, "cccl"));
        return paths;
    }
    return {};
}

Result<CompileAnswer> probeLibrary(const std::string& library, const std::string& workerPath)
{
    CompileJob job;
    job.library = library;
    ProcessOptions options;
    options.argv = {workerPath, "--compile"};
    options.environment = workerEnvironment();
    auto output = runProcess(options, encodeCompileJob(job), kProbeTimeout);
    if (!output)
        return output.error().within("Starting " + workerPath);
    auto answer = decodeCompileAnswer(output->out);
    if (!answer)
        return makeError(ErrorCode::ProcessFailed,
                         workerPath + " --compile ended without an answer (" + output->exit.describe() + ")",
                         output->err.substr(0, 500));
    return answer;
}

std::string joined(const std::vector<std::string>& items)
{
    std::string text;
    for (const std::string& item : items)
        text += (text.empty() ? "" : ", ") + item;
    return text;
}

// Nothing when this library does not work (`failures` says why); an error when the helper itself does not.
Result<std::optional<CudaToolkit>> tryLibrary(const std::string& library, const std::string& root,
                                              const std::vector<std::string>& roots,
                                              const std::string& worker, std::vector<std::string>& failures)
{
    FS_TRY(answer, probeLibrary(library, worker));
    if (answer.status != CompileAnswer::Status::Ok) {
        failures.push_back(library + ": " + answer.message);
        return std::optional<CudaToolkit>();
    }
    CudaToolkit toolkit;
    toolkit.nvrtc = library;
    toolkit.versionMajor = answer.versionMajor;
    toolkit.versionMinor = answer.versionMinor;
    toolkit.archs = answer.archs;
    // The library's own headers first: another version's may not fit the compiler.
    if (!root.empty())
        toolkit.includePaths = headersBelow(root);
    for (const std::string& other : roots)
        if (toolkit.includePaths.empty())
            toolkit.includePaths = headersBelow(other);
    if (toolkit.includePaths.empty())
        toolkit.includePaths = headersBelow("/usr");
    return std::optional<CudaToolkit>(std::move(toolkit));
}

Result<std::optional<CudaToolkit>> searchRoots(const std::vector<std::string>& roots,
                                               const std::vector<std::string>& headerRoots,
                                               const std::string& worker, std::vector<std::string>& failures)
{
    for (const std::string& root : roots)
        for (const std::string& library : librariesBelow(root)) {
            FS_TRY(toolkit, tryLibrary(library, root, headerRoots, worker, failures));
            if (toolkit)
                return toolkit;
        }
    return std::optional<CudaToolkit>();
}

Result<CudaToolkit> search(const ToolkitSearch& options)
{
    const std::string worker = options.workerPath.empty() ? defaultWorkerPath() : options.workerPath;
    if (!fileExists(worker))
        return makeError(ErrorCode::NotFound, "The compile helper " + worker + " does not exist.",
                         "Build the target foresight-worker, or set FORESIGHT_WORKER to its path.");

    // Cheap places first; an interpreter is only asked when they have nothing.
    std::vector<std::string> tried = toolkitRoots(options), failures;
    FS_TRY(usual, searchRoots(tried, tried, worker, failures));
    if (usual)
        return *usual;
    const std::vector<std::string> wheels = wheelFolders(options.python);
    for (const std::string& folder : wheels)
        addUnique(tried, folder);
    FS_TRY(fromWheels, searchRoots(wheels, tried, worker, failures));
    if (fromWheels)
        return *fromWheels;
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
        FS_TRY(loaded, tryLibrary(name, "", tried, worker, failures));
        if (loaded)
            return *loaded;
    }
    return makeError(
        ErrorCode::NotFound,
        "No usable CUDA run-time compiler (libnvrtc). It is part of the CUDA toolkit, not of the driver. "
        "Looked in: " +
            joined(tried) + " and the dynamic loader's folders. " + joined(failures),
        "Install a CUDA 12 or 13 toolkit (or the wheel nvidia-cuda-nvrtc) and set CUDA_HOME to it.");
}

} // namespace

std::string defaultWorkerPath()
{
    if (const std::string given = environmentValue("FORESIGHT_WORKER"); !given.empty())
        return given;
    const std::string folder = executableFolder();
    const std::string beside = joinPath(folder, "foresight-worker");
    if (fileExists(beside))
        return beside;
    const std::string above = joinPath(parentFolder(folder), "foresight-worker");
    return fileExists(above) ? above : beside;
}

Result<CudaToolkit> findCudaToolkit(const ToolkitSearch& options)
{
    static std::mutex mutex;
    static std::map<std::string, CudaToolkit> known;
    const std::string key = options.home + '\0' + options.python + '\0' + options.workerPath + '\0' +
                            environmentValue("CUDA_HOME") + '\0' + environmentValue("CUDA_PATH");
    const std::lock_guard lock(mutex);
    if (const auto it = known.find(key); it != known.end())
        return it->second;
    auto toolkit = search(options);
    if (toolkit) // a failure is not remembered: the user may install the toolkit meanwhile
        known.emplace(key, *toolkit);
    return toolkit;
}

} // namespace foresight
