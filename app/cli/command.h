// SPDX-License-Identifier: Apache-2.0
// The commands of foresight-cli. Each file cmd_*.cpp declares its options below the root and registers what
// to run when the user names it.
#pragma once

#include "app/cli/output.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace foresight::cli {

struct Invocation
{
    Output& output;
    std::stop_token stop; // Ctrl-C
};

struct Command
{
    CLI::App* app;
    std::function<Result<void>(Invocation&)> run;
};
using Commands = std::vector<Command>;

void addDoctor(CLI::App& root, Commands& commands);
void addEvaluate(CLI::App& root, Commands& commands);
void addFamilies(CLI::App& root, Commands& commands);
void addCompile(CLI::App& root, Commands& commands);
void addOperators(CLI::App& root, Commands& commands);
void addProfile(CLI::App& root, Commands& commands);
void addSearch(CLI::App& root, Commands& commands);
void addSweep(CLI::App& root, Commands& commands);
void addVerdict(CLI::App& root, Commands& commands);

} // namespace foresight::cli
