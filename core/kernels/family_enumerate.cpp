// SPDX-License-Identifier: Apache-2.0
// Walking a family's parameters: enumeration, canonical form, default configuration.
#include "core/kernels/family_impl.h"

#include <algorithm>

namespace foresight {

Result<bool> truthOf(const Value& value, const Expression& expression)
{
    if (const bool* b = std::get_if<bool>(&value))
        return *b;
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return *i != 0;
    if (const double* d = std::get_if<double>(&value))
        return *d != 0;
    return makeError(ErrorCode::InvalidArgument,
                     "expression \"" + expression.text() + "\" is a text, not a condition");
}

std::optional<std::uint16_t> codeOf(const TuningParameter& parameter, const Value& value)
{
    for (std::size_t i = 0; i < parameter.values.size(); ++i)
        if (valuesEqual(parameter.values[i], value))
            return static_cast<std::uint16_t>(i);
    return std::nullopt;
}

ParameterWalk::ParameterWalk(const Family::Impl& family, const Problem& problem, const GpuSpec* gpu)
    : m_family(family), m_fixed(problemSymbols(problem)), m_values(family.parameters.size()),
      m_codes(family.parameters.size()), m_localValues(family.locals.size()),
      m_localKnown(family.locals.size()), m_localDepth(family.locals.size()),
      m_steps(family.parameters.size() + 1), m_when(family.parameters.size())
{
    if (gpu)
        for (auto& [name, value] : gpuSymbols(*gpu))
            m_fixed.insert_or_assign(name, std::move(value));
    const std::size_t all = family.parameters.size();
    for (std::size_t i = 0; i < family.locals.size(); ++i) {
        bool complete = true;
        std::size_t depth = 0;
        Step step{&family.locals[i].value, resolve(family.locals[i].value, all, &complete, &depth),
                  &m_localValues[i], nullptr};
        m_localKnown[i] = complete;
        m_localDepth[i] = depth;
        if (complete)
            m_steps[depth].push_back(std::move(step));
    }
    for (const FamilyCondition& constraint : family.constraints) {
        bool complete = true;
        std::size_t depth = 0;
        Step step{&constraint.condition, resolve(constraint.condition, all, &complete, &depth), nullptr,
                  &constraint};
        if (complete)
            m_steps[depth].push_back(std::move(step));
    }
    for (std::size_t i = 0; i < all; ++i) {
        if (!family.parameters[i].when)
            continue;
        bool complete = true;
        std::size_t depth = 0;
        m_when[i] = resolve(*family.parameters[i].when, i, &complete, &depth);
    }
}

std::vector<const Value*> ParameterWalk::resolve(const Expression& expression, std::size_t before,
                                                 bool* complete, std::size_t* depth) const
{
    std::vector<const Value*> values;
    for (const std::string& name : expression.symbolNames()) {
        const Value* value = nullptr;
        for (std::size_t i = 0; i < before && !value; ++i) {
            if (m_family.parameters[i].values.name == name) {
                value = &m_values[i];
                *depth = std::max(*depth, i + 1);
            }
        }
        for (std::size_t i = 0; i < m_family.locals.size() && !value; ++i) {
            if (m_localKnown[i] && m_family.locals[i].name == name && m_localDepth[i] <= before) {
                value = &m_localValues[i];
                *depth = std::max(*depth, m_localDepth[i]);
            }
        }
        if (!value) {
            const auto found = m_fixed.find(name);
            if (found != m_fixed.end())
                value = &found->second;
        }
        *complete = *complete && value;
        values.push_back(value);
    }
    return values;
}

Result<bool> ParameterWalk::active(std::size_t i) const
{
    const auto& when = m_family.parameters[i].when;
    if (!when)
        return true;
    FS_TRY(value, when->evaluateSlots(m_when[i]));
    return truthOf(value, *when);
}

Result<bool> ParameterWalk::runSteps(const std::vector<Step>& steps, const FamilyCondition** failed)
{
    for (const Step& step : steps) {
        FS_TRY(value, step.expression->evaluateSlots(step.values));
        if (step.result) {
            *step.result = std::move(value);
            continue;
        }
        FS_TRY(holds, truthOf(value, *step.expression));
        if (!holds) {
            if (failed)
                *failed = step.constraint;
            return false;
        }
    }
    return true;
}

Result<bool> ParameterWalk::start(const FamilyCondition** failed)
{
    return runSteps(m_steps[0], failed);
}

Result<bool> ParameterWalk::set(std::size_t i, std::uint16_t code, const FamilyCondition** failed)
{
    m_codes[i] = code;
    m_values[i] = m_family.parameters[i].values.values[code];
    return runSteps(m_steps[i + 1], failed);
}

Result<Value> ParameterWalk::defaultValue(std::size_t i) const
{
    const FamilyParameter& parameter = m_family.parameters[i];
    if (!parameter.defaultValue)
        return parameter.values.values[parameter.activeFrom];
    bool complete = true;
    std::size_t depth = 0;
    return parameter.defaultValue->evaluateSlots(resolve(*parameter.defaultValue, i, &complete, &depth));
}

namespace {

struct Enumerator
{
    const Family::Impl& family;
    ParameterWalk& walk;
    std::vector<std::uint16_t> codes;

