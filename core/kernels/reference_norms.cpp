// SPDX-License-Identifier: Apache-2.0
// Written from the definitions, one value at a time in long double, with none of the kernels' rearrangements.
#include "core/kernels/reference_detail.h"

#include <cmath>
#include <limits>

namespace foresight {

Columns groupNormReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t images = size(problem, "N"), channels = size(problem, "C"), groups = size(problem, "G");
    const std::size_t area = size(problem, "H") * size(problem, "W"), perGroup = channels / groups;
    const bool affine = flag(problem, "affine"), silu = flag(problem, "silu");
    const std::vector<double>& x = inputs[0];
    std::vector<double> y(x.size()), means, inverses;
    for (std::size_t image = 0; image < images; ++image) {
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t first = (image * channels + group * perGroup) * area, count = perGroup * area;
            long double sum = 0, squares = 0;
            for (std::size_t i = 0; i < count; ++i)
                sum += x[first + i];
            long double mean = sum / static_cast<long double>(count);
            for (std::size_t i = 0; i < count; ++i)
                squares += (x[first + i] - mean) * (x[first + i] - mean);
            if (!std::isfinite(squares)) // an Inf or NaN anywhere spoils the whole group, its mean included
                mean = std::numeric_limits<long double>::quiet_NaN();
            const long double inverse =
                1 / std::sqrt(squares / static_cast<long double>(count) + real(problem, "eps"));
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t channel = group * perGroup + i / area;
                long double value = (x[first + i] - mean) * inverse;
                if (affine)
                    value = value * inputs[1][channel] + inputs[2][channel];
                if (silu)
                    value = value / (1 + std::exp(-value));
                y[first + i] = static_cast<double>(value);
            }
            means.push_back(static_cast<double>(mean));
            inverses.push_back(static_cast<double>(mean == mean ? inverse : mean));
        }
    }
    Columns outputs = {std::move(y)};
    if (flag(problem, "stats")) {
        outputs.push_back(std::move(means));
        outputs.push_back(std::move(inverses));
    }
    return outputs;
}

Columns rmsNormReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    const auto offset = static_cast<long double>(std::get<std::int64_t>(problem.symbols.at("weight_offset")));
    const bool weighted = flag(problem, "weight");
    std::vector<double> y(rows * columns), inverses;
    for (std::size_t row = 0; row < rows; ++row) {
        const double* x = inputs[0].data() + row * columns;
        long double squares = 0;
        for (std::size_t i = 0; i < columns; ++i)
            squares += static_cast<long double>(x[i]) * x[i];
        const long double inverse =
            1 / std::sqrt(squares / static_cast<long double>(columns) + real(problem, "eps"));
        for (std::size_t i = 0; i < columns; ++i)
            y[row * columns + i] =
                static_cast<double>(x[i] * inverse * (weighted ? inputs[1][i] + offset : 1));
        inverses.push_back(static_cast<double>(inverse));
    }
    Columns outputs = {std::move(y)};
    if (flag(problem, "stats"))
        outputs.push_back(std::move(inverses));
    return outputs;
}

Columns softmaxReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    const bool logarithm = flag(problem, "log");
    std::vector<double> y(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
        const double* x = inputs[0].data() + row * columns;
        double largest = -std::numeric_limits<double>::infinity();
        bool bad = false;
        for (std::size_t i = 0; i < columns; ++i) {
            bad = bad || std::isnan(x[i]);
            largest = std::fmax(largest, x[i]);
        }
        if (bad)
            largest = std::numeric_limits<double>::quiet_NaN();
        long double sum = 0;
        for (std::size_t i = 0; i < columns; ++i)
            sum += std::exp(static_cast<long double>(x[i]) - largest);
        for (std::size_t i = 0; i < columns; ++i) {
            const long double shifted = static_cast<long double>(x[i]) - largest;
            y[row * columns + i] =
                static_cast<double>(logarithm ? shifted - std::log(sum) : std::exp(shifted) / sum);
        }
    }
    return {std::move(y)};
}

} // namespace foresight
