// SPDX-License-Identifier: Apache-2.0
// y = (x - mean[c]) / sqrt(variance[c] + eps) * weight[c] + bias[c], then + residual (ADD), then ReLU (RELU).
//   plane   contiguous: a group of P_GROUP threads has part of one plane, whose factors stay in registers
//   column  channels_last: a thread stays with VEC channels and goes down the pixels, factors in registers
//   flat    words in memory order; every word looks its factors up
//   table   the same, P_RESIDENT blocks per SM that first put the factors of all channels into shared memory
// Layouts differ only in which channel an element has: contiguous: element / area % channels; else element % channels.

#define VEC P_VEC
#define THREADS P_THREADS
#define UNROLL P_UNROLL
typedef WordOf<VEC * T_BYTES>::type Word;
#if PARAM_F32
typedef float Param;
__device__ __forceinline__ float paramValue(float v) { return v; }
#else
typedef Element Param;
__device__ __forceinline__ float paramValue(Element v) { return toFloat(v); }
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

struct Params {
    const Param *mean, *variance, *weight, *bias;
    float eps;
};

// y = x * scale + shift
__device__ __forceinline__ float2 factors(const Params& p, int channel)
{
    float scale = 1.f / sqrtf(paramValue(p.variance[channel]) + p.eps), shift = -paramValue(p.mean[channel]);
#if AFFINE
    scale *= paramValue(p.weight[channel]);
    shift = fmaf(shift, scale, paramValue(p.bias[channel]));
#else
    shift *= scale;
#endif
    return make_float2(scale, shift);
}

__device__ __forceinline__ float finished(float x, float2 f, float added)
{
    float v = fmaf(x, f.x, f.y);
#if ADD
    v += added;
#endif
#if RELU
    v = v < 0.f ? 0.f : v; // a NaN stays
#endif
    return v;
}

struct Operands {
    Word x;
#if ADD
    Word added;
#endif
};
__device__ __forceinline__ Operands fetch(const Element* x, const Element* residual, i64 at)
{
    Operands o;
    o.x = load<READ>((const Word*)x + at);
#if ADD
    o.added = load<READ>((const Word*)residual + at);
#endif
    return o;
}

// One word with the factors of each of its elements.
__device__ __forceinline__ void finishWord(Element* y, i64 at, Operands o, const float2* f)
{
    float v[VEC], added[VEC];
    unpack(o.x, v);
#if ADD
    unpack(o.added, added);
#endif
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        v[j] = finished(v[j], f[j], ADD ? added[j] : 0.f);
    Word w;
    pack(v, w);
    put<WRITE>((Word*)y + at, w);
}

#if defined(P_ALGO_plane)

#define PLANES_PER_BLOCK (THREADS / P_GROUP)

// grid: planes / PLANES_PER_BLOCK x parts of a plane of P_GROUP * UNROLL words
extern "C" __global__ void __launch_bounds__(THREADS)
    batchNormPlane(const Element* x, const Element* residual, Element* y, const Param* mean, const Param* variance,
                   const Param* weight, const Param* bias, i64 planes, int channels, int words, u32 parts, float eps)
{
    const Params p = {mean, variance, weight, bias, eps};
    const u32 block = blockIdx.x / parts, part = blockIdx.x - block * parts;
    const i64 plane = (i64)block * PLANES_PER_BLOCK + (int)threadIdx.x / P_GROUP;
    if (plane >= planes)
        return;
    const int first = (int)(part * (P_GROUP * UNROLL)) + (int)threadIdx.x % P_GROUP;
    Operands o[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        if (first + u * P_GROUP < words)
            o[u] = fetch(x, residual, plane * words + first + u * P_GROUP);
    const float2 own = factors(p, (int)(plane % channels));
    float2 f[VEC];
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] = own;
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        if (first + u * P_GROUP < words)
            finishWord(y, plane * words + first + u * P_GROUP, o[u], f);
}

#elif defined(P_ALGO_column)

// A block has `columns` words side by side and THREADS / columns pixels at a time.
// grid: blocks that stay x slices of the channels
extern "C" __global__ void __launch_bounds__(THREADS)
    batchNormColumn(const Element* x, const Element* residual, Element* y, const Param* mean, const Param* variance,
                    const Param* weight, const Param* bias, i64 pixels, int channels, int columns, float eps)
{
    const Params p = {mean, variance, weight, bias, eps};
    const int words = channels / VEC, pixelsPerStep = THREADS / columns;
    const int word = (int)blockIdx.y * columns + (int)threadIdx.x % columns, lane = (int)threadIdx.x / columns;
    if (word >= words || lane >= pixelsPerStep)
        return;
    float2 f[VEC];
#pragma unroll
    for (int j = 0; j < VEC; ++j)
        f[j] = factors(p, word * VEC + j);
    const i64 step = (i64)gridDim.x * pixelsPerStep;
    for (i64 pixel = (i64)blockIdx.x * pixelsPerStep + lane; pixel < pixels; pixel += UNROLL * step) {
        Operands o[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (pixel + u * step < pixels)
                o[u] = fetch(x, residual, (pixel + u * step) * words + word);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (pixel + u * step < pixels)
                finishWord(y, (pixel + u * step) * words + word, o[u], f);
    }
}

#else // flat, table

__device__ __forceinline__ void channelsOf(u32 element, int channels, u32 area, int* c)
{
#if defined(LAYOUT_contiguous)
    const u32 plane = element / area;
    u32 left = area - (element - plane * area); // elements left in the plane
    int channel = (int)(plane % (u32)channels);
#pragma unroll
    for (int j = 0; j < VEC; ++j) {
        c[j] = channel;
        if (--left == 0) {
            left = area;
            channel = channel + 1 == channels ? 0 : channel + 1;
        }
    }
#else
    u32 channel = element % (u32)channels;
#pragma unroll
    for (int j = 0; j < VEC; ++j) {
        c[j] = (int)channel;
        channel = channel + 1 == (u32)channels ? 0 : channel + 1;
    }
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS)
    batchNormFlat(const Element* x, const Element* residual, Element* y, const Param* mean, const Param* variance,
                  const Param* weight, const Param* bias, i64 words, int channels, u32 area, float eps)
{
    const Params p = {mean, variance, weight, bias, eps};
#if defined(P_ALGO_table)
    extern __shared__ uint4 dynamicShared[];
    float2* table = (float2*)dynamicShared;
    for (int c = (int)threadIdx.x; c < channels; c += THREADS)
        table[c] = factors(p, c);
    __syncthreads();
#endif
    // 64-bit: the step behind the last word must not wrap
    for (i64 first = (i64)blockIdx.x * (THREADS * UNROLL) + threadIdx.x; first < words; first += (i64)gridDim.x * (THREADS * UNROLL)) {
        Operands o[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (first + u * THREADS < words)
                o[u] = fetch(x, residual, first + u * THREADS);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            if (first + u * THREADS < words) {
                int c[VEC];
                channelsOf((u32)(first + u * THREADS) * VEC, channels, area, c);
                float2 f[VEC];
#pragma unroll
                for (int j = 0; j < VEC; ++j) {
#if defined(P_ALGO_table)
                    f[j] = table[c[j]];
#else
                    f[j] = j > 0 && c[j] == c[j - 1] ? f[j - 1] : factors(p, c[j]);
#endif
                }
                finishWord(y, first + u * THREADS, o[u], f);
            }
        }
    }
}

#endif
