// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one block per (image, group), the mean first, then the variance around it. Inputs in their
// own layout, outputs in f64 and contiguous order.

__device__ double blockSum(double value)
{
    __shared__ double values[1024];
    values[threadIdx.x] = value;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            values[threadIdx.x] += values[threadIdx.x + half];
        __syncthreads();
    }
    const double sum = values[0];
    __syncthreads();
    return sum;
}

// grid: images x groups, block: 1024
extern "C" __global__ void groupNormReference(const Element* x, const Element* weight, const Element* bias, double* y,
                                              double* means, double* inverses, int channels, int groups, i64 area,
                                              i64 imageStride, i64 channelStride, i64 pixelStride, double eps, int silu)
{
    const i64 image = blockIdx.x / groups, group = blockIdx.x % groups;
    const i64 perGroup = channels / groups, count = perGroup * area;
    const Element* first = x + image * imageStride + group * perGroup * channelStride;

    double sum = 0;
    for (i64 i = threadIdx.x; i < count; i += 1024)
        sum += (double)toFloat(first[i / area * channelStride + i % area * pixelStride]);
    double mean = blockSum(sum) / (double)count;

    double squares = 0;
    for (i64 i = threadIdx.x; i < count; i += 1024) {
        const double d = (double)toFloat(first[i / area * channelStride + i % area * pixelStride]) - mean;
        squares += d * d;
    }
    squares = blockSum(squares);
    if (!(squares < 1e308)) // an Inf or NaN in the group: it has no mean
        mean = __longlong_as_double(0x7ff8000000000000ll);
    const double inverse = mean == mean ? 1.0 / sqrt(squares / (double)count + eps) : mean;

    for (i64 i = threadIdx.x; i < count; i += 1024) {
        const i64 channel = group * perGroup + i / area, pixel = i % area;
        double value = ((double)toFloat(first[i / area * channelStride + pixel * pixelStride]) - mean) * inverse;
        if (weight)
            value = value * (double)toFloat(weight[channel]) + (double)toFloat(bias[channel]);
        if (silu)
            value = value / (1.0 + exp(-value));
        y[(image * channels + channel) * area + pixel] = value;
    }
    if (threadIdx.x == 0 && means) {
        means[blockIdx.x] = mean;
        inverses[blockIdx.x] = inverse;
    }
}
