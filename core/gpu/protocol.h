// SPDX-License-Identifier: Apache-2.0
// What a parent and foresight-worker say to one another: frames of JSON plus optional binary (CUBINs), and
// the messages in them. Both sides use these functions. Thread use: one FrameReader per stream; the rest is
// pure. A frame that is too long, has a wrong magic or a wrong checksum is Corrupt: give the stream up.
//
// Frame: 'F' 'S' 'W' '1', u32 jsonLength, u32 binaryLength, u32 crc32(json + binary), json, binary. Little
// endian.
//
// Every request is an object with "id" (integer) and "type"; there is exactly one reply for each, in order:
//   {"id", "ok", "fatal", "result": {...}}                    ok = true
//   {"id", "ok", "fatal", "error": {"code", "message", "hint"}}
//   and always "log": {"text", "dropped"}: the tail of what was printed since the last reply, bytes not kept.
// fatal = true: the worker exits right after this reply (sticky CUDA error or a kernel that does not end), so
// start another. A candidate's failure is ok = true with its outcome in the result.
//
// A plan on the wire is {"plan": BoundPlan (boundPlanToJson), "cubin": sha256 of the CUBIN in hex}. The
// CUBINs themselves travel in the binary part; "cubins": [{"hash", "bytes"}...] lists them in order. The
// worker keeps the CUBINs of the current problem (reference, anchor, reduced references) until the next
// `problem`; a candidate's CUBIN must travel with each `evaluate`.
//
// type       request                                        result
// hello      -                                              {version, pid, build, device}
// spec       -                                              {spec: GpuSpec, clocks, nvml, runtime}
// problem    {problem: Problem, reference: plan, anchor: plan, seed, dataSets (8), alignment (16)}
//                                                           {bytesAllocated, dataSetsKept, seconds}
// evaluate   {plan, cubin, reduced: [{label, problem, plan, cubin, reference: plan}], until
// ("verify"/"measure"),
//             timing: TimingOptions, seed, alignment, allDataSets, futility, deadlineSeconds}
//                                                           GpuReply
// canary     {seed, quads}                                  GpuReply of the anchor against itself
// doctor     -                                              {checks: [{id, state, detail, fix}], figures:
// {...}} quit       -                                              {} and the worker exits with status 0
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/gpu/gpu.h"
#include "core/kernels/plan.h"
#include "core/kernels/problem.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace foresight::protocol {

inline constexpr int kVersion = 1;
inline constexpr std::size_t kHeaderBytes = 16;
inline constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxBinaryBytes = std::size_t{256} << 20;

struct Frame
{
    std::string json, binary;
};

// ResourceLimit when a part is over its limit.
Result<std::string> encodeFrame(std::string_view json, std::string_view binary = {});

// Incremental decoder: feed what arrived, take whole frames until nothing is returned.
class FrameReader
{
public:
    void feed(std::string_view bytes) { m_buffer.append(bytes); }
    Result<std::optional<Frame>> next();
    bool empty() const { return m_buffer.empty(); }

private:
    std::string m_buffer;
};

// Blocking, for both blocking and non-blocking descriptors; IoError when the other side is gone, Timeout when
// `timeout` (0: for ever) passes first.
Result<void> writeFrame(int fd, std::string_view json, std::string_view binary = {},
                        std::chrono::milliseconds timeout = std::chrono::milliseconds{0});
// Nothing at a clean end of the stream.
Result<std::optional<Frame>> readFrame(int fd, FrameReader& reader,
                                       std::chrono::milliseconds timeout = std::chrono::milliseconds{0});

// A CUBIN on the wire.
struct Cubin
{
    std::string hash; // sha256 in hex
    std::string data;
};
Cubin makeCubin(std::string data);

struct PlanUse
{
    BoundPlan plan;
    std::string cubin; // hash; empty is allowed when the plan launches nothing
};

struct ProblemRequest
{
    Problem problem;
    PlanUse reference; // fp64 reference bound to `problem`: the problem's inputs in, every output as
                       // contiguous f64
    PlanUse anchor;
    std::uint64_t seed = 0;
    int dataSets = 8;   // (seed, reference) pairs at full size; fewer are kept when memory is short
    int alignment = 16; // bytes every tensor's address is a multiple of, and no more, in the reduced problems
};

// A small problem that keeps the candidate's branches.
struct ReducedCase
{
    std::string label;
    Problem problem;
    PlanUse candidate; // the candidate bound to it; its CUBIN is the candidate's
    PlanUse reference;
};

struct EvaluateRequest
{
    PlanUse candidate; // bound to the full problem
    std::vector<ReducedCase> reduced;
    Stage until = Stage::Measure;
    TimingOptions timing;
    std::uint64_t seed = 0;
    int alignment = 16;
    bool allDataSets = false; // finalists: every kind of input at full size, with fresh seeds
    bool futility =
        false; // may stop before the look when the candidate is clearly no better (row: truncated)
    double deadlineSeconds = 10; // of each wait for the GPU; the parent's own deadline should be longer
};

struct CanaryRequest
{
    std::uint64_t seed = 0;
    int quads = 12;
};

struct Reply
{
    std::int64_t id = -1;
    bool ok = false, fatal = false;
    Error error;            // when !ok
    std::string resultText; // JSON of the result when ok
    std::string log;
    std::uint64_t logDropped = 0;
};

// Parents: a whole frame ready to be written. `cubins` lists those the worker does not have yet.
Result<std::string> encodeSimple(std::int64_t id, std::string_view type); // hello, spec, doctor, quit
Result<std::string> encodeProblem(std::int64_t id, const ProblemRequest& request,
                                  const std::vector<Cubin>& cubins);
Result<std::string> encodeEvaluate(std::int64_t id, const EvaluateRequest& request,
                                   const std::vector<Cubin>& cubins);
Result<std::string> encodeCanary(std::int64_t id, const CanaryRequest& request);
Result<Reply> parseReply(const Frame& frame);

// Workers.
Result<ProblemRequest> problemRequestFromJson(const Json& json);
Result<EvaluateRequest> evaluateRequestFromJson(const Json& json);
CanaryRequest canaryRequestFromJson(const Json& json);
// The CUBINs of a frame, with their hashes checked.
Result<std::vector<Cubin>> cubinsFromFrame(const Json& json, std::string_view binary);

// Values. Field names are the members' names; enums by name; absent members keep their defaults when read.
Json tensorSpecToJson(const TensorSpec& tensor);
Result<TensorSpec> tensorSpecFromJson(const Json& json, std::string_view what);
Json symbolsToJson(const Symbols& symbols);
Result<Symbols> symbolsFromJson(const Json& json, std::string_view what);
Json problemToJson(const Problem& problem);
Result<Problem> problemFromJson(const Json& json, std::string_view what);
Json timingToJson(const Timing& timing);
Result<Timing> timingFromJson(const Json& json, std::string_view what);
Json timingOptionsToJson(const TimingOptions& options);
TimingOptions timingOptionsFromJson(const Json& json);
Json verificationToJson(const VerificationReport& report);
Result<VerificationReport> verificationFromJson(const Json& json, std::string_view what);
Json gpuReplyToJson(const GpuReply& reply);
Result<GpuReply> gpuReplyFromJson(const Json& json, std::string_view what);
std::string_view regimeName(Regime regime); // "cold", "hot"
Regime regimeFromName(std::string_view name);
std::optional<Stage> stageFromName(std::string_view name);

} // namespace foresight::protocol
