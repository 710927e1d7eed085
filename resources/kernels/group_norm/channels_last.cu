// SPDX-License-Identifier: Apache-2.0
// NHWC: rows of C channels. A *unit* is one image's slice of whole groups (P_CSPLIT slices per image), `rowWords` words
// wide. Thread t of a block always sees word t % rowWords of the slice, row t / rowWords + k * rowsPerStep, so it keeps
// sums for its own VEC channels; a block joins them per group at the end.
//   split  two or three launches: sums of row ranges, then the result
//   wave   a persistent cooperative launch; teams of blocks take unit after unit and meet at a counter in memory. The
//          first P_REGS row steps stay in registers, the next `holdSteps` in shared memory, the rest is read again.

#if defined(LAYOUT_channels_last)

// Dynamic shared memory: kept words, then (mean, m2) by row step and channel, then (mean, inverse) by group.
struct Slice {
    int rowWords, rowsPerStep, word, step, groups, channelsPerGroup;
    bool active;
    __device__ __forceinline__ Slice(int channelsOfSlice, int perGroup)
    {
        channelsPerGroup = perGroup;
        rowWords = channelsOfSlice / VEC;
        rowsPerStep = THREADS / rowWords;
        word = (int)threadIdx.x % rowWords;
        step = (int)threadIdx.x / rowWords;
        groups = channelsOfSlice / perGroup;
        active = step < rowsPerStep;
    }
    __device__ __forceinline__ int channels() const { return rowWords * VEC; }
    // Rows that row step r of a range of `rows` rows sees.
    __device__ __forceinline__ int rowsOf(int rows, int r) const
    {
        return rows > r ? (rows - r + rowsPerStep - 1) / rowsPerStep : 0;
    }
};

struct ChannelSums {
    Shifted shifted[VEC];
    bool started;
    __device__ __forceinline__ void start()
    {
        started = false;
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            shifted[j].start(0.f);
    }
    __device__ __forceinline__ void add(Word w)
    {
        float f[VEC];
        unpack(w, f);
        if (!started) {
            started = true;
#pragma unroll
            for (int j = 0; j < VEC; ++j)
                shifted[j].start(f[j]);
        }
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            shifted[j].add(f[j]);
    }
};

// Rows [from, to) of this thread's row step, every rowsPerStep-th.
__device__ __forceinline__ void addRows(ChannelSums& sums, const Word* x, i64 rowStride, int from, int to, int rowsPerStep)
{
    int row = from;
    for (; row + (UNROLL - 1) * rowsPerStep < to; row += UNROLL * rowsPerStep) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            w[u] = load<FIRST_READ>(x + (i64)(row + u * rowsPerStep) * rowStride);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            sums.add(w[u]);
    }
    for (; row < to; row += rowsPerStep)
        sums.add(load<FIRST_READ>(x + (i64)row * rowStride));
}

// Joins the block's sums over `rows` rows per group and hands each group's moments to `take(group, moments)` in lane 0.
template <typename Take>
__device__ __forceinline__ void joinGroups(const Slice& slice, const ChannelSums& sums, int rows, float2* perChannel, Take take)
{
    if (slice.active) {
        const float n = (float)slice.rowsOf(rows, slice.step);
#pragma unroll
        for (int j = 0; j < VEC; ++j) {
            const Moments m = sums.shifted[j].moments(n);
            perChannel[slice.step * slice.channels() + slice.word * VEC + j] = make_float2(m.mean, m.m2);
        }
    }
    __syncthreads();
    const int entries = slice.rowsPerStep * slice.channelsPerGroup;
    for (int group = (int)threadIdx.x / 32; group < slice.groups; group += THREADS / 32) {
        Moments m = {0.f, 0.f, 0.f};
        for (int e = (int)threadIdx.x & 31; e < entries; e += 32) {
            const int r = e / slice.channelsPerGroup;
            const int c = group * slice.channelsPerGroup + e - r * slice.channelsPerGroup;
            const float2 v = perChannel[r * slice.channels() + c];
            m = merged(m, Moments{(float)slice.rowsOf(rows, r), v.x, v.y});
        }
        m = warpMerged(m);
        if ((threadIdx.x & 31) == 0)
            take(group, m);
    }
}

// A thread's factors: its channels never change within a unit.
struct Factors {
    float mean[VEC], scale[VEC], shift[VEC];
    __device__ __forceinline__ Factors(const Slice& slice, const float2* stats, const Element* weight, const Element* bias,
                                       int firstChannel)
    {
#pragma unroll
        for (int j = 0; j < VEC; ++j) {
            const int c = slice.word * VEC + j;
            const float2 own = stats[c / slice.channelsPerGroup];
            mean[j] = own.x;
            scale[j] = own.y;
            shift[j] = 0.f;
#if AFFINE
            scale[j] *= toFloat(weight[firstChannel + c]);
            shift[j] = toFloat(bias[firstChannel + c]);
#endif
        }
    }
    __device__ __forceinline__ Word apply(Word w) const
    {
        float f[VEC];
        unpack(w, f);
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            f[j] = finished(f[j], mean[j], scale[j], shift[j]);
        pack(f, w);
        return w;
    }
};

