// SPDX-License-Identifier: Apache-2.0
// One term of the sum is lost: a small, plausible error.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    const long long row = blockIdx.x;
    const float inverse = rowInverse(x + row * cols + 1, cols - 1, eps);
    for (int i = threadIdx.x; i < cols; i += 256)
        y[row * cols + i] = x[row * cols + i] * inverse * gain[i];
}
