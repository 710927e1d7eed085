// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/verify.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace foresight::measure {

namespace {

void addHistogram(VerificationReport& report, const CompareResult& result)
{
    report.ulpHistogram.resize(18, 0);
    for (std::size_t i = 0; i < 18; ++i)
        report.ulpHistogram[i] += static_cast<std::int64_t>(result.histogram[i]);
}

void fail(VerificationReport& report, const char* check, const Verifier::RunOptions& options,
          const std::string& tensor)
{
    report.passed = false;
    report.failedCheck = check;
    report.failedInput =
        std::string(inputSetName(options.set)) + (*options.label ? std::string(", ") + options.label : "");
    report.tensor = tensor;
}

} // namespace

std::vector<std::int64_t> coordinatesOf(std::uint64_t index, const std::vector<std::int64_t>& shape)
{
    std::vector<std::int64_t> coordinates(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(shape[d], 1));
        coordinates[d] = static_cast<std::int64_t>(index % extent);
        index /= extent;
    }
    return coordinates;
}

double decodeElement(std::uint64_t bits, DType dtype)
{
    const auto small = [bits](int exponentBits, int fractionBits, bool infinities) {
        const std::uint64_t fractionMask = (1ull << fractionBits) - 1,
                            exponentMask = (1ull << exponentBits) - 1;
        const auto exponent = static_cast<int>((bits >> fractionBits) & exponentMask);
        const auto fraction = static_cast<double>(bits & fractionMask);
        const double sign = (bits >> (exponentBits + fractionBits)) & 1 ? -1 : 1;
        const int bias = (1 << (exponentBits - 1)) - 1;
        if (infinities && exponent == static_cast<int>(exponentMask))
            return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::quiet_NaN();
        if (!infinities && exponent == static_cast<int>(exponentMask) &&
            (bits & fractionMask) == fractionMask)
            return std::numeric_limits<double>::quiet_NaN();
        if (exponent == 0)
            return sign * std::ldexp(fraction, 1 - bias - fractionBits);
        return sign * std::ldexp(1 + std::ldexp(fraction, -fractionBits), exponent - bias);
    };
    const auto as = [bits](auto value) {
        std::memcpy(&value, &bits, sizeof value);
        return static_cast<double>(value);
    };
    switch (dtype) {
    case DType::F64:
        return as(double{});
    case DType::F32:
        return as(float{});
    case DType::F16:
        return small(5, 10, true);
    case DType::BF16:
        return small(8, 7, true);
    case DType::F8E4M3:
        return small(4, 3, false);
    case DType::I64:
        return as(std::int64_t{});
    case DType::I32:
        return as(std::int32_t{});
    case DType::I16:
        return as(std::int16_t{});
    case DType::I8:
        return as(std::int8_t{});
    default:
        return as(std::uint8_t{});
    }
}

Result<void> Verifier::read(CUdeviceptr address, void* target, std::size_t bytes)
{
    FS_CHECK(m_device.check(m_device.cu().cuMemcpyDtoHAsync(target, address, bytes, m_device.stream()),
                            "reading a value"));
    return m_device.wait(m_deadline);
}

