// SPDX-License-Identifier: Apache-2.0
// Checks that need a GPU (tests/gpu/run.sh): each function prints what it finds, writes its result file into
// `out`, and returns the number of failures.
#pragma once

#include "core/base/json.h"
#include "core/gpu/local_gpu.h"
#include "core/kernels/family.h"

#include <condition_variable>
#include <map>
#include <mutex>

namespace foresight::gputest {

struct Context
{
    FamilyRegistry registry;
    GpuSpec spec;
    std::string out;     // folder for result files; empty: none
    std::string planted; // folder of the planted kernels
};

// A LocalGpu with a sink that hands replies back to the caller.
class Runner
{
public:
    static Result<std::unique_ptr<Runner>> make(const Context& context, std::shared_ptr<const Family> family,
                                                const Problem& problem, std::chrono::milliseconds timeout);
    GpuReply run(const KernelPlan& plan, const Symbols& configuration, int quads, std::uint64_t seed);
    LocalGpu& gpu() { return *m_gpu; }
    const Problem& problem() const { return m_problem; }

private:
    std::unique_ptr<LocalGpu> m_gpu;
    Problem m_problem;
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::map<JobId, GpuReply> m_replies;
};

Result<Problem> makeProblem(const Context& context, const std::string& family, DType dtype,
                            const std::string& layout, const Symbols& symbols);
Json resultFile(const Context& context, const std::string& command, Json rows);

int checkUnits(Context& context);
int checkPlanted(Context& context);
int checkSame(Context& context);  // A against A
int checkSpeed(Context& context); // how long candidates take, and how they fare
int checkTorch(Context& context);
int checkDoctor(Context& context);

} // namespace foresight::gputest
