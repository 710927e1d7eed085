// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/config_space.h"

#include <cstring>

namespace foresight {

namespace {

std::string keyOf(const std::uint16_t* codes, std::size_t parameters)
{
    std::string key(parameters * sizeof(std::uint16_t), '\0');
    if (parameters > 0)
        std::memcpy(key.data(), codes, key.size());
    return key;
}

} // namespace

ConfigSpace::ConfigSpace(std::vector<TuningParameter> parameters, std::vector<std::uint16_t> codes)
    : m_parameters(std::move(parameters))
{
    const std::size_t width = m_parameters.size();
    const std::size_t rows = width == 0 ? 0 : codes.size() / width;
    m_codes.reserve(codes.size());
    m_byCodes.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint16_t* first = codes.data() + row * width;
        if (!m_byCodes.emplace(keyOf(first, width), static_cast<std::uint32_t>(m_size)).second)
            continue;
        m_codes.insert(m_codes.end(), first, first + width);
        ++m_size;
    }
}

Symbols ConfigSpace::configuration(std::size_t index) const
{
    Symbols symbols;
    for (std::size_t p = 0; p < m_parameters.size(); ++p)
        symbols.emplace(m_parameters[p].name, value(index, p));
    return symbols;
}

std::optional<std::size_t> ConfigSpace::find(const Symbols& configuration) const
{
    std::vector<std::uint16_t> codes(m_parameters.size());
    for (std::size_t p = 0; p < m_parameters.size(); ++p) {
        const auto given = configuration.find(m_parameters[p].name);
        if (given == configuration.end())
            return std::nullopt;
        const std::vector<Value>& values = m_parameters[p].values;
        std::size_t at = 0;
        while (at < values.size() && !valuesEqual(values[at], given->second))
            ++at;
        if (at == values.size())
            return std::nullopt;
        codes[p] = static_cast<std::uint16_t>(at);
    }
    const auto found = m_byCodes.find(keyOf(codes.data(), codes.size()));
    if (found == m_byCodes.end())
        return std::nullopt;
    return found->second;
}

int ConfigSpace::distance(std::size_t a, std::size_t b) const
{
    int different = 0;
    for (std::size_t p = 0; p < m_parameters.size(); ++p)
        different += code(a, p) != code(b, p);
    return different;
}

std::vector<std::uint32_t> ConfigSpace::neighbours(std::size_t index, int radius) const
{
    const std::size_t width = m_parameters.size();
    const std::uint16_t* own = m_codes.data() + index * width;
    std::vector<std::uint32_t> result;
    for (std::size_t other = 0; other < m_size; ++other) {
        const std::uint16_t* codes = m_codes.data() + other * width;
        int different = 0;
        for (std::size_t p = 0; p < width && different <= radius; ++p)
            different += codes[p] != own[p];
        if (different <= radius && other != index)
            result.push_back(static_cast<std::uint32_t>(other));
    }
    return result;
}

} // namespace foresight
