// SPDX-License-Identifier: Apache-2.0
// "One writer per session": a file <session>.lock that names the writer's pid, its start and host, held with
// flock while the writer lives. A lock left behind by a dead process of this host is taken over; one of
// another host is not, because nothing here can tell whether that process lives.
#pragma once

#include "core/base/result.h"

#include <string>

namespace foresight {

class WriterLock
{
public:
    // Busy names the holder.
    static Result<WriterLock> acquire(const std::string& sessionPath);
    WriterLock() = default;
    WriterLock(WriterLock&& other) noexcept;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock();
    void release();

private:
    std::string m_path;
    int m_fd = -1;
};

// The name this machine has in lock files.
std::string hostName();
std::string lockPath(const std::string& sessionPath);

} // namespace foresight
