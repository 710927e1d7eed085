// SPDX-License-Identifier: Apache-2.0
// Points in time as text: UTC, whole seconds, ISO 8601 ("2026-01-31T12:00:00Z"). Any thread; cannot fail.
#pragma once

#include <ctime>
#include <string>

namespace foresight {

std::string utcText(std::time_t secondsSinceEpoch);
std::string utcNowText();

} // namespace foresight
