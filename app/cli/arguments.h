// SPDX-License-Identifier: Apache-2.0
// Parsing shared by several commands. Errors are ones of the user's input and name the option.
#pragma once

#include "app/cli/output.h"
#include "core/kernels/family.h"

#include <memory>
#include <string>
#include <vector>

namespace foresight::cli {

// {"N=1", "silu=true", "eps=1e-5"}: booleans, integers, numbers, else text. Also "N=1,C=2" in one word.
Result<Symbols> parseAssignments(Output& output, const std::vector<std::string>& words,
                                 const std::string& option);
Result<DType> parseDtype(Output& output, const std::string& name);

struct LoadedFamilies
{
    std::string dataFolder;
    FamilyRegistry registry;
};
// The shipped families and the user's; broken user families become notes.
Result<LoadedFamilies> loadFamilies(Output& output);
Result<std::shared_ptr<const Family>> findFamily(Output& output, const FamilyRegistry& registry,
                                                 const std::string& name);

// A problem as the user names it on the command line.
struct ProblemArguments
{
    std::vector<std::string> shape;
    std::string dtype = "f16"; // documented in --help
    std::string layout = "contiguous";
};
Result<Problem> makeProblem(Output& output, const Family& family, const ProblemArguments& arguments);

} // namespace foresight::cli
