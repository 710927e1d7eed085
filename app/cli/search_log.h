// SPDX-License-Identifier: Apache-2.0
// Where the events of one search go: into a session (grouped into transactions that the engine's flush
// closes), to
// --jsonl, and past the progress line. The engine's thread.
#pragma once

#include "app/cli/output.h"
#include "core/search/engine.h"
#include "core/store/session.h"

#include <cstdint>
#include <vector>

namespace foresight::cli {

class SearchLog
{
public:
    // `session` may be null: nothing is kept.
    SearchLog(Output& output, Session* session, std::int64_t search, std::uint64_t seed);
    void attach(Engine& engine, Progress& progress);
    Result<void> append(EventRow& event);
    Result<void> flush();

private:
    Output& m_output;
    Session* m_session;
    std::int64_t m_search;
    std::uint64_t m_seed;
    Engine* m_engine = nullptr;
    Progress* m_progress = nullptr;
    std::vector<EventRow> m_waiting;
};

} // namespace foresight::cli
