// SPDX-License-Identifier: Apache-2.0
// The library's own kernels: inputs have the distribution asked for, and the families' fp64 references on the
// GPU agree with independent ones on the CPU at small shapes, for every kind of input.
#include "tests/gpu/gpu_driver.h"

#include "core/gpu/compiler.h"
#include "core/gpu/measure/measure.h"
#include "core/gpu/protocol.h"
#include "core/kernels/reference.h"

#include <cmath>
#include <cstdio>

namespace foresight::gputest {

namespace {

class InProcess
{
public:
    InProcess() { m_session = fsm_open("{}", nullptr); }
    ~InProcess()
    {
        if (m_session)
            fsm_close(m_session);
    }
    Result<Json> call(const std::string& json, const std::string& binary)
    {
        if (!m_session)
            return makeError(ErrorCode::GpuError, "the measure library does not open");
        int fatal = 0;
        char* text = fsm_call(m_session, json.data(), json.size(), binary.data(), binary.size(), &fatal);
        auto reply = parseJson(text, "reply");
        fsm_free(text);
        FS_CHECK(reply ? Result<void>() : Result<void>(reply.error()));
        if (!(*reply)["ok"].get<bool>())
            return makeError(ErrorCode::GpuError, (*reply)["error"]["message"].get<std::string>());
        return (*reply)["result"];
    }
    Result<Json> callFrame(const std::string& encoded)
    {
        protocol::FrameReader reader;
        reader.feed(encoded);
        FS_TRY(frame, reader.next());
        return call(frame->json, frame->binary);
    }
    Result<std::vector<double>> values(const std::string& name, bool reference)
    {
        FS_TRY(result, call(canonicalJson(
                                Json{{"id", 1}, {"type", "dump"}, {"name", name}, {"reference", reference}}),
                            ""));
        std::vector<double> numbers;
        for (const Json& entry : result["values"])
            numbers.push_back(entry.is_string() ? std::strtod(entry.get<std::string>().c_str(), nullptr)
                                                : entry.get<double>());
        return numbers;
    }

private:
    fsm_session* m_session = nullptr;
};

Result<protocol::Cubin> compile(const KernelPlan& plan, const GpuSpec& spec)
{
    CompileRequest request;
    request.source = plan.source;
    request.options = plan.compileOptions;
    request.arch = spec.archName();
    FS_TRY(kernel, compileKernel(request, CompilerOptions{}));
    return protocol::makeCubin(kernel.cubin);
}

bool near(double a, double b, double scale)
{
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b))
        return a == b;
    return std::fabs(a - b) <= 1e-9 * (std::fabs(b) + scale);
}

