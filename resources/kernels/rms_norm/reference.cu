// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block of 256 threads per row.

extern "C" __global__ void rmsNormReference(const Element* x, const Element* weight, double* y, double* inverses,
                                            i64 columns, double offset, double eps)
{
    __shared__ double values[256];
    const i64 row = blockIdx.x;
    double sum = 0;
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        const double v = (double)toFloat(x[row * columns + i]);
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
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        double value = (double)toFloat(x[row * columns + i]) * inverse;
        if (weight)
            value *= (double)toFloat(weight[i]) + offset;
        y[row * columns + i] = value;
    }
    if (threadIdx.x == 0 && inverses)
        inverses[row] = inverse;
}
