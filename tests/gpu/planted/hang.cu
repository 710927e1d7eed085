// SPDX-License-Identifier: Apache-2.0
// Never ends: waits for a value that nobody writes.
extern "C" __global__ void planted(const float* x, const float* gain, float* y, int cols, float eps)
{
    honestRow(x, gain, y, cols, eps);
    const volatile float* signal = x;
    while (*signal != 1234567.f)
        ;
}
