// SPDX-License-Identifier: Apache-2.0
// What a CUBIN says of its kernels: registers, stack, shared memory, code size. A bounds-checked reader of
// the ELF container and its .nv.info records; any input gives a result or a Corrupt error, never a read past
// the end. Spill bytes are not in a CUBIN: they come from the compiler's log (ptxas_log.h). Thread-safe: no
// state.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

struct CubinKernel
{
    std::string name;
    int registers = 0;             // per thread; 0 when not recorded
    std::int64_t stackFrame = 0;   // bytes per thread
    std::int64_t staticShared = 0; // bytes per block, without what the system reserves
    std::int64_t codeBytes = 0;
    std::int64_t constantBytes = 0; // the parameter bank
    int maxThreads = 0;             // from __launch_bounds__; 0: none
};

struct CubinInfo
{
    int arch = 0;                     // 90 for sm_90
    std::vector<CubinKernel> kernels; // entry functions, by name
};

Result<CubinInfo> parseCubin(std::string_view bytes);

} // namespace foresight
