// SPDX-License-Identifier: Apache-2.0
// softmax or log_softmax of each row (the last dimension, contiguous), in fp32.
//   registers  the row stays in the group's registers (ITEMS words per thread; P_EXPS_kept: its exponentials too)
//   online     one pass keeps a running maximum and sum, a second reads the row again
//   cluster    one row per thread block cluster (or per block, CLUSTER = 1); `hold` words per block wait in shared memory
//   split      two launches: maximum and sum of chunks of rows, then the result
// P_PERSIST > 0: as many blocks per SM stay and take row after row.

#define NEGATIVE_INFINITY __int_as_float(0xff800000)

__device__ __forceinline__ float exponential(float v)
{
    float e;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(v * 1.44269504088896341f));
    return e;
}

// The result of one element from its row's maximum and 1/sum (log: log(sum)).
__device__ __forceinline__ float finished(float v, float largest, float factor)
{
#if LOG
    return (v - largest) - factor;
#else
    return exponential(v - largest) * factor;
#endif
}
__device__ __forceinline__ float factorOf(float sum)
{
#if LOG
    return logf(sum);
#else
    return 1.f / sum;
#endif
}

#if OUT_F32
typedef float Out;
#else
typedef Element Out;
#endif

// VEC results to y + at * VEC.
__device__ __forceinline__ void storeResults(Out* y, i64 at, const float* f)
{
#if OUT_F32 && T_BYTES == 2
    typedef typename WordOf<(VEC >= 4 ? 4 : VEC) * 4>::type Wide;
    const int perWide = VEC >= 4 ? 4 : VEC;
#pragma unroll
    for (int j = 0; j < VEC; j += perWide) {
        union { float f[perWide]; Wide w; } u;
#pragma unroll
        for (int k = 0; k < perWide; ++k)
            u.f[k] = f[j + k];
        store<WRITE>((Wide*)(y + at * VEC + j), u.w);
    }
#else
    Word w;
    pack(f, w);
    store<WRITE>((Word*)y + at, w);
#endif
}

__device__ __forceinline__ void finishWord(Out* y, i64 at, Word w, float largest, float factor)
{
    float f[VEC];
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] = finished(f[j], largest, factor);
    storeResults(y, at, f);
}

// A running maximum and the sum of exponentials relative to it. An untouched or all -inf part has sum 0.
struct Running {
    float largest, sum;
    __device__ __forceinline__ void add(Word w)
    {
        float f[VEC];
        unpack(w, f);
        float top = f[0];
#pragma unroll
        for (int j = 1; j < VEC; ++j)
            top = fmaxf(top, f[j]);
        const float now = fmaxf(largest, top);
        const float base = now == NEGATIVE_INFINITY ? 0.f : now;
        if (now != largest)
            sum *= exponential(largest - base);
        largest = now;
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            sum += exponential(f[j] - base);
    }
    __device__ __forceinline__ void join(float otherLargest, float otherSum)
    {
        const float now = fmaxf(largest, otherLargest);
        const float base = now == NEGATIVE_INFINITY ? 0.f : now;
        sum = sum * exponential(largest - base) + otherSum * exponential(otherLargest - base);
        largest = now;
    }
};

__device__ __forceinline__ Running warpJoined(Running r)
{
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        r.join(warpXor(r.largest, lanes), warpXor(r.sum, lanes));
    return r;
}

// Over the whole block, the result in every thread. Safe to call again: it starts with a barrier.
__device__ __forceinline__ Running blockJoined(Running r, Running* perWarp)
{
    r = warpJoined(r);
    __syncthreads();
    if ((threadIdx.x & 31) == 0)
        perWarp[threadIdx.x >> 5] = r;
    __syncthreads();
    r = (threadIdx.x & 31) < THREADS / 32 ? perWarp[threadIdx.x & 31] : Running{NEGATIVE_INFINITY, 0.f};
    return warpJoined(r);
}

template <CacheHint HINT, bool KEEP>
__device__ __forceinline__ void addWords(Running& r, const Word* x, int from, int to, Word* kept)
{
    for (int base = from + (int)threadIdx.x; base < to; base += UNROLL * THREADS) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * THREADS < to)
                w[u] = load<HINT>(x + base + u * THREADS);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            if (base + u * THREADS < to) {
                if (KEEP)
                    kept[base - from + u * THREADS] = w[u];
                r.add(w[u]);
            }
        }
    }
}

template <bool KEEP>
__device__ __forceinline__ void finishWords(const Word* x, Out* y, int from, int to, const Word* kept, float largest, float factor)
{
    for (int base = from + (int)threadIdx.x; base < to; base += UNROLL * THREADS) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * THREADS < to)
                w[u] = KEEP ? kept[base - from + u * THREADS] : load<READ_ONCE>(x + base + u * THREADS);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * THREADS < to)
                finishWord(y, base + u * THREADS, w[u], largest, factor);
    }
}

#if defined(P_ALGO_registers)

