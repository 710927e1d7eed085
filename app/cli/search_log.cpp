// SPDX-License-Identifier: Apache-2.0
#include "app/cli/search_log.h"

#include "core/base/json.h"

#include <cmath>
#include <fmt/format.h>

namespace foresight::cli {
namespace {

Json eventJson(const EventRow& event, std::uint64_t seed)
{
    // A payload that is no JSON would be a fault of the engine; shown as text it can still be found.
    auto payload = parseJson(event.payload.empty() ? "null" : event.payload, "payload");
    return {{"event", std::string(eventKindName(static_cast<EventKind>(event.kind)))},
            {"seed", seed},
            {"seq", event.seq},
            {"node", event.node},
            {"parent", event.parent},
            {"a", event.a},
            {"b", event.b},
            {"flags", event.flags},
            {"payload", payload ? *payload : Json(event.payload)}};
}

} // namespace

SearchLog::SearchLog(Output& output, Session* session, std::int64_t search, std::uint64_t seed)
    : m_output(output), m_seed(seed)
{
    if (session != nullptr)
        m_sink.emplace(*session, search);
}

void SearchLog::attach(Engine& engine, Progress& progress)
{
    m_engine = &engine;
    m_progress = &progress;
    engine.setFlush([this] { return flush(); });
}

Result<void> SearchLog::append(EventRow& event)
{
    if (m_sink)
        FS_CHECK(m_sink->append(event));
    m_output.event(eventJson(event, m_seed));
    const auto kind = static_cast<EventKind>(event.kind);
    if (m_engine != nullptr && (kind == EventKind::Measured || kind == EventKind::Failed)) {
        const auto& counts = m_engine->tree().counts();
        const auto best = m_engine->tree().incumbent();
        m_progress->update(
            counts.measured + counts.failed + 1,
            best ? fmt::format("best {:.3f}x", std::exp2(m_engine->tree().node(*best).measuredLog2))
                 : std::string());
    }
    return {};
}

Result<void> SearchLog::flush()
{
    return m_sink ? m_sink->flush() : Result<void>();
}

} // namespace foresight::cli
