// SPDX-License-Identifier: Apache-2.0
#include "core/base/subprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace foresight {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor
{
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    int get() const { return m_fd; }

private:
    int m_fd;
};

// Writing to a child that has gone must give EPIPE, not a signal, for the life of this object on this thread.
class PipeSignalGuard
{
public:
    PipeSignalGuard()
    {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    PipeSignalGuard(const PipeSignalGuard&) = delete;
    PipeSignalGuard& operator=(const PipeSignalGuard&) = delete;
    ~PipeSignalGuard()
    {
        const timespec now{};
        if (!m_wasPending)
            sigtimedwait(&m_pipe, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

private:
    sigset_t m_pipe{}, m_before{};
    bool m_wasPending = false;
};

// One output stream: kept up to a limit, then read and counted so that the child does not block.
struct Stream
{
    int fd = -1;
    std::string* text = nullptr;
    bool open = true;

    // Reads what is there; false when nothing is left for now or for ever.
    bool drainOnce(std::size_t limit, std::uint64_t& dropped)
    {
        std::array<char, 1u << 16> buffer;
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR)
            return true;
        if (n < 0 && errno == EAGAIN)
            return false;
        if (n <= 0) {
            open = false;
            return false;
        }
        const auto got = static_cast<std::size_t>(n);
        const std::size_t room = text->size() < limit ? std::min(limit - text->size(), got) : 0;
        text->append(buffer.data(), room);
        dropped += got - room;
        return true;
    }
};

std::string lastLines(const std::string& text)
{
    constexpr std::size_t kShown = 400;
    return text.size() <= kShown ? text : "..." + text.substr(text.size() - kShown);
}

} // namespace

Result<ProcessOutput> runProcess(const ProcessOptions& options, std::string_view input,
                                 std::chrono::milliseconds timeout, std::stop_token stop)
{
    const auto started = Clock::now();
    if (stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "cancelled");
    FS_TRY(process, Subprocess::start(options));
    const std::string name = options.argv.front();

    const Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const std::stop_callback onStop(stop, [fd = wake.get()] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t n = ::write(fd, &one, sizeof one);
    });
    // Readable when the child ends. Without it (kernels before 5.3) the loop looks every 20 ms.
    const Descriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, process->pid(), 0)));
    ::fcntl(process->stdinFd(), F_SETFL, O_NONBLOCK);
    const PipeSignalGuard noPipeSignal;

    ProcessOutput output;
    Stream out{process->stdoutFd(), &output.out};
    Stream err{process->stderrFd(), &output.err};
    bool inputOpen = true;
    for (;;) {
        if (inputOpen && input.empty()) {
            process->closeStdin();
            inputOpen = false;
        }
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(started + timeout - Clock::now()).count();
        if (left <= 0) {
            process->kill();
            process->wait();
            while (err.open && err.drainOnce(options.maxOutputBytes, output.droppedBytes)) {
            }
            std::string message =
                name + " did not finish within " + std::to_string(timeout.count()) + " ms and was killed";
            if (!output.err.empty())
                message += "; its last output was: " + lastLines(output.err);
            return makeError(ErrorCode::Timeout, std::move(message));
        }
        if (stop.stop_requested()) {
            process->kill();
            process->wait();
            return makeError(ErrorCode::Cancelled, "cancelled");
        }
        std::array<pollfd, 5> polled{{{inputOpen ? process->stdinFd() : -1, POLLOUT, 0},
                                      {out.open ? out.fd : -1, POLLIN, 0},
                                      {err.open ? err.fd : -1, POLLIN, 0},
                                      {ended.get(), POLLIN, 0},
                                      {wake.get(), POLLIN, 0}}};
        const auto longest = ended.get() >= 0 ? decltype(left){60'000} : decltype(left){20};
        ::poll(polled.data(), polled.size(), static_cast<int>(std::min(left, longest)));
        if (polled[0].revents != 0) {
            const ssize_t n =
                ::write(process->stdinFd(), input.data(), std::min(input.size(), std::size_t{1} << 16));
            if (n > 0)
                input.remove_prefix(static_cast<std::size_t>(n));
            else if (n < 0 && errno != EINTR && errno != EAGAIN)
                input = {}; // the child does not want the rest
        }
        if (polled[1].revents != 0)
            out.drainOnce(options.maxOutputBytes, output.droppedBytes);
        if (polled[2].revents != 0)
            err.drainOnce(options.maxOutputBytes, output.droppedBytes);
        if (const auto exit = process->poll()) {
            output.exit = *exit;
            break;
        }
    }
    // The group is dead; what it wrote is in the pipes. Somebody who left the group may hold an end open or
    // even write on, so never wait here and stop at the deadline.
    for (Stream* stream : {&out, &err})
        while (stream->open && stream->drainOnce(options.maxOutputBytes, output.droppedBytes) &&
               Clock::now() < started + timeout) {
        }
    output.elapsed = Clock::now() - started;
    output.peakRssBytes = process->peakRssBytes();
    return output;
}

} // namespace foresight
