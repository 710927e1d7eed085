// SPDX-License-Identifier: Apache-2.0
// The partial file of a sweep: one JSON line per finished measurement behind a header line that says which
// sweep it is. Lines are synced every few; a last line cut off by a kill is dropped when it is read again.
// One thread.
#pragma once

#include "core/base/result.h"
#include "core/gpu/gpu.h"

#include <cstdint>
#include <string>
#include <vector>

namespace foresight {

struct SweepRecord
{
    enum class Kind { Main, Anchor, Again } kind = Kind::Main;
    std::int64_t index = -1; // of the configuration in the whole space; Anchor: how many came before
    GpuReply reply;
};

// What must be equal for two runs to be parts of one sweep.
struct SweepIdentity
{
    std::string familyHash, problemKey, gpuName;
    std::uint64_t seed = 0;
    std::size_t configurations = 0, limit = 0;
    int quads = 0;
    Regime regime = Regime::Cold;
    std::string date; // of the first run; not compared
    bool operator==(const SweepIdentity& other) const;
};

class SweepLog
{
public:
    // Creates the file, or opens it and reads what is there. InvalidArgument when it exists without `resume`,
    // or belongs to another sweep.
    static Result<SweepLog> open(const std::string& path, const SweepIdentity& identity, bool resume);
    ~SweepLog();
    SweepLog(SweepLog&& other) noexcept;
    SweepLog& operator=(SweepLog&& other) noexcept;

    const std::vector<SweepRecord>& records() const { return m_records; }
    const SweepIdentity& identity() const { return m_identity; }
    Result<void> append(SweepRecord record);
    Result<void> sync();

private:
    SweepLog() = default;
    Result<void> writeLine(std::string line);

    std::string m_path;
    int m_fd = -1;
    int m_unsynced = 0;
    SweepIdentity m_identity;
    std::vector<SweepRecord> m_records;
};

} // namespace foresight
