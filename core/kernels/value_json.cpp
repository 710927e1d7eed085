// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/value_json.h"

#include "core/base/json.h"

namespace foresight {

Result<Value> valueFromJson(const Json& json, std::string_view what)
{
    if (json.is_boolean())
        return Value(json.get<bool>());
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
        return makeError(ErrorCode::ParseError,
                         std::string(what) + ": the integer " + json.dump() + " is too large");
    if (json.is_number_integer())
        return Value(json.get<std::int64_t>());
    if (json.is_number())
        return Value(json.get<double>());
    if (json.is_string())
        return Value(json.get<std::string>());
    return makeError(ErrorCode::ParseError,
                     std::string(what) + ": a value must be a bool, a number or a text");
}

Json valueToJson(const Value& value)
{
    return std::visit([](const auto& v) { return Json(v); }, value);
}

Result<Symbols> symbolsFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return makeError(ErrorCode::ParseError, std::string(what) + ": values by name must be a JSON object");
    Symbols symbols;
    for (const auto& [name, entry] : json.items()) {
        FS_TRY(value, valueFromJson(entry, std::string(what) + ": '" + name + "'"));
        symbols[name] = std::move(value);
    }
    return symbols;
}

Json symbolsToJson(const Symbols& symbols)
{
    Json json = Json::object();
    for (const auto& [name, value] : symbols)
        json[name] = valueToJson(value);
    return json;
}

Result<Expression> expressionFromJson(const Json& json, std::string_view what)
{
    if (!json.is_string() && !json.is_number() && !json.is_boolean())
        return makeError(ErrorCode::ParseError,
                         std::string(what) + ": an expression must be a text or a number");
    auto parsed = Expression::parse(json.is_string() ? json.get<std::string>() : json.dump());
    if (!parsed)
        return parsed.error().within(what);
    return parsed;
}

} // namespace foresight
