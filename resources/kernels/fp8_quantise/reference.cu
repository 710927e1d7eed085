// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block per row; y before it is rounded to e4m3.

// grid: rows, block: 256
extern "C" __global__ void fp8QuantiseReference(const Element* x, double* y, double* scales, i64 columns, double least)
{
    __shared__ double values[256];
    const i64 first = (i64)blockIdx.x * columns;
    double largest = least;
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        const double v = fabs((double)toFloat(x[first + i]));
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
    const double scale = values[0] / 448.0;
    for (i64 i = threadIdx.x; i < columns; i += 256)
        y[first + i] = (double)toFloat(x[first + i]) / scale;
    if (threadIdx.x == 0)
        scales[blockIdx.x] = scale;
}
