// SPDX-License-Identifier: GPL-3.0-or-later
// The search shown by the panels: its events and their fold. Fed with batches by the search controller (live, at most
// 30 times a second) or with a whole log when a session is opened. GUI thread only; folding a batch costs microseconds.
#pragma once

#include "core/forecast/forecast.h"
#include "core/search/payload.h"
#include "core/search/tree.h"

#include <QObject>
#include <QString>

#include <optional>
#include <unordered_map>
#include <vector>

namespace foresight {

// What does not change during a search.
struct SearchInfo {
    std::int64_t id = 0;               // in the session
    OperatorId operatorId;
    QString operatorName, problemKey, gpuDescription, baseline, policy, forecaster, search;
    bool recorded = false;             // answered by a recorded space
    std::optional<std::int64_t> measurementBudget;
    double log2BaselineOverAnchor = 0;
    // Fraction of the optimum after k random unique measurements, exact; empty when the space is not known.
    std::vector<double> exactRandom;
    double optimumLog2 = 0;            // of the recorded space, over the baseline; with exactRandom only
    std::uint64_t seed = 0;
};

// One forecast with its outcome: a point of the calibration and scatter panels.
struct ForecastOutcome {
    NodeId node;
    double forecastLog2 = 0, measuredLog2 = 0;
    double pi = 1;
    bool coldStart = false;
};

class SearchState : public QObject {
    Q_OBJECT
public:
    enum class Phase { None, Preparing, Running, Paused, Finished, Interrupted, Failed };
    Q_ENUM(Phase)
    using QObject::QObject;

    bool hasSearch() const { return m_phase != Phase::None; }
    Phase phase() const { return m_phase; }
    QString message() const { return m_message; } // why it failed or ended
    const SearchInfo& info() const { return m_info; }

    // What the panels' speedups are relative to. A baseline many times slower than everything found would put every
    // forecast into the last bin, so the anchor is shown then unless somebody chose.
    enum class Reference { Baseline, Anchor };
    Q_ENUM(Reference)
    Reference reference() const { return m_reference; }
    void setReference(Reference reference); // by the user
    QString referenceName() const;
    // log2 of a speedup over the baseline, as shown.
    double shownLog2(double log2OverBaseline) const { return log2OverBaseline - shiftLog2(); }
    Forecast shown(const Forecast& overBaseline) const;
    const Tree& tree() const { return m_tree; }
    const std::vector<EventRow>& events() const { return m_events; }
    const EventRow* event(std::int64_t seq) const;

    // As made before the node's decision.
    const Forecast* forecast(NodeId id) const;
    const ProposedPayload* proposed(NodeId id) const;
    std::optional<MeasuredPayload> measured(NodeId id) const;
    std::optional<GpuReply> reply(NodeId id) const;          // logs, resources, samples, report; decoded on demand
    std::optional<SelectionPayload> selectionOf(NodeId id) const; // when its parent was selected for it
    std::optional<DecisionPayload> decision(NodeId id) const;
    const std::vector<ForecastOutcome>& outcomes() const { return m_outcomes; }
    // The node and those proposed by the same expansion, in the order proposed.
    std::vector<NodeId> batchOf(NodeId id) const;
    QString nodeTitle(NodeId id) const; // "#12 algorithm=split VEC=8 ..."

    void reset(SearchInfo info, Phase phase);
    void clear();
    void setPhase(Phase phase, const QString& message = {});
    void setInfo(SearchInfo info); // baseline and random curve become known while preparing
    // Events in order. A log that does not fold ends the search as failed, with what was read before kept.
    void append(const std::vector<EventRow>& events);

signals:
    void searchReset();
    void infoChanged();
    void referenceChanged();
    void phaseChanged();
    void eventsApplied();

private:
    struct NodeEvents { std::int64_t proposed = 0, decision = 0, selection = 0, measured = 0, annex = 0; };
    void index(const EventRow& event);
    double shiftLog2() const { return m_reference == Reference::Anchor ? m_info.log2BaselineOverAnchor : 0; }
    void chooseReference();

    Phase m_phase = Phase::None;
    QString m_message;
    SearchInfo m_info;
    Reference m_reference = Reference::Baseline;
    bool m_referenceChosen = false;
    Tree m_tree;
    std::vector<EventRow> m_events;
    std::unordered_map<std::int64_t, NodeEvents> m_byNode;
    std::unordered_map<std::int64_t, Forecast> m_forecasts;
    std::unordered_map<std::int64_t, ProposedPayload> m_proposed;
    std::vector<ForecastOutcome> m_outcomes;
    std::int64_t m_lastSelection = 0;
};

} // namespace foresight
