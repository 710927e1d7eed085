// SPDX-License-Identifier: Apache-2.0
// Reading T4 result files (schema 1.0.0): other tools' and ours, which carry a "foresight" object in the
// metadata and in each row. The format is documented in resources/help/space-format.md.
#include "core/gpu/recorded_space_io.h"

#include "core/base/json.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace foresight::recorded {

namespace {

// Foreign units are empty, misspelt or missing; 0 when nothing can be made of one.
double nsPerUnit(std::string unit)
{
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (unit == "ns" || unit.starts_with("nano"))
        return 1;
    if (unit == "us" || unit.starts_with("mic"))
        return 1e3;
    if (unit == "ms" || unit.starts_with("mil"))
        return 1e6;
    if (unit == "s" || unit.starts_with("sec"))
        return 1e9;
    return 0;
}

Outcome outcomeOfInvalidity(const std::string& invalidity, const std::string& message)
{
    if (invalidity == "correct")
        return Outcome::Ok;
    if (invalidity == "compile")
        return Outcome::BuildFailed;
    if (invalidity == "runtime")
        return Outcome::Crashed;
    return outcomeOfText(invalidity.empty() ? message : invalidity);
}

std::vector<KernelResources> resourcesOf(const Json& array)
{
    std::vector<KernelResources> all;
    if (!array.is_array())
        return all;
    for (const Json& json : array) {
        KernelResources r;
        r.kernel = textOr(json, "kernel");
        r.registers = static_cast<int>(numberOr(json, "registers", 0));
        r.spillStores = static_cast<std::int64_t>(numberOr(json, "spill_stores", 0));
        r.spillLoads = static_cast<std::int64_t>(numberOr(json, "spill_loads", 0));
        r.staticShared = static_cast<std::int64_t>(numberOr(json, "static_shared", 0));
        r.dynamicShared = static_cast<std::int64_t>(numberOr(json, "dynamic_shared", 0));
        r.stackFrame = static_cast<std::int64_t>(numberOr(json, "stack_frame", 0));
        r.codeBytes = static_cast<std::int64_t>(numberOr(json, "code_bytes", 0));
        r.threadsPerBlock = static_cast<int>(numberOr(json, "threads_per_block", 0));
        r.occupancy = numberOr(json, "occupancy", 0);
        r.occupancyLimit = textOr(json, "occupancy_limit");
        all.push_back(std::move(r));
    }
    return all;
}

void readOwnFields(const Json& own, RecordedRow& row)
{
    if (const auto name = textOr(own, "outcome"); !name.empty())
        row.outcome = outcomeFromName(name);
    row.timeNs = numberOr(own, "time_ns", row.timeNs);
    row.anchorNs = numberOr(own, "anchor_ns", 0);
    if (const auto ratio = own.find("ln_ratio"); ratio != own.end())
        if (const auto values = numbersOf(*ratio); values.size() == 3) {
            row.lnRatio = values[0];
            row.lnLow = values[1];
            row.lnHigh = values[2];
        }
    row.look = static_cast<int>(std::clamp(numberOr(own, "look", 0), 0., 1e6));
    row.truncated = own.value("truncated", Json(false)) == Json(true);
    row.nearLimit = own.value("near_limit", Json(false)) == Json(true);
    row.regime = textOr(own, "regime") == "hot" ? Regime::Hot : Regime::Cold;
    if (const auto sets = own.find("sample_sets"); sets != own.end() && sets->is_array())
        for (const Json& set : *sets)
            row.sampleSets.push_back(numbersOf(set));
    row.message = textOr(own, "message", row.message);
    row.contentHash = textOr(own, "content_hash");
    if (const auto resources = own.find("resources"); resources != own.end())
        row.resources = resourcesOf(*resources);
    row.maxAbsError = numberOr(own, "max_abs_error", 0);
    row.maxRelError = numberOr(own, "max_rel_error", 0);
    if (const auto costs = own.find("costs"); costs != own.end()) {
        row.costs.compileSeconds = numberOr(*costs, "compile_s", row.costs.compileSeconds);
        row.costs.verifySeconds = numberOr(*costs, "verify_s", row.costs.verifySeconds);
        row.costs.measureSeconds = numberOr(*costs, "measure_s", row.costs.measureSeconds);
    }
}

struct Units
{
    double fallbackNs = 1e6;
    bool guessed = false; // the fallback itself is a guess and was needed
};

RecordedRow rowOf(const Json& json, Units& units, bool unitIsKnown)
{
    RecordedRow row;
    const auto times = json.find("times");
    const double unitNs = units.fallbackNs;
    if (times != json.end() && times->is_object()) {
        row.costs.compileSeconds =
            numberOr(*times, "compilation", numberOr(*times, "compilation_time", 0)) * unitNs * 1e-9;
        row.costs.verifySeconds =
            numberOr(*times, "validation", numberOr(*times, "verification", 0)) * unitNs * 1e-9;
        row.costs.measureSeconds = numberOr(*times, "benchmark", 0) * unitNs * 1e-9;
        if (const auto runtimes = times->find("runtimes"); runtimes != times->end())
            for (const double t : numbersOf(*runtimes))
                row.samplesNs.push_back(t * unitNs);
    }
    const Json* measured = nullptr;
    if (const auto list = json.find("measurements"); list != json.end() && list->is_array())
        for (const Json& item : *list)
            if (item.is_object() && (textOr(item, "name") == "time" || !measured))
                measured = &item;
    if (measured && measured->contains("value")) {
        const Json& value = (*measured)["value"];
        if (value.is_string())
            row.message = value.get<std::string>();
        else if (value.is_number()) {
            double ns = nsPerUnit(textOr(*measured, "unit"));
            if (ns == 0) {
                ns = unitNs;
                units.guessed = units.guessed || !unitIsKnown;
            }
            row.timeNs = value.get<double>() * ns;
        }
    }
    row.outcome = outcomeOfInvalidity(textOr(json, "invalidity"), row.message);
    if (json.contains("invalidity") && !json["invalidity"].is_string())
        row.outcome = Outcome::Crashed;
    if (const auto own = json.find("foresight"); own != json.end() && own->is_object())
        readOwnFields(*own, row);
    if (row.outcome == Outcome::Ok && !(row.timeNs > 0 && std::isfinite(row.timeNs) && row.timeNs < 1e25)) {
        row.outcome = Outcome::Suspect;
        row.message = "the recorded time is not a positive number";
    }
    if (row.outcome != Outcome::Ok)
        row.timeNs = 0;
    return row;
}

Result<void> readOwnHeader(const Json& own, RecordedSpace& space, SpaceBuilder& builder)
{
    space.title = textOr(own, "title");
    space.gpuName = textOr(own, "gpu_name");
    space.driver = textOr(own, "driver");
    space.cuda = textOr(own, "cuda");
    space.revision = textOr(own, "revision");
    space.date = textOr(own, "date");
    space.smClockMhz = numberOr(own, "sm_clock_mhz", 0);
    space.memoryClockMhz = numberOr(own, "memory_clock_mhz", 0);
    space.familyName = textOr(own, "family");
    space.familyHash = textOr(own, "family_hash");
    space.problemKey = textOr(own, "problem_key");
    space.dtype = dtypeFromName(textOr(own, "dtype"));
    space.layout = textOr(own, "layout");
    space.noiseFloor = numberOr(own, "noise_floor", 0);
    space.gpu.name = space.gpuName;
    if (const auto gpu = own.find("gpu"); gpu != own.end() && gpu->is_object()) {
        if (auto spec = gpuSpecFromJson(*gpu, "metadata.foresight.gpu"))
            space.gpu = std::move(*spec);
        else
            space.notes.push_back("the GPU's description cannot be used: " + spec.error().message);
    }
    if (const auto symbols = own.find("symbols"); symbols != own.end() && symbols->is_object())
        for (const auto& [name, value] : symbols->items())
            space.symbols[name] = valueFromJson(value);
    if (const auto parameters = own.find("parameters"); parameters != own.end() && parameters->is_array())
        for (const Json& json : *parameters) {
            TuningParameter parameter{textOr(json, "name"), {}, textOr(json, "help")};
            if (const auto values = json.is_object() ? json.find("values") : json.end();
                values != json.end() && values->is_array())
                for (const Json& value : *values)
                    parameter.values.push_back(valueFromJson(value));
            builder.declare(std::move(parameter));
        }
    if (const auto baselines = own.find("baselines"); baselines != own.end() && baselines->is_array())
        for (const Json& json : *baselines) {
            const auto ratio = json.is_object() ? json.find("ln_over_anchor") : json.end();
            const auto values = ratio != json.end() ? numbersOf(*ratio) : std::vector<double>{};
            if (values.size() != 3)
                return makeError(ErrorCode::ParseError,
                                 "a baseline needs ln_over_anchor: [value, low, high]");
            space.baselines.push_back(
                {textOr(json, "name"), values[0], values[1], values[2], numberOr(json, "time_ns", 0)});
        }
    if (const auto notes = own.find("notes"); notes != own.end() && notes->is_array())
        for (const Json& text : *notes)
            if (text.is_string())
                space.notes.push_back(text.get<std::string>());
    return {};
}

} // namespace

