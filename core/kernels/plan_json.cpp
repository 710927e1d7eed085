// SPDX-License-Identifier: Apache-2.0
// Kernel plans and bound plans as JSON.
#include "core/base/json.h"
#include "core/kernels/plan.h"
#include "core/kernels/value_json.h"

namespace foresight {

namespace {

constexpr const char* kKinds[] = {"tensor", "workspace", "scalar"};

Error wrong(std::string_view what, const std::string& message)
{
    return makeError(ErrorCode::ParseError, std::string(what) + ": " + message);
}

Result<PlanArgument::Kind> kindFrom(const Json& json, std::string_view what)
{
    FS_TRY(name, jsonString(json, "kind", what));
    for (int i = 0; i < 3; ++i)
        if (name == kKinds[i])
            return static_cast<PlanArgument::Kind>(i);
    return wrong(what, "unknown kind of argument '" + name + "'");
}

bool isScalarType(const std::string& type)
{
    return type == "i32" || type == "i64" || type == "f32" || type == "f64";
}

// An optional array member; a missing one is empty.
Result<Json> arrayOf(const Json& json, const char* key, std::string_view what)
{
    const auto found = json.find(key);
    if (found == json.end())
        return Json::array();
    if (!found->is_array())
        return wrong(what, std::string("'") + key + "' must be a list");
    for (const Json& entry : *found)
        if (std::string_view(key) != "compile_options" && !entry.is_object())
            return wrong(what, std::string("an entry of '") + key + "' is not an object");
    return *found;
}

Result<std::array<Expression, 3>> triple(const Json& json, const char* key, const char* fill,
                                         std::string_view what)
{
    std::array<Expression, 3> result;
    FS_TRY(rest, Expression::parse(fill));
    result.fill(rest);
    const auto found = json.find(key);
    if (found == json.end())
        return result;
    if (!found->is_array() || found->empty() || found->size() > 3)
        return wrong(what, std::string("'") + key + "' must be a list of one to three expressions");
    for (std::size_t i = 0; i < found->size(); ++i) {
        FS_TRY(expression, expressionFromJson((*found)[i], what));
        result[i] = std::move(expression);
    }
    return result;
}

Json tripleToJson(const std::array<Expression, 3>& expressions)
{
    return Json::array({expressions[0].text(), expressions[1].text(), expressions[2].text()});
}

bool flag(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

Result<std::array<std::int64_t, 3>> integers(const Json& json, const char* key, std::string_view what)
{
    std::array<std::int64_t, 3> result{};
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array() || found->size() != 3)
        return wrong(what, std::string("'") + key + "' must be three integers");
    for (std::size_t i = 0; i < 3; ++i) {
        if (!(*found)[i].is_number_integer())
            return wrong(what, std::string("'") + key + "' must be three integers");
        result[i] = (*found)[i].get<std::int64_t>();
    }
    return result;
}

} // namespace

Result<PlanLaunch> launchFromJson(const Json& json, std::string_view what)
{
    PlanLaunch launch;
    FS_TRY(kernel, jsonString(json, "kernel", what));
    launch.kernel = kernel;
    FS_TRY(grid, triple(json, "grid", "1", what));
    FS_TRY(block, triple(json, "block", "1", what));
    FS_TRY(cluster, triple(json, "cluster", "0", what));
    launch.grid = grid;
    launch.block = block;
    launch.cluster = cluster;
    if (json.contains("shared_bytes")) {
        FS_TRY(shared, expressionFromJson(json["shared_bytes"], what));
        launch.sharedBytes = shared;
    }
    launch.cooperative = flag(json, "cooperative");
    FS_TRY(arguments, arrayOf(json, "args", what));
    for (const Json& entry : arguments) {
        PlanArgument argument;
        FS_TRY(kind, kindFrom(entry, what));
        FS_TRY(name, jsonString(entry, "name", what));
        argument.kind = kind;
        argument.name = name;
        if (kind == PlanArgument::Kind::Scalar) {
            FS_TRY(type, jsonString(entry, "type", what));
            if (!isScalarType(type))
                return wrong(what, "argument '" + name + "': unknown type '" + type + "'");
            if (!entry.contains("value"))
                return wrong(what, "argument '" + name + "' has no value");
            FS_TRY(value, expressionFromJson(entry["value"], what));
            argument.type = type;
            argument.value = value;
        }
        launch.arguments.push_back(std::move(argument));
    }
    return launch;
}

Result<KernelPlan> planFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "a kernel plan must be a JSON object");
    KernelPlan plan;
    FS_TRY(source, jsonString(json, "source", what));
    plan.source = source;
    if (json.contains("family")) {
        FS_TRY(family, jsonString(json, "family", what));
        plan.family = family;
    }
    if (json.contains("parameters")) {
        FS_TRY(parameters, symbolsFromJson(json["parameters"], what));
        plan.parameters = parameters;
    }
    FS_TRY(options, arrayOf(json, "compile_options", what));
    for (const Json& option : options) {
        if (!option.is_string())
            return wrong(what, "a compile option is not a text");
        plan.compileOptions.push_back(option.get<std::string>());
    }
    FS_TRY(locals, arrayOf(json, "locals", what));
    for (const Json& entry : locals) {
        FS_TRY(name, jsonString(entry, "name", what));
        FS_TRY(value, expressionFromJson(entry.value("value", Json()), what));
        plan.locals.push_back({name, value});
    }
    FS_TRY(alignments, arrayOf(json, "alignments", what));
    for (const Json& entry : alignments) {
        FS_TRY(tensor, jsonString(entry, "tensor", what));
        FS_TRY(bytes, jsonInteger(entry, "bytes", what));
        plan.alignments.push_back({tensor, bytes});
    }
    FS_TRY(workspaces, arrayOf(json, "workspaces", what));
    for (const Json& entry : workspaces) {
        FS_TRY(name, jsonString(entry, "name", what));
        FS_TRY(bytes, expressionFromJson(entry.value("bytes", Json()), what));
        plan.workspaces.push_back({name, bytes, flag(entry, "zeroed")});
    }
    FS_TRY(launches, arrayOf(json, "launches", what));
    for (const Json& entry : launches) {
        FS_TRY(launch, launchFromJson(entry, what));
        plan.launches.push_back(std::move(launch));
    }
    FS_TRY(requirements, arrayOf(json, "requires", what));
    for (const Json& entry : requirements) {
        FS_TRY(condition, expressionFromJson(entry.value("condition", Json()), what));
        FS_TRY(message, jsonString(entry, "message", what));
        plan.requirements.push_back({condition, message});
    }
    return plan;
}

