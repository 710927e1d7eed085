// SPDX-License-Identifier: Apache-2.0
// Plain fp64 reference: one thread per element of y in logical order [images, heads, positions, width]; x in its layout.

// grid: elements / 256, rounded up
extern "C" __global__ void ropeReference(const Element* x, const Element* cosine, const Element* sine, double* y, i64 elements,
                                         i64 heads, i64 positions, i64 width, i64 headStride, i64 positionStride,
                                         int interleaved)
{
    const i64 at = (i64)blockIdx.x * 256 + threadIdx.x;
    if (at >= elements)
        return;
    const i64 i = at % width, position = at / width % positions, head = at / width / positions % heads;
    const i64 image = at / width / positions / heads, half = width / 2;
    const Element* row = x + image * heads * positions * width + head * headStride + position * positionStride;
    const bool first = interleaved ? i % 2 == 0 : i < half;
    const i64 distance = interleaved ? 1 : half;
    const double partner = (double)toFloat(row[first ? i + distance : i - distance]);
    const double turned = partner * (double)toFloat(sine[position * width + i]);
    y[at] = (double)toFloat(row[i]) * (double)toFloat(cosine[position * width + i]) + (first ? -turned : turned);
}
