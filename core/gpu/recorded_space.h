// SPDX-License-Identifier: Apache-2.0
// A recorded space: every configuration of a kernel measured once on a real GPU. Reads our own T4 files
// (.t4.json.zst, .t4.json.gz, .t4.json) and Kernel Tuner cachefiles (.json[.gz], also unclosed ones); writes
// ours. Bad rows are counted and explained, never silently dropped.
#pragma once

#include "core/base/result.h"
#include "core/gpu/gpu.h"
#include "core/kernels/config_space.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace foresight {

struct RecordedRow
{
    Outcome outcome = Outcome::Unknown;
    double timeNs = 0; // the best estimate: mean of re-measured, else anchor-corrected median; 0 on failure
    std::vector<double> samplesNs;               // all samples of the candidate
    std::vector<std::vector<double>> sampleSets; // further sets from re-measurement in other processes
    double anchorNs = 0; // the anchor beside it (drift divided out of timeNs); 0 when not recorded
    double lnRatio = 0, lnLow = 0, lnHigh = 0; // anchor / candidate; lnLow < lnHigh when there is an interval
    int look = 0;                              // quads behind the interval (12, 24, 48); 0: none
    bool truncated = false, nearLimit = false;
    Regime regime = Regime::Cold;
    std::string message;     // why it failed
    std::string contentHash; // of the plan; empty in foreign files
    std::vector<KernelResources> resources;
    double maxAbsError = 0, maxRelError = 0;
    GpuCosts costs;
};

struct RecordedSpace
{
    std::string file, title;
    ConfigSpace space;
    std::vector<RecordedRow> rows; // parallel to space
    std::string gpuName, driver, cuda, revision, date;
    GpuSpec gpu;
    double smClockMhz = 0, memoryClockMhz = 0;
    // Ours only:
    std::string familyName, familyHash, problemKey;
    DType dtype = DType::Unknown;
    std::string layout;
    Symbols symbols;                         // as given to Family::makeProblem
    std::optional<std::size_t> defaultIndex; // the anchor
    struct Baseline
    {
        std::string name;
        double lnOverAnchor = 0, lnLow = 0, lnHigh = 0;
        double timeNs = 0;
    };
    std::vector<Baseline> baselines; // torch-eager, torch-compile: baseline / anchor
    double noiseFloor = 0;           // relative sd of one measurement, from re-measured rows; 0 unknown
    std::vector<std::string> notes;  // what the reader had to assume or skip

    std::size_t validCount() const;   // rows that succeeded
    double bestNs() const;            // 0 when nothing succeeded
    double bestStandardError() const; // relative, of the best row; claimable when <= .01
    bool claimable() const { return validCount() > 0 && bestStandardError() <= .01; }
    std::optional<std::size_t> bestIndex() const; // of the smallest timeNs, the first of equals
    // Exact expectation of best/optimum after k random unique measurements (failures count as measurements).
    double exactRandom(std::size_t k) const;
};

Result<RecordedSpace> readRecordedSpace(const std::string& path);
Result<RecordedSpace> parseRecordedSpace(std::string_view text, const std::string& name);
// Compression by the file's ending (.zst, .gz or none).
Result<void> writeRecordedSpace(const RecordedSpace& space, const std::string& path);

// What can be said of one of our files without reading its rows.
struct RecordedSpaceHeader
{
    std::string file, title, gpuName, driver, date, familyName, familyHash, problemKey, layout;
    DType dtype = DType::Unknown;
    std::size_t configurations = 0;
    std::int64_t modifiedNs = 0, bytes = 0; // of the file; the index below is refreshed when they change
};
Result<RecordedSpaceHeader> readRecordedSpaceHeader(const std::string& path);
// All of our space files below `folders` (three levels), newest first; unreadable ones are left out and
// logged. Headers are kept in memory, so a second call reads only what changed. Safe from any thread.
std::vector<RecordedSpaceHeader> listRecordedSpaces(const std::vector<std::string>& folders);
// The shipped and the user's spaces whose problemKey equals `key` (optionally for a GPU), newest first.
std::vector<std::string> findRecordedSpaces(const std::vector<std::string>& folders,
                                            std::string_view problemKey, std::string_view gpuName = {});

enum class RecordedMode { Mean, Noisy }; // Noisy draws one stored sample set
// Answers from `space`; `workers` compile slots on the virtual clock. Unknown for anything outside the file.
std::unique_ptr<Gpu> makeRecordedGpu(std::shared_ptr<const RecordedSpace> space,
                                     RecordedMode mode = RecordedMode::Mean, std::uint64_t seed = 0,
                                     int compileSlots = 4);

} // namespace foresight
