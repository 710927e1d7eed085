// SPDX-License-Identifier: Apache-2.0
// Assumes that the output is aligned to 64 bytes.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    honestRow(x, gain, (float*)((unsigned long long)y & ~63ull), cols, eps);
}
