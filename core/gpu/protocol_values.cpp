// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/protocol.h"

#include "core/base/json.h"
#include "core/gpu/protocol_json.h"

#include <array>
#include <utility>

namespace foresight::protocol {

namespace {

constexpr std::array<std::pair<TensorFill::Kind, std::string_view>, 4> kFills{{
    {TensorFill::Kind::Normal, "normal"},
    {TensorFill::Kind::Uniform, "uniform"},
    {TensorFill::Kind::Constant, "constant"},
    {TensorFill::Kind::IndexRange, "index_range"},
}};
constexpr std::array<std::pair<TensorSpec::Role, std::string_view>, 3> kRoles{{
    {TensorSpec::Role::Input, "input"},
    {TensorSpec::Role::Output, "output"},
    {TensorSpec::Role::InOut, "inout"},
}};

template <typename Table, typename Enum> std::string_view nameIn(const Table& table, Enum value)
{
    for (const auto& [entry, name] : table)
        if (entry == value)
            return name;
    return table[0].second;
}

template <typename Enum, std::size_t N>
bool valueIn(const std::array<std::pair<Enum, std::string_view>, N>& table, std::string_view name,
             Enum& value)
{
    for (const auto& [entry, text] : table)
        if (text == name) {
            value = entry;
            return true;
        }
    return false;
}

Error wrong(std::string_view what, std::string_view detail)
{
    return makeError(ErrorCode::ParseError, std::string(what) + ": " + std::string(detail));
}

} // namespace

std::string_view regimeName(Regime regime)
{
    return regime == Regime::Hot ? "hot" : "cold";
}

Regime regimeFromName(std::string_view name)
{
    return name == "hot" ? Regime::Hot : Regime::Cold;
}

std::optional<Stage> stageFromName(std::string_view name)
{
    for (Stage stage : {Stage::Compile, Stage::Verify, Stage::Measure})
        if (stageName(stage) == name)
            return stage;
    return std::nullopt;
}

Json tensorSpecToJson(const TensorSpec& tensor)
{
    return Json{{"name", tensor.name},
                {"role", nameIn(kRoles, tensor.role)},
                {"dtype", dtypeName(tensor.dtype)},
                {"shape", tensor.shape},
                {"strides", tensor.strides},
                {"fill", nameIn(kFills, tensor.fill.kind)},
                {"mean", numberToJson(tensor.fill.mean)},
                {"std", numberToJson(tensor.fill.std)},
                {"low", numberToJson(tensor.fill.low)},
                {"high", numberToJson(tensor.fill.high)},
                {"reductionLength", numberToJson(tensor.reductionLength)}};
}

Result<TensorSpec> tensorSpecFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "a tensor must be an object");
    TensorSpec tensor;
    tensor.name = text(json, "name");
    tensor.dtype = dtypeFromName(text(json, "dtype"));
    tensor.shape = integers(json, "shape");
    tensor.strides = integers(json, "strides");
    tensor.fill.mean = number(json, "mean", tensor.fill.mean);
    tensor.fill.std = number(json, "std", tensor.fill.std);
    tensor.fill.low = number(json, "low", tensor.fill.low);
    tensor.fill.high = number(json, "high", tensor.fill.high);
    tensor.reductionLength = number(json, "reductionLength", 1);
    if (!valueIn(kRoles, text(json, "role", "input"), tensor.role))
        return wrong(what, "unknown tensor role '" + text(json, "role") + "'");
    if (!valueIn(kFills, text(json, "fill", "normal"), tensor.fill.kind))
        return wrong(what, "unknown fill '" + text(json, "fill") + "'");
    if (tensor.dtype == DType::Unknown)
        return wrong(what, "unknown dtype '" + text(json, "dtype") + "' of tensor '" + tensor.name + "'");
    if (tensor.name.empty())
        return wrong(what, "a tensor has no name");
    if (tensor.strides.empty() && !tensor.shape.empty())
        tensor.strides = contiguousStrides(tensor.shape);
    if (tensor.strides.size() != tensor.shape.size())
        return wrong(what, "tensor '" + tensor.name + "' has " + std::to_string(tensor.shape.size()) +
                               " extents but " + std::to_string(tensor.strides.size()) + " strides");
    constexpr std::int64_t kMaxExtent = std::int64_t{1} << 40;
    double product = 1;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        const std::int64_t extent = tensor.shape[i], stride = tensor.strides[i];
        if (extent < 0 || extent > kMaxExtent || stride < 0 || stride > kMaxExtent)
            return wrong(what, "tensor '" + tensor.name + "' has an extent or stride out of range");
        product *= static_cast<double>(extent);
        if (static_cast<double>(extent) * static_cast<double>(stride) > static_cast<double>(kMaxExtent))
            return wrong(what, "tensor '" + tensor.name + "' spans too much memory");
    }
    if (product > static_cast<double>(kMaxExtent))
        return wrong(what, "tensor '" + tensor.name + "' has too many elements");
    return tensor;
}

