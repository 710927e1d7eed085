// SPDX-License-Identifier: Apache-2.0
// How a benchmark is declared: FORESIGHT_BENCH(name) { ... context.measure(...) ... } in any .cpp of
// foresight-bench. One thread, no GPU. A benchmark that cannot run says why with context.skip().
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace foresight::bench {

class Context
{
public:
    // Runs `body` warmUp times, then `runs` times, and reports median_ms, p99_ms, cpu_median_ms and n.
    void measure(int warmUp, int runs, const std::function<void()>& body);
    // Any other number, e.g. ("nodes_painted", 5000) or ("gui_busy_fraction", 0.2).
    void report(const std::string& key, double value) { m_values.emplace_back(key, value); }
    void skip(const std::string& reason) { m_skipped = reason; }

    const std::vector<std::pair<std::string, double>>& values() const { return m_values; }
    const std::string& skipped() const { return m_skipped; }

private:
    std::vector<std::pair<std::string, double>> m_values;
    std::string m_skipped;
};

using Function = void (*)(Context&);
// Static registration; names are unique.
bool add(const char* name, Function function);

} // namespace foresight::bench

#define FORESIGHT_BENCH(name)                                                                                \
    static void foresightBench_##name(foresight::bench::Context& context);                                   \
    static const bool foresightBenchAdded_##name = foresight::bench::add(#name, &foresightBench_##name);     \
    static void foresightBench_##name([[maybe_unused]] foresight::bench::Context& context)
