// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/features.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace foresight {

namespace {

std::optional<double> numberOf(const Value& value)
{
    if (const auto* b = std::get_if<bool>(&value))
        return *b ? 1.0 : 0.0;
    if (const auto* i = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*i);
    if (const auto* d = std::get_if<double>(&value))
        return std::isfinite(*d) ? std::optional(*d) : std::nullopt;
    const auto& text = std::get<std::string>(value);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number))
        return number;
    return std::nullopt;
}

// One number per value of a parameter: the value itself, or the place of its text among the sorted texts.
std::vector<double> numbersOf(const std::vector<Value>& values)
{
    std::vector<double> numbers;
    for (const Value& value : values) {
        if (const auto number = numberOf(value))
            numbers.push_back(*number);
        else
            break;
    }
    if (numbers.size() == values.size())
        return numbers;
    std::set<std::string> texts;
    for (const Value& value : values)
        texts.insert(valueText(value));
    numbers.clear();
    for (const Value& value : values)
        numbers.push_back(static_cast<double>(std::distance(texts.begin(), texts.find(valueText(value)))));
    return numbers;
}

enum class Group { None, Block, Tile };

// Names in use for threads of a block (CUDA, Kernel Tuner, CLBlast) and for work per thread.
Group groupOf(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("tile") || has("per_thread") || has("per_block") || has("per_warp") || has("unroll") ||
        has("items") || name == "vec")
        return Group::Tile;
    if (has("block") || has("thread") || has("warps") || name == "mdimc" || name == "ndimc")
        return Group::Block;
    return Group::None;
}

class Builder
{
public:
    explicit Builder(const ConfigSpace& space) : m_space(space) { m_out.rows = space.size(); }

    FeatureMatrix build()
    {
        for (std::size_t p = 0; p < m_space.parameterCount(); ++p)
            addParameter(p);
        for (const Integer& integer : m_integers)
            addTrailingZeros(integer);
        addProduct(Group::Block, "log2 block");
        addProduct(Group::Tile, "log2 tile");
        return std::move(m_out);
    }

private:
    struct Integer
    {
        std::size_t parameter;
        std::vector<std::int64_t> values; // by code; of unused codes too
        bool powersOfTwo;
    };

    void addParameter(std::size_t p)
    {
        const auto& parameter = m_space.parameters()[p];
        std::vector<bool> used(parameter.values.size(), false);
        for (std::size_t i = 0; i < m_space.size(); ++i)
            used[m_space.code(i, p)] = true;
        std::vector<double> x = numbersOf(parameter.values);

        std::set<double> distinct;
        bool integers = true;
        for (std::size_t c = 0; c < x.size(); ++c)
            if (used[c]) {
                distinct.insert(x[c]);
                integers = integers && x[c] == std::round(x[c]) && std::fabs(x[c]) < 0x1p53;
            }
        if (distinct.size() < 2)
            return;
        if (integers && *distinct.begin() > 0 && distinct.size() > 2) {
            Integer integer{p, {}, true};
            for (std::size_t c = 0; c < x.size(); ++c) {
                integer.values.push_back(used[c] ? static_cast<std::int64_t>(x[c]) : 1);
                const std::int64_t v = integer.values.back();
                integer.powersOfTwo = integer.powersOfTwo && (v & (v - 1)) == 0;
            }
            m_integers.push_back(std::move(integer));
        }
        if (*distinct.begin() > 0 && *distinct.rbegin() / *distinct.begin() >= 4) {
            std::set<double> logs;
            for (std::size_t c = 0; c < x.size(); ++c)
                if (used[c]) {
                    x[c] = std::log2(x[c]);
                    logs.insert(x[c]);
                }
            distinct = std::move(logs);
        }
        const double low = *distinct.begin(), range = *distinct.rbegin() - low;
        std::vector<float> byCode(x.size(), 0.f);
        for (std::size_t c = 0; c < x.size(); ++c)
            if (used[c]) {
                const auto rank = static_cast<double>(std::distance(distinct.begin(), distinct.find(x[c])));
                const double share = rank / static_cast<double>(distinct.size() - 1);
                byCode[c] = static_cast<float>(.5 * share + .5 * (x[c] - low) / range);
            }
        m_out.names.push_back(parameter.name);
        ++m_out.columns;
        m_out.data.reserve(m_out.columns * m_out.rows);
        for (std::size_t i = 0; i < m_out.rows; ++i)
            m_out.data.push_back(byCode[m_space.code(i, p)]);
    }

    void addTrailingZeros(const Integer& integer)
    {
        if (integer.powersOfTwo)
            return;
        std::vector<double> column(m_out.rows);
        for (std::size_t i = 0; i < m_out.rows; ++i) {
            const auto v = static_cast<std::uint64_t>(integer.values[m_space.code(i, integer.parameter)]);
            column[i] = std::min(std::countr_zero(v), 6);
        }
        addScaled(column, "zeros of " + m_space.parameters()[integer.parameter].name);
    }

    void addProduct(Group group, const std::string& name)
    {
        std::vector<const Integer*> members;
        for (const Integer& integer : m_integers)
            if (groupOf(m_space.parameters()[integer.parameter].name) == group)
                members.push_back(&integer);
        if (members.size() < 2)
            return;
        std::vector<double> column(m_out.rows, 0.0);
        for (const Integer* member : members)
            for (std::size_t i = 0; i < m_out.rows; ++i)
                column[i] +=
                    std::log2(static_cast<double>(member->values[m_space.code(i, member->parameter)]));
        addScaled(column, name);
    }

    void addScaled(const std::vector<double>& column, std::string name)
    {
        const auto [low, high] = std::minmax_element(column.begin(), column.end());
        if (low == column.end() || !(*high > *low))
            return;
        m_out.names.push_back(std::move(name));
        ++m_out.columns;
        const double base = *low, range = *high - *low;
        for (const double v : column)
            m_out.data.push_back(static_cast<float>((v - base) / range));
    }

    const ConfigSpace& m_space;
    FeatureMatrix m_out;
    std::vector<Integer> m_integers;
};

} // namespace

FeatureMatrix makeFeatures(const ConfigSpace& space)
{
    return Builder(space).build();
}

} // namespace foresight
