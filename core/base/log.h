// SPDX-License-Identifier: Apache-2.0
// Log messages of core. Quiet by default: programs install a sink (foresight-cli writes to stderr, the window to
// its Log panel). Depends on nothing, since it is also linked into other people's processes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace foresight {

enum class LogLevel { Debug, Info, Warning, Error };

struct LogRecord {
    LogLevel level = LogLevel::Info;
    std::string area; // "gpu", "store", ...
    std::string text;
};

using LogSink = std::function<void(const LogRecord&)>;
// Replaces the sink (nullptr: drop). The sink may be called from any thread, one call at a time.
void setLogSink(LogSink sink);
void log(LogLevel level, std::string_view area, std::string text);

} // namespace foresight
