// SPDX-License-Identifier: Apache-2.0
// Records a whole space: every configuration of a family for one problem, verified and timed once on the GPU
// of this machine, in random order, with the anchor alone every 25 measurements; then the best and a random
// few again in a second process; then the file. Each finished measurement is appended to OUTPUT.partial.jsonl
// first, so a sweep that was killed or ran out of its time goes on where it was. Blocking; one thread; the
// callback runs on it.
#pragma once

#include "core/gpu/local_gpu.h"
#include "core/kernels/family.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

struct SweepOptions
{
    std::shared_ptr<const Family> family;
    Problem problem;     // of `family`
    Symbols symbols;     // as they were given to Family::makeProblem; stored
    LocalGpuOptions gpu; // worker, device, timeouts, folders; plans and problem are filled in here
    std::string output;  // "x.t4.json.zst"; the partial file lies beside it
    std::uint64_t seed = 1;
    int quads = 12;
    Regime regime = Regime::Cold;
    bool resume = false;   // go on with an existing partial file; without it one is an error
    std::size_t limit = 0; // only the first so many of the random order; 0: all
    double maxSeconds = 0; // stop cleanly after so long, resumable; 0: no limit
    int anchorEvery = 25;
    double againTop = .05; // fraction measured again, at least `againTopAtLeast`
    int againTopAtLeast = 20;
    double againRandom = .02; // a random fraction measured again too: the noise floor comes from these
    int againQuads = 24;
    bool torchBaselines = true; // time PyTorch's own operator against the anchor; a failure becomes a note
};

struct SweepProgress
{
    std::string phase; // "measuring", "measuring again", "baselines", "writing"
    std::size_t done = 0, total = 0, failed = 0;
    double bestNs = 0, anchorNs = 0;
    double elapsedSeconds = 0, remainingSeconds = 0; // remaining: a guess from the pace so far; 0 unknown
};

struct SweepResult
{
    bool finished = false; // false: stopped by the time limit, or by `stop`; resume later
    std::size_t configurations = 0, measured = 0, valid = 0, again = 0;
    double anchorNs = 0, bestNs = 0, noiseFloor = 0;
    std::string bestConfiguration, file, partialFile;
    std::vector<std::string> notes;
};

// Errors: those of LocalGpu::make; InvalidArgument when the partial file belongs to another sweep; GpuError
// when the GPU is unwell (resumable).
Result<SweepResult> runSweep(const SweepOptions& options,
                             const std::function<void(const SweepProgress&)>& progress = {},
                             std::stop_token stop = {});

} // namespace foresight
