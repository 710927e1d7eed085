// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block of 256 threads per row. operation 0 sum, 1 mean, 2 maximum, 3 minimum; a NaN wins, the
// first place of equals is taken.

__device__ bool ahead(double a, i64 i, double b, i64 j, int operation) // is (a, i) to be kept before (b, j)?
{
    const bool aNan = a != a, bNan = b != b;
    if (aNan || bNan)
        return aNan && bNan ? i < j : aNan;
    return a == b ? i < j : operation == 2 ? a > b : a < b;
}

// grid: rows
extern "C" __global__ void rowReduceReference(const Element* x, double* y, double* indices, i64 columns, int operation)
{
    __shared__ double values[256];
    __shared__ i64 places[256];
    const Element* row = x + (i64)blockIdx.x * columns;
    const int t = (int)threadIdx.x;
    double value = operation < 2 ? 0.0 : __longlong_as_double(operation == 2 ? 0xfff0000000000000ll : 0x7ff0000000000000ll);
    i64 place = columns;
    for (i64 i = t; i < columns; i += 256) {
        const double v = (double)toFloat(row[i]);
        if (operation < 2) {
            value += v;
        } else if (ahead(v, i, value, place, operation)) {
            value = v;
            place = i;
        }
    }
    values[t] = value;
    places[t] = place;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            if (operation < 2) {
                values[t] += values[t + half];
            } else if (ahead(values[t + half], places[t + half], values[t], places[t], operation)) {
                values[t] = values[t + half];
                places[t] = places[t + half];
            }
        }
        __syncthreads();
    }
    if (t == 0) {
        y[blockIdx.x] = operation == 1 ? values[0] / (double)columns : values[0];
        if (indices)
            indices[blockIdx.x] = (double)places[0];
    }
}
