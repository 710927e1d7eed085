// SPDX-License-Identifier: Apache-2.0
// From a configuration to a kernel plan; the reference plan; reduced problems.
#include "core/kernels/family_impl.h"

#include <algorithm>

namespace foresight {

namespace {

std::string macroValue(const Value& value)
{
    if (const bool* b = std::get_if<bool>(&value))
        return *b ? "1" : "0";
    return valueText(value);
}

// Macros every kernel of a family gets: its element type and layout.
void addTypeMacros(const Problem& problem, std::vector<std::string>* options)
{
    std::string type(dtypeName(problem.dtype));
    std::transform(type.begin(), type.end(), type.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    options->push_back("-DT_" + type + "=1");
    options->push_back("-DT_BYTES=" + std::to_string(dtypeBytes(problem.dtype)));
    options->push_back("-DLAYOUT_" + problem.layout + "=1");
}

bool reads(const Expression& expression, const Symbols& symbols)
{
    const auto& names = expression.symbolNames();
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return symbols.contains(name); });
}

Result<Expression> literal(const Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return Expression::parse("'" + *text + "'");
    return Expression::parse(valueText(value));
}

// The plan was made for this value of the expression: other problems must agree.
Result<void> pin(const Expression& expression, const Value& value, const std::string& why, KernelPlan* plan)
{
    FS_TRY(constant, literal(value));
    FS_TRY(condition, Expression::parse("(" + expression.text() + ") == " + constant.text()));
    plan->requirements.push_back({condition, why});
    return {};
}

// Launches and workspaces whose `when` holds. Tensors the problem does not have become null pointers.
Result<void> addParts(const std::vector<Conditional<PlanWorkspace>>& workspaces,
                      const std::vector<Conditional<PlanLaunch>>& launches, const Problem& problem,
                      const Symbols& symbols, KernelPlan* plan)
{
    const auto wanted = [&](const std::optional<Expression>& when) -> Result<bool> {
        if (!when)
            return true;
        FS_TRY(holds, when->evaluateBool(symbols));
        if (reads(*when, problem.symbols))
            FS_CHECK(pin(*when, Value(holds),
                         "the kernel was made for " + when->text() + " = " + (holds ? "true" : "false"),
                         plan));
        return holds;
    };
    FS_TRY(null, Expression::parse("0"));
    for (const auto& workspace : workspaces) {
        FS_TRY(use, wanted(workspace.when));
        if (use)
            plan->workspaces.push_back(workspace.item);
    }
    const auto named = [](const auto& list, const std::string& name) {
        return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry.name == name; });
    };
    for (const auto& launch : launches) {
        FS_TRY(use, wanted(launch.when));
        if (!use)
            continue;
        PlanLaunch copy = launch.item;
        for (PlanArgument& argument : copy.arguments) {
            const bool missing =
                (argument.kind == PlanArgument::Kind::Tensor && !named(problem.tensors, argument.name)) ||
                (argument.kind == PlanArgument::Kind::Workspace && !named(plan->workspaces, argument.name));
            if (missing)
                argument = {PlanArgument::Kind::Scalar, argument.name, "i64", null};
        }
        plan->launches.push_back(std::move(copy));
    }
    return {};
}

} // namespace

