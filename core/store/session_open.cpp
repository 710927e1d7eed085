// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/utc.h"
#include "core/store/schema.h"
#include "core/store/session_impl.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace foresight {
namespace {

constexpr std::size_t kHeaderBytes =
    100; // of every SQLite file (sqlite.org/fileformat2.html, "The Database Header")

std::uint32_t bigEndian(const std::string& data, std::size_t at, std::size_t bytes)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        value = value << 8 | static_cast<std::uint8_t>(data[at + i]);
    return value;
}

std::uint64_t fileSize(const std::string& path)
{
    struct stat info
    {
    };
    return ::stat(path.c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Result<std::string> readHeader(const std::string& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return makeError(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::IoError,
                         "cannot open " + path + ": " + std::strerror(errno),
                         errno == ENOENT ? "check the path" : "check the permissions of the file");
    std::string header(kHeaderBytes, '\0');
    const ssize_t n = ::pread(fd, header.data(), header.size(), 0);
    const int number = errno;
    ::close(fd);
    if (n < 0)
        return makeError(ErrorCode::IoError, "cannot read " + path + ": " + std::strerror(number));
    header.resize(static_cast<std::size_t>(n));
    return header;
}

// What can be told from the header alone, so that foreign files are never handed to SQLite.
Result<void> checkHeader(const std::string& path)
{
    FS_TRY(header, readHeader(path));
    if (header.empty())
        return makeError(ErrorCode::Corrupt, path + " is empty", "restore it from a copy");
    constexpr std::string_view kMagic{"SQLite format 3\0", 16};
    if (!header.starts_with(kMagic))
        return makeError(ErrorCode::InvalidArgument, path + " is not a Foresight session",
                         "session files end in .fsight and are made by `profile` or `search`");
    if (header.size() < kHeaderBytes)
        return makeError(ErrorCode::Corrupt, path + " is cut off", "restore it from a copy");
    if (bigEndian(header, 68, 4) != kSessionApplicationId)
        return makeError(ErrorCode::InvalidArgument,
                         path + " is a database of another program, not a Foresight session",
                         "Nsight Systems exports are read by `import`");
    const std::uint64_t pageSize = bigEndian(header, 16, 2) == 1 ? 65536 : bigEndian(header, 16, 2);
    const std::uint64_t pages = bigEndian(header, 28, 4);
    // A journal beside the file may hold what is missing.
    const bool hasJournal = fileSize(path + "-wal") > 0 || fileSize(path + "-journal") > 0;
    if (!hasJournal && pageSize * pages > fileSize(path))
        return makeError(ErrorCode::Corrupt, path + " is cut off", "restore it from a copy");
    const auto version = static_cast<std::int64_t>(bigEndian(header, 60, 4));
    if (version > currentSchemaVersion())
        return makeError(ErrorCode::Unsupported,
                         path + " was written by a newer version of Foresight (format " +
                             std::to_string(version) + "; this one knows up to " +
                             std::to_string(currentSchemaVersion()) + ")",
                         "update Foresight");
    if (version < 1)
        return makeError(ErrorCode::Corrupt, path + " has no format version", "restore it from a copy");
    return {};
}

// quick_check reads every page; for a large file only the small tables are checked now, and damage elsewhere
// shows as an error of the read that meets it (cell_size_check is on).
Result<void> checkContent(const Database& database, const std::string& path)
{
    constexpr std::uint64_t kWholeUpTo = 64u << 20;
    std::vector<std::string> checks = {"PRAGMA quick_check(1)"};
    if (fileSize(path) > kWholeUpTo)
        checks = {"PRAGMA quick_check('sqlite_schema')", "PRAGMA quick_check('meta')",
                  "PRAGMA quick_check('search')", "PRAGMA quick_check('verdict')"};
    for (const auto& check : checks) {
        FS_TRY(answer, database.text(check));
        if (answer != "ok")
            return makeError(ErrorCode::Corrupt, path + " is damaged: " + answer, "restore it from a copy");
    }
    return checkSchema(database);
}

bool folderWritable(const std::string& path)
{
    const std::string folder = parentFolder(path);
    return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

// Damage met while checking is damage of the file, whatever SQLite calls it.
Error openError(const Error& error, const std::string& path)
{
    if (error.code == ErrorCode::Internal)
        return makeError(ErrorCode::Corrupt, path + " is damaged: " + error.message,
                         "restore it from a copy");
    return error.message.find(path) == std::string::npos ? error.within(path) : error;
}

Result<std::unique_ptr<Database>> openForReading(const std::string& path)
{
    const bool hasJournal = fileSize(path + "-wal") > 0 || fileSize(path + "-journal") > 0;
    if (folderWritable(path) || hasJournal) {
        FS_TRY(database, Database::open(path, Database::Open::ReadOnly));
        auto readable = database->integer("SELECT count(*) FROM sqlite_schema");
        if (readable)
            return database;
        if (hasJournal && !folderWritable(path))
            return makeError(ErrorCode::Unsupported,
                             path + " has unfinished changes beside it (-wal) and its folder is read-only",
                             "copy both files to a folder you can write to");
        if (hasJournal || readable.error().code == ErrorCode::Corrupt)
            return readable.error();
    }
    return Database::open(path, Database::Open::Immutable);
}

// Concurrent readers during writes. Where the file system cannot do it (no shared memory), the default
// journal works too, only slower.
Result<void> startWriting(Database& database)
{
    FS_TRY(mode, database.text("PRAGMA journal_mode=WAL"));
    return database.execute(mode == "wal" ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL");
}

Result<void> migrateWithCopy(Database& database, const std::string& path)
{
    FS_TRY(version, database.integer("PRAGMA user_version"));
    if (version == currentSchemaVersion())
        return {};
    const std::string copy = path + ".v" + std::to_string(version) + ".bak";
    if (!fileExists(copy)) {
        FS_TRY(target, Database::open(copy, Database::Open::Create));
        FS_CHECK(database.copyTo(*target));
    }
    log(LogLevel::Info, "store",
        path + " was converted to the current format; the old file is kept as " + copy);
    return migrate(database, schemaMigrations());
}

} // namespace

Session::Impl::~Impl()
{
    insertEvent.reset();
    insertText.reset();
    // One plain file without journals, so that it can be shipped, copied and opened from read-only places.
    // Fails while somebody else reads, and whoever writes next gets another chance.
    if (database && !readOnly)
        static_cast<void>(
            database->execute("PRAGMA optimize; PRAGMA busy_timeout=100; PRAGMA journal_mode=DELETE"));
    database.reset();
}

Session::Session() : m(std::make_unique<Impl>()) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(const std::string& path)
{
    std::unique_ptr<Session> session(new Session);
    session->m->path = path;
    FS_TRY(lock, WriterLock::acquire(path));
    session->m->lock = std::move(lock);
    // Made exclusively: a session must not appear in a file that somebody else has just created.
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        if (errno == EEXIST)
            return makeError(ErrorCode::InvalidArgument, path + " exists already",
                             "choose another name or remove the file");
        return makeError(ErrorCode::IoError, "cannot create " + path + ": " + std::strerror(errno),
                         "check that the folder exists and is writable");
    }
    ::close(fd);
    auto initialise = [&]() -> Result<void> {
        FS_TRY(database, Database::open(path, Database::Open::Create));
        session->m->database = std::move(database);
        // The schema goes into the main file before WAL starts: a crash leaves a file that names itself.
        FS_CHECK(
            session->m->database->execute("PRAGMA application_id=" + std::to_string(kSessionApplicationId)));
        FS_CHECK(migrate(*session->m->database, schemaMigrations()));
        FS_CHECK(startWriting(*session->m->database));
        return session->setMeta("created", utcNowText());
    };
    if (auto done = initialise(); !done) {
        session->m->database.reset();
        ::unlink(path.c_str());
        return done.error();
    }
    return session;
}

Result<std::unique_ptr<Session>> Session::open(const std::string& path, Mode mode)
{
    FS_CHECK(checkHeader(path));
    std::unique_ptr<Session> session(new Session);
    session->m->path = path;
    session->m->readOnly = mode == Mode::ReadOnly;
    if (mode == Mode::ReadOnly)
        session->m->readOnlyReason = "opened for reading";
    if (mode != Mode::ReadOnly) {
        Error why;
        if (::access(path.c_str(), W_OK) != 0)
            why =
                makeError(ErrorCode::IoError, path + " is read-only", "make it writable, or work on a copy");
        else if (!folderWritable(path))
            why = makeError(ErrorCode::IoError, "the folder of " + path + " is read-only", "work on a copy");
        if (why.message.empty()) {
            auto lock = WriterLock::acquire(path);
            if (lock)
                session->m->lock = std::move(lock).value();
            else
                why = lock.error();
        }
        if (!why.message.empty()) {
            if (mode == Mode::ReadWrite)
                return why;
            session->m->readOnly = true;
            session->m->readOnlyReason = why.message;
        }
    }
    auto connect = [&]() -> Result<void> {
        if (session->m->readOnly) {
            FS_TRY(database, openForReading(path));
            session->m->database = std::move(database);
            FS_TRY(version, session->m->database->integer("PRAGMA user_version"));
            if (version < currentSchemaVersion())
                return makeError(ErrorCode::Unsupported,
                                 path + " has an older format and cannot be converted in place",
                                 "copy it to a folder you can write to and open it there");
            return checkContent(*session->m->database, path);
        }
        FS_TRY(database, Database::open(path, Database::Open::ReadWrite));
        session->m->database = std::move(database);
        FS_CHECK(migrateWithCopy(*session->m->database, path));
        FS_CHECK(checkContent(*session->m->database, path));
        return startWriting(*session->m->database);
    };
    if (auto done = connect(); !done)
        return openError(done.error(), path);
    return session;
}

} // namespace foresight
