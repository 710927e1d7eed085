// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block of 256 threads per row, then one thread for mean or sum.

__device__ double blockJoined(double* values, bool maximum)
{
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if ((int)threadIdx.x < half) {
            const double other = values[threadIdx.x + half];
            if (!maximum)
                values[threadIdx.x] += other;
            else if (other > values[threadIdx.x] || other != other)
                values[threadIdx.x] = other;
        }
        __syncthreads();
    }
    const double joined = values[0];
    __syncthreads();
    return joined;
}

// grid: rows
extern "C" __global__ void crossEntropyReference(const Element* x, const i64* targets, double* losses, i64 columns, i64 ignored)
{
    __shared__ double values[256];
    const Element* row = x + (i64)blockIdx.x * columns;
    double largest = __longlong_as_double(0xfff0000000000000ll);
    for (i64 i = threadIdx.x; i < columns; i += 256) {
        const double v = (double)toFloat(row[i]);
        largest = v > largest || v != v ? v : largest; // a NaN stays: nothing compares greater than it
    }
    values[threadIdx.x] = largest;
    largest = blockJoined(values, true);
    double sum = 0;
    for (i64 i = threadIdx.x; i < columns; i += 256)
        sum += exp((double)toFloat(row[i]) - largest);
    values[threadIdx.x] = sum;
    sum = blockJoined(values, false);
    if (threadIdx.x == 0) {
        const i64 target = targets[blockIdx.x];
        double loss = 0;
        if (target != ignored)
            loss = target >= 0 && target < columns ? log(sum) - ((double)toFloat(row[target]) - largest)
                                                   : __longlong_as_double(0x7ff8000000000000ll);
        losses[blockIdx.x] = loss;
    }
}

extern "C" __global__ void crossEntropyJoinReference(const double* losses, const i64* targets, double* y, i64 rows, i64 ignored, int mean)
{
    double sum = 0, count = 0;
    for (i64 row = 0; row < rows; ++row) {
        sum += losses[row];
        count += targets[row] != ignored;
    }
    *y = mean ? sum / count : sum;
}