Json symbolsToJson(const Symbols& symbols)
{
    Json json = Json::object();
    for (const auto& [name, value] : symbols)
        std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
    return json;
}

Result<Symbols> symbolsFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "symbols must be an object");
    Symbols symbols;
    for (const auto& [key, value] : json.items()) {
        if (value.is_boolean())
            symbols[key] = value.get<bool>();
        else if (value.is_number_integer())
            symbols[key] = value.get<std::int64_t>();
        else if (value.is_number())
            symbols[key] = value.get<double>();
        else if (value.is_string())
            symbols[key] = value.get<std::string>();
        else
            return wrong(what, "symbol '" + key + "' has no plain value");
    }
    return symbols;
}

Json problemToJson(const Problem& problem)
{
    Json tensors = Json::array();
    for (const TensorSpec& tensor : problem.tensors)
        tensors.push_back(tensorSpecToJson(tensor));
    return Json{{"family", problem.family},
                {"dtype", dtypeName(problem.dtype)},
                {"layout", problem.layout},
                {"symbols", symbolsToJson(problem.symbols)},
                {"tensors", std::move(tensors)},
                {"compulsoryBytes", numberToJson(problem.compulsoryBytes)},
                {"flops", numberToJson(problem.flops)},
                {"key", problem.key}};
}

Result<Problem> problemFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "a problem must be an object");
    Problem problem;
    problem.family = text(json, "family");
    problem.dtype = dtypeFromName(text(json, "dtype"));
    problem.layout = text(json, "layout", "contiguous");
    problem.compulsoryBytes = number(json, "compulsoryBytes", 0);
    problem.flops = number(json, "flops", 0);
    problem.key = text(json, "key");
    if (const Json* symbols = member(json, "symbols")) {
        FS_TRY(parsed, symbolsFromJson(*symbols, what));
        problem.symbols = std::move(parsed);
    }
    const Json* tensors = member(json, "tensors");
    if (!tensors || !tensors->is_array())
        return wrong(what, "a problem needs tensors");
    for (const Json& entry : *tensors) {
        FS_TRY(tensor, tensorSpecFromJson(entry, what));
        problem.tensors.push_back(std::move(tensor));
    }
    return problem;
}

Json timingOptionsToJson(const TimingOptions& options)
{
    return Json{{"maxQuads", options.maxQuads},
                {"regime", regimeName(options.regime)},
                {"bothRegimes", options.bothRegimes}};
}

TimingOptions timingOptionsFromJson(const Json& json)
{
    TimingOptions options;
    options.maxQuads =
        static_cast<int>(std::clamp<std::int64_t>(integer(json, "maxQuads", options.maxQuads), 1, 480));
    options.regime = regimeFromName(text(json, "regime", "cold"));
    options.bothRegimes = boolean(json, "bothRegimes", false);
    return options;
}

