// SPDX-License-Identifier: GPL-3.0-or-later
// Reads session files for the window on a background thread: the profile, which operators can be searched here, the
// searches and verdicts so far. Results come back as queued signals; a newer request makes older answers stale and they
// are dropped. GUI thread owns it.
#pragma once

#include "core/base/result.h"
#include "core/store/event_row.h"
#include "views/common/session_state.h"

#include <QObject>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

namespace foresight {

// Folders searched for recorded spaces: the shipped ones, the user's, and the session's own.
std::vector<std::string> spaceFolders(const std::string& sessionPath);

Result<LoadedSession> readSession(const QString& path, std::stop_token stop);
Result<std::vector<EventRow>> readSearchEvents(const QString& path, std::int64_t search, std::stop_token stop);
// The evidence of a stored verdict as the Guard panel shows it.
OperatorVerdict verdictFromRecord(const VerdictRecord& record);
// The sessions shipped with the program.
QStringList shippedSessions();
// From what the profile knows of an operator to its best match with an installed family.
std::vector<OperatorMatch> matchOperators(const Profile& profile, const std::vector<std::string>& folders);

class SessionLoader : public QObject {
    Q_OBJECT
public:
    explicit SessionLoader(QObject* parent = nullptr);
    ~SessionLoader() override;

    void open(const QString& path);
    void readEvents(const QString& path, std::int64_t search);

signals:
    void opened(const foresight::LoadedSession& session);
    void failed(const QString& path, const foresight::Error& error);
    void eventsRead(std::int64_t search, const std::vector<foresight::EventRow>& events);

private:
    template <typename Work>
    void start(Work work);

    std::uint64_t m_request = 0;
    std::jthread m_thread;
};

} // namespace foresight
