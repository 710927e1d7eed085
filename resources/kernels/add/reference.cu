// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one thread per element.

// grid: elements / 256, rounded up
extern "C" __global__ void pointwiseReference(const Element* a, const Element* b, double* y, i64 elements, int relu)
{
    const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
    if (i >= elements)
        return;
    const double v = (double)toFloat(a[i]) + (double)toFloat(b[i]);
    y[i] = relu && v < 0 ? 0.0 : v;
}
