// SPDX-License-Identifier: Apache-2.0
#include "core/search/setup.h"

#include "core/base/file.h"
#include "core/gpu/local_gpu.h"
#include "core/search/setup_internal.h"

#include <cmath>

namespace foresight {

Result<std::string> dataFolderOf(const SearchRequest& request)
{
    if (!request.dataFolder.empty())
        return request.dataFolder;
    return dataFolder();
}

std::vector<std::string> defaultSpaceFolders(const std::string& dataFolder)
{
    return {joinPath(dataFolder, "profiles/spaces"), joinPath(userDataFolder(), "spaces")};
}

std::function<Result<KernelPlan>(std::uint32_t)>
planMaker(std::shared_ptr<const Family> family, Problem problem, std::shared_ptr<const ConfigSpace> space)
{
    return [family = std::move(family), problem = std::move(problem), space = std::move(space)](
               std::uint32_t index) { return family->instantiate(problem, space->configuration(index)); };
}

Result<FoundProblem> findProblem(const SearchRequest& request)
{
    FS_TRY(folder, dataFolderOf(request));
    FS_TRY(registry, FamilyRegistry::load(folder, joinPath(userDataFolder(), "kernels")));
    if (request.op) {
        std::string why;
        for (const auto& family : registry.families()) {
            std::string reason;
            if (auto problem = family->match(*request.op, &reason))
                return FoundProblem{family, std::move(*problem)};
            if (!reason.empty())
                why += (why.empty() ? "" : "; ") + family->name() + ": " + reason;
        }
        return makeError(ErrorCode::Unsupported,
                         "no kernel family serves " + request.op->name +
                             (why.empty() ? std::string() : " (" + why + ")"),
                         "`foresight-cli families` lists what can be searched");
    }
    const auto family = registry.find(request.family);
    if (!family) {
        std::string names;
        for (const auto& known : registry.families())
            names += (names.empty() ? "" : ", ") + known->name();
        return makeError(ErrorCode::NotFound, "there is no kernel family '" + request.family + "'",
                         "the families are: " + names);
    }
    Symbols symbols = request.symbols;
    if (request.dropUnknownSymbols)
        std::erase_if(symbols, [known = family->symbols()](const auto& symbol) {
            for (const auto& info : known)
                if (info.name == symbol.first)
                    return false;
            return true;
        });
    FS_TRY(problem, family->makeProblem(request.dtype, request.layout, symbols));
    return FoundProblem{family, std::move(problem)};
}

SearchRequest requestToResume(const StartedPayload& started, const std::string& spaceFile)
{
    SearchRequest request;
    request.options = started.options;
    request.baseline = started.options.baselineName;
    request.operatorName = started.operatorName;
    request.family = started.family;
    request.layout = started.layout;
    request.dtype = started.dtype;
    request.symbols = started.symbols;
    request.dropUnknownSymbols = true;
    request.gpu = started.recorded ? GpuChoice::Recorded : GpuChoice::Local;
    if (started.recorded && fileExists(spaceFile))
        request.spaceFile = spaceFile;
    return request;
}

Result<PreparedSearch> prepareSearch(SearchRequest request, std::stop_token stop)
{
    FS_CHECK(checkSearchOptions(request.options));
    PreparedSearch prepared;
    prepared.options = request.options;

    std::optional<FoundProblem> found;
    if (request.spaceFile.empty()) {
        FS_TRY(problem, findProblem(request));
        found = std::move(problem);
    }
    bool local = request.gpu == GpuChoice::Local;
    if (request.gpu == GpuChoice::Auto && found) {
        auto spec = probeLocalGpu(request.device);
        local = spec.ok();
        if (!local)
            prepared.notes.push_back("recorded measurements are used: " + spec.error().message);
    }
    if (local) {
        if (!found)
            return makeError(ErrorCode::InvalidArgument,
                             "a recorded space cannot be searched on this machine's GPU",
                             "name a family and a shape, or leave the choice of the GPU out");
        FS_CHECK(prepareLocal(request, *found, prepared, stop));
    } else {
        FS_CHECK(prepareRecorded(request, found, prepared));
    }
    if (!request.operatorName.empty())
        prepared.target.operatorName = request.operatorName;
    if (stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "preparing the search was stopped");

    ForecasterContext context;
    context.space = prepared.target.space;
    context.problem = prepared.target.problem;
    context.gpu = prepared.gpu->info().spec;
    context.seed = prepared.options.seed;
    if (prepared.target.anchorNs)
        context.baselineNs = *prepared.target.anchorNs * std::exp(prepared.options.lnBaselineOverAnchor);
    FS_TRY(forecaster, makeForecaster(prepared.options.forecaster, std::move(context)));
    prepared.forecaster = std::move(forecaster);
    return prepared;
}

} // namespace foresight
