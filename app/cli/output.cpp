// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace foresight::cli {
namespace {

// Columns a text takes in a terminal, near enough: one per code point.
std::size_t displayWidth(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

Json errorJson(const Error& error, bool usage)
{
    return {{"code", usage ? std::string("usage") : std::string(errorCodeName(error.code))},
            {"message", error.message},
            {"hint", error.hint}};
}

} // namespace

void Output::write(std::string_view text)
{
    if (text.empty())
        return; // its pointer may be null, which fwrite may not be given
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        m_stdoutBroken = true;
}

void Output::line(std::string_view text)
{
    if (!forPeople())
        return;
    write(text);
    write("\n");
}

void Output::table(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows)
{
    if (!forPeople())
        return;
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t width = displayWidth(columns[i].title);
        for (const auto& row : rows)
            width = std::max(width, displayWidth(row[i]));
        widths.push_back(width);
    }
    auto print = [&](auto cell) {
        std::string text;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::string value = cell(i);
            const std::string padding(widths[i] - displayWidth(value), ' ');
            text += i == 0 ? "" : "  ";
            text += columns[i].right ? padding + value : value + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        line(text);
    };
    print([&](std::size_t i) { return columns[i].title; });
    for (const auto& row : rows)
        print([&](std::size_t i) { return row[i]; });
}

void Output::event(const Json& event)
{
    if (m_format != Format::JsonLines)
        return;
    write(canonicalJson(event) + "\n");
    std::fflush(stdout);
}

void Output::result(const Json& result)
{
    if (m_format == Format::Json)
        write(prettyJson(result) + "\n");
    else if (m_format == Format::JsonLines)
        write(canonicalJson({{"result", result}}) + "\n");
}

void Output::note(std::string_view text)
{
    if (!m_quiet)
        fmt::print(stderr, "{}\n", text);
}

Error Output::usage(std::string message, std::string hint)
{
    m_usage = true;
    return makeError(ErrorCode::InvalidArgument, std::move(message), std::move(hint));
}

void Output::partialResult(const Json& result)
{
    m_partial = canonicalJson(result);
}

int Output::finish(const Result<void>& outcome)
{
    if (!outcome) {
        const Error& error = outcome.error();
        fmt::print(stderr, "foresight-cli: {}\n", error.message);
        if (!error.hint.empty())
            fmt::print(stderr, "  {}\n", error.hint);
        Json report = Json::object();
        if (!m_partial.empty())
            if (auto partial = parseJson(m_partial, "the result"))
                report = std::move(partial).value();
        report["error"] = errorJson(error, m_usage);
        if (m_format == Format::JsonLines)
            write(canonicalJson(report) + "\n");
        else if (m_format == Format::Json)
            write(prettyJson(report) + "\n");
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        m_stdoutBroken = true;
    if (m_stdoutBroken) {
        fmt::print(stderr, "foresight-cli: the output could not be written completely\n");
        return kFailed;
    }
    if (outcome)
        return kDone;
    return m_usage ? kUsage : kFailed;
}

Progress::Progress(Output& output, std::string label, std::int64_t total)
    : m_on(!output.quiet()), m_terminal(::isatty(2) == 1), m_label(std::move(label)), m_total(total),
      m_started(std::chrono::steady_clock::now()), m_lastShown(m_started)
{
}

Progress::~Progress()
{
    if (m_shown && m_terminal)
        fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::int64_t done, std::string_view detail)
{
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (!m_on || now - m_lastShown < (m_terminal ? 200ms : 10s))
        return;
    m_lastShown = now;
    m_shown = true;
    const double elapsed = std::chrono::duration<double>(now - m_started).count();
    std::string text =
        m_total > 0 ? fmt::format("{} {}/{}", m_label, done, m_total) : fmt::format("{} {}", m_label, done);
    if (!detail.empty())
        text += fmt::format(", {}", detail);
    if (m_total > 0 && done > 0 && done < m_total)
        text += fmt::format(", {} left", secondsText(elapsed / static_cast<double>(done) *
                                                     static_cast<double>(m_total - done)));
    if (m_terminal)
        fmt::print(stderr, "\r\033[K{}", text);
    else
        fmt::print(stderr, "{}\n", text);
    std::fflush(stderr);
}

std::string durationText(double nanoseconds)
{
    if (nanoseconds <= 0 || std::isnan(nanoseconds))
        return "-";
    if (nanoseconds < 1e3)
        return fmt::format("{:.0f} ns", nanoseconds);
    if (nanoseconds < 1e6)
        return fmt::format("{:.2f} us", nanoseconds / 1e3);
    if (nanoseconds < 1e9)
        return fmt::format("{:.2f} ms", nanoseconds / 1e6);
    return fmt::format("{:.2f} s", nanoseconds / 1e9);
}

std::string secondsText(double seconds)
{
    if (seconds < 60)
        return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::int64_t>(seconds + .5);
    if (whole < 3600)
        return fmt::format("{}m {:02}s", whole / 60, whole % 60);
    return fmt::format("{}h {:02}m", whole / 3600, whole / 60 % 60);
}

std::string numberText(double value, int digits)
{
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

} // namespace foresight::cli
