// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/tolerance.h"

#include <algorithm>
#include <cmath>

namespace foresight {

double ToleranceTerms::at(double expected, double rms) const
{
    return floor + amplitude * rms + relative * std::fabs(expected);
}

ToleranceTerms toleranceFor(DType output, double reductionLength)
{
    constexpr double kUnitF32 = 0x1p-24;
    double unit = 0, accumulate = kUnitF32, smallest = 0;
    switch (output) {
    case DType::F64:
        unit = accumulate = 0x1p-53;
        smallest = 0x1p-1074;
        break;
    case DType::F32:
        unit = kUnitF32;
        smallest = 0x1p-126; // kernels may flush denormals
        break;
    case DType::F16:
        unit = 0x1p-11;
        smallest = 0x1p-25;
        break;
    case DType::BF16:
        unit = 0x1p-8;
        smallest = 0x1p-126;
        break;
    case DType::F8E4M3:
        unit = 0x1p-4;
        smallest = 0x1p-10;
        break;
    default:
        return {};
    }
    ToleranceTerms terms;
    terms.relative = 3 * unit + 8 * accumulate * std::sqrt(std::max(1.0, reductionLength));
    terms.amplitude = 8 * accumulate * std::sqrt(std::max(1.0, reductionLength)) + 2048 * accumulate;
    terms.floor = smallest;
    return terms;
}

} // namespace foresight
