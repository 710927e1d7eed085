// SPDX-License-Identifier: Apache-2.0
// Kernel Tuner cachefiles: {"device_name", "tune_params_keys", "tune_params", "cache": {"key": {row}}}, times
// in ms.
#include "core/gpu/recorded_space_io.h"

#include "core/base/json.h"

#include <cmath>
#include <set>

namespace foresight::recorded {

namespace {

constexpr double kNsPerMs = 1e6;
// Kernel Tuner writes 1e20 and the largest doubles for "failed" in some versions.
constexpr double kSentinelMs = 1e19;

struct Counts
{
    std::size_t unreadable = 0, sentinels = 0, zeros = 0, disagreeing = 0;
    std::string firstUnreadable;
};

RecordedRow rowOf(const Json& json, Counts& counts)
{
    RecordedRow row;
    row.costs.compileSeconds = numberOr(json, "compile_time", 0) * 1e-3;
    row.costs.verifySeconds = numberOr(json, "verification_time", 0) * 1e-3;
    row.costs.measureSeconds = numberOr(json, "benchmark_time", 0) * 1e-3;
    row.outcome = Outcome::Crashed;

    const auto error = json.find("__error__");
    if (error != json.end() && error->is_string()) {
        row.message = error->get<std::string>();
        row.outcome = outcomeOfText(row.message);
        return row;
    }
    const auto time = json.find("time");
    if (time == json.end() || time->is_null()) {
        row.message = "no time recorded";
    } else if (time->is_string()) {
        row.message = time->get<std::string>();
        row.outcome = outcomeOfText(row.message);
    } else if (!time->is_number() || !std::isfinite(time->get<double>()) ||
               time->get<double>() >= kSentinelMs) {
        ++counts.sentinels;
        row.message = "the time is a marker for a failure";
    } else if (!(time->get<double>() > 0)) {
        ++counts.zeros;
        row.message = "the recorded time is not positive";
        row.outcome = Outcome::Suspect;
    } else {
        row.outcome = Outcome::Ok;
        row.timeNs = time->get<double>() * kNsPerMs;
        double sum = 0;
        if (const auto times = json.find("times"); times != json.end())
            row.samplesNs = numbersOf(*times);
        for (double& sample : row.samplesNs) {
            sample *= kNsPerMs;
            sum += sample;
        }
        if (!row.samplesNs.empty() &&
            std::fabs(sum / static_cast<double>(row.samplesNs.size()) - row.timeNs) > .01 * row.timeNs)
            ++counts.disagreeing;
    }
    return row;
}

void note(RecordedSpace& space, std::size_t count, const std::string& what)
{
    if (count > 0)
        space.notes.push_back(std::to_string(count) + ' ' + what);
}

} // namespace

Result<RecordedSpace> fromKernelTuner(const Json& root, const std::vector<std::string>& keyOrder)
{
    const auto cache = root.find("cache");
    if (cache == root.end() || !cache->is_object())
        return makeError(ErrorCode::ParseError, "a Kernel Tuner cachefile has an object 'cache'");
    RecordedSpace space;
    space.gpuName = textOr(root, "device_name");
    space.gpu.name = space.gpuName;
    space.title = textOr(root, "kernel_name", "kernel");
    if (const auto size = root.find("problem_size"); size != root.end() && !size->is_null())
        space.title += ' ' + canonicalJson(*size);
    if (const std::string objective = textOr(root, "objective", "time"); objective != "time")
        space.notes.push_back("tuned for '" + objective + "'; times are used here all the same");

    SpaceBuilder builder;
    std::vector<std::string> names;
    if (const auto keys = root.find("tune_params_keys"); keys != root.end() && keys->is_array())
        for (const Json& key : *keys)
            if (key.is_string())
                names.push_back(key.get<std::string>());
    const auto declared = root.find("tune_params");
    const bool hasValues = declared != root.end() && declared->is_object();
    if (names.empty() && hasValues)
        for (const auto& [name, values] : declared->items())
            names.push_back(name);
    if (names.empty())
        return makeError(ErrorCode::ParseError, "the cachefile names no tuning parameters");
    for (const std::string& name : names) {
        TuningParameter parameter{name, {}, {}};
        if (hasValues)
            if (const auto values = declared->find(name); values != declared->end() && values->is_array())
                for (const Json& value : *values)
                    parameter.values.push_back(valueFromJson(value));
        builder.declare(std::move(parameter));
    }

    std::vector<Json::const_iterator> order;
    std::set<std::string_view> ordered;
    for (const std::string& key : keyOrder)
        if (const auto row = cache->find(key); row != cache->end() && ordered.insert(row.key()).second)
            order.push_back(row);
    for (auto row = cache->begin(); row != cache->end(); ++row)
        if (!ordered.contains(row.key()))
            order.push_back(row);

    Counts counts;
    for (const auto& row : order) {
        const std::string& key = row.key();
        const Json& json = row.value();
        Result<void> added = makeError(ErrorCode::ParseError, "not an object");
        if (json.is_object()) {
            std::vector<std::pair<std::string, Value>> configuration;
            for (const std::string& name : names)
                if (const auto value = json.find(name); value != json.end())
                    configuration.emplace_back(name, valueFromJson(*value));
            added = builder.add(configuration, rowOf(json, counts));
            if (space.date.empty())
                space.date = textOr(json, "timestamp").substr(0, 10);
        }
        if (!added) {
            if (added.error().code == ErrorCode::ResourceLimit)
                return added.error();
            if (counts.unreadable++ == 0)
                counts.firstUnreadable = key + ": " + added.error().message;
        }
    }
    builder.finish(space);
    note(space, counts.unreadable, "rows could not be read, the first: " + counts.firstUnreadable);
    note(space, counts.sentinels, "rows have a marker instead of a time and count as failed");
    note(space, counts.zeros, "rows have a time of zero or less and count as failed");
    note(space, counts.disagreeing, "rows have a time more than 1 % off the mean of their samples");
    return space;
}

} // namespace foresight::recorded
