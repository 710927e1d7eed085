// SPDX-License-Identifier: Apache-2.0
// Speaks the worker's protocol and does on purpose what real candidates do by accident. A candidate's kernel
// name says how it behaves; "wrong_3" is of the kind "wrong":
//   hang      never answers                         chatty   prints 10 MB, then answers
//   die       exits without an answer               garbage  sends bytes that are no frame
//   torn      sends half a frame, then is killed    sticky   answers "crashed", fatal, and exits
//   poison    answers, but the next candidate in this process dies of it
//   wrong     wrong result                          slow     answers after 1.5 s
//   memory    out of memory                         anything else: fine, timed by a hash of plan and
//   configuration
// Environment: FORESIGHT_SCRIPT_EVENTS (a file that gets one line per event), FORESIGHT_SCRIPT_MODE with any
// of "canary_fails", "no_device", "problem_oom", "fake_compiler" (no NVRTC needed), FORESIGHT_SCRIPT_GPU (its
// UUID).
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/gpu/compile_wire.h"
#include "core/gpu/protocol.h"
#include "tests/tiny_cubin.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace foresight;

namespace {

std::string environmentValue(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

bool mode(std::string_view name)
{
    return environmentValue("FORESIGHT_SCRIPT_MODE").find(name) != std::string::npos;
}

void event(const std::string& text)
{
    const std::string path = environmentValue("FORESIGHT_SCRIPT_EVENTS");
    if (path.empty())
        return;
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::string line = text + "\n";
    [[maybe_unused]] const ssize_t put = ::write(fd, line.data(), line.size());
    ::close(fd);
}

[[noreturn]] void hang()
{
    for (;;)
        ::pause();
}

// ---- the stand-in compiler: kernels are found by a look at the source ----

int fakeCompile()
{
    std::string input;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(0, buffer, sizeof buffer)) > 0;)
        input.append(buffer, static_cast<std::size_t>(got));
    const auto job = decodeCompileJob(input);
    if (!job)
        return 1;
    CompileAnswer answer;
    answer.status = CompileAnswer::Status::Ok;
    answer.versionMajor = 13;
    answer.archs = {90};
    answer.seconds = .25;
    if (job->source.find("endless") != std::string::npos)
        hang();
    if (job->source.find("#error") != std::string::npos) {
        answer.status = CompileAnswer::Status::SourceRejected;
        answer.log = "kernel.cu(1): error: #error directive\n";
    } else if (!job->source.empty()) {
        std::vector<std::string> kernels;
        constexpr std::string_view kVoid = "void ";
        for (std::size_t at = job->source.find(kVoid); at != std::string::npos;
             at = job->source.find(kVoid, at)) {
            at += kVoid.size();
            kernels.push_back(job->source.substr(at, job->source.find('(', at) - at));
        }
        answer.cubin = tinycubin::plainCubin(kernels);
        // As with a real compiler, other options give other bytes.
        for (const std::string& option : job->options)
            answer.cubin += option;
    }
    const std::string bytes = encodeCompileAnswer(answer);
    return ::write(1, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) ? 0 : 1;
}

// ---- the worker ----

Json device()
{
    GpuSpec spec;
    spec.name = "Scripted GPU";
    spec.computeMajor = 9;
    spec.smCount = 132;
    spec.sharedPerBlockOptin = 232448;
    spec.sharedPerSm = 233472;
    spec.l2Bytes = 50 << 20;
    spec.memoryBytes = std::int64_t{80} << 30;
    spec.peakBandwidth = 4.8e12;
    spec.copyBandwidth = 4.2e12;
    spec.emptyKernelNs = 1500;
    spec.peakFlopsF32 = 67e12;
    spec.driver = "580.0";
    std::string uuid = environmentValue("FORESIGHT_SCRIPT_GPU");
    return {{"spec", gpuSpecToJson(spec)}, {"uuid", uuid.empty() ? "GPU-scripted" : uuid}};
}

class Worker
{
public:
    int run()
    {
        event("start");
        ::signal(SIGPIPE, SIG_DFL);
        for (;;) {
            auto frame = protocol::readFrame(0, m_reader);
            if (!frame || !frame->has_value())
                return 0;
            const auto json = parseJson((*frame)->json, "request");
            if (!json)
                return 3;
            m_id = (*json)["id"].get<std::int64_t>();
            handle((*json)["type"].get<std::string>(), *json);
        }
    }

private:
    void handle(const std::string& type, const Json& json)
    {
        if (type == "hello")
            return mode("no_device") ? refuse("not_found", "no CUDA driver on this machine")
                                     : answer({{"version", protocol::kVersion}, {"pid", ::getpid()}});
        if (type == "spec")
            return answer(device());
        if (type == "problem") {
            event("problem");
            return mode("problem_oom")
                       ? refuse("resource_limit", "out of memory")
                       : answer({{"bytesAllocated", 1}, {"dataSetsKept", 8}, {"seconds", .1}});
        }
        if (type == "canary") {
            event("canary");
            GpuReply reply;
            reply.outcome = mode("canary_fails") ? Outcome::WrongResult : Outcome::Ok;
            reply.message = mode("canary_fails") ? "the anchor's result is wrong" : "";
            return answer(protocol::gpuReplyToJson(reply));
        }
        if (type == "evaluate")
            return evaluate(json);
        if (type == "doctor")
            return answer(
                {{"checks",
                  {{{"id", "flush"}, {"state", "ok"}, {"detail", "as slow as first touch"}, {"fix", ""}},
                   {{"id", "clocks"}, {"state", "warn"}, {"detail", "throttled"}, {"fix", "cool it"}}}},
                 {"figures", Json::object()}});
        if (type == "quit") {
            answer(Json::object());
            std::exit(0);
        }
        refuse("invalid_argument", "unknown request " + type);
    }

