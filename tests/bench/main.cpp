// SPDX-License-Identifier: Apache-2.0
// foresight-bench [--filter NAME] [--json] [--list]: runs the benchmarks that need no GPU. Exit 2: no such
// benchmark.
#include "tests/bench/bench.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <thread>

namespace foresight::bench {

namespace {

std::map<std::string, Function>& registry()
{
    static std::map<std::string, Function> functions;
    return functions;
}

double quantile(const std::vector<double>& ascending, double q)
{
    const auto last = static_cast<double>(ascending.size() - 1);
    return ascending[static_cast<std::size_t>(std::ceil(q * last))];
}

// Processor and cores: numbers of different machines are not compared.
std::string machine()
{
    std::ifstream info("/proc/cpuinfo");
    std::string line, model = "unknown processor";
    while (std::getline(info, line)) {
        if (line.starts_with("model name")) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    }
    return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads";
}

int run(const std::string& filter, bool json, bool listOnly)
{
    nlohmann::json rows = nlohmann::json::array();
    for (const auto& [name, function] : registry()) {
        if (name.find(filter) == std::string::npos)
            continue;
        if (listOnly) {
            std::printf("%s\n", name.c_str());
            rows.push_back(name);
            continue;
        }
        Context context;
        function(context);
        nlohmann::json row{{"name", name}, {"unit", "ms"}, {"machine", machine()}};
        if (!context.skipped().empty())
            row["skipped"] = context.skipped();
        for (const auto& [key, value] : context.values())
            row[key] = value;
        rows.push_back(row);
        if (json)
            continue;
        std::printf("%s", name.c_str());
        if (!context.skipped().empty())
            std::printf("  skipped: %s", context.skipped().c_str());
        for (const auto& [key, value] : context.values())
            std::printf("  %s %.6g", key.c_str(), value);
        std::printf("\n");
        std::fflush(stdout);
    }
    if (rows.empty()) {
        std::fprintf(stderr, "foresight-bench: no benchmark has \"%s\" in its name; --list shows them\n",
                     filter.c_str());
        return 2;
    }
    if (json && !listOnly)
        std::printf("%s\n", rows.dump(2).c_str());
    return 0;
}

// Of this thread alone: comparable on a machine that others use too.
double threadCpuMs()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

} // namespace

bool add(const char* name, Function function)
{
    return registry().emplace(name, function).second;
}

void Context::measure(int warmUp, int runs, const std::function<void()>& body)
{
    for (int i = 0; i < warmUp; ++i)
        body();
    std::vector<double> times, cpuTimes;
    for (int i = 0; i < runs; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const double cpuStart = threadCpuMs();
        body();
        cpuTimes.push_back(threadCpuMs() - cpuStart);
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    report("median_ms", quantile(times, 0.5));
    std::sort(cpuTimes.begin(), cpuTimes.end());
    report("p99_ms", quantile(times, 0.99));
    report("cpu_median_ms", quantile(cpuTimes, 0.5));
    report("n", runs);
}

} // namespace foresight::bench

int main(int argc, char** argv)
{
    std::string filter;
    bool json = false, list = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--filter") == 0 && i + 1 < argc) {
            filter = argv[++i];
        } else if (std::strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (std::strcmp(argv[i], "--list") == 0) {
            list = true;
        } else {
            std::fprintf(stderr, "usage: foresight-bench [--filter NAME] [--json] [--list]\n");
            return std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
        }
    }
    return foresight::bench::run(filter, json, list);
}
