// SPDX-License-Identifier: GPL-3.0-or-later
// The open session as the panels see it: profile, which operators can be searched, searches and verdicts. Filled by
// the session controller with values read on a background thread. GUI thread only.
#pragma once

#include "core/profile/profile.h"
#include "core/store/session.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace foresight {

// What can be done about one profiled operator.
struct OperatorMatch {
    OperatorId id;
    QString family, problemKey;
    QString spacePath;             // recorded space that answers for it; empty: needs a GPU
    QString spaceGpu, spaceDate;
};

struct OperatorVerdict {
    OperatorId id;
    std::int64_t search = 0;
    bool deploy = false;
    QString reason;                // machine name ("not_significant"); empty for deploy
    double speedup = 0, low = 0, high = 0; // baseline / candidate; 0: no interval
    double margin = 0.03;
    QString baseline, source;      // "torch-eager"; "recorded" or "measured"
    QString detail, configuration; // one sentence with the numbers; of the best candidate
};

// Everything read from a session file, as one immutable value.
struct LoadedSession {
    QString path;
    bool readOnly = false;
    QString readOnlyReason;
    std::optional<Profile> profile;
    std::vector<OperatorMatch> matches;
    std::vector<SearchRecord> searches;
    std::vector<OperatorVerdict> verdicts;
};

class SessionState : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    bool isOpen() const { return !m_session.path.isEmpty(); }
    const LoadedSession& session() const { return m_session; }
    const std::vector<ProfiledOperator>& operators() const;
    const ProfiledOperator* findOperator(OperatorId id) const;
    const OperatorMatch* match(OperatorId id) const;
    const OperatorVerdict* verdict(OperatorId id) const;
    // The latest search of an operator in this session, if any.
    const SearchRecord* latestSearch(OperatorId id) const;
    // The searchable operator with the largest headroom; invalid when there is none.
    OperatorId topSearchable() const;

    void setSession(LoadedSession session);
    // The same session under another path: a working copy was made.
    void setPath(const QString& path, bool readOnly);
    void setVerdict(const OperatorVerdict& verdict);
    void setSearch(const SearchRecord& record);
    // Running search: shown beside the operator.
    void setRunning(OperatorId id, bool running);
    OperatorId running() const { return m_running; }

signals:
    void sessionChanged();
    void operatorChanged(foresight::OperatorId id); // its search or verdict changed
    void verdictsChanged();

private:
    LoadedSession m_session;
    OperatorId m_running;
};

} // namespace foresight
