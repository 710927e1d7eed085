// SPDX-License-Identifier: Apache-2.0
// Requests of the PyTorch host mode: data in place for others, judging what they made, timing them.
#include "core/gpu/measure/session.h"

#include "core/base/json.h"
#include "core/gpu/protocol_json.h"

#include <algorithm>
#include <cstring>

namespace foresight::measure {

namespace {

constexpr double kExternalDeadlineSeconds = 60;

Error noProblem()
{
    return makeError(ErrorCode::InvalidArgument, "No problem was sent before this request.");
}

} // namespace

Result<Json> Session::loadInputs(const Json& request)
{
    if (!m_problem)
        return noProblem();
    const std::string name = protocol::text(request, "set", "normal");
    for (InputSet set : kInputSets) {
        if (inputSetName(set) != name)
            continue;
        Verifier verifier(*m_device, *m_support, kExternalDeadlineSeconds);
        const std::uint64_t seed = protocol::unsignedInteger(request, "seed", 1);
        FS_CHECK(verifier.drawInputs(*m_problem->tensors, set, seed));
        FS_TRY(slot, verifier.reference(*m_problem->tensors, *m_problem->reference, set, seed));
        m_problem->loaded = slot;
        FS_CHECK(m_device->wait(kExternalDeadlineSeconds));
        Json addresses = Json::object();
        for (const auto& [tensor, address] : m_problem->tensors->addresses())
            addresses[tensor] = static_cast<std::uint64_t>(address);
        return Json{{"addresses", std::move(addresses)}};
    }
    return makeError(ErrorCode::InvalidArgument, "There is no input set '" + name + "'.");
}

Result<Json> Session::checkExternal(const Json& request)
{
    if (!m_problem || !m_problem->loaded)
        return makeError(ErrorCode::InvalidArgument, "No inputs were loaded before the check.");
    TensorSet& tensors = *m_problem->tensors;
    Verifier verifier(*m_device, *m_support, kExternalDeadlineSeconds);
    VerificationReport report;
    report.passed = true;
    const Json* outputs = protocol::member(request, "outputs");
    if (!outputs || !outputs->is_array())
        return makeError(ErrorCode::InvalidArgument, "The request has no list of outputs.");
    for (const Json& entry : *outputs) {
        const std::string name = protocol::text(entry, "name");
        bool found = false;
        for (std::size_t o = 0; o < tensors.outputs().size(); ++o) {
            const TensorSpec& tensor = tensors.spec(tensors.outputs()[o]);
            if (tensor.name != name)
                continue;
            found = true;
            TensorSpec like = tensor;
            like.strides = protocol::integers(entry, "strides");
            if (like.strides.size() != like.shape.size())
                return makeError(ErrorCode::InvalidArgument, "Output '" + name + "' needs " +
                                                                 std::to_string(like.shape.size()) +
                                                                 " strides.");
            FS_CHECK(verifier.judgeExternal(tensors, o, protocol::unsignedInteger(entry, "address", 0), like,
                                            *m_problem->loaded, report));
        }
        if (!found)
            return makeError(ErrorCode::InvalidArgument, "The problem has no output '" + name + "'.");
        if (!report.passed)
            break;
    }
    return protocol::verificationToJson(report);
}

// Values of a small tensor in logical order: what a test compares with an independent computation.
Result<Json> Session::dump(const Json& request)
{
    constexpr std::int64_t kMostElements = 1 << 18;
    if (!m_problem || !m_problem->loaded)
        return makeError(ErrorCode::InvalidArgument, "No inputs were loaded before this request.");
    TensorSet& tensors = *m_problem->tensors;
    const std::string name = protocol::text(request, "name");
    const bool wantsReference = protocol::boolean(request, "reference", false);
    for (std::size_t i = 0; i < tensors.problem().tensors.size(); ++i) {
        const TensorSpec& tensor = tensors.spec(i);
        if (tensor.name != name)
            continue;
        const auto& outputs = tensors.outputs();
        const auto output = std::find(outputs.begin(), outputs.end(), i);
        if (tensor.storageElements() > kMostElements || tensor.elements() > kMostElements ||
            (wantsReference && output == outputs.end()))
            break;
        const DType dtype = wantsReference ? DType::F64 : tensor.dtype;
        const auto width = static_cast<std::size_t>(dtypeBytes(dtype));
        const std::int64_t stored = wantsReference ? tensor.elements() : tensor.storageElements();
        std::vector<unsigned char> bytes(static_cast<std::size_t>(stored) * width);
        const CUdeviceptr source =
            wantsReference
                ? m_problem->loaded->values[static_cast<std::size_t>(output - outputs.begin())].address()
                : tensors.address(i);
        FS_CHECK(m_device->check(
            m_device->cu().cuMemcpyDtoHAsync(bytes.data(), source, bytes.size(), m_device->stream()),
            "reading a tensor"));
        FS_CHECK(m_device->wait(kExternalDeadlineSeconds));
        Json values = Json::array();
        for (std::int64_t element = 0; element < tensor.elements(); ++element) {
            std::int64_t offset = element;
            if (!wantsReference) {
                const auto at = coordinatesOf(static_cast<std::uint64_t>(element), tensor.shape);
                offset = 0;
                for (std::size_t d = 0; d < at.size(); ++d)
                    offset += at[d] * tensor.strides[d];
            }
            std::uint64_t bits = 0;
            std::memcpy(&bits, bytes.data() + static_cast<std::size_t>(offset) * width, width);
            values.push_back(protocol::numberToJson(decodeElement(bits, dtype)));
        }
        return Json{{"values", std::move(values)}};
    }
    return makeError(ErrorCode::InvalidArgument, "There is no small tensor '" + name + "' of that kind.");
}

Result<Json> Session::baseline(const Json& request)
{
    if (!m_problem)
        return noProblem();
    if (!m_baseline.enqueue && !m_baseline.graph)
        return makeError(ErrorCode::InvalidArgument, "No baseline was registered.");
    std::unique_ptr<PlanRunner> own;
    PlanRunner* runner = m_problem->anchor.get();
    if (protocol::member(request, "plan")) {
        FS_TRY(evaluation, protocol::evaluateRequestFromJson(request));
        FS_TRY(made, makeRunner(evaluation.candidate, *m_problem->tensors));
        own = std::move(made);
        runner = own.get();
    }
    const TimedWork work{[runner](CUstream stream) { return runner->enqueue(stream); }, nullptr};
    QuadOptions options;
    options.regime = protocol::regimeFromName(protocol::text(request, "regime", "cold"));
    options.maxQuads =
        static_cast<int>(std::clamp<std::int64_t>(protocol::integer(request, "quads", 24), 1, 480));
    options.futility = protocol::boolean(request, "futility", false);
    options.stopWhenDecided = false;
    options.budgetSeconds = kExternalDeadlineSeconds;
    Random random(protocol::unsignedInteger(request, "seed", 1));
    FS_TRY(timing, timeQuads(*m_device, *m_support, m_baseline, work, options, random, nullptr));
    return protocol::timingToJson(timing);
}

} // namespace foresight::measure
