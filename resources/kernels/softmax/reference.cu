// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block of 256 threads per row; the maximum, then the sum, then the result.

// grid: rows
extern "C" __global__ void softmaxReference(const Element* x, double* y, i64 columns, int logarithm)
{
    __shared__ double values[256];
    const Element* row = x + (i64)blockIdx.x * columns;
    double largest = __longlong_as_double(0xfff0000000000000ll);
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        const double v = (double)toFloat(row[i]);
        largest = v > largest || v != v ? v : largest; // a NaN stays: nothing compares greater than it
    }
    values[threadIdx.x] = largest;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if ((int)threadIdx.x < half) {
            const double other = values[threadIdx.x + half];
            if (other > values[threadIdx.x] || other != other)
                values[threadIdx.x] = other;
        }
        __syncthreads();
    }
    largest = values[0];
    __syncthreads();
    double sum = 0;
    for (i64 i = threadIdx.x; i < columns; i += 256)
        sum += exp((double)toFloat(row[i]) - largest);
    values[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            values[threadIdx.x] += values[threadIdx.x + half];
        __syncthreads();
    }
    sum = values[0];
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        const double shifted = (double)toFloat(row[i]) - largest;
        y[(i64)blockIdx.x * columns + i] = logarithm ? shifted - log(sum) : exp(shifted) / sum;
    }
}
