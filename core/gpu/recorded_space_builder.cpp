// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/recorded_space_io.h"

#include "core/base/json.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

namespace foresight::recorded {

namespace {

// Values of different types stay apart here (true is not 1), as they do in the files.
std::string typedText(const Value& value)
{
    return std::to_string(value.index()) + ':' + valueText(value);
}

} // namespace

void SpaceBuilder::declare(TuningParameter parameter)
{
    if (!m_places.emplace(parameter.name, m_parameters.size()).second)
        return;
    const std::vector<Value> values = std::move(parameter.values);
    parameter.values.clear();
    m_parameters.push_back(std::move(parameter));
    m_codesByText.emplace_back();
    for (const Value& value : values)
        if (auto code = codeOf(m_parameters.size() - 1, value); !code)
            break; // a later row that needs such a value reports it
}

Result<std::uint16_t> SpaceBuilder::codeOf(std::size_t parameter, const Value& value)
{
    auto& codes = m_codesByText[parameter];
    const std::string text = typedText(value);
    if (const auto known = codes.find(text); known != codes.end())
        return known->second;
    auto& values = m_parameters[parameter].values;
    // Equal across types (8 and 8.0): the declared spelling wins, unless the list itself tells the types
    // apart.
    const auto equal = std::find_if(values.begin(), values.end(),
                                    [&](const Value& other) { return valuesEqual(other, value); });
    const bool mayMerge = !std::holds_alternative<bool>(value) && equal != values.end() &&
                          !std::holds_alternative<bool>(*equal);
    if (!mayMerge && values.size() > std::numeric_limits<std::uint16_t>::max())
        return makeError(ErrorCode::Unsupported,
                         "parameter '" + m_parameters[parameter].name + "' has more than 65536 values");
    const auto code = static_cast<std::uint16_t>(mayMerge ? equal - values.begin()
                                                          : static_cast<std::ptrdiff_t>(values.size()));
    if (!mayMerge)
        values.push_back(value);
    codes.emplace(text, code);
    return code;
}

Result<void> SpaceBuilder::add(const std::vector<std::pair<std::string, Value>>& configuration,
                               RecordedRow row)
{
    if (m_rows.empty())
        for (const auto& [name, value] : configuration)
            declare({name, {}, {}});
    if (m_parameters.empty())
        return makeError(ErrorCode::ParseError, "a configuration without parameters");
    if (m_rows.size() >= kMaxRows)
        return makeError(ErrorCode::ResourceLimit,
                         "more than " + std::to_string(kMaxRows) + " configurations");
    std::vector<std::uint16_t> codes(m_parameters.size(), 0);
    std::vector<bool> given(m_parameters.size(), false);
    for (const auto& [name, value] : configuration) {
        const auto place = m_places.find(name);
        if (place == m_places.end())
            return makeError(ErrorCode::ParseError, "unknown parameter '" + name + "'");
        FS_TRY(code, codeOf(place->second, value));
        codes[place->second] = code;
        given[place->second] = true;
    }
    if (const auto missing = std::find(given.begin(), given.end(), false); missing != given.end())
        return makeError(ErrorCode::ParseError,
                         "no value for parameter '" +
                             m_parameters[static_cast<std::size_t>(missing - given.begin())].name + "'");
    std::string key(codes.size() * sizeof(std::uint16_t), '\0');
    if (!codes.empty())
        std::memcpy(key.data(), codes.data(), key.size());
    if (!m_seen.emplace(std::move(key), m_rows.size()).second) {
        ++m_duplicates;
        return {};
    }
    m_codes.insert(m_codes.end(), codes.begin(), codes.end());
    m_rows.push_back(std::move(row));
    return {};
}

void SpaceBuilder::finish(RecordedSpace& space)
{
    if (m_duplicates > 0)
        space.notes.push_back(std::to_string(m_duplicates) +
                              " rows repeat a configuration; the first of each is used");
    space.space = ConfigSpace(std::move(m_parameters), std::move(m_codes));
    space.rows = std::move(m_rows);
}

Value valueFromJson(const Json& json)
{
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_unsigned()) {
        const auto v = json.get<std::uint64_t>();
        if (v > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return static_cast<double>(v);
        return static_cast<std::int64_t>(v);
    }
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number_float())
        return json.get<double>();
    if (json.is_string())
        return json.get<std::string>();
    return canonicalJson(json);
}

double numberOr(const Json& object, const char* key, double otherwise)
{
    const auto it = object.is_object() ? object.find(key) : object.end();
    if (it == object.end() || !it->is_number())
        return otherwise;
    const double value = it->get<double>();
    return std::isfinite(value) ? value : otherwise;
}

std::string textOr(const Json& object, const char* key, std::string otherwise)
{
    const auto it = object.is_object() ? object.find(key) : object.end();
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::move(otherwise);
}

std::vector<double> numbersOf(const Json& array)
{
    std::vector<double> numbers;
    if (array.is_array())
        for (const Json& item : array)
            if (item.is_number() && std::isfinite(item.get<double>()))
                numbers.push_back(item.get<double>());
    return numbers;
}

Outcome outcomeOfText(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto has = [&](const char* part) { return lower.find(part) != std::string::npos; };
    if (has("compil") || has("build"))
        return Outcome::BuildFailed;
    if (has("invalid") || has("constraint") || has("limit") || has("restriction"))
        return Outcome::LaunchRejected;
    if (has("verif") || has("correct") || has("validation") || has("wrong"))
        return Outcome::WrongResult;
    if (has("timeout") || has("timed out") || has("time out"))
        return Outcome::Timeout;
    if (has("memory"))
        return Outcome::OutOfMemory;
    return Outcome::Crashed;
}

} // namespace foresight::recorded
