// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operators/operators_model.h"

#include "views/common/operator_text.h"
#include "widgets/number_format.h"
#include "widgets/table_view.h"

#include <algorithm>

namespace foresight {

// A root stands for an operator (kernel < 0), a child for one of its kernels.
struct OperatorsModel::Node {
    Node* parent = nullptr;
    int row = 0;
    int operatorIndex = 0; // into SessionState::operators()
    int kernel = -1;
    std::vector<std::unique_ptr<Node>> children;
};

OperatorsModel::OperatorsModel(SessionState& state, QObject* parent) : QAbstractItemModel(parent), m_state(state)
{
    connect(&state, &SessionState::sessionChanged, this, &OperatorsModel::rebuild);
    connect(&state, &SessionState::operatorChanged, this, &OperatorsModel::refresh);
    rebuild();
}

OperatorsModel::~OperatorsModel() = default;

void OperatorsModel::rebuild()
{
    beginResetModel();
    m_roots.clear();
    m_maxHeadroomNs = 0;
    const auto& operators = m_state.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        auto root = std::make_unique<Node>();
        root->row = root->operatorIndex = static_cast<int>(i);
        for (std::size_t k = 0; k < operators[i].kernels.size(); ++k) {
            auto child = std::make_unique<Node>();
            child->parent = root.get();
            child->row = child->kernel = static_cast<int>(k);
            child->operatorIndex = root->operatorIndex;
            root->children.push_back(std::move(child));
        }
        m_maxHeadroomNs = std::max(m_maxHeadroomNs, operators[i].headroomNs);
        m_roots.push_back(std::move(root));
    }
    endResetModel();
}

void OperatorsModel::refresh(OperatorId id)
{
    const QModelIndex at = indexOf(id);
    if (at.isValid())
        emit dataChanged(at, at.siblingAtColumn(ColumnCount - 1));
}

QModelIndex OperatorsModel::indexOf(OperatorId id) const
{
    for (const auto& root : m_roots) {
        if (m_state.operators()[static_cast<std::size_t>(root->operatorIndex)].id == id)
            return createIndex(root->row, 0, root.get());
    }
    return {};
}

QModelIndex OperatorsModel::index(int row, int column, const QModelIndex& parent) const
{
    const auto& siblings = parent.isValid() ? static_cast<Node*>(parent.internalPointer())->children : m_roots;
    if (row < 0 || row >= static_cast<int>(siblings.size()) || column < 0 || column >= ColumnCount ||
        (parent.isValid() && parent.column() != 0))
        return {};
    return createIndex(row, column, siblings[static_cast<std::size_t>(row)].get());
}

QModelIndex OperatorsModel::parent(const QModelIndex& child) const
{
    if (!child.isValid())
        return {};
    Node* parent = static_cast<Node*>(child.internalPointer())->parent;
    return parent ? createIndex(parent->row, 0, parent) : QModelIndex();
}

int OperatorsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_roots.size());
    return parent.column() == 0 ? static_cast<int>(static_cast<Node*>(parent.internalPointer())->children.size()) : 0;
}

int OperatorsModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

bool OperatorsModel::hasChildren(const QModelIndex& parent) const
{
    return rowCount(parent) > 0;
}

Qt::ItemFlags OperatorsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid() && static_cast<Node*>(index.internalPointer())->kernel >= 0)
        flags |= Qt::ItemNeverHasChildren;
    return flags;
}

