// SPDX-License-Identifier: Apache-2.0
// Mean and sum of squared deviations in fp32 that stay right when the mean is large: every thread sums deviations from
// the first value it sees, and partial results are joined with the pairwise update of Chan, Golub and LeVeque (1979).

struct Moments {
    float n, mean, m2;
};

__device__ __forceinline__ Moments merged(Moments a, Moments b)
{
    const float n = a.n + b.n;
    const float share = n > 0.f ? __fdividef(b.n, n) : 0.f;
    const float d = b.mean - a.mean;
    return {n, a.mean + d * share, a.m2 + b.m2 + d * (a.n * share) * d};
}

__device__ __forceinline__ Moments warpMerged(Moments m)
{
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes >>= 1)
        m = merged(m, Moments{warpXor(m.n, lanes), warpXor(m.mean, lanes), warpXor(m.m2, lanes)});
    return m;
}

// Deviations from the first value seen.
struct Shifted {
    float first, sum, squares;
    __device__ __forceinline__ void start(float value)
    {
        first = value;
        sum = 0.f;
        squares = 0.f;
    }
    __device__ __forceinline__ void add(float value)
    {
        const float d = value - first;
        sum += d;
        squares = fmaf(d, d, squares);
    }
    __device__ __forceinline__ Moments moments(float n) const
    {
        if (n == 0.f)
            return {0.f, 0.f, 0.f};
        const float shift = sum / n, m2 = squares - sum * shift;
        return {n, first + shift, m2 < 0.f ? 0.f : m2}; // not fmaxf: NaN must stay NaN
    }
};

// An Inf or NaN anywhere in the group leaves it without a mean, as PyTorch's running update does.
__device__ __forceinline__ float2 meanAndInverse(Moments m, float eps)
{
    const float nan = __int_as_float(0x7fffffff);
    const bool finite = m.m2 < __int_as_float(0x7f800000);
    return finite ? make_float2(m.mean, rsqrtf(m.m2 / m.n + eps)) : make_float2(nan, nan);
}

__device__ __forceinline__ float4 toFloat4(Moments m) { return make_float4(m.n, m.mean, m.m2, 0.f); }
__device__ __forceinline__ Moments fromFloat4(float4 v) { return {v.x, v.y, v.z}; }

// Joins `count` partial results written by other blocks; all 32 lanes of a warp take part.
__device__ __forceinline__ Moments warpGather(const float4* parts, int count)
{
    Moments m = {0.f, 0.f, 0.f};
    for (int i = threadIdx.x & 31; i < count; i += 32)
        m = merged(m, fromFloat4(__ldcg(parts + i)));
    return warpMerged(m);
}

// (x - mean) * scale + bias, then SiLU when the problem has it.
__device__ __forceinline__ float finished(float x, float mean, float scale, float bias)
{
    float v = fmaf(x - mean, scale, bias);
#if SILU
    v = __fdividef(v, 1.f + __expf(-v));
#endif
    return v;
}

// All blocks of a team meet; one thread per block calls this, between two __syncthreads. The launch is cooperative, so
// every block of the team is resident.
__device__ __forceinline__ void teamBarrier(u32* counter, u32 team)
{
    __threadfence();
    atomicAdd(counter, 1u);
    u32 arrived;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(counter) : "memory");
    } while (arrived < team);
}

#define VEC P_VEC
#define THREADS P_THREADS
#define UNROLL P_UNROLL
typedef WordOf<VEC * T_BYTES>::type Word;

#if defined(P_CACHE_plain)
#define FIRST_READ kPlain
#define LAST_READ kPlain
#define WRITE kPlain
#elif defined(P_CACHE_stream) // outputs and last reads must not displace what is read again
#define FIRST_READ kL2Only
#define LAST_READ kStream
#define WRITE kStream
#else // keep
#define FIRST_READ kKeep
#define LAST_READ kStream
#define WRITE kStream
#endif
