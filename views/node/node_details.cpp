// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/node/node_details.h"

#include "widgets/histogram8.h"
#include "widgets/number_format.h"

#include <QCoreApplication>

#include <cmath>

namespace foresight {

namespace {

// The translation context of this file's strings.
struct NodeDetails {
    Q_DECLARE_TR_FUNCTIONS(foresight::NodeDetails)
};

void heading(QVector<KeyValueRow>& rows, const QString& text)
{
    KeyValueRow row;
    row.key = text;
    row.heading = true;
    rows.push_back(row);
}

void add(QVector<KeyValueRow>& rows, const QString& key, const QString& value, const QString& tip = {})
{
    if (!value.isEmpty())
        rows.push_back({key, value, tip, false, StatusKind::Neutral});
}

QString exponential(double value)
{
    return QLocale().toString(value, 'e', 2);
}

void addForecast(QVector<KeyValueRow>& rows, const SearchState& search, const TreeNode& node)
{
    const Forecast* made = search.forecast(node.id);
    if (!made)
        return;
    const Forecast shown = search.shown(*made);
    const Forecast* forecast = &shown;
    heading(rows, NodeDetails::tr("Forecast"));
    add(rows, NodeDetails::tr("Expected speedup over %1").arg(search.referenceName()), formatSpeedup(shown.sdLog2 > 0 ? std::exp2(shown.meanLog2) : geometricSpeedup(shown.bins)), NodeDetails::tr("Geometric mean, given that it works."));
    add(rows, NodeDetails::tr("Most likely"), QStringLiteral("%1 (%2)").arg(binDisplayName(mostLikelyBin(forecast->bins)), formatPercent(confidenceMax(forecast->bins))));
    add(rows, NodeDetails::tr("Does not build or run"), formatPercent(forecast->failsToRun));
    add(rows, NodeDetails::tr("Wrong result"), formatPercent(forecast->wrongResult));
    add(rows, NodeDetails::tr("Made by"), NodeDetails::tr("%1, model %2%3").arg(QString::fromStdString(forecast->forecaster)).arg(forecast->modelVersion).arg(forecast->coldStart ? NodeDetails::tr(", before any measurement") : QString()));
    if (const auto decision = search.decision(node.id)) {
        const bool skipped = node.state == NodeState::Skipped;
        add(rows, skipped ? NodeDetails::tr("Skipped by") : NodeDetails::tr("Chosen by"), QString::fromStdString(decision->rule));
        if (decision->of > 0)
            add(rows, NodeDetails::tr("Rank in its batch"), NodeDetails::tr("%1 of %2").arg(decision->rank).arg(decision->of));
    }
    if (node.audit)
        add(rows, NodeDetails::tr("Audit"), NodeDetails::tr("measured although skipped, to keep the statistics honest"));
}

void addMeasured(QVector<KeyValueRow>& rows, const SearchState& search, const TreeNode& node)
{
    const auto measured = search.measured(node.id);
    if (!measured)
        return;
    heading(rows, measured->recorded ? NodeDetails::tr("Recorded measurement") : NodeDetails::tr("Measured"));
    add(rows, NodeDetails::tr("Speedup over %1").arg(search.info().baseline), formatSpeedup(std::exp2(node.measuredLog2)));
    if (node.measuredHalfWidth > 0) {
        add(rows, NodeDetails::tr("Interval"), QStringLiteral("%1 – %2").arg(formatSpeedup(std::exp2(node.measuredLog2 - node.measuredHalfWidth)), formatSpeedup(std::exp2(node.measuredLog2 + node.measuredHalfWidth))));
    }
    add(rows, NodeDetails::tr("Time"), formatTime(measured->timeNs));
    if (measured->anchorNs > 0)
        add(rows, NodeDetails::tr("Anchor beside it"), formatTime(measured->anchorNs), NodeDetails::tr("The family's default configuration, timed in the same process."));
    if (measured->look > 0)
        add(rows, NodeDetails::tr("Quads"), formatCount(measured->look));
    add(rows, NodeDetails::tr("Regime"), measured->regime == Regime::Cold ? NodeDetails::tr("cold cache") : NodeDetails::tr("hot cache"));
}

void addReply(QVector<KeyValueRow>& rows, const GpuReply& reply)
{
    if (!reply.resources.empty()) {
        heading(rows, NodeDetails::tr("Resources"));
        for (const KernelResources& kernel : reply.resources) {
            QString text = NodeDetails::tr("%1 registers, %2 shared, occupancy %3")
                               .arg(kernel.registers)
                               .arg(formatBytes(static_cast<double>(kernel.staticShared + kernel.dynamicShared)), formatPercent(kernel.occupancy, 0));
            if (kernel.spillStores > 0)
                text += NodeDetails::tr(", %1 spilled").arg(formatBytes(static_cast<double>(kernel.spillStores)));
            add(rows, QString::fromStdString(kernel.kernel), text, kernel.occupancyLimit.empty() ? QString() : NodeDetails::tr("limited by %1").arg(QString::fromStdString(kernel.occupancyLimit)));
        }
    }
    if (const auto& report = reply.verification) {
        heading(rows, NodeDetails::tr("Verification"));
        add(rows, NodeDetails::tr("Result"), report->passed ? NodeDetails::tr("passed") : NodeDetails::tr("failed: %1 (%2)").arg(QString::fromStdString(report->failedCheck), QString::fromStdString(report->failedInput)));
        add(rows, NodeDetails::tr("Largest error"), NodeDetails::tr("%1 absolute, %2 relative").arg(exponential(report->maxAbsError), exponential(report->maxRelError)));
        if (!report->passed && !report->firstBadIndex.empty()) {
            QStringList index;
            for (const std::int64_t i : report->firstBadIndex)
                index << QString::number(i);
            add(rows, NodeDetails::tr("First bad element"), NodeDetails::tr("%1[%2] is %3, expected %4").arg(QString::fromStdString(report->tensor), index.join(QStringLiteral(", "))).arg(report->firstBadValue).arg(report->firstBadExpected));
        }
    }
    if (reply.timing && reply.timing->smClockMhz > 0) {
        heading(rows, NodeDetails::tr("Conditions"));
        add(rows, NodeDetails::tr("SM clock"), NodeDetails::tr("%1 MHz").arg(formatFixed(reply.timing->smClockMhz, 0)));
        if (reply.timing->temperatureC > 0) // not recorded everywhere
            add(rows, NodeDetails::tr("Temperature"), NodeDetails::tr("%1 °C").arg(formatFixed(reply.timing->temperatureC, 0)));
        if (reply.timing->powerW > 0)
            add(rows, NodeDetails::tr("Power"), NodeDetails::tr("%1 W").arg(formatFixed(reply.timing->powerW, 0)));
    }
    if (reply.costs.total() > 0) {
        heading(rows, NodeDetails::tr("Cost"));
        add(rows, NodeDetails::tr("Compiling"), formatDuration(reply.costs.compileSeconds));
        add(rows, NodeDetails::tr("Verifying"), formatDuration(reply.costs.verifySeconds));
        add(rows, NodeDetails::tr("Measuring"), formatDuration(reply.costs.measureSeconds));
    }
}

} // namespace

QString outcomeText(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Ok: return NodeDetails::tr("works");
    case Outcome::BuildFailed: return NodeDetails::tr("does not build");
    case Outcome::LaunchRejected: return NodeDetails::tr("exceeds a limit of this GPU or its own requirements");
    case Outcome::WrongResult: return NodeDetails::tr("wrong result");
    case Outcome::NotWritten: return NodeDetails::tr("leaves output elements unwritten");
    case Outcome::Replayed: return NodeDetails::tr("replays an old result");
    case Outcome::Nondeterministic: return NodeDetails::tr("results change between runs");
    case Outcome::OutOfBounds: return NodeDetails::tr("writes outside its buffers");
    case Outcome::InputModified: return NodeDetails::tr("modifies its inputs");
    case Outcome::Escaped: return NodeDetails::tr("work outlives the timed window");
    case Outcome::Suspect: return NodeDetails::tr("faster than the hardware allows");
    case Outcome::Timeout: return NodeDetails::tr("did not end in time");
    case Outcome::Crashed: return NodeDetails::tr("crashed");
    case Outcome::OutOfMemory: return NodeDetails::tr("out of memory");
    case Outcome::Unknown: return NodeDetails::tr("not in the recorded space");
    case Outcome::GpuUnwell: return NodeDetails::tr("the GPU is unwell");
    case Outcome::Cancelled: return NodeDetails::tr("cancelled");
    case Outcome::Internal: return NodeDetails::tr("internal error");
    }
    return {};
}

