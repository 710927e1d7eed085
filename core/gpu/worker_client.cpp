// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/worker_client.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/subprocess.h"
#include "core/gpu/toolkit.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace foresight {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kTailBytes = std::size_t{16} << 10;
constexpr auto kQuitTimeout = 2s;

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

// A worker that died must give EPIPE on writing, not a signal that ends this program.
class PipeSignalBlock
{
public:
    PipeSignalBlock()
    {
        sigset_t pending;
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGPIPE) == 1;
        sigemptyset(&m_set);
        sigaddset(&m_set, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &m_set, &m_before);
    }
    PipeSignalBlock(const PipeSignalBlock&) = delete;
    PipeSignalBlock& operator=(const PipeSignalBlock&) = delete;
    ~PipeSignalBlock()
    {
        const timespec now{};
        if (!m_wasPending)
            sigtimedwait(&m_set, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

private:
    sigset_t m_set{}, m_before{};
    bool m_wasPending = false;
};

Error diedError(const std::string& how, const std::string& tail)
{
    std::string message = "The GPU worker ended unexpectedly (" + how + ").";
    if (!tail.empty())
        message += " Its last output: " + tail.substr(tail.size() > 1000 ? tail.size() - 1000 : 0);
    return makeError(ErrorCode::ProcessFailed, std::move(message));
}

} // namespace

std::map<std::string, std::string> workerEnvironment()
{
    constexpr std::array<std::string_view, 12> kNames{
        "PATH",   "LD_LIBRARY_PATH", "HOME", "USER",         "LANG",         "LANGUAGE",
        "TMPDIR", "XDG_RUNTIME_DIR", "TZ",   "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"};
    constexpr std::array<std::string_view, 4> kPrefixes{"CUDA_", "NVIDIA_", "LC_", "FORESIGHT_"};
    std::map<std::string, std::string> kept;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos)
            continue;
        const std::string_view name = text.substr(0, equals);
        const bool secret =
            name.find("KEY") != std::string_view::npos || name.find("TOKEN") != std::string_view::npos ||
            name.find("SECRET") != std::string_view::npos || name.find("PASSWORD") != std::string_view::npos;
        const bool wanted = std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
                            std::any_of(kPrefixes.begin(), kPrefixes.end(),
                                        [&](std::string_view prefix) { return name.starts_with(prefix); });
        if (wanted && !secret)
            kept.emplace(name, text.substr(equals + 1));
    }
    return kept;
}

struct WorkerClient::Impl
{
    std::unique_ptr<Subprocess> process;
    protocol::FrameReader reader;
    std::string tail;
    std::uint64_t dropped = 0;
    std::int64_t nextId = 1;
    int pid = -1;
    std::atomic<bool> alive = true;

    void keepTail(std::string_view bytes)
    {
        tail.append(bytes);
        if (tail.size() > kTailBytes) {
            dropped += tail.size() - kTailBytes;
            tail.erase(0, tail.size() - kTailBytes);
        }
    }

    // Reads what is there; false at the end of the stream.
    template <typename Take> static bool drain(int fd, Take take)
    {
        std::array<char, std::size_t{1} << 16> buffer;
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got > 0)
            take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
        return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
    }

    // Kills, collects the last words, and says how it ended.
    std::string end()
    {
        alive = false;
        process->kill();
        std::optional<ProcessExit> exit = process->poll();
        for (int i = 0; i < 300 && !exit; ++i) {
            ::poll(nullptr, 0, 10);
            exit = process->poll();
        }
        // Bounded, in case somebody else still holds the other end of the pipe.
        for (int i = 0; i < 64; ++i) {
            const std::size_t before = tail.size() + dropped;
            drain(process->stderrFd(), [this](std::string_view bytes) { keepTail(bytes); });
            if (tail.size() + dropped == before)
                break;
        }
        if (exit)
            return exit->describe();
        // Stuck inside the driver: not even SIGKILL ends it now. Waiting here would hang the search with it.
        std::thread([stuck = std::move(process)]() mutable { stuck.reset(); }).detach();
        return "it cannot be killed; the GPU driver is stuck";
    }

    Result<protocol::Reply> wait(std::string_view request, Clock::time_point deadline, std::stop_token stop);
};

