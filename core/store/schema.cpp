// SPDX-License-Identifier: Apache-2.0
#include "core/store/schema.h"

#include "core/store/database.h"

#include <array>
#include <set>
#include <utility>

namespace foresight {
namespace {

// search_event holds what a fold reads; its texts are kept apart so that opening a long log stays fast. A
// text is either TEXT as it is or a BLOB with a zstd frame.
constexpr std::string_view kCoreV1 = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE search(
    id INTEGER PRIMARY KEY,
    operator INTEGER NOT NULL,
    operator_name TEXT NOT NULL,
    problem_key TEXT NOT NULL,
    options TEXT NOT NULL,
    space TEXT NOT NULL,
    created TEXT NOT NULL);
CREATE TABLE search_event(
    search INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    version INTEGER NOT NULL,
    node INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    a REAL,
    b REAL,
    flags INTEGER NOT NULL,
    time_ns INTEGER NOT NULL,
    PRIMARY KEY(search, seq)) WITHOUT ROWID;
CREATE TABLE search_event_text(
    search INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    payload,
    annex,
    PRIMARY KEY(search, seq)) WITHOUT ROWID;
CREATE TABLE search_snapshot(
    search INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY(search, seq));
CREATE TABLE blob(hash TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE verdict(
    id INTEGER PRIMARY KEY,
    search INTEGER NOT NULL,
    operator INTEGER NOT NULL,
    decision TEXT NOT NULL,
    reason TEXT NOT NULL,
    evidence TEXT NOT NULL,
    created TEXT NOT NULL);
)sql";

using Columns = std::set<std::pair<std::string, std::string>>;

Result<Columns> columnsOf(const Database& database)
{
    FS_TRY(statement,
           database.prepare("SELECT s.name, c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c "
                            "WHERE s.type = 'table'"));
    Columns columns;
    for (;;) {
        FS_TRY(row, statement.step());
        if (!row)
            return columns;
        columns.emplace(statement.text(0), statement.text(1));
    }
}

Result<Columns> currentColumns()
{
    FS_TRY(database, Database::inMemory());
    FS_CHECK(migrate(*database, schemaMigrations()));
    return columnsOf(*database);
}

} // namespace

std::span<const Migration> schemaMigrations()
{
    static const std::array<Migration, 1> kMigrations = {
        Migration{1, std::string(kCoreV1) + std::string(profileSchemaV1())},
    };
    return kMigrations;
}

int currentSchemaVersion()
{
    return schemaMigrations().back().version;
}

Result<void> migrate(Database& database, std::span<const Migration> migrations)
{
    FS_TRY(version, database.integer("PRAGMA user_version"));
    FS_TRY(transaction, Transaction::begin(database));
    for (const Migration& migration : migrations) {
        if (migration.version <= version)
            continue;
        FS_CHECK(database.execute(migration.sql));
        FS_CHECK(database.execute("PRAGMA user_version=" + std::to_string(migration.version)));
    }
    return transaction.commit();
}

Result<void> checkSchema(const Database& database)
{
    FS_TRY(strangers,
           database.integer("SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view') OR "
                            "sql LIKE 'CREATE VIRTUAL%'"));
    if (strangers != 0)
        return makeError(ErrorCode::Corrupt,
                         "the file has triggers, views or virtual tables, which sessions never have",
                         "do not open it unless you trust where it comes from");
    static const Result<Columns> kExpected = currentColumns();
    if (!kExpected)
        return kExpected.error();
    FS_TRY(actual, columnsOf(database));
    for (const auto& column : *kExpected)
        if (!actual.contains(column))
            return makeError(ErrorCode::Corrupt,
                             "the file lacks the column " + column.first + "." + column.second,
                             "restore it from a copy");
    return {};
}

} // namespace foresight
