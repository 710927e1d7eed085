// SPDX-License-Identifier: Apache-2.0
// Cross entropy of each row of logits against its target class, in fp32: log(sum of exponentials) - x[target]; 0 where the
// target is ignore_index. No probabilities are written. A target that is no class gives NaN.
//   online  one pass keeps a running maximum and sum; a *team* (a warp or the block) has a row
//   twice   the maximum first, then the sum
//   split   parts of rows, joined by a second launch
// P_STEP, how the running maximum is kept: for each element, each word, or all words in flight at once (batch).
// REDUCTION 1 (mean of what is not ignored) or 2 (sum): losses of rows go to a workspace and one more launch joins them.

#define VEC P_VEC
#define THREADS P_THREADS
#define UNROLL P_UNROLL
#define TEAM P_TEAM
#define TEAMS (THREADS / TEAM)
typedef WordOf<VEC * T_BYTES>::type Word;
#define NEGATIVE_INFINITY __int_as_float(0xff800000)

#if defined(P_CACHE_stream)
#define READ kStream
#define READ_FIRST kL2Only
#else
#define READ kPlain
#define READ_FIRST kPlain
#endif

#if REDUCTION == 0
typedef Element Loss;
__device__ __forceinline__ Loss lossOf(float v) { return fromFloat(v); }
#else
typedef float Loss;
__device__ __forceinline__ Loss lossOf(float v) { return v; }
#endif

__device__ __forceinline__ float exponential(float v)
{
    float e;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(v * 1.44269504088896341f));
    return e;
}

// A running maximum and the sum of exponentials relative to it. An untouched or all -inf part has sum 0; a NaN is in the sum.
struct Running {
    float largest, sum;
    // Makes the maximum at least `top`; returns what exponentials are relative to.
    __device__ __forceinline__ float raise(float top)
    {
        const float now = fmaxf(largest, top);
        const float base = now == NEGATIVE_INFINITY ? 0.f : now;
        if (now != largest)
            sum *= exponential(largest - base);
        largest = now;
        return base;
    }
    __device__ __forceinline__ void join(float otherLargest, float otherSum)
    {
        const float base = raise(otherLargest);
        sum += otherSum * exponential(otherLargest - base);
    }
};

__device__ __forceinline__ float topOf(Word w)
{
    float f[VEC];
    unpack(w, f);
    float top = f[0];
#pragma unroll
    for (int j = 1; j < VEC; ++j)
        top = fmaxf(top, f[j]);
    return top;
}

__device__ __forceinline__ float exponentialsOf(Word w, float base)
{
    float f[VEC], sum = 0.f;
    unpack(w, f);
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        sum += exponential(f[j] - base);
    return sum;
}

// UNROLL words, TEAM apart, as far as they lie before `to`.
__device__ __forceinline__ void takeWords(Running& r, const Word* w, int base, int to)
{
#if defined(P_STEP_batch)
    float top = NEGATIVE_INFINITY, sum = 0.f;
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        if (base + u * TEAM < to)
            top = fmaxf(top, topOf(w[u]));
    const float relative = r.raise(top);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        if (base + u * TEAM < to)
            sum += exponentialsOf(w[u], relative);
    r.sum += sum;
#else
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        if (base + u * TEAM < to) {
#if defined(P_STEP_word)
            const float relative = r.raise(topOf(w[u]));
            r.sum += exponentialsOf(w[u], relative);
#else
            float f[VEC];
            unpack(w[u], f);
#pragma unroll
            for (int j = 0; j < VEC; ++j) {
                const float relative = r.raise(f[j]);
                r.sum += exponential(f[j] - relative);
            }
#endif
        }
    }
#endif
}

__device__ __forceinline__ Running takeRow(const Word* x, int from, int to)
{
    Running r = {NEGATIVE_INFINITY, 0.f};
    for (int base = from + (int)threadIdx.x % TEAM; base < to; base += UNROLL * TEAM) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * TEAM < to)
                w[u] = load<READ>(x + base + u * TEAM);
        takeWords(r, w, base, to);
    }
    return r;
}

__device__ __forceinline__ Running warpJoined(Running r)
{
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        r.join(warpXor(r.largest, lanes), warpXor(r.sum, lanes));
    return r;
}

// Over the team, the result in every thread. Safe to call again: it starts with a barrier.
__device__ __forceinline__ Running teamJoined(Running r)
{
    r = warpJoined(r);
#if P_TEAM > 32
    __shared__ Running perWarp[32];
    __syncthreads();
    if ((threadIdx.x & 31) == 0)
        perWarp[threadIdx.x >> 5] = r;
    __syncthreads();
    r = (threadIdx.x & 31) < TEAM / 32 ? perWarp[threadIdx.x & 31] : Running{NEGATIVE_INFINITY, 0.f};
    r = warpJoined(r);
#endif
    return r;
}

