// SPDX-License-Identifier: Apache-2.0
// Judges runs of a plan on a TensorSet: draws inputs, computes the reference, fills outputs with NaN
// patterns, runs, and checks values, writing, red zones, inputs, repetition and replay, each with its own
// outcome. One thread. A returned Error means that the GPU failed (see Device); a bad candidate is an
// Outcome.
#pragma once

#include "core/gpu/measure/plan_runner.h"

namespace foresight::measure {

enum class InputSet { Normal, Large, Tiny, Constant, Zeros, Alternating, NanInf };
inline constexpr std::array<InputSet, 7> kInputSets{
    InputSet::Normal, InputSet::Large,       InputSet::Tiny,  InputSet::Constant,
    InputSet::Zeros,  InputSet::Alternating, InputSet::NanInf};
std::string_view inputSetName(InputSet set);

class Verifier
{
public:
    Verifier(Device& device, Support& support, double deadlineSeconds)
        : m_device(device), m_support(support), m_deadline(deadlineSeconds)
    {
    }

    // Draws all inputs. Only normally distributed floating-point tensors as large as half the largest input
    // take part in the unusual sets: weights keep their own distribution, so that every set says something.
    Result<void> drawInputs(TensorSet& tensors, InputSet set, std::uint64_t seed);
    // The reference of what drawInputs made with the same (set, seed); computed unless a slot has it.
    // Enqueues.
    Result<ReferenceSlot*> reference(TensorSet& tensors, PlanRunner& reference, InputSet set,
                                     std::uint64_t seed);

    // Draws, runs and judges once. `previous`: the reference of the data these addresses held before (replay
    // check). With `twice` the run is repeated and must repeat. The inputs of this set stay in place.
    struct RunOptions
    {
        InputSet set = InputSet::Normal;
        std::uint64_t seed = 0;
        bool twice = false;
        const ReferenceSlot* previous = nullptr;
        const char* label = ""; // of the problem, for the report
    };
    Result<Outcome> run(TensorSet& tensors, PlanRunner& candidate, PlanRunner& reference,
                        const RunOptions& options, VerificationReport& report);
    // The same judgement on data already in place (after timing).
    Result<Outcome> rerun(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot,
                          const RunOptions& options, VerificationReport& report);
    // Elements of `address` (strides of `like`) against a slot; used for outputs made by others.
    Result<void> judgeExternal(TensorSet& tensors, std::size_t output, CUdeviceptr address,
                               const TensorSpec& like, const ReferenceSlot& slot, VerificationReport& report);

private:
    Result<void> execute(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot, bool save);
    Result<Outcome> judge(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot,
                          const RunOptions& options, VerificationReport& report);
    Result<Outcome> explainWrong(TensorSet& tensors, PlanRunner& candidate, const ReferenceSlot& slot,
                                 const RunOptions& options, std::size_t output, VerificationReport& report);
    Result<void> describe(TensorSet& tensors, std::size_t output, CUdeviceptr values, const TensorSpec& like,
                          const ReferenceSlot& slot, std::uint64_t index, VerificationReport& report);
    Result<void> read(CUdeviceptr address, void* target, std::size_t bytes);
    ToleranceTerms tolerance(const TensorSpec& tensor) const
    {
        return toleranceFor(tensor.dtype, tensor.reductionLength);
    }

    Device& m_device;
    Support& m_support;
    double m_deadline;
};

std::vector<std::int64_t> coordinatesOf(std::uint64_t index, const std::vector<std::int64_t>& shape);
double decodeElement(std::uint64_t bits, DType dtype);

} // namespace foresight::measure
