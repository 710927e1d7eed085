// SPDX-License-Identifier: Apache-2.0
// Reading and checking family.json. Everything that can be wrong with a family is found here, with the place
// named.
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/kernels/family_impl.h"
#include "core/kernels/family_reader.h"
#include "core/kernels/value_json.h"

#include <algorithm>
#include <cctype>

namespace foresight {

namespace {

constexpr std::int64_t kSchema = 1;
class Loader : private FamilyReader
{
public:
    Loader(std::string folder, Family::Impl& out) : FamilyReader(std::move(folder)), m(out) {}

    Result<void> run()
    {
        FS_TRY(text, readFile(joinPath(m_folder, "family.json"), kMaxSourceBytes));
        FS_TRY(json, parseJson(text, m_what));
        if (!json.is_object())
            return fail("the file must hold one JSON object");
        FS_TRY(schema, jsonInteger(json, "schema", m_what));
        if (schema != kSchema)
            return fail("schema " + std::to_string(schema) + " is not known to this version (it reads 1)");
        FS_CHECK(header(json));
        FS_CHECK(symbols(json));
        FS_CHECK(tensors(json));
        FS_CHECK(parameters(json));
        FS_CHECK(plan(json));
        FS_CHECK(reference(json));
        FS_CHECK(reduced(json));
        FS_CHECK(mappings(json));
        FS_CHECK(checkFamilyNames(m, m_what));
        m.hash = sha256Hex(sha256Hex(text) + sha256Hex(m.source) + sha256Hex(m.referenceSource));
        return {};
    }

private:
    Result<void> header(const Json& json)
    {
        FS_TRY(name, identifier(json, "name", "the family's name"));
        FS_TRY(title, text(json, "title", nullptr));
        FS_TRY(description, text(json, "description", ""));
        m.name = name;
        m.title = title;
        m.description = description;
        FS_TRY(types, list(json, "dtypes", true));
        for (const Json& entry : types) {
            const DType type = entry.is_string() ? dtypeFromName(entry.get<std::string>()) : DType::Unknown;
            if (type == DType::Unknown)
                return fail("unknown dtype " + entry.dump());
            m.dtypes.push_back(type);
        }
        FS_TRY(layouts, list(json, "layouts", false));
        for (const Json& entry : layouts) {
            if (!entry.is_string() || !isIdentifier(entry.get<std::string>()))
                return fail("a layout must be a name");
            m.layouts.push_back(entry.get<std::string>());
        }
        if (m.layouts.empty())
            m.layouts.push_back("contiguous");
        if (m.dtypes.empty())
            return fail("'dtypes' is empty");
        return {};
    }

    Result<void> symbols(const Json& json)
    {
        FS_TRY(entries, list(json, "symbols", true));
        for (const Json& entry : entries) {
            FamilySymbol symbol;
            FS_TRY(name, identifier(entry, "name", "symbols"));
            FS_TRY(type, text(entry, "type", "int"));
            FS_TRY(help, text(entry, "help", ""));
            if (type != "int" && type != "bool" && type != "float")
                return fail("symbol '" + name + "': unknown type '" + type + "'");
            FS_TRY(defaultValue, optionalExpression(entry, "default", "symbol '" + name + "'"));
            symbol.name = name;
            symbol.type = type;
            symbol.help = help;
            symbol.defaultValue = defaultValue;
            if (entry.contains("min")) {
                FS_TRY(minimum, jsonInteger(entry, "min", m_what));
                symbol.minimum = minimum;
            }
            m.symbols.push_back(std::move(symbol));
        }
        FS_TRY(derived, named(json, "derived"));
        FS_TRY(requirements, conditions(json, "requires"));
        m.derived = std::move(derived);
        m.requirements = std::move(requirements);
        return {};
    }

