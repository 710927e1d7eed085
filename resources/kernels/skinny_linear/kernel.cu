// SPDX-License-Identifier: Apache-2.0
// y[m][n] = sum over k of x[m][k] * weight[n][k] (+ bias[n]) for few rows of x (ROWS_X of them), sums in fp32.
//   rows   a group of P_GROUP threads has P_ROWS rows of the weight (1: a thread per row, up to a whole block)
//   split  the same over one of `split` parts of k (grid.y), joined by a second launch
//   mma    a warp has P_ROWS tiles of 16 rows on the matrix units; P_GROUP / 32 warps share the k of a tile
// x is read through the caches (P_X_global), or waits in shared memory as it is (P_X_shared) or as fp32 (P_X_float).

#define VEC P_VEC
#define THREADS P_THREADS
#define GROUP P_GROUP
#define ROWS P_ROWS
#define UNROLL P_UNROLL
typedef WordOf<VEC * T_BYTES>::type Word;

#if defined(P_CACHE_stream)
#define READ_WEIGHT kStream
#else
#define READ_WEIGHT kPlain
#endif

extern __shared__ uint4 dynamicShared[];

__device__ __forceinline__ void finish(Element* y, const Element* bias, i64 at, i64 n, float sum)
{
#if BIAS
    sum += toFloat(bias[n]);
#endif
    y[at] = fromFloat(sum);
}

#if !defined(P_ALGO_mma)

#define OUTPUTS (ROWS * ROWS_X)
#define BUNDLES (THREADS / GROUP)

#if defined(P_X_float)
// A word of x as fp32 lies in PLANES pieces of 16 bytes or less, each piece beside its neighbours' (no bank conflicts).
#define PLANE (VEC < 4 ? VEC : 4)
#define PLANES (VEC / PLANE)
typedef WordOf<PLANE * 4>::type Piece;
#endif

// `chunk` words of each row of x, from word `from` on, to shared memory.
__device__ __forceinline__ void stage(const Word* x, int words, int from, int chunk)
{
    for (int i = (int)threadIdx.x; i < ROWS_X * chunk; i += THREADS) {
        const int m = i / chunk, k = i - m * chunk;
        const Word w = x[(i64)m * words + from + k];
#if defined(P_X_float)
        union { float f[VEC]; Piece piece[PLANES]; } u;
        unpack(w, u.f);
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            ((Piece*)dynamicShared)[(m * PLANES + p) * chunk + k] = u.piece[p];
#else
        ((Word*)dynamicShared)[i] = w;
#endif
    }
    __syncthreads();
}

__device__ __forceinline__ void takeX(float* f, const Word* x, int words, int chunk, int m, int k)
{
#if defined(P_X_global)
    unpack(x[(i64)m * words + k], f);
#elif defined(P_X_shared)
    unpack(((const Word*)dynamicShared)[m * chunk + k], f);
#else
    union { float f[VEC]; Piece piece[PLANES]; } u;
#pragma unroll
    for (int p = 0; p < PLANES; ++p)
        u.piece[p] = ((const Piece*)dynamicShared)[(m * PLANES + p) * chunk + k];
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] = u.f[j];
#endif
}

// grid: bundles of rows / BUNDLES, parts of k
extern "C" __global__ void __launch_bounds__(THREADS)
    skinnyRows(const Element* x, const Element* weight, const Element* bias, Element* y, float* parts, int n, int words,
               int perPart)
{
#if P_GROUP > 32
    __shared__ float scratch[THREADS / 32][OUTPUTS];
#endif
    const int lane = (int)threadIdx.x % GROUP;
    const int from = min(words, (int)blockIdx.y * perPart), chunk = min(words, from + perPart) - from;
    const Word* xs = (const Word*)x;
#if !defined(P_X_global)
    stage(xs, words, from, chunk);
#endif
    const i64 row0 = ((i64)blockIdx.x * BUNDLES + (int)threadIdx.x / GROUP) * ROWS;
    const Word* ws[ROWS]; // rows past the end repeat the last one and are not written
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        ws[r] = (const Word*)weight + min(row0 + r, (i64)n - 1) * words + from;
    float sums[ROWS][ROWS_X] = {};
    for (int base = lane; base < chunk; base += UNROLL * GROUP) {
        Word w[UNROLL][ROWS];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
#pragma unroll
            for (int r = 0; r < ROWS; ++r)
                if (base + u * GROUP < chunk)
                    w[u][r] = load<READ_WEIGHT>(ws[r] + base + u * GROUP);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            if (base + u * GROUP < chunk) {
                float g[ROWS][VEC];
#pragma unroll
                for (int r = 0; r < ROWS; ++r)
                    unpack(w[u][r], g[r]);
#pragma unroll
                for (int m = 0; m < ROWS_X; ++m) {
                    float f[VEC];
                    takeX(f, xs + from, words, chunk, m, base + u * GROUP);
#pragma unroll
                    for (int r = 0; r < ROWS; ++r)
#pragma unroll
                        for (int j = 0; j < VEC; ++j)
                            sums[r][m] = fmaf(g[r][j], f[j], sums[r][m]);
                }
            }
        }
    }
    const int span = GROUP < 32 ? GROUP : 32;
