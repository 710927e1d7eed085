// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them: the locale's separators, fixed digits, units. Pure functions, any thread.
// NaN and infinities that mean "unknown" give an en dash, never a made-up number.
#pragma once

#include <QLocale>
#include <QString>

namespace foresight {

enum class TimeUnit : quint8 { Auto, Ns, Us, Ms, S };

// 1234 ns -> "1.234 µs". With a fixed unit all rows of a column line up: three digits after the point.
QString formatTime(double durationNs, TimeUnit unit = TimeUnit::Auto, const QLocale& locale = QLocale());
// 1.8333 -> "1.83×"; from log2: formatSpeedup(exp2(x)).
QString formatSpeedup(double speedup, const QLocale& locale = QLocale());
// 0.1234 -> "12.3 %".
QString formatPercent(double fraction, int digits = 1, const QLocale& locale = QLocale());
QString formatCount(qint64 count, const QLocale& locale = QLocale());
// 1536 -> "1.50 KiB".
QString formatBytes(double bytes, const QLocale& locale = QLocale());
QString formatFixed(double value, int digits, const QLocale& locale = QLocale());
// 3725 s -> "1:02:05"; below a minute "12.3 s".
QString formatDuration(double seconds, const QLocale& locale = QLocale());

// A long C++ kernel name made short: template arguments beyond `depth` become "…", namespaces and return type
// go. depth 0: void at::native::vectorized_elementwise_kernel<4, Foo<int>>(int, X) ->
// "vectorized_elementwise_kernel<…>".
QString shortKernelName(const QString& name, int depth = 0);

} // namespace foresight
