// SPDX-License-Identifier: Apache-2.0
#include "core/search/session_log.h"

#include "core/base/utc.h"

#include <algorithm>

namespace foresight {

namespace {

constexpr std::chrono::milliseconds kOldest{50};

} // namespace

Result<void> SessionSink::append(EventRow& event)
{
    event.search = m_search;
    const auto now = std::chrono::steady_clock::now();
    if (m_buffer.empty())
        m_oldest = now;
    m_buffer.push_back(event);
    return now - m_oldest >= kOldest ? flush() : Result<void>();
}

Result<void> SessionSink::flush()
{
    if (m_buffer.empty())
        return {};
    FS_CHECK(m_session.appendEvents(m_search, m_buffer));
    m_buffer.clear();
    return {};
}

Result<std::int64_t> beginSearch(Session& session, const PreparedSearch& prepared, OperatorId operatorId)
{
    SearchRecord record;
    record.operatorId = operatorId.value;
    record.operatorName = prepared.target.operatorName;
    record.problemKey = prepared.target.problemKey;
    record.optionsJson = searchOptionsToJson(prepared.options);
    record.space = prepared.space ? prepared.space->file : std::string();
    record.created = utcNowText();
    return session.addSearch(record);
}

Result<std::vector<EventRow>> loadHistory(const Session& session, std::int64_t search)
{
    std::vector<EventRow> events;
    FS_CHECK(session.readEvents(search, 0, INT64_MAX, true, [&events](EventRow&& event) {
        events.push_back(std::move(event));
        return true;
    }));
    return events;
}

Result<SearchRequest> loadRequest(const Session& session, std::int64_t search)
{
    FS_TRY(searches, session.searches());
    const auto record =
        std::find_if(searches.begin(), searches.end(), [&](const SearchRecord& r) { return r.id == search; });
    if (record == searches.end())
        return makeError(ErrorCode::NotFound,
                         "there is no search " + std::to_string(search) + " in " + session.path());
    FS_TRY(first, session.readEvent(search, 1));
    FS_TRY(started, decodeStarted(first.payload));
    return requestToResume(started, record->space);
}

} // namespace foresight
