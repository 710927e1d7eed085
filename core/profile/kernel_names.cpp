// SPDX-License-Identifier: Apache-2.0
#include "core/profile/kernel_names.h"

#include <cstdlib>
#include <cxxabi.h>

namespace foresight {

std::string demangledName(const std::string& name)
{
    int status = 0;
    char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string out = status == 0 && text ? text : name;
    std::free(text);
    return out;
}

std::string memoryWorkName(const wire::Memory& memory)
{
    if (memory.kind == static_cast<std::uint32_t>(wire::MemoryKind::Fill))
        return "[memory fill]";
    switch (memory.copyKind) { // CUpti_ActivityMemcpyKind
    case 1:
        return "[memory copy host to device]";
    case 2:
        return "[memory copy device to host]";
    case 8:
        return "[memory copy device to device]";
    default:
        return "[memory copy]";
    }
}

} // namespace foresight