NodeHeadline nodeHeadline(const SearchState& search, const TreeNode& node)
{
    const QString title = QStringLiteral("#%1").arg(node.id.value); // its parameters are in the list below
    switch (node.state) {
    case NodeState::Root: return {StatusKind::Neutral, NodeDetails::tr("Root: the whole space competes here with local refinement.")};
    case NodeState::Proposed:
    case NodeState::Forecast: return {StatusKind::Info, NodeDetails::tr("%1: waiting for a decision").arg(title)};
    case NodeState::Skipped: return {StatusKind::Neutral, NodeDetails::tr("%1: skipped, forecast %2 over %3").arg(title, formatSpeedup(std::exp2(node.forecastLog2)), search.info().baseline)};
    case NodeState::Running: return {StatusKind::Running, NodeDetails::tr("%1: running").arg(title)};
    case NodeState::Measured: return {StatusKind::Good, NodeDetails::tr("%1: %2 over %3").arg(title, formatSpeedup(std::exp2(node.measuredLog2)), search.info().baseline)};
    case NodeState::Failed: return {StatusKind::Error, NodeDetails::tr("%1: %2").arg(title, outcomeText(node.outcome))};
    }
    return {};
}

QVector<KeyValueRow> nodeDetails(const SearchState& search, const TreeNode& node)
{
    QVector<KeyValueRow> rows;
    addMeasured(rows, search, node);
    const auto reply = search.reply(node.id);
    if (node.state == NodeState::Failed) {
        heading(rows, NodeDetails::tr("Failed"));
        add(rows, NodeDetails::tr("Outcome"), outcomeText(node.outcome));
        if (reply) {
            add(rows, NodeDetails::tr("Message"), QString::fromStdString(reply->message));
            add(rows, NodeDetails::tr("What to do"), QString::fromStdString(reply->hint));
        }
    }
    addForecast(rows, search, node);
    if (const ProposedPayload* candidate = search.proposed(node.id)) {
        heading(rows, NodeDetails::tr("Parameters"));
        for (const auto& [name, value] : candidate->configuration)
            add(rows, QString::fromStdString(name), QString::fromStdString(valueText(value)));
        add(rows, NodeDetails::tr("Proposed by"), QString::fromStdString(candidate->origin));
        add(rows, NodeDetails::tr("Content hash"), QString::fromStdString(candidate->contentHash).left(16), QString::fromStdString(candidate->contentHash));
    }
    if (reply)
        addReply(rows, *reply);
    heading(rows, NodeDetails::tr("In the tree"));
    add(rows, NodeDetails::tr("Parent"), node.parent.valid() ? (node.parent.value == 0 ? NodeDetails::tr("root") : QStringLiteral("#%1").arg(node.parent.value)) : QString());
    add(rows, NodeDetails::tr("Children"), formatCount(static_cast<qint64>(node.children.size())));
    add(rows, NodeDetails::tr("Expansions"), NodeDetails::tr("%1 of the node, %2 with its descendants").arg(node.expansions).arg(node.visits));
    if (node.duplicates > 0)
        add(rows, NodeDetails::tr("Proposed again"), formatCount(node.duplicates));
    return rows;
}

} // namespace foresight
