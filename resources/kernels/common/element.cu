// SPDX-License-Identifier: Apache-2.0
// Shared by the families: the element type T (macro T_F32, T_F16 or T_BF16; T_BYTES), vectors of elements as machine
// words, loads and stores with cache hints, warp shuffles. Needs no header, so it compiles with NVRTC alone.

typedef long long i64;
typedef unsigned int u32;

#if defined(T_F32)
typedef float Element;
__device__ __forceinline__ float toFloat(Element v) { return v; }
__device__ __forceinline__ Element fromFloat(float v) { return v; }
__device__ __forceinline__ void unpack(u32 w, float* f) { f[0] = __uint_as_float(w); }
__device__ __forceinline__ void pack(const float* f, u32& w) { w = __float_as_uint(f[0]); }
#elif defined(T_F16)
typedef unsigned short Element;
__device__ __forceinline__ float toFloat(Element v)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(v));
    return f;
}
__device__ __forceinline__ Element fromFloat(float v)
{
    Element h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(v));
    return h;
}
__device__ __forceinline__ void unpack(u32 w, float* f)
{
    f[0] = toFloat((Element)(w & 0xffffu));
    f[1] = toFloat((Element)(w >> 16));
}
__device__ __forceinline__ void pack(const float* f, u32& w)
{
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(f[1]), "f"(f[0])); // the first operand is the upper half
}
#elif defined(T_BF16)
typedef unsigned short Element;
__device__ __forceinline__ float toFloat(Element v) { return __uint_as_float((u32)v << 16); }
__device__ __forceinline__ Element fromFloat(float v)
{
    Element h;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(v));
    return h;
}
__device__ __forceinline__ void unpack(u32 w, float* f)
{
    f[0] = __uint_as_float(w << 16);
    f[1] = __uint_as_float(w & 0xffff0000u);
}
__device__ __forceinline__ void pack(const float* f, u32& w)
{
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(w) : "f"(f[1]), "f"(f[0]));
}
#endif

#define ELEMENTS_PER_U32 (4 / T_BYTES)

#if T_BYTES == 2
__device__ __forceinline__ void unpack(unsigned short w, float* f) { f[0] = toFloat(w); }
__device__ __forceinline__ void pack(const float* f, unsigned short& w) { w = fromFloat(f[0]); }
#endif
__device__ __forceinline__ void unpack(uint2 w, float* f)
{
    unpack(w.x, f);
    unpack(w.y, f + ELEMENTS_PER_U32);
}
__device__ __forceinline__ void pack(const float* f, uint2& w)
{
    pack(f, w.x);
    pack(f + ELEMENTS_PER_U32, w.y);
}
__device__ __forceinline__ void unpack(uint4 w, float* f)
{
    unpack(w.x, f);
    unpack(w.y, f + ELEMENTS_PER_U32);
    unpack(w.z, f + 2 * ELEMENTS_PER_U32);
    unpack(w.w, f + 3 * ELEMENTS_PER_U32);
}
__device__ __forceinline__ void pack(const float* f, uint4& w)
{
    pack(f, w.x);
    pack(f + ELEMENTS_PER_U32, w.y);
    pack(f + 2 * ELEMENTS_PER_U32, w.z);
    pack(f + 3 * ELEMENTS_PER_U32, w.w);
}

// The machine word that holds as many bytes.
template <int BYTES> struct WordOf;
template <> struct WordOf<2> { typedef unsigned short type; };
template <> struct WordOf<4> { typedef u32 type; };
template <> struct WordOf<8> { typedef uint2 type; };
template <> struct WordOf<16> { typedef uint4 type; };

// What the caches are told. Keep asks L2 to hold the line for a second read, Stream to let it go first.
enum CacheHint { kPlain, kL2Only, kStream, kKeep };

__device__ __forceinline__ unsigned long long keepPolicy()
{
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}
__device__ __forceinline__ unsigned short loadKeep(const unsigned short* p)
{
    unsigned short v;
    asm volatile("ld.global.L2::cache_hint.u16 %0, [%1], %2;" : "=h"(v) : "l"(p), "l"(keepPolicy()));
    return v;
}
__device__ __forceinline__ u32 loadKeep(const u32* p)
{
    u32 v;
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(v) : "l"(p), "l"(keepPolicy()));
    return v;
}
__device__ __forceinline__ uint2 loadKeep(const uint2* p)
{
    uint2 v;
    asm volatile("ld.global.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
                 : "=r"(v.x), "=r"(v.y) : "l"(p), "l"(keepPolicy()));
    return v;
}
__device__ __forceinline__ uint4 loadKeep(const uint4* p)
{
    uint4 v;
    asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p), "l"(keepPolicy()));
    return v;
}

template <CacheHint HINT, typename Word> __device__ __forceinline__ Word load(const Word* p)
{
    if (HINT == kL2Only)
        return __ldcg(p);
    if (HINT == kStream)
        return __ldcs(p);
    if (HINT == kKeep)
        return loadKeep(p);
    return *p;
}
template <CacheHint HINT, typename Word> __device__ __forceinline__ void store(Word* p, Word v)
{
    if (HINT == kStream)
        __stcs(p, v);
    else
        *p = v;
}

__device__ __forceinline__ float warpXor(float v, int lanes) { return __shfl_xor_sync(0xffffffffu, v, lanes); }
