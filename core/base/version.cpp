// SPDX-License-Identifier: Apache-2.0
#include "core/base/version.h"

namespace foresight {

const char* const kVersion = FORESIGHT_VERSION;
const char* const kRevision = FORESIGHT_REVISION;
const char* const kSourceFolder = FORESIGHT_SOURCE_FOLDER;

} // namespace foresight
