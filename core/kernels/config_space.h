// SPDX-License-Identifier: Apache-2.0
// All valid configurations of a parametrised kernel, enumerated once. Also built from imported tuning files, so it
// knows nothing of families. Immutable after construction; safe to read from many threads.
#pragma once

#include "core/base/result.h"
#include "core/kernels/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace foresight {

struct TuningParameter {
    std::string name;
    std::vector<Value> values; // distinct, in the order given
    std::string help;
};

class ConfigSpace {
public:
    ConfigSpace() = default;
    // `codes` holds size x parameters indices into each parameter's values. Duplicates are dropped (first wins).
    ConfigSpace(std::vector<TuningParameter> parameters, std::vector<std::uint16_t> codes);

    std::size_t size() const { return m_size; }
    std::size_t parameterCount() const { return m_parameters.size(); }
    const std::vector<TuningParameter>& parameters() const { return m_parameters; }
    std::uint16_t code(std::size_t index, std::size_t parameter) const
    {
        return m_codes[index * m_parameters.size() + parameter];
    }
    const Value& value(std::size_t index, std::size_t parameter) const
    {
        return m_parameters[parameter].values[code(index, parameter)];
    }
    Symbols configuration(std::size_t index) const;
    std::string text(std::size_t index) const { return symbolsText(configuration(index)); }
    std::optional<std::size_t> find(const Symbols& configuration) const;
    // Number of parameters in which two configurations differ.
    int distance(std::size_t a, std::size_t b) const;
    // Indices within Hamming distance `radius` (>= 1) of `index`, ascending, without `index` itself.
    std::vector<std::uint32_t> neighbours(std::size_t index, int radius) const;

private:
    std::vector<TuningParameter> m_parameters;
    std::vector<std::uint16_t> m_codes;
    std::size_t m_size = 0;
    std::unordered_map<std::string, std::uint32_t> m_byCodes;
};

} // namespace foresight
