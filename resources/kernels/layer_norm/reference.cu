// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block per row, the mean first, then the variance around it.

__device__ double blockSum(double value)
{
    __shared__ double values[256];
    values[threadIdx.x] = value;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            values[threadIdx.x] += values[threadIdx.x + half];
        __syncthreads();
    }
    const double sum = values[0];
    __syncthreads();
    return sum;
}

// grid: rows, block: 256
extern "C" __global__ void layerNormReference(const Element* x, const Element* weight, const Element* bias, double* y,
                                              double* means, double* inverses, i64 columns, double eps)
{
    const Element* row = x + (i64)blockIdx.x * columns;
    double sum = 0;
    for (i64 i = threadIdx.x; i < columns; i += 256)
        sum += (double)toFloat(row[i]);
    double mean = blockSum(sum) / (double)columns;
    double squares = 0;
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        const double d = (double)toFloat(row[i]) - mean;
        squares += d * d;
    }
    squares = blockSum(squares);
    if (!(squares < 1e308)) // an Inf or NaN in the row: it has no mean
        mean = __longlong_as_double(0x7ff8000000000000ll);
    const double inverse = mean == mean ? 1.0 / sqrt(squares / (double)columns + eps) : mean;
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        double value = ((double)toFloat(row[i]) - mean) * inverse;
        if (weight)
            value = value * (double)toFloat(weight[i]) + (double)toFloat(bias[i]);
        y[(i64)blockIdx.x * columns + i] = value;
    }
    if (threadIdx.x == 0 && means) {
        means[blockIdx.x] = mean;
        inverses[blockIdx.x] = inverse;
    }
}
