// SPDX-License-Identifier: Apache-2.0
// y = max(x, 0), a NaN stays. The loops are in common/pointwise.cu.
#define INPUTS 1
#define PACKED 0
__device__ __forceinline__ float apply(float a, float) { return a < 0.f ? 0.f : a; }
