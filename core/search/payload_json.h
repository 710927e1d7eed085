// SPDX-License-Identifier: Apache-2.0
// Inside core/search only (.cpp files): reading event JSON with exceptions kept in. A field that is missing
// gets its default, one of the wrong type or a broken text gives Corrupt naming it.
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/kernels/value.h"

#include <string>
#include <string_view>

namespace foresight::payload_json {

struct Problem
{
    std::string text;
};

template <typename T> T get(const Json& json, const char* key, T fallback = {})
{
    const auto it = json.find(key);
    return it == json.end() || it->is_null() ? fallback : it->template get<T>();
}

inline Json symbolsToJson(const Symbols& symbols)
{
    Json json = Json::object();
    for (const auto& [name, value] : symbols)
        std::visit([&json, &key = name](const auto& v) { json[key] = v; }, value);
    return json;
}

inline Symbols symbolsFromJson(const Json& json)
{
    Symbols symbols;
    for (const auto& [name, value] : json.items()) {
        if (value.is_boolean())
            symbols[name] = value.get<bool>();
        else if (value.is_number_integer())
            symbols[name] = value.get<std::int64_t>();
        else if (value.is_number())
            symbols[name] = value.get<double>();
        else if (value.is_string())
            symbols[name] = value.get<std::string>();
        else
            throw Problem{"the value of '" + name + "'"};
    }
    return symbols;
}

template <typename T, typename Fill>
Result<T> decodeWith(std::string_view text, std::string_view what, Fill&& fill)
{
    const auto broken = [&](const std::string& why) {
        return makeError(ErrorCode::Corrupt, "the data of " + std::string(what) + " cannot be read: " + why);
    };
    auto json = parseJson(text, what);
    if (!json)
        return broken(json.error().message);
    if (!json->is_object())
        return broken("it is not an object");
    try {
        T value;
        fill(*json, value);
        return value;
    } catch (const Problem& problem) {
        return broken(problem.text);
    } catch (const Json::exception& exception) {
        return broken(exception.what());
    }
}

} // namespace foresight::payload_json
