// SPDX-License-Identifier: Apache-2.0
// Activations in fp32. P_MATH_fast: special-function units, a few units in the last place of fp32; else the library's.

#if defined(P_MATH_fast)
__device__ __forceinline__ float timesSigmoid(float x, float v) { return __fdividef(x, 1.f + __expf(-v)); }
#else
__device__ __forceinline__ float timesSigmoid(float x, float v) { return x / (1.f + expf(-v)); }
#endif

__device__ __forceinline__ float silu(float x) { return timesSigmoid(x, x); }

// (1 + tanh u) / 2 is the sigmoid of 2 u.
__device__ __forceinline__ float geluTanh(float x)
{
    const float scale = 0.797884560802865356f; // sqrt(2 / pi)
#if defined(P_MATH_fast)
    return timesSigmoid(x, x * fmaf(2.f * scale * 0.044715f, x * x, 2.f * scale));
#else
    return 0.5f * x * (1.f + tanhf(scale * fmaf(0.044715f * x, x * x, x)));
#endif
}

__device__ __forceinline__ float geluErf(float x)
{
#if defined(P_MATH_fast)
    // erfc by Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26 (absolute error below 1.5e-7).
    const float z = fabsf(x) * 0.707106781186547524f, t = __fdividef(1.f, fmaf(0.3275911f, z, 1.f));
    float p = fmaf(1.061405429f, t, -1.453152027f);
    p = fmaf(p, t, 1.421413741f);
    p = fmaf(p, t, -0.284496736f);
    p = fmaf(p, t, 0.254829592f);
    const float half = 0.5f * p * t * __expf(-z * z); // of the tail
    return x * (x < 0.f ? half : 1.f - half);
#else
    return 0.5f * x * (1.f + erff(x * 0.707106781186547524f));
#endif
}
