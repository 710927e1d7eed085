// SPDX-License-Identifier: Apache-2.0
// NCHW: a group is one run of `vectors` words. It is worked on by a *team* of blocks, each with a chunk of the run.
//   block    a team is one block (two passes over its group)
//   cluster  a team is a thread block cluster that exchanges its sums through distributed shared memory
//   wave     a persistent cooperative launch; teams take group after group and meet at a counter in memory
//   split    two launches: sums of chunks, then the result
// In the first three a block can hold part of its chunk in registers (P_REGS words per thread) or shared memory
// (`hold` words per block) between the passes; the rest is read again, from L2 if the wave is small enough.

#if defined(LAYOUT_contiguous)

// Which channel a word belongs to, and that channel's factors.
struct Channel {
    const Element* weight;
    const Element* bias;
    int firstChannel;
    u32 wordsPerChannel;
    float mean, inverse;
    u32 channel, offset;
    float scale, shift;

    __device__ __forceinline__ void fetch()
    {
#if AFFINE
        scale = inverse * toFloat(weight[firstChannel + channel]);
        shift = toFloat(bias[firstChannel + channel]);
#endif
    }
    __device__ __forceinline__ void seek(u32 word)
    {
        channel = word / wordsPerChannel;
        offset = word - channel * wordsPerChannel;
        fetch();
    }
    __device__ __forceinline__ void advance(u32 words)
    {
        offset += words;
        if (offset >= wordsPerChannel) {
            const u32 more = offset / wordsPerChannel;
            channel += more;
            offset -= more * wordsPerChannel;
            fetch();
        }
    }
    __device__ __forceinline__ Word apply(Word w) const
    {
        float f[VEC];
        unpack(w, f);
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            f[j] = finished(f[j], mean, scale, shift);
        pack(f, w);
        return w;
    }
};

struct Sum {
    Shifted shifted;
    float n;
    __device__ __forceinline__ void add(Word w)
    {
        float f[VEC];
        unpack(w, f);
        if (n == 0.f)
            shifted.start(f[0]);
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            shifted.add(f[j]);
        n += VEC;
    }
    __device__ __forceinline__ Moments moments() const { return shifted.moments(n); }
};

__device__ __forceinline__ Moments blockMerged(Moments m, Moments* perWarp)
{
    m = warpMerged(m);
    if ((threadIdx.x & 31) == 0)
        perWarp[threadIdx.x >> 5] = m;
    __syncthreads();
    if (threadIdx.x < 32) {
        m = threadIdx.x < THREADS / 32 ? perWarp[threadIdx.x] : Moments{0.f, 0.f, 0.f};
        m = warpMerged(m);
    }
    return m; // in warp 0
}

// Adds the words [from, to) of a group; `kept` (or null) receives them at the same distance from `from`.
template <bool KEEP>
__device__ __forceinline__ void addWords(Sum& sum, const Word* x, int from, int to, Word* kept)
{
    int i = from + (int)threadIdx.x;
    for (; i + (UNROLL - 1) * THREADS < to; i += UNROLL * THREADS) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            w[u] = load<KEEP ? kStream : FIRST_READ>(x + i + u * THREADS);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            if (KEEP)
                kept[i - from + u * THREADS] = w[u];
            sum.add(w[u]);
        }
    }
    for (; i < to; i += THREADS) {
        const Word w = load<KEEP ? kStream : FIRST_READ>(x + i);
        if (KEEP)
            kept[i - from] = w;
        sum.add(w);
    }
}

template <bool KEEP>
__device__ __forceinline__ void applyTile(Channel& channel, const Word* x, Word* y, int first, int to, const Word* kept,
                                          int from)
{
    Word w[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        const int i = first + u * THREADS;
        if (i < to)
            w[u] = KEEP ? kept[i - from] : load<LAST_READ>(x + i);
    }
    channel.seek((u32)first);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        const int i = first + u * THREADS;
        if (i < to) {
            if (u > 0)
                channel.advance(THREADS);
            store<WRITE>(y + i, channel.apply(w[u]));
        }
    }
}

