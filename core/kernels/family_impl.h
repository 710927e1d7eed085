// SPDX-License-Identifier: Apache-2.0
// The parsed family.json, shared by the files that implement Family. Immutable after loading.
#pragma once

#include "core/kernels/family.h"

#include <functional>
#include <set>

namespace foresight {

struct FamilySymbol
{
    std::string name, type, help; // type: int, bool, float
    std::optional<Expression> defaultValue;
    std::optional<std::int64_t> minimum;
};

struct FamilyCondition
{
    Expression condition;
    std::string message;
    bool plan = false; // also a requirement of the plan: without it the kernel would be wrong, not only slow
};

struct FamilyTensor
{
    std::string name;
    TensorSpec::Role role = TensorSpec::Role::Input;
    std::string dtype; // "T" or a name; empty: see dtypeExpression
    std::optional<Expression> dtypeExpression, when;
    std::vector<Expression> shape;
    std::map<std::string, std::vector<Expression>> strides; // by layout; absent: contiguous
    bool followsLayout = false;
    TensorFill::Kind fill = TensorFill::Kind::Normal;
    std::map<std::string, Expression> fillValues; // mean, std, low, high
    Expression reductionLength;
    std::optional<Expression> bytes; // what must at least be read of it; absent: all of it
};

struct FamilyParameter
{
    TuningParameter values;     // the canonical value included
    std::size_t activeFrom = 0; // values before this index are canonical only
    std::optional<Expression> when;
    std::uint16_t canonical = 0;
    std::optional<Expression> defaultValue;
};

struct FamilyDefine
{
    std::string name;
    Expression value;
};

template <typename T> struct Conditional
{
    T item;
    std::optional<Expression> when;
};

struct FamilyMapping
{
    OperatorDescription::Kind kind = OperatorDescription::Kind::Aten;
    std::vector<std::string> names;
    std::vector<FamilyCondition> conditions;
    std::vector<std::pair<std::string, Expression>> bind;
    Expression dtype, layout;
};

struct Family::Impl
{
    std::string name, title, description, hash;
    std::vector<DType> dtypes;
    std::vector<std::string> layouts;
    std::vector<FamilySymbol> symbols;
    std::vector<PlanLocal> derived;
    std::vector<FamilyCondition> requirements;
    std::vector<FamilyTensor> tensors;
    Expression flops;
    std::vector<FamilyParameter> parameters;
    std::vector<TuningParameter> parameterValues; // of `parameters`, as handed out
    std::vector<PlanLocal> locals;
    std::vector<FamilyCondition> constraints;
    std::vector<FamilyDefine> defines; // of problem symbols and parameters
    std::vector<std::string> compileOptions;
    std::vector<std::pair<std::string, Expression>> alignments;
    std::vector<Conditional<PlanWorkspace>> workspaces, referenceWorkspaces;
    std::vector<Conditional<PlanLaunch>> launches, referenceLaunches;
    std::string source, referenceSource;
    std::vector<std::map<std::string, Expression>> reduced;
    std::vector<FamilyMapping> mappings;
};

// Walks the parameters of a family in order with everything known so far, evaluating `when`, locals and
// constraints as soon as their symbols are there. One walk per object; not thread-safe.
class ParameterWalk
{
public:
    // Without a GPU, constraints and locals that need one are left out.
    ParameterWalk(const Family::Impl& family, const Problem& problem, const GpuSpec* gpu);
    ParameterWalk(const ParameterWalk&) = delete;
    ParameterWalk& operator=(const ParameterWalk&) = delete;

    // Is parameter i active given those before it?
    Result<bool> active(std::size_t i) const;
    // Sets parameter i (all before it are set); false: a constraint fails, named by `failed`.
    Result<bool> set(std::size_t i, std::uint16_t code, const FamilyCondition** failed = nullptr);
    // Constraints that need no parameter.
    Result<bool> start(const FamilyCondition** failed = nullptr);
    // A parameter's `default` at this point.
    Result<Value> defaultValue(std::size_t i) const;
    std::uint16_t code(std::size_t i) const { return m_codes[i]; }
    const std::vector<std::uint16_t>& codes() const { return m_codes; }

private:
    struct Step
    { // one local or constraint
        const Expression* expression = nullptr;
        std::vector<const Value*> values;
        Value* result = nullptr;                     // of a local
        const FamilyCondition* constraint = nullptr; // else
    };
    std::vector<const Value*> resolve(const Expression& expression, std::size_t before, bool* complete,
                                      std::size_t* depth) const;
    Result<bool> runSteps(const std::vector<Step>& steps, const FamilyCondition** failed);

    const Family::Impl& m_family;
    Symbols m_fixed;
    std::vector<Value> m_values; // current value of each parameter
    std::vector<std::uint16_t> m_codes;
    std::vector<Value> m_localValues;
    std::vector<bool> m_localKnown;
    std::vector<std::size_t> m_localDepth;
    std::vector<std::vector<Step>> m_steps; // [0]: before any parameter; [i + 1]: after parameter i
    std::vector<std::vector<const Value*>> m_when;
};

Result<bool> truthOf(const Value& value, const Expression& expression);
// Position of a value in a parameter's list.
std::optional<std::uint16_t> codeOf(const TuningParameter& parameter, const Value& value);
Result<std::vector<std::uint16_t>> canonicalCodes(const Family::Impl& family, const Problem& problem,
                                                  const Symbols& configuration);

// What a mapping's expressions may call: dim, ndim, numel, stride, has, scalar, has_scalar, attr, has_attr,
// dtype, contiguous, channels_last.
Expression::Functions operatorFunctions(const OperatorDescription& op);

// ParseError naming the place of the first expression that reads something unknown there. `what` names the file.
Result<void> checkFamilyNames(const Family::Impl& family, const std::string& what);

} // namespace foresight
