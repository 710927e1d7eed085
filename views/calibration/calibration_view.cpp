// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/calibration/calibration_view.h"

#include "widgets/key_value_table.h"
#include "widgets/number_format.h"
#include "widgets/reliability_plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMetaObject>
#include <QSplitter>
#include <QVBoxLayout>

#include <cmath>

namespace foresight {

namespace {

constexpr std::size_t kBins = 10;
constexpr std::uint64_t kResamplingSeed = 20260611; // the same bands for the same rows

ReliabilityData plotData(const CalibrationResult& result)
{
    ReliabilityData data;
    data.count = static_cast<qint64>(result.rows);
    if (result.error)
        data.ece = result.error->ece;
    if (result.perfect)
        data.perfectEce95 = result.perfect->percentile95;
    if (result.climatology)
        data.climatologyEce = *result.climatology;
    for (const ReliabilityBar& bar : result.bars) {
        ReliabilityBin bin;
        bin.lower = bar.low;
        bin.upper = bar.high;
        bin.count = static_cast<qint64>(bar.count);
        if (bar.count > 0) {
            bin.meanConfidence = bar.meanConfidence;
            bin.accuracy = bar.accuracy;
            if (bar.consistency) {
                bin.consistencyLow = bar.consistency->low;
                bin.consistencyHigh = bar.consistency->high;
            }
            if (bar.confidence) {
                bin.confidenceLow = bar.confidence->low;
                bin.confidenceHigh = bar.confidence->high;
            }
        }
        data.bins.push_back(bin);
    }
    return data;
}

} // namespace

CalibrationResult computeCalibration(const std::vector<ScoredForecast>& rows, double threshold)
{
    CalibrationResult result;
    result.rows = rows.size();
    if (rows.empty())
        return result;
    const auto predictions = threshold > 0 ? thresholdPredictions(rows, threshold) : topLabelPredictions(rows);
    Random random(kResamplingSeed);
    result.bars = reliabilityDiagram(predictions, kBins, Binning::EqualWidth, random);
    result.error = calibrationError(predictions, kBins);
    result.perfect = perfectEce(predictions, kBins, Binning::EqualWidth, random);
    if (threshold <= 0)
        result.climatology = climatologyEce(rows, kBins);
    result.scores = meanScores(rows);
    result.skill = skillOverClimatology(rows);
    result.monotone = monotonicity(rows);
    return result;
}

CalibrationView::CalibrationView(SearchState& search, QWidget* parent)
    : LazyPanel(parent), m_search(search), m_event(new QComboBox(this)), m_note(new QLabel(this)),
      m_plot(new ReliabilityPlot(this)), m_table(new KeyValueTable(this))
{
    m_event->addItem(tr("Most likely bin"), 0.0);
    for (const double threshold : {1.0, 1.41, 2.0, 4.0})
        m_event->addItem(tr("Speedup above %1").arg(formatSpeedup(threshold)), threshold);
    m_event->setAccessibleName(tr("Which probability is checked"));
    m_note->setWordWrap(true);
    m_plot->setExportName(QStringLiteral("calibration"));
    m_plot->setAccessibleName(tr("Reliability of the forecasts"));
    m_table->setAccessibleName(tr("Scores of the forecasts"));

    auto* top = new QHBoxLayout;
    top->addWidget(m_event);
    top->addWidget(m_note, 1);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(m_plot);
    both->addWidget(m_table);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(top);
    layout->addWidget(both, 1);
    connect(m_event, &QComboBox::currentIndexChanged, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::searchReset, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::referenceChanged, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::eventsApplied, this, &LazyPanel::scheduleRefresh);
    scheduleRefresh();
}

CalibrationView::~CalibrationView() = default;

double CalibrationView::threshold() const
{
    return m_event->currentData().toDouble();
}

std::vector<ScoredForecast> CalibrationView::rows(std::size_t* coldStart) const
{
    std::vector<ScoredForecast> rows;
    *coldStart = 0;
    for (const ForecastOutcome& outcome : m_search.outcomes()) {
        if (outcome.coldStart) { // made before any label: it says nothing about the forecaster
            ++*coldStart;
            continue;
        }
        ScoredForecast row;
        row.bins = m_search.shown(*m_search.forecast(outcome.node)).bins;
        row.trueSpeedup = std::exp2(m_search.shownLog2(outcome.measuredLog2));
        row.trueBin = binOf(row.trueSpeedup).value();
        row.group = m_search.tree().node(outcome.node).parent.value;
        rows.push_back(row);
    }
    return rows;
}

void CalibrationView::refresh()
{
    if (m_running) {
        m_again = true;
        return;
    }
    std::size_t coldStart = 0;
    auto input = rows(&coldStart);
    m_running = true;
    m_worker = std::jthread([this, input = std::move(input), coldStart, threshold = threshold()] {
        auto result = std::make_shared<CalibrationResult>(computeCalibration(input, threshold));
        result->coldStart = coldStart;
        QMetaObject::invokeMethod(
            this,
            [this, result] {
                m_running = false;
                showResult(*result);
                if (m_again) {
                    m_again = false;
                    scheduleRefresh();
                }
            },
            Qt::QueuedConnection);
    });
}

void CalibrationView::waitForResult()
{
    std::size_t coldStart = 0;
    const auto input = rows(&coldStart);
    CalibrationResult result = computeCalibration(input, threshold());
    result.coldStart = coldStart;
    showResult(result);
}

void CalibrationView::showResult(const CalibrationResult& result)
{
    m_plot->setData(plotData(result));
    QString note;
    if (result.rows == 0)
        note = m_search.hasSearch() ? tr("No forecast has met its measurement yet.") : tr("No search yet: forecasts are judged here against what was measured.");
    else
        note = tr("%n forecast(s) with an outcome, over %1.", nullptr, static_cast<int>(result.rows)).arg(m_search.referenceName());
    if (result.coldStart > 0)
        note += QLatin1Char(' ') + tr("%n of the start, made before anything was known, left out.", nullptr, static_cast<int>(result.coldStart));
    if (result.rows > 0 && result.rows < 50)
        note += QLatin1Char(' ') + tr("Too few to judge: look at the bands.");
    m_note->setText(note);

    QVector<KeyValueRow> table;
    const auto add = [&](const QString& key, const std::optional<double>& value, const QString& tip, int digits = 3) {
        table.push_back({key, value ? formatFixed(*value, digits) : tr("no data"), tip, false, StatusKind::Neutral});
    };
    const auto member = [](const auto& from, auto pointer) -> std::optional<double> {
        return from ? std::optional<double>((*from).*pointer) : std::nullopt;
    };
    add(tr("ECE"), member(result.error, &CalibrationError::ece), tr("Expected calibration error, ten bins of equal width."));
    add(tr("ECE if perfect, 95 %"), member(result.perfect, &PerfectEce::percentile95), tr("A perfectly calibrated forecaster stays below this in 95 of 100 cases at this number of rows."));
    add(tr("ECE of climatology"), result.climatology, tr("Of always forecasting the frequencies so far."));
    add(tr("Largest gap"), member(result.error, &CalibrationError::maximum), tr("Largest distance of a bar from the diagonal."));
    add(tr("Half-Brier"), member(result.scores, &MeanScores::halfBrier), tr("Mean squared error of the eight probabilities, halved. The uniform forecast has 0.4375."));
    add(tr("RPS"), member(result.scores, &MeanScores::rps), tr("Ranked probability score: like Brier, but a miss by one bin costs less than by five."));
    add(tr("RPS skill"), member(result.skill, &Skill::rps), tr("1 is perfect, 0 no better than climatology, below 0 worse."));
    add(tr("Log loss"), member(result.scores, &MeanScores::nll), tr("Negative log likelihood of the true bin."));
    add(tr("Forecast error (log2)"), member(result.scores, &MeanScores::forecastErrorLog2), tr("Mean distance of the most likely bin's representative from the measured log2 speedup."));
    add(tr("Error against confidence"), result.monotone ? std::optional<double>(result.monotone->rho) : std::nullopt, tr("Spearman's rank correlation; negative is good: the surer, the closer."));
    m_table->setRows(table);
}

} // namespace foresight
