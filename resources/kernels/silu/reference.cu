// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one thread per element.

// grid: elements / 256, rounded up
extern "C" __global__ void pointwiseReference(const Element* x, double* y, i64 elements)
{
    const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
    if (i >= elements)
        return;
    const double v = (double)toFloat(x[i]);
    y[i] = v / (1.0 + exp(-v));
}
