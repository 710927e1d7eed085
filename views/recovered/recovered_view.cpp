// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/recovered/recovered_view.h"

#include "widgets/number_format.h"
#include "widgets/recovered_plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <cmath>
#include <limits>

namespace foresight {

RecoveredView::RecoveredView(SearchState& search, QWidget* parent)
    : LazyPanel(parent), m_search(search), m_scale(new QComboBox(this)), m_summary(new QLabel(this)),
      m_plot(new RecoveredPlot(this))
{
    m_scale->addItem(tr("Speedup"));
    m_scale->addItem(tr("Share of the optimum"));
    m_scale->setAccessibleName(tr("What the vertical axis shows"));
    m_plot->setAccessibleName(tr("Best so far against measurements"));
    m_plot->setExportName(QStringLiteral("recovered"));
    m_summary->setWordWrap(true);
    auto* top = new QHBoxLayout;
    top->addWidget(m_summary, 1);
    top->addWidget(m_scale);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(top);
    layout->addWidget(m_plot, 1);
    connect(m_scale, &QComboBox::currentIndexChanged, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::searchReset, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::referenceChanged, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::infoChanged, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::eventsApplied, this, &LazyPanel::scheduleRefresh);
    scheduleRefresh();
}

void RecoveredView::refresh()
{
    const SearchInfo& info = m_search.info();
    const bool spaceKnown = !info.exactRandom.empty();
    m_scale->setEnabled(spaceKnown);
    const bool fraction = spaceKnown && m_scale->currentIndex() == 1;
    const double optimum = std::exp2(m_search.shownLog2(info.optimumLog2));
    const double unit = fraction ? 1 / optimum : 1;

    RecoveredData plotted;
    plotted.fraction = fraction;
    plotted.xLabel = tr("measurements");
    RecoveredCurve best;
    best.name = tr("this search");
    const auto& curve = m_search.tree().bestSoFar();
    for (std::size_t i = 0; i < curve.size(); ++i) {
        best.x.push_back(static_cast<double>(i + 1));
        best.y.push_back(std::isfinite(curve[i]) ? std::exp2(m_search.shownLog2(curve[i])) * unit : std::numeric_limits<double>::quiet_NaN());
    }
    if (!best.x.isEmpty())
        plotted.curves.push_back(best);
    if (spaceKnown) {
        RecoveredCurve random;
        random.name = tr("random choice (exact expectation)");
        random.step = false;
        random.reference = true;
        const std::size_t shown = std::max<std::size_t>(curve.size(), info.measurementBudget ? static_cast<std::size_t>(*info.measurementBudget) : 1);
        for (std::size_t k = 0; k < info.exactRandom.size() && k < shown; ++k) {
            random.x.push_back(static_cast<double>(k + 1));
            random.y.push_back(info.exactRandom[k] * (fraction ? 1 : optimum));
        }
        plotted.curves.push_back(random);
        plotted.optimum = fraction ? 1.0 : optimum;
    }
    m_plot->setData(plotted);

    if (!m_search.hasSearch()) {
        m_summary->setText(tr("No search yet. This panel shows the best speedup found against what it cost."));
    } else if (best.x.isEmpty()) {
        m_summary->setText(tr("Nothing measured yet."));
    } else {
        const double last = best.y.back();
        const QString count = tr("%n measurement(s)", nullptr, static_cast<int>(curve.size()));
        if (fraction)
            m_summary->setText(tr("%1 of the optimum after %2").arg(formatPercent(last), count));
        else
            m_summary->setText(tr("%1 over %2 after %3").arg(formatSpeedup(last), m_search.referenceName(), count));
    }
}

} // namespace foresight
