// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/sweep_log.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/gpu/protocol.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace foresight {

namespace {

constexpr std::array<std::string_view, 3> kKinds{"main", "anchor", "again"};
constexpr int kSyncEvery = 8;
constexpr int kFormat = 1;

Json identityJson(const SweepIdentity& identity)
{
    return {{"foresight_sweep", kFormat},
            {"family_hash", identity.familyHash},
            {"problem", identity.problemKey},
            {"gpu", identity.gpuName},
            {"seed", identity.seed},
            {"configurations", identity.configurations},
            {"limit", identity.limit},
            {"quads", identity.quads},
            {"regime", protocol::regimeName(identity.regime)},
            {"date", identity.date}};
}

Result<SweepIdentity> identityFromJson(const Json& json, const std::string& path)
{
    const auto format = json.find("foresight_sweep");
    if (format == json.end() || *format != kFormat)
        return makeError(ErrorCode::InvalidArgument, path + " is not the partial file of a sweep.");
    SweepIdentity identity;
    FS_TRY(hash, jsonString(json, "family_hash", path));
    FS_TRY(problem, jsonString(json, "problem", path));
    FS_TRY(gpu, jsonString(json, "gpu", path));
    FS_TRY(seed, jsonInteger(json, "seed", path));
    FS_TRY(configurations, jsonInteger(json, "configurations", path));
    FS_TRY(limit, jsonInteger(json, "limit", path));
    FS_TRY(quads, jsonInteger(json, "quads", path));
    FS_TRY(regime, jsonString(json, "regime", path));
    FS_TRY(date, jsonString(json, "date", path));
    identity.familyHash = hash;
    identity.problemKey = problem;
    identity.gpuName = gpu;
    identity.seed = static_cast<std::uint64_t>(seed);
    identity.configurations = static_cast<std::size_t>(configurations);
    identity.limit = static_cast<std::size_t>(limit);
    identity.quads = static_cast<int>(quads);
    identity.regime = protocol::regimeFromName(regime);
    identity.date = date;
    return identity;
}

Result<SweepRecord> recordFromLine(std::string_view line, const std::string& path)
{
    FS_TRY(json, parseJson(line, path));
    FS_TRY(kind, jsonString(json, "kind", path));
    FS_TRY(index, jsonInteger(json, "index", path));
    const auto reply = json.find("reply");
    if (reply == json.end())
        return makeError(ErrorCode::ParseError, path + ": a line has no reply");
    FS_TRY(parsed, protocol::gpuReplyFromJson(*reply, path));
    SweepRecord record;
    record.index = index;
    record.reply = std::move(parsed);
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        if (kKinds[i] == kind)
            record.kind = static_cast<SweepRecord::Kind>(i);
    return record;
}

} // namespace

bool SweepIdentity::operator==(const SweepIdentity& other) const
{
    return familyHash == other.familyHash && problemKey == other.problemKey && gpuName == other.gpuName &&
           seed == other.seed && configurations == other.configurations && limit == other.limit &&
           quads == other.quads && regime == other.regime;
}

Result<SweepLog> SweepLog::open(const std::string& path, const SweepIdentity& identity, bool resume)
{
    SweepLog log;
    log.m_path = path;
    log.m_identity = identity;
    std::size_t keep = 0;
    if (fileExists(path)) {
        FS_TRY(text, readFile(path));
        if (!text.empty() && !resume)
            return makeError(ErrorCode::InvalidArgument, "There is already a partial sweep: " + path,
                             "Resume it, or delete the file to start anew.");
        // Only whole lines count; whatever follows the last line end was cut off by a kill.
        const std::string_view whole = std::string_view(text).substr(0, text.rfind('\n') + 1);
        while (keep < whole.size()) {
            const std::string_view line = whole.substr(keep, whole.find('\n', keep) - keep);
            if (keep == 0) {
                FS_TRY(header, parseJson(line, path));
                FS_TRY(found, identityFromJson(header, path));
                if (!(found == identity))
                    return makeError(
                        ErrorCode::InvalidArgument,
                        path + " belongs to another sweep (family, problem, GPU, seed or options differ).",
                        "Use the same options as before, or delete the file to start anew.");
                log.m_identity = found;
            } else {
                auto record = recordFromLine(line, path);
                if (!record)
                    break; // a damaged disk block: measure from here again
                log.m_records.push_back(std::move(*record));
            }
            keep += line.size() + 1;
        }
    }
    log.m_fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (log.m_fd < 0 || ::ftruncate(log.m_fd, static_cast<off_t>(keep)) != 0 ||
        ::lseek(log.m_fd, 0, SEEK_END) < 0)
        return makeError(ErrorCode::IoError, "Cannot write " + path + ": " + std::strerror(errno));
    if (keep == 0) {
        FS_CHECK(log.writeLine(canonicalJson(identityJson(identity))));
        FS_CHECK(log.sync());
    }
    return log;
}

SweepLog::~SweepLog()
{
    if (m_fd >= 0) {
        (void)sync();
        ::close(m_fd);
    }
}

SweepLog::SweepLog(SweepLog&& other) noexcept
    : m_path(std::move(other.m_path)), m_fd(std::exchange(other.m_fd, -1)), m_unsynced(other.m_unsynced),
      m_identity(std::move(other.m_identity)), m_records(std::move(other.m_records))
{
}

SweepLog& SweepLog::operator=(SweepLog&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_fd, other.m_fd);
    std::swap(m_unsynced, other.m_unsynced);
    std::swap(m_identity, other.m_identity);
    std::swap(m_records, other.m_records);
    return *this;
}

Result<void> SweepLog::writeLine(std::string line)
{
    line += '\n';
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t put = ::write(m_fd, rest.data(), rest.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return makeError(ErrorCode::IoError, "Cannot write " + m_path + ": " + std::strerror(errno));
        rest.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

Result<void> SweepLog::append(SweepRecord record)
{
    const Json json{{"kind", kKinds[static_cast<std::size_t>(record.kind)]},
                    {"index", record.index},
                    {"reply", protocol::gpuReplyToJson(record.reply)}};
    FS_CHECK(writeLine(canonicalJson(json)));
    m_records.push_back(std::move(record));
    if (++m_unsynced >= kSyncEvery)
        return sync();
    return {};
}

Result<void> SweepLog::sync()
{
    m_unsynced = 0;
    if (::fdatasync(m_fd) != 0 && errno != EINVAL && errno != EROFS)
        return makeError(ErrorCode::IoError, "Cannot sync " + m_path + ": " + std::strerror(errno));
    return {};
}

} // namespace foresight
