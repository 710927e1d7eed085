// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/operator_text.h"

#include <QStringList>

namespace foresight {

namespace {

QString describeInput(const OperatorInput& input)
{
    QStringList extents;
    for (const std::int64_t extent : input.shape)
        extents << QString::number(extent);
    const std::string_view name = dtypeName(input.dtype);
    return QStringLiteral("%1 %2").arg(extents.isEmpty() ? QStringLiteral("[]") : extents.join(QChar(0x00d7)),
                                       QString::fromUtf8(name.data(), static_cast<int>(name.size())));
}

bool isTensor(const OperatorInput& input)
{
    return input.dtype != DType::Unknown || !input.shape.empty();
}

} // namespace

QString describeInputs(const OperatorDescription& description)
{
    QStringList parts;
    for (const OperatorInput& input : description.inputs) {
        if (isTensor(input))
            parts << describeInput(input);
    }
    return parts.join(QStringLiteral(", "));
}

QString operatorTitle(const ProfiledOperator& op)
{
    QString title = QString::fromStdString(op.description.name);
    for (const OperatorInput& input : op.description.inputs) {
        if (isTensor(input)) {
            title += QStringLiteral("  ") + describeInput(input);
            break;
        }
    }
    return title;
}

} // namespace foresight
