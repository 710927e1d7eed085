// SPDX-License-Identifier: Apache-2.0
// Scales its input in place after use.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    honestRow(x, gain, y, cols, eps);
    __syncthreads();
    if (threadIdx.x == 0)
        const_cast<float*>(x)[(long long)blockIdx.x * cols] += 1.f;
}
