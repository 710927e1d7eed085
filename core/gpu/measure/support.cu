// SPDX-License-Identifier: Apache-2.0
// Our own kernels on the device: drawing inputs, fp64 comparison, red zones, checksums, the cache flush. Compiled by
// NVRTC when the library starts (no toolkit header is used). Plain on purpose: they judge others.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// The order of foresight::DType.
enum { kUnknown, kF64, kF32, kF16, kBF16, kF8E4M3, kI64, kI32, kI16, kI8, kU8, kBool };

struct Layout {
    int rank, contiguous, small, pad;
    i64 shape[8], strides[8];
};

struct CompareResult {
    u64 bad, unwritten, firstBad, firstUnwritten;
    u64 maxAbs, maxRel; // bits of non-negative doubles: they order like integers
    u64 worst;          // error / tolerance as 24 bits, then 40 bits of index
    u64 histogram[18];
};

__device__ __forceinline__ u64 mix(u64 x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11).
__device__ __forceinline__ void philox(u64 counter, u64 key, u32 out[4])
{
    u32 c0 = (u32)counter, c1 = (u32)(counter >> 32), c2 = 0, c3 = 0;
    u32 k0 = (u32)key, k1 = (u32)(key >> 32);
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const u32 hi0 = __umulhi(0xD2511F53u, c0), lo0 = 0xD2511F53u * c0;
        const u32 hi1 = __umulhi(0xCD9E8D57u, c2), lo1 = 0xCD9E8D57u * c2;
        c0 = hi1 ^ c1 ^ k0;
        c1 = lo1;
        c2 = hi0 ^ c3 ^ k1;
        c3 = lo0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

// Round to nearest even of a double to `mantissa` bits below a float's, by way of round-to-odd (no double rounding).
__device__ __forceinline__ u32 floatBitsOdd(double value)
{
    const float f = __double2float_rz(value);
    u32 bits = __float_as_uint(f);
    if ((double)f != value && value == value)
        bits |= 1u;
    return bits;
}

__device__ __forceinline__ u16 toBf16(double value)
{
    if (value != value)
        return 0x7fff;
    const u32 bits = floatBitsOdd(value);
    if ((bits & 0x7f800000u) == 0x7f800000u)
        return (u16)(bits >> 16);
    return (u16)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

__device__ __forceinline__ u16 toF16(double value)
{
    u16 bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    return bits;
}

// e4m3 without infinities; values beyond 448 (after rounding) become NaN.
__device__ u8 toF8(double value)
{
    const u8 sign = (__double2hiint(value) < 0) ? 0x80 : 0;
    const double magnitude = fabs(value);
    if (!(magnitude < 464.0))
        return sign | 0x7f;
    if (magnitude < 0.015625) // below 2^-6: multiples of 2^-9
        return sign | (u8)(int)rint(magnitude * 512.0);
    int exponent = ((__double2hiint(magnitude) >> 20) & 0x7ff) - 1023;
    int steps = (int)rint(ldexp(magnitude, 3 - exponent)); // 8..16
    if (steps == 16) {
        steps = 8;
        ++exponent;
    }
    const int code = ((exponent + 7) << 3) | (steps - 8);
    return sign | (u8)(code > 0x7e ? 0x7f : code);
}

__device__ double fromF8(u8 bits)
{
    const int exponent = (bits >> 3) & 15, fraction = bits & 7;
    double value;
    if ((bits & 0x7f) == 0x7f)
        value = __longlong_as_double(0x7ff8000000000000ll);
    else
        value = exponent == 0 ? ldexp((double)fraction, -9) : ldexp((double)(fraction + 8), exponent - 10);
    return (bits & 0x80) ? -value : value;
}

__device__ __forceinline__ double load(const void* data, u64 i, int dtype)
{
    switch (dtype) {
    case kF64: return ((const double*)data)[i];
    case kF32: return (double)((const float*)data)[i];
    case kF16: {
        float value;
        const u16 bits = ((const u16*)data)[i];
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return (double)value;
    }
    case kBF16: return (double)__uint_as_float((u32)((const u16*)data)[i] << 16);
    case kF8E4M3: return fromF8(((const u8*)data)[i]);
    case kI64: return (double)((const i64*)data)[i];
    case kI32: return (double)((const int*)data)[i];
    case kI16: return (double)((const short*)data)[i];
    case kI8: return (double)((const signed char*)data)[i];
    default: return (double)((const u8*)data)[i];
    }
}

__device__ __forceinline__ u64 loadBits(const void* data, u64 i, int dtype)
{
    switch (dtype) {
    case kF64:
    case kI64: return ((const u64*)data)[i];
    case kF32:
    case kI32: return ((const u32*)data)[i];
    case kF16:
    case kBF16:
    case kI16: return ((const u16*)data)[i];
    default: return ((const u8*)data)[i];
    }
}

__device__ __forceinline__ void store(void* data, u64 i, int dtype, double value)
{
    switch (dtype) {
    case kF64: ((double*)data)[i] = value; break;
    case kF32: ((float*)data)[i] = (float)value; break;
    case kF16: ((u16*)data)[i] = toF16(value); break;
    case kBF16: ((u16*)data)[i] = toBf16(value); break;
    case kF8E4M3: ((u8*)data)[i] = toF8(value); break;
    case kI64: ((i64*)data)[i] = (i64)rint(value); break;
    case kI32: ((int*)data)[i] = (int)rint(value); break;
    case kI16: ((short*)data)[i] = (short)rint(value); break;
    case kI8: ((signed char*)data)[i] = (signed char)rint(value); break;
    case kU8: ((u8*)data)[i] = (u8)rint(value); break;
    default: ((u8*)data)[i] = value != 0.0; break;
    }
}

__device__ __forceinline__ bool isFloat(int dtype) { return dtype >= kF64 && dtype <= kF8E4M3; }

// Bits of a double rounded to `dtype`.
__device__ __forceinline__ u64 roundedBits(double value, int dtype)
{
    switch (dtype) {
    case kF64: return (u64)__double_as_longlong(value);
    case kF32: return __float_as_uint((float)value);
    case kF16: return toF16(value);
    case kBF16: return toBf16(value);
    case kF8E4M3: return toF8(value);
    default: return (u64)(i64)rint(value);
    }
}

// Sign and magnitude as a number that grows with the value, so that differences count units in the last place.
__device__ __forceinline__ i64 ordered(u64 bits, int dtype)
{
    const int width = dtype == kF64 ? 64 : dtype == kF32 ? 32 : dtype == kF8E4M3 ? 8 : 16;
    const u64 magnitude = bits & ((1ull << (width - 1)) - 1);
    return ((bits >> (width - 1)) & 1) ? -(i64)magnitude : (i64)magnitude;
}

enum { kNormal, kUniform, kConstant, kIndexRange };

// kind: TensorFill::Kind. Normal: a = mean, b = std; Uniform and IndexRange: [a, b); Constant: a.
// alternating: normal draws become |z| + 1/2 with the sign of the element's parity.
extern "C" __global__ void fs_fill(void* data, u64 n, int dtype, int kind, double a, double b, u64 seed,
                                   int alternating)
{
    const u64 groups = (n + 3) / 4;
    for (u64 g = blockIdx.x * (u64)blockDim.x + threadIdx.x; g < groups; g += (u64)gridDim.x * blockDim.x) {
        u32 r[4];
        float z[4];
        if (kind != kConstant)
            philox(g, seed, r);
        if (kind == kNormal) {
#pragma unroll
            for (int pair = 0; pair < 2; ++pair) {
                const float u = ((float)(r[2 * pair] >> 8) + 0.5f) * (1.0f / 16777216.0f);
                const float radius = sqrtf(-2.0f * logf(u));
                float s, c;
                sincospif((float)(r[2 * pair + 1] >> 8) * (2.0f / 16777216.0f), &s, &c);
                z[2 * pair] = radius * c;
                z[2 * pair + 1] = radius * s;
            }
        }
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const u64 i = 4 * g + k;
            if (i >= n)
                break;
            double value = a;
            if (kind == kNormal) {
                const float draw = alternating ? ((i & 1) ? -1.0f : 1.0f) * (fabsf(z[k]) + 0.5f) : z[k];
                value = a + b * (double)draw;
            } else if (kind == kUniform) {
                value = a + (b - a) * ((double)r[k] * (1.0 / 4294967296.0));
            } else if (kind == kIndexRange) {
                value = floor(a + (b - a) * ((double)r[k] * (1.0 / 4294967296.0)));
            }
            store(data, i, dtype, value);
        }
    }
}

extern "C" __global__ void fs_poke(void* data, u64 index, int dtype, double value)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        store(data, index, dtype, value);
}

