// SPDX-License-Identifier: Apache-2.0
// Drawing inputs and computing references.
#include "core/base/random.h"
#include "core/gpu/measure/verify.h"

#include <algorithm>
#include <limits>

namespace foresight::measure {

namespace {

std::uint64_t mixSeed(std::uint64_t seed, std::uint64_t salt)
{
    return Random(seed ^ (salt * 0x9e3779b97f4a7c15ull)).next();
}

bool isFloat(DType dtype)
{
    return dtype == DType::F64 || dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16 ||
           dtype == DType::F8E4M3;
}

// Large values keep squares and sums finite in fp32; tiny ones reach the denormals of the dtype.
double largeScale(DType dtype)
{
    return dtype == DType::F8E4M3 ? 64 : dtype == DType::F16 ? 2e3 : 1e4;
}
double tinyScale(DType dtype)
{
    return dtype == DType::F8E4M3 ? 0.01 : dtype == DType::F16 ? 1e-4 : 1e-6;
}

TensorFill fillFor(const TensorSpec& tensor, InputSet set)
{
    TensorFill fill = tensor.fill;
    switch (set) {
    case InputSet::Large:
        fill.std *= largeScale(tensor.dtype);
        break;
    case InputSet::Tiny:
        fill.mean *= tinyScale(tensor.dtype);
        fill.std *= tinyScale(tensor.dtype);
        break;
    case InputSet::Constant:
        // Variance zero. Small, so that one fp32 rounding of a mean, times 1 / sqrt(eps), stays within tolerance: a
        // normalisation of a larger constant is ill-conditioned in fp32 for every implementation.
        fill.kind = TensorFill::Kind::Constant;
        fill.mean = 1.0 / 64;
        break;
    case InputSet::Zeros:
        fill.kind = TensorFill::Kind::Constant;
        fill.mean = 0;
        break;
    default:
        break;
    }
    return fill;
}

} // namespace

std::string_view inputSetName(InputSet set)
{
    switch (set) {
    case InputSet::Normal:
        return "normal";
    case InputSet::Large:
        return "large";
    case InputSet::Tiny:
        return "tiny";
    case InputSet::Constant:
        return "constant";
    case InputSet::Zeros:
        return "zeros";
    case InputSet::Alternating:
        return "alternating";
    case InputSet::NanInf:
        return "nan and inf";
    }
    return "normal";
}

Result<void> Verifier::drawInputs(TensorSet& tensors, InputSet set, std::uint64_t seed)
{
    std::int64_t largest = 0;
    for (std::size_t i : tensors.inputs())
        largest = std::max(largest, tensors.spec(i).storageElements());
    for (std::size_t i : tensors.inputs()) {
        const TensorSpec& tensor = tensors.spec(i);
        const auto elements = static_cast<std::uint64_t>(tensor.storageElements());
        const bool takesPart = tensor.fill.kind == TensorFill::Kind::Normal && isFloat(tensor.dtype) &&
                               2 * tensor.storageElements() >= largest;
        const TensorFill fill = takesPart ? fillFor(tensor, set) : tensor.fill;
        const std::uint64_t tensorSeed = mixSeed(seed, i + 1);
        FS_CHECK(m_support.fill(tensors.address(i), elements, tensor.dtype, fill, tensorSeed,
                                takesPart && set == InputSet::Alternating));
        if (!takesPart || set != InputSet::NanInf || elements == 0 || tensor.dtype == DType::F8E4M3)
            continue;
        // A few in places of their own, so that rows without, with NaN, and with each infinity occur.
        Random places(tensorSeed);
        for (double value :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()})
            FS_CHECK(m_support.poke(tensors.address(i), places.below(elements), tensor.dtype, value));
    }
    return {};
}

Result<ReferenceSlot*> Verifier::reference(TensorSet& tensors, PlanRunner& reference, InputSet set,
                                           std::uint64_t seed)
{
    const std::uint64_t now = tensors.tick();
    ReferenceSlot* oldest = nullptr;
    for (ReferenceSlot& slot : tensors.slots()) {
        if (slot.set == static_cast<int>(set) && slot.seed == seed) {
            slot.used = now;
            return &slot;
        }
        if (!oldest || slot.used < oldest->used)
            oldest = &slot;
    }
    FS_CHECK(reference.rebind(tensors.referenceAddresses(*oldest)));
    FS_CHECK(m_device.check(
        m_device.cu().cuMemsetD8Async(oldest->stats.address(), 0, oldest->stats.bytes(), m_device.stream()),
        "clearing sums"));
    oldest->set = -1;
    FS_CHECK(reference.enqueue(m_device.stream()));
    for (std::size_t o = 0; o < tensors.outputs().size(); ++o)
        FS_CHECK(m_support.stats(oldest->values[o].address(),
                                 static_cast<std::uint64_t>(tensors.spec(tensors.outputs()[o]).elements()),
                                 oldest->stats.address() + 16 * o));
    oldest->set = static_cast<int>(set);
    oldest->seed = seed;
    oldest->used = now;
    return oldest;
}

} // namespace foresight::measure
