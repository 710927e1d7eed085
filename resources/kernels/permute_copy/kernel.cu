// SPDX-License-Identifier: Apache-2.0
// y[b, c, r, :] = x[b, r, c, :], x stored as [batch, rows, cols, INNER], y as [batch, cols, rows, INNER].
//   tile       a tile goes through shared memory: reads follow x, writes follow y
//   pipeline   the same, persistent, with asynchronous copies of the next tiles (INNER units or VEC elements at a time)
//   registers  every thread turns P_WVEC rows x VEC columns in registers; P_LANES lanes of a warp side by side (INNER 1)
//   read       follows x: reads in order, writes wherever they fall
//   write      follows y: writes in order, reads from wherever they are
// With INNER = 1 a load takes VEC neighbouring columns and a store WVEC neighbouring rows; else both take VEC elements of
// the inner dimension, W of them per run.

#define VEC P_VEC
#define WVEC P_WVEC
#define THREADS P_THREADS

typedef WordOf<T_BYTES>::type Bits;
typedef WordOf<VEC * T_BYTES>::type ReadWord;
#if INNER == 1
#define W 1
#define READ_UNITS VEC  // units per load and per store
#define WRITE_UNITS WVEC
typedef Bits Unit;
#else
#define W (INNER / VEC)
#define READ_UNITS 1
#define WRITE_UNITS 1
typedef ReadWord Unit;
#endif
typedef WordOf<WRITE_UNITS * sizeof(Unit)>::type WriteWord;

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

template <typename Word, int N> union Pieces {
    Word word;
    Unit units[N];
};

#if !defined(P_ALGO_read) && !defined(P_ALGO_write)
struct Tile {
    i64 batch;
    int row, col; // in tiles
};

// Neighbouring blocks follow x (columns), y (rows), or spread over both.
__device__ __forceinline__ Tile tileAt(u32 index, u32 tilesDown, u32 tilesAcross)
{
    const u32 perBatch = tilesDown * tilesAcross, batch = index / perBatch, k = index - batch * perBatch;
#if defined(P_ORDER_rows)
    const u32 col = k / tilesDown, row = k - col * tilesDown;
#else
    const u32 row = k / tilesAcross;
    u32 col = k - row * tilesAcross;
#if defined(P_ORDER_diagonal)
    col = (col + row) % tilesAcross;
#endif
#endif
    return {(i64)batch, (int)row, (int)col};
}
#endif

#if defined(P_ALGO_read) || defined(P_ALGO_write)

// `along` counts runs on the side that is followed (columns of x, rows of y), `across` on the other. Runs of INNER = 1
// are taken VEC at a time.
#define RUN_WORDS (INNER == 1 ? 1 : W)
#define PER_WORD (INNER == 1 ? VEC : 1)

__device__ __forceinline__ void move(const Unit* x, Unit* y, u32 line, int j, int along, int across, ReadWord* word,
                                     bool storing)
{
    // line: (batch, position across); j: words along
    const int words = along / PER_WORD * RUN_WORDS;
    const u32 batch = line / (u32)across, at = line - batch * (u32)across;
    const int run = j / RUN_WORDS * PER_WORD, inner = j % RUN_WORDS;
    const i64 near = (i64)line * words + j;
    const i64 far = (((i64)batch * along + run) * across + at) * RUN_WORDS + inner;
#if defined(P_ALGO_read)
    if (!storing) {
        *word = load<READ>((const ReadWord*)x + near);
        return;
    }
    Pieces<ReadWord, PER_WORD> p;
    p.word = *word;
#pragma unroll
    for (int v = 0; v < PER_WORD; ++v)
        put<WRITE>(y + far + (i64)v * across * RUN_WORDS, p.units[v]);
#else
    if (storing) {
        put<WRITE>((ReadWord*)y + near, *word);
        return;
    }
    Pieces<ReadWord, PER_WORD> p;
#pragma unroll
    for (int v = 0; v < PER_WORD; ++v)
        p.units[v] = load<READ>(x + far + (i64)v * across * RUN_WORDS);
    *word = p.word;
#endif
}

#if defined(P_INDEX_rows)
// grid: lines x spans; a block has UNROLL * THREADS words of one line.
extern "C" __global__ void __launch_bounds__(THREADS) permuteDirect(const Unit* x, Unit* y, int along, int across, u32 spans)
{
    const int words = along / PER_WORD * RUN_WORDS;
    const u32 line = blockIdx.x / spans, span = blockIdx.x - line * spans;
    const int first = (int)(span * (THREADS * P_UNROLL) + threadIdx.x);
    ReadWord w[P_UNROLL];
#pragma unroll
    for (int u = 0; u < P_UNROLL; ++u)
        if (first + u * THREADS < words)
            move(x, y, line, first + u * THREADS, along, across, w + u, false);
#pragma unroll
    for (int u = 0; u < P_UNROLL; ++u)
        if (first + u * THREADS < words)
            move(x, y, line, first + u * THREADS, along, across, w + u, true);
}
#else
// The words of all lines one after another.
extern "C" __global__ void __launch_bounds__(THREADS) permuteDirect(const Unit* x, Unit* y, int along, int across, u32 total)
{
    const u32 words = (u32)(along / PER_WORD * RUN_WORDS);
    const u32 first = blockIdx.x * (u32)(THREADS * P_UNROLL) + threadIdx.x;
    ReadWord w[P_UNROLL];
#pragma unroll
    for (int u = 0; u < P_UNROLL; ++u) {
        const u32 i = first + u * THREADS, line = i / words;
        if (i < total)
            move(x, y, line, (int)(i - line * words), along, across, w + u, false);
    }
#pragma unroll
    for (int u = 0; u < P_UNROLL; ++u) {
        const u32 i = first + u * THREADS, line = i / words;
        if (i < total)
            move(x, y, line, (int)(i - line * words), along, across, w + u, true);
    }
}
#endif

