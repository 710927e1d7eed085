// SPDX-License-Identifier: Apache-2.0
// Every expression of a family may read only what exists when it is evaluated.
#include "core/kernels/family_impl.h"

#include <set>

namespace foresight {

Result<void> checkFamilyNames(const Family::Impl& m, const std::string& what)
{
    const auto fail = [&](const std::string& message) {
        return makeError(ErrorCode::ParseError, what + ": " + message,
                         "The format is described in the help page on families.");
    };
    using Names = std::set<std::string, std::less<>>;
    const auto check = [&](const Expression& expression, const Names& known,
                           const std::string& where) -> Result<void> {
        for (const std::string& name : expression.symbolNames())
            if (!known.contains(name))
                return fail(where + ": unknown symbol '" + name + "' in \"" + expression.text() + "\"");
        return {};
    };
    const auto checkOptional = [&](const std::optional<Expression>& expression, const Names& known,
                                   const std::string& where) -> Result<void> {
        return expression ? check(*expression, known, where) : Result<void>();
    };
    Names problem = {"dtype", "layout", "elementBytes"};
    const auto add = [&](Names* names, const std::string& name) -> Result<void> {
        if (!names->insert(name).second)
            return fail("the name '" + name + "' is used twice");
        return {};
    };
    for (const FamilySymbol& symbol : m.symbols) {
        FS_CHECK(checkOptional(symbol.defaultValue, problem, "default of '" + symbol.name + "'"));
        FS_CHECK(add(&problem, symbol.name));
    }
    for (const PlanLocal& derived : m.derived) {
        FS_CHECK(check(derived.value, problem, "derived '" + derived.name + "'"));
        FS_CHECK(add(&problem, derived.name));
    }
    for (const FamilyCondition& requirement : m.requirements)
        FS_CHECK(check(requirement.condition, problem, "requires"));
    FS_CHECK(check(m.flops, problem, "flops"));
    for (const FamilyTensor& tensor : m.tensors) {
        const std::string where = "tensor '" + tensor.name + "'";
        FS_CHECK(checkOptional(tensor.when, problem, where));
        FS_CHECK(checkOptional(tensor.dtypeExpression, problem, where));
        for (const Expression& extent : tensor.shape)
            FS_CHECK(check(extent, problem, where));
        for (const auto& [layout, strides] : tensor.strides)
            for (const Expression& stride : strides)
                FS_CHECK(check(stride, problem, where));
        for (const auto& [key, value] : tensor.fillValues)
            FS_CHECK(check(value, problem, where));
        FS_CHECK(check(tensor.reductionLength, problem, where));
        FS_CHECK(checkOptional(tensor.bytes, problem, where));
    }
    Names gpu = problem;
    for (const auto& [name, value] : gpuSymbols(GpuSpec{}))
        FS_CHECK(add(&gpu, name));
    // `when` and defaults see the parameters before theirs; locals are looked up by the walk, so all are
    // allowed here.
    Names before = gpu, whenNames = problem, everything = gpu, planNames = problem;
    for (const FamilyParameter& parameter : m.parameters) {
        FS_CHECK(add(&everything, parameter.values.name));
        planNames.insert(parameter.values.name);
    }
    for (const PlanLocal& local : m.locals) {
        FS_CHECK(check(local.value, everything, "locals '" + local.name + "'"));
        FS_CHECK(add(&everything, local.name));
        before.insert(local.name);
        whenNames.insert(local.name);
    }
    for (const FamilyParameter& parameter : m.parameters) {
        const std::string where = "parameter '" + parameter.values.name + "'";
        FS_CHECK(checkOptional(parameter.when, whenNames, where));
        FS_CHECK(checkOptional(parameter.defaultValue, before, where));
        before.insert(parameter.values.name);
        whenNames.insert(parameter.values.name);
    }
    for (const FamilyCondition& constraint : m.constraints)
        FS_CHECK(check(constraint.condition, everything, "constraints"));
    for (const FamilyDefine& define : m.defines)
        FS_CHECK(check(define.value, planNames, "define '" + define.name + "'"));
    for (const auto& [tensor, bytes] : m.alignments)
        FS_CHECK(check(bytes, planNames, "alignments"));
    const auto parts = [&](const auto& workspaces, const auto& launches, const Names& whenKnown,
                           const Names& known) -> Result<void> {
        for (const auto& workspace : workspaces) {
            FS_CHECK(checkOptional(workspace.when, whenKnown, "workspace '" + workspace.item.name + "'"));
            FS_CHECK(check(workspace.item.bytes, known, "workspace '" + workspace.item.name + "'"));
        }
        for (const auto& launch : launches) {
            const std::string where = "launch of " + launch.item.kernel;
            FS_CHECK(checkOptional(launch.when, whenKnown, where));
            for (std::size_t i = 0; i < 3; ++i)
                for (const Expression* e :
                     {&launch.item.grid[i], &launch.item.block[i], &launch.item.cluster[i]})
                    FS_CHECK(check(*e, known, where));
            FS_CHECK(check(launch.item.sharedBytes, known, where));
            for (const PlanArgument& argument : launch.item.arguments)
                FS_CHECK(check(argument.value, known, where));
        }
        return {};
    };
    FS_CHECK(parts(m.workspaces, m.launches, planNames, everything));
    FS_CHECK(parts(m.referenceWorkspaces, m.referenceLaunches, problem, gpu));
    for (const auto& shape : m.reduced)
        for (const auto& [name, value] : shape)
            FS_CHECK(check(value, planNames, "reduced '" + name + "'"));
    for (const FamilyMapping& mapping : m.mappings)
        for (const auto& [name, value] : mapping.bind)
            FS_CHECK(check(value, {}, "operators, bind '" + name + "'"));
    return {};
}

} // namespace foresight
