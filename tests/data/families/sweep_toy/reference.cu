// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void copyReference(const float* x, double* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