Json planToJson(const KernelPlan& plan)
{
    Json json = {{"family", plan.family},
                 {"source", plan.source},
                 {"parameters", symbolsToJson(plan.parameters)},
                 {"compile_options", plan.compileOptions},
                 {"locals", Json::array()},
                 {"alignments", Json::array()},
                 {"workspaces", Json::array()},
                 {"launches", Json::array()},
                 {"requires", Json::array()}};
    for (const PlanLocal& local : plan.locals)
        json["locals"].push_back({{"name", local.name}, {"value", local.value.text()}});
    for (const PlanAlignment& alignment : plan.alignments)
        json["alignments"].push_back({{"tensor", alignment.tensor}, {"bytes", alignment.bytes}});
    for (const PlanWorkspace& workspace : plan.workspaces)
        json["workspaces"].push_back(
            {{"name", workspace.name}, {"bytes", workspace.bytes.text()}, {"zeroed", workspace.zeroed}});
    for (const PlanLaunch& launch : plan.launches) {
        Json arguments = Json::array();
        for (const PlanArgument& argument : launch.arguments) {
            Json entry = {{"kind", kKinds[static_cast<int>(argument.kind)]}, {"name", argument.name}};
            if (argument.kind == PlanArgument::Kind::Scalar) {
                entry["type"] = argument.type;
                entry["value"] = argument.value.text();
            }
            arguments.push_back(std::move(entry));
        }
        json["launches"].push_back({{"kernel", launch.kernel},
                                    {"grid", tripleToJson(launch.grid)},
                                    {"block", tripleToJson(launch.block)},
                                    {"cluster", tripleToJson(launch.cluster)},
                                    {"shared_bytes", launch.sharedBytes.text()},
                                    {"cooperative", launch.cooperative},
                                    {"args", std::move(arguments)}});
    }
    for (const PlanRequirement& requirement : plan.requirements)
        json["requires"].push_back(
            {{"condition", requirement.condition.text()}, {"message", requirement.message}});
    return json;
}

