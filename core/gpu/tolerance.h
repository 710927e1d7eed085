// SPDX-License-Identifier: Apache-2.0
// How far a result may be from the fp64 reference: floor + amplitude * rms(expected) + relative * |expected|.
// Pure.
#pragma once

#include "core/kernels/tensor.h"

namespace foresight {

struct ToleranceTerms
{
    double relative = 0;  // of |expected|
    double amplitude = 0; // of the root mean square of the tensor's finite expected values
    double floor = 0;     // absolute: half the smallest step of the dtype
    double at(double expected, double rms) const;
};

// Kernels accumulate in fp32 (fp64 for f64 outputs). Relative: three roundings to the output dtype (an
// intermediate that is rounded to it, the result, and a margin) plus 8 u32 sqrt(n), n elements summed to make
// one (rounding errors of a sum walk randomly: Higham, "Accuracy and Stability of Numerical
// Algorithms", 4.2-4.4). Amplitude: the same plus 2048 u32, because a value near zero that is the difference
// of larger ones carries their error: in a normalisation of constant data 1/sqrt(eps) = 316 magnifies the
// rounding of the mean. Integers and bools: exact.
ToleranceTerms toleranceFor(DType output, double reductionLength);

} // namespace foresight
