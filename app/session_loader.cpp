// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session_loader.h"

#include "core/base/file.h"
#include "core/gpu/recorded_space.h"
#include "core/guard/verdict.h"
#include "core/kernels/family.h"

#include <QDir>
#include <QFileInfo>
#include <QMetaObject>

#include <cmath>

namespace foresight {

OperatorVerdict verdictFromRecord(const VerdictRecord& record)
{
    OperatorVerdict verdict;
    verdict.id = OperatorId(record.operatorId);
    verdict.search = record.search;
    verdict.deploy = record.decision == "deploy";
    verdict.reason = QString::fromStdString(record.reason);
    const auto evidence = evidenceFromJson(record.evidenceJson);
    if (!evidence)
        return verdict; // the decision stands; its numbers cannot be shown
    const Verdict decided = decideVerdict(*evidence);
    verdict.detail = QString::fromStdString(decided.detail);
    verdict.margin = evidence->margin;
    verdict.baseline = QString::fromStdString(evidence->baseline);
    verdict.source = evidence->recorded ? QStringLiteral("recorded") : QStringLiteral("measured");
    verdict.configuration = QString::fromStdString(evidence->configuration);
    const auto shown = decided.ratio ? decided.ratio : evidence->search;
    if (shown) {
        verdict.speedup = std::exp(shown->estimate);
        verdict.low = std::exp(shown->low);
        verdict.high = std::exp(shown->high);
    }
    return verdict;
}

std::vector<std::string> spaceFolders(const std::string& sessionPath)
{
    std::vector<std::string> folders;
    if (const auto data = dataFolder())
        folders.push_back(joinPath(*data, "profiles/spaces"));
    folders.push_back(joinPath(userDataFolder(), "spaces"));
    if (!sessionPath.empty())
        folders.push_back(parentFolder(sessionPath));
    return folders;
}

std::vector<OperatorMatch> matchOperators(const Profile& profile, const std::vector<std::string>& folders)
{
    std::vector<OperatorMatch> matches;
    const auto data = dataFolder();
    if (!data)
        return matches;
    const auto registry = FamilyRegistry::load(*data, joinPath(userDataFolder(), "kernels"));
    if (!registry)
        return matches;
    for (const ProfiledOperator& op : profile.operators) {
        OperatorMatch best;
        for (const auto& found : registry->match(op.description)) {
            OperatorMatch match;
            match.id = op.id;
            match.family = QString::fromStdString(found.family->name());
            match.problemKey = QString::fromStdString(found.problem.key);
            const auto spaces = findRecordedSpaces(folders, found.problem.key);
            if (!spaces.empty())
                match.spacePath = QString::fromStdString(spaces.front());
            if (!best.id.valid() || (best.spacePath.isEmpty() && !match.spacePath.isEmpty()))
                best = match;
        }
        if (best.id.valid())
            matches.push_back(best);
    }
    return matches;
}

static bool isShipped(const QString& path)
{
    const QString folder = QFileInfo(path).canonicalPath();
    for (const QString& shipped : shippedSessions()) {
        if (QFileInfo(shipped).canonicalPath() == folder)
            return true;
    }
    return false;
}

Result<LoadedSession> readSession(const QString& path, std::stop_token stop)
{
    LoadedSession loaded;
    loaded.path = path;
    // What is shipped with the program is never written to, even where it could be.
    const bool shipped = isShipped(path);
    FS_TRY(session, Session::open(path.toStdString(), shipped ? Session::Mode::ReadOnly : Session::Mode::ReadWriteOrReadOnly));
    loaded.readOnly = shipped || session->readOnly();
    loaded.readOnlyReason = QString::fromStdString(session->readOnlyReason());
    if (auto profile = loadProfile(*session))
        loaded.profile = std::move(*profile);
    else if (profile.error().code != ErrorCode::NotFound) // a session without a profile is fine
        return std::move(profile).error();
    if (stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "cancelled");
    if (loaded.profile)
        loaded.matches = matchOperators(*loaded.profile, spaceFolders(path.toStdString()));
    FS_TRY(searches, session->searches());
    loaded.searches = std::move(searches);
    FS_TRY(verdicts, session->verdicts());
    for (const VerdictRecord& record : verdicts)
        loaded.verdicts.push_back(verdictFromRecord(record));
    return loaded;
}

Result<std::vector<EventRow>> readSearchEvents(const QString& path, std::int64_t search, std::stop_token stop)
{
    FS_TRY(session, Session::open(path.toStdString(), Session::Mode::ReadOnly));
    std::vector<EventRow> events;
    FS_CHECK(session->readEvents(search, 0, INT64_MAX, true, [&](EventRow&& row) {
        events.push_back(std::move(row));
        return !stop.stop_requested();
    }));
    if (stop.stop_requested())
        return makeError(ErrorCode::Cancelled, "cancelled");
    return events;
}

QStringList shippedSessions()
{
    QStringList paths;
    const auto data = dataFolder();
    if (!data)
        return paths;
    const QDir folder(QString::fromStdString(joinPath(*data, "profiles/sessions")));
    for (const QString& name : folder.entryList({QStringLiteral("*.fsight")}, QDir::Files, QDir::Name))
        paths << folder.filePath(name);
    return paths;
}

SessionLoader::SessionLoader(QObject* parent) : QObject(parent) {}

SessionLoader::~SessionLoader() = default; // the jthread is asked to stop and joined

template <typename Work>
void SessionLoader::start(Work work)
{
    const std::uint64_t request = ++m_request;
    m_thread = std::jthread([this, request, work = std::move(work)](std::stop_token stop) {
        auto deliver = work(stop); // runs here; what it returns runs on the GUI thread
        QMetaObject::invokeMethod(
            this,
            [this, request, deliver = std::move(deliver)] {
                if (request == m_request)
                    deliver();
            },
            Qt::QueuedConnection);
    });
}

void SessionLoader::open(const QString& path)
{
    start([this, path](std::stop_token stop) -> std::function<void()> {
        auto result = std::make_shared<Result<LoadedSession>>(readSession(path, stop));
        return [this, path, result] {
            if (*result)
                emit opened(**result);
            else if (!result->error().isCancelled())
                emit failed(path, result->error());
        };
    });
}

void SessionLoader::readEvents(const QString& path, std::int64_t search)
{
    start([this, path, search](std::stop_token stop) -> std::function<void()> {
        auto result = std::make_shared<Result<std::vector<EventRow>>>(readSearchEvents(path, search, stop));
        return [this, path, search, result] {
            if (*result)
                emit eventsRead(search, **result);
            else if (!result->error().isCancelled())
                emit failed(path, result->error());
        };
    });
}

} // namespace foresight
