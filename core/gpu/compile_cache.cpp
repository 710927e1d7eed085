// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/compile_cache.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/log.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace foresight {

namespace {

// Entry: magic, sha256 (hex) of the rest, seconds, two lengths, log, CUBIN.
constexpr std::string_view kMagic = "FSKC0001";
constexpr std::size_t kHashBytes = 64;
constexpr std::size_t kHeadBytes = 8 + kHashBytes;

void appendU64(std::string& to, std::uint64_t value)
{
    char bytes[8];
    std::memcpy(bytes, &value, sizeof bytes);
    to.append(bytes, sizeof bytes);
}

std::uint64_t u64At(std::string_view data, std::size_t at)
{
    std::uint64_t value = 0;
    std::memcpy(&value, data.data() + at, sizeof value);
    return value;
}

std::optional<CachedCompile> decode(std::string_view data)
{
    if (data.size() < kHeadBytes + 24 || data.substr(0, 8) != kMagic)
        return std::nullopt;
    const std::string_view body = data.substr(kHeadBytes);
    if (sha256Hex(body) != data.substr(8, kHashBytes))
        return std::nullopt;
    const std::uint64_t bits = u64At(body, 0), logBytes = u64At(body, 8), cubinBytes = u64At(body, 16);
    const std::uint64_t rest = body.size() - 24;
    if (logBytes > rest || cubinBytes != rest - logBytes || cubinBytes == 0)
        return std::nullopt;
    CachedCompile entry;
    std::memcpy(&entry.seconds, &bits, sizeof entry.seconds);
    entry.log = std::string(body.substr(24, logBytes));
    entry.cubin = std::string(body.substr(24 + logBytes));
    return entry;
}

std::string encode(const CachedCompile& entry)
{
    std::string body;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &entry.seconds, sizeof bits);
    appendU64(body, bits);
    appendU64(body, entry.log.size());
    appendU64(body, entry.cubin.size());
    body += entry.log;
    body += entry.cubin;
    return std::string(kMagic) + sha256Hex(body) + body;
}

} // namespace

CompileCache::CompileCache(std::string folder, std::uint64_t maxBytes)
    : m_folder(std::move(folder)), m_maxBytes(maxBytes)
{
}

std::string CompileCache::pathOf(const std::string& key) const
{
    // Two levels: a flat folder of a hundred thousand files is slow to list.
    return joinPath(joinPath(m_folder, key.substr(0, 2)), key + ".fskc");
}

std::optional<CachedCompile> CompileCache::find(const std::string& key) const
{
    if (m_folder.empty())
        return std::nullopt;
    const std::string path = pathOf(key);
    if (!fileExists(path))
        return std::nullopt;
    const auto data = readFile(path);
    if (!data)
        return std::nullopt;
    auto entry = decode(*data);
    if (!entry) {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
        log(LogLevel::Warning, "gpu", "Dropped a damaged compile cache entry: " + path);
    }
    return entry;
}

void CompileCache::store(const std::string& key, const CachedCompile& entry)
{
    if (m_folder.empty() || entry.cubin.empty())
        return;
    const std::string path = pathOf(key);
    if (auto made = makeFolders(parentFolder(path)); !made) {
        log(LogLevel::Warning, "gpu", "The compile cache cannot be used: " + made.error().toString());
        return;
    }
    if (auto written = writeFileAtomically(path, encode(entry)); !written)
        log(LogLevel::Warning, "gpu", "The compile cache cannot be written: " + written.error().toString());
    // Once in 256 entries, spread by the key itself so that no counter has to be shared between processes.
    if (key.ends_with("00"))
        trim();
}

void CompileCache::trim()
{
    namespace fs = std::filesystem;
    struct Entry
    {
        fs::path path;
        fs::file_time_type time;
        std::uint64_t bytes;
    };
    std::vector<Entry> entries;
    std::uint64_t total = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator it(m_folder, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        if (!it->is_regular_file(ignored) || it->path().extension() != ".fskc")
            continue;
        const auto bytes = static_cast<std::uint64_t>(it->file_size(ignored));
        const auto time = it->last_write_time(ignored);
        if (ignored)
            continue; // deleted by another process meanwhile
        entries.push_back({it->path(), time, bytes});
        total += bytes;
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
    for (const Entry& entry : entries) {
        if (total <= m_maxBytes)
            break;
        fs::remove(entry.path, error);
        total -= std::min(total, entry.bytes);
    }
}

} // namespace foresight
