// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk, one file per key, written atomically. Every entry carries its own checksum; an
// empty, cut off or changed entry counts as absent and is deleted. Thread-safe and safe between processes; a
// cache that cannot be written is only slower.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace foresight {

struct CachedCompile
{
    std::string cubin, log;
    double seconds = 0; // what the compilation took when it was made
};

class CompileCache
{
public:
    // Empty folder: no cache.
    explicit CompileCache(std::string folder, std::uint64_t maxBytes = std::uint64_t{2} << 30);

    std::optional<CachedCompile> find(const std::string& key) const;
    void store(const std::string& key, const CachedCompile& entry);
    // Deletes the oldest entries until the folder is below its limit; called now and then by `store`.
    void trim();
    std::string pathOf(const std::string& key) const;

private:
    std::string m_folder;
    std::uint64_t m_maxBytes;
};

} // namespace foresight
