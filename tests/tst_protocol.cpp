// SPDX-License-Identifier: Apache-2.0
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/gpu/protocol.h"

#include <QTest>

#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <unistd.h>

using namespace foresight;
using namespace foresight::protocol;

namespace {

TensorSpec tensor(const char* name, TensorSpec::Role role, std::vector<std::int64_t> shape)
{
    TensorSpec spec;
    spec.name = name;
    spec.role = role;
    spec.dtype = DType::BF16;
    spec.strides = contiguousStrides(shape);
    spec.shape = std::move(shape);
    spec.fill = {TensorFill::Kind::Uniform, 0.25, 2, -1, 3};
    spec.reductionLength = 77;
    return spec;
}

Problem sampleProblem()
{
    Problem problem;
    problem.family = "softmax";
    problem.dtype = DType::BF16;
    problem.symbols = {{"ROWS", std::int64_t{4}}, {"eps", 1e-5}, {"log", true}, {"mode", std::string("a")}};
    problem.tensors = {tensor("x", TensorSpec::Role::Input, {4, 8}),
                       tensor("y", TensorSpec::Role::Output, {4, 8})};
    problem.compulsoryBytes = 128;
    problem.flops = 1e12;
    problem.key = "softmax[...]";
    return problem;
}

BoundPlan samplePlan()
{
    BoundPlan plan;
    plan.workspaces.push_back({"scratch", 4096, true});
    BoundLaunch launch;
    launch.kernel = "softmax";
    launch.grid = {4, 1, 1};
    launch.block = {128, 1, 1};
    launch.arguments.push_back({PlanArgument::Kind::Tensor, "x", "", 0, 0});
    launch.arguments.push_back({PlanArgument::Kind::Scalar, "n", "i32", 8, 0});
    plan.launches.push_back(launch);
    return plan;
}

EvaluateRequest sampleEvaluate(const Cubin& cubin)
{
    EvaluateRequest request;
    request.candidate = {samplePlan(), cubin.hash};
    request.reduced.push_back(
        {"tail", sampleProblem(), {samplePlan(), cubin.hash}, {samplePlan(), cubin.hash}});
    request.until = Stage::Verify;
    request.timing = {48, Regime::Hot, true};
    request.seed = 0xfedcba9876543210ull; // does not fit a signed integer
    request.alignment = 8;
    request.allDataSets = true;
    request.futility = true;
    request.deadlineSeconds = 2.5;
    return request;
}

Frame decode(const std::string& bytes)
{
    FrameReader reader;
    reader.feed(bytes);
    auto frame = reader.next();
    return frame && *frame ? **frame : Frame{};
}

} // namespace

class TestProtocol : public QObject
{
    Q_OBJECT

private slots:
    // The bytes of a frame, put together by hand from the description in protocol.h.
    void frameLayout()
    {
        const auto frame = encodeFrame("{}", std::string_view("\x01\x02\x03", 3));
        QVERIFY(frame.ok());
        QCOMPARE(frame->size(), std::size_t{16 + 2 + 3});
        QCOMPARE(frame->substr(0, 12), std::string("FSW1\x02\0\0\0\x03\0\0\0", 12));
        // crc32("{}" 01 02 03), computed with zlib.
        QCOMPARE(frame->substr(12, 4), std::string("\x8d\x07\x88\x7b", 4));
    }

    void framesArriveInPieces()
    {
        const std::string stream =
            *encodeFrame("{\"a\":1}") + *encodeFrame("{}", "binary\0part") + *encodeFrame("");
        FrameReader reader;
        std::vector<Frame> frames;
        for (char byte : stream) {
            reader.feed(std::string_view(&byte, 1));
            auto frame = reader.next();
            QVERIFY(frame.ok());
            if (*frame)
                frames.push_back(**frame);
        }
        QCOMPARE(frames.size(), std::size_t{3});
        QCOMPARE(frames[0].json, std::string("{\"a\":1}"));
        QCOMPARE(frames[1].binary, std::string("binary"));
        QVERIFY(reader.empty());
    }

