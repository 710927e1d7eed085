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

CalibrationResult computeCalibration(const CalibrationRequest& request)
{
    const std::vector<ScoredForecast>& rows = request.rows;
    CalibrationResult result;
    result.rows = rows.size();
    result.coldStart = request.coldStart;
    result.scheme = request.scheme;
    if (rows.empty())
        return result;
    const auto predictionsOf = [&](const std::vector<ScoredForecast>& of) {
        return request.threshold > 0 ? thresholdPredictions(of, request.threshold) : topLabelPredictions(of);
    };
    const auto predictions = predictionsOf(rows);
    Random random(kResamplingSeed);
    result.bars = reliabilityDiagram(predictions, kBins, request.binning, random);
    result.error = calibrationError(predictions, kBins, request.binning);
    result.perfect = perfectEce(predictions, kBins, request.binning, random);
    if (request.threshold <= 0)
        result.climatology = climatologyEce(rows, kBins, request.binning);
    result.scores = meanScores(rows);
    result.skill = skillOverClimatology(rows);
    result.monotone = monotonicity(rows);

    const auto addGroup = [&](CalibrationGroup::Kind kind, const auto& belongs) {
        std::vector<ScoredForecast> part;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (belongs(i))
                part.push_back(rows[i]);
        }
        if (part.empty() || part.size() == rows.size())
            return;
        CalibrationGroup group;
        group.kind = kind;
        group.scores = meanScores(part);
        if (const auto error = calibrationError(predictionsOf(part), kBins, request.binning))
            group.ece = error->ece;
        result.groups.push_back(group);
    };
    using Kind = CalibrationGroup::Kind;
    addGroup(Kind::Audited, [&](std::size_t i) { return i < request.audited.size() && request.audited[i]; });
    addGroup(Kind::FirstHalf, [&](std::size_t i) { return i < rows.size() / 2; });
    addGroup(Kind::SecondHalf, [&](std::size_t i) { return i >= rows.size() / 2; });
    return result;
}

CalibrationView::CalibrationView(SearchState& search, QWidget* parent)
    : LazyPanel(parent), m_search(search), m_event(new QComboBox(this)), m_binning(new QComboBox(this)),
      m_scheme(new QComboBox(this)), m_note(new QLabel(this)),
      m_plot(new ReliabilityPlot(this)), m_table(new KeyValueTable(this))
{
    m_event->addItem(tr("Most likely bin"), 0.0);
    for (const double threshold : {1.0, 1.41, 2.0, 4.0})
        m_event->addItem(tr("Speedup above %1").arg(formatSpeedup(threshold)), threshold);
    m_event->setAccessibleName(tr("Which probability is checked"));
    m_binning->addItem(tr("Equal width"), static_cast<int>(Binning::EqualWidth));
    m_binning->addItem(tr("Equal counts"), static_cast<int>(Binning::EqualMass));
    m_binning->setAccessibleName(tr("How confidences are put into bars"));
    m_binning->setToolTip(tr("Bars of equal width, or with equally many forecasts in each"));
    for (const BinScheme scheme : {BinScheme::Gf8Label, BinScheme::Gf8Formula})
        m_scheme->addItem(QString::fromUtf8(binSchemeName(scheme).data()), static_cast<int>(scheme));
    m_scheme->setAccessibleName(tr("Which table of speedup bins"));
    m_scheme->setToolTip(tr("Two tables of the eight bins are in use; forecasts are binned again for the one chosen"));
    m_note->setWordWrap(true);
    m_plot->setExportName(QStringLiteral("calibration"));
    m_plot->setAccessibleName(tr("Reliability of the forecasts"));
    m_table->setAccessibleName(tr("Scores of the forecasts"));

    auto* top = new QHBoxLayout;
    top->addWidget(m_event);
    top->addWidget(m_binning);
    top->addWidget(m_scheme);
    top->addStretch(1);
    auto* both = new QSplitter(Qt::Horizontal, this);
    both->addWidget(m_plot);
    both->addWidget(m_table);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 4, 4);
    layout->addLayout(top);
    layout->addWidget(m_note);
    layout->addWidget(both, 1);
    connect(m_event, &QComboBox::currentIndexChanged, this, &CalibrationView::updateScheme);
    for (QComboBox* choice : {m_binning, m_scheme})
        connect(choice, &QComboBox::currentIndexChanged, this, &LazyPanel::scheduleRefresh);
    connect(m_event, &QComboBox::currentIndexChanged, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::searchReset, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::referenceChanged, this, &LazyPanel::scheduleRefresh);
    connect(&search, &SearchState::eventsApplied, this, &LazyPanel::scheduleRefresh);
    scheduleRefresh();
}

