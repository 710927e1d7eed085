// SPDX-License-Identifier: Apache-2.0
// A finished search over a small synthetic space, for tests of panels: the real engine, forecaster and recorded GPU.
#pragma once

#include "core/forecast/forecaster.h"
#include "core/gpu/recorded_space.h"
#include "core/search/engine.h"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

namespace foresight::sample {

// 8 x 6 x 4 configurations; time has one valley; BLOCK=1024 with TILE=8 does not build.
inline std::shared_ptr<RecordedSpace> space()
{
    auto recorded = std::make_shared<RecordedSpace>();
    const std::vector<std::int64_t> blocks{32, 64, 128, 256, 384, 512, 768, 1024}, tiles{1, 2, 3, 4, 6, 8}, vectors{1, 2, 4, 8};
    std::vector<TuningParameter> parameters(3);
    const auto fill = [](TuningParameter& parameter, const char* name, const std::vector<std::int64_t>& values) {
        parameter.name = name;
        parameter.values.assign(values.begin(), values.end());
    };
    fill(parameters[0], "BLOCK", blocks);
    fill(parameters[1], "TILE", tiles);
    fill(parameters[2], "VEC", vectors);
    std::vector<std::uint16_t> codes;
    for (std::uint16_t b = 0; b < blocks.size(); ++b) {
        for (std::uint16_t t = 0; t < tiles.size(); ++t) {
            for (std::uint16_t v = 0; v < vectors.size(); ++v) {
                codes.insert(codes.end(), {b, t, v});
                RecordedRow row;
                if (blocks[b] == 1024 && tiles[t] == 8) {
                    row.outcome = Outcome::BuildFailed;
                    row.message = "too many registers";
                } else {
                    row.outcome = Outcome::Ok;
                    row.timeNs = 1e5 * (1 + std::abs(b - 4.0) / 4 + std::abs(t - 3.0) / 5 + (3.0 - v) / 3);
                    row.samplesNs.assign(12, row.timeNs);
                    row.anchorNs = 2e5;
                    row.lnRatio = std::log(row.anchorNs / row.timeNs);
                    row.lnLow = row.lnRatio - .01;
                    row.lnHigh = row.lnRatio + .01;
                }
                recorded->rows.push_back(row);
            }
        }
    }
    recorded->space = ConfigSpace(std::move(parameters), std::move(codes));
    recorded->gpuName = "Test GPU";
    recorded->title = "synthetic";
    return recorded;
}

struct FinishedSearch {
    std::shared_ptr<RecordedSpace> recorded = space();
    std::vector<EventRow> events;
};

inline FinishedSearch search(int measurements, std::uint64_t seed = 1)
{
    FinishedSearch result;
    SearchTarget target;
    target.operatorName = "synthetic";
    target.space = std::shared_ptr<const ConfigSpace>(result.recorded, &result.recorded->space);
    target.anchorNs = 2e5;
    SearchOptions options;
    options.budget.measurements = measurements;
    options.seed = seed;
    ForecasterContext context;
    context.space = target.space;
    context.seed = seed;
    auto forecaster = makeForecaster("gp", context);
    auto gpu = makeRecordedGpu(result.recorded);
    if (!forecaster)
        throw std::runtime_error(forecaster.error().toString());
    Engine engine(target, options, **forecaster, *gpu, [](EventRow&) { return Result<void>(); });
    const auto ended = engine.run({});
    if (!ended)
        throw std::runtime_error(ended.error().toString());
    result.events = engine.events();
    return result;
}

} // namespace foresight::sample
