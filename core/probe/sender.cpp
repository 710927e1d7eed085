// SPDX-License-Identifier: Apache-2.0
#include "core/probe/sender.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace foresight::probe {

bool Sender::connectTo(const std::string& path)
{
    sockaddr_un address{};
    if (path.size() >= sizeof(address.sun_path))
        return false;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        close(fd);
        return false;
    }
    m_socket = fd;
    return true;
}

void Sender::disconnect()
{
    const int fd = m_socket.exchange(-1);
    if (fd >= 0)
        close(fd);
}

void Sender::pump(Outbox& outbox, int waitMs)
{
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::milliseconds(waitMs);
    while (connected()) {
        if (m_pendingAt == m_pending.size()) {
            Outbox::Batch batch;
            if (!outbox.take(batch))
                return;
            m_pending.resize(sizeof(batch.header) + batch.payload.size());
            std::memcpy(m_pending.data(), &batch.header, sizeof(batch.header));
            std::memcpy(m_pending.data() + sizeof(batch.header), batch.payload.data(), batch.payload.size());
            m_pendingAt = 0;
        }
        const auto sent = send(m_socket, m_pending.data() + m_pendingAt, m_pending.size() - m_pendingAt,
                               MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            m_pendingAt += static_cast<std::size_t>(sent);
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) {
            disconnect();
            return;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0)
            return;
        pollfd waiting{m_socket, POLLOUT, 0};
        poll(&waiting, 1, static_cast<int>(left));
    }
}

} // namespace foresight::probe
