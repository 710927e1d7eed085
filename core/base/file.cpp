// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"

#include "core/base/version.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace foresight {
namespace {

class FileDescriptor
{
public:
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int get() const { return m_fd; }
    int release()
    {
        const int fd = m_fd;
        m_fd = -1;
        return fd;
    }

private:
    int m_fd;
};

Error systemError(const std::string& what, const std::string& path, int number)
{
    const ErrorCode code = number == ENOENT || number == ENOTDIR ? ErrorCode::NotFound : ErrorCode::IoError;
    std::string hint;
    if (number == EACCES || number == EPERM || number == EROFS)
        hint = "check the permissions of the file and its folder";
    else if (number == ENOSPC || number == EDQUOT)
        hint = "free some disk space";
    else if (number == ENOENT || number == ENOTDIR)
        hint = "check the path";
    return makeError(code, what + " " + path + ": " + std::strerror(number), std::move(hint));
}

std::string environmentValue(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

std::string homeFolder()
{
    if (std::string home = environmentValue("HOME"); !home.empty())
        return home;
    std::array<char, 4096> buffer;
    passwd entry{};
    passwd* found = nullptr;
    if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
        return entry.pw_dir;
    return "/tmp";
}

// The XDG base directory specification: relative values are to be ignored.
std::string xdgFolder(const char* variable, const char* fallbackBelowHome)
{
    std::string base = environmentValue(variable);
    if (base.empty() || base.front() != '/')
        base = joinPath(homeFolder(), fallbackBelowHome);
    return joinPath(base, "foresight");
}

} // namespace

Result<std::string> readFile(const std::string& path, std::size_t maxBytes)
{
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0)
        return systemError("cannot open", path, errno);
    struct stat info
    {
    };
    if (fstat(file.get(), &info) != 0)
        return systemError("cannot read", path, errno);
    if (S_ISDIR(info.st_mode))
        return makeError(ErrorCode::IoError, path + " is a folder, not a file");
    std::string data;
    if (S_ISREG(info.st_mode) && info.st_size > 0)
        data.reserve(std::min(static_cast<std::size_t>(info.st_size), maxBytes) + 1);
    std::vector<char> chunk(1u << 16);
    for (;;) {
        const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError("cannot read", path, errno);
        if (got == 0)
            return data;
        if (data.size() + static_cast<std::size_t>(got) > maxBytes)
            return makeError(ErrorCode::ResourceLimit,
                             path + " is larger than " + std::to_string(maxBytes) + " bytes");
        data.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

Result<void> writeFileAtomically(const std::string& path, std::string_view data)
{
    static std::atomic<unsigned> counter{0};
    const std::string temporary =
        path + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(counter.fetch_add(1));
    FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0)
        return systemError("cannot create", temporary, errno);
    auto fail = [&](const std::string& what, int number) {
        ::unlink(temporary.c_str());
        return systemError(what, path, number);
    };
    // A replaced file keeps its permissions.
    struct stat old
    {
    };
    if (::stat(path.c_str(), &old) == 0 && fchmod(file.get(), old.st_mode & 07777) != 0)
        return fail("cannot set permissions of", errno);
    std::size_t written = 0;
    while (written < data.size()) {
        const ssize_t n = ::write(file.get(), data.data() + written, data.size() - written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail("cannot write", errno);
        written += static_cast<std::size_t>(n);
    }
    if (fsync(file.get()) != 0)
        return fail("cannot write", errno);
    if (::close(file.release()) != 0)
        return fail("cannot write", errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return fail("cannot replace", errno);
    // The rename itself lives in the folder; some file systems refuse to sync folders, which is no failure.
    const std::string folder = parentFolder(path);
    const FileDescriptor folderFile(
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folderFile.get() >= 0)
        static_cast<void>(fsync(folderFile.get()));
    return {};
}

Result<void> makeFolders(const std::string& path)
{
    if (path.empty() || folderExists(path))
        return {};
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
        const std::string part = path.substr(0, at);
        if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST && !folderExists(part))
            return systemError("cannot create folder", part, errno);
    }
    if (::mkdir(path.c_str(), 0777) != 0) {
        const int number = errno;
        if (!folderExists(path))
            return systemError("cannot create folder", path, number);
    }
    return {};
}

bool fileExists(const std::string& path)
{
    struct stat info
    {
    };
    return ::stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

bool folderExists(const std::string& path)
{
    struct stat info
    {
    };
    return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

Result<std::vector<std::string>> listFolder(const std::string& path)
{
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr)
        return systemError("cannot list folder", path, errno);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(folder)) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..")
            names.emplace_back(name);
    }
    ::closedir(folder);
    std::sort(names.begin(), names.end());
    return names;
}

