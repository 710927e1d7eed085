// SPDX-License-Identifier: Apache-2.0
// Rotary embedding: y = x * cos + rotated(x) * sin for x [batch, heads, positions, D] (its memory may have positions before
// heads) and cos, sin [positions, D]. Halves: element i is turned with i + D / 2; INTERLEAVED: 2 i with 2 i + 1.
// A thread's piece of a row is one word of each half, or two neighbouring words when interleaved; D / (2 VEC) pieces.
//   flat   one piece after another in memory order, UNROLL per thread; cos and sin are read for each
//   heads  a thread has a piece of one position, keeps its cos and sin in registers, and goes through P_HEADS heads
//   tile   a block puts cos and sin of P_POSITIONS positions into shared memory and goes through all heads of its batch part

#define VEC P_VEC
#define THREADS P_THREADS
#define UNROLL P_UNROLL
#define PIECES (D / (2 * VEC))
typedef WordOf<VEC * T_BYTES>::type Word;
#if INTERLEAVED
#define WORD_A(piece) (2 * (piece))
#define WORD_B(piece) (2 * (piece) + 1)
#else
#define WORD_A(piece) (piece)
#define WORD_B(piece) ((piece) + PIECES)
#endif

#if defined(P_CACHE_plain)
#define READ kPlain
#else // nothing is read twice
#define READ kStream
#endif
#if defined(P_CACHE_stream)
#define WRITE kStream
#elif defined(P_CACHE_keep)
#define WRITE kKeep
#else
#define WRITE kPlain
#endif

struct Pair {
    Word a, b;
};

template <CacheHint HINT> __device__ __forceinline__ Pair fetch(const Element* row, int piece)
{
    return {load<HINT>((const Word*)row + WORD_A(piece)), load<HINT>((const Word*)row + WORD_B(piece))};
}

__device__ __forceinline__ void turn(Element* row, int piece, Pair x, Pair cosine, Pair sine)
{
    float f[2 * VEC], c[2 * VEC], s[2 * VEC], r[2 * VEC];
    unpack(x.a, f);
    unpack(x.b, f + VEC);
    unpack(cosine.a, c);
    unpack(cosine.b, c + VEC);
    unpack(sine.a, s);
    unpack(sine.b, s + VEC);
#pragma unroll
    for (int j = 0; j < VEC; ++j) {
        const int first = INTERLEAVED ? 2 * j : j, second = INTERLEAVED ? 2 * j + 1 : VEC + j;
        r[first] = f[first] * c[first] - f[second] * s[first];
        r[second] = f[second] * c[second] + f[first] * s[second];
    }
    Word w;
    pack(r, w);
    put<WRITE>((Word*)row + WORD_A(piece), w);
    pack(r + VEC, w);
    put<WRITE>((Word*)row + WORD_B(piece), w);
}

#if defined(P_ALGO_flat)

// Rows in memory order; `inner` of them share nothing but follow each other: positions, or heads.
extern "C" __global__ void __launch_bounds__(THREADS)
    ropeFlat(const Element* x, const Element* cosine, const Element* sine, Element* y, i64 pieces, u32 heads, u32 positions)
{
    const i64 first = (i64)blockIdx.x * (THREADS * UNROLL) + threadIdx.x;
    Pair v[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        if (first + u * THREADS < pieces) {
            const u32 i = (u32)first + u * THREADS;
            v[u] = fetch<READ>(x + (i64)(i / PIECES) * D, (int)(i % PIECES));
        }
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        if (first + u * THREADS < pieces) {
            const u32 i = (u32)first + u * THREADS, row = i / PIECES;
            const int piece = (int)(i % PIECES);
#if defined(LAYOUT_contiguous)
            const u32 position = row % positions;
#else
            const u32 position = row / heads % positions;
#endif
            turn(y + (i64)row * D, piece, v[u], fetch<kPlain>(cosine + (i64)position * D, piece),
                 fetch<kPlain>(sine + (i64)position * D, piece));
        }
    }
}

#else // heads, tile

// The row of (image, head, position) in memory.
__device__ __forceinline__ i64 rowAt(i64 image, int head, int position, int heads, int positions)
{
#if defined(LAYOUT_contiguous)
    return (image * heads + head) * positions + position;
#else
    return (image * positions + position) * heads + head;
#endif
}

#if defined(P_ALGO_heads)

// grid: positions x pieces / THREADS, then parts of the heads, then images
extern "C" __global__ void __launch_bounds__(THREADS)
    ropeHeads(const Element* x, const Element* cosine, const Element* sine, Element* y, int heads, int positions)
{
    const u32 i = blockIdx.x * (u32)THREADS + threadIdx.x;
    const int position = (int)(i / PIECES), piece = (int)(i % PIECES);
    if (position >= positions)
        return;
    const int from = (int)blockIdx.y * P_HEADS, to = min(heads, from + P_HEADS);
    const i64 image = blockIdx.z;
    const Pair c = fetch<kPlain>(cosine + (i64)position * D, piece), s = fetch<kPlain>(sine + (i64)position * D, piece);
    for (int head = from; head < to; head += UNROLL) {
        Pair v[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (head + u < to)
                v[u] = fetch<READ>(x + rowAt(image, head + u, position, heads, positions) * D, piece);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (head + u < to)
                turn(y + rowAt(image, head + u, position, heads, positions) * D, piece, v[u], c, s);
    }
}

#else // tile

#define TILE_POSITIONS P_POSITIONS

// grid: tiles of positions, parts of the heads, images. Threads go through (head, position, piece) of the tile.
extern "C" __global__ void __launch_bounds__(THREADS)
    ropeTile(const Element* x, const Element* cosine, const Element* sine, Element* y, int heads, int positions, int headsPerBlock)
{
    extern __shared__ uint4 dynamicShared[];
    Word *cs = (Word*)dynamicShared, *ss = cs + TILE_POSITIONS * (D / VEC);
    const int start = (int)blockIdx.x * TILE_POSITIONS, here = min(TILE_POSITIONS, positions - start);
    const int from = (int)blockIdx.y * headsPerBlock, count = min(heads - from, headsPerBlock);
    for (int i = (int)threadIdx.x; i < here * (D / VEC); i += THREADS) {
        cs[i] = ((const Word*)(cosine + (i64)start * D))[i];
        ss[i] = ((const Word*)(sine + (i64)start * D))[i];
    }
    __syncthreads();
    const i64 image = blockIdx.z;
    const int total = count * TILE_POSITIONS * PIECES;
    for (int base = (int)threadIdx.x; base < total; base += THREADS * UNROLL) {
        Pair v[UNROLL];
        i64 row[UNROLL];
        int local[UNROLL], piece[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            const int i = base + u * THREADS, outer = i / PIECES;
            piece[u] = i % PIECES;
#if defined(LAYOUT_contiguous)
            local[u] = outer % TILE_POSITIONS;
            const int head = outer / TILE_POSITIONS;
#else
            local[u] = outer / count;
            const int head = outer % count;
#endif
            if (i >= total || local[u] >= here)
                local[u] = -1;
            row[u] = rowAt(image, from + head, start + local[u], heads, positions);
            if (local[u] >= 0)
                v[u] = fetch<READ>(x + row[u] * D, piece[u]);
        }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            if (local[u] >= 0) {
                const Word *c = cs + local[u] * (D / VEC), *s = ss + local[u] * (D / VEC);
                const int a = WORD_A(piece[u]), b = WORD_B(piece[u]);
                turn(y + row[u] * D, piece[u], v[u], Pair{c[a], c[b]}, Pair{s[a], s[b]});
            }
        }
    }
}

#endif
#endif
