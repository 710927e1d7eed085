// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
namespace foresight {
using Json = nlohmann::json;
}