Json timingToJson(const Timing& timing)
{
    Json json{{"candidateNs", numberToJson(timing.candidateNs)},
              {"anchorNs", numberToJson(timing.anchorNs)},
              {"lnRatio", numberToJson(timing.lnRatio)},
              {"lnLow", numberToJson(timing.lnLow)},
              {"lnHigh", numberToJson(timing.lnHigh)},
              {"look", timing.look},
              {"truncated", timing.truncated},
              {"nearLimit", timing.nearLimit},
              {"regime", regimeName(timing.regime)},
              {"candidateSamplesNs", numbersToJson(timing.candidateSamplesNs)},
              {"anchorSamplesNs", numbersToJson(timing.anchorSamplesNs)},
              {"smClockMhz", numberToJson(timing.smClockMhz)},
              {"memoryClockMhz", numberToJson(timing.memoryClockMhz)},
              {"temperatureC", numberToJson(timing.temperatureC)},
              {"powerW", numberToJson(timing.powerW)},
              {"throttleReasons", timing.throttleReasons},
              {"sharedGpu", timing.sharedGpu},
              {"energyJ", numberToJson(timing.energyJ)}};
    if (timing.otherRegimeLnRatio)
        json["otherRegimeLnRatio"] = numberToJson(*timing.otherRegimeLnRatio);
    return json;
}

Result<Timing> timingFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "timing must be an object");
    Timing timing;
    timing.candidateNs = number(json, "candidateNs", 0);
    timing.anchorNs = number(json, "anchorNs", 0);
    timing.lnRatio = number(json, "lnRatio", 0);
    timing.lnLow = number(json, "lnLow", 0);
    timing.lnHigh = number(json, "lnHigh", 0);
    timing.look = static_cast<int>(integer(json, "look", 0));
    timing.truncated = boolean(json, "truncated", false);
    timing.nearLimit = boolean(json, "nearLimit", false);
    timing.regime = regimeFromName(text(json, "regime", "cold"));
    timing.candidateSamplesNs = numbers(json, "candidateSamplesNs");
    timing.anchorSamplesNs = numbers(json, "anchorSamplesNs");
    timing.smClockMhz = number(json, "smClockMhz", 0);
    timing.memoryClockMhz = number(json, "memoryClockMhz", 0);
    timing.temperatureC = number(json, "temperatureC", 0);
    timing.powerW = number(json, "powerW", 0);
    timing.throttleReasons = unsignedInteger(json, "throttleReasons", 0);
    timing.sharedGpu = boolean(json, "sharedGpu", false);
    timing.energyJ = number(json, "energyJ", 0);
    if (member(json, "otherRegimeLnRatio"))
        timing.otherRegimeLnRatio = number(json, "otherRegimeLnRatio", 0);
    return timing;
}

Json verificationToJson(const VerificationReport& report)
{
    return Json{{"passed", report.passed},
                {"failedCheck", report.failedCheck},
                {"failedInput", report.failedInput},
                {"tensor", report.tensor},
                {"maxAbsError", numberToJson(report.maxAbsError)},
                {"maxRelError", numberToJson(report.maxRelError)},
                {"tolerance", numberToJson(report.tolerance)},
                {"firstBadIndex", report.firstBadIndex},
                {"firstBadValue", numberToJson(report.firstBadValue)},
                {"firstBadExpected", numberToJson(report.firstBadExpected)},
                {"badElements", report.badElements},
                {"elements", report.elements},
                {"ulpHistogram", report.ulpHistogram},
                {"inputsTried", report.inputsTried}};
}

Result<VerificationReport> verificationFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "a verification report must be an object");
    VerificationReport report;
    report.passed = boolean(json, "passed", false);
    report.failedCheck = text(json, "failedCheck");
    report.failedInput = text(json, "failedInput");
    report.tensor = text(json, "tensor");
    report.maxAbsError = number(json, "maxAbsError", 0);
    report.maxRelError = number(json, "maxRelError", 0);
    report.tolerance = number(json, "tolerance", 0);
    report.firstBadIndex = integers(json, "firstBadIndex");
    report.firstBadValue = number(json, "firstBadValue", 0);
    report.firstBadExpected = number(json, "firstBadExpected", 0);
    report.badElements = integer(json, "badElements", 0);
    report.elements = integer(json, "elements", 0);
    report.ulpHistogram = integers(json, "ulpHistogram");
    report.inputsTried = strings(json, "inputsTried");
    return report;
}

