// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix sums of each row (the last dimension, contiguous), in fp32. A *team* of P_TEAM threads (a warp, or
// the whole block) scans tiles of P_TEAM * ITEMS words.
//   loop      a team has a row, tile after tile
//   cluster   the blocks of a cluster have a tile of the row each and exchange their sums
//   reduce    sums of parts of rows, then a second launch scans each part
//   lookback  one launch; the block of a part waits for what the blocks before it publish
// Which words a thread has of its warp's ITEMS * 32: blocked: ITEMS neighbouring ones, loaded directly; shared: the
// same, but read and written in order and turned round in shared memory; striped: every 32nd.

#define VEC P_VEC
#define THREADS P_THREADS
#define ITEMS P_ITEMS
#if P_TEAM > 0
#define TEAM P_TEAM
#else // the whole block
#define TEAM P_THREADS
#endif
#define TEAMS (THREADS / TEAM)
#define WARPS (TEAM / 32) // of a team
#define TILE (TEAM * ITEMS)
typedef WordOf<VEC * T_BYTES>::type Word;

#if defined(P_CACHE_stream)
#define READ kStream
#define WRITE kStream
#else
#define READ kPlain
#define WRITE kPlain
#endif

#if defined(P_ARRANGE_shared)
#define PADDED(i) ((i) + P_PAD * ((i) / 8))
__shared__ Word turned[THREADS / 32][PADDED(32 * ITEMS)];
#endif

__device__ __forceinline__ int lane() { return (int)threadIdx.x & 31; }
__device__ __forceinline__ int warpOfTeam() { return (int)threadIdx.x % TEAM / 32; }

// Where the k-th word a thread loads or stores lies in the team's tile.
__device__ __forceinline__ int place(int k)
{
#if defined(P_ARRANGE_blocked)
    return (warpOfTeam() * 32 + lane()) * ITEMS + k;
#else
    return (warpOfTeam() * ITEMS + k) * 32 + lane();
#endif
}

// Words [from, from + TILE) of a row, zero beyond `to`.
__device__ __forceinline__ void loadTile(Word* w, const Word* x, int from, int to)
{
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        Word zero = {};
        w[k] = from + place(k) < to ? load<READ>(x + from + place(k)) : zero;
    }
}

// The words of the warp from the order of loading to ITEMS neighbouring ones per thread, or back.
__device__ __forceinline__ void turn(Word* w, bool back)
{
#if defined(P_ARRANGE_shared)
    Word* own = turned[threadIdx.x >> 5];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        own[back ? PADDED(lane() * ITEMS + k) : PADDED(k * 32 + lane())] = w[k];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        w[k] = own[back ? PADDED(k * 32 + lane()) : PADDED(lane() * ITEMS + k)];
#endif
}

__device__ __forceinline__ float shiftUp(float v, int lanes) { return __shfl_up_sync(0xffffffffu, v, lanes); }

// Inclusive over the lanes of a warp.
__device__ __forceinline__ float warpScan(float v)
{
#pragma unroll
    for (int lanes = 1; lanes < 32; lanes *= 2) {
        const float below = shiftUp(v, lanes);
        if (lane() >= lanes)
            v += below;
    }
    return v;
}
// What the lanes before have; never by subtracting, which would turn an infinity into NaN.
__device__ __forceinline__ float before(float inclusive)
{
    const float below = shiftUp(inclusive, 1);
    return lane() == 0 ? 0.f : below;
}

// Prefix sums within the warp's words of a tile (in f), and the sum of all of them.
__device__ __forceinline__ float scanWarp(Word* w, float f[ITEMS][VEC])
{
    turn(w, false);
    float running = 0.f;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        unpack(w[k], f[k]);
#if defined(P_ARRANGE_striped)
#pragma unroll
        for (int j = 1; j < VEC; ++j)
            f[k][j] += f[k][j - 1];
        const float scanned = warpScan(f[k][VEC - 1]);
        const float offset = running + before(scanned);
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            f[k][j] += offset;
        running += __shfl_sync(0xffffffffu, scanned, 31);
#else
#pragma unroll
        for (int j = 0; j < VEC; ++j) {
            running += f[k][j];
            f[k][j] = running;
        }
#endif
    }