extern "C" __global__ void __launch_bounds__(THREADS, P_PERSIST > 0 ? P_PERSIST : 1)
    softmaxRows(const Element* x, Out* y, i64 rows, int words)
{
    __shared__ float scratch[32];
    const int lane = (int)threadIdx.x % GROUP;
    // The first row of the block is the same for all threads: they meet in groupJoin.
    for (i64 first = (i64)blockIdx.x * ROWS_PER_BLOCK; first < rows; first += (i64)gridDim.x * ROWS_PER_BLOCK) {
        const i64 row = first + (int)threadIdx.x / GROUP;
        const Word* xs = (const Word*)x + row * words;
        Out* ys = y + row * words * VEC;
        Word w[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            if (row < rows && lane + k * GROUP < words)
                w[k] = load<READ_ONCE>(xs + lane + k * GROUP);
        float largest = NEGATIVE_INFINITY;
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            if (row < rows && lane + k * GROUP < words) {
                float f[VEC];
                unpack(w[k], f);
#pragma unroll
                for (int j = 0; j < VEC; ++j)
                    largest = fmaxf(largest, f[j]);
            }
        }
        largest = groupJoin(largest, Larger(), scratch);
        float sum = 0.f;
#if defined(P_EXPS_kept)
        float kept[ITEMS][VEC]; // what the result is made from: exponentials, or differences for the logarithm
#endif
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            if (row < rows && lane + k * GROUP < words) {
                float f[VEC];
                unpack(w[k], f);
#pragma unroll
                for (int j = 0; j < VEC; ++j) {
                    const float e = exponential(f[j] - largest);
                    sum += e;
#if defined(P_EXPS_kept)
                    kept[k][j] = LOG ? f[j] - largest : e;
#endif
                }
            }
        }
        sum = groupJoin(sum, Add(), scratch);
        const float factor = factorOf(sum);
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            if (row < rows && lane + k * GROUP < words) {
#if defined(P_EXPS_kept)
#pragma unroll
                for (int j = 0; j < VEC; ++j)
                    kept[k][j] = LOG ? kept[k][j] - factor : kept[k][j] * factor;
                storeResults(ys, lane + k * GROUP, kept[k]);
#else
                finishWord(ys, lane + k * GROUP, w[k], largest, factor);
#endif
            }
        }
    }
}

#elif defined(P_ALGO_online)

extern "C" __global__ void __launch_bounds__(THREADS, P_PERSIST > 0 ? P_PERSIST : 1)
    softmaxRows(const Element* x, Out* y, i64 rows, int words)
{
    __shared__ Running perWarp[32];
    for (i64 row = blockIdx.x; row < rows; row += gridDim.x) {
        const Word* xs = (const Word*)x + row * words;
        Running r = {NEGATIVE_INFINITY, 0.f};
        addWords<READ_FIRST, false>(r, xs, 0, words, (Word*)0);
        r = blockJoined(r, perWarp);
        finishWords<false>(xs, y + row * words * VEC, 0, words, (const Word*)0, r.largest, factorOf(r.sum));
    }
}

#elif defined(P_ALGO_cluster)

#if P_CLUSTER > 1
__device__ __forceinline__ float clusterLoad(const float* own, u32 rank)
{
    u32 remote;
    float v;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"((u32)__cvta_generic_to_shared(own)), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(v) : "r"(remote) : "memory");
    return v;
}
#endif

// Each cluster has one row: grid = rows * P_CLUSTER.
extern "C" __global__ void __launch_bounds__(THREADS) softmaxCluster(const Element* x, Out* y, int words, int chunk, int hold)
{
    extern __shared__ uint4 dynamicShared[];
    __shared__ Running perWarp[32];
    Word* kept = (Word*)dynamicShared; // every thread reads back only what it wrote
    const i64 row = blockIdx.x / P_CLUSTER;
    const int part = (int)blockIdx.x % P_CLUSTER;
    const int from = min(words, part * chunk), to = min(words, from + chunk), afterShared = min(to, from + hold);
    const Word* xs = (const Word*)x + row * words;
    Running r = {NEGATIVE_INFINITY, 0.f};
    addWords<READ_ONCE, true>(r, xs, from, afterShared, kept);
    addWords<READ_FIRST, false>(r, xs, afterShared, to, (Word*)0);
    r = blockJoined(r, perWarp);
#if P_CLUSTER > 1
    __shared__ Running whole;
    if (threadIdx.x == 0)
        whole = r;
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
    r = {NEGATIVE_INFINITY, 0.f};
#pragma unroll
    for (u32 i = 0; i < P_CLUSTER; ++i)
        r.join(clusterLoad(&whole.largest, i), clusterLoad(&whole.sum, i));
    asm volatile("barrier.cluster.arrive.release;" ::: "memory"); // waited for at the end: others read this block's sum
#endif
    const float factor = factorOf(r.sum);
    Out* ys = y + row * words * VEC;
    finishWords<true>(xs, ys, from, afterShared, kept, r.largest, factor);
    finishWords<false>(xs, ys, afterShared, to, (const Word*)0, r.largest, factor);
#if P_CLUSTER > 1
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

#else // split

// grid: rows * split, the parts of a row side by side
extern "C" __global__ void __launch_bounds__(THREADS) softmaxParts(const Element* x, float2* parts, int words, int chunk, int split)
{
    __shared__ Running perWarp[32];
    const i64 row = blockIdx.x / split;
    const int part = (int)(blockIdx.x % split), from = min(words, part * chunk), to = min(words, from + chunk);
    Running r = {NEGATIVE_INFINITY, 0.f};
    addWords<READ_FIRST, false>(r, (const Word*)x + row * words, from, to, (Word*)0);
    r = blockJoined(r, perWarp);
    if (threadIdx.x == 0)
        parts[blockIdx.x] = make_float2(r.largest, r.sum);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    softmaxApply(const Element* x, Out* y, const float2* parts, int words, int chunk, int split)
{
    // Backwards: what was read last is still in L2.
    const u32 block = P_REVERSE ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const i64 row = block / split;
    const int part = (int)(block % split), from = min(words, part * chunk), to = min(words, from + chunk);
    Running r = {NEGATIVE_INFINITY, 0.f};
    for (int i = (int)threadIdx.x & 31; i < split; i += 32) {
        const float2 v = __ldcg(parts + row * split + i);
        r.join(v.x, v.y);
    }
    r = warpJoined(r);
    finishWords<false>((const Word*)x + row * words, y + row * words * VEC, from, to, (const Word*)0, r.largest, factorOf(r.sum));
}

#endif
