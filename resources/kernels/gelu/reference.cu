// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one thread per element.

// grid: elements / 256, rounded up
extern "C" __global__ void pointwiseReference(const Element* x, double* y, i64 elements, int tanhForm)
{
    const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
    if (i >= elements)
        return;
    const double v = (double)toFloat(x[i]);
    const double pi = 3.14159265358979323846;
    y[i] = tanhForm ? 0.5 * v * (1.0 + tanh(sqrt(2.0 / pi) * (v + 0.044715 * v * v * v))) : 0.5 * v * (1.0 + erf(v / sqrt(2.0)));
}
