// SPDX-License-Identifier: Apache-2.0
// Takes descriptors 1 and 2 away: whatever this process, a library or a kernel's printf writes goes into a
// pipe that a thread drains. The last part is kept, the rest is counted. Made once, at start, before anything
// is printed.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace foresight {

class OutputCapture
{
public:
    static Result<std::unique_ptr<OutputCapture>> start(std::size_t keepBytes);
    ~OutputCapture();

    struct Text
    {
        std::string tail;
        std::uint64_t dropped = 0;
    };
    // What was written since the last call, after everything already in the pipe has been read.
    Text take();

private:
    OutputCapture() = default;
    struct State;
    std::unique_ptr<State> m;
};

} // namespace foresight
