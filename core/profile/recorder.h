// SPDX-License-Identifier: Apache-2.0
// Starts a program with the probe in it and turns what it sends into a Profile. Blocks the calling thread
// until the program has ended or was asked to stop; progress is called on that thread.
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

struct RecordOptions
{
    std::vector<std::string> command;
    std::map<std::string, std::string> environment; // added to the inherited one
    int warmup = 3;                                 // steps before the first recorded one
    int plainSteps = 3; // recorded without operator ranges, for undisturbed host timing
    int steps = 3;      // recorded with operator ranges
    std::string title;
    std::string out;          // session file to write; empty: none. Must not exist
    std::string rawOut;       // the probe's stream as it came (for tests and reports); empty: none
    std::string probeLibrary; // empty: found beside this program
    std::string dataFolder;   // empty: foresight::dataFolder()
    std::function<std::optional<Problem>(const OperatorDescription&)> serve; // empty: the installed families
};

struct RecordProgress
{
    std::int64_t processes = 0, kernels = 0, ranges = 0, dropped = 0;
    std::string output; // what the program wrote since the last call, both streams
    std::string status; // newest message of the probe
};

// A stop request interrupts the program (SIGINT, then SIGKILL after 5 s) and still returns what was recorded.
Result<Profile> recordProfile(const RecordOptions& options,
                              const std::function<void(const RecordProgress&)>& progress = {},
                              std::stop_token stop = {});

Result<std::string> findProbeLibrary();
// The NVIDIA driver's version of this machine, or empty.
std::string driverVersion();

} // namespace foresight
