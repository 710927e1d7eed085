// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_driver.h"

#include "core/base/file.h"
#include "core/base/random.h"
#include "core/base/version.h"
#include "core/gpu/torch_baselines.h"
#include "core/gpu/worker_client.h"

#include <cmath>
#include <cstdio>
#include <ctime>

namespace foresight::gputest {

Result<std::unique_ptr<Runner>> Runner::make(const Context& context, std::shared_ptr<const Family> family,
                                             const Problem& problem, std::chrono::milliseconds timeout)
{
    FS_TRY(options, localGpuOptions(family, problem, context.spec));
    options.requestTimeout = timeout;
    options.purpose = "test";
    options.canaryAfter = 1000;
    std::unique_ptr<Runner> runner(new Runner);
    FS_TRY(gpu, LocalGpu::make(std::move(options)));
    runner->m_gpu = std::move(gpu);
    runner->m_problem = problem;
    Runner* self = runner.get();
    runner->m_gpu->setSink([self](JobId job, GpuReply reply) {
        const std::lock_guard lock(self->m_mutex);
        self->m_replies[job] = std::move(reply);
        self->m_arrived.notify_all();
    });
    return runner;
}

GpuReply Runner::run(const KernelPlan& plan, const Symbols& configuration, int quads, std::uint64_t seed)
{
    GpuRequest request;
    request.problem = m_problem;
    request.plan = plan;
    request.configuration = configuration;
    request.timing.maxQuads = quads;
    request.seed = seed;
    const JobId job = m_gpu->submit(std::move(request));
    std::unique_lock lock(m_mutex);
    m_arrived.wait(lock, [&] { return m_replies.contains(job); });
    return m_replies.extract(job).mapped();
}

Result<Problem> makeProblem(const Context& context, const std::string& family, DType dtype,
                            const std::string& layout, const Symbols& symbols)
{
    const auto found = context.registry.find(family);
    if (!found)
        return makeError(ErrorCode::NotFound, "no family " + family);
    return found->makeProblem(dtype, layout, symbols);
}

Json resultFile(const Context& context, const std::string& command, Json rows)
{
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return Json{{"command", command}, {"gpu", context.spec.name}, {"driver", context.spec.driver},
                {"date", date},       {"revision", kRevision},    {"rows", std::move(rows)}};
}

namespace {

struct Case
{
    std::string family;
    DType dtype;
    std::string layout;
    Symbols symbols;
};

Symbols ints(std::initializer_list<std::pair<const char*, std::int64_t>> values)
{
    Symbols symbols;
    for (const auto& [name, value] : values)
        symbols[name] = value;
    return symbols;
}

Symbols groupNorm(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w)
{
    Symbols symbols = ints({{"N", n}, {"C", c}, {"H", h}, {"W", w}, {"G", 32}});
    symbols["silu"] = true;
    return symbols;
}

void write(const Context& context, const char* name, const Json& json)
{
    if (!context.out.empty())
        if (auto written = writeFileAtomically(joinPath(context.out, name), prettyJson(json)); !written)
            std::printf("cannot write %s: %s\n", name, written.error().toString().c_str());
}

Result<std::unique_ptr<Runner>> runnerFor(const Context& context, const Case& entry)
{
    FS_TRY(problem, makeProblem(context, entry.family, entry.dtype, entry.layout, entry.symbols));
    return Runner::make(context, context.registry.find(entry.family), problem,
                        std::chrono::milliseconds(20'000));
}

} // namespace

int checkSame(Context& context)
{
    int failures = 0;
    Json rows = Json::array();
    const Case cases[] = {{"softmax", DType::BF16, "contiguous", ints({{"ROWS", 16384}, {"COLS", 2048}})},
                          {"group_norm", DType::F16, "contiguous", groupNorm(2, 512, 128, 128)},
                          {"rms_norm", DType::BF16, "contiguous", ints({{"ROWS", 1}, {"COLS", 4096}})}};
    for (const Case& entry : cases) {
        auto runner = runnerFor(context, entry);
        if (!runner) {
            std::printf("a_vs_a %s: %s\n", entry.family.c_str(), runner.error().toString().c_str());
            ++failures;
            continue;
        }
        int significant = 0, deployed = 0, runs = 0;
        double widest = 0;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const GpuReply reply = (*runner)->run((*runner)->gpu().options().anchorPlan, {}, 12, seed);
            if (reply.outcome != Outcome::Ok || !reply.timing) {
                std::printf("a_vs_a %s: %s %s\n", entry.family.c_str(),
                            std::string(outcomeName(reply.outcome)).c_str(), reply.message.c_str());
                ++failures;
                continue;
            }
            const Timing& t = *reply.timing;
            ++runs;
            significant += t.look > 0 && (t.lnLow > 0 || t.lnHigh < 0);
            deployed += t.look > 0 && t.lnLow > std::log(1.03);
            widest = std::max(widest, t.lnHigh - t.lnLow);
        }
        std::printf("a_vs_a %-60s runs %d significant %d deployed %d widest interval %.4f\n",
                    (*runner)->problem().key.c_str(), runs, significant, deployed, widest);
        rows.push_back(Json{{"kernel", (*runner)->problem().key},
                            {"runs", runs},
                            {"significant", significant},
                            {"deployed", deployed},
                            {"widest_interval", widest}});
        failures += deployed > 0;
    }
    write(context, "a_vs_a.json", resultFile(context, "tests/gpu/run.sh", std::move(rows)));
    return failures;
}

int checkSpeed(Context& context)
{
    int failures = 0;
    const Case cases[] = {{"group_norm", DType::F16, "contiguous", groupNorm(1, 128, 1024, 1024)},
                          {"group_norm", DType::F16, "channels_last", groupNorm(1, 128, 1024, 1024)},
                          {"softmax", DType::BF16, "contiguous", ints({{"ROWS", 16384}, {"COLS", 2048}})},
                          {"rms_norm", DType::BF16, "contiguous", ints({{"ROWS", 8192}, {"COLS", 4096}})}};
    Json rows = Json::array();
    for (const Case& entry : cases) {
        auto runner = runnerFor(context, entry);
        if (!runner) {
            std::printf("speed %s: %s\n", entry.family.c_str(), runner.error().toString().c_str());
            ++failures;
            continue;
        }
        const auto family = context.registry.find(entry.family);
        const auto space = family->enumerate((*runner)->problem(), context.spec);
        Random random(7);
        std::printf("speed %s %s: %zu configurations\n", entry.family.c_str(), entry.layout.c_str(),
                    space ? space->size() : 0);
        double verify = 0, measure = 0;
        int ok = 0, tried = 0;
        for (int i = 0; space && i < 14; ++i) {
            const Symbols configuration = space->configuration(random.below(space->size()));
            const auto plan = family->instantiate((*runner)->problem(), configuration);
            if (!plan)
                continue;
            const GpuReply reply =
                (*runner)->run(*plan, configuration, 12, 100 + static_cast<std::uint64_t>(i));
            ++tried;
            ok += reply.outcome == Outcome::Ok;
            verify += reply.costs.verifySeconds;
            measure += reply.costs.measureSeconds;
            std::printf("  %-16s %8.2f us anchor %8.2f us ln %+.3f [%+.3f %+.3f] look %d verify %.1f ms "
                        "measure %.1f ms  "
                        "max abs %.3g rel %.3g clock %.0f%s  %s %s\n",
                        std::string(outcomeName(reply.outcome)).c_str(),
                        reply.timing ? reply.timing->candidateNs / 1e3 : 0,
                        reply.timing ? reply.timing->anchorNs / 1e3 : 0,
                        reply.timing ? reply.timing->lnRatio : 0, reply.timing ? reply.timing->lnLow : 0,
                        reply.timing ? reply.timing->lnHigh : 0, reply.timing ? reply.timing->look : 0,
                        reply.costs.verifySeconds * 1e3, reply.costs.measureSeconds * 1e3,
                        reply.verification ? reply.verification->maxAbsError : 0,
                        reply.verification ? reply.verification->maxRelError : 0,
                        reply.timing ? reply.timing->smClockMhz : 0,
                        reply.timing && reply.timing->sharedGpu ? " shared" : "", reply.message.c_str(),
                        symbolsText(configuration).c_str());
        }
        rows.push_back(Json{{"case", (*runner)->problem().key},
                            {"tried", tried},
                            {"ok", ok},
                            {"verify_ms", tried ? verify / tried * 1e3 : 0},
                            {"measure_ms", tried ? measure / tried * 1e3 : 0}});
        std::printf("  mean verify %.1f ms, measure %.1f ms, ok %d of %d\n",
                    verify / std::max(tried, 1) * 1e3, measure / std::max(tried, 1) * 1e3, ok, tried);
        failures += ok == 0;
    }
    write(context, "speed.json", resultFile(context, "tests/gpu/run.sh", std::move(rows)));
    return failures;
}

int checkTorch(Context& context)
{
    int failures = 0;
    const Case cases[] = {{"group_norm", DType::F16, "contiguous", groupNorm(1, 128, 1024, 1024)},
                          {"rms_norm", DType::BF16, "contiguous", ints({{"ROWS", 8192}, {"COLS", 4096}})},
                          {"softmax", DType::BF16, "contiguous", ints({{"ROWS", 16384}, {"COLS", 2048}})}};
    for (const Case& entry : cases) {
        auto runner = runnerFor(context, entry);
        TorchOptions options;
        options.names = {"torch-eager"};
        if (entry.family == "rms_norm")
            options.names.push_back("torch-compile");
        options.timeout = std::chrono::milliseconds(60'000);
        const auto baselines = runner ? measureTorchBaselines((*runner)->gpu(), options)
                                      : Result<std::vector<RecordedSpace::Baseline>>(runner.error());
        if (!baselines) {
            std::printf("torch %s: %s\n", entry.family.c_str(), baselines.error().toString().c_str());
            ++failures;
            continue;
        }
        for (const auto& baseline : *baselines)
            std::printf("torch %s %s: %.2f us, %.3f x anchor [%.3f %.3f]\n", entry.family.c_str(),
                        baseline.name.c_str(), baseline.timeNs / 1e3, std::exp(baseline.lnOverAnchor),
                        std::exp(baseline.lnLow), std::exp(baseline.lnHigh));
    }
    return failures;
}

int checkDoctor(Context& context)
{
    auto worker = WorkerClient::start(WorkerOptions{});
    if (!worker) {
        std::printf("doctor: %s\n", worker.error().toString().c_str());
        return 1;
    }
    int failures = 0;
    for (const char* type : {"hello", "spec", "doctor"}) {
        const auto text = (*worker)->callSimple(type, std::chrono::milliseconds(60'000));
        std::printf("%s: %s\n", type, text ? text->c_str() : text.error().toString().c_str());
        failures += !text || text->find("\"fail\"") != std::string::npos;
        if (text && std::string_view(type) == "doctor")
            if (const auto json = parseJson(*text, "doctor"))
                write(context, "doctor.json", *json);
    }
    (*worker)->quit();
    return failures;
}

} // namespace foresight::gputest

int main(int argc, char** argv)
{
    using namespace foresight;
    using namespace foresight::gputest;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc < 4) {
        std::fprintf(stderr, "usage: gpu_driver SOURCE_FOLDER OUT_FOLDER CHECK...\n");
        return 2;
    }
    auto registry = FamilyRegistry::load(argv[1]);
    auto spec = registry ? probeLocalGpu(0) : Result<GpuSpec>(registry.error());
    if (!spec) {
        std::printf("%s\n", spec.error().toString().c_str());
        return 1;
    }
    Context context{std::move(*registry), *spec, argv[2], joinPath(argv[1], "tests/gpu/planted")};
    const std::map<std::string, int (*)(Context&)> checks{{"unit", checkUnits},  {"planted", checkPlanted},
                                                          {"same", checkSame},   {"speed", checkSpeed},
                                                          {"torch", checkTorch}, {"doctor", checkDoctor}};
    int failures = 0;
    for (int i = 3; i < argc; ++i) {
        const auto found = checks.find(argv[i]);
        if (found == checks.end())
            return 2;
        const std::time_t start = std::time(nullptr);
        const int failed = found->second(context);
        std::printf("== %s: %d failures, %ld s\n", argv[i], failed,
                    static_cast<long>(std::time(nullptr) - start));
        failures += failed;
    }
    return failures == 0 ? 0 : 1;
}
