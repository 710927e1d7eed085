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

// What the panel shows, computed from rows alone.
struct CalibrationResult {
    std::vector<ReliabilityBar> bars;
    std::optional<CalibrationError> error;
    std::optional<PerfectEce> perfect;
    std::optional<double> climatology;
    std::optional<MeanScores> scores;
    std::optional<Skill> skill;
    std::optional<RankCorrelation> monotone;
    std::size_t rows = 0, coldStart = 0;
};
// `threshold` 0: the most likely bin; else P(S > threshold).
CalibrationResult computeCalibration(const std::vector<ScoredForecast>& rows, double threshold);

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
    std::vector<ScoredForecast> rows(std::size_t* coldStart) const;
    double threshold() const;
    void showResult(const CalibrationResult& result);

    SearchState& m_search;
    QComboBox* m_event;
    QLabel* m_note;
    ReliabilityPlot* m_plot;
    KeyValueTable* m_table;
    bool m_running = false, m_again = false;
    std::jthread m_worker; // last: joined before what it reports to goes
};

} // namespace foresight
