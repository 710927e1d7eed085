// SPDX-License-Identifier: Apache-2.0
// One finished (or interrupted) search as the JSON of the contract: best, trajectory, counts, calibration,
// budget. Works on the log alone, so that it says the same of a search that was run and of one that was read
// back.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/gpu/recorded_space.h"
#include "core/search/engine.h"

#include <span>

namespace foresight::cli {

struct SearchRun
{
    SearchOptions options;
    std::span<const EventRow> events;
    const RecordedSpace* space = nullptr;   // the recorded truth, when the search ran on it
    double gpuSeconds = 0, wallSeconds = 0; // used, on the GPU's clock
    double hostSeconds = 0;                 // this program's time, for the rate
};

// Corrupt when the log cannot be folded.
Result<Json> searchRunJson(const SearchRun& run);

} // namespace foresight::cli
