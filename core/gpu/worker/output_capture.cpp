// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/worker/output_capture.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace foresight {

struct OutputCapture::State
{
    int readEnd = -1;
    std::size_t keep = 0;
    std::mutex mutex;
    std::string tail;
    std::uint64_t dropped = 0;
    std::atomic<bool> stop = false;
    std::thread thread;

    void drain()
    {
        std::array<char, 65536> chunk;
        while (!stop) {
            pollfd entry{readEnd, POLLIN, 0};
            if (::poll(&entry, 1, 100) <= 0)
                continue;
            // Locked while reading, so that an empty pipe with the lock free means that everything is in
            // `tail`.
            const std::lock_guard lock(mutex);
            const ssize_t count = ::read(readEnd, chunk.data(), chunk.size());
            if (count <= 0) {
                if (count == 0 || (errno != EAGAIN && errno != EINTR))
                    return;
                continue;
            }
            tail.append(chunk.data(), static_cast<std::size_t>(count));
            if (tail.size() > keep) {
                dropped += tail.size() - keep;
                tail.erase(0, tail.size() - keep);
            }
        }
    }
};

Result<std::unique_ptr<OutputCapture>> OutputCapture::start(std::size_t keepBytes)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return makeError(ErrorCode::IoError, std::string("Making a pipe failed: ") + strerror(errno));
    std::unique_ptr<OutputCapture> capture(new OutputCapture);
    capture->m = std::make_unique<State>();
    capture->m->readEnd = ends[0];
    capture->m->keep = keepBytes;
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::fflush(nullptr);
    if (::dup2(ends[1], STDOUT_FILENO) < 0 || ::dup2(ends[1], STDERR_FILENO) < 0)
        return makeError(ErrorCode::IoError, std::string("Redirecting output failed: ") + strerror(errno));
    ::close(ends[1]);
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
    State* state = capture->m.get();
    state->thread = std::thread([state] { state->drain(); });
    return capture;
}

OutputCapture::~OutputCapture()
{
    m->stop = true;
    if (m->thread.joinable())
        m->thread.join();
    ::close(m->readEnd);
}

OutputCapture::Text OutputCapture::take()
{
    std::fflush(nullptr);
    for (int attempt = 0; attempt < 200; ++attempt) {
        {
            const std::lock_guard lock(m->mutex);
            int waiting = 0;
            if (::ioctl(m->readEnd, FIONREAD, &waiting) != 0 || waiting == 0) {
                Text text{std::move(m->tail), m->dropped};
                m->tail.clear();
                m->dropped = 0;
                return text;
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    // Something prints faster than it can be read: give what there is.
    const std::lock_guard lock(m->mutex);
    Text text{std::move(m->tail), m->dropped};
    m->tail.clear();
    m->dropped = 0;
    return text;
}

} // namespace foresight