// One run on the inputs in place. All of it is enqueued; results arrive with one wait.
Result<void> Verifier::execute(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot,
                               bool save)
{
    const auto sum = [&](bool after) -> Result<void> {
        for (std::size_t i = 0; i < tensors.inputs().size(); ++i)
            FS_CHECK(m_support.checksum(tensors.address(tensors.inputs()[i]),
                                        tensors.bytes(tensors.inputs()[i]),
                                        tensors.sumsResult(after) + 8 * i));
        return {};
    };
    FS_CHECK(tensors.clearResults());
    FS_CHECK(sum(false));
    for (std::size_t output : tensors.outputs())
        FS_CHECK(m_support.fillOutput(tensors.address(output),
                                      static_cast<std::uint64_t>(tensors.spec(output).storageElements()),
                                      tensors.spec(output).dtype));
    FS_CHECK(candidate.poisonWorkspaces());
    FS_CHECK(candidate.enqueue(m_device.stream()));
    for (std::size_t o = 0; o < tensors.outputs().size(); ++o) {
        const std::size_t output = tensors.outputs()[o];
        const TensorSpec& tensor = tensors.spec(output);
        CUdeviceptr judged = tensors.address(output);
        if (save) {
            judged = tensors.saved(o);
            FS_CHECK(m_device.check(m_device.cu().cuMemcpyDtoDAsync(judged, tensors.address(output),
                                                                    tensors.bytes(output), m_device.stream()),
                                    "copying an output"));
        } else {
            FS_CHECK(m_support.compareRuns(tensors.saved(o), judged, tensor, tolerance(tensor),
                                           slot.stats.address() + 16 * o, tensors.runsResult(o)));
        }
        FS_CHECK(m_support.compare(judged, tensor, slot.values[o].address(), tolerance(tensor),
                                   slot.stats.address() + 16 * o, tensors.compareResult(o)));
    }
    FS_CHECK(tensors.zones().enqueueCheck(m_support, tensors.zonesResult()));
    FS_CHECK(candidate.enqueueZoneCheck(m_support, tensors.workspaceZonesResult()));
    FS_CHECK(sum(true));
    FS_CHECK(tensors.fetchResults());
    return m_device.wait(m_deadline);
}

Result<void> Verifier::describe(TensorSet& tensors, std::size_t output, CUdeviceptr values,
                                const TensorSpec& like, const ReferenceSlot& slot, std::uint64_t index,
                                VerificationReport& report)
{
    const TensorSpec& tensor = tensors.spec(tensors.outputs()[output]);
    report.firstBadIndex = coordinatesOf(index, tensor.shape);
    std::uint64_t offset = 0;
    for (std::size_t d = 0; d < like.strides.size(); ++d)
        offset += static_cast<std::uint64_t>(report.firstBadIndex[d] * like.strides[d]);
    const auto width = static_cast<std::size_t>(dtypeBytes(tensor.dtype));
    std::uint64_t bits = 0;
    double stats[2] = {};
    FS_CHECK(read(values + offset * width, &bits, width));
    FS_CHECK(read(slot.values[output].address() + index * 8, &report.firstBadExpected, 8));
    FS_CHECK(read(slot.stats.address() + 16 * output, stats, 16));
    report.firstBadValue = decodeElement(bits, tensor.dtype);
    report.tolerance =
        tolerance(tensor).at(report.firstBadExpected, stats[1] > 0 ? std::sqrt(stats[0] / stats[1]) : 0.0);
    return {};
}

// Values are wrong: is it a race, an old result, or just wrong?
Result<Outcome> Verifier::explainWrong(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot,
                                       const RunOptions& options, std::size_t output,
                                       VerificationReport& report)
{
    const TensorSpec& tensor = tensors.spec(tensors.outputs()[output]);
    FS_CHECK(describe(tensors, output, tensors.saved(output), tensor, slot, tensors.compared(output).firstBad,
                      report));
    if (options.previous) {
        FS_CHECK(tensors.clearResults());
        FS_CHECK(m_support.compare(tensors.saved(output), tensor, options.previous->values[output].address(),
                                   tolerance(tensor), options.previous->stats.address() + 16 * output,
                                   tensors.compareResult(output)));
        FS_CHECK(tensors.fetchResults());
        FS_CHECK(m_device.wait(m_deadline));
        if (tensors.compared(output).bad == 0 && tensors.compared(output).unwritten == 0) {
            fail(report, "replay", options, tensor.name);
            return Outcome::Replayed;
        }
    }
    FS_CHECK(execute(tensors, candidate, slot, false));
    if (tensors.runs(output).bad > 0) {
        fail(report, "determinism", options, tensor.name);
        return Outcome::Nondeterministic;
    }
    fail(report, "values", options, tensor.name);
    return Outcome::WrongResult;
}

