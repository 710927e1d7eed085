// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search_controller.h"

#include "app/session_loader.h"
#include "core/base/file.h"
#include "core/search/started.h"
#include "core/search/verdict_of_search.h"
#include "views/common/operator_text.h"

#include <QMetaObject>

#include <cmath>

namespace foresight {

namespace {

Result<std::string> makeWorkingCopy(const std::string& path)
{
    FS_TRY(source, Session::open(path, Session::Mode::ReadOnly));
    const std::string folder = joinPath(userDataFolder(), "sessions");
    FS_CHECK(makeFolders(folder));
    return source->makeWorkingCopy(folder);
}

} // namespace

SearchController::SearchController(SessionState& session, SearchState& search, QObject* parent)
    : QObject(parent), m_session(session), m_search(search)
{
}

SearchController::~SearchController() = default;

void SearchController::start(OperatorId id, int measurements)
{
    const ProfiledOperator* op = m_session.findOperator(id);
    if (!op || active())
        return;
    RunnerOptions options;
    options.operatorId = id;
    options.request.op = op->description;
    options.request.options.budget.measurements = measurements;
    options.request.spaceFolders = spaceFolders(m_session.session().path.toStdString());
    if (m_session.session().profile)
        options.request.preferredGpu = m_session.session().profile->gpuName;

    SearchInfo info;
    info.operatorId = id;
    info.operatorName = operatorTitle(*op);
    info.measurementBudget = measurements;
    if (const OperatorMatch* match = m_session.match(id))
        info.problemKey = match->problemKey;
    launch(std::move(options), std::move(info));
}

void SearchController::launch(RunnerOptions options, SearchInfo info)
{
    m_sources.setSearch(options.request);
    m_facts.reset();
    m_search.reset(std::move(info), SearchState::Phase::Preparing);
    m_session.setRunning(options.operatorId, true);
    const std::uint64_t generation = ++m_generation;
    if (!m_session.session().readOnly) {
        options.sessionPath = m_session.session().path.toStdString();
        run(std::move(options), generation);
        return;
    }
    // Shipped sessions are read-only: the search goes into a copy of the user's, made off the GUI thread.
    m_copying = true;
    m_copier = std::jthread([this, generation, options = std::move(options), source = m_session.session().path.toStdString()] {
        auto copy = std::make_shared<Result<std::string>>(makeWorkingCopy(source));
        QMetaObject::invokeMethod(
            this,
            [this, generation, options, copy] {
                if (generation == m_generation)
                    copied(options, *copy, generation);
            },
            Qt::QueuedConnection);
    });
}

void SearchController::copied(RunnerOptions options, const Result<std::string>& copy, std::uint64_t generation)
{
    m_copying = false;
    if (!copy) {
        m_session.setRunning(options.operatorId, false);
        m_search.setPhase(SearchState::Phase::Failed, QString::fromStdString(copy.error().toString()));
        emit failed(copy.error());
        emit ended(false);
        return;
    }
    m_session.setPath(QString::fromStdString(*copy), false);
    emit workingCopyMade(QString::fromStdString(*copy));
    options.sessionPath = *copy;
    run(std::move(options), generation);
}

void SearchController::run(RunnerOptions options, std::uint64_t generation)
{
    options.secondsPerMeasurement = m_pace;
    const bool resumed = options.resume.has_value();
    m_runner = std::make_shared<SearchRunner>(std::move(options), [this, generation](std::shared_ptr<const SearchBatch> batch) {
        QMetaObject::invokeMethod(
            this,
            [this, generation, batch] {
                if (generation == m_generation)
                    apply(*batch);
            },
            Qt::QueuedConnection);
    });
    if (resumed)
        m_runner->resume(); // it may have been paused when it was interrupted
}

void SearchController::apply(const SearchBatch& batch)
{
    if (batch.facts && batch.facts != m_facts) {
        m_facts = batch.facts;
        applyFacts(*batch.facts);
    }
    m_search.append(batch.events);
    const bool over = batch.phase == SearchPhase::Finished || batch.phase == SearchPhase::Interrupted || batch.phase == SearchPhase::Failed;
    if (m_search.phase() == SearchState::Phase::Failed && !over)
        return; // what was read before stays visible, with the reason
    if (!m_runner)
        return; // has ended already: the last news may come in more than one batch
    switch (batch.phase) {
    case SearchPhase::Preparing: m_search.setPhase(SearchState::Phase::Preparing); break;
    case SearchPhase::Running: m_search.setPhase(SearchState::Phase::Running); break;
    case SearchPhase::Paused: m_search.setPhase(SearchState::Phase::Paused); break;
    case SearchPhase::Finished:
    case SearchPhase::Interrupted:
    case SearchPhase::Failed: end(batch); break;
    }
}

void SearchController::applyFacts(const SearchFacts& facts)
{
    SearchInfo info = m_search.info();
    info.id = facts.searchId;
    info.problemKey = QString::fromStdString(facts.problemKey);
    info.gpuDescription = QString::fromStdString(facts.gpuDescription);
    info.baseline = QString::fromStdString(facts.options.baselineName);
    info.search = QString::fromStdString(facts.options.search);
    info.policy = QString::fromStdString(facts.options.policy.name);
    info.forecaster = QString::fromStdString(facts.options.forecaster);
    info.measurementBudget = facts.options.budget.measurements;
    info.seed = facts.options.seed;
    info.recorded = facts.recorded;
    info.log2BaselineOverAnchor = facts.options.lnBaselineOverAnchor / std::log(2.0);
    if (facts.optimumLog2) {
        info.exactRandom = facts.exactRandom;
        info.optimumLog2 = *facts.optimumLog2;
    }
    m_stored = {};
    m_stored.id = facts.searchId;
    m_stored.operatorId = info.operatorId.value;
    m_stored.operatorName = facts.operatorName;
    m_stored.problemKey = facts.problemKey;
    m_stored.space = facts.spaceFile;
    m_search.setInfo(std::move(info));
    m_session.setSearch(m_stored);
}

void SearchController::end(const SearchBatch& batch)
{
    auto runner = std::move(m_runner); // has told its last; ends here or on the verdict's thread
    m_runner.reset();
    m_session.setRunning(m_search.info().operatorId, false);
    const QString message = QString::fromStdString(batch.message);
    if (batch.phase == SearchPhase::Finished) {
        m_search.setPhase(SearchState::Phase::Finished, message);
        decide(std::move(runner));
        return;
    }
    if (batch.phase == SearchPhase::Interrupted) {
        m_search.setPhase(SearchState::Phase::Interrupted, message);
    } else {
        m_search.setPhase(SearchState::Phase::Failed, message);
        if (batch.error)
            emit failed(*batch.error);
    }
    emit ended(false);
}

// Off the GUI thread: on a live GPU the finalists are measured again in fresh processes, which takes minutes.
void SearchController::decide(std::shared_ptr<SearchRunner> runner)
{
    VerdictTask task;
    task.spaceFolders = spaceFolders(m_session.session().path.toStdString());
    task.sessionPath = m_session.session().path.toStdString();
    task.search = m_stored.id;
    const std::uint64_t generation = m_generation;
    m_verdict = std::jthread([this, task, generation, runner = std::move(runner)](std::stop_token stop) mutable {
        runner.reset(); // gives GPU and session back
        auto result = std::make_shared<Result<VerdictRecord>>(decideSearch(task, stop));
        QMetaObject::invokeMethod(
            this,
            [this, result, generation] {
                if (*result)
                    m_session.setVerdict(verdictFromRecord(**result));
                else if (!result->error().isCancelled())
                    emit failed(result->error());
                if (generation == m_generation)
                    emit ended(result->ok());
            },
            Qt::QueuedConnection);
    });
}

void SearchController::pause()
{
    if (m_runner)
        m_runner->pause();
}

void SearchController::resume()
{
    if (m_runner)
        m_runner->resume();
}

void SearchController::stepExpansion()
{
    if (m_runner)
        m_runner->stepExpansion();
}

void SearchController::stepEvent()
{
    if (m_runner)
        m_runner->stepEvent();
}

void SearchController::finish()
{
    if (m_runner) {
        m_runner->finish();
    } else if (m_copying) {
        stopAndWait();
        emit ended(false);
    }
}

void SearchController::setPace(double secondsPerMeasurement)
{
    m_pace = secondsPerMeasurement;
    if (m_runner)
        m_runner->setPace(secondsPerMeasurement);
}

void SearchController::stopAndWait()
{
    m_verdict = {}; // asked to stop, and joined
    if (!active())
        return;
    ++m_generation;
    m_copier = {};
    m_copying = false;
    m_runner.reset();
    m_session.setRunning(m_search.info().operatorId, false);
    m_search.setPhase(m_search.tree().finished() ? SearchState::Phase::Finished : SearchState::Phase::Interrupted);
}

void SearchController::showStored(const SearchRecord& record, const std::vector<EventRow>& events)
{
    if (active())
        return;
    m_stored = record;
    SearchRequest request;
    SearchInfo info;
    info.id = record.id;
    info.operatorId = OperatorId(record.operatorId);
    info.operatorName = QString::fromStdString(record.operatorName);
    info.problemKey = QString::fromStdString(record.problemKey);
    if (!events.empty() && static_cast<EventKind>(events.front().kind) == EventKind::SearchStarted) {
        if (const auto started = decodeStarted(events.front().payload)) {
            request = requestToResume(*started, record.space);
            info.gpuDescription = QString::fromStdString(started->gpu);
            info.baseline = QString::fromStdString(started->baseline);
            info.search = QString::fromStdString(started->options.search);
            info.policy = QString::fromStdString(started->options.policy.name);
            info.forecaster = QString::fromStdString(started->options.forecaster);
            info.measurementBudget = started->options.budget.measurements;
            info.seed = started->options.seed;
            info.recorded = started->recorded;
            info.log2BaselineOverAnchor = started->options.lnBaselineOverAnchor / std::log(2.0);
        }
    }
    m_sources.setSearch(request);
    const bool recorded = info.recorded;
    m_search.reset(std::move(info), SearchState::Phase::Interrupted);
    m_search.append(events);
    if (recorded)
        lookUpSpace(std::move(request));
    if (m_search.tree().finished())
        m_search.setPhase(SearchState::Phase::Finished, QString::fromStdString(m_search.tree().finishReason()));
}

// The log does not hold what the whole space would have given; the space is read again, off the GUI thread.
void SearchController::lookUpSpace(SearchRequest request)
{
    const std::uint64_t generation = ++m_generation;
    m_lookup = std::jthread([this, generation, request = std::move(request)](std::stop_token stop) {
        const auto prepared = prepareSearch(request, stop);
        if (!prepared || !prepared->space)
            return; // it is gone: the panels do without
        const std::shared_ptr<const SearchFacts> facts = factsOf(*prepared);
        QMetaObject::invokeMethod(
            this,
            [this, generation, facts] {
                if (generation != m_generation || !facts->optimumLog2)
                    return; // another search is shown
                SearchInfo info = m_search.info();
                info.exactRandom = facts->exactRandom;
                info.optimumLog2 = *facts->optimumLog2;
                m_search.setInfo(std::move(info));
            },
            Qt::QueuedConnection);
    });
}

void SearchController::resumeStored()
{
    if (active() || m_search.phase() != SearchState::Phase::Interrupted || m_stored.id <= 0)
        return;
    RunnerOptions options;
    options.operatorId = OperatorId(m_stored.operatorId);
    options.resume = m_stored.id;
    options.request.spaceFolders = spaceFolders(m_session.session().path.toStdString());
    const SearchInfo info = m_search.info();
    const std::vector<EventRow> events = m_search.events();
    launch(std::move(options), info);
    m_search.append(events); // the runner tells only what is new
}

void SearchController::saveAs(const QString& path)
{
    const auto session = Session::open(m_session.session().path.toStdString(), Session::Mode::ReadOnly);
    const Result<void> saved = session ? (*session)->saveAs(path.toStdString()) : Result<void>(session.error());
    if (!saved)
        emit failed(saved.error());
    else
        emit savedAs(path);
}

void SearchController::requestSource(const ProposedPayload& candidate, SourceService::Done done)
{
    m_sources.request(candidate, std::move(done));
}

} // namespace foresight