namespace {

Json resourcesToJson(const KernelResources& resources)
{
    return Json{{"kernel", resources.kernel},
                {"registers", resources.registers},
                {"spillStores", resources.spillStores},
                {"spillLoads", resources.spillLoads},
                {"staticShared", resources.staticShared},
                {"dynamicShared", resources.dynamicShared},
                {"stackFrame", resources.stackFrame},
                {"codeBytes", resources.codeBytes},
                {"threadsPerBlock", resources.threadsPerBlock},
                {"occupancy", numberToJson(resources.occupancy)},
                {"occupancyLimit", resources.occupancyLimit}};
}

KernelResources resourcesFromJson(const Json& json)
{
    KernelResources resources;
    resources.kernel = text(json, "kernel");
    resources.registers = static_cast<int>(integer(json, "registers", 0));
    resources.spillStores = integer(json, "spillStores", 0);
    resources.spillLoads = integer(json, "spillLoads", 0);
    resources.staticShared = integer(json, "staticShared", 0);
    resources.dynamicShared = integer(json, "dynamicShared", 0);
    resources.stackFrame = integer(json, "stackFrame", 0);
    resources.codeBytes = integer(json, "codeBytes", 0);
    resources.threadsPerBlock = static_cast<int>(integer(json, "threadsPerBlock", 0));
    resources.occupancy = number(json, "occupancy", 0);
    resources.occupancyLimit = text(json, "occupancyLimit");
    return resources;
}

} // namespace

Json gpuReplyToJson(const GpuReply& reply)
{
    Json resources = Json::array();
    for (const KernelResources& entry : reply.resources)
        resources.push_back(resourcesToJson(entry));
    Json json{{"outcome", outcomeName(reply.outcome)},
              {"stage", stageName(reply.stage)},
              {"message", reply.message},
              {"hint", reply.hint},
              {"compileLog", reply.compileLog},
              {"resources", std::move(resources)},
              {"cubinHash", reply.cubinHash},
              {"compileSeconds", numberToJson(reply.costs.compileSeconds)},
              {"verifySeconds", numberToJson(reply.costs.verifySeconds)},
              {"measureSeconds", numberToJson(reply.costs.measureSeconds)}};
    if (reply.verification)
        json["verification"] = verificationToJson(*reply.verification);
    if (reply.timing)
        json["timing"] = timingToJson(*reply.timing);
    return json;
}

Result<GpuReply> gpuReplyFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "a GPU reply must be an object");
    GpuReply reply;
    reply.outcome = outcomeFromName(text(json, "outcome"));
    reply.stage = stageFromName(text(json, "stage")).value_or(Stage::Compile);
    reply.message = text(json, "message");
    reply.hint = text(json, "hint");
    reply.compileLog = text(json, "compileLog");
    reply.cubinHash = text(json, "cubinHash");
    reply.costs.compileSeconds = number(json, "compileSeconds", 0);
    reply.costs.verifySeconds = number(json, "verifySeconds", 0);
    reply.costs.measureSeconds = number(json, "measureSeconds", 0);
    if (const Json* resources = member(json, "resources"); resources && resources->is_array())
        for (const Json& entry : *resources)
            reply.resources.push_back(resourcesFromJson(entry));
    if (const Json* verification = member(json, "verification")) {
        FS_TRY(parsed, verificationFromJson(*verification, what));
        reply.verification = std::move(parsed);
    }
    if (const Json* timing = member(json, "timing")) {
        FS_TRY(parsed, timingFromJson(*timing, what));
        reply.timing = std::move(parsed);
    }
    return reply;
}

} // namespace foresight::protocol
