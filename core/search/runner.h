// SPDX-License-Identifier: Apache-2.0
// One search in the background, for programs: prepares it, runs the engine on its own thread, writes the
// session, and tells what is new in immutable batches, at most every 33 ms, the last ones never held back.
// The callback comes from another thread of the runner; it must return quickly and must not destroy the
// runner. The control functions may be called from any thread at any time, also while preparing. The
// destructor stops the search and waits for it.
#pragma once

#include "core/search/session_log.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace foresight {

enum class SearchPhase { Preparing, Running, Paused, Finished, Interrupted, Failed };

// What is known once a search is prepared.
struct SearchFacts
{
    std::int64_t searchId = -1; // in the session; -1 without one
    OperatorId operatorId;
    std::string operatorName, problemKey, gpuDescription, sessionPath, spaceFile;
    SearchOptions options; // baseline included
    double lnBaselineLow = 0, lnBaselineHigh = 0;
    bool recorded = false;
    std::vector<double>
        exactRandom; // recorded: best/optimum expected of random search after 1, 2, ... measurements
    std::optional<double> optimumLog2; // recorded: over the baseline, when the anchor's time is known
    std::vector<std::string> notes;
};

struct PreparedSearch;
// What a prepared search tells of itself; searchId, operatorId and sessionPath are left to the caller.
std::shared_ptr<SearchFacts> factsOf(const PreparedSearch& prepared);

struct SearchBatch
{
    SearchPhase phase = SearchPhase::Preparing;
    std::string message;                      // why it failed, or ended
    std::optional<Error> error;               // Failed
    std::shared_ptr<const SearchFacts> facts; // null while preparing
    std::vector<EventRow> events;             // since the batch before, in order
};

struct RunnerOptions
{
    SearchRequest request;
    std::string sessionPath; // created when missing; empty: nothing is kept
    OperatorId operatorId;
    std::optional<std::int64_t>
        resume; // go on with this search of the session; `request` is then taken from it
    bool startPaused = false;
    double secondsPerMeasurement = 0; // at least, so that a recorded search can be watched
};

class SearchRunner
{
public:
    using Callback = std::function<void(std::shared_ptr<const SearchBatch>)>;

    SearchRunner(RunnerOptions options, Callback callback);
    ~SearchRunner();
    SearchRunner(const SearchRunner&) = delete;
    SearchRunner& operator=(const SearchRunner&) = delete;

    void pause();
    void resume();
    void stepExpansion();
    void stepEvent();
    void finish(std::string reason = "stopped by the user");
    void requestAction(UserActionKind action, NodeId node);
    void setPace(double secondsPerMeasurement);
    void stop();          // interrupts: can be resumed; returns at once
    bool running() const; // until the last batch has been delivered

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace foresight