Result<int> checkCase(Context& context, InProcess& library, const Problem& problem)
{
    const auto family = context.registry.find(problem.family);
    FS_TRY(referencePlan, family->referencePlan(problem));
    FS_TRY(configuration, family->defaultConfiguration(problem, context.spec));
    FS_TRY(anchorPlan, family->instantiate(problem, configuration));
    FS_TRY(reference, compile(referencePlan, context.spec));
    FS_TRY(anchor, compile(anchorPlan, context.spec));
    protocol::ProblemRequest request;
    request.problem = problem;
    FS_TRY(boundReference, bindPlan(referencePlan, problem, context.spec));
    FS_TRY(boundAnchor, bindPlan(anchorPlan, problem, context.spec));
    request.reference = {boundReference, reference.hash};
    request.anchor = {boundAnchor, anchor.hash};
    FS_TRY(encoded, protocol::encodeProblem(1, request, {reference, anchor}));
    FS_TRY(accepted, library.callFrame(encoded));
    (void)accepted;
    int failures = 0;
    for (const char* set : {"normal", "large", "tiny", "constant", "zeros", "alternating", "nan and inf"}) {
        FS_TRY(loaded,
               library.call(
                   canonicalJson(Json{{"id", 2}, {"type", "load_inputs"}, {"set", set}, {"seed", 5}}), ""));
        (void)loaded;
        std::vector<std::vector<double>> inputs;
        std::vector<std::string> outputs;
        for (const TensorSpec& tensor : problem.tensors) {
            if (tensor.role != TensorSpec::Role::Input) {
                outputs.push_back(tensor.name);
                continue;
            }
            FS_TRY(values, library.values(tensor.name, false));
            inputs.push_back(std::move(values));
        }
        if (std::string_view(set) == "normal" && inputs[0].size() > 2000) {
            const TensorFill& fill = problem.tensors[0].fill;
            double sum = 0, squares = 0;
            for (double value : inputs[0]) {
                sum += (value - fill.mean) / fill.std;
                squares += (value - fill.mean) / fill.std * ((value - fill.mean) / fill.std);
            }
            const auto n = static_cast<double>(inputs[0].size());
            const bool good =
                std::fabs(sum / n) < 5 / std::sqrt(n) && std::fabs(squares / n - 1) < 5 * std::sqrt(2 / n);
            failures += !good;
            std::printf("  fill: mean %+.4f variance %.4f of %zu%s\n", sum / n, squares / n, inputs[0].size(),
                        good ? "" : " WRONG");
        }
        FS_TRY(expected, cpuReference(problem, inputs));
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            FS_TRY(got, library.values(outputs[o], true));
            double scale = 0;
            for (double value : expected[o])
                scale = std::max(scale, std::isfinite(value) ? std::fabs(value) : 0.0);
            std::size_t bad = got.size() == expected[o].size() ? 0 : 1;
            for (std::size_t i = 0; i < std::min(got.size(), expected[o].size()); ++i)
                if (!near(got[i], expected[o][i], scale)) {
                    if (bad++ == 0)
                        std::printf("  %s, %s: element %zu is %.17g on the GPU, %.17g on the CPU\n", set,
                                    outputs[o].c_str(), i, got[i], expected[o][i]);
                }
            failures += bad > 0;
        }
    }
    protocol::EvaluateRequest evaluate;
    evaluate.candidate = request.anchor;
    evaluate.until = Stage::Verify;
    evaluate.allDataSets = true;
    evaluate.seed = 9;
    FS_TRY(message, protocol::encodeEvaluate(3, evaluate, {anchor}));
    FS_TRY(result, library.callFrame(message));
    FS_TRY(reply, protocol::gpuReplyFromJson(result, "reply"));
    failures += reply.outcome != Outcome::Ok;
    std::printf("unit %-70s default: %s%s%s, %d failures\n", problem.key.c_str(),
                std::string(outcomeName(reply.outcome)).c_str(), reply.message.empty() ? "" : " ",
                reply.message.c_str(), failures);
    return failures;
}

} // namespace

