// SPDX-License-Identifier: Apache-2.0
// The search engine: a single-threaded state machine over completions. Every decision is an event that is in
// the log before it takes effect. Own it on any thread, call `run` (blocks until finished, paused-and-stopped
// or cancelled); the control functions may be called from any thread.
#pragma once

#include "core/base/result.h"
#include "core/forecast/forecaster.h"
#include "core/gpu/gpu.h"
#include "core/search/tree.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace foresight {

struct SearchBudget
{ // nullopt: no limit
    std::optional<std::int64_t> measurements;
    std::optional<double> gpuSeconds, wallSeconds; // wall: the GPU's clock (virtual on recorded GPUs)
};

struct PolicyOptions
{
    std::string name = "improvement"; // all, top, confidence, improvement, risk
    int candidatesPerExpansion = 16;  // m
    int measuredPerExpansion = 1;     // k of `improvement`; `all` measures m
    double topFraction = .25;         // `top`
    double auditProbability = 0;      // of each skipped candidate; >= .02 when on
    // `confidence` and `risk` ask for p = P(speedup > (1 + margin) x the best so far).
    double margin = .02;
    double confidence = .05; // `confidence` skips a candidate whose p is below this
    double risk = .05;       // `risk` skips the least p as long as they sum to at most this share of all p
};

struct SearchOptions
{
    // puct; puct-paper, uct: the papers' forms; ei: best of the whole space; random: untried ones, all
    // measured; greedy: around the best so far; evolve: mutants and crossings.
    std::string search = "puct";
    std::string forecaster = "gp";
    std::string generator = "family";
    PolicyOptions policy;
    SearchBudget budget;
    std::uint64_t seed = 1;
    int startDesign = 10;   // space-filling measurements first, the default configuration among them
    double exploration = 1; // c
    int maxInFlight = 1;    // measurements in flight; forced to 1 on recorded GPUs
    TimingOptions timing;
    // The baseline's time relative to the anchor: ln(baseline / anchor) and its interval; 0 = the anchor
    // itself.
    std::string baselineName = "family-default";
    double lnBaselineOverAnchor = 0;
};

// What the engine searches over: configurations of one space and how to turn one into a plan.
struct SearchTarget
{
    std::string operatorName; // for people
    std::string problemKey;
    std::optional<Problem> problem; // absent for imported spaces
    std::shared_ptr<const ConfigSpace> space;
    std::function<Result<KernelPlan>(std::uint32_t index)> plan; // absent for imported spaces
    std::optional<std::uint32_t> defaultIndex; // the anchor's configuration; measured as node 1 when present
    std::optional<double> anchorNs; // recorded anchor time; needed for imported spaces without anchors
};

// Persists events; called on the engine's thread, once per event, before it takes effect.
using EventSink = std::function<Result<void>(EventRow& event)>;

class Engine
{
public:
    // `forecaster` and `gpu` outlive the engine. On resume pass the log so far in `history`.
    Engine(SearchTarget target, SearchOptions options, Forecaster& forecaster, Gpu& gpu, EventSink sink,
           std::vector<EventRow> history = {});
    ~Engine();

    // Runs to the end of the budget. Cancelled when `stop` was requested (the log then has `paused`).
    Result<void> run(std::stop_token stop);

    // Called before an effect outside the log (a submit to a live GPU), before every wait and at the end of
    // `run`: a sink that groups its writes commits them here.
    void setFlush(std::function<Result<void>()> flush);

    // From any thread: take effect at the next decision.
    void pause();
    void resume();
    void stepExpansion(); // one expansion and its results, then pause
    void stepEvent();     // one event, then pause
    void finish(std::string reason = "stopped by the user");
    // On a node of the tree; ignored when it cannot be (measuring what has been chosen already).
    void requestAction(UserActionKind action, NodeId node);

    const Tree& tree() const; // the engine's thread only, or after run returned
    const std::vector<EventRow>& events() const;
    double gpuSecondsUsed() const;
    // The configuration of a node (not the root's); the engine's thread only, or after run returned.
    std::optional<std::uint32_t> configurationOf(NodeId node) const;

private:
    class Impl;
    std::unique_ptr<Impl> m;
};

} // namespace foresight
