// SPDX-License-Identifier: Apache-2.0
// Maximum over WINDOW_H x WINDOW_W windows of images, with INDICES its place in the image too (row-major; the first of
// equals, the last NaN, as PyTorch). A thread makes P_DOWN x P_OUT neighbouring outputs, so that rows and columns shared by
// their windows are read once.
//   tile    from memory. NCHW: columns one by one (P_VEC 1) or in words; channels_last: words of P_VEC channels
//   staged  NCHW: a block first copies the rows it needs to shared memory in words of P_VEC elements

#define VEC P_VEC
#define THREADS P_THREADS
#define OUT P_OUT
#define DOWN P_DOWN
#define SPAN ((OUT - 1) * STRIDE_W + WINDOW_W)   // columns a thread needs
#define ROWS_IN ((DOWN - 1) * STRIDE_H + WINDOW_H) // rows a thread needs
typedef WordOf<VEC * T_BYTES>::type Word;
#define NEGATIVE_INFINITY __int_as_float(0xff800000)

#if defined(LAYOUT_channels_last)
#define LANES VEC // channels a thread works on
#else
#define LANES 1
#endif

#if defined(P_CACHE_stream)
#define WRITE kStream
#else
#define WRITE kPlain
#endif

struct Best {
    float value;
#if INDICES
    int place;
#endif
};

__device__ __forceinline__ void take(Best& best, float v, int place)
{
#if INDICES
    if (v > best.value || v != v) {
        best.value = v;
        best.place = place;
    }
#else
    asm("max.NaN.f32 %0, %0, %1;" : "+f"(best.value) : "f"(v));
#endif
}

// Columns first ... first + SPAN - 1 of a row of an image; -inf outside.
__device__ __forceinline__ void loadRow(float f[SPAN][LANES], const Element* row, int first, int width, i64 pixel)
{
#if defined(LAYOUT_channels_last)
#pragma unroll
    for (int j = 0; j < SPAN; ++j) {
        if (first + j >= 0 && first + j < width) {
            unpack(*(const Word*)(row + (first + j) * pixel), f[j]);
        } else {
#pragma unroll
            for (int lane = 0; lane < LANES; ++lane)
                f[j][lane] = NEGATIVE_INFINITY;
        }
    }
#elif P_VEC > 1 && defined(P_ALGO_tile)
    // OUT * STRIDE_W columns from first + PAD_W on are whole words; those before and after come one by one.
    const int start = first + PAD_W;
    float words[OUT * STRIDE_W];
#pragma unroll
    for (int k = 0; k < OUT * STRIDE_W; k += VEC) {
        if (start + k < width) {
            unpack(*(const Word*)(row + start + k), words + k);
        } else {
#pragma unroll
            for (int j = 0; j < VEC; ++j)
                words[k + j] = NEGATIVE_INFINITY;
        }
    }
#pragma unroll
    for (int j = 0; j < SPAN; ++j) {
        if (j >= PAD_W && j < PAD_W + OUT * STRIDE_W)
            f[j][0] = words[j - PAD_W];
        else
            f[j][0] = first + j >= 0 && first + j < width ? toFloat(row[first + j]) : NEGATIVE_INFINITY;
    }
#else
#pragma unroll
    for (int j = 0; j < SPAN; ++j)
        f[j][0] = first + j >= 0 && first + j < width ? toFloat(row[first + j]) : NEGATIVE_INFINITY;
#endif
}

// The DOWN x OUT outputs from (oh, ow) on. `x` points to the image's (channels_last: and channels') first pixel; with
// `firstRow` > 0 only rows from that one on are there.
__device__ __forceinline__ void pool(Best best[DOWN][OUT][LANES], const Element* x, int firstRow, int oh, int ow, int height, int width, i64 pixel)
{
    const int top = oh * STRIDE_H - PAD_H, left = ow * STRIDE_W - PAD_W;
#pragma unroll
    for (int d = 0; d < DOWN; ++d)
#pragma unroll
        for (int o = 0; o < OUT; ++o)
#pragma unroll
            for (int lane = 0; lane < LANES; ++lane) {
                best[d][o][lane].value = NEGATIVE_INFINITY;
#if INDICES
                best[d][o][lane].place = max(0, top + d * STRIDE_H) * width + max(0, left + o * STRIDE_W);
#endif
            }
#pragma unroll
    for (int i = 0; i < ROWS_IN; ++i) {
        const int h = top + i;
        if (h < 0 || h >= height)
            continue;
        float f[SPAN][LANES];
        loadRow(f, x + (i64)(h - firstRow) * width * pixel, left, width, pixel);
#pragma unroll
        for (int o = 0; o < OUT; ++o) {
#pragma unroll
            for (int lane = 0; lane < LANES; ++lane) {
#if INDICES
#pragma unroll
                for (int d = 0; d < DOWN; ++d)
                    if (i >= d * STRIDE_H && i < d * STRIDE_H + WINDOW_H)
#pragma unroll
                        for (int k = 0; k < WINDOW_W; ++k)
                            take(best[d][o][lane], f[o * STRIDE_W + k][lane], h * width + left + o * STRIDE_W + k);
#else
                Best row;
                row.value = f[o * STRIDE_W][lane];
#pragma unroll
                for (int k = 1; k < WINDOW_W; ++k)
                    take(row, f[o * STRIDE_W + k][lane], 0);
#pragma unroll
                for (int d = 0; d < DOWN; ++d)
                    if (i >= d * STRIDE_H && i < d * STRIDE_H + WINDOW_H)
                        take(best[d][o][lane], row.value, 0);
#endif
            }
        }
    }
}

