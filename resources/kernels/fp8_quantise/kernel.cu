// SPDX-License-Identifier: Apache-2.0
// scale = max(largest |x| of the row, least) / 448; y = x / scale as e4m3 (448 is its largest value).
//   registers  the row stays in the group's registers (ITEMS words per thread)
//   shared     the row is staged in shared memory, one row per block at a time
//   reread     the row is read twice, one row per block at a time
// P_PERSIST > 0: as many blocks per SM stay and take row after row; P_PREFETCH then loads the next rows early.

#if defined(P_CACHE_result) // rows.cu has the other kinds
#undef WRITE
#define WRITE kKeep
#endif

// Compares magnitudes as bits, so that a NaN is the largest and stays.
struct LargerBits {
    __device__ __forceinline__ float operator()(float a, float b) const
    {
        return __uint_as_float(max(__float_as_uint(a), __float_as_uint(b)));
    }
};

__device__ __forceinline__ float largestOf(Word w)
{
    float f[VEC], largest = 0.f;
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        largest = LargerBits()(largest, fabsf(f[j]));
    return largest;
}

// Two values to e4m3, the first in the low byte; what is too large becomes 448, NaN stays.
__device__ __forceinline__ u32 pairOfE4m3(float low, float high)
{
#if __CUDA_ARCH__ >= 890
    unsigned short pair;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low)); // the first operand is the upper half
    return pair;
#else
    u32 pair = 0;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const float v = k ? high : low, magnitude = fminf(fabsf(v), 448.f);
        u32 code;
        if (magnitude < 0.015625f) { // below 2^-6: multiples of 2^-9
            code = (u32)__float2int_rn(magnitude * 512.f);
        } else {
            const u32 bits = __float_as_uint(magnitude); // round to nearest even at the third fraction bit
            code = ((bits + 0x7ffffu + ((bits >> 20) & 1u)) >> 20) - (120u << 3);
        }
        if (v != v)
            code = 0x7f;
        pair |= (code | (__float_as_uint(v) >> 31) << 7) << (8 * k);
    }
    return pair;
#endif
}

// VEC elements of the row `words` words long as bytes at position `at`.
__device__ __forceinline__ void storeQuantised(unsigned char* y, i64 at, Word w, float inverse)
{
    float f[VEC];
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] *= inverse;
#if P_VEC == 1
    y[at] = (unsigned char)pairOfE4m3(f[0], 0.f);
#elif P_VEC == 2
    put<WRITE>((unsigned short*)y + at, (unsigned short)pairOfE4m3(f[0], f[1]));
#elif P_VEC == 4
    put<WRITE>((u32*)y + at, pairOfE4m3(f[0], f[1]) | pairOfE4m3(f[2], f[3]) << 16);
#else
    uint2 v;
    v.x = pairOfE4m3(f[0], f[1]) | pairOfE4m3(f[2], f[3]) << 16;
    v.y = pairOfE4m3(f[4], f[5]) | pairOfE4m3(f[6], f[7]) << 16;
    put<WRITE>((uint2*)y + at, v);
#endif
}

#if defined(P_ALGO_registers)

__device__ __forceinline__ void loadRow(Word* w, const Word* x, i64 row, i64 rows, int words)
{
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const int i = (int)threadIdx.x % GROUP + k * GROUP;
        if (row < rows && i < words)
            w[k] = load<READ_ONCE>(x + row * words + i);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, P_PERSIST > 0 ? P_PERSIST : 1)
    fp8Quantise(const Element* x, unsigned char* y, float* scales, i64 rows, int words, float least)
{
    __shared__ float scratch[32];
    const int lane = (int)threadIdx.x % GROUP;
    const Word* xs = (const Word*)x;
    const i64 step = (i64)gridDim.x * ROWS_PER_BLOCK;
    Word w[ITEMS];
    i64 first = (i64)blockIdx.x * ROWS_PER_BLOCK; // the same for all threads: they meet in groupJoin
    loadRow(w, xs, first + (int)threadIdx.x / GROUP, rows, words);
    for (; first < rows; first += step) {
        const i64 row = first + (int)threadIdx.x / GROUP;
#if P_PREFETCH
        Word next[ITEMS];
        loadRow(next, xs, row + step, rows, words);
#endif
        float largest = least;
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            if (row < rows && lane + k * GROUP < words)
                largest = LargerBits()(largest, largestOf(w[k]));
        largest = groupJoin(largest, LargerBits(), scratch);
        const float inverse = 448.f / largest;
        if (lane == 0 && row < rows)
            scales[row] = largest / 448.f;
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            if (row < rows && lane + k * GROUP < words)
                storeQuantised(y, row * words + lane + k * GROUP, w[k], inverse);
#if P_PREFETCH
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            w[k] = next[k];
#else
        if (P_PERSIST > 0)
            loadRow(w, xs, row + step, rows, words);
#endif
    }
}

#else // shared, reread: GROUP is THREADS

extern "C" __global__ void __launch_bounds__(THREADS, P_PERSIST > 0 ? P_PERSIST : 1)
    fp8Quantise(const Element* x, unsigned char* y, float* scales, i64 rows, int words, float least)
{
    extern __shared__ uint4 dynamicShared[];
    __shared__ float scratch[32];
#if defined(P_ALGO_shared)
    Word* kept = (Word*)dynamicShared; // every thread reads back only what it wrote
#endif
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const Word* xs = (const Word*)x + row * words;
        float largest = least;
        for (int base = (int)threadIdx.x; base < words; base += UNROLL * THREADS) {
            Word w[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (base + u * THREADS < words)
#if defined(P_ALGO_shared)
                    w[u] = load<READ_ONCE>(xs + base + u * THREADS);
#else
                    w[u] = load<READ_FIRST>(xs + base + u * THREADS);
#endif
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                if (base + u * THREADS < words) {
                    largest = LargerBits()(largest, largestOf(w[u]));
#if defined(P_ALGO_shared)
                    kept[base + u * THREADS] = w[u];
#endif
                }
            }
        }
        largest = groupJoin(largest, LargerBits(), scratch);
        const float inverse = 448.f / largest;
        if (threadIdx.x == 0)
            scales[row] = largest / 448.f;
        for (int base = (int)threadIdx.x; base < words; base += UNROLL * THREADS) {
            Word w[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (base + u * THREADS < words)
#if defined(P_ALGO_shared)
                    w[u] = kept[base + u * THREADS];
#else
                    w[u] = load<READ_ONCE>(xs + base + u * THREADS);
#endif
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (base + u * THREADS < words)
                    storeQuantised(y, row * words + base + u * THREADS, w[u], inverse);
        }
    }
}

#endif
