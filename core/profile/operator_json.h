// SPDX-License-Identifier: Apache-2.0
// An operator's description as JSON: how sessions store it.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/kernels/family.h"

namespace foresight {

Json operatorToJson(const OperatorDescription& op);
Result<OperatorDescription> operatorFromJson(const Json& json);

} // namespace foresight
