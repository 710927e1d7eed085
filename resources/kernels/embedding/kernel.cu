// SPDX-License-Identifier: Apache-2.0
// y[i] = weight[index[i]], rows of `words` words.
//   row   a group of P_GROUP threads copies a row, P_UNROLL words each at a time
//   flat  a thread has P_UNROLL words of the output, wherever they lie
//   bulk  a thread has a row pass through shared memory by bulk copies of the hardware, P_SLOTS rows per block
// An index that is no row gives zeros: nothing is read outside of the weight.

#define VEC P_VEC
#define THREADS P_THREADS
#define UNROLL P_UNROLL
typedef WordOf<VEC * T_BYTES>::type Word;

#if defined(P_CACHE_stream) // written once and not read again here
#define READ kPlain
#define WRITE kStream
#elif defined(P_CACHE_keep) // a row may be asked for again
#define READ kKeep
#define WRITE kStream
#else
#define READ kPlain
#define WRITE kPlain
#endif

__device__ __forceinline__ Word wordAt(const Word* weight, i64 row, i64 vocabulary, int words, int i)
{
    Word w = {};
    if (row >= 0 && row < vocabulary)
        w = load<READ>(weight + row * words + i);
    return w;
}

#if defined(P_ALGO_row)

extern "C" __global__ void __launch_bounds__(THREADS)
    embeddingRows(const i64* index, const Element* weight, Element* y, i64 rows, i64 vocabulary, int words)
{
    const i64 at = (i64)blockIdx.x * (THREADS / P_GROUP) + (int)threadIdx.x / P_GROUP;
    if (at >= rows)
        return;
    const i64 row = index[at];
    Word* ys = (Word*)y + at * words;
    for (int base = (int)threadIdx.x % P_GROUP; base < words; base += UNROLL * P_GROUP) {
        Word w[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * P_GROUP < words)
                w[u] = wordAt((const Word*)weight, row, vocabulary, words, base + u * P_GROUP);
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
            if (base + u * P_GROUP < words)
                store<WRITE>(ys + base + u * P_GROUP, w[u]);
    }
}

#elif defined(P_ALGO_flat)

extern "C" __global__ void __launch_bounds__(THREADS)
    embeddingFlat(const i64* index, const Element* weight, Element* y, i64 all, i64 vocabulary, int words)
{
    const i64 first = (i64)blockIdx.x * (THREADS * UNROLL) + threadIdx.x;
    Word w[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        const i64 at = first + u * THREADS;
        if (at < all) {
            const i64 row = (at >> 31) == 0 ? (i64)((u32)at / (u32)words) : at / words;
            w[u] = wordAt((const Word*)weight, index[row], vocabulary, words, (int)(at - row * words));
        }
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
        if (first + u * THREADS < all)
            store<WRITE>((Word*)y + first + u * THREADS, w[u]);
}

#else // bulk: THREADS is 32, a lane has a slot

extern "C" __global__ void __launch_bounds__(THREADS)
    embeddingBulk(const i64* index, const Element* weight, Element* y, i64 rows, i64 vocabulary, int rowBytes)
{
    extern __shared__ __align__(128) unsigned char slots[];
    __shared__ unsigned long long arrived[P_SLOTS];
    const int slot = (int)threadIdx.x;
    const i64 at = (i64)blockIdx.x * P_SLOTS + slot;
    if (slot >= P_SLOTS || at >= rows)
        return;
    const i64 row = index[at];
    char* target = (char*)y + at * rowBytes;
    if (row < 0 || row >= vocabulary) {
        for (int i = 0; i < rowBytes / 16; ++i)
            ((uint4*)target)[i] = make_uint4(0, 0, 0, 0);
        return;
    }
    const u32 barrier = (u32)__cvta_generic_to_shared(&arrived[slot]);
    const u32 held = (u32)__cvta_generic_to_shared(slots + slot * rowBytes);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(rowBytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 : : "r"(held), "l"((const char*)weight + row * rowBytes), "r"(rowBytes), "r"(barrier) : "memory");
    u32 done;
    do {
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done) : "r"(barrier) : "memory");
    } while (!done);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 : : "l"(target), "r"(held), "r"(rowBytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;" : : : "memory");
    asm volatile("cp.async.bulk.wait_group 0;" : : : "memory");
}

#endif