Json boundPlanToJson(const BoundPlan& plan)
{
    Json json = {{"alignments", Json::array()}, {"workspaces", Json::array()}, {"launches", Json::array()}};
    for (const BoundPlan::Alignment& alignment : plan.alignments)
        json["alignments"].push_back({{"tensor", alignment.tensor}, {"bytes", alignment.bytes}});
    for (const BoundWorkspace& workspace : plan.workspaces)
        json["workspaces"].push_back(
            {{"name", workspace.name}, {"bytes", workspace.bytes}, {"zeroed", workspace.zeroed}});
    for (const BoundLaunch& launch : plan.launches) {
        Json arguments = Json::array();
        for (const BoundArgument& argument : launch.arguments) {
            Json entry = {{"kind", kKinds[static_cast<int>(argument.kind)]}, {"name", argument.name}};
            if (argument.kind == PlanArgument::Kind::Scalar) {
                entry["type"] = argument.type;
                if (argument.type[0] == 'i')
                    entry["integer"] = argument.integer;
                else
                    entry["real"] = argument.real;
            }
            arguments.push_back(std::move(entry));
        }
        json["launches"].push_back({{"kernel", launch.kernel},
                                    {"grid", launch.grid},
                                    {"block", launch.block},
                                    {"cluster", launch.cluster},
                                    {"shared_bytes", launch.sharedBytes},
                                    {"cooperative", launch.cooperative},
                                    {"args", std::move(arguments)}});
    }
    return json;
}

Result<BoundPlan> boundPlanFromJson(const Json& json, std::string_view what)
{
    if (!json.is_object())
        return wrong(what, "a bound plan must be a JSON object");
    BoundPlan plan;
    FS_TRY(alignments, arrayOf(json, "alignments", what));
    for (const Json& entry : alignments) {
        FS_TRY(tensor, jsonString(entry, "tensor", what));
        FS_TRY(bytes, jsonInteger(entry, "bytes", what));
        plan.alignments.push_back({tensor, bytes});
    }
    FS_TRY(workspaces, arrayOf(json, "workspaces", what));
    for (const Json& entry : workspaces) {
        FS_TRY(name, jsonString(entry, "name", what));
        FS_TRY(bytes, jsonInteger(entry, "bytes", what));
        plan.workspaces.push_back({name, bytes, flag(entry, "zeroed")});
    }
    FS_TRY(launches, arrayOf(json, "launches", what));
    for (const Json& entry : launches) {
        BoundLaunch launch;
        FS_TRY(kernel, jsonString(entry, "kernel", what));
        FS_TRY(grid, integers(entry, "grid", what));
        FS_TRY(block, integers(entry, "block", what));
        FS_TRY(cluster, integers(entry, "cluster", what));
        FS_TRY(shared, jsonInteger(entry, "shared_bytes", what));
        launch.kernel = kernel;
        launch.grid = grid;
        launch.block = block;
        launch.cluster = cluster;
        launch.sharedBytes = shared;
        launch.cooperative = flag(entry, "cooperative");
        FS_TRY(arguments, arrayOf(entry, "args", what));
        for (const Json& item : arguments) {
            BoundArgument argument;
            FS_TRY(kind, kindFrom(item, what));
            FS_TRY(name, jsonString(item, "name", what));
            argument.kind = kind;
            argument.name = name;
            if (kind == PlanArgument::Kind::Scalar) {
                FS_TRY(type, jsonString(item, "type", what));
                if (!isScalarType(type))
                    return wrong(what, "argument '" + name + "': unknown type '" + type + "'");
                argument.type = type;
                if (type[0] == 'i') {
                    FS_TRY(value, jsonInteger(item, "integer", what));
                    argument.integer = value;
                } else {
                    FS_TRY(value, jsonNumber(item, "real", what));
                    argument.real = value;
                }
            }
            launch.arguments.push_back(std::move(argument));
        }
        plan.launches.push_back(std::move(launch));
    }
    return plan;
}

} // namespace foresight
