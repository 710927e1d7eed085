// SPDX-License-Identifier: Apache-2.0
// A search's log in a session: writing it as the engine goes, reading it to go on. A sink belongs to the
// session's thread, which is the engine's.
#pragma once

#include "core/search/engine.h"
#include "core/search/setup.h"
#include "core/store/session.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace foresight {

// Groups events into transactions: committed when the oldest is 50 ms old, and whenever the engine asks
// (before anything is spent on a live GPU, before it waits, at its end). Connect with
// `engine.setFlush([&sink] { return sink.flush(); })`.
class SessionSink
{
public:
    SessionSink(Session& session, std::int64_t search) : m_session(session), m_search(search) {}
    Result<void> append(EventRow& event);
    Result<void> flush();

private:
    Session& m_session;
    std::int64_t m_search;
    std::vector<EventRow> m_buffer;
    std::chrono::steady_clock::time_point m_oldest;
};

// Registers a search; returns its id.
Result<std::int64_t> beginSearch(Session& session, const PreparedSearch& prepared,
                                 OperatorId operatorId = {});
// The whole log, payloads and annexes included, for Engine's `history`.
Result<std::vector<EventRow>> loadHistory(const Session& session, std::int64_t search);
// The request to go on with a search of a session.
Result<SearchRequest> loadRequest(const Session& session, std::int64_t search);

} // namespace foresight