    void lengthsAreLimited()
    {
        std::string header("FSW1\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 16);
        FrameReader reader;
        reader.feed(header);
        QVERIFY(!reader.next().ok());
        QVERIFY(!encodeFrame(std::string(kMaxJsonBytes + 1, ' ')).ok());
    }

    void foreignOutputIsNoticedAtOnce()
    {
        FrameReader reader;
        reader.feed("Hello from a kernel");
        QCOMPARE(reader.next().error().code, ErrorCode::Corrupt);
        FrameReader early;
        early.feed("X");
        QVERIFY(!early.next().ok());
    }

    // Any single changed byte is either noticed, or leaves the reader waiting for more; never a wrong
    // message.
    void damagedFrames()
    {
        const std::string good = *encodeFrame("{\"type\":\"hello\"}", "0123456789");
        Random random(1);
        for (int round = 0; round < 4000; ++round) {
            std::string bad = good;
            const std::size_t at = random.below(bad.size());
            bad[at] = static_cast<char>(bad[at] ^ static_cast<char>(1 + random.below(255)));
            FrameReader reader;
            reader.feed(bad);
            const auto frame = reader.next();
            QVERIFY(!frame.ok() || !frame->has_value());
        }
    }

    void requestsSurviveTheRoundTrip()
    {
        const Cubin cubin = makeCubin("\x7f"
                                      "ELF and more");
        const auto encoded = encodeEvaluate(7, sampleEvaluate(cubin), {cubin});
        QVERIFY(encoded.ok());
        const Frame frame = decode(*encoded);
        const auto json = parseJson(frame.json, "test");
        QVERIFY(json.ok());
        QCOMPARE((*json)["id"].get<int>(), 7);
        QCOMPARE((*json)["type"].get<std::string>(), std::string("evaluate"));
        const auto cubins = cubinsFromFrame(*json, frame.binary);
        QVERIFY(cubins.ok());
        QCOMPARE(cubins->size(), std::size_t{1});
        QCOMPARE((*cubins)[0].hash, sha256Hex("\x7f"
                                              "ELF and more"));
        const auto request = evaluateRequestFromJson(*json);
        QVERIFY2(request.ok(), request.ok() ? "" : request.error().message.c_str());
        QCOMPARE(request->seed, 0xfedcba9876543210ull);
        QCOMPARE(request->timing.maxQuads, 48);
        QVERIFY(request->timing.regime == Regime::Hot && request->timing.bothRegimes);
        QVERIFY(request->until == Stage::Verify && request->allDataSets && request->futility);
        QCOMPARE(request->alignment, 8);
        QCOMPARE(request->deadlineSeconds, 2.5);
        QCOMPARE(request->reduced.size(), std::size_t{1});
        QCOMPARE(request->reduced[0].label, std::string("tail"));
        QCOMPARE(canonicalJson(problemToJson(request->reduced[0].problem)),
                 canonicalJson(problemToJson(sampleProblem())));
        QCOMPARE(canonicalJson(boundPlanToJson(request->candidate.plan)),
                 canonicalJson(boundPlanToJson(samplePlan())));

        ProblemRequest problem;
        problem.problem = sampleProblem();
        problem.reference = problem.anchor = {samplePlan(), cubin.hash};
        problem.seed = 3;
        problem.dataSets = 4;
        const auto again =
            problemRequestFromJson(*parseJson(decode(*encodeProblem(1, problem, {cubin})).json, "test"));
        QVERIFY(again.ok());
        QCOMPARE(again->dataSets, 4);
        QVERIFY(again->problem.symbols == sampleProblem().symbols);
        const TensorSpec& x = again->problem.tensors[0];
        QVERIFY(x.role == TensorSpec::Role::Input && x.fill.kind == TensorFill::Kind::Uniform);
        QCOMPARE(x.fill.high, 3.0);
        QCOMPARE(x.reductionLength, 77.0);
    }

    void aChangedCubinIsRefused()
    {
        const Cubin cubin = makeCubin("abcdef");
        Frame frame = decode(*encodeEvaluate(1, sampleEvaluate(cubin), {cubin}));
        const auto json = parseJson(frame.json, "test");
        frame.binary[2] = 'X';
        QVERIFY(!cubinsFromFrame(*json, frame.binary).ok());
        QVERIFY(!cubinsFromFrame(*json, "abc").ok());
        QVERIFY(!cubinsFromFrame(*json, "abcdefg").ok());
    }

    void repliesSurviveTheRoundTrip()
    {
        GpuReply reply;
        reply.outcome = Outcome::Nondeterministic;
        reply.stage = Stage::Measure;
        reply.message = "two runs differ";
        reply.costs = {1.5, 2.5, 3.5};
        VerificationReport report;
        report.failedCheck = "determinism";
        report.maxAbsError = std::numeric_limits<double>::infinity();
        report.firstBadValue = std::numeric_limits<double>::quiet_NaN();
        report.firstBadExpected = -std::numeric_limits<double>::infinity();
        report.firstBadIndex = {1, 2, 3};
        report.ulpHistogram = {5, 0, 1};
        report.inputsTried = {"normal", "zeros"};
        reply.verification = report;
        Timing timing;
        timing.lnLow = -0.125;
        timing.look = 24;
        timing.otherRegimeLnRatio = 0.5;
        timing.candidateSamplesNs = {1, 2.5};
        timing.throttleReasons = 0x8000000000000000ull;
        reply.timing = timing;
        const auto text = canonicalJson(gpuReplyToJson(reply));
        const auto back = gpuReplyFromJson(*parseJson(text, "test"), "test");
        QVERIFY(back.ok());
        QCOMPARE(canonicalJson(gpuReplyToJson(*back)), text);
        QVERIFY(back->outcome == Outcome::Nondeterministic);
        QVERIFY(std::isinf(back->verification->maxAbsError));
        QVERIFY(std::isnan(back->verification->firstBadValue));
        QCOMPARE(back->timing->throttleReasons, 0x8000000000000000ull);
        QCOMPARE(*back->timing->otherRegimeLnRatio, 0.5);
    }

    void hostileTensors()
    {
        const auto refused = [](const char* text) {
            return !tensorSpecFromJson(*parseJson(text, "t"), "t").ok();
        };
        QVERIFY(refused(R"({"name":"x","dtype":"f16","shape":[-1]})"));
        QVERIFY(refused(R"({"name":"x","dtype":"f16","shape":[4],"strides":[1,2]})"));
        QVERIFY(refused(R"({"name":"x","dtype":"f17","shape":[4]})"));
        QVERIFY(refused(R"({"name":"","dtype":"f16","shape":[4]})"));
        QVERIFY(refused(R"({"name":"x","dtype":"f16","shape":[1000000000,1000000000]})"));
        QVERIFY(refused(R"({"name":"x","dtype":"f16","shape":[4],"role":"thief"})"));
        QVERIFY(!refused(R"({"name":"x","dtype":"f16","shape":[]})"));
    }

    // Random changes to valid messages: any answer, no crash.
    void mutatedMessages()
    {
        const Cubin cubin = makeCubin("abcdef");
        const std::string good = decode(*encodeEvaluate(1, sampleEvaluate(cubin), {cubin})).json;
        Random random(2);
        for (int round = 0; round < 3000; ++round) {
            std::string text = good;
            for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
                const std::size_t at = random.below(text.size());
                const auto letters = std::string_view("0-9.{}[]\",:ntfe ");
                if (random.coin(0.5))
                    text[at] = letters[random.below(letters.size())];
                else
                    text.erase(at, 1 + random.below(6));
            }
            const auto json = parseJson(text, "test");
            if (!json)
                continue;
            (void)evaluateRequestFromJson(*json).ok();
            (void)problemRequestFromJson(*json).ok();
            (void)gpuReplyFromJson(*json, "test").ok();
            (void)cubinsFromFrame(*json, "abcdef").ok();
            (void)parseReply(Frame{text, {}}).ok();
        }
    }