CalibrationView::~CalibrationView() = default;

// A threshold is read off the distribution itself; only the most likely bin depends on the table.
void CalibrationView::updateScheme()
{
    m_scheme->setEnabled(m_event->currentData().toDouble() <= 0);
}

CalibrationRequest CalibrationView::request() const
{
    CalibrationRequest request;
    request.threshold = m_event->currentData().toDouble();
    request.binning = static_cast<Binning>(m_binning->currentData().toInt());
    if (request.threshold <= 0)
        request.scheme = static_cast<BinScheme>(m_scheme->currentData().toInt());
    for (const ForecastOutcome& outcome : m_search.outcomes()) {
        if (outcome.coldStart) { // made before any label: it says nothing about the forecaster
            ++request.coldStart;
            continue;
        }
        const Forecast forecast = m_search.shown(*m_search.forecast(outcome.node));
        ScoredForecast row;
        row.bins = forecast.bins;
        if (forecast.scheme != request.scheme) {
            if (!(forecast.sdLog2 > 0))
                continue; // bins alone cannot be cut anew
            row.bins = binsOfNormal(forecast.meanLog2, forecast.sdLog2, request.scheme);
        }
        row.trueSpeedup = std::exp2(m_search.shownLog2(outcome.measuredLog2));
        row.trueBin = binOf(row.trueSpeedup, request.scheme).value();
        const TreeNode& node = m_search.tree().node(outcome.node);
        row.group = node.parent.value;
        request.rows.push_back(row);
        request.audited.push_back(node.audit);
    }
    return request;
}

void CalibrationView::refresh()
{
    if (m_running) {
        m_again = true;
        return;
    }
    m_running = true;
    m_worker = std::jthread([this, input = request()] {
        auto result = std::make_shared<CalibrationResult>(computeCalibration(input));
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
    showResult(computeCalibration(request()));
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
    // Both are told by representatives of the labelled bins.
    if (result.scheme == BinScheme::Gf8Label) {
        add(tr("Forecast error (log2)"), member(result.scores, &MeanScores::forecastErrorLog2), tr("Mean distance of the most likely bin's representative from the measured log2 speedup."));
        add(tr("Error against confidence"), result.monotone ? std::optional<double>(result.monotone->rho) : std::nullopt, tr("Spearman's rank correlation; negative is good: the surer, the closer."));
    }
    for (const CalibrationGroup& group : result.groups) {
        KeyValueRow heading;
        heading.heading = true;
        const QString count = formatCount(static_cast<qint64>(group.scores ? group.scores->rows : 0));
        switch (group.kind) {
        case CalibrationGroup::Kind::Audited: heading.key = tr("Audited, chosen at random (%1)").arg(count); break;
        case CalibrationGroup::Kind::FirstHalf: heading.key = tr("First half (%1)").arg(count); break;
        case CalibrationGroup::Kind::SecondHalf: heading.key = tr("Second half (%1)").arg(count); break;
        }
        table.push_back(heading);
        add(tr("ECE"), group.ece, tr("Of few forecasts it is large even for a perfect forecaster."));
        add(tr("RPS"), member(group.scores, &MeanScores::rps), {});
        add(tr("Half-Brier"), member(group.scores, &MeanScores::halfBrier), {});
    }
    m_table->setRows(table);
}

} // namespace foresight
