// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    honestRow(x, gain, y, cols, eps);
}