    void evaluate(const Json& json)
    {
        const auto request = protocol::evaluateRequestFromJson(json);
        if (!request) {
            refuse("invalid_argument", request.error().message);
            return;
        }
        const BoundPlan& plan = request->candidate.plan;
        const std::string kernel = plan.launches.empty() ? "none" : plan.launches.front().kernel;
        const std::string kind = kernel.substr(0, kernel.find('_'));
        event("evaluate " + kernel);
        if (m_poisoned || kind == "die")
            std::_Exit(13);
        if (kind == "hang")
            hang();
        if (kind == "slow")
            std::this_thread::sleep_for(std::chrono::milliseconds(1500));
        if (kind == "garbage") {
            const std::string noise(5000, '!');
            [[maybe_unused]] const ssize_t put = ::write(1, noise.data(), noise.size());
            hang();
        }
        if (kind == "chatty") {
            const std::string line(1023, '#');
            for (int i = 0; i < 10 * 1024; ++i)
                std::fprintf(stderr, "%s\n", line.c_str());
            std::fflush(stderr);
        }
        m_poisoned = kind == "poison";
        GpuReply reply = ok(*request);
        if (kind == "wrong")
            reply.outcome = Outcome::WrongResult;
        if (kind == "memory")
            reply.outcome = Outcome::OutOfMemory;
        if (kind == "sticky") {
            reply.outcome = Outcome::Crashed;
            reply.message = "an illegal memory access was encountered";
            reply.timing.reset();
            answer(protocol::gpuReplyToJson(reply), true);
            std::exit(1);
        }
        if (kind == "torn") {
            const auto frame =
                protocol::encodeFrame("{\"id\":" + std::to_string(m_id) + "}" + std::string(4000, ' '));
            [[maybe_unused]] const ssize_t put = ::write(1, frame->data(), frame->size() / 2);
            ::kill(::getpid(), SIGKILL);
        }
        answer(protocol::gpuReplyToJson(reply));
    }

    // Times that depend on the configuration alone but for a little noise from the seed: what a real GPU
    // gives.
    GpuReply ok(const protocol::EvaluateRequest& request)
    {
        GpuReply reply;
        reply.outcome = Outcome::Ok;
        reply.stage = request.until;
        reply.verification.emplace();
        reply.verification->passed = true;
        reply.verification->maxAbsError = 1e-3;
        reply.costs.verifySeconds = .125;
        if (request.until != Stage::Measure)
            return reply;
        const std::uint64_t configuration = fnv1a64(canonicalJson(boundPlanToJson(request.candidate.plan)));
        Random fixed(configuration), noise(request.seed);
        Timing timing;
        timing.anchorNs = 100'000 * (1 + .004 * noise.uniform());
        timing.lnRatio = -1 + 1.5 * fixed.uniform() + .002 * noise.normal();
        timing.candidateNs = timing.anchorNs * std::exp(-timing.lnRatio);
        timing.lnLow = timing.lnRatio - .01;
        timing.lnHigh = timing.lnRatio + .01;
        timing.look = request.timing.maxQuads;
        timing.regime = request.timing.regime;
        for (int i = 0; i < 2 * timing.look; ++i) {
            timing.candidateSamplesNs.push_back(timing.candidateNs * (1 + .003 * noise.normal()));
            timing.anchorSamplesNs.push_back(timing.anchorNs * (1 + .003 * noise.normal()));
        }
        timing.smClockMhz = 1980;
        timing.memoryClockMhz = 3201;
        reply.timing = std::move(timing);
        reply.costs.measureSeconds = .25;
        return reply;
    }

    void answer(const Json& result, bool fatal = false)
    {
        send({{"id", m_id},
              {"ok", true},
              {"fatal", fatal},
              {"result", result},
              {"log", {{"text", ""}, {"dropped", 0}}}});
    }
    void refuse(const std::string& code, const std::string& message)
    {
        send({{"id", m_id},
              {"ok", false},
              {"fatal", false},
              {"error", {{"code", code}, {"message", message}, {"hint", ""}}},
              {"log", {{"text", ""}, {"dropped", 0}}}});
    }
    void send(const Json& json)
    {
        if (!protocol::writeFrame(1, canonicalJson(json)))
            std::exit(4);
    }

    protocol::FrameReader m_reader;
    std::int64_t m_id = 0;
    bool m_poisoned = false;
};

} // namespace

int main(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "--compile")
        return mode("fake_compiler") ? fakeCompile() : compileMain(argc, argv);
    return Worker().run();
}
