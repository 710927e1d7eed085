// SPDX-License-Identifier: Apache-2.0
// The entries every part of family.json is made of, read with errors that name the place. Inside core/kernels
// only; for .cpp files (it includes the JSON library).
#pragma once

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/kernels/family_impl.h"
#include "core/kernels/value_json.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

namespace foresight {

inline constexpr std::size_t kMaxSourceBytes = 1 << 20;

inline bool isIdentifier(std::string_view text)
{
    const auto good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
           std::all_of(text.begin(), text.end(), good);
}

class FamilyReader
{
protected:
    explicit FamilyReader(std::string folder)
        : m_folder(std::move(folder)), m_what(fileName(m_folder) + "/family.json")
    {
    }

    Error fail(const std::string& message) const
    {
        return makeError(ErrorCode::ParseError, m_what + ": " + message,
                         "The format is described in the help page on families.");
    }

    Result<Json> list(const Json& json, const char* key, bool required) const
    {
        const auto found = json.find(key);
        if (found == json.end()) {
            if (required)
                return fail(std::string("'") + key + "' is missing");
            return Json::array();
        }
        if (!found->is_array())
            return fail(std::string("'") + key + "' must be a list");
        return *found;
    }
    Result<std::string> text(const Json& json, const char* key, const char* fallback) const
    {
        if (!json.is_object())
            return fail("an entry is not an object");
        if (!json.contains(key) && fallback)
            return std::string(fallback);
        return jsonString(json, key, m_what);
    }
    Result<Expression> expression(const Json& json, const char* key, const std::string& where) const
    {
        const auto found = json.find(key);
        if (found == json.end())
            return fail(where + " has no '" + key + "'");
        return expressionFromJson(*found, m_what + ": " + where);
    }
    Result<std::optional<Expression>> optionalExpression(const Json& json, const char* key,
                                                         const std::string& where) const
    {
        if (!json.contains(key))
            return std::optional<Expression>();
        FS_TRY(result, expression(json, key, where));
        return std::optional<Expression>(std::move(result));
    }
    Result<std::vector<Expression>> expressions(const Json& json, const std::string& where) const
    {
        if (!json.is_array())
            return fail(where + " must be a list of expressions");
        std::vector<Expression> result;
        for (const Json& entry : json) {
            FS_TRY(parsed, expressionFromJson(entry, m_what + ": " + where));
            result.push_back(std::move(parsed));
        }
        return result;
    }
    Result<std::string> identifier(const Json& json, const char* key, const std::string& where) const
    {
        FS_TRY(name, text(json, key, nullptr));
        if (!isIdentifier(name))
            return fail(where + ": '" + name + "' is not a name (letters, digits and _)");
        return name;
    }
    Result<std::vector<FamilyCondition>> conditions(const Json& json, const char* key) const
    {
        FS_TRY(entries, list(json, key, false));
        std::vector<FamilyCondition> result;
        for (const Json& entry : entries) {
            FS_TRY(message, text(entry, "message", nullptr));
            FS_TRY(condition, expression(entry, "condition", std::string("an entry of '") + key + "'"));
            result.push_back({condition, message, entry.value("plan", Json(false)) == Json(true)});
        }
        return result;
    }
    Result<std::vector<PlanLocal>> named(const Json& json, const char* key) const
    {
        FS_TRY(entries, list(json, key, false));
        std::vector<PlanLocal> result;
        for (const Json& entry : entries) {
            FS_TRY(name, identifier(entry, "name", key));
            FS_TRY(value, expression(entry, "value", "'" + name + "'"));
            result.push_back({name, value});
        }
        return result;
    }
    // Kernel sources in order, joined. "common/..." lies beside the family's folder.
    Result<std::string> sources(const Json& json, const char* fallback) const
    {
        FS_TRY(names, list(json, "sources", false));
        if (names.empty())
            names.push_back(fallback);
        std::string joined;
        for (const Json& entry : names) {
            if (!entry.is_string())
                return fail("'sources' must be a list of file names");
            const std::string name = entry.get<std::string>();
            if (name.empty() || name[0] == '/' || name.find("..") != std::string::npos)
                return fail("source '" + name + "' lies outside the family's folder");
            const bool shared = name.starts_with("common/");
            FS_TRY(source,
                   readFile(joinPath(shared ? parentFolder(m_folder) : m_folder, name), kMaxSourceBytes));
            joined += source;
            if (!joined.empty() && joined.back() != '\n')
                joined += '\n';
        }
        return joined;
    }

    std::string m_folder;
    std::string m_what;
};

} // namespace foresight
