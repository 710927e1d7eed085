// SPDX-License-Identifier: Apache-2.0
// A kernel plan: CUDA C++ source plus what to launch, as data. Sizes are expressions over symbols, so one plan serves
// every shape its `requires` allow; the same plan drives measuring, the window and the run-time guard. Binding a plan
// to symbols checks every device limit before anything is launched.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/kernels/expression.h"
#include "core/kernels/problem.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace foresight {

struct PlanArgument {
    enum class Kind { Tensor, Workspace, Scalar } kind = Kind::Tensor;
    std::string name;       // tensor or workspace
    std::string type;       // Scalar: "i32", "i64", "f32", "f64"
    Expression value;       // Scalar
};

struct PlanLaunch {
    std::string kernel;     // extern "C" name
    std::array<Expression, 3> grid, block;
    Expression sharedBytes; // dynamic
    bool cooperative = false;
    std::array<Expression, 3> cluster; // 0 0 0: none
    std::vector<PlanArgument> arguments;
};

struct PlanWorkspace {
    std::string name;
    Expression bytes;
    bool zeroed = false; // cleared before the first launch of every call (counted as part of the call)
};

struct PlanRequirement {
    Expression condition;
    std::string message;
};

// A named intermediate value, computed in order when the plan is bound; visible to later expressions.
struct PlanLocal {
    std::string name;
    Expression value;
};

// Bytes a tensor's pointer must be divisible by. A tensor that is not named needs its element size only.
struct PlanAlignment {
    std::string tensor;
    std::int64_t bytes = 0;
};

// Expressions see: the problem's symbols, `dtype`, `layout`, `elementBytes`, the GPU's limits (gpuSymbols), the
// parameters and the locals, later ones winning.
struct KernelPlan {
    std::string family;        // empty for free-standing candidates
    Symbols parameters;        // the configuration; visible to the expressions
    std::vector<PlanLocal> locals;
    std::vector<PlanAlignment> alignments;
    std::string source;        // CUDA C++
    std::vector<std::string> compileOptions; // "-DVEC=8", "--use_fast_math", ...; never include paths
    std::vector<PlanWorkspace> workspaces;
    std::vector<PlanLaunch> launches;
    std::vector<PlanRequirement> requirements;

    // sha256 over normalised source (line ends, trailing blanks), options, parameters, locals, alignments, launches,
    // workspaces, requirements.
    std::string contentHash() const;
};

Result<KernelPlan> planFromJson(const Json& json, std::string_view what);
Json planToJson(const KernelPlan& plan);

struct BoundArgument {
    PlanArgument::Kind kind = PlanArgument::Kind::Tensor;
    std::string name;
    std::string type;
    std::int64_t integer = 0;
    double real = 0;
};

struct BoundLaunch {
    std::string kernel;
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};
    std::int64_t sharedBytes = 0;
    bool cooperative = false;
    std::vector<BoundArgument> arguments;
};

struct BoundWorkspace {
    std::string name;
    std::int64_t bytes = 0;
    bool zeroed = false;
};

// Numbers only; what the worker executes. No launches when an output has no elements.
struct BoundPlan {
    struct Alignment { std::string tensor; std::int64_t bytes = 0; };
    std::vector<Alignment> alignments; // of every tensor of the problem, at least its element size
    std::vector<BoundWorkspace> workspaces;
    std::vector<BoundLaunch> launches;
};

// The GPU's limits as expressions see them: smCount, maxThreadsPerBlock, maxThreadsPerSm, maxBlocksPerSm,
// registersPerSm, sharedPerBlock, sharedPerBlockOptin, sharedPerSm, reservedSharedPerBlock, l2Bytes, memoryBytes, arch.
Symbols gpuSymbols(const GpuSpec& gpu);
// What a problem gives to expressions: its symbols, dtype, layout, elementBytes.
Symbols problemSymbols(const Problem& problem);

// Evaluates the plan for a problem. InvalidArgument with the failed requirement's message when it does not apply;
// ResourceLimit when a launch exceeds the GPU's grid, block or shared-memory limits or an i32 argument overflows.
Result<BoundPlan> bindPlan(const KernelPlan& plan, const Problem& problem, const GpuSpec& gpu);
Json boundPlanToJson(const BoundPlan& plan);
Result<BoundPlan> boundPlanFromJson(const Json& json, std::string_view what);

} // namespace foresight