template <bool KEEP>
__device__ __forceinline__ void applyWords(Channel& channel, const Word* x, Word* y, int from, int to, const Word* kept)
{
    const int tiles = (to - from + UNROLL * THREADS - 1) / (UNROLL * THREADS);
    for (int t = 0; t < tiles; ++t) {
        // Backwards: what was read last is still in L2.
        const int tile = (!KEEP && P_REVERSE) ? tiles - 1 - t : t;
        const int first = from + tile * (UNROLL * THREADS) + (int)threadIdx.x;
        if (first < to)
            applyTile<KEEP>(channel, x, y, first, to, kept, from);
    }
}

__device__ __forceinline__ Channel makeChannel(const Element* weight, const Element* bias, int group, int groupsPerImage,
                                               int channelsPerGroup, int wordsPerChannel, float2 stats)
{
    Channel channel;
    channel.weight = weight;
    channel.bias = bias;
    channel.firstChannel = (group % groupsPerImage) * channelsPerGroup;
    channel.wordsPerChannel = (u32)wordsPerChannel;
    channel.mean = stats.x;
    channel.inverse = stats.y;
    channel.scale = stats.y;
    channel.shift = 0.f;
    return channel;
}

__device__ __forceinline__ void writeStats(Element* means, Element* inverses, int group, float2 stats)
{
#if STATS
    means[group] = fromFloat(stats.x);
    inverses[group] = fromFloat(stats.y);
#endif
}

#if defined(P_ALGO_split)

extern "C" __global__ void __launch_bounds__(THREADS) groupNormSums(const Element* x, float4* parts, int vectors, int chunk)
{
    __shared__ Moments perWarp[32];
    const int group = (int)blockIdx.y, from = (int)blockIdx.x * chunk, to = min(vectors, from + chunk);
    Sum sum = {{0.f, 0.f, 0.f}, 0.f};
    addWords<false>(sum, (const Word*)x + (i64)group * vectors, from, to, (Word*)0);
    const Moments m = blockMerged(sum.moments(), perWarp);
    if (threadIdx.x == 0)
        parts[(i64)group * gridDim.x + blockIdx.x] = toFloat4(m);
}

