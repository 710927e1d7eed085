// SPDX-License-Identifier: Apache-2.0
// Reads from an address nobody owns.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    honestRow(x, gain, y, cols, eps);
    if (threadIdx.x == 0)
        y[(long long)blockIdx.x * cols] = *(const float*)0x10;
}
