// SPDX-License-Identifier: GPL-3.0-or-later
// How our QCustomPlots look: theme colours, fonts, tickers for speedups on a log2 axis. GUI thread; .cpp
// files only (includes qcustomplot.h).
#pragma once

#include "widgets/theme.h"

// Its header uses Qt's foreach in two templates, which this project switches off (QT_NO_FOREACH).
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef foreach

namespace foresight {

void stylePlot(QCustomPlot* plot, const QFont& font);
void styleAxisRect(QCPAxisRect* rect, const QFont& font);
void styleLegend(QCPLegend* legend, const QFont& font);
// As many ticks as labels fit on the axis: panels can be narrow.
class FittedTicker : public QCPAxisTicker
{
public:
    explicit FittedTicker(const QCPAxis* axis) : m_axis(axis) {}

protected:
    int fittingTicks() const;
    double getTickStep(const QCPRange& range) override;

private:
    const QCPAxis* m_axis;
};

// Axis values are log2 S, labels read "0.5×", "1×", "1.41×".
class Log2SpeedupTicker : public FittedTicker
{
public:
    using FittedTicker::FittedTicker;

protected:
    double getTickStep(const QCPRange& range) override;
    int getSubTickCount(double tickStep) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
};

// Linear axis of speedups: "1.5×".
class SpeedupTicker : public FittedTicker
{
public:
    using FittedTicker::FittedTicker;

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
};

// Linear axis 0..1: "50 %".
class PercentTicker : public FittedTicker
{
public:
    using FittedTicker::FittedTicker;

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
};

// Whole numbers only, grouped: "1,000".
class CountTicker : public FittedTicker
{
public:
    using FittedTicker::FittedTicker;

protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
};

// For CSV: enough digits, "." as decimal point, empty for unknown.
QString csvNumber(double value);
QString csvText(QString text);

} // namespace foresight
