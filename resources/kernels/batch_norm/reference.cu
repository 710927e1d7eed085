// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one thread per element, in contiguous order; x and residual in their own layout.

// The parameters are f32 or of x's type.
__device__ double paramValue(const void* p, i64 channel, int f32)
{
    return f32 ? (double)((const float*)p)[channel] : (double)toFloat(((const Element*)p)[channel]);
}

// grid: elements / 256, rounded up
extern "C" __global__ void batchNormReference(const Element* x, const Element* residual, double* y, const void* mean,
                                              const void* variance, const void* weight, const void* bias, i64 elements,
                                              i64 channels, i64 area, i64 channelStride, i64 pixelStride, double eps, int relu,
                                              int f32)
{
    const i64 i = (i64)blockIdx.x * 256 + threadIdx.x;
    if (i >= elements)
        return;
    const i64 pixel = i % area, channel = i / area % channels, image = i / area / channels;
    const i64 at = image * channels * area + channel * channelStride + pixel * pixelStride;
    double v = ((double)toFloat(x[at]) - paramValue(mean, channel, f32)) / sqrt(paramValue(variance, channel, f32) + eps);
    if (weight)
        v = v * paramValue(weight, channel, f32) + paramValue(bias, channel, f32);
    if (residual)
        v += (double)toFloat(residual[at]);
    y[i] = relu && v < 0 ? 0.0 : v;
}