// Applies to rows from, from + rowsPerStep, ... < to.
__device__ __forceinline__ void applyRows(const Factors& factors, const Word* x, Word* y, i64 rowStride, int from, int to,
                                          int rowsPerStep)
{
    const int count = to > from ? (to - from + rowsPerStep - 1) / rowsPerStep : 0;
    for (int k = 0; k < count; k += UNROLL) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            const int at = P_REVERSE ? count - 1 - (k + u) : k + u; // backwards: what was read last is still in L2
            if (k + u < count)
                w[u] = load<LAST_READ>(x + (i64)(from + at * rowsPerStep) * rowStride);
        }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            const int at = P_REVERSE ? count - 1 - (k + u) : k + u;
            if (k + u < count)
                store<WRITE>(y + (i64)(from + at * rowsPerStep) * rowStride, factors.apply(w[u]));
        }
    }
}

__device__ __forceinline__ void writeGroupStats(Element* means, Element* inverses, i64 at, float2 stats)
{
#if STATS
    means[at] = fromFloat(stats.x);
    inverses[at] = fromFloat(stats.y);
#endif
}

#if defined(P_ALGO_split)

// grid: (split, units)
extern "C" __global__ void __launch_bounds__(THREADS)
    groupNormSums(const Element* x, float4* parts, int rows, int chunk, int channels, int channelsPerGroup)
{
    extern __shared__ uint4 dynamicShared[];
    const int image = (int)blockIdx.y / P_CSPLIT, tile = (int)blockIdx.y % P_CSPLIT;
    const Slice slice(channels / P_CSPLIT, channelsPerGroup);
    const i64 rowStride = channels / VEC;
    const Word* xs = (const Word*)x + (i64)image * rows * rowStride + tile * slice.rowWords + slice.word;
    const int from = min(rows, (int)blockIdx.x * chunk), to = min(rows, from + chunk);
    ChannelSums sums;
    sums.start();
    if (slice.active)
        addRows(sums, xs, rowStride, from + slice.step, to, slice.rowsPerStep);
    float4* out = parts + (i64)blockIdx.y * slice.groups * gridDim.x + blockIdx.x;
    const int split = (int)gridDim.x;
    joinGroups(slice, sums, to - from, (float2*)dynamicShared,
               [=](int group, Moments m) { out[(i64)group * split] = toFloat4(m); });
}

