// SPDX-License-Identifier: Apache-2.0
// Output of the Kernel Tuning Toolkit: {"Metadata", "Results": [{"Configuration", "ComputationResults",
// "Status"}]}.
#include "core/gpu/recorded_space_io.h"

#include "core/base/json.h"

namespace foresight::recorded {

namespace {

double nsPerUnit(const std::string& unit, RecordedSpace& space)
{
    if (unit == "Nanoseconds")
        return 1;
    if (unit == "Microseconds")
        return 1e3;
    if (unit == "Milliseconds")
        return 1e6;
    if (unit == "Seconds")
        return 1e9;
    space.notes.push_back("the time unit '" + unit + "' is not known; microseconds assumed");
    return 1e3;
}

RecordedRow rowOf(const Json& json, double unitNs)
{
    RecordedRow row;
    const std::string status = textOr(json, "Status");
    row.costs.compileSeconds = numberOr(json, "TotalOverhead", 0) * unitNs * 1e-9;
    const double duration = numberOr(json, "TotalDuration", 0) * unitNs;
    if (status != "Ok" || !(duration > 0)) {
        row.message = status == "Ok" ? "the recorded time is not positive" : status;
        row.outcome = status == "Ok" ? Outcome::Suspect : outcomeOfText(status);
        return row;
    }
    row.outcome = Outcome::Ok;
    row.timeNs = duration;
    row.samplesNs = {duration};
    const auto results = json.find("ComputationResults");
    if (results == json.end() || !results->is_array())
        return row;
    for (const Json& result : *results) {
        const auto data = result.is_object() ? result.find("CompilationData") : result.end();
        if (data == result.end() || !data->is_object())
            continue;
        KernelResources resources;
        resources.kernel = textOr(result, "KernelFunction");
        resources.registers = static_cast<int>(numberOr(*data, "RegistersCount", 0));
        resources.staticShared = static_cast<std::int64_t>(numberOr(*data, "LocalMemorySize", 0));
        resources.spillStores = resources.spillLoads = -1;
        if (const auto local = result.find("LocalSize"); local != result.end())
            resources.threadsPerBlock = static_cast<int>(numberOr(*local, "X", 1) * numberOr(*local, "Y", 1) *
                                                         numberOr(*local, "Z", 1));
        row.resources.push_back(std::move(resources));
    }
    return row;
}

} // namespace

Result<RecordedSpace> fromKtt(const Json& root)
{
    const auto results = root.find("Results");
    if (results == root.end() || !results->is_array())
        return makeError(ErrorCode::ParseError, "a KTT output has an array 'Results'");
    RecordedSpace space;
    const auto metadata = root.find("Metadata");
    const Json& header = metadata != root.end() ? *metadata : root;
    space.gpuName = textOr(header, "Device");
    space.gpu.name = space.gpuName;
    space.date = textOr(header, "Timestamp").substr(0, 10);
    const double unitNs = nsPerUnit(textOr(header, "TimeUnit"), space);

    SpaceBuilder builder;
    std::size_t unreadable = 0;
    std::string first;
    for (const Json& json : *results) {
        Result<void> added = makeError(ErrorCode::ParseError, "not an object with a Configuration");
        const auto pairs = json.is_object() ? json.find("Configuration") : json.end();
        if (json.is_object() && pairs != json.end() && pairs->is_array()) {
            std::vector<std::pair<std::string, Value>> configuration;
            for (const Json& pair : *pairs)
                if (pair.is_object() && pair.contains("Value"))
                    configuration.emplace_back(textOr(pair, "Name"), valueFromJson(pair["Value"]));
            added = builder.add(configuration, rowOf(json, unitNs));
            if (space.title.empty())
                space.title = textOr(json, "KernelName");
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
    return space;
}

} // namespace foresight::recorded