    Result<void> tensors(const Json& json)
    {
        FS_TRY(entries, list(json, "tensors", true));
        for (const Json& entry : entries) {
            FS_TRY(tensor, oneTensor(entry));
            m.tensors.push_back(std::move(tensor));
        }
        std::stable_sort(
            m.tensors.begin(), m.tensors.end(), [](const FamilyTensor& a, const FamilyTensor& b) {
                return (a.role != TensorSpec::Role::Output) > (b.role != TensorSpec::Role::Output);
            });
        if (m.tensors.empty() || m.tensors.back().role == TensorSpec::Role::Input)
            return fail("no output tensor");
        FS_TRY(flops, optionalExpression(json, "flops", "the family"));
        if (flops)
            m.flops = *flops;
        return {};
    }

    Result<FamilyTensor> oneTensor(const Json& entry)
    {
        FamilyTensor tensor;
        FS_TRY(name, identifier(entry, "name", "tensors"));
        const std::string where = "tensor '" + name + "'";
        FS_TRY(role, text(entry, "role", "input"));
        if (role != "input" && role != "output" && role != "inout")
            return fail(where + ": unknown role '" + role + "'");
        FS_TRY(dtype, text(entry, "dtype", "T"));
        FS_TRY(dtypeExpression, optionalExpression(entry, "dtype_expression", where));
        FS_TRY(when, optionalExpression(entry, "when", where));
        FS_TRY(shape, expressions(entry.value("shape", Json()), where + ": 'shape'"));
        if (dtype != "T" && dtypeFromName(dtype) == DType::Unknown)
            return fail(where + ": unknown dtype '" + dtype + "'");
        tensor.name = name;
        tensor.role = role == "input"    ? TensorSpec::Role::Input
                      : role == "output" ? TensorSpec::Role::Output
                                         : TensorSpec::Role::InOut;
        tensor.dtype = dtype;
        tensor.dtypeExpression = dtypeExpression;
        tensor.when = when;
        tensor.shape = shape;
        tensor.followsLayout = entry.value("follows_layout", Json(false)) == Json(true);
        if (entry.contains("strides")) {
            if (!entry["strides"].is_object())
                return fail(where + ": 'strides' must map layouts to lists of expressions");
            for (const auto& [layout, values] : entry["strides"].items()) {
                FS_TRY(parsed, expressions(values, where + ": 'strides'"));
                if (parsed.size() != tensor.shape.size())
                    return fail(where + ": as many strides as extents are needed");
                tensor.strides[layout] = parsed;
            }
        }
        FS_TRY(length, optionalExpression(entry, "reduction_length", where));
        FS_TRY(one, Expression::parse("1"));
        tensor.reductionLength = length ? *length : one;
        FS_TRY(bytes, optionalExpression(entry, "bytes", where));
        tensor.bytes = bytes;
        if (!entry.contains("fill"))
            return tensor;
        const Json& fill = entry["fill"];
        FS_TRY(kind, text(fill, "kind", nullptr));
        static const std::pair<const char*, TensorFill::Kind> kKinds[] = {
            {"normal", TensorFill::Kind::Normal},
            {"uniform", TensorFill::Kind::Uniform},
            {"constant", TensorFill::Kind::Constant},
            {"index_range", TensorFill::Kind::IndexRange}};
        const auto known = std::find_if(std::begin(kKinds), std::end(kKinds),
                                        [&](const auto& k) { return k.first == kind; });
        if (known == std::end(kKinds))
            return fail(where + ": unknown kind of fill '" + kind + "'");
        tensor.fill = known->second;
        for (const auto& [key, value] : fill.items()) {
            if (key == "kind")
                continue;
            if (key != "mean" && key != "std" && key != "low" && key != "high")
                return fail(where + ": unknown fill value '" + key + "'");
            FS_TRY(parsed, expressionFromJson(value, m_what + ": " + where));
            tensor.fillValues[key] = parsed;
        }
        return tensor;
    }

