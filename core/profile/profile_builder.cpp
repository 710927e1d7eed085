// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile_builder.h"

#include "core/base/utc.h"
#include "core/profile/floors.h"
#include "core/profile/instances.h"
#include "core/profile/kernel_names.h"
#include "core/profile/step_times.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace foresight {

namespace {

std::string descriptionKey(const OperatorDescription& op)
{
    std::string key = std::to_string(static_cast<int>(op.kind)) + op.name;
    for (const auto& input : op.inputs) {
        key += '|';
        key += dtypeName(input.dtype);
        for (const auto extent : input.shape)
            key += ',' + std::to_string(extent);
        key += ';';
        for (const auto stride : input.strides)
            key += ',' + std::to_string(stride);
    }
    for (const auto& [position, value] : op.scalars)
        key += '|' + std::to_string(position) + '=' + valueText(value);
    return key + '|' + symbolsText(op.attributes);
}

struct Group
{
    OperatorDescription description;
    std::vector<double> durations;
    std::set<std::string> paths;
    std::map<std::string, ProfiledKernel> kernels; // by name and launch shape
    std::string containerKey;
};

void addKernels(Group& group, const OperatorInstance& instance, const RangeTree& tree,
                const ProbeRecords& records, std::map<std::uint32_t, std::string>& kernelNames)
{
    for (const auto index : instance.work) {
        const GpuWork& work = tree.work[static_cast<std::size_t>(index)];
        ProfiledKernel kernel;
        if (work.kernel >= 0) {
            const auto& record = records.kernels[static_cast<std::size_t>(work.kernel)];
            auto [name, fresh] = kernelNames.try_emplace(record.name);
            if (fresh) {
                const auto raw = records.names.find(record.name);
                name->second = raw != records.names.end() ? demangledName(raw->second) : "[name was dropped]";
            }
            kernel.name = name->second;
            std::copy(std::begin(record.grid), std::end(record.grid), std::begin(kernel.grid));
            std::copy(std::begin(record.block), std::end(record.block), std::begin(kernel.block));
            kernel.registers = record.registers;
            kernel.staticShared = record.staticShared;
            kernel.dynamicShared = record.dynamicShared;
        } else {
            kernel.name = memoryWorkName(records.memory[static_cast<std::size_t>(work.memory)]);
        }
        std::string key = kernel.name;
        for (const auto extent : {kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.block[0],
                                  kernel.block[1], kernel.block[2]})
            key += ',' + std::to_string(extent);
        auto& entry = group.kernels.try_emplace(std::move(key), std::move(kernel)).first->second;
        ++entry.calls;
        entry.gpuNs += work.durationNs();
    }
}

double quantile(const std::vector<double>& sorted, double q)
{
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

ProfiledOperator summarise(Group& group, const ProfileBuildOptions& options, const GpuSpec& gpu,
                           double totalNs)
{
    ProfiledOperator out;
    out.description = group.description;
    out.modulePaths.assign(group.paths.begin(), group.paths.end());
    out.modulePath = out.modulePaths.size() == 1 ? out.modulePaths.front()
                     : out.modulePaths.empty()   ? ""
                                                 : "*";
    auto& times = group.durations;
    std::sort(times.begin(), times.end());
    out.calls = static_cast<std::int64_t>(times.size());
    out.gpuNs = std::accumulate(times.begin(), times.end(), 0.0);
    out.meanNs = out.gpuNs / static_cast<double>(times.size());
    out.minNs = times.front();
    out.maxNs = times.back();
    out.p50Ns = quantile(times, 0.5);
    out.p95Ns = quantile(times, 0.95);
    out.share = totalNs > 0 ? out.gpuNs / totalNs : 0;
    OperatorCost cost = operatorCost(out.description);
    if (cost.kind != FloorKind::Known && options.serve) {
        if (const auto problem = options.serve(out.description)) {
            cost.kind = FloorKind::Known;
            cost.bytes = problem->compulsoryBytes;
            cost.flops = problem->flops;
            out.floorNs = problem->floorNs(gpu);
        }
    }
    if (out.floorNs == 0 && cost.kind != FloorKind::None)
        out.floorNs = costFloorNs(cost, gpu);
    out.floorKind = out.floorNs > 0 ? cost.kind : FloorKind::None;
    out.bytes = cost.bytes;
    out.flops = cost.flops;
    if (out.floorKind != FloorKind::None)
        out.headroomNs = std::max(0.0, out.gpuNs - static_cast<double>(out.calls) * out.floorNs);
    for (auto& [key, kernel] : group.kernels)
        out.kernels.push_back(std::move(kernel));
    std::stable_sort(out.kernels.begin(), out.kernels.end(),
                     [](const auto& a, const auto& b) { return a.gpuNs > b.gpuNs; });
    return out;
}

GpuSpec deviceSpec(const ProbeRecords& records)
{
    GpuSpec spec;
    if (records.devices.empty())
        return spec;
    const auto& device = records.devices.front();
    spec.name = device.name;
    spec.computeMajor = device.values.computeMajor;
    spec.computeMinor = device.values.computeMinor;
    spec.smCount = device.values.smCount;
    spec.l2Bytes = device.values.l2Bytes;
    spec.memoryBytes = device.values.memoryBytes;
    // Double data rate on both edges of the memory clock.
    spec.peakBandwidth = 2.0 * 1000.0 * static_cast<double>(device.values.memoryClockKhz) *
                         static_cast<double>(device.values.memoryBusBits) / 8.0;
    spec.source = "the driver's device attributes";
    return spec;
}

void fillHeader(Profile& profile, const ProbeRecords& records, const RangeTree& tree,
                const ProfileBuildOptions& options)
{
    profile.gpu = options.gpu.name.empty() ? deviceSpec(records) : options.gpu;
    profile.gpuName = records.devices.empty() ? profile.gpu.name : records.devices.front().name;
    profile.driver = options.driver;
    profile.date = options.date;
    if (profile.date.empty() && records.hello.wallClockNs > 0)
        profile.date = utcText(static_cast<std::time_t>(records.hello.wallClockNs / 1000000000u));
    profile.revision = options.revision;
    profile.command = records.command;
    std::replace(profile.command.begin(), profile.command.end(), '\n', ' ');
    profile.title = options.title.empty() ? profile.command : options.title;
    for (const auto& [key, value] : tree.info) {
        if (key == "torch")
            profile.torch = value;
        else if (key == "cuda")
            profile.cuda = value;
        else if (key == "python")
            profile.python = value;
    }
    profile.records.received = static_cast<std::int64_t>(records.counts.received);
    profile.records.dropped =
        static_cast<std::int64_t>(records.counts.droppedByCupti + records.counts.droppedRecords);
    profile.records.untimed = tree.untimed;
    profile.records.unmatched = tree.unmatched;
    profile.records.disturbedBy = tree.disturbedBy;
    profile.probeOverheadNs = static_cast<double>(records.counts.hostOverheadNs);
    for (const auto& status : records.statuses)
        profile.notes.push_back(status.advice.empty() ? status.message
                                                      : status.message + ". " + status.advice);
    profile.notes.insert(profile.notes.end(), tree.notes.begin(), tree.notes.end());
    if (!records.finalCounts)
        profile.notes.push_back(
            "The program ended without a last word from the probe (killed or crashed): the last "
            "records may be missing.");
    if (records.kernels.empty() && records.memory.empty() && records.statuses.empty() &&
        tree.disturbedBy.empty())
        profile.notes.push_back(
            tree.nodes.empty()
                ? "The program launched nothing on a GPU while it was recorded."
                : "Operators ran, but no GPU work was reported: either the model runs on the CPU "
                  "or another profiler took over CUPTI.");
}

} // namespace

std::function<std::optional<Problem>(const OperatorDescription&)> servedBy(const FamilyRegistry& registry)
{
    return [&registry](const OperatorDescription& op) -> std::optional<Problem> {
        auto matches = registry.match(op);
        if (matches.empty())
            return std::nullopt;
        return std::move(matches.front().problem);
    };
}

Profile buildProfile(const ProbeRecords& records, const ProfileBuildOptions& options)
{
    const RangeTree tree = buildRangeTree(records);
    Profile profile;
    fillHeader(profile, records, tree, options);
    fillStepTimes(profile, tree);
    for (const GpuWork& work : tree.work) {
        if (!tree.inPlainStep(work.step))
            profile.gpuNs += work.durationNs();
    }

    // The same question is asked for every call; answers depend on the description alone.
    std::map<std::string, std::optional<Problem>> answers;
    const ServeFunction serve = [&](const OperatorDescription& op) -> std::optional<Problem> {
        if (!options.serve)
            return std::nullopt;
        const auto [entry, fresh] = answers.try_emplace(descriptionKey(op));
        if (fresh)
            entry->second = options.serve(op);
        return entry->second;
    };
    const auto instances = findInstances(tree, records, serve);

    std::map<std::string, Group> groups;
    std::map<std::uint32_t, std::string> kernelNames;
    for (const auto& instance : instances) {
        std::string key = descriptionKey(instance.description), containerKey;
        if (instance.container >= 0) {
            containerKey =
                descriptionKey(instances[static_cast<std::size_t>(instance.container)].description);
            key += " in " + containerKey;
        }
        Group& group = groups[key];
        group.description = instance.description;
        group.containerKey = std::move(containerKey);
        group.paths.insert(instance.path);
        double total = 0;
        for (const auto work : instance.work)
            total += tree.work[static_cast<std::size_t>(work)].durationNs();
        group.durations.push_back(total);
        addKernels(group, instance, tree, records, kernelNames);
    }

    std::vector<std::pair<ProfiledOperator, const std::pair<const std::string, Group>*>> found;
    for (auto& entry : groups)
        found.emplace_back(summarise(entry.second, options, profile.gpu, profile.gpuNs), &entry);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first.headroomNs != b.first.headroomNs ? a.first.headroomNs > b.first.headroomNs
                                                        : a.first.gpuNs > b.first.gpuNs;
    });
    std::map<std::string, OperatorId> ids;
    for (std::size_t i = 0; i < found.size(); ++i)
        ids[found[i].second->first] = OperatorId(static_cast<std::int64_t>(i) + 1);
    for (auto& [op, entry] : found) {
        op.id = ids[entry->first];
        if (!entry->second.containerKey.empty())
            op.overlapsWith = ids[entry->second.containerKey];
        profile.operators.push_back(std::move(op));
    }
    return profile;
}

} // namespace foresight
