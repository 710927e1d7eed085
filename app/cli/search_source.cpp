// SPDX-License-Identifier: Apache-2.0
#include "app/cli/search_source.h"

#include "core/base/file.h"
#include "core/profile/profile.h"
#include "core/store/session.h"

#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace foresight::cli {
namespace {

std::string searchableOperators(const Profile& profile, const FamilyRegistry& registry)
{
    std::string text;
    for (const auto& op : profile.operators)
        if (!registry.match(op.description).empty())
            text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", op.id.value, op.description.name);
    return text.empty() ? "none of this session's operators is served by a family"
                        : "operators that can be searched: " + text;
}

// Stored with the search, so it must still mean the same file from another folder.
std::string absolutePath(const std::string& path)
{
    char* real = ::realpath(path.c_str(), nullptr);
    std::string result = real == nullptr ? path : real;
    std::free(real);
    return result;
}

Result<void> nameOperator(Output& output, const SearchSource& source, const LoadedFamilies& loaded,
                          SearchRequest& request)
{
    FS_TRY(session, Session::open(source.session, Session::Mode::ReadOnly));
    FS_TRY(profile, loadProfile(*session));
    for (const auto& op : profile.operators) {
        if (op.id.value != *source.operatorId)
            continue;
        if (loaded.registry.match(op.description).empty())
            return makeError(
                ErrorCode::Unsupported,
                fmt::format("no family serves operator {} ({})", op.id.value, op.description.name),
                searchableOperators(profile, loaded.registry));
        request.op = op.description;
        request.preferredGpu = profile.gpuName;
        // A space recorded for this profile may lie beside it.
        request.spaceFolders = defaultSpaceFolders(loaded.dataFolder);
        const std::string folder = parentFolder(source.session);
        request.spaceFolders.push_back(folder.empty() ? "." : folder);
        return {};
    }
    return output.usage(fmt::format("{} has no operator {}", source.session, *source.operatorId),
                        searchableOperators(profile, loaded.registry));
}

Result<void> nameFamily(Output& output, const SearchSource& source, const LoadedFamilies& loaded,
                        SearchRequest& request)
{
    FS_TRY(family, findFamily(output, loaded.registry, source.family));
    FS_TRY(problem, makeProblem(output, *family, source.problem));
    FS_TRY(symbols, parseAssignments(output, source.problem.shape, "--shape"));
    request.family = family->name();
    request.dtype = problem.dtype;
    request.layout = problem.layout;
    request.symbols = std::move(symbols);
    return {};
}

} // namespace

Result<SearchRequest> makeRequest(Output& output, const SearchSource& source)
{
    SearchRequest request;
    if (source.gpu == "local") {
        request.gpu = GpuChoice::Local;
    } else if (source.gpu == "recorded") {
        request.gpu = GpuChoice::Recorded;
    } else if (source.gpu.starts_with("recorded:")) {
        request.gpu = GpuChoice::Recorded;
        request.recordedFile = absolutePath(source.gpu.substr(std::string_view("recorded:").size()));
    } else if (source.gpu != "auto") {
        return output.usage("--gpu: \"" + source.gpu + "\" is unknown",
                            "choose auto, local, recorded or recorded:FILE");
    }
    request.device = source.device;
    request.mode = source.noisy ? RecordedMode::Noisy : RecordedMode::Mean;
    request.baseline = source.baseline;
    FS_TRY(loaded, loadFamilies(output));
    request.dataFolder = loaded.dataFolder;
    if (!source.spaceFile.empty())
        request.spaceFile = absolutePath(source.spaceFile);
    else if (source.operatorId)
        FS_CHECK(nameOperator(output, source, loaded, request));
    else
        FS_CHECK(nameFamily(output, source, loaded, request));
    return request;
}

} // namespace foresight::cli
