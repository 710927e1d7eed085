// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration panel: can the forecasts of this search be trusted? Reliability of the most likely bin or of a decision
// threshold, with bands and counts, and the scores beside the reference values that give them meaning. Bands are
// resampled on a thread of its own; a result that is no longer wanted is dropped.
#pragma once

#include "core/forecast/metrics.h"
#include "views/common/lazy_panel.h"
#include "views/common/search_state.h"

#include <memory>
#include <thread>

class QComboBox;
class QLabel;

namespace foresight {

class KeyValueTable;
class ReliabilityPlot;

// What is to be judged, and how.
struct CalibrationRequest {
    std::vector<ScoredForecast> rows; // in the order measured, in `scheme`
    std::vector<bool> audited;        // parallel: measured at random although skipped
    std::size_t coldStart = 0;        // left out: made before anything was known
    double threshold = 0;             // P(S > threshold); 0: the most likely bin
    BinScheme scheme = BinScheme::Gf8Label;
    Binning binning = Binning::EqualWidth;
};

// Part of the rows, judged apart.
struct CalibrationGroup {
    enum class Kind { Audited, FirstHalf, SecondHalf } kind = Kind::Audited;
    std::optional<MeanScores> scores;
    std::optional<double> ece;
};

// What the panel shows, computed from rows alone.
struct CalibrationResult {
    std::vector<ReliabilityBar> bars;
    std::optional<CalibrationError> error;
    std::optional<PerfectEce> perfect;
    std::optional<double> climatology;
    std::optional<MeanScores> scores;
    std::optional<Skill> skill;
    std::optional<RankCorrelation> monotone;
    std::vector<CalibrationGroup> groups; // those with rows
    BinScheme scheme = BinScheme::Gf8Label;
    std::size_t rows = 0, coldStart = 0;
};
CalibrationResult computeCalibration(const CalibrationRequest& request);

class CalibrationView : public LazyPanel {
    Q_OBJECT
public:
    explicit CalibrationView(SearchState& search, QWidget* parent = nullptr);
    ~CalibrationView() override;

    ReliabilityPlot* plot() const { return m_plot; }
    KeyValueTable* table() const { return m_table; }
    // Computes at once on the caller's thread: before a picture is taken.
    void waitForResult();

protected:
    void refresh() override;

private:
    CalibrationRequest request() const;
    void updateScheme();
    void showResult(const CalibrationResult& result);

    SearchState& m_search;
    QComboBox* m_event;
    QComboBox* m_binning;
    QComboBox* m_scheme;
    QLabel* m_note;
    ReliabilityPlot* m_plot;
    KeyValueTable* m_table;
    bool m_running = false, m_again = false;
    std::jthread m_worker; // last: joined before what it reports to goes
};

} // namespace foresight
