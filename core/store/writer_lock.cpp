// SPDX-License-Identifier: Apache-2.0
#include "core/store/writer_lock.h"

#include "core/base/file.h"
#include "core/base/json.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace foresight {
namespace {

struct Holder
{
    std::int64_t pid = -1;
    std::int64_t started = -1; // clock ticks after boot; -1: not named
    std::string host, program;
};

// Field 22 of /proc/PID/stat: tells a process from a later one with the same number.
std::int64_t processStart(std::int64_t pid)
{
    const auto stat = readFile("/proc/" + std::to_string(pid) + "/stat", 4096);
    if (!stat)
        return -1;
    // The program's name (field 2) may hold spaces and parentheses; count from its end.
    std::size_t at = stat->rfind(')');
    for (int field = 2; field < 22 && at != std::string::npos; ++field)
        at = stat->find(' ', at + 1);
    return at == std::string::npos ? -1 : std::strtoll(stat->c_str() + at, nullptr, 10);
}

std::string programName()
{
    const auto name = readFile("/proc/self/comm", 4096);
    return name ? name->substr(0, name->find('\n')) : std::string("a program");
}

Holder readHolder(const std::string& text)
{
    Holder holder;
    const auto json = parseJson(text, "the lock file");
    if (!json || !json->is_object())
        return holder;
    if (auto pid = jsonInteger(*json, "pid", ""))
        holder.pid = *pid;
    if (auto started = jsonInteger(*json, "started", ""))
        holder.started = *started;
    if (auto host = jsonString(*json, "host", ""))
        holder.host = *host;
    if (auto program = jsonString(*json, "program", ""))
        holder.program = *program;
    return holder;
}

bool isAlive(const Holder& holder)
{
    if (holder.pid <= 0 || holder.pid > std::int64_t{1} << 30)
        return false;
    if (::kill(static_cast<pid_t>(holder.pid), 0) != 0 && errno == ESRCH)
        return false;
    return holder.started < 0 || holder.started == processStart(holder.pid);
}

Error busy(const std::string& sessionPath, const Holder& holder)
{
    const std::string who = holder.program.empty() ? "another program" : holder.program;
    const std::string pid = holder.pid > 0 ? " (process " + std::to_string(holder.pid) + ")" : "";
    if (holder.host.empty() || holder.host == hostName())
        return makeError(ErrorCode::Busy, sessionPath + " is being written by " + who + pid,
                         "wait until it is done, or close it there");
    return makeError(ErrorCode::Busy,
                     sessionPath + " is being written by " + who + pid + " on " + holder.host,
                     "close it there; if that program is gone, delete " + lockPath(sessionPath));
}

std::string readAll(int fd)
{
    std::array<char, 4096> buffer;
    const ssize_t n = ::pread(fd, buffer.data(), buffer.size(), 0);
    return n > 0 ? std::string(buffer.data(), static_cast<std::size_t>(n)) : std::string();
}

// Whether `path` still names the open file: its holder removes it on release.
bool sameFile(int fd, const std::string& path)
{
    struct stat open
    {
    };
    struct stat named
    {
    };
    return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

} // namespace

std::string hostName()
{
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0)
        return "localhost";
    return name.data();
}

std::string lockPath(const std::string& sessionPath)
{
    return sessionPath + ".lock";
}

Result<WriterLock> WriterLock::acquire(const std::string& sessionPath)
{
    const std::string path = lockPath(sessionPath);
    constexpr int kTries = 100;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        WriterLock lock;
        lock.m_fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (lock.m_fd < 0)
            return makeError(ErrorCode::IoError, "cannot create " + path + ": " + std::strerror(errno),
                             "the folder must be writable to change the session");
        // File systems without flock answer ENOLCK or EOPNOTSUPP; there the pid decides alone.
        if (::flock(lock.m_fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            const Holder holder = readHolder(readAll(lock.m_fd));
            return busy(sessionPath, holder);
        }
        if (!sameFile(lock.m_fd, path))
            continue; // removed by its holder between our open and flock
        const std::string text = readAll(lock.m_fd);
        const Holder holder = readHolder(text);
        const bool elsewhere = !holder.host.empty() && holder.host != hostName();
        if (elsewhere || (!text.empty() && isAlive(holder)))
            return busy(sessionPath, holder);
        const Json own = {{"pid", ::getpid()},
                          {"started", processStart(::getpid())},
                          {"host", hostName()},
                          {"program", programName()}};
        const std::string written = canonicalJson(own) + "\n";
        if (::ftruncate(lock.m_fd, 0) != 0 ||
            ::pwrite(lock.m_fd, written.data(), written.size(), 0) != static_cast<ssize_t>(written.size()))
            return makeError(ErrorCode::IoError, "cannot write " + path + ": " + std::strerror(errno));
        lock.m_path = path;
        return lock;
    }
    return makeError(ErrorCode::Busy, path + " changes all the time",
                     "another program opens and closes the session");
}

WriterLock::WriterLock(WriterLock&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_fd(std::exchange(other.m_fd, -1))
{
}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept
{
    if (this != &other) {
        release();
        m_path = std::exchange(other.m_path, {});
        m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
}

WriterLock::~WriterLock()
{
    release();
}

void WriterLock::release()
{
    // Removed while still held: whoever waits for it finds a file without a name and starts over.
    if (!m_path.empty())
        ::unlink(m_path.c_str());
    if (m_fd >= 0)
        ::close(m_fd);
    m_path.clear();
    m_fd = -1;
}

} // namespace foresight
