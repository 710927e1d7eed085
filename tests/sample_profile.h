// SPDX-License-Identifier: Apache-2.0
// A small profile with hand-computed figures, for tests of panels.
#pragma once

#include "core/profile/profile.h"

namespace foresight::sample {

inline ProfiledOperator op(int id, const char* name, double gpuNs, std::int64_t calls, double floorNs)
{
    ProfiledOperator o;
    o.id = OperatorId(id);
    o.description.name = name;
    o.description.inputs.push_back({DType::F16, {1, 128, 1024, 1024}, {}});
    o.modulePath = "up.0.n1";
    o.modulePaths = {"up.0.n1", "up.1.n1"};
    o.calls = calls;
    o.gpuNs = gpuNs;
    o.meanNs = gpuNs / static_cast<double>(calls);
    o.p95Ns = o.meanNs * 1.1;
    o.floorNs = floorNs;
    o.floorKind = FloorKind::Known;
    o.headroomNs = gpuNs - floorNs * static_cast<double>(calls);
    ProfiledKernel kernel;
    kernel.name = "void at::native::RowwiseMomentsCUDAKernel<c10::Half, float, int>(long, float)";
    kernel.calls = calls;
    kernel.gpuNs = gpuNs;
    o.kernels = {kernel};
    return o;
}

// group_norm has the largest headroom although mm takes more time.
inline Profile profile()
{
    Profile p;
    p.title = "sample";
    p.gpuName = "NVIDIA H200";
    p.steps = 1;
    p.gpuNs = 30e6;
    p.records.received = 1000;
    p.operators = {op(1, "aten::native_group_norm", 10e6, 4, 125e3), op(2, "aten::mm", 15e6, 10, 1.4e6),
                   op(3, "aten::silu", 5e6, 4, 1e6)};
    p.operators[2].overlapsWith = OperatorId(1);
    for (ProfiledOperator& o : p.operators)
        o.share = o.gpuNs / p.gpuNs;
    return p;
}

} // namespace foresight::sample
