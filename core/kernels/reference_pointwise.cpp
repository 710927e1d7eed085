// SPDX-License-Identifier: Apache-2.0
// Families whose outputs depend on one or two elements each: copies, activations, gates, rotary embeddings.
// Written from the definitions, in long double.
#include "core/kernels/reference_detail.h"

#include <cmath>

namespace foresight {

namespace {

long double silu(long double v)
{
    return v / (1 + std::exp(-v));
}
long double gelu(long double v, bool tanhForm)
{
    if (tanhForm)
        return v / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0L)) * (v + 0.044715L * v * v * v)));
    return v / 2 * (1 + std::erf(v / std::sqrt(2.0L)));
}
long double relu(long double v)
{
    return v < 0 ? 0 : v; // a NaN stays
}

template <typename F> Columns each(const std::vector<double>& x, F f)
{
    std::vector<double> y;
    y.reserve(x.size());
    for (double v : x)
        y.push_back(static_cast<double>(f(static_cast<long double>(v))));
    return {std::move(y)};
}

} // namespace

// Inputs and outputs come in logical order, in which a transposing copy changes nothing.
Columns permuteCopyReference(const Problem&, const Columns& inputs)
{
    return {inputs[0]};
}

Columns siluReference(const Problem&, const Columns& inputs)
{
    return each(inputs[0], silu);
}

Columns geluReference(const Problem& problem, const Columns& inputs)
{
    const bool tanhForm = flag(problem, "tanh");
    return each(inputs[0], [tanhForm](long double v) { return gelu(v, tanhForm); });
}

Columns reluReference(const Problem&, const Columns& inputs)
{
    return each(inputs[0], relu);
}

Columns addReference(const Problem& problem, const Columns& inputs)
{
    const bool clipped = flag(problem, "relu");
    std::vector<double> y;
    for (std::size_t i = 0; i < inputs[0].size(); ++i) {
        const long double sum = static_cast<long double>(inputs[0][i]) + inputs[1][i];
        y.push_back(static_cast<double>(clipped ? relu(sum) : sum));
    }
    return {std::move(y)};
}

Columns gatedReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t rows = size(problem, "ROWS"), columns = size(problem, "COLS");
    const bool packed = flag(problem, "packed"), isGelu = flag(problem, "gelu"),
               tanhForm = flag(problem, "tanh");
    std::vector<double> y;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < columns; ++i) {
            const long double gate = inputs[0][packed ? row * 2 * columns + i : row * columns + i];
            const long double up =
                packed ? inputs[0][(row * 2 + 1) * columns + i] : inputs[1][row * columns + i];
            y.push_back(static_cast<double>((isGelu ? gelu(gate, tanhForm) : silu(gate)) * up));
        }
    return {std::move(y)};
}

Columns ropeReference(const Problem& problem, const Columns& inputs)
{
    const std::size_t heads = size(problem, "B") * size(problem, "H"), positions = size(problem, "S"),
                      width = size(problem, "D"), half = width / 2;
    const bool interleaved = flag(problem, "interleaved");
    std::vector<double> y(inputs[0].size());
    for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t position = 0; position < positions; ++position) {
            const double* x = inputs[0].data() + (head * positions + position) * width;
            const double* cosine = inputs[1].data() + position * width;
            const double* sine = inputs[2].data() + position * width;
            for (std::size_t i = 0; i < width; ++i) {
                const bool first = interleaved ? i % 2 == 0 : i < half;
                const std::size_t step = interleaved ? 1 : half, partner = first ? i + step : i - step;
                const long double turned = static_cast<long double>(x[partner]) * sine[i];
                y[(head * positions + position) * width + i] = static_cast<double>(
                    static_cast<long double>(x[i]) * cosine[i] + (first ? -turned : turned));
            }
        }
    return {std::move(y)};
}

} // namespace foresight
