// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/gpu_spec.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <algorithm>

namespace foresight {

namespace {

struct IntegerField
{
    const char* key;
    std::int64_t GpuSpec::*member;
    bool required;
};
struct IntField
{
    const char* key;
    int GpuSpec::*member;
    bool required;
};
struct RealField
{
    const char* key;
    double GpuSpec::*member;
    double unit; // file value x unit = member
};

constexpr IntField kInts[] = {
    {"compute_major", &GpuSpec::computeMajor, true},
    {"compute_minor", &GpuSpec::computeMinor, true},
    {"sm_count", &GpuSpec::smCount, true},
    {"max_threads_per_block", &GpuSpec::maxThreadsPerBlock, false},
    {"max_threads_per_sm", &GpuSpec::maxThreadsPerSm, false},
    {"max_blocks_per_sm", &GpuSpec::maxBlocksPerSm, false},
};
constexpr IntegerField kIntegers[] = {
    {"registers_per_sm", &GpuSpec::registersPerSm, false},
    {"registers_per_block", &GpuSpec::registersPerBlock, false},
    {"shared_per_block", &GpuSpec::sharedPerBlock, false},
    {"shared_per_block_optin", &GpuSpec::sharedPerBlockOptin, false},
    {"shared_per_sm", &GpuSpec::sharedPerSm, false},
    {"reserved_shared_per_block", &GpuSpec::reservedSharedPerBlock, false},
    {"l2_bytes", &GpuSpec::l2Bytes, true},
    {"memory_bytes", &GpuSpec::memoryBytes, true},
};
constexpr RealField kReals[] = {
    {"peak_bandwidth", &GpuSpec::peakBandwidth, 1},
    {"copy_bandwidth", &GpuSpec::copyBandwidth, 1},
    {"empty_kernel_ns", &GpuSpec::emptyKernelNs, 1},
    {"peak_flops_f32", &GpuSpec::peakFlopsF32, 1},
};

Error wrong(std::string_view what, const char* key, const char* wanted)
{
    return makeError(ErrorCode::ParseError, std::string(what) + ": '" + key + "' is missing or not " + wanted,
                     "profiles/gpus holds complete examples of GPU descriptions.");
}

std::int64_t roundUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace

std::string GpuSpec::archName() const
{
    return "sm_" + std::to_string(arch());
}

Result<GpuSpec> gpuSpecFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return makeError(ErrorCode::ParseError,
                         std::string(what) + ": a GPU description must be a JSON object");
    GpuSpec spec;
    FS_TRY(name, jsonString(json, "name", what));
    spec.name = name;
    for (const IntField& field : kInts) {
        const auto found = json.find(field.key);
        if (found == json.end() && !field.required)
            continue;
        if (found == json.end() || !found->is_number_integer() || found->get<std::int64_t>() < 0 ||
            found->get<std::int64_t>() > 1'000'000)
            return wrong(what, field.key, "a whole number");
        spec.*field.member = found->get<int>();
    }
    for (const IntegerField& field : kIntegers) {
        const auto found = json.find(field.key);
        if (found == json.end() && !field.required)
            continue;
        if (found == json.end() || !found->is_number_integer() || found->get<std::int64_t>() < 0)
            return wrong(what, field.key, "a whole number");
        spec.*field.member = found->get<std::int64_t>();
    }
    for (const RealField& field : kReals) {
        const auto found = json.find(field.key);
        if (found == json.end())
            continue;
        if (!found->is_number() || found->get<double>() < 0)
            return wrong(what, field.key, "a number >= 0");
        spec.*field.member = found->get<double>() * field.unit;
    }
    if (spec.smCount < 1 || spec.computeMajor < 1)
        return makeError(ErrorCode::ParseError,
                         std::string(what) + ": sm_count and compute_major must be positive");
    if (const auto found = json.find("matrix_flops"); found != json.end()) {
        if (!found->is_object())
            return wrong(what, "matrix_flops", "an object of dtype: flop/s");
        for (const auto& [dtype, rate] : found->items()) {
            if (!rate.is_number())
                return wrong(what, "matrix_flops", "an object of dtype: flop/s");
            spec.matrixFlops[dtype] = rate.get<double>();
        }
    }
    for (const auto& [key, member] :
         {std::pair{"driver", &GpuSpec::driver}, std::pair{"source", &GpuSpec::source}}) {
        const auto found = json.find(key);
        if (found == json.end())
            continue;
        if (!found->is_string())
            return wrong(what, key, "a text");
        spec.*member = found->get<std::string>();
    }
    return spec;
}

Json gpuSpecToJson(const GpuSpec& spec)
{
    Json json = Json::object();
    json["name"] = spec.name;
    for (const IntField& field : kInts)
        json[field.key] = spec.*field.member;
    for (const IntegerField& field : kIntegers)
        json[field.key] = spec.*field.member;
    for (const RealField& field : kReals)
        json[field.key] = spec.*field.member / field.unit;
    json["matrix_flops"] = spec.matrixFlops;
    if (!spec.driver.empty())
        json["driver"] = spec.driver;
    if (!spec.source.empty())
        json["source"] = spec.source;
    return json;
}

Result<std::vector<GpuSpec>> loadGpuSpecs(const std::string& dataFolder)
{
    const std::string folder = joinPath(dataFolder, "profiles/gpus");
    FS_TRY(names, listFolder(folder));
    std::vector<GpuSpec> specs;
    for (const std::string& name : names) {
        if (!std::string_view(name).ends_with(".json"))
            continue;
        FS_TRY(json, readJsonFile(joinPath(folder, name)));
        FS_TRY(spec, gpuSpecFromJson(json, name));
        specs.push_back(std::move(spec));
    }
    std::sort(specs.begin(), specs.end(), [](const GpuSpec& a, const GpuSpec& b) { return a.name < b.name; });
    return specs;
}

Result<GpuSpec> findGpuSpec(const std::string& dataFolder, std::string_view name)
{
    FS_TRY(specs, loadGpuSpecs(dataFolder));
    std::string known;
    for (GpuSpec& spec : specs) {
        if (spec.name == name)
            return std::move(spec);
        known += (known.empty() ? "" : ", ") + spec.name;
    }
    return makeError(ErrorCode::NotFound, "no description of the GPU '" + std::string(name) + "'",
                     "Known are: " + known + ". Add a file to profiles/gpus for another one.");
}

void computeOccupancy(KernelResources& resources, const GpuSpec& gpu)
{
    constexpr std::int64_t kWarp = 32, kRegisterUnit = 256, kSharedUnit = 128;
    resources.occupancy = 0;
    resources.occupancyLimit.clear();
    if (resources.threadsPerBlock <= 0 || resources.threadsPerBlock > gpu.maxThreadsPerBlock)
        return;
    const std::int64_t warps = (resources.threadsPerBlock + kWarp - 1) / kWarp;
    const std::int64_t maxWarps = gpu.maxThreadsPerSm / kWarp;
    // Registers are given to warps in units of 256, and each of the SM's four quarters holds its own share of
    // warps.
    const std::int64_t perWarp = roundUp(std::max(resources.registers, 1) * kWarp, kRegisterUnit);
    const std::int64_t warpsByRegisters = gpu.registersPerSm / 4 / perWarp * 4;
    const std::int64_t shared = resources.staticShared + resources.dynamicShared;
    const std::int64_t sharedPerBlock = roundUp(shared + gpu.reservedSharedPerBlock, kSharedUnit);
    struct Limit
    {
        const char* name;
        std::int64_t blocks;
    };
    const Limit limits[] = {
        {"threads", maxWarps / warps},
        {"registers", warpsByRegisters / warps},
        {"shared", sharedPerBlock > 0 ? gpu.sharedPerSm / sharedPerBlock : gpu.maxBlocksPerSm},
        {"blocks", gpu.maxBlocksPerSm},
    };
    const Limit* tightest = &limits[0];
    for (const Limit& limit : limits)
        if (limit.blocks < tightest->blocks)
            tightest = &limit;
    resources.occupancyLimit = tightest->name;
    if (maxWarps > 0)
        resources.occupancy = static_cast<double>(tightest->blocks * warps) / static_cast<double>(maxWarps);
}

} // namespace foresight