    Result<void> parameters(const Json& json)
    {
        FS_TRY(entries, list(json, "parameters", true));
        for (const Json& entry : entries) {
            FamilyParameter parameter;
            FS_TRY(name, identifier(entry, "name", "parameters"));
            const std::string where = "parameter '" + name + "'";
            FS_TRY(help, text(entry, "help", ""));
            FS_TRY(values, list(entry, "values", true));
            FS_TRY(when, optionalExpression(entry, "when", where));
            FS_TRY(defaultValue, optionalExpression(entry, "default", where));
            parameter.values.name = name;
            parameter.values.help = help;
            parameter.when = when;
            parameter.defaultValue = defaultValue;
            for (const Json& item : values) {
                FS_TRY(value, valueFromJson(item, m_what + ": " + where));
                const auto* word = std::get_if<std::string>(&value);
                if (word && !isIdentifier(*word))
                    return fail(where + ": '" + *word + "' cannot become part of a macro's name");
                if (std::holds_alternative<double>(value))
                    return fail(where + ": fractions are not supported as values");
                if (codeOf(parameter.values, value))
                    return fail(where + ": " + valueText(value) + " is there twice");
                parameter.values.values.push_back(std::move(value));
            }
            if (parameter.values.values.empty() || parameter.values.values.size() > 1000)
                return fail(where + " needs between 1 and 1000 values");
            if (entry.contains("canonical")) {
                FS_TRY(canonical, valueFromJson(entry["canonical"], m_what + ": " + where));
                const auto code = codeOf(parameter.values, canonical);
                parameter.canonical = code.value_or(0);
                if (!code) {
                    parameter.values.values.insert(parameter.values.values.begin(), canonical);
                    parameter.activeFrom = 1;
                }
            }
            m.parameterValues.push_back(parameter.values);
            m.parameters.push_back(std::move(parameter));
        }
        FS_TRY(locals, named(json, "locals"));
        FS_TRY(constraints, conditions(json, "constraints"));
        m.locals = std::move(locals);
        m.constraints = std::move(constraints);
        return {};
    }

    Result<void> plan(const Json& json)
    {
        FS_TRY(defines, named(json, "defines"));
        for (PlanLocal& define : defines)
            m.defines.push_back({define.name, define.value});
        FS_TRY(options, list(json, "compile_options", false));
        for (const Json& option : options) {
            if (!option.is_string())
                return fail("'compile_options' must be a list of texts");
            m.compileOptions.push_back(option.get<std::string>());
        }
        FS_TRY(alignments, list(json, "alignments", false));
        for (const Json& entry : alignments) {
            FS_TRY(tensor, identifier(entry, "tensor", "alignments"));
            FS_TRY(bytes, expression(entry, "bytes", "an alignment"));
            m.alignments.emplace_back(tensor, bytes);
        }
        FS_TRY(source, sources(json, "kernel.cu"));
        m.source = source;
        FS_CHECK(planParts(json, &m.workspaces, &m.launches));
        return {};
    }

    Result<void> planParts(const Json& json, std::vector<Conditional<PlanWorkspace>>* workspaces,
                           std::vector<Conditional<PlanLaunch>>* launches)
    {
        FS_TRY(spaces, list(json, "workspaces", false));
        for (const Json& entry : spaces) {
            FS_TRY(name, identifier(entry, "name", "workspaces"));
            FS_TRY(bytes, expression(entry, "bytes", "workspace '" + name + "'"));
            FS_TRY(when, optionalExpression(entry, "when", "workspace '" + name + "'"));
            workspaces->push_back({{name, bytes, entry.value("zeroed", Json(false)) == Json(true)}, when});
        }
        FS_TRY(entries, list(json, "launches", true));
        for (const Json& entry : entries) {
            if (!entry.is_object())
                return fail("a launch is not an object");
            FS_TRY(launch, launchFromJson(entry, m_what));
            FS_TRY(when, optionalExpression(entry, "when", "launch of " + launch.kernel));
            for (const PlanArgument& argument : launch.arguments)
                FS_CHECK(checkArgument(argument, launch.kernel, *workspaces));
            launches->push_back({std::move(launch), when});
        }
        if (launches->empty())
            return fail("no launches");
        return {};
    }

