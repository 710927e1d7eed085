// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block of 256 threads per row; a thread sums its stretch, then writes it on top of those before.

// grid: rows
extern "C" __global__ void cumsumReference(const Element* x, double* y, i64 columns)
{
    __shared__ double sums[256];
    const Element* row = x + (i64)blockIdx.x * columns;
    const i64 chunk = (columns + 255) / 256, from = min(columns, threadIdx.x * chunk), to = min(columns, from + chunk);
    double sum = 0;
    for (i64 i = from; i < to; ++i)
        sum += (double)toFloat(row[i]);
    sums[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < (int)threadIdx.x; ++i)
        sum += sums[i];
    for (i64 i = from; i < to; ++i) {
        sum += (double)toFloat(row[i]);
        y[(i64)blockIdx.x * columns + i] = sum;
    }
}
