// SPDX-License-Identifier: Apache-2.0
// A small program that gets probed without a GPU: it does what a CUDA program and PyTorch would make the
// driver and NVTX do, with the stand-in CUPTI underneath (FORESIGHT_CUPTI_LIBRARY).
//   probe_target SCENARIO [COUNT]
#include "tests/targets/fake_cupti.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

template <typename Function> Function find(void* library, const char* name)
{
    auto* address = library ? dlsym(library, name) : nullptr;
    if (!address) {
        std::fprintf(stderr, "probe_target: %s is missing\n", name);
        std::exit(3);
    }
    return reinterpret_cast<Function>(address);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string scenario = argc > 1 ? argv[1] : "";
    const int count = argc > 2 ? std::atoi(argv[2]) : 3;
    const char* path = std::getenv("CUDA_INJECTION64_PATH");
    void* probe = path ? dlopen(path, RTLD_NOW) : nullptr;
    find<int (*)()>(probe, "InitializeInjection")();
    if (scenario == "refused" || scenario == "no-cupti")
        return 0;
    void* cupti = dlopen(std::getenv("FORESIGHT_CUPTI_LIBRARY"), RTLD_NOW);
    const auto launch = find<decltype(&fake_cupti_launch)>(cupti, "fake_cupti_launch");
    const auto push = find<void (*)(const char*)>(probe, "foresight_probe_range_push");
    const auto pop = find<void (*)()>(probe, "foresight_probe_range_pop");
    const auto mark = find<void (*)(const char*)>(probe, "foresight_probe_mark");
    const auto gate = find<void (*)()>(probe, "foresight_probe_gate");
    const auto open = find<void (*)()>(probe, "foresight_probe_open_window");
    const auto close = find<void (*)()>(probe, "foresight_probe_close_window");
    const auto flush = find<void (*)()>(probe, "foresight_probe_flush");

    std::uint64_t time = 5000000;
    const auto work = [&](int calls) {
        for (int i = 0; i < calls; ++i) {
            push("aten::silu, op_id = 1, sizes = [[4, 8]]");
            launch("silu_kernel", time, 1000);
            time += 2000;
            pop();
        }
    };
    if (scenario == "ranges") {
        push("{\"fs\":\"s\",\"i\":1}");
        work(count);
        pop();
    } else if (scenario == "untimed") {
        launch("lost_kernel", 0, 0);
        work(count);
    } else if (scenario == "window") {
        // Fake kernels carry times of their own; a window is open from the stand-in's clock onwards.
        gate();
        push("outer range from before the window");
        launch("before_kernel", 1, 5);
        open();
        work(count);
        pop();
        flush();
        close();
        work(1);
    } else if (scenario == "disturbed") {
        work(1);
        find<decltype(&fake_cupti_disturb)>(cupti, "fake_cupti_disturb")();
        mark("{\"fs\":\"disturbed\",\"by\":\"torch.profiler\"}");
        work(count);
    } else if (scenario == "fork") {
        work(count);
        if (const pid_t child = fork(); child == 0) {
            work(100); // must reach nobody
            _exit(0);
        } else {
            int status = 0;
            waitpid(child, &status, 0);
        }
    } else if (scenario == "crash") {
        work(count);
        flush();
        std::abort();
    } else {
        std::fprintf(stderr, "probe_target: unknown scenario %s\n", scenario.c_str());
        return 2;
    }
    return 0;
}
