// SPDX-License-Identifier: Apache-2.0
// y = a + b, or relu of it. The loops are in common/pointwise.cu.
#define INPUTS 2
#define PACKED 0
__device__ __forceinline__ float apply(float a, float b)
{
    const float sum = a + b;
#if RELU
    return sum < 0.f ? 0.f : sum; // a NaN stays
#else
    return sum;
#endif
}
