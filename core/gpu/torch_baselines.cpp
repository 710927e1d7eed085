// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/torch_baselines.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/subprocess.h"
#include "core/gpu/candidate.h"
#include "core/gpu/protocol.h"
#include "core/gpu/toolkit.h"
#include "core/gpu/worker_client.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace foresight {

namespace {

// A private folder for the request's files; gone when this is.
class ScratchFolder
{
public:
    static Result<ScratchFolder> make()
    {
        FS_TRY(runtime, userRuntimeFolder());
        std::string path = joinPath(runtime, "torch-XXXXXX");
        if (::mkdtemp(path.data()) == nullptr)
            return makeError(ErrorCode::IoError, "Cannot create a folder in " + runtime);
        return ScratchFolder(std::move(path));
    }
    ScratchFolder(ScratchFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    std::string file(const char* name) const { return joinPath(m_path, name); }

private:
    explicit ScratchFolder(std::string path) : m_path(std::move(path)) {}
    std::string m_path;
};

// Puts a frame's JSON into the request and its binary part into a file.
Result<void> addFrame(Json& request, const std::string& key, const std::string& encoded,
                      const std::string& file)
{
    protocol::FrameReader reader;
    reader.feed(encoded);
    FS_TRY(frame, reader.next());
    if (!frame)
        return makeError(ErrorCode::Internal, "An encoded frame is not whole.");
    FS_TRY(json, parseJson(frame->json, key));
    FS_CHECK(writeFileAtomically(file, frame->binary));
    request[key] = std::move(json);
    request[key + "Binary"] = file;
    return {};
}

std::string measureLibrary(const std::string& workerPath)
{
    const std::string worker = workerPath.empty() ? defaultWorkerPath() : workerPath;
    const std::string root = parentFolder(parentFolder(worker));
    for (const char* place : {"lib/libforesight-measure.so", "lib/foresight/libforesight-measure.so"})
        if (fileExists(joinPath(root, place)))
            return joinPath(root, place);
    return joinPath(root, "lib/libforesight-measure.so");
}

std::map<std::string, std::string> hostEnvironment(const std::string& packages)
{
    std::map<std::string, std::string> environment = workerEnvironment();
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "TORCHINDUCTOR_CACHE_DIR",
                             "TRITON_CACHE_DIR", "XDG_CACHE_HOME", "CC", "CXX"})
        if (const char* value = std::getenv(name))
            environment[name] = value;
    const char* path = std::getenv("PYTHONPATH");
    environment["PYTHONPATH"] = path != nullptr && *path != '\0' ? packages + ":" + path : packages;
    return environment;
}

Result<Json> runHost(LocalGpu& gpu, const Json& request, const ScratchFolder& scratch,
                     std::chrono::milliseconds timeout, std::stop_token stop)
{
    FS_TRY(data, dataFolder());
    const std::string input = scratch.file("request.json"), output = scratch.file("response.json");
    FS_CHECK(writeFileAtomically(input, canonicalJson(request)));
    ProcessOptions process;
    process.argv = {gpu.options().python, "-m", "foresight_torch.host", input, output};
    process.environment = hostEnvironment(joinPath(data, "resources/python"));
    process.maxOutputBytes = std::size_t{1} << 20;
    FS_TRY(loan, gpu.lend("lent to PyTorch", stop));
    auto ran = runProcess(process, {}, timeout, stop);
    loan.reset();
    if (!ran)
        return ran.error().within("The PyTorch host mode");
    auto response = readJsonFile(output);
    if (!response) {
        const std::string& words = ran->err.empty() ? ran->out : ran->err;
        return makeError(ErrorCode::ProcessFailed,
                         "The PyTorch host mode gave no answer (" + ran->exit.describe() +
                             "): " + words.substr(words.size() > 800 ? words.size() - 800 : 0),
                         "Check that " + gpu.options().python +
                             " has PyTorch with CUDA; choose another with --python.");
    }
    if (const auto error = response->find("error"); error != response->end() && error->is_string())
        return makeError(ErrorCode::Unsupported, "The PyTorch host mode: " + error->get<std::string>());
    return response;
}