QVariant OperatorsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Node& node = *static_cast<Node*>(index.internalPointer());
    const ProfiledOperator& op = m_state.operators()[static_cast<std::size_t>(node.operatorIndex)];
    if (role == OperatorRole)
        return static_cast<qint64>(op.id.value);
    if (role == Qt::TextAlignmentRole) {
        const bool text = index.column() == Name || index.column() == Shapes || index.column() == Search || index.column() == Verdict;
        return static_cast<int>((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (node.kernel >= 0)
        return kernelData(op, op.kernels[static_cast<std::size_t>(node.kernel)], index.column(), role);
    return operatorData(op, index.column(), role);
}

QVariant OperatorsModel::operatorData(const ProfiledOperator& op, int column, int role) const
{
    const double timesFloor = op.floorNs > 0 ? op.meanNs / op.floorNs : 0;
    if (role == BarRole) {
        if (column == Share)
            return op.share;
        if (column == Headroom && m_maxHeadroomNs > 0)
            return op.headroomNs / m_maxHeadroomNs;
        return {};
    }
    if (role == SortRole) {
        switch (column) {
        case Calls: return static_cast<qint64>(op.calls);
        case GpuTime: return op.gpuNs;
        case Share: return op.share;
        case Mean: return op.meanNs;
        case P95: return op.p95Ns;
        case Floor: return op.floorNs;
        case TimesFloor: return timesFloor;
        case Headroom: return op.headroomNs;
        default: return operatorData(op, column, Qt::DisplayRole);
        }
    }
    const OperatorMatch* match = m_state.match(op.id);
    const OperatorVerdict* verdict = m_state.verdict(op.id);
    if (role == Qt::ToolTipRole) {
        if (column == Name) {
            QStringList lines{QString::fromStdString(op.description.name)};
            for (std::size_t i = 0; i < op.modulePaths.size() && i < 12; ++i)
                lines << QString::fromStdString(op.modulePaths[i]);
            if (op.modulePaths.size() > 12)
                lines << tr("and %n more", nullptr, static_cast<int>(op.modulePaths.size()) - 12);
            if (op.overlapsWith.valid())
                lines << tr("Part of another row: its headroom is counted there.");
            return lines.join(QLatin1Char('\n'));
        }
        if (column == Floor || column == TimesFloor) {
            return op.floorKind == FloorKind::Known
                       ? tr("The least time this GPU needs: compulsory bytes, arithmetic, or an empty kernel.")
                       : tr("An estimate: inputs and outputs read and written once.");
        }
        if (column == Search && match)
            return match->problemKey + QLatin1Char('\n') +
                   (match->spacePath.isEmpty() ? tr("Needs a GPU here: no recorded measurements of this shape.")
                                               : match->spacePath);
        return operatorData(op, column, Qt::DisplayRole);
    }
    if (role != Qt::DisplayRole)
        return {};
    const QLocale locale;
    switch (column) {
    case Name: {
        QString text = QString::fromStdString(op.description.name);
        if (!op.modulePath.empty() && op.modulePath != "*")
            text += QStringLiteral("  ") + QString::fromStdString(op.modulePath);
        return op.overlapsWith.valid() ? tr("%1 (part of another row)").arg(text) : text;
    }
    case Calls: return formatCount(op.calls, locale);
    case GpuTime: return formatTime(op.gpuNs, TimeUnit::Ms, locale);
    case Share: return formatPercent(op.share, 1, locale);
    case Mean: return formatTime(op.meanNs, TimeUnit::Us, locale);
    case P95: return formatTime(op.p95Ns, TimeUnit::Us, locale);
    case Floor:
        if (op.floorKind == FloorKind::None)
            return QStringLiteral("–");
        return (op.floorKind == FloorKind::Estimate ? QStringLiteral("≈ ") : QString()) +
               formatTime(op.floorNs, TimeUnit::Us, locale);
    case TimesFloor: return timesFloor > 0 ? formatSpeedup(timesFloor, locale) : QStringLiteral("–");
    case Headroom: return formatTime(op.headroomNs, TimeUnit::Ms, locale);
    case Shapes: return describeInputs(op.description);
    case Search:
        if (m_state.running() == op.id)
            return tr("searching…");
        if (m_state.latestSearch(op.id))
            return tr("searched");
        if (!match)
            return QString();
        return match->spacePath.isEmpty() ? tr("%1 (needs a GPU)").arg(match->family) : tr("%1, recorded").arg(match->family);
    case Verdict:
        if (!verdict)
            return QString();
        return verdict->deploy ? tr("deploy, %1").arg(formatSpeedup(verdict->speedup, locale)) : tr("fall back");
    default: return {};
    }
}

QVariant OperatorsModel::kernelData(const ProfiledOperator& op, const ProfiledKernel& kernel, int column, int role) const
{
    const double mean = kernel.calls > 0 ? kernel.gpuNs / static_cast<double>(kernel.calls) : 0;
    if (role == SortRole) {
        switch (column) {
        case Calls: return static_cast<qint64>(kernel.calls);
        case GpuTime:
        case Headroom: return kernel.gpuNs;
        case Share: return op.gpuNs > 0 ? kernel.gpuNs / op.gpuNs : 0;
        case Mean: return mean;
        default: return QString::fromStdString(kernel.name);
        }
    }
    if ((role == Qt::ToolTipRole || role == CopyRole) && column == Name)
        return QString::fromStdString(kernel.name);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Name: return shortKernelName(QString::fromStdString(kernel.name), 1);
    case Calls: return formatCount(kernel.calls);
    case GpuTime: return formatTime(kernel.gpuNs, TimeUnit::Ms);
    case Mean: return formatTime(mean, TimeUnit::Us);
    case Shapes:
        return tr("grid %1×%2×%3, block %4×%5×%6, %n register(s)", nullptr, kernel.registers)
            .arg(kernel.grid[0]).arg(kernel.grid[1]).arg(kernel.grid[2])
            .arg(kernel.block[0]).arg(kernel.block[1]).arg(kernel.block[2]);
    default: return {};
    }
}

QVariant OperatorsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case Name: return tip ? tr("Operator and module; its kernels below it") : tr("Operator");
    case Calls: return tip ? tr("Calls in the recorded window, exact") : tr("Calls");
    case GpuTime: return tip ? tr("Total GPU time in the recorded window (ms)") : tr("GPU time");
    case Share: return tip ? tr("Share of all GPU time") : tr("Share");
    case Mean: return tip ? tr("Mean GPU time of one call (µs)") : tr("Mean");
    case P95: return tip ? tr("95th percentile of one call (µs)") : tr("p95");
    case Floor: return tip ? tr("The least time one call can take on this GPU (µs)") : tr("Floor");
    case TimesFloor: return tip ? tr("Mean time as a multiple of the floor") : tr("× floor");
    case Headroom: return tip ? tr("GPU time above the floor: what could be won back (ms)") : tr("Headroom");
    case Shapes: return tip ? tr("Shapes and types of the inputs") : tr("Inputs");
    case Search: return tip ? tr("Can it be searched, and has it been?") : tr("Search");
    case Verdict: return tip ? tr("The guard's verdict on the best kernel found") : tr("Verdict");
    default: return {};
    }
}

} // namespace foresight
