// SPDX-License-Identifier: Apache-2.0
// Writes one element past the output.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    honestRow(x, gain, y, cols, eps);
    if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1)
        y[(long long)gridDim.x * cols] = 1.f;
}
