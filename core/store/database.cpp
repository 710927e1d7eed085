// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.h"

#include <cmath>
#include <limits>
#include <sqlite3.h>
#include <utility>

namespace foresight {
namespace {

constexpr int kBusyTimeoutMs = 5000;

Error databaseError(sqlite3* handle, int code, std::string_view doing)
{
    std::string message =
        std::string(doing) + ": " + (handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return makeError(ErrorCode::Busy, std::move(message), "another program is using the file; try again");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return makeError(ErrorCode::Corrupt, std::move(message), "restore the file from a copy");
    case SQLITE_FULL:
        return makeError(ErrorCode::ResourceLimit, std::move(message), "free some disk space");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return makeError(ErrorCode::IoError, std::move(message), "the file or its folder is read-only");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return makeError(ErrorCode::IoError, std::move(message),
                         "check the disk and the permissions of the folder");
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
        return makeError(ErrorCode::ResourceLimit, std::move(message));
    default:
        return makeError(ErrorCode::Internal, std::move(message));
    }
}

// A file name as a URI: everything that means something in one is escaped.
std::string asUri(const std::string& path, const char* query)
{
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string uri = "file:";
    for (char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte >= 0x7f || c == '%' || c == '?' || c == '#') {
            uri += '%';
            uri += kDigits[byte >> 4];
            uri += kDigits[byte & 15];
        } else {
            uri += c;
        }
    }
    return uri + query;
}

} // namespace

Statement::Statement(Statement&& other) noexcept : m_statement(std::exchange(other.m_statement, nullptr)) {}

Statement& Statement::operator=(Statement&& other) noexcept
{
    if (this != &other) {
        sqlite3_finalize(m_statement);
        m_statement = std::exchange(other.m_statement, nullptr);
    }
    return *this;
}

Statement::~Statement()
{
    sqlite3_finalize(m_statement);
}

Statement& Statement::bind(int index, std::int64_t value)
{
    sqlite3_bind_int64(m_statement, index, value);
    return *this;
}

Statement& Statement::bind(int index, double value)
{
    sqlite3_bind_double(m_statement, index, value);
    return *this;
}

Statement& Statement::bind(int index, std::string_view text)
{
    const char* data = text.data() == nullptr ? "" : text.data();
    sqlite3_bind_text64(m_statement, index, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bindBlob(int index, std::string_view bytes)
{
    const char* data = bytes.data() == nullptr ? "" : bytes.data();
    sqlite3_bind_blob64(m_statement, index, data, bytes.size(), SQLITE_TRANSIENT);
    return *this;
}

Statement& Statement::bindNull(int index)
{
    sqlite3_bind_null(m_statement, index);
    return *this;
}

Result<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE) {
        sqlite3_reset(m_statement);
        return false;
    }
    Error error = databaseError(sqlite3_db_handle(m_statement), code, "the session's database failed");
    sqlite3_reset(m_statement);
    return error;
}

Result<void> Statement::run()
{
    FS_TRY(row, step());
    if (row)
        sqlite3_reset(m_statement);
    return {};
}

