// SPDX-License-Identifier: Apache-2.0
// What the probed target tells the stand-in CUPTI, beside CUPTI's own entry points.
#pragma once

#include <cstdint>

extern "C" {
// One kernel launched by this thread: an API record, an external correlation record when a range is pushed,
// and the kernel. startNs 0: a kernel without times.
void fake_cupti_launch(const char* name, std::uint64_t startNs, std::uint64_t durationNs);
// Somebody else (as Kineto does) registers the buffer callbacks: nothing reaches the probe any more.
void fake_cupti_disturb();
}