struct Zone {
    u8* begin;
    u64 bytes;
};

__device__ __forceinline__ u8 zoneByte(u64 i, u64 zone) { return (u8)(mix(i + zone * 0x9e3779b97f4a7c15ull) >> 32); }

// One block row per zone. check = 0 writes the pattern; 1 counts foreign bytes: result[2 * zone] bytes and
// result[2 * zone + 1] the lowest offset.
extern "C" __global__ void fs_zones(const Zone* zones, u64* result, int check)
{
    const Zone zone = zones[blockIdx.y];
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < zone.bytes; i += (u64)gridDim.x * blockDim.x) {
        const u8 expected = zoneByte(i, blockIdx.y);
        if (!check) {
            zone.begin[i] = expected;
        } else if (zone.begin[i] != expected) {
            atomicAdd(&result[2 * blockIdx.y], 1ull);
            atomicMin(&result[2 * blockIdx.y + 1], i);
        }
    }
}

// A sum over words that depends on every word and its place. `width` 1, 2, 4 or 8 divides address and size.
extern "C" __global__ void fs_checksum(const void* data, u64 words, int width, u64* result)
{
    u64 sum = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < words; i += (u64)gridDim.x * blockDim.x) {
        const u64 word = width == 8   ? ((const u64*)data)[i]
                         : width == 4 ? ((const u32*)data)[i]
                         : width == 2 ? ((const u16*)data)[i]
                                      : ((const u8*)data)[i];
        sum += mix(word ^ mix(i + 0x9e3779b97f4a7c15ull));
    }
    for (int step = 16; step > 0; step >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(result, sum);
}

