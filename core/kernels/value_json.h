// SPDX-License-Identifier: Apache-2.0
// Values, symbols and expressions from and to JSON. Expressions may be written as numbers and bools too.
// Fails with ParseError naming `what`.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/kernels/plan.h"
#include "core/kernels/value.h"

namespace foresight {

Result<Value> valueFromJson(const Json& json, std::string_view what);
Json valueToJson(const Value& value);
Result<Symbols> symbolsFromJson(const Json& json, std::string_view what);
Json symbolsToJson(const Symbols& symbols);
Result<Expression> expressionFromJson(const Json& json, std::string_view what);
// One launch as written in plans and family files.
Result<PlanLaunch> launchFromJson(const Json& json, std::string_view what);

} // namespace foresight
