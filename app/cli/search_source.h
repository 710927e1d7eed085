// SPDX-License-Identifier: Apache-2.0
// From the words of the command line (a recorded space, an operator of a session, a family with a shape) to
// the request that core/search prepares. Errors of the user's input are ones of usage.
#pragma once

#include "app/cli/arguments.h"
#include "core/search/setup.h"

#include <cstdint>
#include <optional>
#include <string>

namespace foresight::cli {

struct SearchSource
{
    std::string spaceFile; // one of: a recorded space,
    std::string session;   // an operator of a session,
    std::optional<std::int64_t> operatorId;
    std::string family; // a family's problem
    ProblemArguments problem;
    std::string gpu = "auto"; // auto, local, recorded, recorded:FILE
    bool noisy = false;
    int device = 0;
    std::string baseline; // empty: torch-eager when it was measured
};

// Everything but the search's own options.
Result<SearchRequest> makeRequest(Output& output, const SearchSource& source);

} // namespace foresight::cli
