// SPDX-License-Identifier: Apache-2.0
// An honest RMSNorm row (one block of 256 threads) that the planted candidates start from. Put in front of each of them.
__device__ float rowInverse(const float* x, int cols, float eps)
{
    __shared__ float partial[256];
    float sum = 0.f;
    for (int i = threadIdx.x; i < cols; i += 256)
        sum += x[i] * x[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step >>= 1) {
        if (threadIdx.x < step)
            partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    return rsqrtf(partial[0] / cols + eps);
}

__device__ void honestRow(const float* x, const float* gain, float* y, int cols, float eps)
{
    const long long row = blockIdx.x;
    const float inverse = rowInverse(x + row * cols, cols, eps);
    for (int i = threadIdx.x; i < cols; i += 256)
        y[row * cols + i] = x[row * cols + i] * inverse * gain[i];
}
