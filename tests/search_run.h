// SPDX-License-Identifier: Apache-2.0
// One engine on the analytic GPU, with a copy of its log that may be looked at while it runs.
#pragma once

#include "tests/search_fakes.h"

#include <atomic>
#include <mutex>

namespace foresight::fakes {

struct Run
{
    explicit Run(SearchOptions options, FakeGpuOptions gpuOptions = {}, bool withDefault = true,
                 std::shared_ptr<const ConfigSpace> s = fakes::makeSpace())
        : space(std::move(s)), gpu(space, std::move(gpuOptions)), forecaster(space),
          engine(fakes::makeTarget(space, withDefault), std::move(options), forecaster, gpu,
                 [this](EventRow& event) {
                     event.search = 1;
                     {
                         const std::lock_guard lock(mutex);
                         log.push_back(event);
                     }
                     ++logged;
                     return sinkError ? Result<void>(makeError(ErrorCode::IoError, "the disk is full"))
                                      : Result<void>();
                 })
    {
    }
    int count(EventKind kind) const
    {
        return static_cast<int>(
            std::count_if(engine.events().begin(), engine.events().end(),
                          [kind](const EventRow& e) { return e.kind == static_cast<std::int32_t>(kind); }));
    }
    std::shared_ptr<const ConfigSpace> space;
    FakeGpu gpu;
    FakeForecaster forecaster;
    std::vector<EventRow> soFar()
    {
        const std::lock_guard lock(mutex);
        return log;
    }
    bool has(EventKind kind)
    {
        const auto events = soFar();
        return std::any_of(events.begin(), events.end(),
                           [kind](const EventRow& e) { return e.kind == static_cast<std::int32_t>(kind); });
    }
    std::mutex mutex;
    std::vector<EventRow> log; // the sink's copy, for looking at while the engine runs
    std::atomic<int> logged = 0;
    std::atomic<bool> sinkError = false;
    Engine engine;
};

// A check that fails in mid-search must not leave the test waiting for the engine's end.
struct Finisher
{
    Engine& engine;
    ~Finisher() { engine.finish(); }
};

inline SearchOptions withBudget(std::int64_t measurements)
{
    SearchOptions options;
    options.budget.measurements = measurements;
    return options;
}

} // namespace foresight::fakes
