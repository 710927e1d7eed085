// SPDX-License-Identifier: Apache-2.0
#include "core/profile/operator_json.h"

#include "core/base/json.h"
#include "core/kernels/value_json.h"

#include <charconv>

namespace foresight {

namespace {

constexpr std::pair<OperatorDescription::Kind, const char*> kKinds[] = {
    {OperatorDescription::Kind::Aten, "aten"},
    {OperatorDescription::Kind::Module, "module"},
    {OperatorDescription::Kind::Region, "region"}};
constexpr const char* kWhat = "an operator of the session";

Result<std::vector<std::int64_t>> extents(const Json& json)
{
    std::vector<std::int64_t> out;
    if (!json.is_array())
        return makeError(ErrorCode::Corrupt, "An operator's shape is not a list");
    for (const auto& item : json) {
        if (!item.is_number_integer())
            return makeError(ErrorCode::Corrupt, "An operator's shape has something else than whole numbers");
        out.push_back(item.get<std::int64_t>());
    }
    return out;
}

} // namespace

Json operatorToJson(const OperatorDescription& op)
{
    Json json;
    for (const auto& [kind, name] : kKinds) {
        if (kind == op.kind)
            json["kind"] = name;
    }
    json["name"] = op.name;
    json["inputs"] = Json::array();
    for (const auto& input : op.inputs)
        json["inputs"].push_back(
            Json{{"dtype", input.dtype == DType::Unknown ? "" : std::string(dtypeName(input.dtype))},
                 {"shape", input.shape},
                 {"strides", input.strides}});
    json["scalars"] = Json::object();
    for (const auto& [position, value] : op.scalars)
        json["scalars"][std::to_string(position)] = valueToJson(value);
    json["attributes"] = symbolsToJson(op.attributes);
    return json;
}

Result<OperatorDescription> operatorFromJson(const Json& json)
{
    OperatorDescription op;
    FS_TRY(kind, jsonString(json, "kind", kWhat));
    bool known = false;
    for (const auto& [value, name] : kKinds) {
        if (kind == name) {
            op.kind = value;
            known = true;
        }
    }
    if (!known)
        return makeError(ErrorCode::Corrupt, "The session has an operator of unknown kind \"" + kind + "\"");
    FS_TRY(name, jsonString(json, "name", kWhat));
    op.name = std::move(name);
    const auto inputs = json.find("inputs"), scalars = json.find("scalars"),
               attributes = json.find("attributes");
    if (inputs == json.end() || !inputs->is_array() || scalars == json.end() || !scalars->is_object() ||
        attributes == json.end())
        return makeError(ErrorCode::Corrupt, "The session's operator " + op.name + " is incomplete");
    for (const auto& item : *inputs) {
        OperatorInput input;
        FS_TRY(dtype, jsonString(item, "dtype", kWhat));
        input.dtype = dtypeFromName(dtype);
        if (!item.contains("shape") || !item.contains("strides"))
            return makeError(ErrorCode::Corrupt,
                             "The session's operator " + op.name + " has an input without shape");
        FS_TRY(shape, extents(item["shape"]));
        FS_TRY(strides, extents(item["strides"]));
        input.shape = std::move(shape);
        input.strides = std::move(strides);
        op.inputs.push_back(std::move(input));
    }
    for (const auto& [key, item] : scalars->items()) {
        int position = -1;
        std::from_chars(key.data(), key.data() + key.size(), position);
        FS_TRY(value, valueFromJson(item, kWhat));
        if (position < 0)
            return makeError(ErrorCode::Corrupt,
                             "The session's operator " + op.name + " has a scalar without position");
        op.scalars[position] = std::move(value);
    }
    FS_TRY(symbols, symbolsFromJson(*attributes, kWhat));
    op.attributes = std::move(symbols);
    return op;
}

} // namespace foresight
