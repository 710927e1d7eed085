// SPDX-License-Identifier: Apache-2.0
// Stores that may ask L2 to hold what they write: whoever reads it next finds it there, and it is written to memory
// when there is time.

__device__ __forceinline__ void storeKeep(unsigned short* p, unsigned short v)
{
    asm volatile("st.global.L2::cache_hint.u16 [%0], %1, %2;" ::"l"(p), "h"(v), "l"(keepPolicy()) : "memory");
}
__device__ __forceinline__ void storeKeep(u32* p, u32 v)
{
    asm volatile("st.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(p), "r"(v), "l"(keepPolicy()) : "memory");
}
__device__ __forceinline__ void storeKeep(uint2* p, uint2 v)
{
    asm volatile("st.global.L2::cache_hint.v2.u32 [%0], {%1, %2}, %3;" ::"l"(p), "r"(v.x), "r"(v.y), "l"(keepPolicy())
                 : "memory");
}
__device__ __forceinline__ void storeKeep(uint4* p, uint4 v)
{
    asm volatile("st.global.L2::cache_hint.v4.u32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z),
                 "r"(v.w), "l"(keepPolicy())
                 : "memory");
}

template <CacheHint HINT, typename Word> __device__ __forceinline__ void put(Word* p, Word v)
{
    if (HINT == kKeep)
        storeKeep(p, v);
    else
        store<HINT>(p, v);
}
