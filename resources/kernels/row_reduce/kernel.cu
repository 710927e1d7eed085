// SPDX-License-Identifier: Apache-2.0
// One number per row (the last dimension, contiguous): OP 0 sum, 1 mean, 2 maximum, 3 minimum; with INDICES the first
// place of the maximum or minimum too. Sums in fp32; a NaN anywhere is the result.
//   group   P_GROUP neighbouring threads have a row (1: a thread per row, up to a whole block)
//   split   parts of rows (grid.y), joined by a second launch: no atomics, always the same sum
//   staged  a block copies its rows, which lie one after another, to shared memory in wide words, then reduces them there
// P_JOIN: how the warps of a row meet: warp shuffles and one number per warp, or a tree in shared memory.

#define VEC P_VEC
#define THREADS P_THREADS
#define GROUP P_GROUP
#define UNROLL P_UNROLL
#define ROWS_PER_BLOCK (THREADS / GROUP)
typedef WordOf<VEC * T_BYTES>::type Word;

#if defined(P_CACHE_stream)
#define READ kStream
#else
#define READ kPlain
#endif

struct Partial {
    float value;
#if INDICES
    int index;
#endif
};

__device__ __forceinline__ Partial nothing()
{
    Partial p;
    p.value = OP < 2 ? 0.f : __int_as_float(OP == 2 ? 0xff800000 : 0x7f800000);
#if INDICES
    p.index = 0x7fffffff;
#endif
    return p;
}

__device__ __forceinline__ void join(Partial& a, Partial b)
{
#if OP < 2
    a.value += b.value;
#elif INDICES
    const bool better = OP == 2 ? b.value > a.value : b.value < a.value;
    const bool aNan = a.value != a.value, bNan = b.value != b.value;
    const bool same = aNan ? bNan : b.value == a.value;
    if ((bNan && !aNan) || (better && !aNan) || (same && b.index < a.index))
        a = b;
#elif OP == 2
    asm("max.NaN.f32 %0, %0, %1;" : "+f"(a.value) : "f"(b.value));
#else
    asm("min.NaN.f32 %0, %0, %1;" : "+f"(a.value) : "f"(b.value));
#endif
}

__device__ __forceinline__ void take(Partial& p, float value, int index)
{
    Partial other;
    other.value = value;
#if INDICES
    other.index = index;
#endif
    join(p, other);
}

__device__ __forceinline__ void takeWord(Partial& p, Word w, int at)
{
    float f[VEC];
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        take(p, f[j], at * VEC + j);
}

__device__ __forceinline__ Partial exchanged(Partial p, int lanes)
{
    p.value = warpXor(p.value, lanes);
#if INDICES
    p.index = __shfl_xor_sync(0xffffffffu, p.index, lanes);
#endif
    return p;
}

// Words [from, to) of a row, every GROUP-th from the thread's own. Each of the UNROLL loads in flight has a sum of its own.
__device__ __forceinline__ Partial takeRow(const Word* x, int from, int to)
{
    Partial parts[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        parts[u] = nothing();
    for (int base = from + (int)threadIdx.x % GROUP; base < to; base += UNROLL * GROUP) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * GROUP < to)
                w[u] = load<READ>(x + base + u * GROUP);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * GROUP < to)
                takeWord(parts[u], w[u], base + u * GROUP);
    }
#pragma unroll
    for (int u = 1; u < UNROLL; ++u)
        join(parts[0], parts[u]);
    return parts[0];
}

// Over the group; the result is right in its first thread. Every thread of the block must call it.
__device__ __forceinline__ Partial groupJoined(Partial p)
{
#if defined(P_JOIN_tree)
    __shared__ Partial all[THREADS];
    all[threadIdx.x] = p;
    __syncthreads();
    for (int half = GROUP / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x % GROUP < half) {
            join(p, all[threadIdx.x + half]);
            all[threadIdx.x] = p;
        }
        __syncthreads();
    }
#else
    const int span = GROUP < 32 ? GROUP : 32;