    Result<void> descend(std::size_t i)
    {
        if (i == family.parameters.size()) {
            codes.insert(codes.end(), walk.codes().begin(), walk.codes().end());
            return {};
        }
        const FamilyParameter& parameter = family.parameters[i];
        FS_TRY(active, walk.active(i));
        std::size_t from = parameter.activeFrom, to = parameter.values.values.size();
        if (!active) {
            from = parameter.canonical;
            to = from + 1;
        }
        for (std::size_t code = from; code < to; ++code) {
            FS_TRY(holds, walk.set(i, static_cast<std::uint16_t>(code)));
            if (holds)
                FS_CHECK(descend(i + 1));
        }
        return {};
    }
};

} // namespace

Result<ConfigSpace> Family::enumerate(const Problem& problem, const GpuSpec& gpu) const
{
    ParameterWalk walk(*m, problem, &gpu);
    Enumerator enumerator{*m, walk, {}};
    FS_TRY(possible, walk.start());
    if (possible)
        FS_CHECK(enumerator.descend(0));
    return ConfigSpace(m->parameterValues, std::move(enumerator.codes));
}

Result<std::vector<std::uint16_t>> canonicalCodes(const Family::Impl& family, const Problem& problem,
                                                  const Symbols& configuration)
{
    for (const auto& [name, value] : configuration) {
        const auto known = [&name = name](const FamilyParameter& p) { return p.values.name == name; };
        if (std::none_of(family.parameters.begin(), family.parameters.end(), known))
            return makeError(ErrorCode::InvalidArgument, family.name + " has no parameter '" + name + "'");
    }
    ParameterWalk walk(family, problem, nullptr);
    const FamilyCondition* failed = nullptr;
    FS_TRY(started, walk.start(&failed));
    for (std::size_t i = 0; i < family.parameters.size(); ++i) {
        const FamilyParameter& parameter = family.parameters[i];
        std::uint16_t code = parameter.canonical;
        FS_TRY(active, walk.active(i));
        if (active) {
            const auto given = configuration.find(parameter.values.name);
            if (given == configuration.end())
                return makeError(ErrorCode::InvalidArgument,
                                 family.name + ": the configuration lacks '" + parameter.values.name + "'");
            const auto found = codeOf(parameter.values, given->second);
            if (!found || *found < parameter.activeFrom)
                return makeError(ErrorCode::InvalidArgument, family.name + ": '" + parameter.values.name +
                                                                 "' cannot be " + valueText(given->second));
            code = *found;
        }
        // Failing constraints do not matter here, but locals of later `when`s must be known.
        FS_TRY(holds, walk.set(i, code, &failed));
        (void)holds;
    }
    (void)started;
    return walk.codes();
}

Result<Symbols> Family::canonical(const Problem& problem, const Symbols& configuration) const
{
    FS_TRY(codes, canonicalCodes(*m, problem, configuration));
    Symbols result;
    for (std::size_t i = 0; i < codes.size(); ++i)
        result[m->parameters[i].values.name] = m->parameters[i].values.values[codes[i]];
    return result;
}

Result<Symbols> Family::defaultConfiguration(const Problem& problem, const GpuSpec& gpu) const
{
    ParameterWalk walk(*m, problem, &gpu);
    FS_TRY(valid, walk.start());
    for (std::size_t i = 0; i < m->parameters.size(); ++i) {
        const FamilyParameter& parameter = m->parameters[i];
        FS_TRY(active, walk.active(i));
        std::uint16_t code = parameter.canonical;
        if (active) {
            FS_TRY(value, walk.defaultValue(i));
            const auto found = codeOf(parameter.values, value);
            if (found && *found >= parameter.activeFrom)
                code = *found;
            else
                code = static_cast<std::uint16_t>(parameter.activeFrom);
        }
        FS_TRY(holds, walk.set(i, code));
        valid = valid && holds;
    }
    Symbols wanted;
    for (std::size_t i = 0; i < m->parameters.size(); ++i)
        wanted[m->parameters[i].values.name] = m->parameters[i].values.values[walk.code(i)];
    if (valid)
        return wanted;
    // The rule of thumb does not fit this shape: take the valid configuration that differs least from it.
    FS_TRY(space, enumerate(problem, gpu));
    if (space.size() == 0)
        return makeError(ErrorCode::Unsupported,
                         m->name + " has no valid configuration for " + problem.key + " on " + gpu.name);
    std::size_t best = 0;
    int bestDistance = static_cast<int>(m->parameters.size()) + 1;
    for (std::size_t index = 0; index < space.size(); ++index) {
        int distance = 0;
        for (std::size_t i = 0; i < m->parameters.size(); ++i)
            distance += space.code(index, i) != walk.code(i);
        if (distance < bestDistance) {
            best = index;
            bestDistance = distance;
        }
    }
    return space.configuration(best);
}

} // namespace foresight
