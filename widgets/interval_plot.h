// SPDX-License-Identifier: GPL-3.0-or-later
// One row per operator: the confidence interval of the speedup against 1.0 and the margin, with the verdict
// as a glyph and in words (and the reason). Rows can be selected by mouse and keyboard. GUI thread.
#pragma once

#include "widgets/plot_widget.h"

#include <QVector>

#include <limits>

namespace foresight {

enum class IntervalVerdict : quint8 { Pending, Deploy, FallBack, Failed };

struct IntervalRow
{
    qint64 id = -1;
    QString label;
    double estimate = std::numeric_limits<double>::quiet_NaN(); // speedup; NaN: nothing measured yet
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    IntervalVerdict verdict = IntervalVerdict::Pending;
    QString reason{};
};

class IntervalPlot : public PlotWidget
{
    Q_OBJECT
public:
    explicit IntervalPlot(QWidget* parent = nullptr);

    void setRows(const QVector<IntervalRow>& rows, double marginSpeedup);
    const QVector<IntervalRow>& rows() const { return m_rows; }
    void setSelected(qint64 id);
    qint64 selected() const { return m_selected; }
    QRect rowRect(int index) const;

    QString toCsv() const override;
    QString describe() const override;
    void render(QPainter* painter, const QSize& size) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void rowSelected(qint64 id);
    void rowActivated(qint64 id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    int axisHeight() const;
    int indexOf(qint64 id) const;
    void select(int index);

    QVector<IntervalRow> m_rows;
    double m_margin = 1.0;
    qint64 m_selected = -1;
};

QString verdictDisplayName(IntervalVerdict verdict);

} // namespace foresight
