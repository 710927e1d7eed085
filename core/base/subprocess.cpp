// SPDX-License-Identifier: Apache-2.0
#include "core/base/subprocess.h"

#include "core/base/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace foresight {
namespace {

class Pipe
{
public:
    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe()
    {
        for (int fd : m_ends)
            if (fd >= 0)
                ::close(fd);
    }
    bool open()
    {
        if (::pipe2(m_ends.data(), O_CLOEXEC) != 0)
            return false;
        // Ends numbered 0..2 would be overwritten when the child takes its standard streams.
        for (int& fd : m_ends) {
            if (fd > 2)
                continue;
            const int moved = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
            if (moved < 0)
                return false;
            ::close(fd);
            fd = moved;
        }
        return true;
    }
    int readEnd() const { return m_ends[0]; }
    int writeEnd() const { return m_ends[1]; }
    int release(std::size_t end)
    {
        const int fd = m_ends[end];
        m_ends[end] = -1;
        return fd;
    }
    void close(std::size_t end) { ::close(release(end)); }

private:
    std::array<int, 2> m_ends{-1, -1};
};

enum class ChildStage : int { Folder, Limits, Execute };
struct ChildFailure
{
    ChildStage stage;
    int number;
};

// Everything the child needs, prepared before the fork: between fork and exec only async-signal-safe calls
// are made.
struct ChildPlan
{
    const char* program;
    char** argv;
    char** environment;
    const char* folder; // nullptr: stay
    rlim_t memory, cpu; // RLIM_INFINITY: none
    int in, out, err, report;
};

bool setLimit(int which, rlim_t soft, rlim_t hard)
{
    rlimit limit{};
    limit.rlim_cur = soft;
    limit.rlim_max = hard;
    return ::setrlimit(static_cast<__rlimit_resource_t>(which), &limit) == 0;
}

[[noreturn]] void runChild(const ChildPlan& plan)
{
    auto fail = [&plan](ChildStage stage) {
        const ChildFailure failure{stage, errno};
        [[maybe_unused]] const ssize_t n = ::write(plan.report, &failure, sizeof failure);
        ::_exit(127);
    };
    ::setpgid(0, 0);
    // The parent's handlers must not run here, and ignored signals (SIGPIPE) would stay ignored over exec.
    struct sigaction action
    {
    };
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number)
        ::sigaction(number, &action, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::dup2(plan.in, 0);
    ::dup2(plan.out, 1);
    ::dup2(plan.err, 2);
    // Descriptors that libraries opened without O_CLOEXEC. Kernels before 5.11 lack this; ours are marked
    // anyway.
    ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
    if (plan.folder != nullptr && ::chdir(plan.folder) != 0)
        fail(ChildStage::Folder);
    setLimit(RLIMIT_CORE, 0, 0);
    if (plan.memory != RLIM_INFINITY && !setLimit(RLIMIT_AS, plan.memory, plan.memory))
        fail(ChildStage::Limits);
    // SIGXCPU at the soft limit can be caught; the hard limit one second later cannot.
    if (plan.cpu != RLIM_INFINITY && !setLimit(RLIMIT_CPU, plan.cpu, plan.cpu + 1))
        fail(ChildStage::Limits);
    ::execve(plan.program, plan.argv, plan.environment);
    fail(ChildStage::Execute);
    ::_exit(127);
}

Error startFailure(const std::string& program, const std::string& folder, const ChildFailure& failure)
{
    const std::string reason = std::strerror(failure.number);
    switch (failure.stage) {
    case ChildStage::Folder:
        return makeError(ErrorCode::ProcessFailed,
                         "cannot start " + program + " in " + folder + ": " + reason);
    case ChildStage::Limits:
        return makeError(ErrorCode::ProcessFailed, "cannot limit " + program + ": " + reason);
    case ChildStage::Execute:
        break;
    }
    return makeError(failure.number == ENOENT ? ErrorCode::NotFound : ErrorCode::ProcessFailed,
                     "cannot start " + program + ": " + reason);
}

bool isExecutable(const std::string& path)
{
    struct stat info
    {
    };
    return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string currentFolder()
{
    std::array<char, 4096> buffer;
    return ::getcwd(buffer.data(), buffer.size()) == nullptr ? std::string(".") : std::string(buffer.data());
}

std::vector<char*> pointers(std::vector<std::string>& strings)
{
    std::vector<char*> result;
    result.reserve(strings.size() + 1);
    for (auto& text : strings)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

ProcessExit decode(int status)
{
    if (WIFEXITED(status))
        return {true, WEXITSTATUS(status)};
    return {false, WTERMSIG(status)};
}

} // namespace

std::string ProcessExit::describe() const
{
    if (exited)
        return "exit status " + std::to_string(status);
    std::string text = "killed by signal " + std::to_string(status);
    if (const char* name = sigabbrev_np(status))
        text += std::string(" (SIG") + name + ")";
    return text;
}

Result<std::string> findProgram(const std::string& name)
{
    if (name.find('/') != std::string::npos) {
        if (isExecutable(name))
            return name;
        return makeError(ErrorCode::NotFound,
                         name + (fileExists(name) ? " is not executable" : " does not exist"));
    }
    const char* variable = std::getenv("PATH");
    const std::string path = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
    for (std::size_t from = 0; !name.empty() && from <= path.size();) {
        const std::size_t to = std::min(path.find(':', from), path.size());
        const std::string folder = path.substr(from, to - from);
        if (std::string candidate = joinPath(folder.empty() ? "." : folder, name); isExecutable(candidate))
            return candidate;
        from = to + 1;
    }
    return makeError(ErrorCode::NotFound, "the program \"" + name + "\" was not found in PATH");
}

Result<std::unique_ptr<Subprocess>> Subprocess::start(const ProcessOptions& options)
{
    if (options.argv.empty() || options.argv.front().empty())
        return makeError(ErrorCode::InvalidArgument, "no program was given to start");
    for (const auto& argument : options.argv)
        if (argument.find('\0') != std::string::npos)
            return makeError(ErrorCode::InvalidArgument, "a program argument contains a zero byte");
    std::string program = options.argv.front();
    // A relative path with a slash is meant relative to the working folder, where only the child can look.
    if (program.find('/') == std::string::npos || options.workingFolder.empty()) {
        FS_TRY(found, findProgram(program));
        // The PATH entry may be relative to where we are now.
        program =
            found.front() == '/' || options.workingFolder.empty() ? found : joinPath(currentFolder(), found);
    }

    Pipe in, out, err, report;
    if (!in.open() || !out.open() || !err.open() || !report.open())
        return makeError(ErrorCode::ResourceLimit,
                         std::string("cannot create a pipe: ") + std::strerror(errno));

    std::vector<std::string> arguments = options.argv;
    std::vector<std::string> variables;
    if (options.environment)
        for (const auto& [key, value] : *options.environment)
            variables.push_back(key + "=" + value);
    std::vector<char*> argumentPointers = pointers(arguments);
    std::vector<char*> variablePointers = pointers(variables);
    ChildPlan plan{};
    plan.program = program.c_str();
    plan.argv = argumentPointers.data();
    plan.environment = options.environment ? variablePointers.data() : environ;
    plan.folder = options.workingFolder.empty() ? nullptr : options.workingFolder.c_str();
    plan.memory = options.memoryLimitBytes == 0 ? RLIM_INFINITY : options.memoryLimitBytes;
    plan.cpu = options.cpuLimitSeconds == 0 ? RLIM_INFINITY : options.cpuLimitSeconds;
    plan.in = in.readEnd();
    plan.out = out.writeEnd();
    plan.err = err.writeEnd();
    plan.report = report.writeEnd();

    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0)
        runChild(plan);
    const int forkError = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0)
        return makeError(ErrorCode::ResourceLimit,
                         "cannot start " + program + ": " + std::strerror(forkError));
    ::setpgid(pid, pid); // both sides do this, so that the group exists whoever runs first
    report.close(1);
    ChildFailure failure{};
    ssize_t got = 0;
    do
        got = ::read(report.readEnd(), &failure, sizeof failure);
    while (got < 0 && errno == EINTR);
    if (got == sizeof failure) {
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return startFailure(program, options.workingFolder, failure);
    }