#elif defined(P_ALGO_registers)

#define WARPS (THREADS / 32)

// A warp has LANES threads side by side and 32 / LANES below each other; the warps of a block are below each other when
// LANES >= 8, else side by side.
extern "C" __global__ void __launch_bounds__(THREADS)
    permuteRegisters(const Bits* x, Bits* y, int rows, int cols, int tilesDown, int tilesAcross)
{
    const Tile tile = tileAt(blockIdx.x, (u32)tilesDown, (u32)tilesAcross);
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int across = P_LANES * (P_LANES >= 8 ? 1 : WARPS), down = 32 / P_LANES * (P_LANES >= 8 ? WARPS : 1);
    // Neighbouring lanes go along the side that is longer in the warp.
    const int col = ((P_LANES >= 8 ? 0 : warp * P_LANES) + lane % P_LANES + tile.col * across) * VEC;
    const int row = ((P_LANES >= 8 ? warp * (32 / P_LANES) : 0) + lane / P_LANES + tile.row * down) * WVEC;
    if (row >= rows || col >= cols)
        return;
    const Bits* from = x + (tile.batch * rows + row) * cols + col;
    Bits* to = y + (tile.batch * cols + col) * rows + row;
    Pieces<ReadWord, VEC> in[WVEC];
#pragma unroll
    for (int i = 0; i < WVEC; ++i)
        in[i].word = load<READ>((const ReadWord*)(from + (i64)i * cols));
#pragma unroll
    for (int j = 0; j < VEC; ++j) {
        Pieces<WriteWord, WVEC> out;
#pragma unroll
        for (int i = 0; i < WVEC; ++i)
            out.units[i] = in[i].units[j];
        put<WRITE>((WriteWord*)(to + (i64)j * rows), out.word);
    }
}

#else // tile, pipeline

#define TILE_ROWS P_TILE_ROWS
#define TILE_COLS P_TILE_COLS
#if defined(P_ALGO_pipeline)
#define GRAIN READ_UNITS // runs that stay side by side in shared memory: an asynchronous copy writes them at once
#else
#define GRAIN 1
#endif
#if defined(P_STAGGER_pad)
#define STRIDE ((TILE_COLS + GRAIN) * W)
#else
#define STRIDE (TILE_COLS * W)
#endif
#define LOADS (TILE_ROWS * TILE_COLS * W / READ_UNITS)
#define STORES (TILE_ROWS * TILE_COLS * W / WRITE_UNITS)
#define LOAD_STEPS ((LOADS + THREADS - 1) / THREADS)
#define STORE_STEPS ((STORES + THREADS - 1) / THREADS)

// Where unit `inner` of the run at (row, col) of the tile is in shared memory.
__device__ __forceinline__ int place(int row, int col, int inner)
{
    int grain = col / GRAIN;
#if defined(P_STAGGER_xor)
    grain ^= (row / (GRAIN > 1 ? WVEC : 1)) & (TILE_COLS / GRAIN - 1);
#endif
    return row * STRIDE + (grain * GRAIN + col % GRAIN) * W + inner;
}

struct Spot {
    int row, col, inner;
};
// Load i of a tile, and where it is in x.
__device__ __forceinline__ Spot loadSpot(int i)
{
    const int perRow = TILE_COLS * W / READ_UNITS, j = i % perRow;
    return {i / perRow, j / W * READ_UNITS, j % W};
}
// Store i of a tile: neighbours lie along y.
__device__ __forceinline__ Spot storeSpot(int i)
{
    const int perCol = TILE_ROWS * W / WRITE_UNITS, j = i % perCol;
    return {j / W * WRITE_UNITS, i / perCol, j % W};
}

