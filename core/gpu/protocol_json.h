// SPDX-License-Identifier: Apache-2.0
// Lenient readers of JSON members for the protocol's .cpp files: an absent member or one of another type
// gives the default. Numbers that JSON cannot hold travel as the strings "nan", "inf" and "-inf".
#pragma once

#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace foresight::protocol {

// nullptr when absent, null, or when `json` is no object.
inline const Json* member(const Json& json, const char* key)
{
    if (!json.is_object())
        return nullptr;
    const auto it = json.find(key);
    return it == json.end() || it->is_null() ? nullptr : &*it;
}

inline Json numberToJson(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return value;
}

inline bool numberFromJson(const Json& json, double& value)
{
    if (json.is_number()) {
        value = json.get<double>();
        return true;
    }
    if (!json.is_string())
        return false;
    const std::string& text = json.get_ref<const std::string&>();
    if (text == "nan")
        value = std::numeric_limits<double>::quiet_NaN();
    else if (text == "inf")
        value = std::numeric_limits<double>::infinity();
    else if (text == "-inf")
        value = -std::numeric_limits<double>::infinity();
    else
        return false;
    return true;
}

inline double number(const Json& json, const char* key, double fallback)
{
    const Json* value = member(json, key);
    double result = fallback;
    return value && numberFromJson(*value, result) ? result : fallback;
}

inline std::int64_t integer(const Json& json, const char* key, std::int64_t fallback)
{
    const Json* value = member(json, key);
    return value && value->is_number_integer() ? value->get<std::int64_t>() : fallback;
}

inline std::uint64_t unsignedInteger(const Json& json, const char* key, std::uint64_t fallback)
{
    const Json* value = member(json, key);
    return value && value->is_number_integer() ? value->get<std::uint64_t>() : fallback;
}

inline bool boolean(const Json& json, const char* key, bool fallback)
{
    const Json* value = member(json, key);
    return value && value->is_boolean() ? value->get<bool>() : fallback;
}

inline std::string text(const Json& json, const char* key, const char* fallback = "")
{
    const Json* value = member(json, key);
    return value && value->is_string() ? value->get<std::string>() : std::string(fallback);
}

inline Json numbersToJson(const std::vector<double>& values)
{
    Json json = Json::array();
    for (double value : values)
        json.push_back(numberToJson(value));
    return json;
}

inline std::vector<double> numbers(const Json& json, const char* key)
{
    std::vector<double> values;
    if (const Json* array = member(json, key); array && array->is_array())
        for (const Json& entry : *array) {
            double value = 0;
            if (numberFromJson(entry, value))
                values.push_back(value);
        }
    return values;
}

inline std::vector<std::int64_t> integers(const Json& json, const char* key)
{
    std::vector<std::int64_t> values;
    if (const Json* array = member(json, key); array && array->is_array())
        for (const Json& entry : *array)
            if (entry.is_number_integer())
                values.push_back(entry.get<std::int64_t>());
    return values;
}

inline std::vector<std::string> strings(const Json& json, const char* key)
{
    std::vector<std::string> values;
    if (const Json* array = member(json, key); array && array->is_array())
        for (const Json& entry : *array)
            if (entry.is_string())
                values.push_back(entry.get<std::string>());
    return values;
}

} // namespace foresight::protocol