std::string joinPath(std::string_view a, std::string_view b)
{
    if (a.empty() || (!b.empty() && b.front() == '/'))
        return std::string(b);
    if (b.empty())
        return std::string(a);
    std::string joined(a);
    if (joined.back() != '/')
        joined += '/';
    joined += b;
    return joined;
}

std::string fileName(std::string_view path)
{
    const auto slash = path.rfind('/');
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string parentFolder(std::string_view path)
{
    const auto slash = path.rfind('/');
    if (slash == std::string_view::npos)
        return {};
    return std::string(path.substr(0, slash == 0 ? 1 : slash));
}

std::string executableFolder()
{
    std::string target(4096, '\0');
    const ssize_t length = ::readlink("/proc/self/exe", target.data(), target.size());
    if (length <= 0)
        return ".";
    target.resize(static_cast<std::size_t>(length));
    return parentFolder(target);
}

Result<std::string> dataFolder()
{
    std::vector<std::string> tried;
    auto isDataFolder = [&tried](const std::string& folder) {
        tried.push_back(folder);
        return folderExists(joinPath(folder, "resources/kernels"));
    };
    if (const std::string named = environmentValue("FORESIGHT_DATA"); !named.empty()) {
        if (isDataFolder(named))
            return named;
        return makeError(ErrorCode::NotFound,
                         "FORESIGHT_DATA is set to " + named + ", which has no resources/kernels",
                         "unset FORESIGHT_DATA or let it name a folder with resources/ and profiles/");
    }
    const std::string programs = executableFolder();
    for (const char* below : {"share/foresight", "../share/foresight", "../../share/foresight"}) {
        if (std::string folder = joinPath(programs, below); isDataFolder(folder))
            return folder;
    }
    if (std::string source = kSourceFolder; !source.empty() && isDataFolder(source))
        return source;
    std::string places;
    for (const auto& folder : tried)
        places += (places.empty() ? "" : ", ") + folder;
    return makeError(ErrorCode::NotFound,
                     "the program's data (resources/kernels) was not found; tried " + places,
                     "reinstall, or let the environment variable FORESIGHT_DATA name the folder");
}

std::string userCacheFolder()
{
    return xdgFolder("XDG_CACHE_HOME", ".cache");
}

std::string userDataFolder()
{
    return xdgFolder("XDG_DATA_HOME", ".local/share");
}

Result<std::string> userRuntimeFolder()
{
    std::string base = environmentValue("XDG_RUNTIME_DIR");
    const bool usable = !base.empty() && base.front() == '/' && folderExists(base);
    std::string folder =
        usable ? joinPath(base, "foresight") : "/tmp/foresight-" + std::to_string(::getuid());
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return systemError("cannot create folder", folder, errno);
    // In a shared /tmp somebody else may have made the folder first, or a link in its place.
    struct stat info
    {
    };
    if (::lstat(folder.c_str(), &info) != 0)
        return systemError("cannot use folder", folder, errno);
    if (!S_ISDIR(info.st_mode) || info.st_uid != ::getuid())
        return makeError(ErrorCode::IoError, folder + " belongs to somebody else",
                         "set XDG_RUNTIME_DIR to a folder of your own");
    if ((info.st_mode & 0777) != 0700 && ::chmod(folder.c_str(), 0700) != 0)
        return systemError("cannot protect folder", folder, errno);
    return folder;
}

} // namespace foresight
