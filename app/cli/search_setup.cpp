// SPDX-License-Identifier: Apache-2.0
#include "app/cli/search_setup.h"

#include "core/base/file.h"
#include "core/gpu/local_gpu.h"
#include "core/profile/profile.h"
#include "core/search/evaluate_spaces.h"
#include "core/store/session.h"

#include <cmath>
#include <fmt/format.h>

namespace foresight::cli {
namespace {

struct Wanted
{
    std::shared_ptr<const Family> family; // absent for foreign spaces
    std::optional<Problem> problem;
    std::string operatorName;
    std::int64_t operatorId = -1;
};

std::string operatorList(const Profile& profile, const FamilyRegistry& registry)
{
    std::string text;
    for (const auto& op : profile.operators)
        if (!registry.match(op.description).empty())
            text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", op.id.value, op.description.name);
    return text.empty() ? "none of this session's operators is served by a family"
                        : "operators that can be searched: " + text;
}

Result<Wanted> wantedOperator(Output& output, const SearchSource& source, const FamilyRegistry& registry)
{
    FS_TRY(session, Session::open(source.session, Session::Mode::ReadOnly));
    FS_TRY(profile, loadProfile(*session));
    for (const auto& op : profile.operators) {
        if (op.id.value != *source.operatorId)
            continue;
        for (const auto& match : registry.match(op.description))
            if (source.family.empty() || match.family->name() == source.family)
                return Wanted{match.family, match.problem, op.description.name, op.id.value};
        return makeError(ErrorCode::Unsupported,
                         fmt::format("no family serves operator {} ({})", op.id.value, op.description.name),
                         operatorList(profile, registry));
    }
    return output.usage(fmt::format("{} has no operator {}", source.session, *source.operatorId),
                        operatorList(profile, registry));
}

Result<Wanted> wantedFamily(Output& output, const SearchSource& source, const FamilyRegistry& registry)
{
    FS_TRY(family, findFamily(output, registry, source.family));
    FS_TRY(problem, makeProblem(output, *family, source.problem));
    return Wanted{family, problem, family->title(), -1};
}

// A space of ours names its family; with it the forecaster knows floors, and a local GPU can run it.
Wanted wantedSpace(const RecordedSpace& space, const FamilyRegistry& registry)
{
    Wanted wanted;
    wanted.operatorName = space.title.empty() ? fileName(space.file) : space.title;
    if (const auto family = space.familyName.empty() ? nullptr : registry.find(space.familyName))
        if (auto problem = family->makeProblem(space.dtype, space.layout, space.symbols);
            problem && problem->key == space.problemKey) {
            wanted.family = family;
            wanted.problem = std::move(problem).value();
        }
    return wanted;
}

Result<void> useBaseline(Output& output, PreparedSearch& prepared, const std::string& name)
{
    prepared.baselineName = name;
    if (name == "family-default")
        return {};
    std::string known = "family-default";
    if (prepared.space)
        for (const auto& baseline : prepared.space->baselines) {
            if (baseline.name == name) {
                prepared.lnBaselineOverAnchor = baseline.lnOverAnchor;
                return {};
            }
            known += ", " + baseline.name;
        }
    return output.usage("--baseline: \"" + name + "\" was not measured for this problem",
                        "known here: " + known);
}

Result<PreparedSearch> onRecorded(Output& output, const SearchSource& source, const Wanted& wanted,
                                  std::shared_ptr<const RecordedSpace> space)
{
    PreparedSearch prepared;
    prepared.space = space;
    prepared.target = targetOfRecordedSpace(space);
    prepared.target.operatorName = wanted.operatorName;
    prepared.target.problem = wanted.problem;
    prepared.operatorId = wanted.operatorId;
    prepared.spec = space->gpu;
    const RecordedMode mode = source.noisy ? RecordedMode::Noisy : RecordedMode::Mean;
    prepared.makeGpu = [space, mode](std::uint64_t seed,
                                     const std::stop_token&) -> Result<std::unique_ptr<Gpu>> {
        return makeRecordedGpu(space, mode, seed);
    };
    FS_CHECK(useBaseline(output, prepared, source.baseline));
    return prepared;
}

Result<PreparedSearch> onLocal(Output& output, const SearchSource& source, const Wanted& wanted,
                               const GpuSpec& spec)
{
    if (!wanted.family || !wanted.problem)
        return makeError(ErrorCode::Unsupported,
                         "this recorded space does not name a family, so nothing can be compiled",
                         "use --gpu recorded");
    PreparedSearch prepared;
    const auto family = wanted.family;
    const Problem problem = *wanted.problem;
    FS_TRY(space, family->enumerate(problem, spec));
    FS_TRY(standard, family->defaultConfiguration(problem, spec));
    auto shared = std::make_shared<const ConfigSpace>(std::move(space));
    prepared.spec = spec;
    prepared.operatorId = wanted.operatorId;
    prepared.target.operatorName = wanted.operatorName;
    prepared.target.problemKey = problem.key;
    prepared.target.problem = problem;
    prepared.target.space = shared;
    if (const auto index = shared->find(standard))
        prepared.target.defaultIndex = static_cast<std::uint32_t>(*index);
    prepared.target.plan = [family, problem, shared](std::uint32_t index) {
        return family->instantiate(problem, shared->configuration(index));
    };
    FS_TRY(options, localGpuOptions(family, problem, spec));
    options.device = source.device;
    prepared.makeGpu = [options](std::uint64_t seed,
                                 const std::stop_token& stop) -> Result<std::unique_ptr<Gpu>> {
        LocalGpuOptions own = options;
        own.seed = seed;
        FS_TRY(gpu, LocalGpu::make(std::move(own), stop));
        return std::unique_ptr<Gpu>(std::move(gpu));
    };
    FS_CHECK(useBaseline(output, prepared, source.baseline));
    return prepared;
}

Result<std::shared_ptr<const RecordedSpace>> loadSpace(const std::string& file)
{
    FS_TRY(space, readRecordedSpace(file));
    return std::shared_ptr<const RecordedSpace>(std::make_shared<RecordedSpace>(std::move(space)));
}

// The recorded space of this problem: shipped, the user's, or beside the session.
Result<std::string> findSpace(const SearchSource& source, const Wanted& wanted, const std::string& dataFolder)
{
    std::vector<std::string> folders = {joinPath(dataFolder, "profiles/spaces"),
                                        joinPath(userDataFolder(), "spaces")};
    if (!source.session.empty())
        folders.push_back(parentFolder(source.session).empty() ? "." : parentFolder(source.session));
    const auto found = findRecordedSpaces(folders, wanted.problem->key);
    if (found.empty())
        return makeError(ErrorCode::NotFound, "no recorded space of " + wanted.problem->key + " was found",
                         "record one on a GPU with foresight-cli sweep, or search with --gpu local");
    return found.front();
}

} // namespace

Result<std::unique_ptr<Forecaster>> PreparedSearch::makeForecaster(const SearchOptions& options) const
{
    ForecasterContext context;
    context.space = target.space;
    context.problem = target.problem;
    context.gpu = spec;
    context.seed = options.seed;
    if (target.anchorNs)
        context.baselineNs = *target.anchorNs * std::exp(options.lnBaselineOverAnchor);
    return foresight::makeForecaster(options.forecaster, std::move(context));
}

Result<PreparedSearch> prepareSearch(Output& output, const SearchSource& source)
{
    const bool recordedFile = source.gpu.starts_with("recorded:");
    if (!recordedFile && source.gpu != "auto" && source.gpu != "local" && source.gpu != "recorded")
        return output.usage("--gpu: \"" + source.gpu + "\" is unknown",
                            "choose auto, local, recorded or recorded:FILE");
    FS_TRY(loaded, loadFamilies(output));
    Wanted wanted;
    std::shared_ptr<const RecordedSpace> space;
    if (!source.spaceFile.empty()) {
        FS_TRY(read, loadSpace(source.spaceFile));
        space = read;
        wanted = wantedSpace(*space, loaded.registry);
    } else if (source.operatorId) {
        FS_TRY(found, wantedOperator(output, source, loaded.registry));
        wanted = std::move(found);
    } else {
        FS_TRY(found, wantedFamily(output, source, loaded.registry));
        wanted = std::move(found);
    }
    // A space that was named is what the user wants to search on, unless told otherwise.
    if (source.gpu == "local" || (source.gpu == "auto" && !space)) {
        if (auto spec = probeLocalGpu(source.device))
            return onLocal(output, source, wanted, *spec);
        else if (source.gpu == "local")
            return spec.error();
    }
    if (recordedFile) {
        FS_TRY(read, loadSpace(source.gpu.substr(9)));
        space = read;
        if (wanted.problem && space->problemKey != wanted.problem->key)
            return output.usage("the recorded space is of " + space->problemKey + ", not of " +
                                wanted.problem->key);
    }
    if (!space) {
        FS_TRY(file, findSpace(source, wanted, loaded.dataFolder));
        FS_TRY(read, loadSpace(file));
        space = read;
    }
    return onRecorded(output, source, wanted, space);
}

Result<SearchSource> sourceOfProblemKey(std::string_view key)
{
    const auto open = key.find('[');
    const auto close = key.find("] ", open);
    const auto space = close == std::string_view::npos ? close : key.find(' ', close + 2);
    if (open == std::string_view::npos || space == std::string_view::npos)
        return makeError(ErrorCode::Unsupported, "the search of " + std::string(key) + " cannot be continued",
                         "name its recorded space with --space");
    SearchSource source;
    source.family = std::string(key.substr(0, open));
    if (close > open + 1)
        source.problem.shape = {std::string(key.substr(open + 1, close - open - 1))};
    source.problem.dtype = std::string(key.substr(close + 2, space - close - 2));
    source.problem.layout = std::string(key.substr(space + 1));
    return source;
}

} // namespace foresight::cli
