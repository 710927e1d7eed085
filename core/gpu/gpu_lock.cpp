// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/gpu_lock.h"

#include "core/base/file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace foresight {

namespace {

std::string lockFileName(std::string_view gpu)
{
    std::string name = "gpu-";
    for (const char c : gpu)
        name +=
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ? c : '_';
    return name + ".lock";
}

std::string programName()
{
    std::array<char, 4096> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    return length > 0 ? fileName(std::string_view(path.data(), static_cast<std::size_t>(length)))
                      : "a program";
}

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "this machine";
}

} // namespace

Result<GpuLock> GpuLock::acquire(std::string_view gpu, std::string_view purpose, const std::string& folder)
{
    std::string place = folder;
    if (place.empty()) {
        FS_TRY(runtime, userRuntimeFolder());
        place = std::move(runtime);
    }
    GpuLock lock;
    lock.m_path = joinPath(place, lockFileName(gpu));
    lock.m_fd = ::open(lock.m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock.m_fd < 0)
        return makeError(ErrorCode::IoError,
                         "Cannot open the GPU's lock file " + lock.m_path + ": " + std::strerror(errno));
    if (::flock(lock.m_fd, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        auto holder = readFile(lock.m_path, 4096);
        std::string name = holder && !holder->empty() ? *holder : "an unknown process";
        while (!name.empty() && name.back() == '\n')
            name.pop_back();
        if (error != EWOULDBLOCK)
            return makeError(ErrorCode::IoError, "Cannot lock " + lock.m_path + ": " + std::strerror(error));
        return makeError(ErrorCode::Busy, "The GPU is being used for timing by " + name + ".",
                         "Two measurements at once would spoil both; wait for it to end or stop it.");
    }
    lock.setPurpose(purpose);
    return lock;
}

GpuLock::~GpuLock()
{
    // The file stays: deleting it would let two processes hold locks on different files of one name.
    if (m_fd >= 0)
        ::close(m_fd);
}

GpuLock::GpuLock(GpuLock&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1)), m_path(std::move(other.m_path))
{
}

GpuLock& GpuLock::operator=(GpuLock&& other) noexcept
{
    std::swap(m_fd, other.m_fd);
    std::swap(m_path, other.m_path);
    return *this;
}

void GpuLock::setPurpose(std::string_view purpose)
{
    if (m_fd < 0)
        return;
    const std::string text = programName() + " (process " + std::to_string(::getpid()) + " on " + hostName() +
                             ", " + std::string(purpose) + ")\n";
    // The content only informs; the lock itself is the descriptor's.
    if (::ftruncate(m_fd, 0) == 0) [[maybe_unused]]
        const ssize_t put = ::pwrite(m_fd, text.data(), text.size(), 0);
}

} // namespace foresight