void Statement::reset()
{
    sqlite3_reset(m_statement);
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

bool Statement::isBlob(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_BLOB;
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

double Statement::real(int column) const
{
    return isNull(column) ? std::numeric_limits<double>::quiet_NaN()
                          : sqlite3_column_double(m_statement, column);
}

std::string Statement::text(int column) const
{
    return std::string(bytes(column));
}

std::string_view Statement::bytes(int column) const
{
    const auto* data = isBlob(column)
                           ? static_cast<const char*>(sqlite3_column_blob(m_statement, column))
                           : reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    const int size = sqlite3_column_bytes(m_statement, column);
    return data == nullptr ? std::string_view() : std::string_view(data, static_cast<std::size_t>(size));
}

Result<std::unique_ptr<Database>> Database::openWith(const std::string& name, int flags)
{
    std::unique_ptr<Database> database(new Database);
    const int code = sqlite3_open_v2(name.c_str(), &database->m_handle,
                                     flags | SQLITE_OPEN_URI | SQLITE_OPEN_FULLMUTEX, nullptr);
    if (code != SQLITE_OK)
        return databaseError(database->m_handle, code, "cannot open " + name);
    sqlite3* handle = database->m_handle;
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, kBusyTimeoutMs);
    // The file may come from anybody: its schema may not call functions with side effects, nor may SQL change
    // it by hand, nor may it load code.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    FS_CHECK(database->execute("PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY"));
    return database;
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Open how)
{
    switch (how) {
    case Open::Create:
        return openWith(asUri(path, ""), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    case Open::ReadWrite:
        return openWith(asUri(path, ""), SQLITE_OPEN_READWRITE);
    case Open::ReadOnly:
        return openWith(asUri(path, ""), SQLITE_OPEN_READONLY);
    case Open::Immutable:
        return openWith(asUri(path, "?immutable=1"), SQLITE_OPEN_READONLY);
    }
    return makeError(ErrorCode::Internal, "unknown way to open a database");
}

Result<std::unique_ptr<Database>> Database::inMemory()
{
    return openWith(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY);
}

Database::~Database()
{
    sqlite3_close_v2(m_handle);
}

Result<void> Database::execute(std::string_view sql)
{
    const int code = sqlite3_exec(m_handle, std::string(sql).c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return databaseError(m_handle, code, "the session's database failed");
    return {};
}

Result<Statement> Database::prepare(std::string_view sql) const
{
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v3(m_handle, sql.data(), static_cast<int>(sql.size()), 0, &statement, nullptr);
    if (code != SQLITE_OK)
        return databaseError(m_handle, code, "the session's database failed");
    return Statement(statement);
}

Result<std::int64_t> Database::integer(std::string_view sql) const
{
    FS_TRY(statement, prepare(sql));
    FS_TRY(row, statement.step());
    if (!row)
        return makeError(ErrorCode::NotFound, "the query has no result");
    return statement.integer(0);
}

Result<std::string> Database::text(std::string_view sql) const
{
    FS_TRY(statement, prepare(sql));
    FS_TRY(row, statement.step());
    if (!row)
        return makeError(ErrorCode::NotFound, "the query has no result");
    return statement.text(0);
}

std::int64_t Database::lastInsertId() const
{
    return sqlite3_last_insert_rowid(m_handle);
}

Result<void> Database::copyTo(Database& target) const
{
    sqlite3_backup* backup = sqlite3_backup_init(target.m_handle, "main", m_handle, "main");
    if (backup == nullptr)
        return databaseError(target.m_handle, sqlite3_errcode(target.m_handle), "cannot copy the session");
    int code = SQLITE_OK;
    constexpr int kPagesPerStep = 4096;
    for (int waits = 0; waits < 100;) {
        code = sqlite3_backup_step(backup, kPagesPerStep);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
            ++waits;
            sqlite3_sleep(50);
        } else if (code != SQLITE_OK) {
            break;
        }
    }
    const int finished = sqlite3_backup_finish(backup);
    if (code != SQLITE_DONE)
        return databaseError(target.m_handle, code, "cannot copy the session");
    if (finished != SQLITE_OK)
        return databaseError(target.m_handle, finished, "cannot copy the session");
    return {};
}

Result<Transaction> Transaction::begin(Database& database)
{
    FS_CHECK(database.execute("BEGIN IMMEDIATE"));
    return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr))
{
}

Transaction::~Transaction()
{
    // SQLite may have rolled back by itself (disk full); a second ROLLBACK only fails.
    if (m_database != nullptr && sqlite3_get_autocommit(m_database->handle()) == 0)
        static_cast<void>(m_database->execute("ROLLBACK"));
}

Result<void> Transaction::commit()
{
    FS_CHECK(m_database->execute("COMMIT"));
    m_database = nullptr;
    return {};
}

} // namespace foresight
