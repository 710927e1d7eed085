// SPDX-License-Identifier: Apache-2.0
// Right, but prints some 10 MB while at it.
extern "C" int printf(const char*, ...);
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    honestRow(x, gain, y, cols, eps);
    if (threadIdx.x < 32)
        printf("block %d thread %d says that it is here and computes as it should, honestly\n", blockIdx.x, threadIdx.x);
}
