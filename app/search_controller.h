// SPDX-License-Identifier: GPL-3.0-or-later
// Bridges searches to the window: starts a SearchRunner, turns its batches into queued calls that feed SearchState and
// SessionState, asks for the verdict when a search ends, and passes the controls on. GUI thread; nothing here blocks but
// stopAndWait (which a search answers within 200 ms).
#pragma once

#include "app/source_service.h"
#include "core/search/runner.h"
#include "views/common/search_state.h"
#include "views/common/session_state.h"

#include <QObject>

#include <memory>
#include <thread>

namespace foresight {

class SearchController : public QObject {
    Q_OBJECT
public:
    SearchController(SessionState& session, SearchState& search, QObject* parent = nullptr);
    ~SearchController() override;

    bool active() const { return m_runner != nullptr || m_copying; }
    void start(OperatorId id, int measurements);
    void pause();
    void resume();
    void stepExpansion();
    void stepEvent();
    void finish();
    void stopAndWait();
    // At least so many seconds per measurement, so that a recorded search can be watched; 0: as fast as it goes.
    void setPace(double secondsPerMeasurement);

    // A search read from the session: shown, and resumable when it did not end.
    void showStored(const SearchRecord& record, const std::vector<EventRow>& events);
    void resumeStored();

    void saveAs(const QString& path);
    // Source of a candidate of the search shown; the answer comes later, and only to the latest request.
    void requestSource(const ProposedPayload& candidate, SourceService::Done done);

signals:
    void workingCopyMade(const QString& path);
    void failed(const foresight::Error& error);
    void savedAs(const QString& path);
    void ended(bool succeeded); // after the verdict, when there is one

private:
    void launch(RunnerOptions options, SearchInfo info);
    void apply(const SearchBatch& batch);
    void applyFacts(const SearchFacts& facts);
    void end(const SearchBatch& batch);
    void decide(std::shared_ptr<SearchRunner> runner);
    void copied(RunnerOptions options, const Result<std::string>& copy, std::uint64_t generation);
    void run(RunnerOptions options, std::uint64_t generation);
    void lookUpSpace(SearchRequest request);

    SessionState& m_session;
    SearchState& m_search;
    std::shared_ptr<SearchRunner> m_runner;
    std::shared_ptr<const SearchFacts> m_facts; // those applied
    std::uint64_t m_generation = 0; // batches of an older runner are dropped
    double m_pace = 0;
    SearchRecord m_stored; // of the search shown
    SourceService m_sources;
    bool m_copying = false; // of a read-only session, before its search
    std::jthread m_copier, m_lookup, m_verdict;
};

} // namespace foresight