// grid: images x groups
extern "C" __global__ void __launch_bounds__(32) groupNormFinish(const float4* parts, float2* stats, int split, float eps)
{
    const Moments m = warpGather(parts + (i64)blockIdx.x * split, split);
    if (threadIdx.x == 0)
        stats[blockIdx.x] = meanAndInverse(m, eps);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    groupNormApply(const Element* x, const Element* weight, const Element* bias, Element* y, Element* means,
                   Element* inverses, const float4* parts, const float2* stats, int rows, int chunk, int split,
                   int channels, int channelsPerGroup, float eps)
{
    extern __shared__ uint4 dynamicShared[];
    float2* groupStats = (float2*)dynamicShared;
    const int unit = P_REVERSE ? (int)(gridDim.y - 1 - blockIdx.y) : (int)blockIdx.y;
    const int part = P_REVERSE ? (int)(gridDim.x - 1 - blockIdx.x) : (int)blockIdx.x;
    const int image = unit / P_CSPLIT, tile = unit % P_CSPLIT;
    const Slice slice(channels / P_CSPLIT, channelsPerGroup);
    const i64 firstGroup = (i64)unit * slice.groups; // units are slices of images in order, so groups are too
    for (int group = (int)threadIdx.x / 32; group < slice.groups; group += THREADS / 32) {
#if defined(P_FINISH_launch)
        const float2 own = stats[firstGroup + group];
#else
        const float2 own = meanAndInverse(warpGather(parts + (firstGroup + group) * split, split), eps);
#endif
        if ((threadIdx.x & 31) == 0) {
            groupStats[group] = own;
            if (part == 0)
                writeGroupStats(means, inverses, firstGroup + group, own);
        }
    }
    __syncthreads();
    if (!slice.active)
        return;
    const Factors factors(slice, groupStats, weight, bias, tile * slice.channels());
    const i64 rowStride = channels / VEC;
    const i64 base = (i64)image * rows * rowStride + tile * slice.rowWords + slice.word;
    const int from = min(rows, part * chunk), to = min(rows, from + chunk);
    applyRows(factors, (const Word*)x + base, (Word*)y + base, rowStride, from + slice.step, to, slice.rowsPerStep);
}

#else // wave

extern "C" __global__ void __launch_bounds__(THREADS, P_BLOCKS_PER_SM)
    groupNormTeam(const Element* x, const Element* weight, const Element* bias, Element* y, Element* means,
                  Element* inverses, float4* parts, float2* stats, u32* counters, int units, int rows, int chunk,
                  int holdSteps, int team, int lanes, int channels, int channelsPerGroup, float eps)
{
    extern __shared__ uint4 dynamicShared[];
    const Slice slice(channels / P_CSPLIT, channelsPerGroup);
    Word* kept = (Word*)dynamicShared + threadIdx.x; // every THREADS-th word is this thread's
    float2* perChannel = (float2*)((Word*)dynamicShared + (i64)holdSteps * THREADS);
    float2* groupStats = perChannel + slice.rowsPerStep * slice.channels();
    const i64 rowStride = channels / VEC;
    const int lane = (int)blockIdx.x / team, part = (int)blockIdx.x % team;
    const int begin = min(rows, part * chunk), to = min(rows, begin + chunk);
    const int from = begin + slice.step; // this thread's first row

    for (int unit = lane; unit < units; unit += lanes) {
        const int image = unit / P_CSPLIT, tile = unit % P_CSPLIT;
        const i64 base = (i64)image * rows * rowStride + tile * slice.rowWords + slice.word;
        const Word* xs = (const Word*)x + base;
        Word* ys = (Word*)y + base;
        const i64 firstGroup = (i64)unit * slice.groups;
        ChannelSums sums;
        sums.start();
        const int afterRegisters = from + P_REGS * slice.rowsPerStep;
        const int afterShared = afterRegisters + holdSteps * slice.rowsPerStep;
#if P_REGS > 0
        Word own[P_REGS];
#endif
        if (slice.active) {
#if P_REGS > 0
#pragma unroll
            for (int k = 0; k < P_REGS; ++k) {
                const int row = from + k * slice.rowsPerStep;
                if (row < to)
                    own[k] = load<kStream>(xs + (i64)row * rowStride);
            }
#pragma unroll
            for (int k = 0; k < P_REGS; ++k)
                if (from + k * slice.rowsPerStep < to)
                    sums.add(own[k]);
#endif
            for (int k = 0; k < holdSteps; k += UNROLL) {
                Word w[UNROLL];
#pragma unroll
                for (int u = 0; u < UNROLL; ++u) {
                    const int row = afterRegisters + (k + u) * slice.rowsPerStep;
                    if (k + u < holdSteps && row < to)
                        w[u] = load<kStream>(xs + (i64)row * rowStride);
                }
#pragma unroll
                for (int u = 0; u < UNROLL; ++u) {
                    if (k + u < holdSteps && afterRegisters + (k + u) * slice.rowsPerStep < to) {
                        kept[(k + u) * THREADS] = w[u];
                        sums.add(w[u]);
                    }
                }
            }
            addRows(sums, xs, rowStride, afterShared, to, slice.rowsPerStep);
        }
        joinGroups(slice, sums, to - begin, perChannel,
                   [=](int group, Moments m) { parts[(firstGroup + group) * team + part] = toFloat4(m); });
        __syncthreads();
        if (threadIdx.x == 0)
            teamBarrier(counters + 2 * unit, (u32)team);
        __syncthreads();
#if defined(P_FINISH_launch)
        // Each group is finished by one block of the team; a second meeting hands the results round.
        for (int group = part + team * ((int)threadIdx.x / 32); group < slice.groups; group += team * (THREADS / 32)) {
            const float2 done = meanAndInverse(warpGather(parts + (firstGroup + group) * team, team), eps);
            if ((threadIdx.x & 31) == 0) {
                stats[firstGroup + group] = done;
                writeGroupStats(means, inverses, firstGroup + group, done);
            }
        }
        __syncthreads();
        if (threadIdx.x == 0)
            teamBarrier(counters + 2 * unit + 1, (u32)team);
        __syncthreads();
        for (int group = (int)threadIdx.x; group < slice.groups; group += THREADS)
            groupStats[group] = __ldcg(stats + firstGroup + group);
#else
        for (int group = (int)threadIdx.x / 32; group < slice.groups; group += THREADS / 32) {
            const float2 done = meanAndInverse(warpGather(parts + (firstGroup + group) * team, team), eps);
            if ((threadIdx.x & 31) == 0) {
                groupStats[group] = done;
                if (part == 0)
                    writeGroupStats(means, inverses, firstGroup + group, done);
            }
        }
#endif
        __syncthreads();
        if (slice.active) {
            const Factors factors(slice, groupStats, weight, bias, tile * slice.channels());
#if P_REGS > 0
#pragma unroll
            for (int k = 0; k < P_REGS; ++k) {
                const int row = from + k * slice.rowsPerStep;
                if (row < to)
                    store<WRITE>(ys + (i64)row * rowStride, factors.apply(own[k]));
            }
#endif
            for (int k = 0; k < holdSteps; ++k) {
                const int row = afterRegisters + k * slice.rowsPerStep;
                if (row < to)
                    store<WRITE>(ys + (i64)row * rowStride, factors.apply(kept[k * THREADS]));
            }
            applyRows(factors, xs, ys, rowStride, afterShared, to, slice.rowsPerStep);
        }
        __syncthreads(); // groupStats and perChannel are used again
    }
}

#endif
#endif