extern "C" __global__ void __launch_bounds__(32) groupNormFinish(const float4* parts, float2* stats, int split, float eps)
{
    const Moments m = warpGather(parts + (i64)blockIdx.x * split, split);
    if (threadIdx.x == 0)
        stats[blockIdx.x] = meanAndInverse(m, eps);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    groupNormApply(const Element* x, const Element* weight, const Element* bias, Element* y, Element* means,
                   Element* inverses, const float4* parts, const float2* stats, int vectors, int chunk, int split,
                   int groupsPerImage, int channelsPerGroup, int wordsPerChannel, float eps)
{
    // Backwards over the whole launch: the end of x was read last.
    const int group = P_REVERSE ? (int)(gridDim.y - 1 - blockIdx.y) : (int)blockIdx.y;
    const int part = P_REVERSE ? (int)(gridDim.x - 1 - blockIdx.x) : (int)blockIdx.x;
#if defined(P_FINISH_launch)
    const float2 own = stats[group];
#else
    __shared__ float2 shared;
    if (threadIdx.x < 32) {
        const Moments m = warpGather(parts + (i64)group * split, split);
        if (threadIdx.x == 0)
            shared = meanAndInverse(m, eps);
    }
    __syncthreads();
    const float2 own = shared;
#endif
    if (part == 0 && threadIdx.x == 0)
        writeStats(means, inverses, group, own);
    Channel channel = makeChannel(weight, bias, group, groupsPerImage, channelsPerGroup, wordsPerChannel, own);
    const int from = part * chunk, to = min(vectors, from + chunk);
    const i64 base = (i64)group * vectors;
    applyWords<false>(channel, (const Word*)x + base, (Word*)y + base, from, to, (const Word*)0);
}

#else

#if defined(P_ALGO_cluster)
__device__ __forceinline__ u32 clusterRank()
{
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void clusterArrive() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ __forceinline__ void clusterWait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }
// A float of another block's shared memory.
__device__ __forceinline__ float clusterLoad(const float* own, u32 rank)
{
    u32 remote;
    float v;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"((u32)__cvta_generic_to_shared(own)), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(v) : "r"(remote) : "memory");
    return v;
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS, P_BLOCKS_PER_SM)
    groupNormTeam(const Element* x, const Element* weight, const Element* bias, Element* y, Element* means,
                  Element* inverses, float4* parts, u32* counters, int groups, int vectors, int chunk, int hold, int team,
                  int lanes, int groupsPerImage, int channelsPerGroup, int wordsPerChannel, float eps)
{
    extern __shared__ uint4 dynamicShared[];
    __shared__ Moments perWarp[32];
    __shared__ float2 shared;
#if defined(P_ALGO_cluster)
    __shared__ Moments whole;
#endif
    Word* kept = (Word*)dynamicShared;
    const int lane = (int)blockIdx.x / team, part = (int)blockIdx.x % team;
    const int from = min(vectors, part * chunk), to = min(vectors, from + chunk);
    const int afterRegisters = min(to, from + P_REGS * THREADS), afterShared = min(to, afterRegisters + hold);

    for (int group = lane; group < groups; group += lanes) {
        const Word* xs = (const Word*)x + (i64)group * vectors;
        Word* ys = (Word*)y + (i64)group * vectors;
        Sum sum = {{0.f, 0.f, 0.f}, 0.f};
#if P_REGS > 0
        Word own[P_REGS];
#pragma unroll
        for (int k = 0; k < P_REGS; ++k) {
            const int i = from + k * THREADS + (int)threadIdx.x;
            if (i < to)
                own[k] = load<kStream>(xs + i);
        }
#pragma unroll
        for (int k = 0; k < P_REGS; ++k)
            if (from + k * THREADS + (int)threadIdx.x < to)
                sum.add(own[k]);
#endif
        addWords<true>(sum, xs, afterRegisters, afterShared, kept);
        addWords<false>(sum, xs, afterShared, to, (Word*)0);
        Moments m = blockMerged(sum.moments(), perWarp);

#if defined(P_ALGO_block)
        if (threadIdx.x == 0)
            shared = meanAndInverse(m, eps);
#elif defined(P_ALGO_cluster)
        if (threadIdx.x == 0)
            whole = m;
        clusterArrive();
        clusterWait();
        if (threadIdx.x < 32) {
            m = Moments{0.f, 0.f, 0.f};
            if (threadIdx.x < (u32)team)
                m = Moments{clusterLoad(&whole.n, threadIdx.x), clusterLoad(&whole.mean, threadIdx.x),
                            clusterLoad(&whole.m2, threadIdx.x)};
            m = warpMerged(m);
            if (threadIdx.x == 0)
                shared = meanAndInverse(m, eps);
        }
        clusterArrive(); // waited for at the end: a block must not leave while others read its sum
#else // wave
        if (threadIdx.x == 0) {
            parts[(i64)group * team + part] = toFloat4(m);
            teamBarrier(counters + group, (u32)team);
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            m = warpGather(parts + (i64)group * team, team);
            if (threadIdx.x == 0)
                shared = meanAndInverse(m, eps);
        }
#endif
        __syncthreads();
        const float2 stats = shared;
        if (part == 0 && threadIdx.x == 0)
            writeStats(means, inverses, group, stats);
        Channel channel = makeChannel(weight, bias, group, groupsPerImage, channelsPerGroup, wordsPerChannel, stats);
#if P_REGS > 0
        if (from + (int)threadIdx.x < to) {
            channel.seek((u32)(from + (int)threadIdx.x));
#pragma unroll
            for (int k = 0; k < P_REGS; ++k) {
                const int i = from + k * THREADS + (int)threadIdx.x;
                if (i < to) {
                    if (k > 0)
                        channel.advance(THREADS);
                    store<WRITE>(ys + i, channel.apply(own[k]));
                }
            }
        }
#endif
        applyWords<true>(channel, xs, ys, afterRegisters, afterShared, kept);
        applyWords<false>(channel, xs, ys, afterShared, to, (const Word*)0);
#if defined(P_ALGO_cluster)
        clusterWait();
#endif
    }
}

#endif
#endif
