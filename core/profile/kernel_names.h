// SPDX-License-Identifier: Apache-2.0
// How GPU work is named to people.
#pragma once

#include "core/probe/wire.h"

#include <string>

namespace foresight {

std::string demangledName(const std::string& name); // unchanged when it is not mangled
std::string memoryWorkName(const wire::Memory& memory);

} // namespace foresight