__device__ __forceinline__ void write(const Best best[DOWN][OUT][LANES], Element* y, i64* places, int oh, int ow, int outHeight, int outWidth, i64 pixel)
{
#pragma unroll
    for (int d = 0; d < DOWN; ++d) {
        if (oh + d >= outHeight)
            break;
        const i64 at = (i64)(oh + d) * outWidth + ow;
#if defined(LAYOUT_channels_last)
#pragma unroll
        for (int o = 0; o < OUT; ++o) {
            if (ow + o >= outWidth)
                break;
            float f[LANES];
#pragma unroll
            for (int lane = 0; lane < LANES; ++lane) {
                f[lane] = best[d][o][lane].value;
#if INDICES
                places[(at + o) * pixel + lane] = best[d][o][lane].place;
#endif
            }
            Word w;
            pack(f, w);
            store<WRITE>((Word*)(y + (at + o) * pixel), w);
        }
#elif WIDE
        typedef typename WordOf<OUT * T_BYTES>::type Wide;
        float f[OUT];
#pragma unroll
        for (int o = 0; o < OUT; ++o)
            f[o] = best[d][o][0].value;
        Wide w;
        pack(f, w);
        store<WRITE>((Wide*)(y + at), w);
#else
#pragma unroll
        for (int o = 0; o < OUT; ++o)
            if (ow + o < outWidth)
                store<WRITE>(y + at + o, fromFloat(best[d][o][0].value));
#endif
#if INDICES && !defined(LAYOUT_channels_last)
#pragma unroll
        for (int o = 0; o < OUT; ++o)
            if (ow + o < outWidth)
                places[at + o] = best[d][o][0].place;
#endif
    }
}

#if defined(P_ALGO_tile)

// `lanes`: 1, or words of channels per pixel. A thread's unit: (image or plane, row of outputs, column, word of channels).
extern "C" __global__ void __launch_bounds__(THREADS)
    maxPoolTile(const Element* x, Element* y, i64* places, u32 units, int height, int width, int outHeight, int outWidth, u32 down, u32 across, u32 lanes)
{
    const u32 unit = blockIdx.x * THREADS + threadIdx.x;
    if (unit >= units)
        return;
    const u32 spot = unit / lanes, line = spot / across, image = line / down;
    const int oh = (int)(line - image * down) * DOWN, ow = (int)(spot - line * across) * OUT;
    const i64 pixel = (i64)lanes * LANES, channel = (i64)(unit - spot * lanes) * LANES;
    const i64 to = (i64)image * outHeight * outWidth * pixel + channel;
    Best best[DOWN][OUT][LANES];
    pool(best, x + (i64)image * height * width * pixel + channel, 0, oh, ow, height, width, pixel);
    write(best, y + to, places + to, oh, ow, outHeight, outWidth, pixel);
}

#else // staged, NCHW

// grid: planes * bands; a band is `band` rows of outputs, a multiple of DOWN
extern "C" __global__ void __launch_bounds__(THREADS)
    maxPoolStaged(const Element* x, Element* y, i64* places, int height, int width, int outHeight, int outWidth, int band, u32 bands)
{
    extern __shared__ uint4 dynamicShared[];
    const u32 plane = blockIdx.x / bands;
    const int firstOut = (int)(blockIdx.x - plane * bands) * band, endOut = min(outHeight, firstOut + band);
    const int firstRow = max(0, firstOut * STRIDE_H - PAD_H), endRow = min(height, (endOut - 1) * STRIDE_H - PAD_H + WINDOW_H);
    const Word* from = (const Word*)(x + ((i64)plane * height + firstRow) * width);
    Word* kept = (Word*)dynamicShared;
    const int words = (endRow - firstRow) * width / VEC;
    for (int i = (int)threadIdx.x; i < words; i += THREADS)
        kept[i] = from[i];
    __syncthreads();
    const int across = (outWidth + OUT - 1) / OUT, spots = (endOut - firstOut + DOWN - 1) / DOWN * across;
    const i64 to = (i64)plane * outHeight * outWidth;
    for (int spot = (int)threadIdx.x; spot < spots; spot += THREADS) {
        const int line = spot / across, oh = firstOut + line * DOWN, ow = (spot - line * across) * OUT;
        Best best[DOWN][OUT][LANES];
        // Rows of windows past the band belong to outputs that are not there; they end at endRow.
        pool(best, (const Element*)dynamicShared, firstRow, oh, ow, endRow, width, 1);
        write(best, y + to, places + to, oh, ow, outHeight, outWidth, 1);
    }
}

#endif
