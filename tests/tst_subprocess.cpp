// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/base/subprocess.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace foresight;
using namespace std::chrono_literals;

namespace {

ProcessOptions shell(const std::string& script)
{
    ProcessOptions options;
    options.argv = {"sh", "-c", script};
    return options;
}

// Waits until the process has gone (killed children of killed children are reaped by init in its own time).
bool isGone(int pid)
{
    for (int i = 0; i < 500; ++i) {
        if (::kill(pid, 0) != 0 && errno == ESRCH)
            return true;
        // A zombie that nobody reaps (a container without init) is as gone as can be.
        const auto stat = readFile("/proc/" + std::to_string(pid) + "/stat");
        if (!stat || stat->find(") Z ") != std::string::npos)
            return true;
        std::this_thread::sleep_for(20ms);
    }
    return false;
}

} // namespace

class TestSubprocess : public QObject
{
    Q_OBJECT
private slots:
    void collectsBothStreamsAndTheStatus();
    void feedsInput();
    void largeInputAndOutputAtOnce();
    void childThatIgnoresItsInput();
    void outputIsCapped();
    void environmentAndFolder();
    void programsThatCannotStart();
    void signalsAreDescribed();
    void timeoutKillsTheWholeGroup();
    void childrenLeftBehindAreKilled();
    void cancelEndsTheChild();
    void cancelledBeforeTheStart();
    void memoryLimit();
    void cpuLimit();
    void noDescriptorsLeak();
    void signalStateIsReset();
    void longRunningChild();
    void killFromAnotherThread();
    void destructionKills();
};

void TestSubprocess::collectsBothStreamsAndTheStatus()
{
    const auto done = runProcess(shell("echo out; echo err >&2; exit 3"), "", 20s);
    QVERIFY(done.ok());
    QCOMPARE(done->out, std::string("out\n"));
    QCOMPARE(done->err, std::string("err\n"));
    QVERIFY(done->exit.exited);
    QCOMPARE(done->exit.status, 3);
    QCOMPARE(done->exit.describe(), std::string("exit status 3"));
    QVERIFY(done->elapsed.count() > 0);
    QVERIFY(done->peakRssBytes > 0);
    QCOMPARE(done->droppedBytes, std::uint64_t{0});
}

void TestSubprocess::feedsInput()
{
    ProcessOptions cat;
    cat.argv = {"cat"};
    const std::string data("binary \0 data", 13);
    QCOMPARE(runProcess(cat, data, 20s)->out, data);
    QCOMPARE(runProcess(cat, "", 20s)->out, std::string());
}

void TestSubprocess::largeInputAndOutputAtOnce()
{
    ProcessOptions cat;
    cat.argv = {"cat"};
    std::string data;
    for (int i = 0; data.size() < 3'000'000; ++i)
        data += std::to_string(i) + "\n";
    QVERIFY(runProcess(cat, data, 60s)->out == data);
}

void TestSubprocess::childThatIgnoresItsInput()
{
    // A broken pipe must not end this program.
    const auto done = runProcess(shell("exec <&-; echo done"), std::string(1'000'000, 'x'), 20s);
    QVERIFY(done.ok());
    QCOMPARE(done->out, std::string("done\n"));
}

