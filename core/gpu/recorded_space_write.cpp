// SPDX-License-Identifier: Apache-2.0
// Our T4 files. The same space always gives the same bytes: keys sorted, rows in the order of the space, one
// a line.
#include "core/gpu/recorded_space_io.h"

#include "core/base/file.h"
#include "core/base/json.h"

namespace foresight {

namespace recorded {

namespace {

Json valueJson(const Value& value)
{
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Json symbolsJson(const Symbols& symbols)
{
    Json json = Json::object();
    for (const auto& [name, value] : symbols)
        json[name] = valueJson(value);
    return json;
}

const char* invalidityOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Ok:
        return "correct";
    case Outcome::BuildFailed:
        return "compile";
    case Outcome::LaunchRejected:
        return "constraints";
    case Outcome::Timeout:
        return "timeout";
    case Outcome::WrongResult:
    case Outcome::NotWritten:
    case Outcome::Replayed:
    case Outcome::Nondeterministic:
    case Outcome::OutOfBounds:
    case Outcome::InputModified:
    case Outcome::Escaped:
    case Outcome::Suspect:
        return "correctness";
    default:
        return "runtime";
    }
}

Json resourcesJson(const std::vector<KernelResources>& all)
{
    Json array = Json::array();
    for (const KernelResources& r : all)
        array.push_back({{"kernel", r.kernel},
                         {"registers", r.registers},
                         {"spill_stores", r.spillStores},
                         {"spill_loads", r.spillLoads},
                         {"static_shared", r.staticShared},
                         {"dynamic_shared", r.dynamicShared},
                         {"stack_frame", r.stackFrame},
                         {"code_bytes", r.codeBytes},
                         {"threads_per_block", r.threadsPerBlock},
                         {"occupancy", r.occupancy},
                         {"occupancy_limit", r.occupancyLimit}});
    return array;
}

Json ownFields(const RecordedRow& row)
{
    Json own{{"outcome", outcomeName(row.outcome)},
             {"costs",
              {{"compile_s", row.costs.compileSeconds},
               {"verify_s", row.costs.verifySeconds},
               {"measure_s", row.costs.measureSeconds}}}};
    if (row.outcome == Outcome::Ok) {
        own["time_ns"] = row.timeNs;
        own["max_abs_error"] = row.maxAbsError;
        own["max_rel_error"] = row.maxRelError;
        own["regime"] = row.regime == Regime::Hot ? "hot" : "cold";
    }
    if (row.anchorNs > 0)
        own["anchor_ns"] = row.anchorNs;
    if (row.lnRatio != 0 || row.lnLow < row.lnHigh)
        own["ln_ratio"] = {row.lnRatio, row.lnLow, row.lnHigh};
    if (row.look > 0)
        own["look"] = row.look;
    if (row.truncated)
        own["truncated"] = true;
    if (row.nearLimit)
        own["near_limit"] = true;
    if (!row.sampleSets.empty())
        own["sample_sets"] = row.sampleSets;
    if (!row.message.empty())
        own["message"] = row.message;
    if (!row.contentHash.empty())
        own["content_hash"] = row.contentHash;
    if (!row.resources.empty())
        own["resources"] = resourcesJson(row.resources);
    return own;
}

Json rowJson(const RecordedSpace& space, std::size_t index)
{
    const RecordedRow& row = space.rows[index];
    const bool ok = row.outcome == Outcome::Ok;
    Json times{{"compilation", row.costs.compileSeconds * 1e9},
               {"validation", row.costs.verifySeconds * 1e9},
               {"benchmark", row.costs.measureSeconds * 1e9},
               {"framework", 0},
               {"search_algorithm", 0},
               {"runtimes", row.samplesNs}};
    Json measurement{{"name", "time"}, {"unit", "ns"}};
    if (ok)
        measurement["value"] = row.timeNs;
    else
        measurement["value"] = row.message.empty() ? std::string(outcomeName(row.outcome)) : row.message;
    return {{"configuration", symbolsJson(space.space.configuration(index))},
            {"correctness", ok ? 1 : 0},
            {"foresight", ownFields(row)},
            {"invalidity", invalidityOf(row.outcome)},
            {"measurements", Json::array({measurement})},
            {"objectives", {"time"}},
            {"times", times}};
}

Json metadataJson(const RecordedSpace& space)
{
    Json own{{"format", 1},
             {"title", space.title},
             {"gpu_name", space.gpuName},
             {"driver", space.driver},
             {"cuda", space.cuda},
             {"revision", space.revision},
             {"date", space.date},
             {"sm_clock_mhz", space.smClockMhz},
             {"memory_clock_mhz", space.memoryClockMhz},
             {"family", space.familyName},
             {"family_hash", space.familyHash},
             {"problem_key", space.problemKey},
             {"dtype", dtypeName(space.dtype)},
             {"layout", space.layout},
             {"symbols", symbolsJson(space.symbols)},
             {"configurations", space.rows.size()},
             {"noise_floor", space.noiseFloor},
             {"notes", space.notes}};
    if (space.gpu.smCount > 0 && space.gpu.computeMajor > 0) // foreign files know only a name
        own["gpu"] = gpuSpecToJson(space.gpu);
    Json parameters = Json::array();
    for (const TuningParameter& parameter : space.space.parameters()) {
        Json values = Json::array();
        for (const Value& value : parameter.values)
            values.push_back(valueJson(value));
        parameters.push_back({{"name", parameter.name}, {"values", values}, {"help", parameter.help}});
    }
    own["parameters"] = parameters;
    if (space.defaultIndex && *space.defaultIndex < space.space.size())
        own["default"] = symbolsJson(space.space.configuration(*space.defaultIndex));
    Json baselines = Json::array();
    for (const auto& baseline : space.baselines)
        baselines.push_back({{"name", baseline.name},
                             {"ln_over_anchor", {baseline.lnOverAnchor, baseline.lnLow, baseline.lnHigh}},
                             {"time_ns", baseline.timeNs}});
    own["baselines"] = baselines;
    return {{"timeunit", "nanoseconds"}, {"foresight", own}};
}

} // namespace

std::string toT4(const RecordedSpace& space)
{
    // The metadata come first so that a reader of the header needs only the start of the file.
    std::string text = "{\"metadata\":" + canonicalJson(metadataJson(space)) + ",\n\"results\":[";
    for (std::size_t i = 0; i < space.rows.size(); ++i) {
        text += i == 0 ? "\n" : ",\n";
        text += canonicalJson(rowJson(space, i));
    }
    text += "\n],\n\"schema_version\":\"1.0.0\"}\n";
    return text;
}

} // namespace recorded

Result<void> writeRecordedSpace(const RecordedSpace& space, const std::string& path)
{
    if (space.rows.size() != space.space.size())
        return makeError(ErrorCode::InvalidArgument, "a recorded space needs one row for each configuration");
    const std::string text = recorded::toT4(space);
    const std::string_view name = path;
    if (name.ends_with(".zst")) {
        FS_TRY(data, recorded::compressZstd(text));
        return writeFileAtomically(path, data);
    }
    if (name.ends_with(".gz")) {
        FS_TRY(data, recorded::compressGzip(text));
        return writeFileAtomically(path, data);
    }
    return writeFileAtomically(path, text);
}

} // namespace foresight
