// SPDX-License-Identifier: Apache-2.0
// y = (x - mean) / sqrt(variance + eps) * weight + bias, row by row, in fp32; the variance is of deviations, so a large
// mean does no harm.
//   registers  the row stays in the group's registers (ITEMS words per thread): mean, then deviations from it
//   shared     the row is staged in shared memory, one row per block at a time
//   reread     the row is read twice, one row per block at a time: moments around its first element, then the result
// P_PERSIST > 0: as many blocks per SM stay and take row after row; P_PREFETCH then loads the next rows early, and
// P_WEIGHT_early keeps weight and bias in registers.

#if defined(P_CACHE_result) // rows.cu has the other kinds
#undef WRITE
#define WRITE kKeep
#endif

__device__ __forceinline__ float sumOf(Word w)
{
    float f[VEC], sum = 0.f;
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        sum += f[j];
    return sum;
}
__device__ __forceinline__ float squaresAround(Word w, float mean)
{
    float f[VEC], sum = 0.f;
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        sum = fmaf(f[j] - mean, f[j] - mean, sum);
    return sum;
}

__device__ __forceinline__ Word normalised(Word w, float mean, float inverse, Word weight, Word bias)
{
    float f[VEC];
    unpack(w, f);
#if AFFINE
    float g[VEC], b[VEC];
    unpack(weight, g);
    unpack(bias, b);
#endif
#pragma unroll
    for (int j = 0; j < VEC; ++j) {
        f[j] = (f[j] - mean) * inverse;
#if AFFINE
        f[j] = fmaf(f[j], g[j], b[j]);
#endif
    }
    pack(f, w);
    return w;
}

// An Inf or NaN anywhere leaves the row without a mean.
__device__ __forceinline__ float2 meanAndInverse(float mean, float squares, float columns, float eps)
{
    const float nan = __int_as_float(0x7fffffff);
    const bool finite = squares < __int_as_float(0x7f800000);
    return finite ? make_float2(mean, rsqrtf(squares / columns + eps)) : make_float2(nan, nan);
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
    layerNorm(const Element* x, const Element* weight, const Element* bias, Element* y, float* means, float* inverses,
              i64 rows, int words, float columns, float eps)
{
    __shared__ float scratch[32];
    const int lane = (int)threadIdx.x % GROUP;
    const Word* xs = (const Word*)x;
#if AFFINE
    const Word *ws = (const Word*)weight, *bs = (const Word*)bias;
#endif
    const i64 step = (i64)gridDim.x * ROWS_PER_BLOCK;
    Word g[ITEMS], b[ITEMS];
#if AFFINE && defined(P_WEIGHT_early)
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        if (lane + k * GROUP < words) {
            g[k] = ws[lane + k * GROUP];
            b[k] = bs[lane + k * GROUP];
        }
    }
#endif
    Word w[ITEMS];
    i64 first = (i64)blockIdx.x * ROWS_PER_BLOCK; // the same for all threads: they meet in groupJoin
    loadRow(w, xs, first + (int)threadIdx.x / GROUP, rows, words);
    for (; first < rows; first += step) {
        const i64 row = first + (int)threadIdx.x / GROUP;
#if P_PREFETCH
        Word next[ITEMS];
        loadRow(next, xs, row + step, rows, words);
#endif
        float sum = 0.f;
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            if (row < rows && lane + k * GROUP < words)
                sum += sumOf(w[k]);
        const float mean = groupJoin(sum, Add(), scratch) / columns;
        float squares = 0.f;
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            if (row < rows && lane + k * GROUP < words)
                squares += squaresAround(w[k], mean);
        squares = groupJoin(squares, Add(), scratch);
        const float2 s = meanAndInverse(mean, squares, columns, eps);
#if STATS
        if (lane == 0 && row < rows) {
            means[row] = s.x;
            inverses[row] = s.y;
        }
#endif
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const int i = lane + k * GROUP;
            if (row < rows && i < words) {
#if AFFINE && !defined(P_WEIGHT_early)
                g[k] = ws[i];
                b[k] = bs[i];
#endif
                put<WRITE>((Word*)y + row * words + i, normalised(w[k], s.x, s.y, g[k], b[k]));
            }
        }
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
    layerNorm(const Element* x, const Element* weight, const Element* bias, Element* y, float* means, float* inverses,
              i64 rows, int words, float columns, float eps)
{
    extern __shared__ uint4 dynamicShared[];
    __shared__ float scratch[32];
#if defined(P_ALGO_shared)
    Word* kept = (Word*)dynamicShared; // every thread reads back only what it wrote
#endif
#if AFFINE
    const Word *ws = (const Word*)weight, *bs = (const Word*)bias;
#endif
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const Word* xs = (const Word*)x + row * words;
        Word* ys = (Word*)y + row * words;
        const float origin = toFloat(x[row * words * VEC]);
        float sum = 0.f, squares = 0.f; // of deviations from the row's first element
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
                    float f[VEC];
                    unpack(w[u], f);
#pragma unroll
                    for (int j = 0; j < VEC; ++j) {
                        const float d = f[j] - origin;
                        sum += d;
                        squares = fmaf(d, d, squares);
                    }
#if defined(P_ALGO_shared)
                    kept[base + u * THREADS] = w[u];
#endif
                }
            }
        }
        const float shift = groupJoin(sum, Add(), scratch) / columns, mean = origin + shift;
#if defined(P_ALGO_shared)
        squares = 0.f;
        for (int i = (int)threadIdx.x; i < words; i += THREADS)
            squares += squaresAround(kept[i], mean);
        squares = groupJoin(squares, Add(), scratch);
#else
        squares = groupJoin(squares, Add(), scratch);
        squares -= shift * shift * columns;
        squares = squares < 0.f ? 0.f : squares; // not fmaxf: NaN must stay NaN
#endif
        const float2 s = meanAndInverse(mean, squares, columns, eps);
#if STATS
        if (threadIdx.x == 0) {
            means[row] = s.x;
            inverses[row] = s.y;
        }
#endif
        for (int base = (int)threadIdx.x; base < words; base += UNROLL * THREADS) {
            Word w[UNROLL], g[UNROLL], b[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                const int i = base + u * THREADS;
                if (i < words) {
#if defined(P_ALGO_shared)
                    w[u] = kept[i];
#else
                    w[u] = load<READ_ONCE>(xs + i);
#endif
#if AFFINE
                    g[u] = ws[i];
                    b[u] = bs[i];
#endif
                }
            }
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (base + u * THREADS < words)
                    put<WRITE>(ys + base + u * THREADS, normalised(w[u], s.x, s.y, g[u], b[u]));
        }
    }
}

#endif
