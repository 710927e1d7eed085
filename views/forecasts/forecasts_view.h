// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts panel: the eight-bin histogram of the selected node with the measured bin, its siblings as small multiples
// with the cut line, and forecast against measured for every measured node, linked to the selection.
#pragma once

#include "views/common/lazy_panel.h"
#include "views/common/search_state.h"
#include "views/common/selection_hub.h"

class QLabel;
class QStackedWidget;

namespace foresight {

class Histogram8;
class HistogramGrid;
class ScatterPlot;
struct HistogramData;

class ForecastsView : public LazyPanel {
    Q_OBJECT
public:
    ForecastsView(SearchState& search, SelectionHub& selection, QWidget* parent = nullptr);

    Histogram8* histogram() const { return m_histogram; }
    HistogramGrid* siblings() const { return m_siblings; }
    ScatterPlot* scatter() const { return m_scatter; }

protected:
    void refresh() override;

private:
    HistogramData histogramOf(NodeId id) const;
    void refreshNode();
    void refreshScatter();

    SearchState& m_search;
    SelectionHub& m_selection;
    QLabel* m_caption;
    Histogram8* m_histogram;
    HistogramGrid* m_siblings;
    ScatterPlot* m_scatter;
};

} // namespace foresight
