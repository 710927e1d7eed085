// SPDX-License-Identifier: Apache-2.0
// The result depends on the order in which blocks happen to run.
__device__ unsigned tickets;
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = atomicAdd(&tickets, 1u);
    honestRow(x, gain, y, cols, eps);
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += 256)
        y[(long long)blockIdx.x * cols + i] *= 1.f + 0.01f * (float)(ticket % 7u);
}
