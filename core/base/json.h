// SPDX-License-Identifier: Apache-2.0
// nlohmann::json with our error handling. Include this in .cpp files only (it is slow to compile); headers use
// json_fwd.h.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

namespace foresight {

using Json = nlohmann::json;

// Parses strict JSON; `what` names the source in the error ("families/softmax/family.json").
Result<Json> parseJson(std::string_view text, std::string_view what);
Result<Json> readJsonFile(const std::string& path);
// Keys sorted, no spaces, shortest round-trip doubles; NaN and Inf become null. Invalid UTF-8 is replaced.
std::string canonicalJson(const Json& json);
std::string prettyJson(const Json& json);

// Member access with a clear error naming the key and the expected type.
Result<std::string> jsonString(const Json& object, const char* key, std::string_view what);
Result<double> jsonNumber(const Json& object, const char* key, std::string_view what);
Result<std::int64_t> jsonInteger(const Json& object, const char* key, std::string_view what);

} // namespace foresight
