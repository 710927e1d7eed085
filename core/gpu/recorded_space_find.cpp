// SPDX-License-Identifier: Apache-2.0
// Which of our recorded spaces are there: an index of headers, kept in memory and refreshed by file time and
// size.
#include "core/gpu/recorded_space_io.h"

#include "core/base/json.h"
#include "core/base/log.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>

namespace foresight {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPrefixBytes = std::size_t{1} << 20;
constexpr std::size_t kPrefixText = std::size_t{4} << 20;
constexpr int kMaxDepth = 3;

bool isSpaceName(const std::string& name)
{
    return name.ends_with(".t4.json") || name.ends_with(".t4.json.gz") || name.ends_with(".t4.json.zst");
}

// The object that starts at the first brace behind `"metadata":`, or empty.
std::string_view metadataOf(std::string_view text)
{
    constexpr std::string_view kKey = "\"metadata\":";
    const std::size_t key = text.find(kKey);
    if (key == std::string_view::npos || key > 64)
        return {};
    std::size_t depth = 0;
    bool inString = false;
    for (std::size_t i = key + kKey.size(); i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}' && --depth == 0) {
            return text.substr(key + kKey.size(), i + 1 - key - kKey.size());
        }
    }
    return {};
}

struct Index
{
    std::mutex mutex;
    std::map<std::string, RecordedSpaceHeader> headers;
};

Index& index()
{
    static Index instance;
    return instance;
}

std::vector<fs::directory_entry> filesBelow(const std::string& folder)
{
    std::vector<fs::directory_entry> files;
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
    for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error)) {
        if (it.depth() >= kMaxDepth)
            it.disable_recursion_pending();
        std::error_code ignored;
        if (isSpaceName(it->path().filename().string()) && it->is_regular_file(ignored))
            files.push_back(*it);
    }
    return files;
}

} // namespace

Result<RecordedSpaceHeader> readRecordedSpaceHeader(const std::string& path)
{
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
        return makeError(ErrorCode::IoError, "cannot read " + path);
    std::string data(kPrefixBytes, '\0');
    stream.read(data.data(), static_cast<std::streamsize>(data.size()));
    data.resize(static_cast<std::size_t>(stream.gcount()));
    auto text = recorded::decompress(data, kPrefixText, true);
    if (!text)
        return text.error().within(path);
    const std::string_view metadata = metadataOf(*text);
    if (metadata.empty())
        return makeError(ErrorCode::Unsupported, path + " is not a space recorded by Foresight");
    FS_TRY(json, parseJson(metadata, path));
    auto header = recorded::headerFromMetadata(json);
    if (!header)
        return header.error().within(path);
    header->file = path;
    return header;
}

std::vector<RecordedSpaceHeader> listRecordedSpaces(const std::vector<std::string>& folders)
{
    std::vector<RecordedSpaceHeader> found;
    const std::lock_guard lock(index().mutex);
    for (const std::string& folder : folders)
        for (const fs::directory_entry& entry : filesBelow(folder)) {
            std::error_code error;
            const std::string path = entry.path().string();
            const auto modified = static_cast<std::int64_t>(
                std::chrono::nanoseconds(entry.last_write_time(error).time_since_epoch()).count());
            const auto bytes = static_cast<std::int64_t>(entry.file_size(error));
            if (error)
                continue;
            auto& headers = index().headers;
            auto known = headers.find(path);
            if (known == headers.end() || known->second.modifiedNs != modified ||
                known->second.bytes != bytes) {
                RecordedSpaceHeader header;
                if (auto read = readRecordedSpaceHeader(path))
                    header = std::move(*read);
                else
                    log(LogLevel::Warning, "spaces", read.error().toString());
                header.modifiedNs = modified;
                header.bytes = bytes;
                known = headers.insert_or_assign(path, std::move(header)).first;
            }
            if (!known->second.file.empty()) // unreadable ones are remembered without a name
                found.push_back(known->second);
        }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.date != b.date ? a.date > b.date : a.file < b.file;
    });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const auto& a, const auto& b) { return a.file == b.file; }),
                found.end());
    return found;
}

std::vector<std::string> findRecordedSpaces(const std::vector<std::string>& folders,
                                            std::string_view problemKey, std::string_view gpuName)
{
    std::vector<std::string> paths;
    for (const RecordedSpaceHeader& header : listRecordedSpaces(folders))
        if (header.problemKey == problemKey && !problemKey.empty() &&
            (gpuName.empty() || header.gpuName == gpuName))
            paths.push_back(header.file);
    return paths;
}

} // namespace foresight
