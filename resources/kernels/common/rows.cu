// SPDX-License-Identifier: Apache-2.0
// Row-wise families: a row of `words` words is worked on by a *group* of P_GROUP neighbouring threads; a block of
// P_THREADS threads has P_THREADS / P_GROUP rows at a time.

#define VEC P_VEC
#define THREADS P_THREADS
#if P_GROUP > 0
#define GROUP P_GROUP
#else // the whole block
#define GROUP P_THREADS
#endif
#define UNROLL P_UNROLL
#define ROWS_PER_BLOCK (THREADS / GROUP)
typedef WordOf<VEC * T_BYTES>::type Word;

#if defined(P_CACHE_plain)
#define READ_ONCE kPlain
#define READ_FIRST kPlain
#define WRITE kPlain
#elif defined(P_CACHE_stream) // nothing is worth keeping but what is read a second time
#define READ_ONCE kStream
#define READ_FIRST kL2Only
#define WRITE kStream
#else // keep
#define READ_ONCE kStream
#define READ_FIRST kKeep
#define WRITE kStream
#endif

struct Add {
    __device__ __forceinline__ float operator()(float a, float b) const { return a + b; }
};
struct Larger { // ignores NaN: the sum of the exponentials carries it
    __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// Joins a value over the group; every thread of the block must call it. `scratch` holds 32 floats.
template <typename Op> __device__ __forceinline__ float groupJoin(float v, Op op, float* scratch)
{
    const int span = GROUP < 32 ? GROUP : 32;
#pragma unroll
    for (int lanes = span / 2; lanes > 0; lanes /= 2)
        v = op(v, warpXor(v, lanes));
    if (GROUP > 32) {
        __syncthreads(); // the scratch may still be read from the last time
        if ((threadIdx.x & 31) == 0)
            scratch[threadIdx.x >> 5] = v;
        __syncthreads();
        const float* own = scratch + threadIdx.x / GROUP * (GROUP / 32);
        v = own[0];
#pragma unroll
        for (int i = 1; i < GROUP / 32; ++i)
            v = op(v, own[i]);
    }
    return v;
}