int checkUnits(Context& context)
{
    struct Case
    {
        const char* family;
        DType dtype;
        const char* layout;
        std::map<std::string, std::int64_t> sizes;
        std::vector<const char*> flags;
    };
    const Case cases[] = {
        {"group_norm",
         DType::F16,
         "contiguous",
         {{"N", 2}, {"C", 64}, {"H", 9}, {"W", 7}, {"G", 8}},
         {"silu"}},
        {"group_norm",
         DType::F32,
         "channels_last",
         {{"N", 2}, {"C", 64}, {"H", 9}, {"W", 7}, {"G", 8}},
         {"silu"}},
        {"group_norm",
         DType::BF16,
         "contiguous",
         {{"N", 3}, {"C", 32}, {"H", 16}, {"W", 16}, {"G", 32}},
         {"stats"}},
        {"group_norm",
         DType::F16,
         "channels_last",
         {{"N", 1}, {"C", 128}, {"H", 16}, {"W", 8}, {"G", 32}},
         {}},
        {"rms_norm", DType::BF16, "contiguous", {{"ROWS", 7}, {"COLS", 512}}, {}},
        {"rms_norm", DType::F32, "contiguous", {{"ROWS", 5}, {"COLS", 1000}}, {"stats"}},
        {"rms_norm", DType::F16, "contiguous", {{"ROWS", 3}, {"COLS", 77}}, {}},
        {"softmax", DType::BF16, "contiguous", {{"ROWS", 9}, {"COLS", 768}}, {}},
        {"softmax", DType::F32, "contiguous", {{"ROWS", 4}, {"COLS", 1001}}, {"log"}},
        {"softmax", DType::F16, "contiguous", {{"ROWS", 32}, {"COLS", 1000}}, {}},
        {"permute_copy", DType::F32, "contiguous", {{"BATCH", 2}, {"ROWS", 37}, {"COLS", 41}}, {}},
        {"permute_copy",
         DType::F16,
         "contiguous",
         {{"BATCH", 2}, {"ROWS", 12}, {"COLS", 20}, {"INNER", 24}},
         {}},
        {"permute_copy",
         DType::BF16,
         "contiguous",
         {{"BATCH", 3}, {"ROWS", 5}, {"COLS", 7}, {"INNER", 3}},
         {}},
        {"silu", DType::F32, "contiguous", {{"N", 1003}}, {}},
        {"gelu", DType::F16, "contiguous", {{"N", 1000}}, {"tanh"}},
        {"gelu", DType::BF16, "contiguous", {{"N", 777}}, {}},
        {"gelu", DType::F32, "contiguous", {{"N", 5000}}, {}},
        {"relu", DType::F16, "contiguous", {{"N", 1001}}, {}},
        {"add", DType::BF16, "contiguous", {{"N", 1030}}, {"relu"}},
        {"gated", DType::F16, "contiguous", {{"ROWS", 3}, {"COLS", 40}}, {"packed", "gelu"}},
        {"gated", DType::BF16, "contiguous", {{"ROWS", 3}, {"COLS", 37}}, {}},
        {"gated", DType::F32, "contiguous", {{"ROWS", 5}, {"COLS", 21}}, {"packed"}},
        {"rope", DType::BF16, "contiguous", {{"B", 2}, {"H", 3}, {"S", 5}, {"D", 16}}, {}},
        {"rope", DType::F32, "seq_first", {{"B", 2}, {"H", 3}, {"S", 5}, {"D", 12}}, {"interleaved"}},
        {"batch_norm", DType::F16, "contiguous", {{"N", 2}, {"C", 12}, {"H", 7}, {"W", 7}}, {"add", "relu"}},
        {"batch_norm", DType::BF16, "channels_last", {{"N", 2}, {"C", 24}, {"H", 5}, {"W", 3}}, {"relu"}},
        {"layer_norm", DType::F16, "contiguous", {{"ROWS", 5}, {"COLS", 77}}, {"stats"}},
        {"layer_norm", DType::F32, "contiguous", {{"ROWS", 7}, {"COLS", 1536}}, {"stats"}},
        {"add_rms_norm", DType::BF16, "contiguous", {{"ROWS", 5}, {"COLS", 96}}, {}},
        {"fp8_quantise", DType::BF16, "contiguous", {{"ROWS", 5}, {"COLS", 96}}, {}},
        {"fp8_quantise", DType::F32, "contiguous", {{"ROWS", 4}, {"COLS", 77}}, {}},
        {"skinny_linear", DType::BF16, "contiguous", {{"M", 3}, {"N", 70}, {"K", 264}}, {}},
        {"skinny_linear", DType::F32, "contiguous", {{"M", 1}, {"N", 37}, {"K", 77}}, {"bias"}},
        {"cumsum", DType::F32, "contiguous", {{"ROWS", 5}, {"COLS", 1001}}, {}},
        {"cumsum", DType::F16, "contiguous", {{"ROWS", 3}, {"COLS", 4096}}, {}},
        {"row_reduce", DType::F32, "contiguous", {{"ROWS", 9}, {"COLS", 1001}}, {}},
        {"row_reduce", DType::F16, "contiguous", {{"ROWS", 70}, {"COLS", 49}, {"op", 1}}, {}},
        {"row_reduce", DType::BF16, "contiguous", {{"ROWS", 9}, {"COLS", 768}, {"op", 2}}, {"indices"}},
        {"row_reduce", DType::F32, "contiguous", {{"ROWS", 3}, {"COLS", 300}, {"op", 3}}, {"indices"}},
        {"cross_entropy", DType::BF16, "contiguous", {{"ROWS", 9}, {"COLS", 768}}, {}},
        {"cross_entropy",
         DType::F32,
         "contiguous",
         {{"ROWS", 40}, {"COLS", 9}, {"reduction", 1}, {"ignore_index", 4}},
         {}},
        {"embedding", DType::F16, "contiguous", {{"ROWS", 21}, {"COLS", 77}, {"V", 10}}, {}},
        {"max_pool2d", DType::F16, "contiguous", {{"C", 3}, {"H", 15}, {"W", 17}}, {"indices"}},
        {"max_pool2d", DType::F32, "channels_last", {{"N", 2}, {"C", 6}, {"H", 12}, {"W", 9}}, {"indices"}}};
    InProcess library;
    int failures = 0;
    for (const Case& entry : cases) {
        Symbols symbols;
        for (const auto& [name, value] : entry.sizes)
            symbols[name] = value;
        for (const char* flag : entry.flags)
            symbols[flag] = true;
        const auto problem = makeProblem(context, entry.family, entry.dtype, entry.layout, symbols);
        const auto result = problem ? checkCase(context, library, *problem) : Result<int>(problem.error());
        if (!result)
            std::printf("unit %s: %s\n", entry.family, result.error().toString().c_str());
        failures += result ? *result : 1;
    }
    return failures;
}

} // namespace foresight::gputest
