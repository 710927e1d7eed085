// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/guard/guard_model.h"

#include "views/common/operator_text.h"
#include "widgets/number_format.h"
#include "widgets/table_view.h"

#include <QHash>

namespace foresight {

QString verdictReasonText(const QString& reason)
{
    static const QHash<QString, const char*> texts{
        {QStringLiteral("slower"), QT_TRANSLATE_NOOP("foresight::GuardModel", "slower than the original")},
        {QStringLiteral("not_significant"), QT_TRANSLATE_NOOP("foresight::GuardModel", "the gain is not certain enough")},
        {QStringLiteral("wrong_result"), QT_TRANSLATE_NOOP("foresight::GuardModel", "wrong result")},
        {QStringLiteral("nondeterministic"), QT_TRANSLATE_NOOP("foresight::GuardModel", "results change between runs")},
        {QStringLiteral("suspect"), QT_TRANSLATE_NOOP("foresight::GuardModel", "faster than the hardware allows")},
        {QStringLiteral("build_failed"), QT_TRANSLATE_NOOP("foresight::GuardModel", "does not build")},
        {QStringLiteral("timeout"), QT_TRANSLATE_NOOP("foresight::GuardModel", "does not end in time")},
        {QStringLiteral("crashed"), QT_TRANSLATE_NOOP("foresight::GuardModel", "crashed")},
        {QStringLiteral("unconfirmed"), QT_TRANSLATE_NOOP("foresight::GuardModel", "not confirmed in two fresh processes")},
        {QStringLiteral("not_measured"), QT_TRANSLATE_NOOP("foresight::GuardModel", "nothing was measured")},
        {QStringLiteral("stale"), QT_TRANSLATE_NOOP("foresight::GuardModel", "GPU, driver or toolkit changed")},
        {QStringLiteral("unsupported"), QT_TRANSLATE_NOOP("foresight::GuardModel", "not supported here")},
    };
    const auto it = texts.find(reason);
    return it == texts.end() ? reason : GuardModel::tr(*it);
}

GuardModel::GuardModel(SessionState& session, QObject* parent) : QAbstractTableModel(parent), m_session(session)
{
    connect(&session, &SessionState::verdictsChanged, this, &GuardModel::update);
    update();
}

void GuardModel::update()
{
    const auto& now = m_session.session().verdicts;
    bool sameRows = now.size() >= m_rows.size();
    for (std::size_t i = 0; sameRows && i < m_rows.size(); ++i)
        sameRows = m_rows[i].id == now[i].id;
    if (!sameRows) { // another session
        beginResetModel();
        m_rows = now;
        endResetModel();
        return;
    }
    const int before = static_cast<int>(m_rows.size()), after = static_cast<int>(now.size());
    if (after > before)
        beginInsertRows({}, before, after - 1);
    m_rows = now;
    if (after > before)
        endInsertRows();
    if (before > 0)
        emit dataChanged(index(0, 0), index(before - 1, ColumnCount - 1));
}

int GuardModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int GuardModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant GuardModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= static_cast<int>(m_rows.size()))
        return {};
    const OperatorVerdict& verdict = m_rows[static_cast<std::size_t>(index.row())];
    if (role == OperatorRole)
        return static_cast<qint64>(verdict.id.value);
    if (role == SortRole && index.column() == Speedup)
        return verdict.speedup;
    if (role == Qt::TextAlignmentRole && (index.column() == Speedup || index.column() == Interval))
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && !verdict.detail.isEmpty())
        return verdict.detail + QLatin1Char('\n') + verdict.configuration;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case Operator: {
        const ProfiledOperator* op = m_session.findOperator(verdict.id);
        return op ? operatorTitle(*op) : tr("search %1").arg(verdict.search);
    }
    case Decision: return verdict.deploy ? tr("deploy") : tr("fall back");
    case Reason: return verdict.deploy ? QString() : verdictReasonText(verdict.reason);
    case Speedup: return verdict.speedup > 0 ? formatSpeedup(verdict.speedup) : QStringLiteral("–");
    case Interval:
        return verdict.low > 0 ? QStringLiteral("%1 – %2").arg(formatSpeedup(verdict.low), formatSpeedup(verdict.high))
                               : QStringLiteral("–");
    case Baseline: return verdict.baseline;
    case Evidence:
        return verdict.source == QLatin1String("recorded")
                   ? tr("recorded measurements; confirm on a GPU before deploying")
                   : tr("measured here, confirmed in two processes");
    default: return {};
    }
}

QVariant GuardModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Operator: return tr("Operator");
    case Decision: return tr("Verdict");
    case Reason: return tr("Reason");
    case Speedup: return tr("Speedup");
    case Interval: return tr("Interval");
    case Baseline: return tr("Baseline");
    case Evidence: return tr("Evidence");
    default: return {};
    }
}

} // namespace foresight
