// SPDX-License-Identifier: Apache-2.0
// Small files: whole reads, atomic writes, the folders the program uses.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

// Whole file; larger than `maxBytes` is a ResourceLimit error.
Result<std::string> readFile(const std::string& path, std::size_t maxBytes = std::size_t{1} << 31);
// Writes to a temporary file in the same folder, syncs, renames. Readers never see a partial file.
Result<void> writeFileAtomically(const std::string& path, std::string_view data);
Result<void> makeFolders(const std::string& path);
bool fileExists(const std::string& path);
bool folderExists(const std::string& path);
// Names (not paths) of entries, sorted.
Result<std::vector<std::string>> listFolder(const std::string& path);
std::string joinPath(std::string_view a, std::string_view b);
std::string fileName(std::string_view path);
std::string parentFolder(std::string_view path);

// Folder of the running executable or, from a library, of the process.
std::string executableFolder();
// Where resources/, profiles/ are: $FORESIGHT_DATA, else beside the build tree's or the installed program
// (bin/../share/foresight), else the source tree recorded at build time. NotFound tells all places tried.
Result<std::string> dataFolder();
// $XDG_CACHE_HOME/foresight, $XDG_DATA_HOME/foresight, $XDG_RUNTIME_DIR/foresight (0700, created).
std::string userCacheFolder();
std::string userDataFolder();
Result<std::string> userRuntimeFolder();

} // namespace foresight
