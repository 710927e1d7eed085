// SPDX-License-Identifier: Apache-2.0
// One lock file per GPU, so that two Foresight processes never time on it at once. Held by flock: a crash
// releases it. The file names its holder for the other side's message. Move-only; released on destruction.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace foresight {

class GpuLock
{
public:
    GpuLock() = default;
    // `gpu` is the device's UUID (or another stable name). Busy names the holder. `folder` empty: the user's
    // runtime folder.
    static Result<GpuLock> acquire(std::string_view gpu, std::string_view purpose,
                                   const std::string& folder = {});
    ~GpuLock();
    GpuLock(GpuLock&& other) noexcept;
    GpuLock& operator=(GpuLock&& other) noexcept;

    bool held() const { return m_fd >= 0; }
    // What the holder is doing, for others' messages: "search", "lent to PyTorch".
    void setPurpose(std::string_view purpose);

private:
    int m_fd = -1;
    std::string m_path;
};

} // namespace foresight
