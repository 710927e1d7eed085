// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block per row; the norm is of the sum before it is rounded.

// grid: rows, block: 256
extern "C" __global__ void addRmsNormReference(const Element* x, const Element* residual, const Element* weight, double* h,
                                               double* y, i64 columns, double offset, double eps)
{
    __shared__ double values[256];
    const i64 first = (i64)blockIdx.x * columns;
    double sum = 0;
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        const double v = (double)toFloat(x[first + i]) + (double)toFloat(residual[first + i]);
        h[first + i] = v;
        sum += v * v;
    }
    values[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            values[threadIdx.x] += values[threadIdx.x + half];
        __syncthreads();
    }
    const double inverse = 1.0 / sqrt(values[0] / (double)columns + eps);
    for (i64 i = threadIdx.x; i < columns; i += 256)
        y[first + i] = h[first + i] * inverse * ((double)toFloat(weight[i]) + offset);
}
