// SPDX-License-Identifier: Apache-2.0
#include "core/base/json.h"

#include "core/base/file.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foresight {
namespace {

Error wrongMember(const char* key, std::string_view expected, std::string_view what, const Json* found)
{
    std::string message = std::string(what) + ": \"" + key + "\" ";
    if (found == nullptr)
        message += "is missing; expected " + std::string(expected);
    else
        message += "must be " + std::string(expected) + ", but is " + found->type_name();
    return makeError(ErrorCode::ParseError, std::move(message));
}

const Json* member(const Json& object, const char* key)
{
    if (!object.is_object())
        return nullptr;
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

// Nesting deeper than any file of ours would only serve to exhaust the stack of whoever walks the value.
constexpr int kMaxDepth = 512;

} // namespace

Result<Json> parseJson(std::string_view text, std::string_view what)
{
    int depth = 0;
    int deepest = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            deepest = std::max(deepest, ++depth);
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    if (deepest > kMaxDepth)
        return makeError(ErrorCode::ParseError, std::string(what) + ": JSON is nested more than " +
                                                    std::to_string(kMaxDepth) + " levels deep");
    try {
        return Json::parse(text.begin(), text.end());
    } catch (const Json::exception& e) {
        std::string reason = e.what();
        // Drop nlohmann's "[json.exception.parse_error.101] " prefix: it helps nobody outside the library.
        if (const auto end = reason.find("] "); reason.starts_with("[json.") && end != std::string::npos)
            reason.erase(0, end + 2);
        return makeError(ErrorCode::ParseError, std::string(what) + " is not valid JSON: " + reason);
    }
}

Result<Json> readJsonFile(const std::string& path)
{
    FS_TRY(text, readFile(path));
    return parseJson(text, path);
}

std::string canonicalJson(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string prettyJson(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<std::string> jsonString(const Json& object, const char* key, std::string_view what)
{
    const Json* value = member(object, key);
    if (value == nullptr || !value->is_string())
        return wrongMember(key, "a string", what, value);
    return value->get<std::string>();
}

Result<double> jsonNumber(const Json& object, const char* key, std::string_view what)
{
    const Json* value = member(object, key);
    if (value == nullptr || !value->is_number())
        return wrongMember(key, "a number", what, value);
    return value->get<double>();
}

Result<std::int64_t> jsonInteger(const Json& object, const char* key, std::string_view what)
{
    const Json* value = member(object, key);
    if (value == nullptr || !value->is_number())
        return wrongMember(key, "an integer", what, value);
    if (value->is_number_unsigned()) {
        const auto number = value->get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return wrongMember(key, "a 64-bit signed integer", what, value);
        return static_cast<std::int64_t>(number);
    }
    if (value->is_number_integer())
        return value->get<std::int64_t>();
    // Writers in other languages print whole numbers as 3.0.
    const double number = value->get<double>();
    if (std::trunc(number) != number || std::abs(number) > 9007199254740992.0)
        return wrongMember(key, "an integer", what, value);
    return static_cast<std::int64_t>(number);
}

} // namespace foresight
