// SPDX-License-Identifier: Apache-2.0
// Leaves the output as it found it.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
}
