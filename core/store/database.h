// SPDX-License-Identifier: Apache-2.0
// A thin owner of one SQLite connection: prepared statements, typed binding, transactions, errors as Result.
// One thread at a time. Statements must not outlive their Database.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace foresight {

class Statement
{
public:
    Statement() = default;
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&& other) noexcept;
    ~Statement();

    // Parameters are numbered from 1. Text and blobs are copied. Errors surface in the next step.
    Statement& bind(int index, std::int64_t value);
    Statement& bind(int index, double value); // NaN is stored as NULL
    Statement& bind(int index, std::string_view text);
    Statement& bindBlob(int index, std::string_view bytes);
    Statement& bindNull(int index);

    // True: a row is there. After false or an error the statement is reset and can be bound and run again.
    Result<bool> step();
    // For statements without rows.
    Result<void> run();
    void reset();

    // Columns are numbered from 0.
    bool isNull(int column) const;
    bool isBlob(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;            // NULL: NaN
    std::string text(int column) const;       // also the bytes of a blob
    std::string_view bytes(int column) const; // valid until the next step

private:
    friend class Database;
    explicit Statement(sqlite3_stmt* statement) : m_statement(statement) {}
    sqlite3_stmt* m_statement = nullptr;
};

class Database
{
public:
    enum class Open { Create, ReadWrite, ReadOnly, Immutable };
    // Immutable: nobody changes the file while it is open; works in read-only folders, ignores any journal.
    static Result<std::unique_ptr<Database>> open(const std::string& path, Open how);
    static Result<std::unique_ptr<Database>> inMemory();
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // One or several statements without parameters; rows are dropped.
    Result<void> execute(std::string_view sql);
    Result<Statement> prepare(std::string_view sql) const;
    // First column of the first row.
    Result<std::int64_t> integer(std::string_view sql) const;
    Result<std::string> text(std::string_view sql) const;
    std::int64_t lastInsertId() const;
    // Copies everything into `target` (SQLite's backup API), page by page, in one consistent state.
    Result<void> copyTo(Database& target) const;
    sqlite3* handle() const { return m_handle; }

private:
    Database() = default;
    static Result<std::unique_ptr<Database>> openWith(const std::string& name, int flags);
    sqlite3* m_handle = nullptr;
};

// Rolls back unless committed. Nested use is an error of the caller.
class Transaction
{
public:
    static Result<Transaction> begin(Database& database);
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Result<void> commit();

private:
    explicit Transaction(Database& database) : m_database(&database) {}
    Database* m_database;
};

} // namespace foresight
