// SPDX-License-Identifier: Apache-2.0
// Reads the verbose log of ptxas, in the forms NVRTC and the ptxas program print it, for what a CUBIN does
// not hold: spill bytes. Also finds the line of a log that says why a compilation failed. Thread-safe: no
// state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

struct PtxasKernel
{
    std::string name;
    int registers = 0, barriers = 0;
    std::int64_t stackFrame = 0, spillStores = 0, spillLoads = 0, sharedBytes = 0;
    bool hasSpillLine = false;
};

// Entry functions in the order of the log; device functions are skipped.
std::vector<PtxasKernel> parsePtxasLog(std::string_view log);

// The first error line, e.g. "kernel.cu(3): error: expected a \";\""; empty when there is none.
std::string firstErrorLine(std::string_view log);

} // namespace foresight