#if !defined(P_ARRANGE_striped)
    const float scanned = warpScan(running);
    const float offset = before(scanned);
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            f[k][j] += offset;
    running = __shfl_sync(0xffffffffu, scanned, 31);
#endif
    return running;
}

// The sum of the warps before this one in the team, and of all. `sums` must not be in use from the last but one call.
__device__ __forceinline__ float teamOffset(float own, float* all, float (*sums)[32], int round)
{
#if P_TEAM == 32
    *all = own;
    return 0.f;
#else
    float* shared = sums[round & 1];
    if (lane() == 0)
        shared[threadIdx.x >> 5] = own;
    __syncthreads();
#if WARPS > 4
    const float scanned = warpScan(lane() < WARPS ? shared[lane()] : 0.f);
    const float below = before(scanned);
    *all = __shfl_sync(0xffffffffu, scanned, WARPS - 1);
    return __shfl_sync(0xffffffffu, below, warpOfTeam());
#else
    float offset = 0.f, sum = 0.f;
#pragma unroll
    for (int i = 0; i < WARPS; ++i) {
        if (i == warpOfTeam())
            offset = sum;
        sum += shared[i];
    }
    *all = sum;
    return offset;
#endif
#endif
}

__device__ __forceinline__ void storeTile(Word* y, const float f[ITEMS][VEC], float offset, int from, int to)
{
    Word w[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        float g[VEC];
#pragma unroll
        for (int j = 0; j < VEC; ++j)
            g[j] = f[k][j] + offset;
        pack(g, w[k]);
    }
    turn(w, true);
#pragma unroll
    for (int k = 0; k < ITEMS; ++k)
        if (from + place(k) < to)
            store<WRITE>(y + from + place(k), w[k]);
}

// Words [from, to) of a row by a team, tile after tile, on top of `carry`.
__device__ __forceinline__ void scanPart(const Word* x, Word* y, int from, int to, float carry)
{
    __shared__ float sums[2][32];
    Word w[ITEMS];
#if P_PREFETCH
    loadTile(w, x, from, to);
#endif
    for (int tile = from, round = 0; tile < to; tile += TILE, ++round) {
        float f[ITEMS][VEC], all;
#if P_PREFETCH
        Word next[ITEMS];
        loadTile(next, x, tile + TILE, to);
#else
        loadTile(w, x, tile, to);
#endif
        const float own = scanWarp(w, f);
        const float offset = teamOffset(own, &all, sums, round);
        storeTile(y, f, carry + offset, tile, to);
        carry += all;
#if P_PREFETCH
#pragma unroll
        for (int k = 0; k < ITEMS; ++k)
            w[k] = next[k];
#endif
    }
}

#if defined(P_ALGO_loop)

extern "C" __global__ void __launch_bounds__(THREADS) cumsumLoop(const Element* x, Element* y, i64 rows, int words)
{
    const i64 row = (i64)blockIdx.x * TEAMS + (int)threadIdx.x / TEAM;
    if (row < rows) // whole teams leave: only a team of the whole block meets at barriers, and it has a row
        scanPart((const Word*)x + row * words, (Word*)y + row * words, 0, words, 0.f);
}

#elif defined(P_ALGO_reduce)

// grid: rows * split, the parts of a row side by side
extern "C" __global__ void __launch_bounds__(THREADS) cumsumSums(const Element* x, float* parts, int words, int chunk, int split)
{
    __shared__ float sums[32];
    const i64 row = blockIdx.x / split;
    const int part = (int)(blockIdx.x % split), from = min(words, part * chunk), to = min(words, from + chunk);
    const Word* xs = (const Word*)x + row * words;
    float sum = 0.f;
    for (int base = from + (int)threadIdx.x; base < to; base += ITEMS * THREADS) {
        Word w[ITEMS];
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            Word zero = {};
            w[k] = base + k * THREADS < to ? load<READ>(xs + base + k * THREADS) : zero;
        }
#pragma unroll
        for (int k = 0; k < ITEMS; ++k) {
            float f[VEC];
            unpack(w[k], f);
#pragma unroll
            for (int j = 0; j < VEC; ++j)
                sum += f[j];
        }
    }
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += warpXor(sum, lanes);
    if (lane() == 0)
        sums[threadIdx.x >> 5] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < THREADS / 32; ++i)
            sum += sums[i];
        parts[blockIdx.x] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    cumsumParts(const Element* x, Element* y, const float* parts, int words, int chunk, int split)
{
    // Backwards: what was read last is still in L2.
    const u32 block = P_REVERSE ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const i64 row = block / split;
    const int part = (int)(block % split), from = min(words, part * chunk), to = min(words, from + chunk);
    float carry = 0.f;
    for (int i = 0; i < part; ++i)
        carry += __ldcg(parts + row * split + i);
    scanPart((const Word*)x + row * words, (Word*)y + row * words, from, to, carry);
}

