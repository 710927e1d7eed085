// SPDX-License-Identifier: Apache-2.0
// Where the events of one search go: into a session, to --jsonl, and past the progress line. The engine's
// thread.
#pragma once

#include "app/cli/output.h"
#include "core/search/session_log.h"

#include <cstdint>
#include <optional>

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
    std::optional<SessionSink> m_sink;
    std::uint64_t m_seed;
    Engine* m_engine = nullptr;
    Progress* m_progress = nullptr;
};

} // namespace foresight::cli
