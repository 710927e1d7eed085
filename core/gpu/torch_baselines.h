// SPDX-License-Identifier: Apache-2.0
// Times PyTorch's own implementations of a search's operator against the anchor, or against one candidate, in
// the host mode: `PYTHON -m foresight_torch.host REQUEST RESPONSE` with resources/python in PYTHONPATH loads
// the measure library into PyTorch's process. The GPU is borrowed from its LocalGpu meanwhile. Blocking;
// Unsupported when the interpreter has no PyTorch or the family has no PyTorch equivalent.
//
// REQUEST:  {"device", "library": libforesight-measure.so, "cacheFolder", "names": ["torch-eager", ...],
//            "quads", "regime", "seed",
//            "problem": the `problem` request of protocol.h, "problemBinary": file with its binary part,
//            "candidate": an `evaluate` request, "candidateBinary": file}      (both only when one is
//            compared)
// RESPONSE: {"torch": "2.11.0", "baselines": [{"name", "timing": Timing, "error": ""}...]}   or {"error":
// "..."} In each timing the baseline is in the anchor's place: lnRatio = ln(baseline / plan).
#pragma once

#include "core/gpu/local_gpu.h"
#include "core/gpu/recorded_space.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

struct TorchOptions
{
    std::vector<std::string> names{"torch-eager", "torch-compile"};
    int quads = 24;
    Regime regime = Regime::Cold;
    std::uint64_t seed = 1;
    std::chrono::milliseconds timeout{240'000}; // torch.compile takes its time
    std::string* torchVersion = nullptr;        // filled in when given
};

// Baseline / anchor. Names that failed are left out and logged; an error when all did.
Result<std::vector<RecordedSpace::Baseline>>
measureTorchBaselines(LocalGpu& gpu, const TorchOptions& options = {}, std::stop_token stop = {});

struct TorchComparison
{
    std::string name;
    Timing timing; // lnRatio = ln(baseline / candidate): the speedup, directly
};
// Only for candidates that were verified: they run inside PyTorch's process here.
Result<std::vector<TorchComparison>> compareWithTorch(LocalGpu& gpu, const GpuRequest& candidate,
                                                      const TorchOptions& options = {},
                                                      std::stop_token stop = {});

} // namespace foresight
