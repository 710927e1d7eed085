// SPDX-License-Identifier: Apache-2.0
// What this build calls itself. Values live in version.cpp alone, so that a new revision recompiles one file.
#pragma once

namespace foresight {

extern const char* const kVersion;
extern const char* const kRevision;     // git revision at configure time or "unknown"
extern const char* const kSourceFolder; // of a development build; "" when made for installing

} // namespace foresight
