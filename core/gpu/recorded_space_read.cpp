// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/recorded_space_io.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <algorithm>

namespace foresight {

namespace recorded {

JsonOutline outlineJson(std::string_view text)
{
    JsonOutline outline;
    std::string open; // closers of what is open, outermost first
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            const std::size_t start = i + 1;
            bool escaped = false;
            for (++i; i < text.size() && text[i] != '"'; ++i)
                if (text[i] == '\\') {
                    escaped = true;
                    ++i;
                }
            if (open.size() == 2 && open.back() == '}' && !escaped && i < text.size()) {
                std::size_t next = i + 1;
                while (next < text.size() && (text[next] == ' ' || text[next] == '\n' || text[next] == '\t'))
                    ++next;
                if (next < text.size() && text[next] == ':')
                    outline.keys.emplace_back(text.substr(start, i - start));
            }
        } else if (c == '{' || c == '[') {
            open.push_back(c == '{' ? '}' : ']');
        } else if ((c == '}' || c == ']') && !open.empty()) {
            if (open.size() == 3 && c == '}') {
                outline.completeEnd = i + 1;
                outline.closing = {open[1], open[0]};
            }
            open.pop_back();
        }
    }
    return outline;
}

std::string withoutNonFinite(std::string_view text)
{
    constexpr std::string_view kWords[] = {"-Infinity", "Infinity", "NaN"};
    std::string out;
    out.reserve(text.size());
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString && c == '\\' && i + 1 < text.size()) {
            out += c;
            out += text[++i];
            continue;
        }
        if (c == '"')
            inString = !inString;
        const auto word =
            inString ? std::end(kWords)
                     : std::find_if(std::begin(kWords), std::end(kWords),
                                    [&](std::string_view w) { return text.substr(i, w.size()) == w; });
        if (word != std::end(kWords)) {
            out += "null";
            i += word->size() - 1;
        } else {
            out += c;
        }
    }
    return out;
}

namespace {

Result<RecordedSpace> fromJson(const Json& root, const JsonOutline& outline, std::string_view name)
{
    if (root.is_object()) {
        if (root.contains("cache"))
            return fromKernelTuner(root, outline.keys);
        if (root.contains("results"))
            return fromT4(root);
        if (root.contains("Results"))
            return fromKtt(root);
    }
    return makeError(ErrorCode::ParseError, std::string(name) + " is not a recorded space",
                     "Known are Foresight's and other T4 files, Kernel Tuner cachefiles and KTT output.");
}

} // namespace

} // namespace recorded

Result<RecordedSpace> parseRecordedSpace(std::string_view text, const std::string& name)
{
    using namespace recorded;
    const JsonOutline outline = outlineJson(text);
    std::string note;
    auto root = parseJson(text, name);
    if (!root) {
        const Error original = root.error();
        const std::string finite = withoutNonFinite(text);
        root = parseJson(finite, name);
        if (!root) {
            const JsonOutline repaired = outlineJson(finite);
            if (repaired.completeEnd == 0)
                return original;
            root = parseJson(finite.substr(0, repaired.completeEnd) + repaired.closing, name);
            if (!root)
                return original;
            note = "the file is not closed (a run that was cut off); complete rows are used";
        }
    }
    try {
        auto space = fromJson(*root, outline, name);
        if (!space)
            return space.error().within(name);
        if (space->rows.empty())
            return makeError(ErrorCode::ParseError, name + " holds no usable row",
                             space->notes.empty() ? std::string() : space->notes.front());
        if (!note.empty())
            space->notes.push_back(note);
        if (space->title.empty())
            space->title = fileName(name);
        space->file = name;
        return space;
    } catch (const Json::exception& e) {
        return makeError(ErrorCode::ParseError, name + ": " + e.what());
    }
}

Result<RecordedSpace> readRecordedSpace(const std::string& path)
{
    FS_TRY(data, readFile(path, recorded::kMaxFileBytes));
    auto text = recorded::decompress(data, recorded::kMaxTextBytes);
    if (!text)
        return text.error().within(path);
    data = {};
    return parseRecordedSpace(*text, path);
}

} // namespace foresight
