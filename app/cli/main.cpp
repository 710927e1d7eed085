// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "core/base/log.h"
#include "core/base/version.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <fmt/format.h>
#include <string_view>

using namespace foresight;
using namespace foresight::cli;

namespace {

constexpr const char* kDescription =
    "Finds faster CUDA kernels for the slow operators of a model.\n"
    "Results go to stdout, progress and errors to stderr. Exit status: 0 done, 1 failed, 2 wrong usage.";

void logToStderr(bool verbose)
{
    setLogSink([verbose](const LogRecord& record) {
        if (record.level == LogLevel::Debug || (record.level == LogLevel::Info && !verbose))
            return;
        fmt::print(stderr, "{}: {}\n", record.area, record.text);
    });
}

// Before parsing succeeded: what the user seems to want.
Format wantedFormat(int argc, char** argv)
{
    Format format = Format::Text;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--")
            break;
        if (word == "--json")
            format = Format::Json;
        if (word == "--jsonl")
            format = Format::JsonLines;
    }
    return format;
}

struct CommonFlags
{
    bool json = false, jsonl = false, quiet = false, verbose = false;
};

void addCommonFlags(CLI::App& app, CommonFlags& flags)
{
    auto* json = app.add_flag("--json", flags.json, "Print the result as one JSON object");
    app.add_flag("--jsonl", flags.jsonl,
                 "Print events as they happen, one JSON object per line, the result last")
        ->excludes(json);
    app.add_flag("-q,--quiet", flags.quiet, "No progress on stderr");
    app.add_flag("-v,--verbose", flags.verbose, "More of what happens on stderr");
}

int run(int argc, char** argv)
{
    CLI::App root(kDescription, "foresight-cli");
    root.set_version_flag("--version", fmt::format("foresight-cli {} ({})", kVersion, kRevision));
    root.require_subcommand(1);
    Commands commands;
    addDoctor(root, commands);
    addEvaluate(root, commands);
    addFamilies(root, commands);
    addCompile(root, commands);
    addOperators(root, commands);
    addProfile(root, commands);
    addSearch(root, commands);
    addSweep(root, commands);
    addVerdict(root, commands);
    CommonFlags flags;
    for (const Command& command : commands)
        addCommonFlags(*command.app, flags);

    try {
        root.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0)
            return root.exit(e) == 0 ? kDone : kFailed; // --help, --version
        Output output(wantedFormat(argc, argv), false);
        return output.finish(output.usage(e.what(), "see foresight-cli --help"));
    }
    logToStderr(flags.verbose);
    const Format format = flags.json ? Format::Json : flags.jsonl ? Format::JsonLines : Format::Text;
    Output output(format, flags.quiet);
    Interrupt interrupt;
    Invocation invocation{output, interrupt.token()};
    for (const Command& command : commands)
        if (command.app->parsed())
            return output.finish(command.run(invocation));
    return kUsage;
}

} // namespace

int main(int argc, char** argv)
{
    // A reader that has seen enough (`| head`) ends our writes with an error instead of a signal.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const std::exception& e) {
        // Only running out of memory gets here.
        fmt::print(stderr, "foresight-cli: {}\n", e.what());
        return kFailed;
    }
}
