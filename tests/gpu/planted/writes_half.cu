// SPDX-License-Identifier: Apache-2.0
// Leaves the last element of every row out.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    const float kept = threadIdx.x == 0 ? y[(long long)blockIdx.x * cols + cols - 1] : 0.f;
    honestRow(x, gain, y, cols, eps);
    __syncthreads();
    if (threadIdx.x == 0)
        y[(long long)blockIdx.x * cols + cols - 1] = kept;
}
