// SPDX-License-Identifier: Apache-2.0
#include "core/profile/floors.h"

#include "core/profile/cost_rules.h"

#include <algorithm>

namespace foresight {

double inputBytes(const OperatorInput& input)
{
    double elements = 1;
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
        const bool broadcast = i < input.strides.size() && input.strides[i] == 0;
        if (!broadcast || input.shape[i] == 0)
            elements *= static_cast<double>(input.shape[i]);
    }
    return elements * dtypeBytes(input.dtype);
}

std::string plainOperatorName(std::string_view name)
{
    if (const auto at = name.rfind("::"); at != std::string_view::npos)
        name.remove_prefix(at + 2);
    name = name.substr(0, name.find('.'));
    if (name.size() > 1 && name.back() == '_')
        name.remove_suffix(1);
    return std::string(name);
}

OperatorCost operatorCost(const OperatorDescription& op)
{
    bool anyTensor = false, allKnown = true;
    double inputs = 0, largest = 0;
    DType dtype = DType::Unknown;
    for (const auto& input : op.inputs) {
        if (input.dtype == DType::Unknown) {
            allKnown = allKnown && input.shape.empty();
            continue;
        }
        anyTensor = true;
        inputs += inputBytes(input);
        largest = std::max(largest, inputBytes(input));
        if (dtype == DType::Unknown)
            dtype = input.dtype;
    }
    OperatorCost cost;
    if (!anyTensor || !allKnown)
        return cost;
    cost.dtype = dtype;
    if (op.kind == OperatorDescription::Kind::Aten && knownCost(plainOperatorName(op.name), op, cost)) {
        cost.kind = FloorKind::Known;
        return cost;
    }
    // Not in the table: it reads its inputs and writes something as large as the largest of them.
    cost.bytes = inputs + largest;
    cost.flops = 0;
    cost.kind = FloorKind::Estimate;
    return cost;
}

double costFloorNs(const OperatorCost& cost, const GpuSpec& gpu)
{
    double floorNs = gpu.emptyKernelNs;
    if (gpu.bestBandwidth() > 0)
        floorNs = std::max(floorNs, cost.bytes / gpu.bestBandwidth() * 1e9);
    double rate = gpu.peakFlopsF32;
    if (cost.matrixUnits) {
        // A floor must hold whatever the library chose, so for f32 the tf32 rate counts when there is one.
        for (const auto name : {dtypeName(cost.dtype), std::string_view("tf32")}) {
            const auto found = gpu.matrixFlops.find(std::string(name));
            if (found != gpu.matrixFlops.end() && (name != "tf32" || cost.dtype == DType::F32))
                rate = std::max(rate, found->second);
        }
    }
    if (rate > 0)
        floorNs = std::max(floorNs, cost.flops / rate * 1e9);
    return floorNs;
}

} // namespace foresight
