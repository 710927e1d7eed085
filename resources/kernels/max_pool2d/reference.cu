// SPDX-License-Identifier: Apache-2.0
// Plain reference, one thread per output in logical (NCHW) order; `channelStride` and `pixelStride` say how x lies.

extern "C" __global__ void maxPoolReference(const Element* x, double* y, double* places, i64 outputs, i64 channels, i64 height, i64 width,
                                            i64 outHeight, i64 outWidth, i64 imageStride, i64 channelStride, i64 pixelStride,
                                            int windowH, int windowW, int strideH, int strideW, int padH, int padW)
{
    const i64 at = (i64)blockIdx.x * 256 + threadIdx.x;
    if (at >= outputs)
        return;
    const i64 ow = at % outWidth, oh = at / outWidth % outHeight, plane = at / (outWidth * outHeight);
    const Element* image = x + plane / channels * imageStride + plane % channels * channelStride;
    double best = 0;
    i64 place = -1;
    for (i64 h = oh * strideH - padH; h < oh * strideH - padH + windowH; ++h)
        for (i64 w = ow * strideW - padW; w < ow * strideW - padW + windowW; ++w) {
            if (h < 0 || h >= height || w < 0 || w >= width)
                continue;
            const double v = (double)toFloat(image[(h * width + w) * pixelStride]);
            if (place < 0 || v > best || v != v) {
                best = v;
                place = h * width + w;
            }
        }
    y[at] = best;
    if (places)
        places[at] = (double)place;
}
