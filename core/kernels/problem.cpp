// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/problem.h"

#include <algorithm>

namespace foresight {

double Problem::floorNs(const GpuSpec& gpu) const
{
    double floor = gpu.emptyKernelNs;
    if (const double bandwidth = gpu.bestBandwidth(); bandwidth > 0)
        floor = std::max(floor, compulsoryBytes / bandwidth * 1e9);
    if (gpu.peakFlopsF32 > 0)
        floor = std::max(floor, flops / gpu.peakFlopsF32 * 1e9);
    return floor;
}

} // namespace foresight
