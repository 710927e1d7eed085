// SPDX-License-Identifier: Apache-2.0
// Evaluates candidates one at a time in a worker process that it starts, sets up, kills and restarts as
// needed, and finds out who is to blame: a candidate that crashes in a worker that served others before is
// tried again alone; k failures in a row make the canary (the anchor against itself) run in a fresh worker,
// and if that fails too the GPU is unwell and nothing more is tried. One thread at a time; stop a call
// through its token.
#pragma once

#include "core/gpu/candidate.h"
#include "core/gpu/worker_client.h"

#include <memory>
#include <set>
#include <stop_token>
#include <string>

namespace foresight {

class WorkerSession
{
public:
    WorkerSession(const EvaluationSetup& setup, WorkerOptions worker, int canaryAfter = 5,
                  std::uint64_t salt = 0);
    ~WorkerSession();

    // Never fails as such: every problem is an outcome. Compile fields of the reply are left to the caller.
    GpuReply evaluate(const Candidate& candidate, std::stop_token stop);
    // Ends the worker (frees the GPU's memory); the next evaluate starts another.
    void quit();
    // Takes over a worker that was started to read the device's figures.
    void adopt(std::unique_ptr<WorkerClient> worker) { m_worker = std::move(worker); }
    const std::string& unwell() const { return m_unwell; }

private:
    struct Attempt
    {
        GpuReply reply;
        bool served = false; // the worker had evaluated something else before
        bool lost = false;   // the worker is gone
    };
    Result<void> ensureWorker(std::stop_token stop);
    Attempt attempt(const Candidate& candidate, std::stop_token stop);
    Attempt sendCandidate(const Candidate& candidate, std::stop_token stop);
    void checkWell(GpuReply& reply, std::stop_token stop);
    Result<void> canary(std::stop_token stop);
    GpuReply unwellReply() const;

    const EvaluationSetup& m_setup;
    WorkerOptions m_options;
    int m_canaryAfter;
    std::uint64_t m_salt;
    std::unique_ptr<WorkerClient> m_worker;
    bool m_problemSent = false;
    int m_evaluated = 0;          // in this worker
    std::set<std::string> m_sent; // CUBINs this worker keeps
    int m_failures = 0;           // in a row
    std::string m_unwell;
};

} // namespace foresight
