// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/search_state.h"

namespace foresight {

const EventRow* SearchState::event(std::int64_t seq) const
{
    const auto i = seq - 1; // sequence numbers are 1.. without gaps
    return i >= 0 && i < static_cast<std::int64_t>(m_events.size()) ? &m_events[static_cast<std::size_t>(i)] : nullptr;
}

const Forecast* SearchState::forecast(NodeId id) const
{
    const auto it = m_forecasts.find(id.value);
    return it == m_forecasts.end() ? nullptr : &it->second;
}

const ProposedPayload* SearchState::proposed(NodeId id) const
{
    const auto it = m_proposed.find(id.value);
    return it == m_proposed.end() ? nullptr : &it->second;
}

std::optional<MeasuredPayload> SearchState::measured(NodeId id) const
{
    const auto it = m_byNode.find(id.value);
    const EventRow* row = it == m_byNode.end() ? nullptr : event(it->second.measured);
    if (!row)
        return std::nullopt;
    auto decoded = decodeMeasured(row->payload);
    return decoded ? std::optional(std::move(*decoded)) : std::nullopt;
}

std::optional<GpuReply> SearchState::reply(NodeId id) const
{
    const auto it = m_byNode.find(id.value);
    const EventRow* row = it == m_byNode.end() ? nullptr : event(it->second.annex);
    if (!row || row->annex.empty())
        return std::nullopt;
    auto decoded = static_cast<EventKind>(row->kind) == EventKind::Measured ? decodeMeasuredAnnex(row->annex)
                                                                            : decodeReplyAnnex(row->annex);
    return decoded ? std::optional(std::move(*decoded)) : std::nullopt;
}

std::optional<SelectionPayload> SearchState::selectionOf(NodeId id) const
{
    const auto it = m_byNode.find(id.value);
    const EventRow* row = it == m_byNode.end() ? nullptr : event(it->second.selection);
    if (!row)
        return std::nullopt;
    auto decoded = decodeSelection(row->payload);
    return decoded ? std::optional(std::move(*decoded)) : std::nullopt;
}

std::optional<DecisionPayload> SearchState::decision(NodeId id) const
{
    const auto it = m_byNode.find(id.value);
    const EventRow* row = it == m_byNode.end() ? nullptr : event(it->second.decision);
    if (!row)
        return std::nullopt;
    auto decoded = decodeDecision(row->payload);
    return decoded ? std::optional(std::move(*decoded)) : std::nullopt;
}

std::vector<NodeId> SearchState::batchOf(NodeId id) const
{
    const auto it = m_byNode.find(id.value);
    if (it == m_byNode.end())
        return {};
    std::vector<NodeId> batch;
    for (const NodeId sibling : m_tree.node(m_tree.node(id).parent).children) {
        const auto other = m_byNode.find(sibling.value);
        if (other != m_byNode.end() && other->second.selection == it->second.selection)
            batch.push_back(sibling);
    }
    return batch;
}

QString SearchState::nodeTitle(NodeId id) const
{
    if (id.value == 0)
        return tr("root");
    const ProposedPayload* payload = proposed(id);
    const QString number = QStringLiteral("#%1").arg(id.value);
    if (!payload)
        return number;
    QString text = QString::fromStdString(symbolsText(payload->configuration));
    text.replace(QLatin1Char(','), QLatin1Char(' '));
    return number + QLatin1Char(' ') + text;
}

void SearchState::setReference(Reference reference)
{
    m_referenceChosen = true;
    if (reference == m_reference)
        return;
    m_reference = reference;
    emit referenceChanged();
}

void SearchState::chooseReference()
{
    constexpr double kSaturates = 1; // a baseline twice as slow as the anchor already crowds the upper bins
    const Reference before = m_reference;
    if (!m_referenceChosen)
        m_reference = m_info.log2BaselineOverAnchor > kSaturates ? Reference::Anchor : Reference::Baseline;
    if (m_reference != before)
        emit referenceChanged();
}

QString SearchState::referenceName() const
{
    return m_reference == Reference::Anchor ? QStringLiteral("family-default") : m_info.baseline;
}

Forecast SearchState::shown(const Forecast& overBaseline) const
{
    Forecast forecast = overBaseline;
    const double shift = shiftLog2();
    if (shift == 0)
        return forecast;
    // From the distribution itself when there is one: bins that all lie in the last one say nothing.
    if (forecast.sdLog2 > 0) {
        forecast.meanLog2 -= shift;
        forecast.bins = binsOfNormal(forecast.meanLog2, forecast.sdLog2, forecast.scheme);
    } else {
        forecast.bins = shiftToBaseline(forecast.bins, -shift);
    }
    return forecast;
}

void SearchState::reset(SearchInfo info, Phase phase)
{
    m_info = std::move(info);
    chooseReference();
    m_tree = Tree();
    m_events.clear();
    m_byNode.clear();
    m_forecasts.clear();
    m_proposed.clear();
    m_outcomes.clear();
    m_lastSelection = 0;
    m_phase = phase;
    m_message.clear();
    emit searchReset();
    emit phaseChanged();
}

void SearchState::clear()
{
    reset({}, Phase::None);
}

void SearchState::setPhase(Phase phase, const QString& message)
{
    if (phase == m_phase && message == m_message)
        return;
    m_phase = phase;
    m_message = message;
    emit phaseChanged();
}

void SearchState::setInfo(SearchInfo info)
{
    m_info = std::move(info);
    chooseReference();
    emit infoChanged();
}

void SearchState::append(const std::vector<EventRow>& events)
{
    if (events.empty())
        return;
    for (const EventRow& row : events) {
        if (row.seq <= m_tree.lastSeq())
            continue; // a resumed search tells its history again
        const auto applied = m_tree.apply(row);
        if (!applied) {
            setPhase(Phase::Failed, QString::fromStdString(applied.error().toString()));
            break;
        }
        m_events.push_back(row);
        index(row);
    }
    emit eventsApplied();
}

void SearchState::index(const EventRow& row)
{
    const auto kind = static_cast<EventKind>(row.kind);
    if (kind == EventKind::ParentSelected) {
        m_lastSelection = row.seq;
        return;
    }
    if (row.node < 0 || kind == EventKind::SearchStarted)
        return;
    NodeEvents& at = m_byNode[row.node];
    switch (kind) {
    case EventKind::CandidateProposed:
        at.proposed = row.seq;
        at.selection = m_lastSelection;
        if (auto decoded = decodeProposed(row.payload))
            m_proposed.emplace(row.node, std::move(*decoded));
        break;
    case EventKind::ForecastMade:
        // A ghost proposed again is forecast again; the forecast that counts is the one before its decision.
        if (auto decoded = decodeForecast(row.payload))
            m_forecasts.insert_or_assign(row.node, std::move(*decoded));
        break;
    case EventKind::CandidateChosen:
    case EventKind::CandidateSkipped:
        at.decision = row.seq;
        at.selection = m_lastSelection; // a ghost may be decided on again by another node's expansion
        break;
    case EventKind::Measured: {
        at.measured = at.annex = row.seq;
        const TreeNode& node = m_tree.node(NodeId(row.node));
        const auto forecastIt = m_forecasts.find(row.node);
        if (node.hasForecast && forecastIt != m_forecasts.end()) {
            m_outcomes.push_back(
                {node.id, node.forecastLog2, node.measuredLog2, node.pi, forecastIt->second.coldStart});
        }
        break;
    }
    case EventKind::Compiled:
    case EventKind::Verified:
    case EventKind::Failed:
        at.annex = row.seq;
        break;
    default:
        break;
    }
}

} // namespace foresight
