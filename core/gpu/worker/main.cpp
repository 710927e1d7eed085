// SPDX-License-Identifier: Apache-2.0
// foresight-worker [--device N] [--cache FOLDER]: the one process with a CUDA context. Speaks
// core/gpu/protocol.h over what were its descriptors 0 and 1. foresight-worker --compile: the compile child.
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/gpu/compile_wire.h"
#include "core/gpu/measure/measure.h"
#include "core/gpu/protocol.h"
#include "core/gpu/protocol_json.h"
#include "core/gpu/worker/output_capture.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace foresight;

constexpr std::size_t kKeepOutputBytes = 32 << 10;
constexpr int kExitUsage = 2, kExitFatal = 3, kExitBroken = 4;

struct Arguments
{
    int device = 0;
    std::string cache;
    bool valid = true;
};

Arguments parse(int argc, char** argv)
{
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const bool hasValue = i + 1 < argc;
        if (std::strcmp(argv[i], "--device") == 0 && hasValue) {
            char* end = nullptr;
            const long value = std::strtol(argv[++i], &end, 10);
            arguments.valid = arguments.valid && *end == '\0' && value >= 0 && value < 1024;
            arguments.device = static_cast<int>(value);
        } else if (std::strcmp(argv[i], "--cache") == 0 && hasValue) {
            arguments.cache = argv[++i];
        } else {
            arguments.valid = false;
        }
    }
    return arguments;
}

// Sends one reply with what was printed meanwhile.
bool reply(int fd, Json message, OutputCapture& capture)
{
    const OutputCapture::Text printed = capture.take();
    message["log"] = Json{{"text", printed.tail}, {"dropped", printed.dropped}};
    return protocol::writeFrame(fd, canonicalJson(message)).ok();
}

Json refusal(std::int64_t id, Json error, bool fatal)
{
    return Json{{"id", id}, {"ok", false}, {"fatal", fatal}, {"error", std::move(error)}};
}

Json errorJson(const Error& error)
{
    return Json{{"code", errorCodeName(error.code)}, {"message", error.message}, {"hint", error.hint}};
}

// A library call's text as JSON; ours, so it parses.
Json parseOwn(char* text)
{
    Json json = Json::object();
    if (text) {
        if (auto parsed = parseJson(text, "a reply"))
            json = std::move(parsed).value();
        fsm_free(text);
    }
    return json;
}

int serve(int in, int out, const Arguments& arguments, OutputCapture& capture)
{
    char* openError = nullptr;
    fsm_session* session =
        fsm_open(canonicalJson(Json{{"device", arguments.device}, {"cacheFolder", arguments.cache}}).c_str(),
                 &openError);
    const Json failure = session ? Json() : parseOwn(openError);
    protocol::FrameReader reader;
    for (;;) {
        auto frame = protocol::readFrame(in, reader);
        if (!frame) { // not our protocol: whoever writes there will not understand an answer either
            std::fprintf(stderr, "%s\n", frame.error().message.c_str());
            return kExitBroken;
        }
        if (!*frame)
            break; // the parent is gone or wants no more
        const auto request = parseJson((*frame)->json, "the request");
        const std::int64_t id = request ? protocol::integer(*request, "id", -1) : -1;
        if (!request) {
            if (!reply(out, refusal(id, errorJson(request.error()), false), capture))
                return kExitBroken;
            continue;
        }
        if (protocol::text(*request, "type") == "quit") {
            (void)reply(out, Json{{"id", id}, {"ok", true}, {"fatal", false}, {"result", Json::object()}},
                        capture);
            break;
        }
        if (!session) {
            (void)reply(out, refusal(id, failure, true), capture);
            return kExitFatal;
        }
        int fatal = 0;
        Json answer = parseOwn(fsm_call(session, (*frame)->json.data(), (*frame)->json.size(),
                                        (*frame)->binary.data(), (*frame)->binary.size(), &fatal));
        answer["id"] = id;
        const bool sent = reply(out, std::move(answer), capture);
        if (fatal) // the context is lost; orderly destruction would hang on it
            ::_exit(kExitFatal);
        if (!sent)
            return kExitBroken;
    }
    if (session)
        fsm_close(session);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && std::strcmp(argv[1], "--compile") == 0)
        return foresight::compileMain(argc, argv);
    if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
        std::printf("foresight-worker %s (%s), protocol %d\n", kVersion, kRevision, protocol::kVersion);
        return 0;
    }
    const Arguments arguments = parse(argc, argv);
    if (!arguments.valid) {
        std::fprintf(
            stderr,
            "usage: foresight-worker [--device N] [--cache FOLDER] | --compile | --version\n"
            "Started by foresight and foresight-cli; speaks a binary protocol on stdin and stdout.\n");
        return kExitUsage;
    }
    const rlimit none{0, 0}; // a core file of a process with a GPU mapped is tens of gigabytes
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(SIGPIPE, SIG_IGN);
    const int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0 || out < 0 || nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0)
        return kExitBroken;
    auto capture = OutputCapture::start(kKeepOutputBytes);
    if (!capture)
        return kExitBroken;
    return serve(in, out, arguments, **capture);
}
