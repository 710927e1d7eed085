// SPDX-License-Identifier: Apache-2.0
// h = x + residual; y = h / sqrt(mean(h^2) + eps) * (weight + WEIGHT_OFFSET), row by row, sums in fp32. The norm is of h
// as it is stored.
//   registers  h stays in the group's registers (ITEMS words per thread)
//   shared     h is staged in shared memory, one row per block at a time
//   reread     h is read back from where it was stored
// P_PERSIST > 0: as many blocks per SM stay and take row after row; P_PREFETCH then loads the next rows early, and
// P_WEIGHT_early keeps the weights in registers. x and residual may be h: every word is read before it is written, by
// the same thread, unless PREFETCH reads rows ahead, which are the same block's too.

#if defined(P_CACHE_result) // rows.cu has the other kinds
#undef WRITE
#define WRITE kKeep
#endif

__device__ __forceinline__ Word added(Word a, Word b)
{
    float f[VEC], g[VEC];
    unpack(a, f);
    unpack(b, g);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] += g[j];
    pack(f, a);
    return a;
}
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
    float f[VEC], g[VEC];
    unpack(w, f);
    unpack(weight, g);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] = f[j] * inverse * (g[j] + (float)WEIGHT_OFFSET);
    pack(f, w);
    return w;
}

#if defined(P_ALGO_registers)

__device__ __forceinline__ void loadRow(Word* a, Word* b, const Word* x, const Word* residual, i64 row, i64 rows, int words)
{
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const int i = (int)threadIdx.x % GROUP + k * GROUP;
        if (row < rows && i < words) {
            a[k] = load<READ_ONCE>(x + row * words + i);
            b[k] = load<READ_ONCE>(residual + row * words + i);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, P_PERSIST > 0 ? P_PERSIST : 1)
    addRmsNorm(const Element* x, const Element* residual, const Element* weight, Element* h, Element* y, i64 rows, int words,
               float columns, float eps)
{
    __shared__ float scratch[32];
    const int lane = (int)threadIdx.x % GROUP;
    const Word *xs = (const Word*)x, *rs = (const Word*)residual, *ws = (const Word*)weight;
    const i64 step = (i64)gridDim.x * ROWS_PER_BLOCK;
    Word g[ITEMS];
#if defined(P_WEIGHT_early)
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        if (lane + k * GROUP < words)
            g[k] = ws[lane + k * GROUP];
#endif
    Word a[ITEMS], b[ITEMS];
    i64 first = (i64)blockIdx.x * ROWS_PER_BLOCK; // the same for all threads: they meet in groupJoin
    loadRow(a, b, xs, rs, first + (int)threadIdx.x / GROUP, rows, words);
    for (; first < rows; first += step) {
        const i64 row = first + (int)threadIdx.x / GROUP;
        Word w[ITEMS];
        float sum = 0.f;
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const int i = lane + k * GROUP;
            if (row < rows && i < words) {
                w[k] = added(a[k], b[k]);
                sum += squares(w[k]);
                put<WRITE>((Word*)h + row * words + i, w[k]);
            }
        }
#if P_PREFETCH
        loadRow(a, b, xs, rs, row + step, rows, words);
#endif
        sum = groupJoin(sum, Add(), scratch);
        const float inverse = rsqrtf(sum / columns + eps);
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            const int i = lane + k * GROUP;
            if (row < rows && i < words) {
#if !defined(P_WEIGHT_early)
                g[k] = ws[i];
#endif
                put<WRITE>((Word*)y + row * words + i, scaled(w[k], inverse, g[k]));
            }
        }
#if !P_PREFETCH
        if (P_PERSIST > 0)
            loadRow(a, b, xs, rs, row + step, rows, words);
#endif
    }
}

#else // shared, reread: GROUP is THREADS

extern "C" __global__ void __launch_bounds__(THREADS, P_PERSIST > 0 ? P_PERSIST : 1)
    addRmsNorm(const Element* x, const Element* residual, const Element* weight, Element* h, Element* y, i64 rows, int words,
               float columns, float eps)
{
    extern __shared__ uint4 dynamicShared[];
    __shared__ float scratch[32];
#if defined(P_ALGO_shared)
    Word* kept = (Word*)dynamicShared; // every thread reads back only what it wrote
#endif
    const Word* ws = (const Word*)weight;
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const Word *xs = (const Word*)x + row * words, *rs = (const Word*)residual + row * words;
        Word *hs = (Word*)h + row * words, *ys = (Word*)y + row * words;
        float sum = 0.f;
        for (int base = (int)threadIdx.x; base < words; base += UNROLL * THREADS) {
            Word a[UNROLL], b[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                if (base + u * THREADS < words) {
                    a[u] = load<READ_ONCE>(xs + base + u * THREADS);
                    b[u] = load<READ_ONCE>(rs + base + u * THREADS);
                }
            }
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                if (base + u * THREADS < words) {
                    const Word w = added(a[u], b[u]);
                    sum += squares(w);
#if defined(P_ALGO_shared)
                    kept[base + u * THREADS] = w;
                    put<WRITE>(hs + base + u * THREADS, w);
#else
                    hs[base + u * THREADS] = w; // read again below, by this thread
#endif
                }
            }
        }
        sum = groupJoin(sum, Add(), scratch);
        const float inverse = rsqrtf(sum / columns + eps);
        for (int base = (int)threadIdx.x; base < words; base += UNROLL * THREADS) {
            Word w[UNROLL], g[UNROLL];
#pragma unroll
            for (int u = 0; u < UNROLL; ++u) {
                const int i = base + u * THREADS;
                if (i < words) {
#if defined(P_ALGO_shared)
                    w[u] = kept[i];
#else
                    w[u] = hs[i];
#endif
                    g[u] = ws[i];
                }
            }
#pragma unroll
            for (int u = 0; u < UNROLL; ++u)
                if (base + u * THREADS < words)
                    put<WRITE>(ys + base + u * THREADS, scaled(w[u], inverse, g[u]));
        }
    }
}

#endif
