// SPDX-License-Identifier: Apache-2.0
// zstd for values inside a session. Decompression never trusts the size a frame claims.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace foresight {

std::string compressValue(std::string_view data);
// Corrupt when it is no single complete frame, ResourceLimit above `maxBytes`.
Result<std::string> decompressValue(std::string_view frame, std::size_t maxBytes = std::size_t{1} << 30);

} // namespace foresight
