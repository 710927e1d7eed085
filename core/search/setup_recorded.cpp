// SPDX-License-Identifier: Apache-2.0
#include "core/search/setup_internal.h"

#include "core/base/file.h"
#include "core/search/evaluate_spaces.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view separator)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? std::string() : std::string(separator)) + part;
    return text;
}

// Which recordings of the family there are instead, at most five, those of the same dtype first.
std::string nearest(const std::vector<RecordedSpaceHeader>& headers, const Problem& problem)
{
    std::vector<const RecordedSpaceHeader*> near;
    for (const RecordedSpaceHeader& header : headers)
        if (header.familyName == problem.family)
            near.push_back(&header);
    std::stable_sort(near.begin(), near.end(), [&](const auto* x, const auto* y) {
        const auto likeness = [&](const RecordedSpaceHeader* h) {
            return (h->dtype == problem.dtype ? 2 : 0) + (h->layout == problem.layout ? 1 : 0);
        };
        return likeness(x) > likeness(y);
    });
    std::vector<std::string> keys;
    for (const RecordedSpaceHeader* header : near)
        if (keys.size() < 5 && std::find(keys.begin(), keys.end(), header->problemKey) == keys.end())
            keys.push_back(header->problemKey);
    return joined(keys, "; ");
}

Result<std::string> findSpaceFile(const SearchRequest& request, const Problem& problem)
{
    if (!request.recordedFile.empty())
        return request.recordedFile;
    FS_TRY(folder, dataFolderOf(request));
    const std::vector<std::string> folders =
        request.spaceFolders.empty() ? defaultSpaceFolders(folder) : request.spaceFolders;
    if (!request.preferredGpu.empty())
        if (const auto paths = findRecordedSpaces(folders, problem.key, request.preferredGpu); !paths.empty())
            return paths.front();
    if (const auto paths = findRecordedSpaces(folders, problem.key); !paths.empty())
        return paths.front();
    const std::string others = nearest(listRecordedSpaces(folders), problem);
    return makeError(
        ErrorCode::NotFound,
        "there is no recorded space for " + problem.key + " in " + joined(folders, " or "),
        others.empty()
            ? "no space of the family " + problem.family +
                  " has been recorded; record one with `foresight-cli sweep` on a machine with a GPU"
            : "recorded of this family are: " + others);
}

void chooseBaseline(const SearchRequest& request, PreparedSearch& prepared)
{
    SearchOptions& options = prepared.options;
    const auto find = [&](std::string_view name) {
        return std::find_if(prepared.space->baselines.begin(), prepared.space->baselines.end(),
                            [&](const RecordedSpace::Baseline& b) { return b.name == name; });
    };
    if (options.lnBaselineOverAnchor !=
        0) { // given, or of a search that goes on: only its interval is looked up
        if (const auto same = find(options.baselineName);
            same != prepared.space->baselines.end() && same->lnOverAnchor == options.lnBaselineOverAnchor) {
            prepared.lnBaselineLow = same->lnLow;
            prepared.lnBaselineHigh = same->lnHigh;
        }
        return;
    }
    std::string wanted = request.baseline;
    if (wanted.empty())
        wanted = find("torch-eager") != prepared.space->baselines.end() ? "torch-eager" : "family-default";
    options.baselineName = "family-default";
    if (wanted == "family-default")
        return;
    const auto baseline = find(wanted);
    if (baseline == prepared.space->baselines.end()) {
        prepared.notes.push_back("this space has no baseline '" + wanted +
                                 "'; speedups are over the family's default");
        return;
    }
    options.baselineName = baseline->name;
    options.lnBaselineOverAnchor = baseline->lnOverAnchor;
    prepared.lnBaselineLow = baseline->lnLow;
    prepared.lnBaselineHigh = baseline->lnHigh;
}

// The family behind a space file, if it is one of ours and still makes the same configurations.
void attachFamily(const SearchRequest& request, const std::optional<FoundProblem>& found,
                  PreparedSearch& prepared)
{
    const RecordedSpace& space = *prepared.space;
    std::optional<FoundProblem> problem = found;
    if (!problem && !space.familyName.empty()) {
        SearchRequest byName = request;
        byName.op.reset();
        byName.family = space.familyName;
        byName.dtype = space.dtype;
        byName.layout = space.layout.empty() ? "contiguous" : space.layout;
        byName.symbols = space.symbols;
        byName.dropUnknownSymbols = true;
        if (auto made = findProblem(byName))
            problem = std::move(*made);
        else
            prepared.notes.push_back("sources of candidates cannot be shown: " + made.error().message);
    }
    if (!problem)
        return;
    if (!space.familyHash.empty() && space.familyHash != problem->family->sourceHash())
        prepared.notes.push_back("the space was recorded with another version of the family " +
                                 problem->family->name());
    prepared.family = problem->family;
    prepared.target.problem = problem->problem;
    prepared.target.problemKey = problem->problem.key;
    prepared.target.plan = planMaker(problem->family, problem->problem, prepared.target.space);
}

} // namespace

Result<void> prepareRecorded(const SearchRequest& request, const std::optional<FoundProblem>& found,
                             PreparedSearch& prepared)
{
    std::string file = request.spaceFile;
    if (file.empty()) {
        FS_TRY(path, findSpaceFile(request, found->problem));
        file = std::move(path);
    }
    auto read = readRecordedSpace(file);
    if (!read)
        return read.error().within(file);
    if (read->space.size() == 0)
        return makeError(ErrorCode::InvalidArgument, file + " has no configuration to search");
    if (found && !read->problemKey.empty() && read->problemKey != found->problem.key)
        return makeError(ErrorCode::InvalidArgument,
                         file + " was recorded for " + read->problemKey + ", not for " + found->problem.key,
                         "leave the file out to have the right one looked for");
    read->file = file;
    prepared.space = std::make_shared<const RecordedSpace>(std::move(*read));
    prepared.target = targetOfRecordedSpace(prepared.space);
    attachFamily(request, found, prepared);
    if (request.op)
        prepared.target.operatorName = request.op->name;
    chooseBaseline(request, prepared);
    if (!prepared.target.defaultIndex)
        prepared.notes.push_back(
            "the space names no default: speedups are over the first successful measurement");
    for (const std::string& note : prepared.space->notes)
        prepared.notes.push_back(note);
    prepared.gpu = makeRecordedGpu(prepared.space, request.mode, prepared.options.seed);
    return {};
}

} // namespace foresight