    Result<void> checkArgument(const PlanArgument& argument, const std::string& kernel,
                               const std::vector<Conditional<PlanWorkspace>>& workspaces) const
    {
        bool known = argument.kind == PlanArgument::Kind::Scalar;
        if (argument.kind == PlanArgument::Kind::Tensor)
            for (const FamilyTensor& tensor : m.tensors)
                known = known || tensor.name == argument.name;
        if (argument.kind == PlanArgument::Kind::Workspace)
            for (const auto& workspace : workspaces)
                known = known || workspace.item.name == argument.name;
        if (!known)
            return fail("launch of " + kernel + ": there is no tensor or workspace '" + argument.name + "'");
        return {};
    }

    Result<void> reference(const Json& json)
    {
        const auto found = json.find("reference");
        if (found == json.end() || !found->is_object())
            return fail("'reference' is missing");
        FS_TRY(source, sources(*found, "reference.cu"));
        m.referenceSource = source;
        return planParts(*found, &m.referenceWorkspaces, &m.referenceLaunches);
    }

    Result<void> reduced(const Json& json)
    {
        FS_TRY(entries, list(json, "reduced", true));
        for (const Json& entry : entries) {
            std::map<std::string, Expression> shape;
            if (!entry.is_object())
                return fail("an entry of 'reduced' is not an object");
            for (const auto& [name, value] : entry.items()) {
                FS_TRY(parsed, expressionFromJson(value, m_what + ": reduced '" + name + "'"));
                if (std::none_of(m.symbols.begin(), m.symbols.end(),
                                 [&n = name](const FamilySymbol& s) { return s.name == n; }))
                    return fail("reduced: there is no symbol '" + name + "'");
                shape[name] = parsed;
            }
            m.reduced.push_back(std::move(shape));
        }
        return {};
    }

    Result<void> mappings(const Json& json)
    {
        FS_TRY(entries, list(json, "operators", false));
        for (const Json& entry : entries) {
            FamilyMapping mapping;
            FS_TRY(kind, text(entry, "kind", "aten"));
            if (kind != "aten" && kind != "module" && kind != "region")
                return fail("operators: unknown kind '" + kind + "'");
            mapping.kind = kind == "aten"     ? OperatorDescription::Kind::Aten
                           : kind == "module" ? OperatorDescription::Kind::Module
                                              : OperatorDescription::Kind::Region;
            FS_TRY(names, list(entry, "names", true));
            for (const Json& name : names) {
                if (!name.is_string())
                    return fail("operators: 'names' must be texts");
                mapping.names.push_back(name.get<std::string>());
            }
            FS_TRY(when, conditions(entry, "when"));
            mapping.conditions = when;
            const Json bind = entry.value("bind", Json::object());
            if (!bind.is_object())
                return fail("operators: 'bind' must be an object");
            for (const auto& [name, value] : bind.items()) {
                if (std::none_of(m.symbols.begin(), m.symbols.end(),
                                 [&n = name](const FamilySymbol& s) { return s.name == n; }))
                    return fail("operators: 'bind' names the unknown symbol '" + name + "'");
                FS_TRY(parsed, expressionFromJson(value, m_what + ": operators"));
                mapping.bind.emplace_back(name, parsed);
            }
            FS_TRY(dtype, optionalExpression(entry, "dtype", "operators"));
            FS_TRY(layout, optionalExpression(entry, "layout", "operators"));
            FS_TRY(firstDtype, Expression::parse("dtype(0)"));
            FS_TRY(firstLayout, Expression::parse("'" + m.layouts.front() + "'"));
            mapping.dtype = dtype ? *dtype : firstDtype;
            mapping.layout = layout ? *layout : firstLayout;
            m.mappings.push_back(std::move(mapping));
        }
        return {};
    }

    Family::Impl& m;
};

} // namespace

Family::Family() : m(std::make_unique<Impl>()) {}
Family::~Family() = default;

Result<std::shared_ptr<const Family>> Family::load(const std::string& folder)
{
    std::shared_ptr<Family> family(new Family);
    FS_CHECK(Loader(folder, *family->m).run());
    return std::shared_ptr<const Family>(std::move(family));
}

} // namespace foresight
