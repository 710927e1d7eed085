// SPDX-License-Identifier: Apache-2.0
// y = x * sigmoid(x). The loops are in common/pointwise.cu.
#define INPUTS 1
#define PACKED 0
__device__ __forceinline__ float apply(float a, float) { return silu(a); }
