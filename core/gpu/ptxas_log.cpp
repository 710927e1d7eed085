// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/ptxas_log.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace foresight {

namespace {

// The number right before `unit`, as in "628 bytes spill stores".
std::optional<std::int64_t> numberBefore(std::string_view line, std::string_view unit)
{
    const std::size_t at = line.find(unit);
    if (at == std::string_view::npos || at == 0)
        return std::nullopt;
    std::size_t end = at;
    while (end > 0 && line[end - 1] == ' ')
        --end;
    std::size_t begin = end;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
        --begin;
    std::int64_t value = 0;
    const auto parsed = std::from_chars(line.data() + begin, line.data() + end, value);
    if (begin == end || parsed.ec != std::errc{})
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> numberAfter(std::string_view line, std::string_view label)
{
    const std::size_t at = line.find(label);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::int64_t value = 0;
    const char* begin = line.data() + at + label.size();
    if (std::from_chars(begin, line.data() + line.size(), value).ec != std::errc{})
        return std::nullopt;
    return value;
}

std::string_view quotedAfter(std::string_view line, std::string_view label)
{
    const std::size_t at = line.find(label);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = line.substr(at + label.size());
    return rest.substr(0, std::min(rest.find('\''), rest.size()));
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

template <typename Function> void forEachLine(std::string_view text, Function function)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        function(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

} // namespace

std::vector<PtxasKernel> parsePtxasLog(std::string_view log)
{
    std::vector<PtxasKernel> kernels;
    // The spill line belongs to the function named last, which may be a device function; the "Used" line
    // always belongs to the entry named last.
    std::string_view properties;
    forEachLine(log, [&](std::string_view line) {
        constexpr std::string_view kEntry = "Compiling entry function '";
        constexpr std::string_view kProperties = "Function properties for ";
        if (const std::string_view name = quotedAfter(line, kEntry); !name.empty()) {
            kernels.push_back({});
            kernels.back().name = std::string(name);
            properties = name;
            return;
        }
        if (const std::size_t at = line.find(kProperties); at != std::string_view::npos) {
            properties = trimmed(line.substr(at + kProperties.size()));
            return;
        }
        if (kernels.empty())
            return;
        PtxasKernel& kernel = kernels.back();
        if (const auto stores = numberBefore(line, "bytes spill stores");
            stores && properties == kernel.name) {
            kernel.spillStores = *stores;
            kernel.spillLoads = numberBefore(line, "bytes spill loads").value_or(0);
            kernel.stackFrame = numberBefore(line, "bytes stack frame").value_or(0);
            kernel.hasSpillLine = true;
        } else if (const auto registers = numberBefore(line, "registers");
                   registers && kernel.registers == 0) {
            kernel.registers = static_cast<int>(std::clamp<std::int64_t>(*registers, 0, 1024));
            kernel.barriers =
                static_cast<int>(std::clamp<std::int64_t>(numberAfter(line, "used ").value_or(0), 0, 1024));
            kernel.sharedBytes = numberBefore(line, "bytes smem").value_or(0);
        }
    });
    return kernels;
}

std::string firstErrorLine(std::string_view log)
{
    std::string found;
    forEachLine(log, [&](std::string_view line) {
        if (!found.empty())
            return;
        const bool isError = line.find("error:") != std::string_view::npos ||
                             line.find("error   :") != std::string_view::npos ||
                             line.find("ptxas fatal") != std::string_view::npos ||
                             line.find("nvrtc: error") != std::string_view::npos;
        if (isError)
            found = std::string(trimmed(line).substr(0, 400));
    });
    return found;
}

} // namespace foresight