#pragma unroll
    for (int lanes = span / 2; lanes > 0; lanes /= 2)
        join(p, exchanged(p, lanes));
#if P_GROUP > 32
    __shared__ Partial perWarp[32];
    if ((threadIdx.x & 31) == 0)
        perWarp[threadIdx.x >> 5] = p;
    __syncthreads();
    if (threadIdx.x % GROUP == 0) {
        const int first = (int)threadIdx.x >> 5;
        for (int i = 1; i < GROUP / 32; ++i)
            join(p, perWarp[first + i]);
    }
#endif
#endif
    return p;
}

__device__ __forceinline__ void finish(Partial p, Element* y, i64* indices, i64 row, float columns)
{
#if OP == 1
    p.value /= columns;
#endif
    y[row] = fromFloat(p.value);
#if INDICES
    indices[row] = p.index;
#endif
}

#if defined(P_ALGO_group)

extern "C" __global__ void __launch_bounds__(THREADS)
    reduceRows(const Element* x, Element* y, i64* indices, i64 rows, int words, float columns)
{
    const i64 row = (i64)blockIdx.x * ROWS_PER_BLOCK + (int)threadIdx.x / GROUP;
    Partial p = nothing();
    if (row < rows)
        p = takeRow((const Word*)x + row * words, 0, words);
    p = groupJoined(p);
    if (threadIdx.x % GROUP == 0 && row < rows)
        finish(p, y, indices, row, columns);
}

#elif defined(P_ALGO_split) // GROUP is THREADS

// grid: rows * split, the parts of a row side by side
extern "C" __global__ void __launch_bounds__(THREADS) reduceParts(const Element* x, Partial* parts, int words, int chunk, int split)
{
    const i64 row = blockIdx.x / split;
    const int part = (int)(blockIdx.x % split), from = min(words, part * chunk), to = min(words, from + chunk);
    const Partial p = groupJoined(takeRow((const Word*)x + row * words, from, to));
    if (threadIdx.x == 0)
        parts[blockIdx.x] = p;
}

// A warp per row.
extern "C" __global__ void __launch_bounds__(128)
    reduceFinish(const Partial* parts, Element* y, i64* indices, i64 rows, int split, float columns)
{
    const i64 row = (i64)blockIdx.x * 4 + (threadIdx.x >> 5);
    if (row >= rows)
        return;
    Partial p = nothing();
    for (int i = (int)threadIdx.x & 31; i < split; i += 32)
        join(p, parts[row * split + i]);
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        join(p, exchanged(p, lanes));
    if ((threadIdx.x & 31) == 0)
        finish(p, y, indices, row, columns);
}

#else // staged

extern "C" __global__ void __launch_bounds__(THREADS)
    reduceStaged(const Element* x, Element* y, i64* indices, i64 rows, int columns)
{
    extern __shared__ uint4 dynamicShared[];
    const i64 first = (i64)blockIdx.x * ROWS_PER_BLOCK;
    const int mine = (int)min((i64)ROWS_PER_BLOCK, rows - first), elements = mine * columns, words = elements / VEC;
    const Element* xs = x + first * columns;
    Word* kept = (Word*)dynamicShared;
    for (int base = (int)threadIdx.x; base < words; base += UNROLL * THREADS) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * THREADS < words)
                w[u] = load<READ>((const Word*)xs + base + u * THREADS);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * THREADS < words)
                kept[base + u * THREADS] = w[u];
    }
    for (int i = words * VEC + (int)threadIdx.x; i < elements; i += THREADS)
        ((Element*)dynamicShared)[i] = xs[i];
    __syncthreads();
    const int row = (int)threadIdx.x / GROUP;
    Partial p = nothing();
    if (row < mine)
        for (int i = (int)threadIdx.x % GROUP; i < columns; i += GROUP)
            take(p, toFloat(((const Element*)dynamicShared)[row * columns + i]), i);
    p = groupJoined(p);
    if (threadIdx.x % GROUP == 0 && row < mine)
        finish(p, y, indices, first + row, (float)columns);
}

#endif