Result<std::vector<TorchComparison>> compare(LocalGpu& gpu, const GpuRequest* candidate,
                                             const TorchOptions& options, std::stop_token stop)
{
    FS_TRY(scratch, ScratchFolder::make());
    EvaluationSetup& setup = gpu.setup();
    Json request{{"device", gpu.options().device},
                 {"library", measureLibrary(gpu.options().workerPath)},
                 {"cacheFolder", joinPath(gpu.options().cacheFolder, "worker")},
                 {"names", options.names},
                 {"quads", options.quads},
                 {"regime", protocol::regimeName(options.regime)},
                 {"seed", options.seed}};
    FS_TRY(problem, protocol::encodeProblem(1, setup.problemRequest(options.seed), setup.problemCubins()));
    FS_CHECK(addFrame(request, "problem", problem, scratch.file("problem.bin")));
    if (candidate != nullptr) {
        FS_TRY(kernel, compileKernel(setup.compileRequest(candidate->plan), setup.options().compiler, stop));
        FS_TRY(prepared, setup.prepare(*candidate, kernel, stop));
        prepared.request.reduced.clear(); // verified elsewhere; here it is only timed
        prepared.cubins.resize(1);
        FS_TRY(evaluate, protocol::encodeEvaluate(2, prepared.request, prepared.cubins));
        FS_CHECK(addFrame(request, "candidate", evaluate, scratch.file("candidate.bin")));
    }
    FS_TRY(response, runHost(gpu, request, scratch, options.timeout, stop));

    if (options.torchVersion != nullptr)
        if (const auto version = response.find("torch"); version != response.end() && version->is_string())
            *options.torchVersion = version->get<std::string>();
    std::vector<TorchComparison> comparisons;
    std::string failures;
    const auto list = response.find("baselines");
    if (list == response.end() || !list->is_array())
        return makeError(ErrorCode::Corrupt, "The PyTorch host mode's answer has no baselines.");
    for (const Json& entry : *list) {
        FS_TRY(name, jsonString(entry, "name", "the PyTorch host mode's answer"));
        const auto timing = entry.find("timing");
        if (timing == entry.end() || timing->is_null()) {
            const auto error = entry.find("error");
            failures +=
                (failures.empty() ? "" : "; ") + name + ": " +
                (error != entry.end() && error->is_string() ? error->get<std::string>() : "no timing");
            continue;
        }
        FS_TRY(parsed, protocol::timingFromJson(*timing, "the PyTorch host mode's answer"));
        // PyTorch rounds where the reference does not: worth a word, still the baseline that users have.
        if (const auto check = entry.find("check"); check != entry.end() && check->is_object())
            if (const auto report = protocol::verificationFromJson(*check, name); report && !report->passed)
                log(LogLevel::Warning, "gpu",
                    name + "'s result differs from the fp64 reference by more than the tolerance");
        comparisons.push_back({name, std::move(parsed)});
    }
    if (!failures.empty())
        log(LogLevel::Warning, "gpu", "PyTorch baselines that failed: " + failures);
    if (comparisons.empty())
        return makeError(ErrorCode::Unsupported, "No PyTorch baseline could be timed: " +
                                                     (failures.empty() ? "none is known" : failures));
    return comparisons;
}

} // namespace

Result<std::vector<RecordedSpace::Baseline>> measureTorchBaselines(LocalGpu& gpu, const TorchOptions& options,
                                                                   std::stop_token stop)
{
    FS_TRY(comparisons, compare(gpu, nullptr, options, stop));
    std::vector<RecordedSpace::Baseline> baselines;
    for (const TorchComparison& comparison : comparisons) {
        RecordedSpace::Baseline baseline;
        baseline.name = comparison.name;
        baseline.lnOverAnchor = comparison.timing.lnRatio;
        baseline.lnLow = comparison.timing.lnLow;
        baseline.lnHigh = comparison.timing.lnHigh;
        baseline.timeNs = comparison.timing.anchorNs; // the baseline is in the anchor's place
        baselines.push_back(std::move(baseline));
    }
    return baselines;
}

Result<std::vector<TorchComparison>> compareWithTorch(LocalGpu& gpu, const GpuRequest& candidate,
                                                      const TorchOptions& options, std::stop_token stop)
{
    return compare(gpu, &candidate, options, stop);
}

} // namespace foresight
