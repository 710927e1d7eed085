// SPDX-License-Identifier: Apache-2.0
// Plain reference: one block of 256 threads per row of the output.

// grid: rows
extern "C" __global__ void embeddingReference(const i64* index, const Element* weight, double* y, i64 columns, i64 vocabulary)
{
    const i64 row = index[blockIdx.x];
    for (i64 i = threadIdx.x; i < columns; i += 256)
        y[(i64)blockIdx.x * columns + i] = row >= 0 && row < vocabulary ? (double)toFloat(weight[row * columns + i]) : 0.0;
}
