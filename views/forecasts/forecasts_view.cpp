// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/forecasts/forecasts_view.h"

#include "widgets/histogram8.h"
#include "widgets/number_format.h"
#include "widgets/scatter_plot.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace foresight {

ForecastsView::ForecastsView(SearchState& search, SelectionHub& selection, QWidget* parent)
    : LazyPanel(parent), m_search(search), m_selection(selection), m_caption(new QLabel(this)),
      m_histogram(new Histogram8(this)), m_siblings(new HistogramGrid(this)), m_scatter(new ScatterPlot(this))
{
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setWordWrap(true);
    m_histogram->setEmptyText(tr("Select a node of the search tree to see what was forecast for it."));
    m_histogram->setExportName(QStringLiteral("forecast"));
    m_siblings->setExportName(QStringLiteral("siblings"));
    m_scatter->setExportName(QStringLiteral("forecast-measured"));
    m_histogram->setAccessibleName(tr("Forecast of the selected node"));
    m_siblings->setAccessibleName(tr("Forecasts of the same expansion"));
    m_scatter->setAccessibleName(tr("Forecast against measured speedup"));

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(m_siblings);

    // The panel is wide and low: what the node is compared with shares one place.
    auto* others = new QTabWidget(this);
    others->setDocumentMode(true);
    others->addTab(m_scatter, tr("Against measured"));
    others->addTab(scroll, tr("Same expansion"));
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(m_histogram);
    both->addWidget(others);
    both->setStretchFactor(0, 1);
    both->setStretchFactor(1, 1);
    both->setChildrenCollapsible(false);
    both->setSizes({1000, 1000}); // halves

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addWidget(m_caption);
    layout->addWidget(both, 1);

    connect(&search, &SearchState::searchReset, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::eventsApplied, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::referenceChanged, this, &LazyPanel::scheduleRefresh);
    connect(&selection, &SelectionHub::nodeChanged, this, &LazyPanel::scheduleRefresh);
    const auto select = [this](qint64 id) { m_selection.setNode(NodeId(id)); };
    connect(m_siblings, &HistogramGrid::itemSelected, this, select);
    connect(m_scatter, &ScatterPlot::pointSelected, this, select);
    scheduleRefresh();
}

void ForecastsView::refresh()
{
    refreshNode();
    refreshScatter();
}

HistogramData ForecastsView::histogramOf(NodeId id) const
{
    HistogramData histogram;
    const Forecast* made = m_search.forecast(id);
    if (!made)
        return histogram;
    const Forecast forecast = m_search.shown(*made);
    histogram.valid = true;
    histogram.reference = m_search.referenceName();
    std::copy(forecast.bins.begin(), forecast.bins.end(), histogram.probabilities.begin());
    const auto& edges = binEdges(forecast.scheme);
    std::copy(edges.begin(), edges.end(), histogram.edges.begin());
    histogram.schemeName = QString::fromUtf8(binSchemeName(forecast.scheme).data());
    // The bins' representatives end at 5.7x; the forecaster's own mean does not.
    histogram.expectedSpeedup = forecast.sdLog2 > 0 ? std::exp2(forecast.meanLog2) : geometricSpeedup(forecast.bins);
    histogram.failsToRun = forecast.failsToRun;
    histogram.wrongResult = forecast.wrongResult;
    histogram.title = tr("#%1, forecast by %2 (model %3)")
                     .arg(id.value)
                     .arg(QString::fromStdString(forecast.forecaster))
                     .arg(forecast.modelVersion);
    const TreeNode& node = m_search.tree().node(id);
    if (node.state == NodeState::Measured) {
        histogram.measuredSpeedup = std::exp2(m_search.shownLog2(node.measuredLog2));
        if (const auto bin = binOf(histogram.measuredSpeedup, forecast.scheme))
            histogram.measuredBin = *bin;
    } else if (node.state == NodeState::Failed) {
        histogram.failedText = tr("failed: %1").arg(QString::fromUtf8(outcomeName(node.outcome).data()));
    }
    return histogram;
}

void ForecastsView::refreshNode()
{
    const NodeId id = m_selection.node();
    const bool known = id.valid() && id.value < static_cast<std::int64_t>(m_search.tree().nodes().size());
    if (!known || !m_search.hasSearch()) {
        m_histogram->clear();
        m_siblings->setItems({});
        m_caption->setText(m_search.hasSearch() ? QString() : tr("No search yet: start one from the Operators panel."));
        return;
    }
    m_caption->setText(tr("Speedups over %1").arg(m_search.referenceName()));
    m_caption->setToolTip(m_search.nodeTitle(id));
    m_histogram->setData(histogramOf(id));

    QVector<HistogramItem> items;
    for (const NodeId sibling : m_search.batchOf(id)) {
        const TreeNode& node = m_search.tree().node(sibling);
        HistogramItem item;
        item.id = sibling.value;
        item.data = histogramOf(sibling);
        item.chosen = node.state != NodeState::Skipped && node.state != NodeState::Forecast && !node.audit;
        item.audit = node.audit;
        item.score = node.rankScore;
        item.caption = QStringLiteral("#%1").arg(sibling.value);
        if (item.data.valid)
            item.caption += QStringLiteral("  ") + formatSpeedup(item.data.expectedSpeedup);
        items.push_back(item);
    }
    std::stable_sort(items.begin(), items.end(), [](const HistogramItem& a, const HistogramItem& b) {
        return a.chosen != b.chosen ? a.chosen : a.score > b.score;
    });
    m_siblings->setItems(items, tr("measured above this line, skipped below"));
    m_siblings->setSelected(id.value);
}

void ForecastsView::refreshScatter()
{
    const auto incumbent = m_search.tree().incumbent();
    QVector<ScatterPoint> points;
    for (const ForecastOutcome& outcome : m_search.outcomes()) {
        if (outcome.coldStart)
            continue; // made without any label: says nothing about the forecaster
        ScatterPoint point;
        point.id = outcome.node.value;
        point.forecastSpeedup = std::exp2(m_search.shownLog2(outcome.forecastLog2));
        point.measuredSpeedup = std::exp2(m_search.shownLog2(outcome.measuredLog2));
        point.audit = m_search.tree().node(outcome.node).audit;
        point.incumbent = incumbent && *incumbent == outcome.node;
        point.label = m_search.nodeTitle(outcome.node);
        points.push_back(point);
    }
    m_scatter->setPoints(points);
    m_scatter->setSelected(m_selection.node().value);
}

} // namespace foresight
