// SPDX-License-Identifier: GPL-3.0-or-later
// The eight speedup bins of a forecast: probabilities as bars, the measured bin marked by a marker and a word
// (not by colour alone), expected value line, fail probabilities beside. HistogramGrid shows many as small
// multiples with the cut line between chosen and skipped. GUI thread.
#pragma once

#include "widgets/plot_widget.h"

#include <QVector>

#include <array>
#include <limits>

namespace foresight {

struct HistogramData
{
    bool valid = false;
    std::array<double, 8> probabilities{}; // sum to 1, conditional on success
    // The seven inner edges as speedups (of the scheme used).
    std::array<double, 7> edges{0.25, 0.5, 0.70710678118654752, 1, 1.4142135623730951, 2, 4};
    QString schemeName;                                                // "gf8-label"
    double expectedSpeedup = std::numeric_limits<double>::quiet_NaN(); // NaN: no line
    double failsToRun = 0, wrongResult = 0;                            // probabilities
    int measuredBin = 0;                                               // 1..8; 0: not measured
    double measuredSpeedup = std::numeric_limits<double>::quiet_NaN();
    QString failedText; // set when measuring it failed: what happened
    QString title;      // "#217, forecast by gp (model 4)"
    QString reference;  // what the speedups are relative to; empty: the baseline
};

// Painting shared by the single histogram and the small multiples. `compact` leaves out labels.
void paintHistogram(QPainter* painter, const QRectF& rect, const HistogramData& data, bool compact,
                    const QFont& font);
// In words: most likely bin, expected value, fail probabilities, what was measured.
QString describeHistogram(const HistogramData& data);
// "minor speedup" ... in the user's language; bin in 1..8.
QString binDisplayName(int bin);

class Histogram8 : public PlotWidget
{
    Q_OBJECT
public:
    explicit Histogram8(QWidget* parent = nullptr);

    void setData(const HistogramData& data);
    void clear() { setData({}); }
    const HistogramData& data() const { return m_data; }
    // Text shown while there is nothing to show.
    void setEmptyText(const QString& text);

    QString toCsv() const override;
    QString describe() const override;
    void render(QPainter* painter, const QSize& size) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    // Which bin is under this point, 1..8, or 0.
    int binAt(const QPoint& pos) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    HistogramData m_data;
    QString m_emptyText;
};

struct HistogramItem
{
    qint64 id = -1;
    HistogramData data;
    bool chosen = false; // measured by the policy; the others were skipped
    bool audit = false;
    double score = 0; // what they are ranked by
    QString caption;  // "#217  1.42×"
};

// Shows the items in the order given; a cut line stands where `chosen` ends. Arrow keys move, Enter
// activates.
class HistogramGrid : public PlotWidget
{
    Q_OBJECT
public:
    explicit HistogramGrid(QWidget* parent = nullptr);

    void setItems(const QVector<HistogramItem>& items, const QString& cutText = {});
    const QVector<HistogramItem>& items() const { return m_items; }
    void setSelected(qint64 id);
    qint64 selected() const { return m_selected; }

    QString toCsv() const override;
    QString describe() const override;
    void render(QPainter* painter, const QSize& size) const override;
    // Put into a QScrollArea with setWidgetResizable(true): height follows width.
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    QRect itemRect(int index) const;

signals:
    void itemSelected(qint64 id);
    void itemActivated(qint64 id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsFor(int width) const;
    QSize cellSize(int width) const;
    QRect itemRectFor(int index, int width) const;
    int indexAt(const QPoint& pos) const;
    int selectedIndex() const;
    int cutIndex() const;
    void paintItems(QPainter* painter, int width, const QRect& clip) const;
    void select(int index);

    QVector<HistogramItem> m_items;
    QString m_cutText;
    qint64 m_selected = -1;
};

} // namespace foresight
