// SPDX-License-Identifier: Apache-2.0
// What every command prints, and where: results on stdout (tables for people, one JSON object with --json,
// one object per line with --jsonl), errors and progress on stderr. A command reports through this and
// returns an error; it never writes to stdout itself.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace foresight::cli {

enum class Format { Text, Json, JsonLines };

inline constexpr int kDone = 0, kFailed = 1, kUsage = 2;

struct Column
{
    std::string title;
    bool right = false; // numbers
};

class Output
{
public:
    explicit Output(Format format, bool quiet) : m_format(format), m_quiet(quiet) {}

    bool forPeople() const { return m_format == Format::Text; }
    bool quiet() const { return m_quiet; }
    // For people only.
    void line(std::string_view text = {});
    void table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);
    // --jsonl only.
    void event(const Json& event);
    // The command's one result; nothing in text form.
    void result(const Json& result);
    // On stderr, unless quiet.
    void note(std::string_view text);

    // Marks an error as one of usage: exit status 2.
    Error usage(std::string message, std::string hint = {});
    // Keeps what there is of a result beside the error that ended the command.
    void partialResult(const Json& result);
    // Prints the error in the chosen form; the exit status to end with.
    int finish(const Result<void>& outcome);

private:
    void write(std::string_view text);
    Format m_format;
    bool m_quiet;
    bool m_usage = false;
    bool m_stdoutBroken = false;
    std::string m_partial; // JSON text
};

// One line on stderr that says how far a long command is and when it will be done. Quiet in files: a line
// every ten seconds instead of a moving one.
class Progress
{
public:
    Progress(Output& output, std::string label, std::int64_t total);
    ~Progress();
    void update(std::int64_t done, std::string_view detail = {});

private:
    bool m_on, m_terminal;
    bool m_shown = false;
    std::string m_label;
    std::int64_t m_total;
    std::chrono::steady_clock::time_point m_started, m_lastShown;
};

// "1.23 ms", "45.6 us"; "-" for 0.
std::string durationText(double nanoseconds);
// "2m 05s", "4.1 s"
std::string secondsText(double seconds);
// Fixed digits; "-" for NaN.
std::string numberText(double value, int digits);

} // namespace foresight::cli