void TestSubprocess::outputIsCapped()
{
    ProcessOptions options = shell("head -c 500000 /dev/zero; head -c 7 /dev/zero >&2");
    options.maxOutputBytes = 1000;
    const auto done = runProcess(options, "", 20s);
    QVERIFY(done.ok());
    QCOMPARE(done->out.size(), std::size_t{1000});
    QCOMPARE(done->err.size(), std::size_t{7});
    QCOMPARE(done->droppedBytes, std::uint64_t{499'000});
}

void TestSubprocess::environmentAndFolder()
{
    QTemporaryDir folder;
    ProcessOptions options = shell("echo \"$GIVEN|$HOME\"; pwd");
    options.environment = std::map<std::string, std::string>{{"GIVEN", "a b=c"}};
    options.workingFolder = folder.path().toStdString();
    QCOMPARE(runProcess(options, "", 20s)->out,
             "a b=c|\n" + QDir(folder.path()).canonicalPath().toStdString() + "\n");
    // A relative program path is meant relative to the working folder.
    QVERIFY(writeFileAtomically(folder.path().toStdString() + "/tool", "#!/bin/sh\necho here\n").ok());
    QVERIFY(QFile::setPermissions(folder.path() + QStringLiteral("/tool"),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    options.argv = {"./tool"};
    QCOMPARE(runProcess(options, "", 20s)->out, std::string("here\n"));
}

void TestSubprocess::programsThatCannotStart()
{
    ProcessOptions options;
    QCOMPARE(runProcess(options, "", 1s).error().code, ErrorCode::InvalidArgument);
    options.argv = {"no-such-program-anywhere"};
    QCOMPARE(runProcess(options, "", 1s).error().code, ErrorCode::NotFound);
    options.argv = {"/etc/passwd"};
    QCOMPARE(runProcess(options, "", 1s).error().code, ErrorCode::NotFound);
    options.argv = {"sh", std::string("zero\0byte", 9)};
    QCOMPARE(runProcess(options, "", 1s).error().code, ErrorCode::InvalidArgument);
    options = shell("true");
    options.workingFolder = "/no/such/folder";
    const auto noFolder = runProcess(options, "", 1s);
    QVERIFY(!noFolder);
    QVERIFY(noFolder.error().message.find("/no/such/folder") != std::string::npos);
    // Executable, but its interpreter does not exist: only exec itself can tell.
    QTemporaryDir folder;
    const std::string script = folder.path().toStdString() + "/script";
    QVERIFY(writeFileAtomically(script, "#!/no/such/interpreter\n").ok());
    QVERIFY(QFile::setPermissions(QString::fromStdString(script), QFile::ReadOwner | QFile::ExeOwner));
    options = {};
    options.argv = {script};
    QCOMPARE(runProcess(options, "", 1s).error().code, ErrorCode::NotFound);
}

void TestSubprocess::signalsAreDescribed()
{
    const auto done = runProcess(shell("kill -TERM $$"), "", 20s);
    QVERIFY(!done->exit.exited);
    QCOMPARE(done->exit.status, SIGTERM);
    QCOMPARE(done->exit.describe(), std::string("killed by signal 15 (SIGTERM)"));
}

void TestSubprocess::timeoutKillsTheWholeGroup()
{
    QTemporaryDir folder;
    const std::string pidFile = folder.path().toStdString() + "/pid";
    const auto done = runProcess(
        shell("sleep 300 & echo $! > " + pidFile + "; echo last words >&2; trap '' TERM; wait"), "", 1500ms);
    QVERIFY(!done);
    QCOMPARE(done.error().code, ErrorCode::Timeout);
    QVERIFY(done.error().message.find("last words") != std::string::npos);
    QVERIFY(isGone(std::stoi(*readFile(pidFile))));
}

void TestSubprocess::childrenLeftBehindAreKilled()
{
    // The grandchild holds the output pipe open; the result must not wait for it.
    const auto done = runProcess(shell("sleep 300 & echo $!"), "", 60s);
    QVERIFY(done.ok());
    QVERIFY(done->elapsed < 50s);
    QVERIFY(isGone(std::stoi(done->out)));
}

void TestSubprocess::cancelEndsTheChild()
{
    std::stop_source source;
    std::jthread canceller([&source] {
        std::this_thread::sleep_for(100ms);
        source.request_stop();
    });
    const auto done = runProcess(shell("sleep 300"), "", 200s, source.get_token());
    QVERIFY(!done);
    QVERIFY(done.error().isCancelled());
}

void TestSubprocess::cancelledBeforeTheStart()
{
    QTemporaryDir folder;
    std::stop_source source;
    source.request_stop();
    const std::string mark = folder.path().toStdString() + "/mark";
    QVERIFY(runProcess(shell("touch " + mark), "", 20s, source.get_token()).error().isCancelled());
    QVERIFY(!fileExists(mark));
}

void TestSubprocess::memoryLimit()
{
    // `tail` keeps the whole unterminated line.
    ProcessOptions options = shell("head -c 400000000 /dev/zero | tail -n 1 | wc -c");
    options.memoryLimitBytes = 100u << 20;
    const auto limited = runProcess(options, "", 60s);
    QVERIFY(limited.ok());
    QVERIFY(limited->err.find("emory") != std::string::npos);
    QCOMPARE(QByteArray::fromStdString(limited->out).trimmed(), QByteArray("0"));
}

void TestSubprocess::cpuLimit()
{
    ProcessOptions options = shell("while :; do :; done");
    options.cpuLimitSeconds = 1;
    const auto done = runProcess(options, "", 100s);
    QVERIFY(done.ok());
    QVERIFY(!done->exit.exited);
    QVERIFY(done->exit.status == SIGXCPU || done->exit.status == SIGKILL);
}

void TestSubprocess::noDescriptorsLeak()
{
    // A descriptor as a careless library leaves it: open over exec.
    const int careless = ::open("/dev/null", O_RDONLY);
    QVERIFY(careless >= 0);
    const auto done = runProcess(shell("ls /proc/self/fd | wc -l"), "", 20s);
    ::close(careless);
    QCOMPARE(QByteArray::fromStdString(done->out).trimmed(), QByteArray("4")); // 0, 1, 2 and ls's own
}

void TestSubprocess::signalStateIsReset()
{
    // Both the mask and ignored signals would survive exec.
    sigset_t block, before;
    sigemptyset(&block);
    sigaddset(&block, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &block, &before);
    const auto oldPipe = std::signal(SIGPIPE, SIG_IGN);
    const auto done = runProcess(shell("grep -E 'Sig(Blk|Ign)' /proc/self/status"), "", 20s);
    std::signal(SIGPIPE, oldPipe);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    QCOMPARE(done->out, std::string("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
}

void TestSubprocess::longRunningChild()
{
    ProcessOptions options;
    options.argv = {"cat"};
    auto started = Subprocess::start(options);
    QVERIFY(started.ok());
    auto& process = **started;
    QVERIFY(!process.poll());
    QVERIFY(process.write("hello").ok());
    std::string text;
    while (text.size() < 5) {
        char buffer[16];
        const ssize_t n = ::read(process.stdoutFd(), buffer, sizeof buffer);
        if (n > 0)
            text.append(buffer, static_cast<std::size_t>(n));
        else
            std::this_thread::sleep_for(5ms);
    }
    QCOMPARE(text, std::string("hello"));
    process.closeStdin();
    const ProcessExit exit = process.wait();
    QVERIFY(exit.exited && exit.status == 0);
    QVERIFY(process.poll().has_value());
    QVERIFY(process.peakRssBytes() > 0);
    QVERIFY(!process.write("x"));
    process.kill(); // after the end: harmless
}

void TestSubprocess::killFromAnotherThread()
{
    auto started = Subprocess::start(shell("sleep 300"));
    QVERIFY(started.ok());
    std::jthread killer([&started] {
        std::this_thread::sleep_for(50ms);
        (*started)->kill();
        (*started)->kill();
    });
    const ProcessExit exit = (*started)->wait();
    QVERIFY(!exit.exited);
    QCOMPARE(exit.status, SIGKILL);
}

void TestSubprocess::destructionKills()
{
    int pid = 0;
    {
        auto started = Subprocess::start(shell("sleep 300"));
        QVERIFY(started.ok());
        pid = (*started)->pid();
        // Input to a child that does not read blocks nobody: the pipe holds it.
        QVERIFY((*started)->write("x").ok());
    }
    QVERIFY(isGone(pid));
}

QTEST_APPLESS_MAIN(TestSubprocess)
#include "tst_subprocess.moc"
