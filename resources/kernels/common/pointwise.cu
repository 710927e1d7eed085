// SPDX-License-Identifier: Apache-2.0
// Families that work element by element: `apply(a, b)` gives the result of one element (b: the second input, if
// INPUTS is 2). PACKED: both inputs are halves of the rows of one tensor. In-place use is safe: a thread has read an
// element before it writes it, and nobody else reads it.
//   once    every thread has UNROLL words, once
//   stride  P_RESIDENT blocks per SM stay and go through the tensor side by side
//   chunk   the same, each block through a part of its own
//   async   like stride, with P_STAGES steps of asynchronous copies into shared memory on the way
// What is left behind the last whole word is done one element per thread of the first block.

#define VEC P_VEC
#define THREADS P_THREADS
#define UNROLL P_UNROLL
typedef WordOf<VEC * T_BYTES>::type Word;

#if defined(P_READ_plain)
#define READ kPlain
#elif defined(P_READ_l2)
#define READ kL2Only
#else
#define READ kStream
#endif
#if defined(P_WRITE_plain)
#define WRITE kPlain
#elif defined(P_WRITE_keep)
#define WRITE kKeep
#else
#define WRITE kStream
#endif

#if PACKED
// Word i of the results has its first operand here; the second is `perRow` words further.
__device__ __forceinline__ i64 packedAt(i64 i, int perRow) { return i + (i64)((u32)i / (u32)perRow) * perRow; }
#endif

struct Operands {
    Word a;
#if INPUTS == 2
    Word b;
#endif
};

__device__ __forceinline__ Operands fetch(const Word* a, const Word* b, i64 i, int perRow)
{
    Operands o;
#if PACKED
    const i64 at = packedAt(i, perRow);
    o.a = load<READ>(a + at);
    o.b = load<READ>(a + at + perRow);
#else
    o.a = load<READ>(a + i);
#if INPUTS == 2
    o.b = load<READ>(b + i);
#endif
#endif
    return o;
}

__device__ __forceinline__ void finish(Word* y, i64 i, Operands o)
{
    float f[VEC], g[VEC];
    unpack(o.a, f);
#if INPUTS == 2
    unpack(o.b, g);
#endif
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] = apply(f[j], INPUTS == 2 ? g[j] : 0.f);
    Word w;
    pack(f, w);
    put<WRITE>(y + i, w);
}

// UNROLL words, THREADS apart.
__device__ __forceinline__ void step(const Word* a, const Word* b, Word* y, i64 first, i64 end, int perRow)
{
    Operands o[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        if (first + u * THREADS < end)
            o[u] = fetch(a, b, first + u * THREADS, perRow);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        if (first + u * THREADS < end)
            finish(y, first + u * THREADS, o[u]);
}

__device__ __forceinline__ void tail(const Element* a, const Element* b, Element* y, i64 from, i64 elements)
{
#if VEC > 1 && !PACKED // packed rows are whole words
    const i64 i = from + threadIdx.x;
    if (blockIdx.x == 0 && i < elements)
        y[i] = fromFloat(apply(toFloat(a[i]), INPUTS == 2 ? toFloat(b[i]) : 0.f));
#endif
}

#if defined(P_ALGO_async)
__device__ __forceinline__ void copyAsync(Word* to, const Word* from)
{
    const u32 at = (u32)__cvta_generic_to_shared(to);
    if (sizeof(Word) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(sizeof(Word)) : "memory");
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    pointwise(const Element* a, const Element* b, Element* y, i64 elements, i64 chunk, int perRow)
{
    const i64 words = elements / VEC;
    const Word* as = (const Word*)a;
    Word* ys = (Word*)y;
#if defined(P_ALGO_once)
    step(as, (const Word*)b, ys, (i64)blockIdx.x * (THREADS * UNROLL) + threadIdx.x, words, perRow);
#elif defined(P_ALGO_stride)
    const i64 stride = (i64)gridDim.x * (THREADS * UNROLL);
    for (i64 first = (i64)blockIdx.x * (THREADS * UNROLL) + threadIdx.x; first < words; first += stride)
        step(as, (const Word*)b, ys, first, words, perRow);
#elif defined(P_ALGO_chunk)
    const i64 begin = blockIdx.x * chunk, end = begin + chunk < words ? begin + chunk : words;
    for (i64 first = begin + threadIdx.x; first < end; first += THREADS * UNROLL)
        step(as, (const Word*)b, ys, first, end, perRow);
#else // async: every thread reads back only what it asked for itself
    extern __shared__ uint4 dynamicShared[];
    Word* slots = (Word*)dynamicShared + threadIdx.x;
    const i64 stride = (i64)gridDim.x * (THREADS * UNROLL);
    i64 ahead = (i64)blockIdx.x * (THREADS * UNROLL) + threadIdx.x, first = ahead;
    int filling = 0, using_ = 0;
#pragma unroll 1
    for (int k = 1 - P_STAGES; first < words; ++k) {
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            const i64 i = ahead + u * THREADS;
            Word* slot = slots + (filling * UNROLL + u) * INPUTS * THREADS;
            if (i < words) {
#if PACKED
                const i64 at = packedAt(i, perRow);
                copyAsync(slot, as + at);
                copyAsync(slot + THREADS, as + at + perRow);
#else
                copyAsync(slot, as + i);
#if INPUTS == 2
                copyAsync(slot + THREADS, (const Word*)b + i);
#endif
#endif
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        ahead += stride;
        filling = filling + 1 == P_STAGES ? 0 : filling + 1;
        if (k < 0)
            continue;
        asm volatile("cp.async.wait_group %0;" ::"n"(P_STAGES - 1) : "memory");
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            if (first + u * THREADS < words) {
                const Word* slot = slots + (using_ * UNROLL + u) * INPUTS * THREADS;
                Operands o;
                o.a = slot[0];
#if INPUTS == 2
                o.b = slot[THREADS];
#endif
                finish(ys, first + u * THREADS, o);
            }
        }
        first += stride;
        using_ = using_ + 1 == P_STAGES ? 0 : using_ + 1;
    }
#endif
    tail(a, b, y, words * VEC, elements);
}
