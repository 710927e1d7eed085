// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one thread per element of y. x holds gate and up side by side in each row; without it they are
// tensors of their own.

// grid: elements / 256, rounded up
extern "C" __global__ void pointwiseReference(const Element* gate, const Element* up, const Element* x, double* y, i64 elements,
                                              i64 columns, int gelu, int tanhForm)
{
    const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
    if (i >= elements)
        return;
    const i64 row = i / columns, at = i % columns;
    const double v = (double)toFloat(x ? x[row * 2 * columns + at] : gate[i]);
    const double factor = (double)toFloat(x ? x[(row * 2 + 1) * columns + at] : up[i]);
    const double pi = 3.14159265358979323846;
    double activated = v / (1.0 + exp(-v));
    if (gelu && tanhForm)
        activated = 0.5 * v * (1.0 + tanh(sqrt(2.0 / pi) * (v + 0.044715 * v * v * v)));
    else if (gelu)
        activated = 0.5 * v * (1.0 + erf(v / sqrt(2.0)));
    y[i] = activated * factor;
}
