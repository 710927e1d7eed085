// SPDX-License-Identifier: Apache-2.0
// The tables of a session file and how older files become current ones. To change the schema append a
// Migration; never edit one that was released.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace foresight {

class Database;

inline constexpr std::int64_t kSessionApplicationId = 0x46534754; // "FSGT", in SQLite's header

struct Migration
{
    int version;     // the user_version after it
    std::string sql; // several statements
};

std::span<const Migration> schemaMigrations();
int currentSchemaVersion();
std::string_view profileSchemaV1(); // schema_profile.cpp

// Applies what is newer than the file's user_version, all in one transaction.
Result<void> migrate(Database& database, std::span<const Migration> migrations);
// Corrupt when a table or column of the current schema is missing, or when the file has triggers, views or
// virtual tables (sessions have none; in a foreign file they could run code of its author on our writes).
Result<void> checkSchema(const Database& database);

} // namespace foresight
