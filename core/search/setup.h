// SPDX-License-Identifier: Apache-2.0
// From what a user names (a recorded space, a family with a shape, a profiled operator, a search to resume)
// to everything an Engine needs. Blocking; call it on a background thread. Errors say what was looked for,
// where, and what there is instead.
#pragma once

#include "core/gpu/recorded_space.h"
#include "core/kernels/family.h"
#include "core/search/engine.h"
#include "core/search/started.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

enum class GpuChoice {
    Auto, // this machine's GPU when there is one and a family makes the candidates, else recorded
    Local,
    Recorded,
};

struct SearchRequest
{
    // One of three ways to say what to search:
    std::string spaceFile;                     // a recorded space
    std::string family, layout = "contiguous"; // a family with a dtype and symbols
    DType dtype = DType::Unknown;
    Symbols symbols;
    bool dropUnknownSymbols = false;       // a log's symbols have the derived ones among them
    std::optional<OperatorDescription> op; // a profiled operator

    std::string operatorName; // for people; empty: the operator's, the space's or the family's

    GpuChoice gpu = GpuChoice::Auto;
    std::string recordedFile; // Recorded: this file, whatever its GPU; empty: found by the problem's key
    std::string preferredGpu; // by name; its recordings win over others
    int device = 0;
    RecordedMode mode = RecordedMode::Mean;

    SearchOptions options; // a baseline set here (lnBaselineOverAnchor != 0) is kept
    std::string
        baseline; // "torch-eager", "torch-compile", "family-default"; empty: torch-eager if it can be had

    std::string dataFolder;                // empty: foresight::dataFolder()
    std::vector<std::string> spaceFolders; // empty: the shipped and the user's
};

struct PreparedSearch
{
    SearchTarget target;
    SearchOptions options;
    std::unique_ptr<Gpu> gpu;
    std::unique_ptr<Forecaster> forecaster;
    std::shared_ptr<const RecordedSpace> space; // when recorded
    std::shared_ptr<const Family> family;       // when known
    double lnBaselineLow = 0,
           lnBaselineHigh = 0;      // interval of options.lnBaselineOverAnchor; equal: exact or unknown
    std::vector<std::string> notes; // what had to be assumed
};

Result<PreparedSearch> prepareSearch(SearchRequest request, std::stop_token stop = {});

// What to prepare to go on with a search: `started` from its log, `spaceFile` as stored with the search.
SearchRequest requestToResume(const StartedPayload& started, const std::string& spaceFile);

// The folders looked through for recorded spaces by default: the shipped ones and the user's.
std::vector<std::string> defaultSpaceFolders(const std::string& dataFolder);

// The problem of an operator or a family request and the family that serves it. Unsupported names what is
// missing.
struct FoundProblem
{
    std::shared_ptr<const Family> family;
    Problem problem;
};
Result<FoundProblem> findProblem(const SearchRequest& request);

} // namespace foresight
