// SPDX-License-Identifier: Apache-2.0
#include "core/base/log.h"

#include <mutex>
#include <utility>

namespace foresight {
namespace {

struct Sink
{
    std::mutex mutex;
    LogSink sink;
};

// Never destroyed: threads of a host process may still log while static objects are taken down.
Sink& instance()
{
    static Sink* const sink = new Sink;
    return *sink;
}

} // namespace

void setLogSink(LogSink sink)
{
    Sink& state = instance();
    const std::lock_guard lock(state.mutex);
    state.sink = std::move(sink);
}

void log(LogLevel level, std::string_view area, std::string text)
{
    Sink& state = instance();
    const std::lock_guard lock(state.mutex);
    if (state.sink)
        state.sink(LogRecord{level, std::string(area), std::move(text)});
}

} // namespace foresight
