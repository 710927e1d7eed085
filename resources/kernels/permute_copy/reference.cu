// SPDX-License-Identifier: Apache-2.0
// Plain reference: one thread per element of y.

// grid: elements / 256, rounded up
extern "C" __global__ void permuteReference(const Element* x, double* y, i64 elements, i64 rows, i64 cols, i64 inner)
{
    const i64 at = (i64)blockIdx.x * 256 + threadIdx.x;
    if (at >= elements)
        return;
    const i64 i = at % inner, row = at / inner % rows, col = at / inner / rows % cols, batch = at / inner / rows / cols;
    y[at] = (double)toFloat(x[((batch * rows + row) * cols + col) * inner + i]);
}
