// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/reference.h"

#include "core/kernels/reference_detail.h"

namespace foresight {

Result<std::vector<std::vector<double>>> cpuReference(const Problem& problem,
                                                      const std::vector<std::vector<double>>& inputs)
{
    std::size_t wanted = 0;
    for (const TensorSpec& tensor : problem.tensors) {
        if (tensor.role == TensorSpec::Role::Output)
            continue;
        if (wanted >= inputs.size() || static_cast<std::int64_t>(inputs[wanted].size()) != tensor.elements())
            return makeError(ErrorCode::InvalidArgument, "reference of " + problem.family + ": input '" +
                                                             tensor.name + "' has the wrong size");
        ++wanted;
    }
    if (wanted != inputs.size())
        return makeError(ErrorCode::InvalidArgument, "reference of " + problem.family + ": too many inputs");
    if (problem.family == "group_norm")
        return groupNormReference(problem, inputs);
    if (problem.family == "rms_norm")
        return rmsNormReference(problem, inputs);
    if (problem.family == "softmax")
        return softmaxReference(problem, inputs);
    if (problem.family == "skinny_linear")
        return skinnyLinearReference(problem, inputs);
    if (problem.family == "cumsum")
        return cumsumReference(problem, inputs);
    if (problem.family == "row_reduce")
        return rowReduceReference(problem, inputs);
    if (problem.family == "cross_entropy")
        return crossEntropyReference(problem, inputs);
    if (problem.family == "embedding")
        return embeddingReference(problem, inputs);
    if (problem.family == "max_pool2d")
        return maxPool2dReference(problem, inputs);
    if (problem.family == "permute_copy")
        return permuteCopyReference(problem, inputs);
    if (problem.family == "silu")
        return siluReference(problem, inputs);
    if (problem.family == "gelu")
        return geluReference(problem, inputs);
    if (problem.family == "relu")
        return reluReference(problem, inputs);
    if (problem.family == "add")
        return addReference(problem, inputs);
    if (problem.family == "gated")
        return gatedReference(problem, inputs);
    if (problem.family == "rope")
        return ropeReference(problem, inputs);
    if (problem.family == "batch_norm")
        return batchNormReference(problem, inputs);
    if (problem.family == "layer_norm")
        return layerNormReference(problem, inputs);
    if (problem.family == "add_rms_norm")
        return addRmsNormReference(problem, inputs);
    if (problem.family == "fp8_quantise")
        return fp8QuantiseReference(problem, inputs);
    return makeError(ErrorCode::Unsupported,
                     "there is no CPU reference for the family '" + problem.family + "'");
}

} // namespace foresight
