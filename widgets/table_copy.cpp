// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table_view.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

namespace foresight {

namespace {

QString fullText(const QModelIndex& index)
{
    const QVariant copy = index.data(CopyRole);
    return copy.isValid() ? copy.toString() : index.data(Qt::DisplayRole).toString();
}

QString headerText(const QAbstractItemModel* model, int column)
{
    return model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
}

QString csvField(QString text)
{
    // A spreadsheet runs a field that starts like a formula; kernel names and model output are foreign text.
    if (!text.isEmpty() && QStringLiteral("=+@\t\r").contains(text.front()))
        text.prepend(QLatin1Char('\''));
    if (!text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"')) &&
        !text.contains(QLatin1Char('\n')))
        return text;
    text.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString markdownField(QString text)
{
    text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    text.replace(QLatin1Char('|'), QStringLiteral("\\|"));
    text.replace(QLatin1Char('<'), QStringLiteral("&lt;"));
    text.replace(QLatin1Char('\n'), QLatin1Char(' '));
    return text;
}

bool isRightAligned(const QModelIndex& index)
{
    const QVariant raw = index.data(RawRole);
    return raw.isValid() ? raw.userType() != QMetaType::QString
                         : (index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
}

QJsonValue jsonValue(const QModelIndex& index)
{
    QVariant raw = index.data(RawRole);
    if (!raw.isValid())
        return fullText(index);
    if (raw.userType() == QMetaType::Double || raw.userType() == QMetaType::Float)
        return std::isfinite(raw.toDouble()) ? QJsonValue(raw.toDouble()) : QJsonValue(QJsonValue::Null);
    return QJsonValue::fromVariant(raw);
}

QString joined(const QAbstractItemModel* model, const QModelIndexList& rows, const QList<int>& columns,
               QLatin1Char separator, bool quoted)
{
    QString text;
    const auto add = [&](int i, const QString& field) {
        if (i > 0)
            text += separator;
        text += quoted ? csvField(field) : QString(field).replace(QLatin1Char('\t'), QLatin1Char(' '));
    };
    for (int i = 0; i < static_cast<int>(columns.size()); ++i)
        add(i, headerText(model, columns[i]));
    text += QLatin1Char('\n');
    for (const QModelIndex& row : rows) {
        for (int i = 0; i < static_cast<int>(columns.size()); ++i)
            add(i, fullText(row.siblingAtColumn(columns[i])));
        text += QLatin1Char('\n');
    }
    return text;
}

} // namespace

QString formatRows(const QAbstractItemModel* model, const QModelIndexList& rows, const QList<int>& columns,
                   CopyFormat format)
{
    switch (format) {
    case CopyFormat::Csv:
        return joined(model, rows, columns, QLatin1Char(','), true);
    case CopyFormat::Plain:
        return joined(model, rows, columns, QLatin1Char('\t'), false);
    case CopyFormat::Markdown: {
        QString text = QStringLiteral("|"), rule = QStringLiteral("|");
        for (int column : columns) {
            text += QLatin1Char(' ') + markdownField(headerText(model, column)) + QStringLiteral(" |");
            const bool right = !rows.isEmpty() && isRightAligned(rows.first().siblingAtColumn(column));
            rule += right ? QStringLiteral(" ---: |") : QStringLiteral(" --- |");
        }
        text += QLatin1Char('\n') + rule + QLatin1Char('\n');
        for (const QModelIndex& row : rows) {
            text += QLatin1Char('|');
            for (int column : columns)
                text += QLatin1Char(' ') + markdownField(fullText(row.siblingAtColumn(column))) +
                        QStringLiteral(" |");
            text += QLatin1Char('\n');
        }
        return text;
    }
    case CopyFormat::JsonText: {
        QJsonArray array;
        for (const QModelIndex& row : rows) {
            QJsonObject object;
            for (int column : columns)
                object.insert(headerText(model, column), jsonValue(row.siblingAtColumn(column)));
            array.append(object);
        }
        return QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Indented));
    }
    }
    return {};
}

} // namespace foresight
