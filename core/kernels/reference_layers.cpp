// SPDX-License-Identifier: Apache-2.0
// Normalisations with given or row-wise statistics, and row-wise quantisation. Written from the definitions,
// in long double.
#include "core/kernels/reference_detail.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foresight {

// Inputs: x, residual (when added), running mean and variance, weight and bias (when affine).
Columns batchNormReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t channels = size(problem, "C"), area = size(problem, "H") * size(problem, "W");
    const bool added = flag(problem, "add"), affine = flag(problem, "affine");
    const std::size_t mean = added ? 2 : 1, variance = mean + 1, weight = mean + 2, bias = mean + 3;
    std::vector<double> y;
    for (std::size_t i = 0; i < inputs[0].size(); ++i) {
        const std::size_t channel = i / area % channels;
        long double value =
            (inputs[0][i] - static_cast<long double>(inputs[mean][channel])) /
            std::sqrt(static_cast<long double>(inputs[variance][channel]) + real(problem, "eps"));
        if (affine)
            value = value * inputs[weight][channel] + inputs[bias][channel];
        if (added)
            value += inputs[1][i];
        if (flag(problem, "relu") && value < 0)
            value = 0;
        y.push_back(static_cast<double>(value));
    }
    return {std::move(y)};
}

Columns layerNormReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    const bool affine = flag(problem, "affine");
    std::vector<double> y, means, inverses;
    for (std::size_t row = 0; row < rows; ++row) {
        const double* x = inputs[0].data() + row * columns;
        long double sum = 0, squares = 0;
        for (std::size_t i = 0; i < columns; ++i)
            sum += x[i];
        long double mean = sum / static_cast<long double>(columns);
        for (std::size_t i = 0; i < columns; ++i)
            squares += (x[i] - mean) * (x[i] - mean);
        if (!std::isfinite(squares)) // an Inf or NaN anywhere spoils the whole row, its mean included
            mean = std::numeric_limits<long double>::quiet_NaN();
        const long double inverse =
            mean == mean ? 1 / std::sqrt(squares / static_cast<long double>(columns) + real(problem, "eps"))
                         : mean;
        for (std::size_t i = 0; i < columns; ++i) {
            const long double value = (x[i] - mean) * inverse;
            y.push_back(static_cast<double>(affine ? value * inputs[1][i] + inputs[2][i] : value));
        }
        means.push_back(static_cast<double>(mean));
        inverses.push_back(static_cast<double>(inverse));
    }
    if (!flag(problem, "stats"))
        return {std::move(y)};
    return {std::move(y), std::move(means), std::move(inverses)};
}

// The norm is of the sum before it is rounded.
Columns addRmsNormReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    const auto offset = static_cast<long double>(std::get<std::int64_t>(problem.symbols.at("weight_offset")));
    std::vector<double> h, y;
    for (std::size_t row = 0; row < rows; ++row) {
        std::vector<long double> sum(columns);
        long double squares = 0;
        for (std::size_t i = 0; i < columns; ++i) {
            sum[i] = static_cast<long double>(inputs[0][row * columns + i]) + inputs[1][row * columns + i];
            squares += sum[i] * sum[i];
        }
        const long double inverse =
            1 / std::sqrt(squares / static_cast<long double>(columns) + real(problem, "eps"));
        for (std::size_t i = 0; i < columns; ++i) {
            h.push_back(static_cast<double>(sum[i]));
            y.push_back(static_cast<double>(sum[i] * inverse * (inputs[2][i] + offset)));
        }
    }
    return {std::move(h), std::move(y)};
}

Columns fp8QuantiseReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    std::vector<double> y, scales;
    for (std::size_t row = 0; row < rows; ++row) {
        const double* x = inputs[0].data() + row * columns;
        long double largest = real(problem, "least");
        for (std::size_t i = 0; i < columns; ++i) {
            const long double magnitude = std::fabs(static_cast<long double>(x[i]));
            if (magnitude > largest || std::isnan(magnitude))
                largest = magnitude; // a NaN stays: nothing compares greater than it
        }
        const long double scale = largest / 448;
        for (std::size_t i = 0; i < columns; ++i)
            y.push_back(static_cast<double>(x[i] / scale));
        scales.push_back(static_cast<double>(scale));
    }
    return {std::move(y), std::move(scales)};
}

} // namespace foresight
