// SPDX-License-Identifier: Apache-2.0
#include "core/profile/range_text.h"

#include "core/base/json.h"

#include <charconv>

namespace foresight {

namespace {

// A cursor over "[[1, 2], [], [3]]" and "[(12,0), (13,1)]".
class Cursor
{
public:
    explicit Cursor(std::string_view text) : m_text(text) {}
    bool take(char c)
    {
        skipSpace();
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    bool number(std::int64_t& value)
    {
        skipSpace();
        const auto [end, error] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (error != std::errc{})
            return false;
        m_at = static_cast<std::size_t>(end - m_text.data());
        return true;
    }

private:
    void skipSpace()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    std::string_view m_text;
    std::size_t m_at = 0;
};

std::vector<std::vector<std::int64_t>> parseSizes(std::string_view text)
{
    std::vector<std::vector<std::int64_t>> sizes;
    Cursor cursor(text);
    if (!cursor.take('['))
        return sizes;
    while (cursor.take('[')) {
        auto& shape = sizes.emplace_back();
        std::int64_t extent = 0;
        while (cursor.number(extent)) {
            shape.push_back(extent);
            cursor.take(',');
        }
        if (!cursor.take(']'))
            return {};
        cursor.take(',');
    }
    return sizes;
}

std::vector<std::pair<std::int64_t, int>> parseInputOps(std::string_view text)
{
    std::vector<std::pair<std::int64_t, int>> ops;
    Cursor cursor(text);
    if (!cursor.take('['))
        return ops;
    while (cursor.take('(')) {
        std::int64_t op = 0, output = 0;
        if (!cursor.number(op) || !cursor.take(',') || !cursor.number(output) || !cursor.take(')'))
            return ops;
        ops.emplace_back(op, static_cast<int>(output));
        cursor.take(',');
    }
    return ops;
}

bool parseEmitNvtx(std::string_view text, RangeText& out)
{
    constexpr std::string_view kOpId = ", op_id = ", kSizes = ", sizes = ", kInputs = ", input_op_ids = ";
    const auto opId = text.find(kOpId), sizes = text.find(kSizes), inputs = text.find(kInputs);
    const bool qualified =
        text.find("::") != std::string_view::npos && text.find(' ') == std::string_view::npos;
    if (opId == std::string_view::npos && sizes == std::string_view::npos && !qualified)
        return false;
    out.kind = RangeText::Kind::Op;
    out.name = text.substr(0, text.find(", "));
    if (opId != std::string_view::npos)
        Cursor(text.substr(opId + kOpId.size())).number(out.opId);
    if (sizes != std::string_view::npos)
        out.sizes = parseSizes(text.substr(sizes + kSizes.size()));
    if (inputs != std::string_view::npos)
        out.inputOps = parseInputOps(text.substr(inputs + kInputs.size()));
    return true;
}

std::vector<std::int64_t> integers(const Json& list)
{
    std::vector<std::int64_t> out;
    if (!list.is_array())
        return out;
    for (const auto& item : list) {
        if (!item.is_number_integer())
            return {};
        out.push_back(item.get<std::int64_t>());
    }
    return out;
}

// ["f16", [1, 2], [2, 1]]; anything else is a non-tensor.
OperatorInput tensor(const Json& item)
{
    OperatorInput input;
    if (!item.is_array() || item.size() < 2 || !item[0].is_string())
        return input;
    input.dtype = dtypeFromName(item[0].get<std::string>());
    input.shape = integers(item[1]);
    if (item.size() > 2)
        input.strides = integers(item[2]);
    return input;
}

std::vector<OperatorInput> tensors(const Json& object, const char* key)
{
    std::vector<OperatorInput> out;
    const auto list = object.find(key);
    if (list != object.end() && list->is_array()) {
        for (const auto& item : *list)
            out.push_back(tensor(item));
    }
    return out;
}

bool toValue(const Json& item, Value& value)
{
    if (item.is_boolean())
        value = item.get<bool>();
    else if (item.is_number_integer())
        value = item.get<std::int64_t>();
    else if (item.is_number())
        value = item.get<double>();
    else if (item.is_string())
        value = item.get<std::string>();
    else
        return false;
    return true;
}

std::string text(const Json& object, const char* key)
{
    const auto item = object.find(key);
    return item != object.end() && item->is_string() ? item->get<std::string>() : std::string();
}

bool flag(const Json& object, const char* key)
{
    const auto item = object.find(key);
    return item != object.end() && ((item->is_number_integer() && item->get<std::int64_t>() != 0) ||
                                    (item->is_boolean() && item->get<bool>()));
}

Json parseHookJson(const std::string& raw)
{
    if (raw.rfind("{\"fs\":", 0) != 0)
        return Json(Json::value_t::discarded);
    Json json = Json::parse(raw, nullptr, false);
    return json.is_object() ? json : Json(Json::value_t::discarded);
}

} // namespace

RangeText parseRangeText(const std::string& raw)
{
    RangeText out;
    const Json json = parseHookJson(raw);
    const std::string tag = json.is_object() ? text(json, "fs") : std::string();
    if (tag == "m") {
        out.kind = RangeText::Kind::Module;
        out.name = text(json, "c");
        out.path = text(json, "p");
        out.leaf = flag(json, "l");
        out.description.kind = OperatorDescription::Kind::Module;
        out.description.name = out.name;
        out.description.inputs = tensors(json, "in");
        if (const auto attributes = json.find("a"); attributes != json.end() && attributes->is_object()) {
            for (const auto& [key, item] : attributes->items()) {
                Value value;
                if (toValue(item, value))
                    out.description.attributes[key] = value;
            }
        }
        return out;
    }
    if (tag == "s") {
        out.kind = RangeText::Kind::Step;
        out.plain = flag(json, "plain");
        return out;
    }
    if (!parseEmitNvtx(raw, out))
        out.name = raw;
    return out;
}

HookMessage parseHookMessage(const std::string& raw)
{
    HookMessage out;
    const Json json = parseHookJson(raw);
    if (!json.is_object())
        return out;
    const std::string tag = text(json, "fs");
    if (tag == "ops") {
        out.kind = HookMessage::Kind::Ops;
        const auto list = json.find("l");
        if (list == json.end() || !list->is_array())
            return out;
        for (const auto& item : *list) {
            if (!item.is_object() || !item.contains("id") || !item["id"].is_number_integer())
                continue;
            auto& op = out.ops.emplace_back();
            op.opId = item["id"].get<std::int64_t>();
            op.description.name = text(item, "n");
            op.description.inputs = tensors(item, "in");
            const auto scalars = item.find("sc");
            if (scalars == item.end() || !scalars->is_object())
                continue;
            for (const auto& [key, value] : scalars->items()) {
                int position = -1;
                Value scalar;
                std::from_chars(key.data(), key.data() + key.size(), position);
                if (position >= 0 && position < 256 && toValue(value, scalar))
                    op.description.scalars[position] = scalar;
            }
        }
    } else if (tag == "info") {
        out.kind = HookMessage::Kind::Info;
        for (const auto& [key, value] : json.items()) {
            if (key != "fs" && value.is_string())
                out.info.emplace_back(key, value.get<std::string>());
        }
    } else if (tag == "disturbed") {
        out.kind = HookMessage::Kind::Disturbed;
        out.text = text(json, "by");
    } else if (tag == "note") {
        out.kind = HookMessage::Kind::Note;
        out.text = text(json, "text");
    }
    return out;
}

} // namespace foresight
