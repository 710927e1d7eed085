// SPDX-License-Identifier: Apache-2.0
// A family: one parametrised CUDA kernel template for one kind of operator, as a folder with family.json and
// kernel.cu. It knows which operators it serves, enumerates its valid configurations for a problem and turns one into
// a kernel plan. The format is documented in resources/help/families.md.
#pragma once

#include "core/kernels/config_space.h"
#include "core/kernels/plan.h"
#include "core/kernels/problem.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace foresight {

// What the profile knows of an operator: enough for a mapping to bind a family's symbols.
struct OperatorInput {
    DType dtype = DType::Unknown;
    std::vector<std::int64_t> shape, strides; // strides empty: unknown
};
struct OperatorDescription {
    enum class Kind { Aten, Module, Region } kind = Kind::Aten;
    std::string name;                  // "aten::native_group_norm", "Qwen3RMSNorm", "native_group_norm -> silu"
    std::vector<OperatorInput> inputs; // tensors by argument position; non-tensors are entries of Unknown dtype
    std::map<int, Value> scalars;      // scalar arguments by position
    Symbols attributes;                // module attributes (num_groups, eps, variance_epsilon, ...)
};

class Family {
public:
    struct Impl; // family_impl.h
    static Result<std::shared_ptr<const Family>> load(const std::string& folder);
    ~Family();

    const std::string& name() const;
    const std::string& title() const;
    const std::string& description() const;
    const std::vector<TuningParameter>& parameters() const;
    std::vector<std::string> operatorNames() const;      // for `families`, e.g. "aten::_softmax"
    std::vector<DType> dtypes() const;
    std::vector<std::string> layouts() const;
    // Symbols a caller must or may give, with help and default text ("" = must be given).
    struct SymbolInfo { std::string name, type, defaultText, help; };
    std::vector<SymbolInfo> symbols() const;
    std::string sourceHash() const; // of kernel.cu and family.json: recorded spaces store it

    // Checks and completes symbols (defaults, derived), builds tensors. InvalidArgument says which is missing/wrong.
    Result<Problem> makeProblem(DType dtype, std::string_view layout, const Symbols& given) const;
    // Reduced shapes that keep every branch of `configuration` (tails, splits, alignment), for verification.
    Result<std::vector<Problem>> reducedProblems(const Problem& problem, const Symbols& configuration) const;

    Result<ConfigSpace> enumerate(const Problem& problem, const GpuSpec& gpu) const;
    Result<Symbols> defaultConfiguration(const Problem& problem, const GpuSpec& gpu) const;
    // Inactive parameters take their canonical value.
    Result<Symbols> canonical(const Problem& problem, const Symbols& configuration) const;
    Result<KernelPlan> instantiate(const Problem& problem, const Symbols& configuration) const;
    // The fp64 reference as a plan: same inputs, outputs in f64 (contiguous logical order).
    Result<KernelPlan> referencePlan(const Problem& problem) const;

    // The problem for a profiled operator, or nothing when no mapping applies; `why` (optional) says what was missing.
    std::optional<Problem> match(const OperatorDescription& op, std::string* why = nullptr) const;

private:
    Family();
    std::unique_ptr<Impl> m;
};

class FamilyRegistry {
public:
    // resources/kernels below `dataFolder`, then the user's own folder; a broken user family is reported in
    // `problems()` and skipped, a broken shipped one is an error.
    static Result<FamilyRegistry> load(const std::string& dataFolder, const std::string& userFolder = {});
    const std::vector<std::shared_ptr<const Family>>& families() const { return m_families; }
    const std::vector<Error>& problems() const { return m_problems; }
    std::shared_ptr<const Family> find(std::string_view name) const;
    struct Match { std::shared_ptr<const Family> family; Problem problem; };
    std::vector<Match> match(const OperatorDescription& op) const;

private:
    std::vector<std::shared_ptr<const Family>> m_families;
    std::vector<Error> m_problems;
};

} // namespace foresight