#pragma unroll
    for (int e = 0; e < OUTPUTS; ++e) {
        const int r = e / ROWS_X, m = e % ROWS_X;
#pragma unroll
        for (int lanes = span / 2; lanes > 0; lanes /= 2)
            sums[r][m] += warpXor(sums[r][m], lanes);
#if P_GROUP > 32
        if ((threadIdx.x & 31) == 0)
            scratch[threadIdx.x >> 5][e] = sums[r][m];
#else
        if (lane == e % GROUP && row0 + r < n) {
#if defined(P_ALGO_split)
            parts[((i64)blockIdx.y * ROWS_X + m) * n + row0 + r] = sums[r][m];
#else
            finish(y, bias, (i64)m * n + row0 + r, row0 + r, sums[r][m]);
#endif
        }
#endif
    }
#if P_GROUP > 32
    __syncthreads();
    for (int e = lane; e < OUTPUTS; e += GROUP) {
        const i64 row = row0 + e / ROWS_X;
        const int m = e % ROWS_X;
        if (row >= n)
            break;
        float sum = 0.f;
        for (int i = 0; i < GROUP / 32; ++i)
            sum += scratch[(int)threadIdx.x / GROUP * (GROUP / 32) + i][e];
#if defined(P_ALGO_split)
        parts[((i64)blockIdx.y * ROWS_X + m) * n + row] = sum;
#else
        finish(y, bias, (i64)m * n + row, row, sum);
#endif
    }
#endif
}

#if defined(P_ALGO_split)
// One thread per output.
extern "C" __global__ void __launch_bounds__(256)
    skinnyFinish(const float* parts, const Element* bias, Element* y, int n, int outputs, int split)
{
    const int at = (int)(blockIdx.x * 256 + threadIdx.x);
    if (at >= outputs)
        return;
    float sum = 0.f;
    for (int part = 0; part < split; ++part)
        sum += parts[(i64)part * outputs + at];
    finish(y, bias, at, at % n, sum);
}
#endif

#else // mma

#define KWARPS (GROUP / 32)
#define TILES (THREADS / GROUP) // sets of ROWS tiles per block
#define TILE_ROWS (16 * ROWS)
#define XTILES ((ROWS_X + 7) / 8)

__device__ __forceinline__ void multiply(float* c, u32 a0, u32 a1, u32 a2, u32 a3, u32 b0, u32 b1)
{
#if defined(T_BF16)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#else
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#endif
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

// The matrix units add products over k in any order, so a lane gives them the 8 neighbouring elements of one 16-byte
// load (k = 8 t ... 8 t + 7 of 32, t = lane % 4) where they expect two pairs 8 apart, in both operands alike.
extern "C" __global__ void __launch_bounds__(THREADS)
    skinnyMma(const Element* x, const Element* weight, const Element* bias, Element* y, int n, int words, int xStride)
{
    __shared__ float scratch[THREADS / 32][8 * XTILES][TILE_ROWS];
    const int lane = (int)threadIdx.x & 31, warp = (int)threadIdx.x >> 5, g = lane >> 2, t = lane & 3;
    const uint4* xs = (const uint4*)x;
#if defined(P_X_shared)
    for (int i = (int)threadIdx.x; i < ROWS_X * words; i += THREADS) {
        const int m = i / words;
        dynamicShared[m * xStride + i - m * words] = xs[i];
    }
    __syncthreads();
    xs = dynamicShared;
#endif
    const i64 row0 = ((i64)blockIdx.x * TILES + warp / KWARPS) * TILE_ROWS;
    const uint4* ws[2 * ROWS];
#pragma unroll
    for (int r = 0; r < 2 * ROWS; ++r)
        ws[r] = (const uint4*)weight + min(row0 + g + 8 * r, (i64)n - 1) * words;
    float c[ROWS][XTILES][4] = {};
    const uint4 zero = make_uint4(0, 0, 0, 0);
    // All lanes of a warp take the same steps: they multiply together.
    for (int first = warp % KWARPS * 4; first < words; first += UNROLL * 4 * KWARPS) {
        uint4 w[UNROLL][2 * ROWS];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
#pragma unroll
            for (int r = 0; r < 2 * ROWS; ++r) {
                const int i = first + t + u * 4 * KWARPS;
                w[u][r] = i < words ? load<READ_WEIGHT>(ws[r] + i) : zero;
            }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            const int i = first + t + u * 4 * KWARPS;
#pragma unroll
            for (int q = 0; q < XTILES; ++q) {
                const uint4 b = i < words && g + 8 * q < ROWS_X ? xs[(g + 8 * q) * xStride + i] : zero;
#pragma unroll
                for (int r = 0; r < ROWS; ++r) {
                    const uint4 upper = w[u][2 * r], lower = w[u][2 * r + 1];
                    multiply(c[r][q], upper.x, lower.x, upper.y, lower.y, b.x, b.y);
                    multiply(c[r][q], upper.z, lower.z, upper.w, lower.w, b.z, b.w);
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
#pragma unroll
        for (int q = 0; q < XTILES; ++q)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                scratch[warp][8 * q + 2 * t + e % 2][16 * r + 8 * (e / 2) + g] = c[r][q][e];
    __syncthreads();
    for (int i = (int)threadIdx.x; i < TILES * ROWS_X * TILE_ROWS; i += THREADS) {
        const int at = i % TILE_ROWS, m = i / TILE_ROWS % ROWS_X, tile = i / (TILE_ROWS * ROWS_X);
        const i64 row = ((i64)blockIdx.x * TILES + tile) * TILE_ROWS + at;
        if (row >= n)
            continue;
        float sum = 0.f;
#pragma unroll
        for (int k = 0; k < KWARPS; ++k)
            sum += scratch[tile * KWARPS + k][m][at];
        finish(y, bias, (i64)m * n + row, row, sum);
    }
}

#endif
