// SPDX-License-Identifier: Apache-2.0
// The probe's end of the socket. Never blocks the program: what the reader does not take stays in the outbox,
// which drops the oldest when full. A lost reader closes the socket for good. One thread at a time (the
// caller locks).
#pragma once

#include "core/probe/outbox.h"

#include <atomic>
#include <string>

namespace foresight::probe {

class Sender
{
public:
    bool connectTo(const std::string& path); // false: nobody listens there
    bool connected() const { return m_socket.load() >= 0; }
    // Sends what fits now; waits up to `waitMs` in all for the reader to take the rest.
    void pump(Outbox& outbox, int waitMs);
    void disconnect();

private:
    std::atomic<int> m_socket{-1};
    std::vector<char> m_pending;
    std::size_t m_pendingAt = 0;
};

} // namespace foresight::probe
