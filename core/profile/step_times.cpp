// SPDX-License-Identifier: Apache-2.0
#include "core/profile/step_times.h"

#include <algorithm>
#include <map>

namespace foresight {

namespace {

struct Span
{
    std::uint64_t firstNs = 0, lastNs = 0;
    double gapNs = 0;
    bool any = false;
};

void extend(Span& span, const GpuWork& work)
{
    if (!span.any) {
        span = {work.startNs, work.endNs, 0, true};
        return;
    }
    if (work.startNs > span.lastNs)
        span.gapNs += static_cast<double>(work.startNs - span.lastNs);
    span.lastNs = std::max(span.lastNs, work.endNs);
}

} // namespace

void fillStepTimes(Profile& profile, const RangeTree& tree)
{
    std::map<std::int32_t, Span> spans; // by step; work comes sorted by start
    Span all;
    for (const GpuWork& work : tree.work) {
        extend(all, work);
        if (work.step != kNoNode)
            extend(spans[work.step], work);
    }
    std::int64_t plain = 0;
    for (const auto step : tree.steps)
        plain += tree.nodes[static_cast<std::size_t>(step)].text.plain ? 1 : 0;
    profile.steps = static_cast<std::int64_t>(tree.steps.size()) - plain;
    if (tree.steps.empty()) {
        profile.wallNs = static_cast<double>(all.lastNs - all.firstNs);
        profile.launchBoundNs = all.gapNs;
        return;
    }
    double wallNs = 0, gapNs = 0, counted = 0;
    for (const auto step : tree.steps) {
        const RangeNode& node = tree.nodes[static_cast<std::size_t>(step)];
        if (plain > 0 && !node.text.plain)
            continue;
        const Span& span = spans[step];
        const std::uint64_t end = std::max(node.endNs, span.lastNs);
        wallNs += end > node.startNs ? static_cast<double>(end - node.startNs) : 0;
        gapNs += span.gapNs;
        ++counted;
    }
    const double scale =
        static_cast<double>(std::max<std::int64_t>(profile.steps, 1)) / std::max(counted, 1.0);
    profile.wallNs = wallNs * scale;
    profile.launchBoundNs = gapNs * scale;
}

} // namespace foresight
