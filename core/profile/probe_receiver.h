// SPDX-License-Identifier: Apache-2.0
// Listens on a private UNIX socket for probes of the processes we start, and parses what they send on its own
// thread. Only processes of the same user are accepted. Several may connect (spawned children bring their own
// probe).
#pragma once

#include "core/base/result.h"
#include "core/profile/probe_records.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace foresight {

struct ReceiverProgress
{
    std::int64_t processes = 0, open = 0; // connections so far, and still open
    std::int64_t kernels = 0, ranges = 0, dropped = 0;
    std::string lastStatus; // newest message of a probe, or why a stream was refused
};

class ProbeReceiver
{
public:
    // A fresh socket in the user's runtime folder. `keepRawIn` (optional): the first connection's bytes as
    // they came.
    static Result<std::unique_ptr<ProbeReceiver>> listen(const std::string& keepRawIn = {});
    ~ProbeReceiver();

    const std::string& socketPath() const { return m_path; }
    ReceiverProgress progress() const;
    // Stops listening, reads what the sockets still hold, and hands out the records of each process.
    std::vector<ProbeRecords> finish();

private:
    struct Connection;
    ProbeReceiver() = default;
    void run(const std::stop_token& stop);
    void accept();
    bool read(Connection& connection); // false: it has ended

    std::string m_path, m_rawPath;
    int m_socket = -1;
    mutable std::mutex m_mutex; // guards m_connections and m_refused
    std::vector<std::unique_ptr<Connection>> m_connections;
    std::string m_refused;
    std::jthread m_thread;
};

} // namespace foresight