Result<KernelPlan> Family::instantiate(const Problem& problem, const Symbols& configuration) const
{
    FS_TRY(codes, canonicalCodes(*m, problem, configuration));
    KernelPlan plan;
    plan.family = m->name;
    plan.source = m->source;
    plan.locals = m->locals;
    plan.compileOptions = m->compileOptions;
    addTypeMacros(problem, &plan.compileOptions);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const TuningParameter& parameter = m->parameters[i].values;
        const Value& value = parameter.values[codes[i]];
        plan.parameters[parameter.name] = value;
        if (std::holds_alternative<std::string>(value)) {
            plan.compileOptions.push_back("-DP_" + parameter.name + "_" + valueText(value) + "=1");
            plan.compileOptions.push_back("-DP_" + parameter.name + "=" + std::to_string(codes[i]));
        } else {
            plan.compileOptions.push_back("-DP_" + parameter.name + "=" + macroValue(value));
        }
    }
    Symbols symbols = problemSymbols(problem);
    FS_TRY(sameDtype, Expression::parse("dtype"));
    FS_TRY(sameLayout, Expression::parse("layout"));
    FS_CHECK(pin(sameDtype, symbols.at("dtype"), "the kernel was made for " + valueText(symbols.at("dtype")),
                 &plan));
    FS_CHECK(
        pin(sameLayout, symbols.at("layout"), "the kernel was made for layout " + problem.layout, &plan));
    for (const auto& [name, value] : plan.parameters)
        symbols.insert_or_assign(name, value);
    for (const FamilyDefine& define : m->defines) {
        FS_TRY(value, define.value.evaluate(symbols));
        plan.compileOptions.push_back("-D" + define.name + "=" + macroValue(value));
        if (reads(define.value, problem.symbols))
            FS_CHECK(pin(define.value, value,
                         "the kernel was made for " + define.value.text() + " = " + valueText(value), &plan));
    }
    for (const auto& [tensor, bytes] : m->alignments) {
        FS_TRY(value, bytes.evaluateInteger(symbols));
        plan.alignments.push_back({tensor, value});
    }
    for (const FamilyCondition& requirement : m->requirements)
        plan.requirements.push_back({requirement.condition, requirement.message});
    for (const FamilyCondition& constraint : m->constraints) {
        if (!constraint.plan)
            continue;
        plan.requirements.push_back({constraint.condition, constraint.message});
        const auto& names = constraint.condition.symbolNames();
        if (!std::all_of(names.begin(), names.end(),
                         [&](const std::string& name) { return symbols.contains(name); }))
            continue; // needs the GPU or a local: checked when the plan is bound
        FS_TRY(holds, constraint.condition.evaluateBool(symbols));
        if (!holds)
            return makeError(ErrorCode::InvalidArgument, m->name + ": " + constraint.message,
                             "Configuration: " + symbolsText(plan.parameters));
    }
    FS_CHECK(addParts(m->workspaces, m->launches, problem, symbols, &plan));
    return plan;
}

Result<KernelPlan> Family::referencePlan(const Problem& problem) const
{
    KernelPlan plan;
    plan.family = m->name;
    plan.source = m->referenceSource;
    plan.compileOptions = m->compileOptions;
    addTypeMacros(problem, &plan.compileOptions);
    const Symbols symbols = problemSymbols(problem);
    FS_CHECK(addParts(m->referenceWorkspaces, m->referenceLaunches, problem, symbols, &plan));
    return plan;
}

Result<std::vector<Problem>> Family::reducedProblems(const Problem& problem,
                                                     const Symbols& configuration) const
{
    FS_TRY(complete, canonical(problem, configuration));
    Symbols symbols = problemSymbols(problem);
    for (const auto& [name, value] : complete)
        symbols.insert_or_assign(name, value);
    FS_TRY(own, instantiate(problem, complete));
    std::vector<Problem> problems;
    std::optional<Error> firstError;
    for (const auto& shape : m->reduced) {
        Symbols given;
        for (const FamilySymbol& symbol : m->symbols) {
            const auto override = shape.find(symbol.name);
            if (override == shape.end()) {
                given[symbol.name] = problem.symbols.at(symbol.name);
                continue;
            }
            FS_TRY(value, override->second.evaluate(symbols));
            given[symbol.name] = value;
        }
        auto reduced = makeProblem(problem.dtype, problem.layout, given);
        if (reduced) {
            auto plan =
                instantiate(*reduced, complete); // shapes the configuration cannot serve are of no use
            if (plan && plan->compileOptions != own.compileOptions)
                continue; // another kernel than the one to be checked
            if (plan) {
                if (std::none_of(problems.begin(), problems.end(),
                                 [&](const Problem& p) { return p.key == reduced->key; }))
                    problems.push_back(std::move(*reduced));
                continue;
            }
            if (!firstError)
                firstError = plan.error();
        } else if (!firstError) {
            firstError = reduced.error();
        }
    }
    if (problems.empty() && firstError)
        return firstError->within("no reduced shape for " + symbolsText(complete));
    return problems;
}

} // namespace foresight
