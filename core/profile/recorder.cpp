// SPDX-License-Identifier: Apache-2.0
#include "core/profile/recorder.h"

#include "core/base/file.h"
#include "core/base/subprocess.h"
#include "core/base/version.h"
#include "core/profile/probe_receiver.h"
#include "core/profile/profile_builder.h"
#include "core/store/session.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <unistd.h>

extern char** environ;

namespace foresight {

namespace {

using Clock = std::chrono::steady_clock;

std::map<std::string, std::string> childEnvironment(const RecordOptions& options, const std::string& probe,
                                                    const std::string& data, const std::string& socket)
{
    std::map<std::string, std::string> out;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        if (const auto equals = text.find('='); equals != std::string_view::npos)
            out.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    for (const auto& [key, value] : options.environment)
        out[key] = value;
    out["CUDA_INJECTION64_PATH"] = probe;
    out["NVTX_INJECTION64_PATH"] = probe;
    out["FORESIGHT_PROBE_LIBRARY"] = probe;
    out["FORESIGHT_PROBE_SOCKET"] = socket;
    out["FORESIGHT_HOOK"] = "1";
    out["FORESIGHT_HOOK_WARMUP"] = std::to_string(options.warmup);
    out["FORESIGHT_HOOK_PLAIN_STEPS"] = std::to_string(options.plainSteps);
    out["FORESIGHT_HOOK_STEPS"] = std::to_string(options.steps);
    const std::string python = joinPath(data, "resources/python");
    std::string& path = out["PYTHONPATH"];
    path = joinPath(python, "foresight_torch/startup") + ":" + python + (path.empty() ? "" : ":" + path);
    return out;
}

// Python's switches that keep start-up hooks out, as far as the command line shows them.
std::string hookBlockedBy(const std::vector<std::string>& command)
{
    if (fileName(command.front()).rfind("python", 0) != 0)
        return {};
    for (std::size_t i = 1; i < command.size() && command[i].size() > 1 && command[i][0] == '-'; ++i) {
        if (command[i][1] == '-')
            continue;
        for (const char flag : command[i].substr(1)) {
            if (flag == 'S' || flag == 'I' || flag == 'E')
                return std::string("-") + flag;
            if (flag == 'c' || flag == 'm')
                return {};
        }
    }
    return {};
}

bool drain(int fd, std::string& into)
{
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(fd, buffer, sizeof(buffer));
        if (got > 0)
            into.append(buffer, static_cast<std::size_t>(got));
        else
            return got < 0;
    }
}

struct RunOutcome
{
    ProcessExit exit;
    bool interrupted = false;
};

RunOutcome runToEnd(Subprocess& child, const ProbeReceiver& receiver,
                    const std::function<void(const RecordProgress&)>& progress, const std::stop_token& stop)
{
    RunOutcome outcome;
    Clock::time_point killAt{}, leaveAt{};
    bool ended = false, outOpen = true, errOpen = true;
    for (;;) {
        pollfd waiting[] = {{outOpen ? child.stdoutFd() : -1, POLLIN, 0},
                            {errOpen ? child.stderrFd() : -1, POLLIN, 0}};
        ::poll(waiting, 2, 50);
        RecordProgress now;
        outOpen = outOpen && drain(child.stdoutFd(), now.output);
        errOpen = errOpen && drain(child.stderrFd(), now.output);
        const ReceiverProgress received = receiver.progress();
        now.processes = received.processes;
        now.kernels = received.kernels;
        now.ranges = received.ranges;
        now.dropped = received.dropped;
        now.status = received.lastStatus;
        if (progress)
            progress(now);
        if (!ended) {
            if (const auto exit = child.poll()) {
                outcome.exit = *exit;
                ended = true;
                leaveAt = Clock::now() + std::chrono::seconds(2);
            }
        }
        if (ended && (received.open == 0 || Clock::now() > leaveAt))
            return outcome;
        if (stop.stop_requested() && !outcome.interrupted) {
            outcome.interrupted = true;
            ::kill(-child.pid(), SIGINT);
            killAt = Clock::now() + std::chrono::seconds(5);
        }
        if (outcome.interrupted && !ended && Clock::now() > killAt)
            child.kill();
    }
}

// Of several processes the one that did most on the GPU; without any GPU work, the one with something to say.
const ProbeRecords* mainProcess(const std::vector<ProbeRecords>& all)
{
    const auto weight = [](const ProbeRecords& records) {
        return std::make_pair(records.kernels.size() + records.memory.size(),
                              records.statuses.size() + records.ranges.size());
    };
    const auto best = std::max_element(all.begin(), all.end(),
                                       [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
    return best == all.end() ? nullptr : &*best;
}

} // namespace

Result<std::string> findProbeLibrary()
{
    const std::string here = executableFolder();
    std::string tried;
    for (const char* place : {"../lib/libforesight-probe.so", "../lib/foresight/libforesight-probe.so",
                              "libforesight-probe.so", "../../lib/libforesight-probe.so"}) {
        const std::string path = joinPath(here, place);
        if (fileExists(path))
            return path;
        tried += (tried.empty() ? "" : ", ") + path;
    }
    return makeError(ErrorCode::NotFound, "libforesight-probe.so was not found (tried " + tried + ")",
                     "It is built when the CUDA toolkit's CUPTI and NVTX headers are present.");
}

std::string driverVersion()
{
    const auto text = readFile("/proc/driver/nvidia/version", 1 << 16);
    if (!text)
        return {};
    // The first word of the form 580.159.04.
    std::string word;
    for (const char c : *text + " ") {
        if ((c >= '0' && c <= '9') || c == '.') {
            word += c;
            continue;
        }
        if (word.size() > 4 && word.find('.') != std::string::npos && word.front() != '.')
            return word;
        word.clear();
    }
    return {};
}

Result<Profile> recordProfile(const RecordOptions& options,
                              const std::function<void(const RecordProgress&)>& progress,
                              std::stop_token stop)
{
    if (options.command.empty())
        return makeError(ErrorCode::InvalidArgument, "No command to profile was given",
                         "Write it after --, e.g. `foresight-cli profile -- python3 model.py`.");
    if (!options.out.empty() && fileExists(options.out))
        return makeError(ErrorCode::InvalidArgument, options.out + " exists already", "Choose another name.");
    std::string probe = options.probeLibrary;
    if (probe.empty()) {
        FS_TRY(found, findProbeLibrary());
        probe = std::move(found);
    }
    std::string data = options.dataFolder;
    if (data.empty()) {
        FS_TRY(found, dataFolder());
        data = std::move(found);
    }
    ProfileBuildOptions build;
    std::optional<FamilyRegistry> families;
    build.serve = options.serve;
    if (!build.serve) {
        FS_TRY(loaded, FamilyRegistry::load(data, joinPath(userDataFolder(), "kernels")));
        families = std::move(loaded);
        build.serve = servedBy(*families);
    }

    FS_TRY(receiver, ProbeReceiver::listen(options.rawOut));
    ProcessOptions process;
    process.argv = options.command;
    process.environment = childEnvironment(options, probe, data, receiver->socketPath());
    FS_TRY(child, Subprocess::start(process));
    child->closeStdin();
    const RunOutcome outcome = runToEnd(*child, *receiver, progress, stop);
    const std::vector<ProbeRecords> all = receiver->finish();
    const ProbeRecords* records = mainProcess(all);
    if (!records) {
        if (outcome.interrupted)
            return makeError(ErrorCode::Cancelled, "Stopped before the program used a GPU");
        return makeError(ErrorCode::ProcessFailed,
                         "The program never used a GPU, so there is nothing to show (" +
                             outcome.exit.describe() + ")",
                         "Check that it runs by itself and that nvidia-smi lists a GPU here.");
    }

    build.title = options.title;
    build.driver = driverVersion();
    build.revision = kRevision;
    if (!records->devices.empty()) {
        if (auto spec = findGpuSpec(data, records->devices.front().name))
            build.gpu = std::move(spec).value();
    }
    Profile profile = buildProfile(*records, build);
    if (const std::string flag = hookBlockedBy(options.command); !flag.empty())
        profile.notes.push_back("Python was started with " + flag +
                                ", which keeps the start-up hook out: no modules, operators or steps.");
    if (!outcome.interrupted && (!outcome.exit.exited || outcome.exit.status != 0))
        profile.notes.push_back("The program ended with " + outcome.exit.describe() + ".");
    if (!options.out.empty()) {
        FS_TRY(session, Session::create(options.out));
        FS_CHECK(saveProfile(*session, profile));
    }
    return profile;
}

} // namespace foresight
