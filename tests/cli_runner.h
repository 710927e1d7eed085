// SPDX-License-Identifier: Apache-2.0
// Runs the built foresight-cli as a child with folders of its own, the way a user or a script would.
#pragma once

#include "core/base/json.h"
#include "core/base/subprocess.h"

#include <QTemporaryDir>

#include <map>
#include <string>
#include <vector>

namespace foresight::test {

struct CliRun
{
    int status = -1; // -1: killed by a signal, or not started
    std::string out, err;
    Json json;               // of stdout; discarded when it is not exactly one JSON document
    std::vector<Json> lines; // of stdout, when every line is one
};

class CliRunner
{
public:
    CliRunner();
    // Runs `foresight-cli ARGUMENTS` to its end.
    CliRun run(std::vector<std::string> arguments) const;
    ProcessOptions options(std::vector<std::string> arguments) const;
    std::string path(const std::string& name) const;
    std::map<std::string, std::string>& environment() { return m_environment; }
    static std::string program();

private:
    QTemporaryDir m_folder;
    std::map<std::string, std::string> m_environment;
};

} // namespace foresight::test
