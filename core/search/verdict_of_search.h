// SPDX-License-Identifier: Apache-2.0
// The guard's verdict on the best candidate of a finished search. On a live GPU the finalists are measured
// again in fresh processes (minutes); on a recorded space the evidence is its stored measurement and
// re-measurement, labelled so. Blocking; call it on a background thread, with the search's own runner gone
// (both hold the GPU and the session).
#pragma once

#include "core/base/result.h"
#include "core/guard/verdict.h"
#include "core/store/session.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

struct VerdictTask
{
    std::string sessionPath;
    std::int64_t search = 0;
    std::vector<std::string> spaceFolders; // for spaces that are not where they were; empty: the defaults
    // Live only: between the two processes that measure a finalist (04, "Confirmation").
    std::chrono::milliseconds spacing{60'000};
    std::function<void(const std::string&)> progress; // may be empty
};

// Decides, stores the verdict in the session and returns it. InvalidArgument when the search has not
// finished.
Result<VerdictRecord> decideSearch(const VerdictTask& task, std::stop_token stop = {});

} // namespace foresight