// result[0] += sum of squares of the finite values, result[1] += their number.
extern "C" __global__ void fs_stats(const double* data, u64 n, double* result)
{
    double sum = 0, count = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x) {
        const double value = data[i];
        if (isfinite(value)) {
            sum += value * value;
            count += 1;
        }
    }
    for (int step = 16; step > 0; step >>= 1) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
        count += __shfl_xor_sync(0xffffffffu, count, step);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(&result[0], sum);
        atomicAdd(&result[1], count);
    }
}

__device__ __forceinline__ u64 offsetOf(const Layout& layout, u64 index)
{
    if (layout.contiguous)
        return index;
    u64 offset = 0;
    if (layout.small) {
        u32 rest = (u32)index;
        for (int d = layout.rank - 1; d >= 0; --d) {
            const u32 extent = (u32)layout.shape[d];
            const u32 next = rest / extent;
            offset += (u64)(rest - next * extent) * (u64)layout.strides[d];
            rest = next;
        }
        return offset;
    }
    for (int d = layout.rank - 1; d >= 0; --d) {
        const u64 next = index / (u64)layout.shape[d];
        offset += (index - next * (u64)layout.shape[d]) * (u64)layout.strides[d];
        index = next;
    }
    return offset;
}

struct Tolerance {
    double relative;  // of |expected|
    double amplitude; // of the root mean square of the expected values
    double floor;     // absolute
};

__device__ __forceinline__ double rmsOf(const double* stats) { return stats[1] > 0 ? sqrt(stats[0] / stats[1]) : 0.0; }

__device__ __forceinline__ u64 warpMax(u64 value)
{
    for (int step = 16; step > 0; step >>= 1) {
        const u64 other = __shfl_xor_sync(0xffffffffu, value, step);
        value = other > value ? other : value;
    }
    return value;
}

