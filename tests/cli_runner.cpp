// SPDX-License-Identifier: Apache-2.0
#include "tests/cli_runner.h"

#include "core/base/file.h"

#include <cstring>
#include <sstream>
#include <unistd.h>

namespace foresight::test {

CliRunner::CliRunner()
{
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (const char* equals = std::strchr(*variable, '='))
            m_environment.emplace(std::string(static_cast<const char*>(*variable), equals), equals + 1);
    m_environment.erase("FORESIGHT_DATA");
    m_environment["XDG_DATA_HOME"] = path("data");
    m_environment["XDG_CACHE_HOME"] = path("cache");
}

std::string CliRunner::path(const std::string& name) const
{
    return joinPath(m_folder.path().toStdString(), name);
}

std::string CliRunner::program()
{
    return FORESIGHT_BIN_DIR "/foresight-cli";
}

ProcessOptions CliRunner::options(std::vector<std::string> arguments) const
{
    ProcessOptions options;
    options.argv = {program()};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    options.environment = m_environment;
    options.workingFolder = m_folder.path().toStdString();
    return options;
}

CliRun CliRunner::run(std::vector<std::string> arguments) const
{
    CliRun run;
    const auto done = runProcess(options(std::move(arguments)), {}, std::chrono::minutes(5));
    if (!done) {
        run.err = done.error().toString();
        return run;
    }
    run.status = done->exit.exited ? done->exit.status : -1;
    run.out = done->out;
    run.err = done->err;
    run.json = Json::parse(run.out, nullptr, false);
    std::istringstream stream(run.out);
    for (std::string line; std::getline(stream, line);) {
        Json json = Json::parse(line, nullptr, false);
        if (json.is_discarded()) {
            run.lines.clear();
            break;
        }
        run.lines.push_back(std::move(json));
    }
    return run;
}

} // namespace foresight::test
