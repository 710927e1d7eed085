// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/number_format.h"

#include <QStringList>

#include <cmath>

namespace foresight {

namespace {

const QString kUnknown = QStringLiteral("–");
// Between number and unit, so that they never part at a line's end.
const QChar kSpace = QChar(0x202F);

} // namespace

QString formatFixed(double value, int digits, const QLocale& locale)
{
    if (!std::isfinite(value))
        return kUnknown;
    return locale.toString(value, 'f', digits);
}

QString formatTime(double durationNs, TimeUnit unit, const QLocale& locale)
{
    if (!std::isfinite(durationNs))
        return kUnknown;
    const double magnitude = std::abs(durationNs);
    if (unit == TimeUnit::Auto) {
        // The unit changes where three digits after the point would round up to 1000.
        unit = magnitude < 999.5        ? TimeUnit::Ns
               : magnitude < 999999.5   ? TimeUnit::Us
               : magnitude < 9.999995e8 ? TimeUnit::Ms
                                        : TimeUnit::S;
    }
    switch (unit) {
    case TimeUnit::Ns:
        return locale.toString(durationNs, 'f', 0) + kSpace + QStringLiteral("ns");
    case TimeUnit::Us:
        return locale.toString(durationNs / 1e3, 'f', 3) + kSpace + QStringLiteral("µs");
    case TimeUnit::Ms:
        return locale.toString(durationNs / 1e6, 'f', 3) + kSpace + QStringLiteral("ms");
    default:
        return locale.toString(durationNs / 1e9, 'f', 3) + kSpace + QStringLiteral("s");
    }
}

QString formatSpeedup(double speedup, const QLocale& locale)
{
    if (!std::isfinite(speedup))
        return kUnknown;
    return locale.toString(speedup, 'f', 2) + QChar(0x00D7);
}

QString formatPercent(double fraction, int digits, const QLocale& locale)
{
    if (!std::isfinite(fraction))
        return kUnknown;
    return locale.toString(fraction * 100, 'f', digits) + kSpace + locale.percent();
}

QString formatCount(qint64 count, const QLocale& locale)
{
    return locale.toString(count);
}

QString formatBytes(double bytes, const QLocale& locale)
{
    if (!std::isfinite(bytes))
        return kUnknown;
    static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (std::abs(bytes) >= 1023.995 && unit + 1 < std::size(kUnits)) {
        bytes /= 1024;
        ++unit;
    }
    return locale.toString(bytes, 'f', unit == 0 ? 0 : 2) + kSpace + QLatin1String(kUnits[unit]);
}

QString formatDuration(double seconds, const QLocale& locale)
{
    if (!std::isfinite(seconds))
        return kUnknown;
    if (std::abs(seconds) < 59.95)
        return locale.toString(seconds, 'f', 1) + kSpace + QStringLiteral("s");
    const QString sign = seconds < 0 ? QStringLiteral("-") : QString();
    const auto total = static_cast<qint64>(std::llround(std::abs(seconds)));
    const auto two = [](qint64 v) { return QString::number(v).rightJustified(2, QLatin1Char('0')); };
    const qint64 hours = total / 3600, minutes = total / 60 % 60, rest = total % 60;
    if (hours > 0)
        return sign + QString::number(hours) + QLatin1Char(':') + two(minutes) + QLatin1Char(':') + two(rest);
    return sign + QString::number(minutes) + QLatin1Char(':') + two(rest);
}

QString shortKernelName(const QString& name, int depth)
{
    // Cut template arguments deeper than `depth` and the parameter list; operator<, operator() and
    // "(anonymous namespace)" carry the same characters and are no brackets.
    QString kept;
    kept.reserve(name.size());
    int level = 0;
    bool cut = false;
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar c = name[i];
        const QStringView rest = QStringView(name).mid(i);
        if (level == 0 && rest.startsWith(QLatin1String("(anonymous namespace)"))) {
            i += 20;
            kept += QLatin1String("{anonymous}");
            continue;
        }
        if (rest.startsWith(QLatin1String("operator"))) {
            static const QStringList kOperators{QStringLiteral("operator()"), QStringLiteral("operator<<"),
                                                QStringLiteral("operator>>"), QStringLiteral("operator<="),
                                                QStringLiteral("operator>="), QStringLiteral("operator->"),
                                                QStringLiteral("operator<"),  QStringLiteral("operator>")};
            const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                            [rest](const QString& op) { return rest.startsWith(op); });
            if (found != kOperators.end()) {
                if (level <= depth)
                    kept += *found;
                i += found->size() - 1;
                continue;
            }
        }
        if (c == QLatin1Char('<')) {
            ++level;
            if (level <= depth)
                kept += c;
            else if (level == depth + 1)
                kept += QStringLiteral("<…>");
            continue;
        }
        if (c == QLatin1Char('>') && level > 0) {
            if (level <= depth)
                kept += c;
            --level;
            continue;
        }
        if (level > depth)
            continue;
        if (level == 0 && c == QLatin1Char('(')) {
            cut = true;
            break;
        }
        kept += c;
    }
    // Return type: only demangled templates write it, as "void name<...>(...)".
    if (cut || kept.startsWith(QLatin1String("void "))) {
        int inside = 0;
        qsizetype space = -1;
        for (qsizetype i = 0; i < kept.size(); ++i) {
            inside += kept[i] == QLatin1Char('<') ? 1 : kept[i] == QLatin1Char('>') ? -1 : 0;
            if (inside == 0 && kept[i] == QLatin1Char(' ') && !kept.endsWith(QLatin1Char(' ')))
                space = i;
        }
        if (space >= 0)
            kept = kept.mid(space + 1);
    }
    qsizetype scope = -1;
    int inside = 0;
    for (qsizetype i = 0; i + 1 < kept.size(); ++i) {
        inside += kept[i] == QLatin1Char('<') ? 1 : kept[i] == QLatin1Char('>') ? -1 : 0;
        if (inside == 0 && kept[i] == QLatin1Char(':') && kept[i + 1] == QLatin1Char(':'))
            scope = i + 2;
    }
    if (scope > 0)
        kept = kept.mid(scope);
    return kept.isEmpty() ? name : kept;
}

} // namespace foresight
