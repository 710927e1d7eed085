// SPDX-License-Identifier: Apache-2.0
// y = x / sqrt(mean(x^2) + eps) * (weight + weight_offset), row by row, sums in fp32.
//   registers  the row stays in the group's registers (ITEMS words per thread)
//   shared     the row is staged in shared memory, one row per block at a time
//   reread     the row is read twice, one row per block at a time
// P_PERSIST > 0: as many blocks per SM stay and take row after row; P_PREFETCH then loads the next rows early, and
// P_WEIGHT_early keeps the weights in registers.

__device__ __forceinline__ float squares(Word w)
{
    float f[VEC], sum = 0.f;
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        sum = fmaf(f[j], f[j], sum);
    return sum;
}

__device__ __forceinline__ Word scaled(Word w, float inverse, Word weight)
{
    float f[VEC];
    unpack(w, f);
#if WEIGHT
    float g[VEC];
    unpack(weight, g);
#endif
#pragma unroll
    for (int j = 0; j < VEC; ++j) {
        f[j] *= inverse;
#if WEIGHT
        f[j] *= g[j] + (float)WEIGHT_OFFSET;
#endif
    }
    pack(f, w);
    return w;
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
    rmsNorm(const Element* x, const Element* weight, Element* y, float* inverses, i64 rows, int words, float columns,
            float eps)
{
    __shared__ float scratch[32];
    const int lane = (int)threadIdx.x % GROUP;
    const Word* xs = (const Word*)x;
#if WEIGHT
    const Word* ws = (const Word*)weight;
#endif
    const i64 step = (i64)gridDim.x * ROWS_PER_BLOCK;
    Word g[ITEMS];
#if WEIGHT && defined(P_WEIGHT_early)
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        if (lane + k * GROUP < words)
            g[k] = ws[lane + k * GROUP];
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
                sum += squares(w[k]);
        sum = groupJoin(sum, Add(), scratch);
        const float inverse = rsqrtf(sum / columns + eps);
#if STATS
        if (lane == 0 && row < rows)
            inverses[row] = inverse;
#endif
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const int i = lane + k * GROUP;
            if (row < rows && i < words) {
#if WEIGHT && !defined(P_WEIGHT_early)
                g[k] = ws[i];
#endif
                store<WRITE>((Word*)y + row * words + i, scaled(w[k], inverse, g[k]));
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
    rmsNorm(const Element* x, const Element* weight, Element* y, float* inverses, i64 rows, int words, float columns,
            float eps)
{
    extern __shared__ uint4 dynamicShared[];
    __shared__ float scratch[32];
#if defined(P_ALGO_shared)
    Word* kept = (Word*)dynamicShared; // every thread reads back only what it wrote
#endif
#if WEIGHT
    const Word* ws = (const Word*)weight;
#endif
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const Word* xs = (const Word*)x + row * words;
        Word* ys = (Word*)y + row * words;
        float sum = 0.f;
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
                    sum += squares(w[u]);
#if defined(P_ALGO_shared)
                    kept[base + u * THREADS] = w[u];
#endif
                }
            }
        }
        sum = groupJoin(sum, Add(), scratch);
        const float inverse = rsqrtf(sum / columns + eps);
#if STATS
        if (threadIdx.x == 0)
            inverses[row] = inverse;
#endif
        for (int base = (int)threadIdx.x; base < words; base += UNROLL * THREADS) {
            Word w[UNROLL], g[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                const int i = base + u * THREADS;
                if (i < words) {
#if defined(P_ALGO_shared)
                    w[u] = kept[i];
#else
                    w[u] = load<READ_ONCE>(xs + i);
#endif
#if WEIGHT
                    g[u] = ws[i];
#endif
                }
            }
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (base + u * THREADS < words)
                    store<WRITE>(ys + base + u * THREADS, scaled(w[u], inverse, g[u]));
        }
    }
}

#endif
