// SPDX-License-Identifier: Apache-2.0
// Candidates that cheat or fail, each through LocalGpu and a real worker; after each an honest one must still
// pass.
#include "tests/gpu/gpu_driver.h"

#include "core/base/file.h"

#include <cstdio>

namespace foresight::gputest {

namespace {

struct Plant
{
    const char* name;
    const char* outcomes; // accepted, separated by blanks; the first is the expected one
    int sharedBytes = 0;
};

constexpr Plant kPlants[] = {{"honest", "ok"},
                             {"out_of_bounds", "out_of_bounds"},
                             {"writes_nothing", "not_written"},
                             {"writes_half", "not_written"},
                             {"replays", "replayed"},
                             {"zeros_only", "wrong_result"},
                             {"low_precision", "wrong_result"},
                             {"modifies_input", "input_modified"},
                             {"race", "nondeterministic"},
                             {"misaligned", "out_of_bounds"},
                             {"illegal_address", "crashed"},
                             {"prints", "ok"},
                             {"shared_too_large", "launch_rejected", 1 << 20},
                             {"hang", "timeout"}};

Result<KernelPlan> plantedPlan(const Context& context, const Plant& plant)
{
    FS_TRY(common, readFile(joinPath(context.planted, "common.cuh")));
    FS_TRY(source, readFile(joinPath(context.planted, std::string(plant.name) + ".cu")));
    const auto tensor = [](const char* name) { return Json{{"kind", "tensor"}, {"name", name}}; };
    const auto scalar = [](const char* name, const char* type, const char* value) {
        return Json{{"kind", "scalar"}, {"name", name}, {"type", type}, {"value", value}};
    };
    return planFromJson(Json{{"source", common + "\n" + source},
                             {"launches",
                              {{{"kernel", "planted"},
                                {"grid", {"ROWS"}},
                                {"block", {256}},
                                {"shared_bytes", plant.sharedBytes},
                                {"args",
                                 {tensor("x"), tensor("gain"), tensor("y"), scalar("cols", "i32", "COLS"),
                                  scalar("eps", "f32", "eps")}}}}}},
                        plant.name);
}

} // namespace

int checkPlanted(Context& context)
{
    Symbols symbols;
    symbols["ROWS"] = std::int64_t{512};
    symbols["COLS"] = std::int64_t{1024};
    auto problem = makeProblem(context, "rms_norm", DType::F32, "contiguous", symbols);
    auto runner = problem ? Runner::make(context, context.registry.find("rms_norm"), *problem,
                                         std::chrono::milliseconds(4'000))
                          : Result<std::unique_ptr<Runner>>(problem.error());
    if (!runner) {
        std::printf("planted: %s\n", runner.error().toString().c_str());
        return 1;
    }
    int failures = 0;
    Json rows = Json::array();
    const auto honest = plantedPlan(context, kPlants[0]);
    for (const Plant& plant : kPlants) {
        const auto plan = plantedPlan(context, plant);
        if (!plan || !honest) {
            std::printf("planted %s: %s\n", plant.name, (plan ? honest : plan).error().toString().c_str());
            ++failures;
            continue;
        }
        const GpuReply reply = (*runner)->run(*plan, {}, 12, 42);
        const GpuReply after = (*runner)->run(*honest, {}, 12, 43);
        const std::string outcome(outcomeName(reply.outcome));
        const bool expected = outcome == plant.outcomes, wentOn = after.outcome == Outcome::Ok;
        failures += !expected + !wentOn;
        std::printf("planted %-16s %-16s %s, then honest: %s%s | %s\n", plant.name, outcome.c_str(),
                    expected ? "as expected" : "NOT EXPECTED",
                    std::string(outcomeName(after.outcome)).c_str(),
                    wentOn ? "" : (" " + after.message).c_str(), reply.message.substr(0, 220).c_str());
        rows.push_back(Json{{"case", plant.name},
                            {"expected", plant.outcomes},
                            {"outcome", outcome},
                            {"message", reply.message},
                            {"search_went_on", wentOn}});
    }
    if (!context.out.empty())
        if (auto written =
                writeFileAtomically(joinPath(context.out, "planted.json"),
                                    prettyJson(resultFile(context, "tests/gpu/run.sh", std::move(rows))));
            !written)
            ++failures;
    return failures;
}

} // namespace foresight::gputest