// The logit of the target, NaN if there is no such class.
__device__ __forceinline__ float picked(const Element* row, i64 target, i64 columns)
{
    return target >= 0 && target < columns ? toFloat(row[target]) : __int_as_float(0x7fffffff);
}

__device__ __forceinline__ Loss finished(Running r, float logit, i64 target, i64 ignored)
{
    return lossOf(target == ignored ? 0.f : logf(r.sum) + (r.largest - logit));
}

#if !defined(P_ALGO_split)

extern "C" __global__ void __launch_bounds__(THREADS)
    crossEntropyRows(const Element* x, const i64* targets, Loss* losses, i64 rows, int words, i64 ignored)
{
    const i64 row = (i64)blockIdx.x * TEAMS + (int)threadIdx.x / TEAM;
    if (row >= rows) // whole teams leave: only a team of the whole block meets at barriers, and it has a row
        return;
    const Word* xs = (const Word*)x + row * words;
    const i64 target = targets[row];
    const float logit = picked((const Element*)xs, target, (i64)words * VEC);
#if defined(P_ALGO_online)
    const Running r = teamJoined(takeRow(xs, 0, words));
#else
    Running r = {NEGATIVE_INFINITY, 0.f};
    for (int base = (int)threadIdx.x % TEAM; base < words; base += UNROLL * TEAM) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * TEAM < words)
                w[u] = load<READ_FIRST>(xs + base + u * TEAM);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * TEAM < words)
                r.largest = fmaxf(r.largest, topOf(w[u]));
    }
    r = teamJoined(r);
    const float relative = r.largest == NEGATIVE_INFINITY ? 0.f : r.largest;
    for (int base = (int)threadIdx.x % TEAM; base < words; base += UNROLL * TEAM) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * TEAM < words)
                w[u] = load<READ>(xs + base + u * TEAM);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * TEAM < words)
                r.sum += exponentialsOf(w[u], relative);
    }
    r = teamJoined(r);
#endif
    if (threadIdx.x % TEAM == 0)
        losses[row] = finished(r, logit, target, ignored);
}

#else // split: TEAM is THREADS

// grid: rows * split, the parts of a row side by side
extern "C" __global__ void __launch_bounds__(THREADS) crossEntropyParts(const Element* x, float2* parts, int words, int chunk, int split)
{
    const i64 row = blockIdx.x / split;
    const int part = (int)(blockIdx.x % split), from = min(words, part * chunk), to = min(words, from + chunk);
    const Running r = teamJoined(takeRow((const Word*)x + row * words, from, to));
    if (threadIdx.x == 0)
        parts[blockIdx.x] = make_float2(r.largest, r.sum);
}

// A warp per row.
extern "C" __global__ void __launch_bounds__(128)
    crossEntropyFinish(const Element* x, const i64* targets, const float2* parts, Loss* losses, i64 rows, i64 columns, int split, i64 ignored)
{
    const i64 row = (i64)blockIdx.x * 4 + (threadIdx.x >> 5);
    if (row >= rows)
        return;
    const i64 target = targets[row];
    const float logit = picked(x + row * columns, target, columns);
    Running r = {NEGATIVE_INFINITY, 0.f};
    for (int i = (int)threadIdx.x & 31; i < split; i += 32) {
        const float2 v = parts[row * split + i];
        r.join(v.x, v.y);
    }
    r = warpJoined(r);
    if ((threadIdx.x & 31) == 0)
        losses[row] = finished(r, logit, target, ignored);
}

#endif

#if REDUCTION != 0
// One block.
extern "C" __global__ void __launch_bounds__(1024)
    crossEntropyJoin(const float* losses, const i64* targets, Element* y, i64 rows, i64 ignored)
{
    __shared__ float sums[32], counts[32];
    float sum = 0.f, count = 0.f;
    for (i64 row = threadIdx.x; row < rows; row += 1024) {
        sum += losses[row];
        count += targets[row] == ignored ? 0.f : 1.f;
    }
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        sum += warpXor(sum, lanes);
        count += warpXor(count, lanes);
    }
    if ((threadIdx.x & 31) == 0) {
        sums[threadIdx.x >> 5] = sum;
        counts[threadIdx.x >> 5] = count;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 32; ++i) {
            sum += sums[i];
            count += counts[i];
        }
        *y = fromFloat(REDUCTION == 1 ? sum / count : sum); // all ignored: 0 / 0, as PyTorch
    }
}
#endif
