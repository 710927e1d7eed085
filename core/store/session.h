// SPDX-License-Identifier: Apache-2.0
// A session: one SQLite file (.fsight) with recorded profile, searches (event logs), blobs and verdicts. One
// writer at a time (lock file naming pid and host beside it); any number of readers. A session in a read-only
// place opens read-only (immutable). Foreign files open defensively. Thread use: a Session belongs to one
// thread; open a second one for a second thread.
#pragma once

#include "core/base/result.h"
#include "core/store/event_row.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

class Database; // core/store/database.h: prepared statements on this session's connection

struct SearchRecord
{
    std::int64_t id = 0;
    std::int64_t operatorId = -1; // in the profile; -1: none
    std::string operatorName, problemKey;
    std::string optionsJson; // SearchOptions as stored by search_started
    std::string space;       // recorded space used, or empty
    std::string created;     // ISO 8601 UTC
    std::int64_t events = 0;
};

struct VerdictRecord
{
    std::int64_t id = 0, search = 0, operatorId = -1;
    std::string decision, reason; // "deploy" / "fall back"; reason from the guard's list
    std::string evidenceJson;
    std::string created;
};

class Session
{
public:
    enum class Mode { ReadWrite, ReadOnly, ReadWriteOrReadOnly };
    static Result<std::unique_ptr<Session>> create(const std::string& path); // fails when it exists
    // Busy names the writer. Corrupt and "newer version" errors say so. Older schemas are migrated (copy
    // kept).
    static Result<std::unique_ptr<Session>> open(const std::string& path,
                                                 Mode mode = Mode::ReadWriteOrReadOnly);
    ~Session();

    const std::string& path() const;
    bool readOnly() const;
    std::string readOnlyReason() const;
    Database& database();
    const Database& database() const;

    Result<void> setMeta(std::string_view key, std::string_view value);
    std::optional<std::string> meta(std::string_view key) const;

    Result<std::int64_t> addSearch(const SearchRecord& record);
    Result<std::vector<SearchRecord>> searches() const;
    // All in one transaction; seq must continue the log.
    Result<void> appendEvents(std::int64_t search, std::span<const EventRow> events);
    // Calls back in order for seq in (afterSeq, upToSeq]; payload and annex are loaded only when asked for.
    Result<void> readEvents(std::int64_t search, std::int64_t afterSeq, std::int64_t upToSeq, bool withBlobs,
                            const std::function<bool(EventRow&&)>& callback) const;
    Result<EventRow> readEvent(std::int64_t search, std::int64_t seq) const;

    // Content-addressed, zstd-compressed; returns the sha256 (hex) of `data`. Idempotent.
    Result<std::string> putBlob(std::string_view data);
    Result<std::string> blob(std::string_view hash) const;

    Result<void> putSnapshot(std::int64_t search, std::int64_t seq, std::string_view data);
    // The newest at or before `seq`.
    std::optional<std::pair<std::int64_t, std::string>> snapshot(std::int64_t search, std::int64_t seq) const;

    Result<void> putVerdict(const VerdictRecord& verdict);
    Result<std::vector<VerdictRecord>> verdicts() const;

    Result<void> saveAs(const std::string& path) const; // SQLite backup API
    // A writable copy of a read-only session in the user's data folder (name kept, numbered when taken).
    Result<std::string> makeWorkingCopy(const std::string& folder) const;

private:
    Session();
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace foresight