Result<protocol::Reply> WorkerClient::Impl::wait(std::string_view request, Clock::time_point deadline,
                                                 std::stop_token stop)
{
    const PipeSignalBlock noSignal;
    const Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    const std::stop_callback onStop(stop, [fd = wake.get()] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t put = ::write(fd, &one, sizeof one);
    });
    bool outOpen = true, errOpen = true;
    for (;;) {
        auto frame = reader.next();
        if (!frame) {
            end();
            return makeError(ErrorCode::Corrupt, "The GPU worker sent nonsense: " + frame.error().message);
        }
        if (frame->has_value()) {
            auto reply = protocol::parseReply(**frame);
            if (!reply || reply->id != nextId) {
                end();
                return makeError(ErrorCode::Corrupt, "The GPU worker sent an answer that does not fit: " +
                                                         (reply ? "unexpected id" : reply.error().message));
            }
            return reply;
        }
        if (!outOpen) {
            // It closed its side: give it a moment to be seen as ended, so that the reason is right.
            for (int i = 0; i < 50 && !process->poll(); ++i)
                ::poll(nullptr, 0, 10);
            return diedError(end(), tail);
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            end();
            return makeError(ErrorCode::Timeout, "The GPU worker did not answer in time and was stopped.");
        }
        if (stop.stop_requested()) {
            end();
            return makeError(ErrorCode::Cancelled, "Cancelled.");
        }
        std::array<pollfd, 4> polled{{{request.empty() ? -1 : process->stdinFd(), POLLOUT, 0},
                                      {process->stdoutFd(), POLLIN, 0},
                                      {errOpen ? process->stderrFd() : -1, POLLIN, 0},
                                      {wake.get(), POLLIN, 0}}};
        ::poll(polled.data(), polled.size(), static_cast<int>(std::min<decltype(left)>(left, 60'000)));
        if (polled[0].revents != 0) {
            const ssize_t put =
                ::write(process->stdinFd(), request.data(), std::min(request.size(), std::size_t{1} << 16));
            if (put > 0)
                request.remove_prefix(static_cast<std::size_t>(put));
            else if (put < 0 && errno != EINTR && errno != EAGAIN)
                request = {}; // it is gone or going; its end of the stream says why
        }
        if (polled[1].revents != 0)
            outOpen = drain(process->stdoutFd(), [this](std::string_view bytes) { reader.feed(bytes); });
        if (polled[2].revents != 0)
            errOpen = drain(process->stderrFd(), [this](std::string_view bytes) { keepTail(bytes); });
    }
}

WorkerClient::WorkerClient() : m(std::make_unique<Impl>()) {}
WorkerClient::~WorkerClient()
{
    if (m->alive && m->process)
        m->end();
}

Result<std::unique_ptr<WorkerClient>> WorkerClient::start(const WorkerOptions& options, std::stop_token stop)
{
    const std::string path = options.path.empty() ? defaultWorkerPath() : options.path;
    if (!fileExists(path))
        return makeError(ErrorCode::NotFound, "The GPU worker " + path + " does not exist.",
                         "It is built when CUDA's headers are found; set CUDA_HOME and build again, or set "
                         "FORESIGHT_WORKER to its path.");
    ProcessOptions process;
    process.argv = {path, "--device", std::to_string(options.device)};
    if (!options.cacheFolder.empty() && makeFolders(options.cacheFolder)) {
        process.argv.push_back("--cache");
        process.argv.push_back(options.cacheFolder);
    }
    process.environment = workerEnvironment();
    auto started = Subprocess::start(process);
    if (!started)
        return started.error();
    std::unique_ptr<WorkerClient> client(new WorkerClient);
    client->m->process = std::move(*started);
    client->m->pid = client->m->process->pid();
    ::fcntl(client->m->process->stdinFd(), F_SETFL, O_NONBLOCK);
    FS_TRY(hello, client->callSimple("hello", options.startTimeout, stop));
    FS_TRY(json, parseJson(hello, "the worker's greeting"));
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer() || version->get<int>() != protocol::kVersion) {
        client->m->end();
        return makeError(ErrorCode::Unsupported,
                         "The GPU worker " + path + " speaks another version of the protocol.",
                         "It belongs to another version of Foresight; install both from the same build.");
    }
    return client;
}

std::int64_t WorkerClient::nextId() const
{
    return m->nextId;
}

Result<protocol::Reply> WorkerClient::call(std::string_view request, std::chrono::milliseconds deadline,
                                           std::stop_token stop)
{
    if (!m->alive)
        return makeError(ErrorCode::ProcessFailed, "The GPU worker has already ended.");
    auto reply = m->wait(request, Clock::now() + deadline, stop);
    ++m->nextId;
    // A fatal reply is the worker's last; do not leave the ending process on the GPU.
    if (reply && reply->fatal)
        m->end();
    return reply;
}

Result<std::string> WorkerClient::callSimple(std::string_view type, std::chrono::milliseconds deadline,
                                             std::stop_token stop)
{
    FS_TRY(request, protocol::encodeSimple(m->nextId, type));
    FS_TRY(reply, call(request, deadline, stop));
    if (!reply.ok)
        return reply.error;
    return reply.resultText;
}

void WorkerClient::quit()
{
    if (!m->alive)
        return;
    if (auto answered = callSimple("quit", kQuitTimeout)) {
        m->process->closeStdin();
        for (int i = 0; i < 100 && !m->process->poll(); ++i)
            ::poll(nullptr, 0, 10);
    }
    if (m->alive)
        m->end();
}

bool WorkerClient::alive() const
{
    return m->alive;
}

int WorkerClient::pid() const
{
    return m->pid;
}

std::string WorkerClient::outputTail() const
{
    return m->tail;
}

std::uint64_t WorkerClient::outputDropped() const
{
    return m->dropped;
}

} // namespace foresight
