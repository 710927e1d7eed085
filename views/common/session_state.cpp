// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/session_state.h"

#include <algorithm>

namespace foresight {

namespace {

template <typename Range>
auto findById(const Range& range, OperatorId id) -> decltype(&*range.begin())
{
    const auto it = std::find_if(range.begin(), range.end(), [id](const auto& item) { return item.id == id; });
    return it == range.end() ? nullptr : &*it;
}

} // namespace

const std::vector<ProfiledOperator>& SessionState::operators() const
{
    static const std::vector<ProfiledOperator> none;
    return m_session.profile ? m_session.profile->operators : none;
}

const ProfiledOperator* SessionState::findOperator(OperatorId id) const
{
    return findById(operators(), id);
}

const OperatorMatch* SessionState::match(OperatorId id) const
{
    return findById(m_session.matches, id);
}

const OperatorVerdict* SessionState::verdict(OperatorId id) const
{
    return findById(m_session.verdicts, id);
}

const SearchRecord* SessionState::latestSearch(OperatorId id) const
{
    const SearchRecord* latest = nullptr;
    for (const SearchRecord& record : m_session.searches) {
        if (record.operatorId == id.value && (!latest || record.id > latest->id))
            latest = &record;
    }
    return latest;
}

OperatorId SessionState::topSearchable() const
{
    const ProfiledOperator* best = nullptr;
    for (const ProfiledOperator& op : operators()) {
        const OperatorMatch* m = match(op.id);
        if (!m || m->spacePath.isEmpty() || op.overlapsWith.valid())
            continue;
        if (!best || op.headroomNs > best->headroomNs)
            best = &op;
    }
    return best ? best->id : OperatorId{};
}

void SessionState::setSession(LoadedSession session)
{
    m_session = std::move(session);
    m_running = {};
    emit sessionChanged();
    emit verdictsChanged();
}

void SessionState::setPath(const QString& path, bool readOnly)
{
    m_session.path = path;
    m_session.readOnly = readOnly;
    m_session.readOnlyReason.clear();
}

void SessionState::setVerdict(const OperatorVerdict& verdict)
{
    auto& all = m_session.verdicts;
    const auto it = std::find_if(all.begin(), all.end(), [&](const auto& v) { return v.id == verdict.id; });
    if (it == all.end())
        all.push_back(verdict);
    else
        *it = verdict;
    emit operatorChanged(verdict.id);
    emit verdictsChanged();
}

void SessionState::setSearch(const SearchRecord& record)
{
    auto& all = m_session.searches;
    const auto it = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.id == record.id; });
    if (it == all.end())
        all.push_back(record);
    else
        *it = record;
    emit operatorChanged(OperatorId(record.operatorId));
}

void SessionState::setRunning(OperatorId id, bool running)
{
    const OperatorId before = m_running;
    m_running = running ? id : OperatorId{};
    if (before.valid() && before != m_running)
        emit operatorChanged(before);
    if (id.valid())
        emit operatorChanged(id);
}

} // namespace foresight