__device__ __forceinline__ void writeTile(const Unit* shared, Unit* y, Tile tile, int rows, int cols)
{
#pragma unroll
    for (int k = 0; k < STORE_STEPS; ++k) {
        const int i = (int)threadIdx.x + k * THREADS;
        const Spot s = storeSpot(i);
        const int row = tile.row * TILE_ROWS + s.row, col = tile.col * TILE_COLS + s.col;
        if ((STORES % THREADS == 0 || i < STORES) && row < rows && col < cols) {
            Pieces<WriteWord, WRITE_UNITS> p;
#pragma unroll
            for (int v = 0; v < WRITE_UNITS; ++v)
                p.units[v] = shared[place(s.row + v, s.col, s.inner)];
            put<WRITE>((WriteWord*)(y + ((tile.batch * cols + col) * rows + row) * W + s.inner), p.word);
        }
    }
}

extern __shared__ uint4 dynamicShared[];

#if defined(P_ALGO_tile)

extern "C" __global__ void __launch_bounds__(THREADS)
    permuteTile(const Unit* x, Unit* y, int rows, int cols, int tilesDown, int tilesAcross)
{
    Unit* shared = (Unit*)dynamicShared;
    const Tile tile = tileAt(blockIdx.x, (u32)tilesDown, (u32)tilesAcross);
    const int batch = LOAD_STEPS < P_UNROLL ? LOAD_STEPS : P_UNROLL; // loads in flight
#pragma unroll
    for (int k0 = 0; k0 < LOAD_STEPS; k0 += batch) {
        ReadWord words[batch];
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            const int i = (int)threadIdx.x + (k0 + k) * THREADS;
            const Spot s = loadSpot(i);
            const int row = tile.row * TILE_ROWS + s.row, col = tile.col * TILE_COLS + s.col;
            if (i < LOADS && row < rows && col < cols)
                words[k] = load<READ>((const ReadWord*)(x + ((tile.batch * rows + row) * cols + col) * W + s.inner));
        }
#pragma unroll
        for (int k = 0; k < batch; ++k) {
            const int i = (int)threadIdx.x + (k0 + k) * THREADS;
            const Spot s = loadSpot(i);
            if (i < LOADS && tile.row * TILE_ROWS + s.row < rows && tile.col * TILE_COLS + s.col < cols) {
                Pieces<ReadWord, READ_UNITS> p;
                p.word = words[k];
#pragma unroll
                for (int v = 0; v < READ_UNITS; ++v)
                    shared[place(s.row, s.col + v, s.inner)] = p.units[v];
            }
        }
    }
    __syncthreads();
    writeTile(shared, y, tile, rows, cols);
}

#else // pipeline

#define STAGE_UNITS (TILE_ROWS * STRIDE)

__device__ __forceinline__ unsigned long long firstPolicy()
{
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

__device__ __forceinline__ void fetchTile(Unit* shared, const Unit* x, Tile tile, int rows, int cols)
{
#pragma unroll
    for (int k = 0; k < LOAD_STEPS; ++k) {
        const int i = (int)threadIdx.x + k * THREADS;
        const Spot s = loadSpot(i);
        const int row = tile.row * TILE_ROWS + s.row, col = tile.col * TILE_COLS + s.col;
        if ((LOADS % THREADS == 0 || i < LOADS) && row < rows && col < cols) {
            const Unit* from = x + ((tile.batch * rows + row) * cols + col) * W + s.inner;
            const u32 to = (u32)__cvta_generic_to_shared(shared + place(s.row, s.col, s.inner));
            if (sizeof(ReadWord) == 16 && READ == kStream)
                asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "l"(firstPolicy())
                             : "memory");
            else if (sizeof(ReadWord) == 16)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
            else
                asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(ReadWord))
                             : "memory");
        }
    }
}

// grid: blocks that stay and take tile after tile
extern "C" __global__ void __launch_bounds__(THREADS)
    permutePipeline(const Unit* x, Unit* y, int rows, int cols, int tilesDown, int tilesAcross, u32 tiles)
{
    Unit* shared = (Unit*)dynamicShared;
    u32 ahead = blockIdx.x;
#pragma unroll
    for (int stage = 0; stage < P_STAGES - 1; ++stage) {
        if (ahead < tiles)
            fetchTile(shared + stage * STAGE_UNITS, x, tileAt(ahead, (u32)tilesDown, (u32)tilesAcross), rows, cols);
        asm volatile("cp.async.commit_group;" ::: "memory");
        ahead += gridDim.x;
    }
    int stage = 0, next = P_STAGES - 1;
    for (u32 current = blockIdx.x; current < tiles; current += gridDim.x) {
        if (ahead < tiles)
            fetchTile(shared + next * STAGE_UNITS, x, tileAt(ahead, (u32)tilesDown, (u32)tilesAcross), rows, cols);
        asm volatile("cp.async.commit_group;" ::: "memory");
        ahead += gridDim.x;
        asm volatile("cp.async.wait_group %0;" ::"n"(P_STAGES - 1) : "memory");
        __syncthreads();
        writeTile(shared + stage * STAGE_UNITS, y, tileAt(current, (u32)tilesDown, (u32)tilesAcross), rows, cols);
        __syncthreads(); // the stage is filled again in the next round
        stage = stage + 1 == P_STAGES ? 0 : stage + 1;
        next = next + 1 == P_STAGES ? 0 : next + 1;
    }
}

#endif
#endif
