// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts of the session's operators, one row each; operators without one are not listed.
#pragma once

#include "views/common/session_state.h"

#include <QAbstractTableModel>

namespace foresight {

class GuardModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Operator, Decision, Reason, Speedup, Interval, Baseline, Evidence, ColumnCount };
    enum Role { OperatorRole = Qt::UserRole + 1 };

    explicit GuardModel(SessionState& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void update();

    SessionState& m_session;
    std::vector<OperatorVerdict> m_rows;
};

// The reason in the user's language, with what it means.
QString verdictReasonText(const QString& reason);

} // namespace foresight
