// SPDX-License-Identifier: Apache-2.0
// Linear layers, sums and losses of rows: from the definitions, one value at a time in long double.
#include "core/kernels/reference_detail.h"

#include <cmath>
#include <limits>

namespace foresight {

Columns skinnyLinearReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "M"), outputs = size(problem, "N"), length = size(problem, "K");
    const bool bias = flag(problem, "bias");
    std::vector<double> y;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t output = 0; output < outputs; ++output) {
            long double sum = bias ? inputs[2][output] : 0;
            for (std::size_t i = 0; i < length; ++i)
                sum += static_cast<long double>(inputs[0][row * length + i]) * inputs[1][output * length + i];
            y.push_back(static_cast<double>(sum));
        }
    }
    return {std::move(y)};
}

Columns cumsumReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    std::vector<double> y;
    for (std::size_t row = 0; row < rows; ++row) {
        long double sum = 0;
        for (std::size_t i = 0; i < columns; ++i) {
            sum += inputs[0][row * columns + i];
            y.push_back(static_cast<double>(sum));
        }
    }
    return {std::move(y)};
}

Columns rowReduceReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    const std::int64_t op = integer(problem, "op"); // 0 sum, 1 mean, 2 maximum, 3 minimum
    std::vector<double> y, places;
    for (std::size_t row = 0; row < rows; ++row) {
        const double* x = inputs[0].data() + row * columns;
        long double sum = 0;
        std::size_t place = 0; // of the first NaN, else of the first of the largest or smallest
        for (std::size_t i = 0; i < columns; ++i) {
            sum += x[i];
            if (!std::isnan(x[place]) && (std::isnan(x[i]) || (op == 2 ? x[i] > x[place] : x[i] < x[place])))
                place = i;
        }
        y.push_back(op == 0   ? static_cast<double>(sum)
                    : op == 1 ? static_cast<double>(sum / static_cast<long double>(columns))
                              : x[place]);
        places.push_back(static_cast<double>(place));
    }
    if (flag(problem, "indices"))
        return {std::move(y), std::move(places)};
    return {std::move(y)};
}

Columns crossEntropyReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    const std::int64_t reduction = integer(problem, "reduction"); // 0 none, 1 mean, 2 sum
    const auto ignored = static_cast<double>(integer(problem, "ignore_index"));
    std::vector<double> losses;
    long double total = 0, counted = 0;
    for (std::size_t row = 0; row < rows; ++row) {
        const double* x = inputs[0].data() + row * columns;
        const double target = inputs[1][row];
        if (target == ignored) {
            losses.push_back(0);
            continue;
        }
        double largest = x[0];
        for (std::size_t i = 0; i < columns; ++i)
            largest = std::isnan(x[i]) ? x[i] : x[i] > largest ? x[i] : largest;
        long double sum = 0;
        for (std::size_t i = 0; i < columns; ++i)
            sum += std::exp(static_cast<long double>(x[i]) - largest);
        long double loss = std::numeric_limits<long double>::quiet_NaN(); // no such class
        if (target >= 0 && target < static_cast<double>(columns))
            loss = std::log(sum) - (static_cast<long double>(x[static_cast<std::size_t>(target)]) - largest);
        losses.push_back(static_cast<double>(loss));
        total += loss;
        counted += 1;
    }
    if (reduction == 0)
        return {std::move(losses)};
    return {{static_cast<double>(reduction == 1 ? total / counted : total)}};
}

Columns embeddingReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    std::vector<double> y;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto first = static_cast<std::size_t>(inputs[0][row]) * columns;
        for (std::size_t i = 0; i < columns; ++i)
            y.push_back(inputs[1][first + i]);
    }
    return {std::move(y)};
}

Columns maxPool2dReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t images = size(problem, "N") * size(problem, "C");
    const std::int64_t height = integer(problem, "H"), width = integer(problem, "W");
    const std::int64_t outHeight = integer(problem, "OH"), outWidth = integer(problem, "OW");
    std::vector<double> y, places;
    for (std::size_t image = 0; image < images; ++image) {
        const double* x = inputs[0].data() + image * static_cast<std::size_t>(height * width);
        for (std::int64_t out = 0; out < outHeight * outWidth; ++out) {
            const std::int64_t top = out / outWidth * integer(problem, "SH") - integer(problem, "PH");
            const std::int64_t left = out % outWidth * integer(problem, "SW") - integer(problem, "PW");
            std::int64_t place = -1; // PyTorch: the first of the largest, but the last NaN
            for (std::int64_t h = top; h < top + integer(problem, "KH"); ++h)
                for (std::int64_t w = left; w < left + integer(problem, "KW"); ++w)
                    if (h >= 0 && h < height && w >= 0 && w < width &&
                        (place < 0 || x[h * width + w] > x[place] || std::isnan(x[h * width + w])))
                        place = h * width + w;
            y.push_back(x[place]);
            places.push_back(static_cast<double>(place));
        }
    }
    if (flag(problem, "indices"))
        return {std::move(y), std::move(places)};
    return {std::move(y)};
}

} // namespace foresight
