// SPDX-License-Identifier: Apache-2.0
// foresight-worker as a process, without needing a GPU: it keeps to its protocol whatever happens.
#include "core/base/json.h"
#include "core/base/subprocess.h"
#include "core/gpu/protocol.h"

#include <QTest>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace foresight;

namespace {

Result<std::unique_ptr<Subprocess>> startWorker(std::vector<std::string> arguments = {})
{
    ProcessOptions options;
    options.argv = {FORESIGHT_BIN_DIR "/foresight-worker"};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    return Subprocess::start(options);
}

Result<protocol::Reply> ask(Subprocess& worker, protocol::FrameReader& reader, std::string_view type)
{
    FS_TRY(bytes, protocol::encodeSimple(5, type));
    if (::write(worker.stdinFd(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        return makeError(ErrorCode::IoError, "short write");
    FS_TRY(frame, protocol::readFrame(worker.stdoutFd(), reader, std::chrono::milliseconds(120'000)));
    if (!frame)
        return makeError(ErrorCode::IoError, "no reply");
    return protocol::parseReply(*frame);
}

} // namespace

class TestWorker : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

    // With a GPU: who it is. Without: an error that says what is missing, marked fatal, and the process ends.
    void hello()
    {
        auto worker = startWorker();
        QVERIFY(worker.ok());
        protocol::FrameReader reader;
        const auto reply = ask(**worker, reader, "hello");
        QVERIFY2(reply.ok(), reply.ok() ? "" : reply.error().message.c_str());
        QCOMPARE(reply->id, 5);
        if (reply->ok) {
            const auto result = parseJson(reply->resultText, "hello");
            QVERIFY(result.ok());
            QCOMPARE((*result)["version"].get<int>(), protocol::kVersion);
            const auto quit = ask(**worker, reader, "quit");
            QVERIFY(quit.ok() && quit->ok);
            QCOMPARE((*worker)->wait().status, 0);
            return;
        }
        QVERIFY(reply->fatal);
        QVERIFY(!reply->error.message.empty() && !reply->error.hint.empty());
        const ProcessExit exit = (*worker)->wait();
        QVERIFY(exit.exited && exit.status != 0);
    }

    void quitNeedsNoGpu()
    {
        auto worker = startWorker();
        QVERIFY(worker.ok());
        protocol::FrameReader reader;
        const auto reply = ask(**worker, reader, "quit");
        QVERIFY(reply.ok() && reply->ok);
        QCOMPARE((*worker)->wait().status, 0);
    }

    void endOfInputEndsIt()
    {
        auto worker = startWorker();
        QVERIFY(worker.ok());
        (*worker)->closeStdin();
        const ProcessExit exit = (*worker)->wait();
        QVERIFY(exit.exited && exit.status == 0);
    }

    void nonsenseEndsIt()
    {
        auto worker = startWorker();
        QVERIFY(worker.ok());
        QVERIFY(::write((*worker)->stdinFd(), "GET / HTTP/1.1\r\n", 16) == 16);
        const ProcessExit exit = (*worker)->wait();
        QVERIFY(exit.exited && exit.status != 0);
    }

    void badArguments()
    {
        auto worker = startWorker({"--device", "many"});
        QVERIFY(worker.ok());
        const ProcessExit exit = (*worker)->wait();
        QVERIFY(exit.exited && exit.status == 2);
    }

    // It must run on other people's machines: nothing newer than glibc 2.34, nothing visible but the C
    // interface.
    void libraryIsPortable()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer build links its own runtime");
#endif
        ProcessOptions options;
        options.argv = {"objdump", "-T", FORESIGHT_LIB_DIR "/libforesight-measure.so"};
        const auto output = runProcess(options, {}, std::chrono::milliseconds(60'000));
        if (!output || output->exit.status != 0)
            QSKIP("objdump is not there");
        int visible = 0;
        std::size_t at = 0;
        while (at < output->out.size()) {
            const std::size_t end = std::min(output->out.find('\n', at), output->out.size());
            const std::string line = output->out.substr(at, end - at);
            at = end + 1;
            int minor = 0;
            if (const std::size_t version = line.find("GLIBC_2.");
                version != std::string::npos &&
                std::sscanf(line.c_str() + version, "GLIBC_2.%d", &minor) == 1 &&
                line.find("__isoc23_") ==
                    std::string::npos) // newer headers rename strtol; those hosts have it
                QVERIFY2(minor <= 34, line.c_str());
            if (line.find(" .text") != std::string::npos) {
                QVERIFY2(line.find(" fsm_") != std::string::npos, line.c_str());
                ++visible;
            }
        }
        QVERIFY(visible >= 7);
    }
};

QTEST_APPLESS_MAIN(TestWorker)
#include "tst_worker.moc"
