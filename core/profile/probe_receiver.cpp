// SPDX-License-Identifier: Apache-2.0
#include "core/profile/probe_receiver.h"

#include "core/base/file.h"
#include "core/profile/wire_parser.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace foresight {

namespace {
constexpr int kPollMs = 50;
}

struct ProbeReceiver::Connection
{
    int fd = -1;
    WireParser parser;
    std::FILE* raw = nullptr;
    std::string problem;

    ~Connection() { end(); }
    void end()
    {
        if (fd >= 0)
            ::close(fd);
        fd = -1;
        if (raw)
            std::fclose(raw);
        raw = nullptr;
    }
};

Result<std::unique_ptr<ProbeReceiver>> ProbeReceiver::listen(const std::string& keepRawIn)
{
    FS_TRY(folder, userRuntimeFolder());
    static std::atomic<int> counter{0};
    std::unique_ptr<ProbeReceiver> receiver(new ProbeReceiver);
    receiver->m_rawPath = keepRawIn;
    receiver->m_path =
        joinPath(folder, "probe-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".sock");
    sockaddr_un address{};
    if (receiver->m_path.size() >= sizeof(address.sun_path))
        return makeError(ErrorCode::IoError, "The runtime folder's path is too long for a socket: " + folder,
                         "Set XDG_RUNTIME_DIR to a shorter path.");
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, receiver->m_path.data(), receiver->m_path.size());
    ::unlink(receiver->m_path.c_str()); // left over from a process that had our pid
    receiver->m_socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (receiver->m_socket < 0 ||
        ::bind(receiver->m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
        ::chmod(receiver->m_path.c_str(), 0600) != 0 || ::listen(receiver->m_socket, 16) != 0)
        return makeError(ErrorCode::IoError,
                         "Cannot listen on " + receiver->m_path + ": " + std::strerror(errno));
    ProbeReceiver* self = receiver.get();
    receiver->m_thread = std::jthread([self](const std::stop_token& stop) { self->run(stop); });
    return receiver;
}

ProbeReceiver::~ProbeReceiver()
{
    finish();
}

std::vector<ProbeRecords> ProbeReceiver::finish()
{
    if (m_thread.joinable()) {
        m_thread.request_stop();
        m_thread.join();
    }
    if (m_socket >= 0) {
        ::close(m_socket);
        m_socket = -1;
        ::unlink(m_path.c_str());
    }
    std::vector<ProbeRecords> out;
    std::lock_guard lock(m_mutex);
    for (auto& connection : m_connections) {
        connection->end();
        connection->parser.finish();
        ProbeRecords records = connection->parser.takeRecords();
        if (!connection->problem.empty())
            records.statuses.push_back({wire::Severity::Error, 0, connection->problem, {}});
        out.push_back(std::move(records));
    }
    m_connections.clear();
    return out;
}

ReceiverProgress ProbeReceiver::progress() const
{
    ReceiverProgress out;
    std::lock_guard lock(m_mutex);
    out.lastStatus = m_refused;
    for (const auto& connection : m_connections) {
        const ProbeRecords& records = connection->parser.records();
        ++out.processes;
        out.open += connection->fd >= 0 ? 1 : 0;
        out.kernels += static_cast<std::int64_t>(records.kernels.size());
        out.ranges += static_cast<std::int64_t>(records.ranges.size());
        out.dropped +=
            static_cast<std::int64_t>(records.counts.droppedByCupti + records.counts.droppedRecords);
        if (!records.statuses.empty())
            out.lastStatus = records.statuses.back().message;
        if (!connection->problem.empty())
            out.lastStatus = connection->problem;
    }
    return out;
}

void ProbeReceiver::run(const std::stop_token& stop)
{
    // After the stop request what already waits is still taken, from a peer that never ends only so much.
    for (int lastRounds = 100; lastRounds > 0;) {
        const bool stopping = stop.stop_requested();
        lastRounds -= stopping ? 1 : 0;
        std::vector<pollfd> waiting{{m_socket, POLLIN, 0}};
        std::vector<Connection*> open;
        {
            std::lock_guard lock(m_mutex);
            for (auto& connection : m_connections) {
                if (connection->fd < 0)
                    continue;
                waiting.push_back({connection->fd, POLLIN, 0});
                open.push_back(connection.get());
            }
        }
        const int ready = ::poll(waiting.data(), waiting.size(), stopping ? 0 : kPollMs);
        if ((ready < 0 && errno != EINTR) || (stopping && ready == 0))
            return;
        if (waiting[0].revents & POLLIN)
            accept();
        for (std::size_t i = 0; i < open.size(); ++i) {
            if ((waiting[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) && !read(*open[i])) {
                std::lock_guard lock(m_mutex);
                open[i]->end();
            }
        }
    }
}

void ProbeReceiver::accept()
{
    const int fd = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid()) {
        ::close(fd);
        std::lock_guard lock(m_mutex);
        m_refused = "A process of another user tried to connect and was refused";
        return;
    }
    auto connection = std::make_unique<Connection>();
    connection->fd = fd;
    std::lock_guard lock(m_mutex);
    if (!m_rawPath.empty() && m_connections.empty())
        connection->raw = std::fopen(m_rawPath.c_str(), "wb");
    m_connections.push_back(std::move(connection));
}

bool ProbeReceiver::read(Connection& connection)
{
    char buffer[256 << 10];
    for (int round = 0; round < 256; ++round) { // a fast sender must not starve the others
        const ssize_t got = ::recv(connection.fd, buffer, sizeof(buffer), 0);
        if (got < 0)
            return errno == EAGAIN || errno == EINTR;
        if (got == 0)
            return false;
        const auto bytes = static_cast<std::size_t>(got);
        std::lock_guard lock(m_mutex);
        if (connection.raw)
            std::fwrite(buffer, 1, bytes, connection.raw);
        if (auto fed = connection.parser.feed(std::string_view(buffer, bytes)); !fed) {
            connection.problem = fed.error().message;
            return false;
        }
    }
    return true;
}

} // namespace foresight