#elif defined(P_ALGO_cluster)

__device__ __forceinline__ float clusterLoad(const float* own, u32 rank)
{
    u32 remote;
    float v;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"((u32)__cvta_generic_to_shared(own)), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(v) : "r"(remote) : "memory");
    return v;
}

// grid: rows * P_SPLIT, a cluster per row; a block has one tile
extern "C" __global__ void __launch_bounds__(THREADS) cumsumCluster(const Element* x, Element* y, int words, int chunk)
{
    __shared__ float sums[2][32], whole;
    const i64 row = blockIdx.x / P_SPLIT;
    const int part = (int)(blockIdx.x % P_SPLIT), from = min(words, part * chunk), to = min(words, from + chunk);
    Word w[ITEMS];
    float f[ITEMS][VEC], all;
    loadTile(w, (const Word*)x + row * words, from, to);
    const float own = scanWarp(w, f);
    float offset = teamOffset(own, &all, sums, 0);
    if (threadIdx.x == 0)
        whole = all;
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#pragma unroll
    for (int i = 0; i < P_SPLIT - 1; ++i)
        if (i < part)
            offset += clusterLoad(&whole, i);
    asm volatile("barrier.cluster.arrive.release;" ::: "memory"); // waited for at the end: others read this block's sum
    storeTile((Word*)y + row * words, f, offset, from, to);
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

#else // lookback

// A published sum: the number in the lower half, 1 above it once it is there.
__device__ __forceinline__ float waitFor(const unsigned long long* published)
{
    unsigned long long v;
    do {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(published) : "memory");
    } while ((v >> 32) == 0);
    return __uint_as_float((u32)v);
}
__device__ __forceinline__ void publish(unsigned long long* place, float sum)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(place), "l"((1ull << 32) | __float_as_uint(sum)) : "memory");
}

// grid: rows * split. Blocks take tickets, so that whoever waits knows the blocks before it to be running. P_LINK_sums
// adds up the sums of all parts before, in order; P_LINK_chain waits for the running sum of the part before.
extern "C" __global__ void __launch_bounds__(THREADS)
    cumsumLookback(const Element* x, Element* y, unsigned long long* published, u32* ticket, int words, int chunk, int split)
{
    __shared__ float sums[2][32], sharedCarry;
    __shared__ u32 taken;
    if (threadIdx.x == 0)
        taken = atomicAdd(ticket, 1u);
    __syncthreads();
    const i64 row = taken / split;
    const int part = (int)(taken % split), from = min(words, part * chunk), to = min(words, from + chunk);
    unsigned long long* own = published + row * split;
    Word w[ITEMS];
    float f[ITEMS][VEC], all;
    loadTile(w, (const Word*)x + row * words, from, to);
    const float sum = scanWarp(w, f);
    const float offset = teamOffset(sum, &all, sums, 0);
#if defined(P_LINK_sums)
    if (threadIdx.x == 0)
        publish(own + part, all);
    if (threadIdx.x < 32) {
        float carry = 0.f;
        for (int i = lane(); i < part; i += 32)
            carry += waitFor(own + i);
#pragma unroll
        for (int lanes = 16; lanes > 0; lanes /= 2)
            carry += warpXor(carry, lanes);
        if (threadIdx.x == 0)
            sharedCarry = carry;
    }
#else
    if (threadIdx.x == 0) {
        const float carry = part == 0 ? 0.f : waitFor(own + part - 1);
        publish(own + part, carry + all);
        sharedCarry = carry;
    }
#endif
    __syncthreads();
    storeTile((Word*)y + row * words, f, sharedCarry + offset, from, to);
}

#endif
