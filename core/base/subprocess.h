// SPDX-License-Identifier: Apache-2.0
// Child processes with limits. Children run in their own process group, with close-on-exec everywhere, an
// explicit environment and rlimits, and are killed (SIGKILL to the group) on deadline, on cancel and when the
// object dies. Thread use: one object per thread; `kill` may be called from any thread.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

struct ProcessOptions
{
    std::vector<std::string> argv; // argv[0] is looked up in PATH unless it has a slash
    std::string workingFolder;     // empty: inherited
    std::optional<std::map<std::string, std::string>> environment; // nullopt: inherited
    std::uint64_t memoryLimitBytes = 0;                            // RLIMIT_AS; 0: none
    std::uint64_t cpuLimitSeconds = 0;                             // RLIMIT_CPU; 0: none
    std::size_t maxOutputBytes =
        16u << 20; // per stream, for `run`; the rest is read and dropped, and counted
};

struct ProcessExit
{
    bool exited = false; // normally, with `status`; else killed by signal `status`
    int status = 0;
    std::string describe() const; // "exit status 1", "killed by signal 9 (SIGKILL)"
};

struct ProcessOutput
{
    ProcessExit exit;
    std::string out, err;
    std::uint64_t droppedBytes = 0;
    std::chrono::nanoseconds elapsed{};
    std::uint64_t peakRssBytes = 0;
};

// A long-running child with pipes on stdin/stdout/stderr. When the child ends, what is left of its process
// group is killed before it is reaped.
class Subprocess
{
public:
    static Result<std::unique_ptr<Subprocess>> start(const ProcessOptions& options);
    ~Subprocess();
    Subprocess(const Subprocess&) = delete;
    Subprocess& operator=(const Subprocess&) = delete;

    int pid() const { return m_pid; }
    int stdinFd() const { return m_in; }
    int stdoutFd() const { return m_out; } // non-blocking
    int stderrFd() const { return m_err; } // non-blocking
    // Writes everything (blocking); IoError when the child has closed its end. Never raises SIGPIPE.
    Result<void> write(std::string_view data);
    void closeStdin();
    void kill();                       // the whole group; safe to call twice
    std::optional<ProcessExit> poll(); // reaps when it has ended
    ProcessExit wait();                // blocks
    // After it ended. An upper bound: the kernel counts the moment between fork and exec, so at least this
    // program's own size.
    std::uint64_t peakRssBytes() const;

private:
    Subprocess() = default;
    std::optional<ProcessExit> reap(bool block);
    int m_pid = -1, m_in = -1, m_out = -1, m_err = -1;
    mutable std::mutex m_mutex; // m_exit and m_peakRss; a pid is never signalled after it was reaped
    std::optional<ProcessExit> m_exit;
    std::uint64_t m_peakRss = 0;
};

// Path of a program looked up in PATH; a name with a slash is returned as it is when it can be executed.
Result<std::string> findProgram(const std::string& name);

// Runs to the end: feeds `input`, collects both streams. Timeout and Cancelled are errors of those codes; a
// non-zero exit is not an error (look at `exit`).
Result<ProcessOutput> runProcess(const ProcessOptions& options, std::string_view input,
                                 std::chrono::milliseconds timeout, std::stop_token stop = {});

} // namespace foresight
