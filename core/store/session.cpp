// SPDX-License-Identifier: Apache-2.0
#include "core/store/session.h"

#include "core/base/hash.h"
#include "core/base/utc.h"
#include "core/store/compress.h"
#include "core/store/session_impl.h"

namespace foresight {
namespace {

constexpr std::size_t kCompressFrom = 1024; // shorter texts gain little and cost a reader more

void bindText(Statement& statement, int index, const std::string& text)
{
    if (text.empty())
        statement.bindNull(index);
    else if (text.size() < kCompressFrom)
        statement.bind(index, std::string_view(text));
    else
        statement.bindBlob(index, compressValue(text));
}

Result<std::string> loadText(const Statement& statement, int column)
{
    if (statement.isNull(column))
        return std::string();
    if (statement.isBlob(column))
        return decompressValue(statement.bytes(column));
    return statement.text(column);
}

} // namespace

Result<void> Session::Impl::mayWrite() const
{
    if (readOnly)
        return makeError(ErrorCode::Unsupported, path + " is open for reading only: " + readOnlyReason,
                         "make a working copy of it");
    return {};
}

Result<void> Session::Impl::prepareWriting()
{
    if (insertEvent)
        return {};
    FS_TRY(event, database->prepare(
                      "INSERT INTO search_event(search, seq, kind, version, node, parent, a, b, flags, "
                      "time_ns) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    FS_TRY(text, database->prepare(
                     "INSERT INTO search_event_text(search, seq, payload, annex) VALUES(?, ?, ?, ?)"));
    insertEvent = std::move(event);
    insertText = std::move(text);
    return {};
}

Result<std::int64_t> Session::Impl::lastSeqOf(std::int64_t search)
{
    if (const auto known = lastSeq.find(search); known != lastSeq.end())
        return known->second;
    FS_TRY(statement,
           database->prepare("SELECT (SELECT max(seq) FROM search_event WHERE search = ?1) FROM search "
                             "WHERE id = ?1"));
    statement.bind(1, search);
    FS_TRY(row, statement.step());
    if (!row)
        return makeError(ErrorCode::NotFound, path + " has no search " + std::to_string(search));
    return lastSeq[search] = statement.integer(0);
}

const std::string& Session::path() const
{
    return m->path;
}
bool Session::readOnly() const
{
    return m->readOnly;
}
std::string Session::readOnlyReason() const
{
    return m->readOnlyReason;
}
Database& Session::database()
{
    return *m->database;
}
const Database& Session::database() const
{
    return *m->database;
}

Result<void> Session::setMeta(std::string_view key, std::string_view value)
{
    FS_CHECK(m->mayWrite());
    FS_TRY(statement, m->database->prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)"));
    return statement.bind(1, key).bind(2, value).run();
}

std::optional<std::string> Session::meta(std::string_view key) const
{
    auto statement = m->database->prepare("SELECT value FROM meta WHERE key = ?");
    if (!statement)
        return std::nullopt;
    const auto row = statement->bind(1, key).step();
    if (!row || !*row)
        return std::nullopt;
    return statement->text(0);
}

Result<std::int64_t> Session::addSearch(const SearchRecord& record)
{
    FS_CHECK(m->mayWrite());
    FS_TRY(statement,
           m->database->prepare("INSERT INTO search(operator, operator_name, problem_key, options, space, "
                                "created) VALUES(?, ?, ?, ?, ?, ?)"));
    statement.bind(1, record.operatorId)
        .bind(2, std::string_view(record.operatorName))
        .bind(3, std::string_view(record.problemKey))
        .bind(4, std::string_view(record.optionsJson))
        .bind(5, std::string_view(record.space))
        .bind(6, std::string_view(record.created.empty() ? utcNowText() : record.created));
    FS_CHECK(statement.run());
    return m->database->lastInsertId();
}

Result<std::vector<SearchRecord>> Session::searches() const
{
    FS_TRY(
        statement,
        m->database->prepare(
            "SELECT id, operator, operator_name, problem_key, options, space, created, "
            "(SELECT max(seq) FROM search_event AS e WHERE e.search = s.id) FROM search AS s ORDER BY id"));
    std::vector<SearchRecord> records;
    for (;;) {
        FS_TRY(row, statement.step());
        if (!row)
            return records;
        SearchRecord record;
        record.id = statement.integer(0);
        record.operatorId = statement.integer(1);
        record.operatorName = statement.text(2);
        record.problemKey = statement.text(3);
        record.optionsJson = statement.text(4);
        record.space = statement.text(5);
        record.created = statement.text(6);
        record.events = statement.integer(7);
        records.push_back(std::move(record));
    }
}

Result<void> Session::appendEvents(std::int64_t search, std::span<const EventRow> events)
{
    FS_CHECK(m->mayWrite());
    FS_TRY(last, m->lastSeqOf(search));
    for (const EventRow& event : events) {
        if (event.seq != last + 1)
            return makeError(ErrorCode::InvalidArgument,
                             "event " + std::to_string(event.seq) + " does not follow event " +
                                 std::to_string(last) + " of search " + std::to_string(search));
        ++last;
    }
    FS_CHECK(m->prepareWriting());
    FS_TRY(transaction, Transaction::begin(*m->database));
    for (const EventRow& event : events) {
        m->insertEvent->bind(1, search)
            .bind(2, event.seq)
            .bind(3, std::int64_t{event.kind})
            .bind(4, std::int64_t{event.version})
            .bind(5, event.node)
            .bind(6, event.parent)
            .bind(7, event.a)
            .bind(8, event.b)
            .bind(9, std::int64_t{event.flags})
            .bind(10, event.timeNs);
        FS_CHECK(m->insertEvent->run());
        if (event.payload.empty() && event.annex.empty())
            continue;
        m->insertText->bind(1, search).bind(2, event.seq);
        bindText(*m->insertText, 3, event.payload);
        bindText(*m->insertText, 4, event.annex);
        FS_CHECK(m->insertText->run());
    }
    FS_CHECK(transaction.commit());
    m->lastSeq[search] = last;
    return {};
}

Result<void> Session::readEvents(std::int64_t search, std::int64_t afterSeq, std::int64_t upToSeq,
                                 bool withBlobs, const std::function<bool(EventRow&&)>& callback) const
{
    const std::string columns = "e.seq, e.kind, e.version, e.node, e.parent, e.a, e.b, e.flags, e.time_ns";
    const std::string where = " WHERE e.search = ? AND e.seq > ? AND e.seq <= ? ORDER BY e.seq";
    FS_TRY(statement,
           m->database->prepare(
               withBlobs ? "SELECT " + columns +
                               ", t.payload, t.annex FROM search_event AS e LEFT JOIN search_event_text AS t "
                               "ON t.search = e.search AND t.seq = e.seq" +
                               where
                         : "SELECT " + columns + " FROM search_event AS e" + where));
    statement.bind(1, search).bind(2, afterSeq).bind(3, upToSeq);
    std::int64_t expected = afterSeq + 1;
    for (;;) {
        FS_TRY(row, statement.step());
        if (!row)
            return {};
        EventRow event;
        event.search = search;
        event.seq = statement.integer(0);
        if (event.seq != expected)
            return makeError(ErrorCode::Corrupt,
                             "the log of search " + std::to_string(search) + " in " + m->path +
                                 " lacks event " + std::to_string(expected),
                             "restore the session from a copy");
        ++expected;
        event.kind = static_cast<std::int32_t>(statement.integer(1));
        event.version = static_cast<std::int32_t>(statement.integer(2));
        event.node = statement.integer(3);
        event.parent = statement.integer(4);
        event.a = statement.real(5);
        event.b = statement.real(6);
        event.flags = static_cast<std::uint32_t>(statement.integer(7));
        event.timeNs = statement.integer(8);
        if (withBlobs) {
            FS_TRY(payload, loadText(statement, 9));
            FS_TRY(annex, loadText(statement, 10));
            event.payload = std::move(payload);
            event.annex = std::move(annex);
        }
        if (!callback(std::move(event)))
            return {};
    }
}

Result<EventRow> Session::readEvent(std::int64_t search, std::int64_t seq) const
{
    std::optional<EventRow> found;
    FS_CHECK(readEvents(search, seq - 1, seq, true, [&found](EventRow&& event) {
        found = std::move(event);
        return false;
    }));
    if (!found)
        return makeError(ErrorCode::NotFound,
                         "search " + std::to_string(search) + " has no event " + std::to_string(seq));
    return std::move(*found);
}

Result<std::string> Session::putBlob(std::string_view data)
{
    FS_CHECK(m->mayWrite());
    std::string hash = sha256Hex(data);
    FS_TRY(known, m->database->prepare("SELECT 1 FROM blob WHERE hash = ?"));
    FS_TRY(row, known.bind(1, std::string_view(hash)).step());
    if (row)
        return hash;
    FS_TRY(statement, m->database->prepare("INSERT INTO blob(hash, data) VALUES(?, ?)"));
    FS_CHECK(statement.bind(1, std::string_view(hash)).bindBlob(2, compressValue(data)).run());
    return hash;
}

Result<std::string> Session::blob(std::string_view hash) const
{
    FS_TRY(statement, m->database->prepare("SELECT data FROM blob WHERE hash = ?"));
    FS_TRY(row, statement.bind(1, hash).step());
    if (!row)
        return makeError(ErrorCode::NotFound, m->path + " has no data " + std::string(hash));
    FS_TRY(data, decompressValue(statement.bytes(0)));
    if (sha256Hex(data) != hash)
        return makeError(ErrorCode::Corrupt, "data " + std::string(hash) + " in " + m->path + " is damaged");
    return data;
}

Result<void> Session::putSnapshot(std::int64_t search, std::int64_t seq, std::string_view data)
{
    FS_CHECK(m->mayWrite());
    FS_TRY(statement,
           m->database->prepare("INSERT OR REPLACE INTO search_snapshot(search, seq, data) VALUES(?, ?, ?)"));
    return statement.bind(1, search).bind(2, seq).bindBlob(3, compressValue(data)).run();
}

std::optional<std::pair<std::int64_t, std::string>> Session::snapshot(std::int64_t search,
                                                                      std::int64_t seq) const
{
    auto statement = m->database->prepare(
        "SELECT seq, data FROM search_snapshot WHERE search = ? AND seq <= ? ORDER BY seq DESC LIMIT 1");
    if (!statement)
        return std::nullopt;
    const auto row = statement->bind(1, search).bind(2, seq).step();
    if (!row || !*row)
        return std::nullopt;
    // A damaged snapshot costs a longer fold, nothing else.
    auto data = decompressValue(statement->bytes(1));
    if (!data)
        return std::nullopt;
    return std::pair(statement->integer(0), std::move(data).value());
}

Result<void> Session::putVerdict(const VerdictRecord& verdict)
{
    FS_CHECK(m->mayWrite());
    FS_TRY(statement,
           m->database->prepare("INSERT INTO verdict(search, operator, decision, reason, evidence, created) "
                                "VALUES(?, ?, ?, ?, ?, ?)"));
    return statement.bind(1, verdict.search)
        .bind(2, verdict.operatorId)
        .bind(3, std::string_view(verdict.decision))
        .bind(4, std::string_view(verdict.reason))
        .bind(5, std::string_view(verdict.evidenceJson))
        .bind(6, std::string_view(verdict.created.empty() ? utcNowText() : verdict.created))
        .run();
}

Result<std::vector<VerdictRecord>> Session::verdicts() const
{
    FS_TRY(statement, m->database->prepare(
                          "SELECT id, search, operator, decision, reason, evidence, created FROM verdict "
                          "ORDER BY id"));
    std::vector<VerdictRecord> records;
    for (;;) {
        FS_TRY(row, statement.step());
        if (!row)
            return records;
        VerdictRecord record;
        record.id = statement.integer(0);
        record.search = statement.integer(1);
        record.operatorId = statement.integer(2);
        record.decision = statement.text(3);
        record.reason = statement.text(4);
        record.evidenceJson = statement.text(5);
        record.created = statement.text(6);
        records.push_back(std::move(record));
    }
}

} // namespace foresight
