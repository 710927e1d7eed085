// SPDX-License-Identifier: Apache-2.0
// GELU, exact or in its tanh form. The loops are in common/pointwise.cu.
#define INPUTS 1
#define PACKED 0
__device__ __forceinline__ float apply(float a, float)
{
#if TANH
    return geluTanh(a);
#else
    return geluErf(a);
#endif
}