    std::unique_ptr<Subprocess> process(new Subprocess);
    process->m_pid = pid;
    process->m_in = in.release(1);
    process->m_out = out.release(0);
    process->m_err = err.release(0);
    for (int fd : {process->m_out, process->m_err})
        ::fcntl(fd, F_SETFL, O_NONBLOCK);
    return process;
}

Subprocess::~Subprocess()
{
    kill();
    reap(true);
    closeStdin();
    ::close(m_out);
    ::close(m_err);
}

Result<void> Subprocess::write(std::string_view data)
{
    if (m_in < 0)
        return makeError(ErrorCode::IoError, "the child's input is closed");
    // A write to a dead child's pipe raises SIGPIPE for this thread: hold it back, and take it if it came
    // from us.
    sigset_t pipeSignal, before, pending;
    sigemptyset(&pipeSignal);
    sigaddset(&pipeSignal, SIGPIPE);
    sigpending(&pending);
    const bool alreadyPending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before);
    Result<void> result;
    while (!data.empty()) {
        const ssize_t n = ::write(m_in, data.data(), data.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            const int number = errno;
            if (number == EPIPE && !alreadyPending) {
                const timespec now{};
                sigtimedwait(&pipeSignal, nullptr, &now);
            }
            result = makeError(ErrorCode::IoError,
                               std::string("cannot write to the child process: ") + std::strerror(number));
            break;
        }
        data.remove_prefix(static_cast<std::size_t>(n));
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return result;
}

void Subprocess::closeStdin()
{
    if (m_in >= 0)
        ::close(m_in);
    m_in = -1;
}

void Subprocess::kill()
{
    const std::lock_guard lock(m_mutex);
    if (!m_exit)
        ::kill(-m_pid, SIGKILL);
}

std::optional<ProcessExit> Subprocess::poll()
{
    return reap(false);
}

ProcessExit Subprocess::wait()
{
    return *reap(true);
}

std::uint64_t Subprocess::peakRssBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_peakRss;
}

std::optional<ProcessExit> Subprocess::reap(bool block)
{
    if (block) {
        // Without the lock, so that another thread can kill; WNOWAIT leaves the zombie and with it the pid.
        siginfo_t info{};
        bool ended = false;
        {
            const std::lock_guard lock(m_mutex);
            ended = m_exit.has_value();
        }
        while (!ended && ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT) != 0 &&
               errno == EINTR) {
        }
    }
    const std::lock_guard lock(m_mutex);
    if (m_exit)
        return m_exit;
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0 &&
        info.si_pid == 0)
        return std::nullopt;
    ::kill(-m_pid, SIGKILL); // grandchildren; the zombie still holds the group's number
    int status = 0;
    rusage usage{};
    pid_t got = 0;
    do
        got = ::wait4(m_pid, &status, 0, &usage);
    while (got < 0 && errno == EINTR);
    // Somebody else's SIGCHLD handler reaped it (ECHILD): the status is lost.
    m_exit = got == m_pid ? decode(status) : ProcessExit{true, 255};
    m_peakRss = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return m_exit;
}

} // namespace foresight