// Element by element against the fp64 reference, which is contiguous in logical order. `pattern` is what outputs were
// filled with; an element that still holds it was not written.
extern "C" __global__ void fs_compare(const void* out, int dtype, const double* expected, u64 n, Layout layout,
                                      Tolerance tolerance, const double* stats, u64 pattern, CompareResult* result)
{
    __shared__ u32 histogram[18];
    for (int i = threadIdx.x; i < 18; i += blockDim.x)
        histogram[i] = 0;
    __syncthreads();
    const double infinity = __longlong_as_double(0x7ff0000000000000ll);
    const double absolute = tolerance.floor + tolerance.amplitude * rmsOf(stats);
    u64 maxAbs = 0, maxRel = 0, worst = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x) {
        const u64 at = offsetOf(layout, i);
        const double e = expected[i];
        const u64 bits = loadBits(out, at, dtype);
        const double o = load(out, at, dtype);
        const u64 rounded = roundedBits(e, dtype);
        const u64 mask = dtype == kF64 || dtype == kI64   ? ~0ull
                         : dtype == kF32 || dtype == kI32 ? 0xffffffffull
                         : dtype == kF8E4M3 || dtype >= kI8 ? 0xffull
                                                            : 0xffffull;
        if (bits == (pattern & mask) && (isFloat(dtype) || (rounded & mask) != bits)) {
            atomicAdd(&result->unwritten, 1ull);
            atomicMin(&result->firstUnwritten, i);
            continue;
        }
        const double limit = isfinite(e) ? absolute + tolerance.relative * fabs(e) : 0.0;
        double error;
        if (isnan(e) || isnan(o))
            error = isnan(e) && isnan(o) ? 0.0 : infinity;
        else if (isinf(e) || isinf(o))
            error = o == e ? 0.0 : infinity;
        else
            error = fabs(o - e);
        if (error == infinity && isfinite(e) && bits == (rounded & mask)) // rounding e overflows the dtype
            error = 0.0;
        int bin = 17;
        if (!(error <= limit)) {
            atomicAdd(&result->bad, 1ull);
            atomicMin(&result->firstBad, i);
        }
        if (error < infinity) {
            u64 distance = 0;
            if (!isnan(e) && !isinf(e) && !isinf(o)) {
                const i64 difference = isFloat(dtype) ? ordered(bits, dtype) - ordered(rounded, dtype) : (i64)(o - e);
                distance = (u64)(difference < 0 ? -difference : difference);
            }
            bin = distance <= 1 ? (int)distance : min(17, 65 - __clzll((i64)(distance - 1)));
        }
        atomicAdd(&histogram[bin], 1u);
        maxAbs = max(maxAbs, (u64)__double_as_longlong(error));
        if (fabs(e) > absolute) // below that a relative error says nothing
            maxRel = max(maxRel, (u64)__double_as_longlong(error / fabs(e)));
        const float ratio = (float)(error / (limit > 0 ? limit : 1e-300));
        const u64 packed = ((u64)(__float_as_uint(ratio) >> 8) << 40) | (i & ((1ull << 40) - 1));
        worst = max(worst, packed);
    }
    maxAbs = warpMax(maxAbs);
    maxRel = warpMax(maxRel);
    worst = warpMax(worst);
    if ((threadIdx.x & 31) == 0) {
        atomicMax(&result->maxAbs, maxAbs);
        atomicMax(&result->maxRel, maxRel);
        atomicMax(&result->worst, worst);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 18; i += blockDim.x)
        if (histogram[i])
            atomicAdd(&result->histogram[i], (u64)histogram[i]);
}

// Two runs on the same data, over storage: bad = elements that differ by more than the tolerance, unwritten = elements
// that differ at all.
extern "C" __global__ void fs_compare_runs(const void* first, const void* second, int dtype, u64 n,
                                           Tolerance tolerance, const double* stats, CompareResult* result)
{
    const double absolute = tolerance.floor + tolerance.amplitude * rmsOf(stats);
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x) {
        if (loadBits(first, i, dtype) == loadBits(second, i, dtype))
            continue;
        const double a = load(first, i, dtype), b = load(second, i, dtype);
        atomicAdd(&result->unwritten, 1ull);
        if (isnan(a) && isnan(b))
            continue;
        const double limit = isfinite(a) ? absolute + tolerance.relative * fabs(a) : 0.0;
        if (!(fabs(a - b) <= limit)) { // an infinity differs from everything else here: equal bits were passed over
            atomicAdd(&result->bad, 1ull);
            atomicMin(&result->firstBad, i);
        }
    }
}

// Reads `n` 16-byte words so that what was in the L2 cache before is not any more. The sum is kept alive by a store that
// does not happen.
extern "C" __global__ void fs_flush(const uint4* data, u64 n, u32* sink)
{
    u32 sum = 0;
    const u64 stride = (u64)gridDim.x * blockDim.x;
    u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    for (; i + 3 * stride < n; i += 4 * stride) {
        const uint4 a = data[i], b = data[i + stride], c = data[i + 2 * stride], d = data[i + 3 * stride];
        sum ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w ^ c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
    }
    for (; i < n; i += stride) {
        const uint4 a = data[i];
        sum ^= a.x ^ a.y ^ a.z ^ a.w;
    }
    if (sum == 0x5eedf00du)
        *sink = sum;
}

extern "C" __global__ void fs_empty() {}

// Busy for about `ns` nanoseconds (doctor: planted side-stream work).
extern "C" __global__ void fs_spin(u64 ns)
{
    u64 start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < ns);
}