Result<RecordedSpace> fromT4(const Json& root)
{
    const auto results = root.find("results");
    if (results == root.end() || !results->is_array())
        return makeError(ErrorCode::ParseError, "a T4 file has an array 'results'");
    RecordedSpace space;
    SpaceBuilder builder;
    Units units;
    const Json empty = Json::object();
    const auto found = root.find("metadata");
    const Json& metadata = found != root.end() && found->is_object() ? *found : empty;
    const double unitNs = nsPerUnit(textOr(metadata, "timeunit"));
    units.fallbackNs = unitNs > 0 ? unitNs : 1e6;
    const auto own = metadata.find("foresight");
    const bool isOwn = own != metadata.end() && own->is_object();
    if (isOwn)
        FS_CHECK(readOwnHeader(*own, space, builder));

    std::size_t unreadable = 0;
    std::string first;
    for (const Json& json : *results) {
        Result<void> added = makeError(ErrorCode::ParseError, "not an object with a configuration");
        const auto settings = json.is_object() ? json.find("configuration") : json.end();
        if (json.is_object() && settings != json.end() && settings->is_object()) {
            std::vector<std::pair<std::string, Value>> configuration;
            for (const auto& [name, value] : settings->items())
                configuration.emplace_back(name, valueFromJson(value));
            added = builder.add(configuration, rowOf(json, units, unitNs > 0));
            if (space.date.empty() && !isOwn)
                space.date = textOr(json, "timestamp").substr(0, 10);
        }
        if (!added) {
            if (added.error().code == ErrorCode::ResourceLimit)
                return added.error();
            if (unreadable++ == 0)
                first = added.error().message;
        }
    }
    builder.finish(space);
    if (unreadable > 0)
        space.notes.push_back(std::to_string(unreadable) + " rows could not be read, the first: " + first);
    if (units.guessed)
        space.notes.push_back("no known time unit is given; milliseconds assumed");
    if (isOwn)
        if (const auto preset = own->find("default"); preset != own->end() && preset->is_object()) {
            Symbols configuration;
            for (const auto& [name, value] : preset->items())
                configuration[name] = valueFromJson(value);
            space.defaultIndex = space.space.find(configuration);
        }
    return space;
}

Result<RecordedSpaceHeader> headerFromMetadata(const Json& metadata)
{
    const auto own = metadata.is_object() ? metadata.find("foresight") : metadata.end();
    if (!metadata.is_object() || own == metadata.end() || !own->is_object())
        return makeError(ErrorCode::Unsupported, "not a space recorded by Foresight");
    RecordedSpaceHeader header;
    header.title = textOr(*own, "title");
    header.gpuName = textOr(*own, "gpu_name");
    header.driver = textOr(*own, "driver");
    header.date = textOr(*own, "date");
    header.familyName = textOr(*own, "family");
    header.familyHash = textOr(*own, "family_hash");
    header.problemKey = textOr(*own, "problem_key");
    header.layout = textOr(*own, "layout");
    header.dtype = dtypeFromName(textOr(*own, "dtype"));
    header.configurations =
        static_cast<std::size_t>(std::clamp(numberOr(*own, "configurations", 0), 0., 1e12));
    return header;
}

} // namespace foresight::recorded
