// SPDX-License-Identifier: Apache-2.0
// One foresight-worker process seen from the parent: starts it, sends one request at a time, waits with a
// deadline, and kills it when it hangs, talks nonsense or the caller stops. After any error but a polite one
// in the reply the worker is gone: start another. Thread use: one thread at a time (stop a call through its
// stop token).
#pragma once

#include "core/base/result.h"
#include "core/gpu/protocol.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace foresight {

struct WorkerOptions
{
    std::string path; // empty: defaultWorkerPath()
    int device = 0;
    std::string cacheFolder;                        // for the worker's own kernels; empty: none
    std::chrono::milliseconds startTimeout{60'000}; // creating a CUDA context can take many seconds
};

// What a worker or compile child gets to see of our environment: paths, locale, CUDA and Foresight settings,
// and no secrets (keys of language-model services are in the environment too).
std::map<std::string, std::string> workerEnvironment();

class WorkerClient
{
public:
    // Starts the process and exchanges `hello`. NotFound: no such program; Unsupported: another protocol
    // version.
    static Result<std::unique_ptr<WorkerClient>> start(const WorkerOptions& options,
                                                       std::stop_token stop = {});
    ~WorkerClient();
    WorkerClient(const WorkerClient&) = delete;
    WorkerClient& operator=(const WorkerClient&) = delete;

    // The id to encode the next request with.
    std::int64_t nextId() const;
    // Sends one encoded request and waits for its reply. Errors: Timeout and Cancelled (the worker was
    // killed), ProcessFailed (it ended by itself: how, and its last words), Corrupt (it sent nonsense;
    // killed).
    Result<protocol::Reply> call(std::string_view request, std::chrono::milliseconds deadline,
                                 std::stop_token stop = {});
    // hello, spec, doctor: the result's JSON text, or the error the worker reports.
    Result<std::string> callSimple(std::string_view type, std::chrono::milliseconds deadline,
                                   std::stop_token stop = {});
    // Asks it to end, waits briefly, then kills it.
    void quit();
    bool alive() const;
    int pid() const;
    // The last few KiB of what it printed outside the protocol; and how many bytes before that were dropped.
    std::string outputTail() const;
    std::uint64_t outputDropped() const;

private:
    WorkerClient();
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace foresight
