// SPDX-License-Identifier: Apache-2.0
// support.cu as text, made at build time.
#pragma once
#include <string_view>
namespace foresight::measure {
extern const std::string_view kSupportSource;
}
