// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block of 128 threads per column of the output.

// grid: n
extern "C" __global__ void skinnyLinearReference(const Element* x, const Element* weight, const Element* bias, double* y,
                                                 i64 m, i64 n, i64 k)
{
    __shared__ double values[128];
    const i64 column = blockIdx.x;
    for (i64 row = 0; row < m; ++row) {
        double sum = 0;
        for (i64 i = threadIdx.x; i < k; i += 128)
            sum += (double)toFloat(x[row * k + i]) * (double)toFloat(weight[column * k + i]);
        values[threadIdx.x] = sum;
        __syncthreads();
        for (int half = 64; half > 0; half /= 2) {
            if ((int)threadIdx.x < half)
                values[threadIdx.x] += values[threadIdx.x + half];
            __syncthreads();
        }
        if (threadIdx.x == 0)
            y[row * n + column] = values[0] + (bias ? (double)toFloat(bias[column]) : 0.0);
        __syncthreads();
    }
}
