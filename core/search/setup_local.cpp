// SPDX-License-Identifier: Apache-2.0
#include "core/search/setup_internal.h"

#include "core/gpu/local_gpu.h"
#include "core/gpu/torch_baselines.h"

#include <algorithm>

namespace foresight {

namespace {

// PyTorch's own implementation against the anchor, when an interpreter with PyTorch is there and one was not
// given.
void measureBaseline(const SearchRequest& request, LocalGpu& gpu, PreparedSearch& prepared,
                     std::stop_token stop)
{
    SearchOptions& options = prepared.options;
    if (options.lnBaselineOverAnchor != 0)
        return;
    options.baselineName = "family-default";
    if (request.baseline == "family-default")
        return;
    TorchOptions torch;
    torch.names = {request.baseline.empty() ? std::string("torch-eager") : request.baseline};
    torch.seed = options.seed;
    torch.regime = options.timing.regime;
    auto baselines = measureTorchBaselines(gpu, torch, std::move(stop));
    if (!baselines || baselines->empty()) {
        prepared.notes.push_back("speedups are over the family's default: " + torch.names.front() +
                                 " was not timed (" +
                                 (baselines ? std::string("no result") : baselines.error().message) + ")");
        return;
    }
    const RecordedSpace::Baseline& baseline = baselines->front();
    options.baselineName = baseline.name;
    options.lnBaselineOverAnchor = baseline.lnOverAnchor;
    prepared.lnBaselineLow = baseline.lnLow;
    prepared.lnBaselineHigh = baseline.lnHigh;
}

} // namespace

Result<void> prepareLocal(const SearchRequest& request, const FoundProblem& found, PreparedSearch& prepared,
                          std::stop_token stop)
{
    FS_TRY(spec, probeLocalGpu(request.device));
    FS_TRY(space, found.family->enumerate(found.problem, spec));
    if (space.size() == 0)
        return makeError(ErrorCode::Unsupported, "no configuration of " + found.family->name() +
                                                     " is valid for " + found.problem.key + " on " +
                                                     spec.name);
    prepared.family = found.family;
    SearchTarget& target = prepared.target;
    target.operatorName = request.op ? request.op->name : found.family->title();
    target.problemKey = found.problem.key;
    target.problem = found.problem;
    target.space = std::make_shared<const ConfigSpace>(std::move(space));
    target.plan = planMaker(found.family, found.problem, target.space);
    FS_TRY(standard, found.family->defaultConfiguration(found.problem, spec));
    if (const auto index = target.space->find(standard))
        target.defaultIndex = static_cast<std::uint32_t>(*index);

    FS_TRY(options, localGpuOptions(found.family, found.problem, spec));
    options.device = request.device;
    options.seed = prepared.options.seed;
    FS_TRY(gpu, LocalGpu::make(std::move(options), stop));
    measureBaseline(request, *gpu, prepared, stop);
    // One candidate is timed at a time; the others in flight are compiling meanwhile.
    if (prepared.options.maxInFlight == 1)
        prepared.options.maxInFlight = std::clamp(gpu->info().maxCompiles, 1, 4);
    prepared.gpu = std::move(gpu);
    return {};
}

} // namespace foresight