Result<Outcome> Verifier::judge(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot,
                                const RunOptions& options, VerificationReport& report)
{
    std::size_t damaged = 0;
    bool workspace = false;
    if (tensors.zonesDamaged(&damaged, &workspace)) {
        fail(report, "red zones", options, workspace ? "workspace" : tensors.spec(damaged).name);
        FS_CHECK(tensors.zones().refill(m_support));
        FS_CHECK(candidate.refillZones(m_support));
        return Outcome::OutOfBounds;
    }
    if (tensors.inputsChanged(&damaged)) {
        fail(report, "inputs", options, tensors.spec(damaged).name);
        return Outcome::InputModified;
    }
    for (std::size_t o = 0; o < tensors.outputs().size(); ++o) {
        const CompareResult& result = tensors.compared(o);
        const TensorSpec& tensor = tensors.spec(tensors.outputs()[o]);
        report.elements += tensor.elements();
        addHistogram(report, result);
        if (result.unwritten > 0) {
            report.badElements = static_cast<std::int64_t>(result.unwritten);
            fail(report, "written", options, tensor.name);
            FS_CHECK(describe(tensors, o, tensors.saved(o), tensor, slot, result.firstUnwritten, report));
            return Outcome::NotWritten;
        }
        report.maxAbsError = std::max(report.maxAbsError, result.maxAbsError());
        report.maxRelError = std::max(report.maxRelError, result.maxRelError());
        if (result.bad > 0) {
            report.badElements = static_cast<std::int64_t>(result.bad);
            return explainWrong(tensors, candidate, slot, options, o, report);
        }
    }
    return Outcome::Ok;
}

Result<Outcome> Verifier::rerun(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot,
                                const RunOptions& options, VerificationReport& report)
{
    FS_CHECK(execute(tensors, candidate, slot, true));
    FS_TRY(outcome, judge(tensors, candidate, slot, options, report));
    if (outcome != Outcome::Ok || !options.twice)
        return outcome;
    FS_CHECK(execute(tensors, candidate, slot, false));
    for (std::size_t o = 0; o < tensors.outputs().size(); ++o)
        if (tensors.runs(o).bad > 0 || tensors.compared(o).unwritten > 0) {
            report.badElements =
                static_cast<std::int64_t>(std::max(tensors.runs(o).bad, tensors.compared(o).unwritten));
            fail(report, "determinism", options, tensors.spec(tensors.outputs()[o]).name);
            return Outcome::Nondeterministic;
        }
    return Outcome::Ok;
}

Result<Outcome> Verifier::run(TensorSet& tensors, PlanRunner& candidate, PlanRunner& reference,
                              const RunOptions& options, VerificationReport& report)
{
    FS_CHECK(drawInputs(tensors, options.set, options.seed));
    FS_TRY(slot, this->reference(tensors, reference, options.set, options.seed));
    const std::string tried =
        std::string(inputSetName(options.set)) + (*options.label ? std::string(", ") + options.label : "");
    if (std::find(report.inputsTried.begin(), report.inputsTried.end(), tried) == report.inputsTried.end())
        report.inputsTried.push_back(tried);
    return rerun(tensors, candidate, *slot, options, report);
}

Result<void> Verifier::judgeExternal(TensorSet& tensors, std::size_t output, CUdeviceptr address,
                                     const TensorSpec& like, const ReferenceSlot& slot,
                                     VerificationReport& report)
{
    const TensorSpec& tensor = tensors.spec(tensors.outputs()[output]);
    FS_CHECK(tensors.clearResults());
    FS_CHECK(m_support.compare(address, like, slot.values[output].address(), tolerance(tensor),
                               slot.stats.address() + 16 * output, tensors.compareResult(output)));
    FS_CHECK(tensors.fetchResults());
    FS_CHECK(m_device.wait(m_deadline));
    const CompareResult& result = tensors.compared(output);
    report.elements += tensor.elements();
    addHistogram(report, result);
    report.maxAbsError = std::max(report.maxAbsError, result.maxAbsError());
    report.maxRelError = std::max(report.maxRelError, result.maxRelError());
    report.passed = result.bad == 0 && result.unwritten == 0;
    if (!report.passed) {
        report.failedCheck = "values";
        report.tensor = tensor.name;
        report.badElements = static_cast<std::int64_t>(result.bad + result.unwritten);
        FS_CHECK(describe(tensors, output, address, like, slot,
                          std::min(result.firstBad, result.firstUnwritten), report));
    }
    return {};
}

} // namespace foresight::measure
