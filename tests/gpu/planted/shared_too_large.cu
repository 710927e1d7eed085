// SPDX-License-Identifier: Apache-2.0
// Asks for more shared memory than the GPU has.
extern __shared__ float scratch[];
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    scratch[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    honestRow(x, gain, y, cols, eps);
    if (scratch[threadIdx.x] == 12345.f)
        y[0] = 0.f;
}
