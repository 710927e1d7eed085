// SPDX-License-Identifier: Apache-2.0
// y = activation(gate) * up. The loops are in common/pointwise.cu.
#define INPUTS 2
__device__ __forceinline__ float apply(float gate, float up)
{
#if !GELU
    return silu(gate) * up;
#elif TANH
    return geluTanh(gate) * up;
#else
    return geluErf(gate) * up;
#endif
}
