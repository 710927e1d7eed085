// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/store/session_impl.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace foresight {
namespace {

// A complete copy as one plain file under a temporary name in `folder`.
Result<std::string> copyBeside(const Database& database, const std::string& target)
{
    std::string temporary = target + ".XXXXXX";
    const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0)
        return makeError(ErrorCode::IoError, "cannot create " + target + ": " + std::strerror(errno),
                         "check that the folder exists and is writable");
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(fd, 0666 & ~mask);
    ::close(fd);
    auto copy = [&]() -> Result<void> {
        FS_TRY(copied, Database::open(temporary, Database::Open::ReadWrite));
        FS_CHECK(database.copyTo(*copied));
        // The copied header still says WAL when the original is being written.
        return copied->execute("PRAGMA journal_mode=DELETE");
    };
    if (auto done = copy(); !done) {
        ::unlink(temporary.c_str());
        return done.error();
    }
    const int written = ::open(temporary.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = written >= 0 && ::fsync(written) == 0;
    const int number = errno;
    if (written >= 0)
        ::close(written);
    if (!synced) {
        ::unlink(temporary.c_str());
        return makeError(ErrorCode::IoError, "cannot write " + target + ": " + std::strerror(number));
    }
    return temporary;
}

std::string resolved(const std::string& path)
{
    char* real = ::realpath(path.c_str(), nullptr);
    std::string result = real == nullptr ? path : real;
    std::free(real);
    return result;
}

} // namespace

Result<void> Session::saveAs(const std::string& path) const
{
    if (resolved(path) == resolved(m->path))
        return makeError(ErrorCode::InvalidArgument, path + " is the open session itself",
                         "choose another name");
    // Nobody may be writing the file that is about to be replaced.
    FS_TRY(lock, WriterLock::acquire(path));
    FS_TRY(temporary, copyBeside(*m->database, path));
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
        const int number = errno;
        ::unlink(temporary.c_str());
        return makeError(ErrorCode::IoError, "cannot replace " + path + ": " + std::strerror(number));
    }
    // A leftover journal of the replaced file would be taken for one of the new file.
    ::unlink((path + "-wal").c_str());
    ::unlink((path + "-shm").c_str());
    ::unlink((path + "-journal").c_str());
    return {};
}

Result<std::string> Session::makeWorkingCopy(const std::string& folder) const
{
    FS_CHECK(makeFolders(folder));
    std::string stem = fileName(m->path);
    std::string ending;
    if (const auto dot = stem.rfind('.'); dot != std::string::npos && dot > 0) {
        ending = stem.substr(dot);
        stem.resize(dot);
    }
    FS_TRY(temporary, copyBeside(*m->database, joinPath(folder, stem + ending)));
    constexpr int kMostCopies = 10'000;
    for (int number = 1; number < kMostCopies; ++number) {
        const std::string name = number == 1 ? stem + ending : stem + "-" + std::to_string(number) + ending;
        const std::string path = joinPath(folder, name);
        // A link never replaces anything, so two programs copying at once get two names.
        if (::link(temporary.c_str(), path.c_str()) == 0) {
            ::unlink(temporary.c_str());
            return path;
        }
        if (errno != EEXIST) {
            const int reason = errno;
            ::unlink(temporary.c_str());
            return makeError(ErrorCode::IoError, "cannot create " + path + ": " + std::strerror(reason));
        }
    }
    ::unlink(temporary.c_str());
    return makeError(ErrorCode::ResourceLimit, folder + " is full of copies of " + stem, "remove some");
}

} // namespace foresight