    void descriptors()
    {
        std::array<int, 2> ends{};
        QVERIFY(::pipe(ends.data()) == 0);
        const std::string big(300'000, 'x'); // more than a pipe holds
        std::thread writer([&] {
            (void)writeFrame(ends[1], "{\"n\":1}", big).ok();
            ::close(ends[1]);
        });
        FrameReader reader;
        const auto frame = readFrame(ends[0], reader, std::chrono::milliseconds(10'000));
        writer.join();
        QVERIFY(frame.ok() && frame->has_value());
        QCOMPARE((*frame)->binary.size(), big.size());
        const auto end = readFrame(ends[0], reader, std::chrono::milliseconds(10'000));
        QVERIFY(end.ok() && !end->has_value());
        ::close(ends[0]);

        QVERIFY(::pipe(ends.data()) == 0);
        QCOMPARE(readFrame(ends[0], reader, std::chrono::milliseconds(20)).error().code, ErrorCode::Timeout);
        (void)!::write(ends[1], "FSW", 3);
        ::close(ends[1]);
        QCOMPARE(readFrame(ends[0], reader, std::chrono::milliseconds(10'000)).error().code,
                 ErrorCode::IoError);
        ::close(ends[0]);
    }
};

QTEST_APPLESS_MAIN(TestProtocol)
#include "tst_protocol.moc"
