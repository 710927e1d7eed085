// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration panel: can the forecasts of this search be trusted? Reliability of the most likely bin or of a decision
// threshold, with bands and counts, and the scores beside the reference values that give them meaning.
#pragma once

#include "core/forecast/metrics.h"
#include "views/common/lazy_panel.h"
#include "views/common/search_state.h"

#include <cstdint>
#include <thread>

class QCheckBox;
class QComboBox;

namespace foresight {

class KeyValueTable;
class ReliabilityPlot;
struct CalibrationResult;

class CalibrationView : public LazyPanel {
    Q_OBJECT
public:
    explicit CalibrationView(SearchState& search, QWidget* parent = nullptr);
    ~CalibrationView() override;

    ReliabilityPlot* plot() const { return m_plot; }
    KeyValueTable* table() const { return m_table; }
    // Waits for the computation under way; before a picture is taken and in tests.
    void waitForResult();

protected:
    void refresh() override;

private:
    void show(const CalibrationResult& result);

    SearchState& m_search;
    QComboBox* m_event;
    QCheckBox* m_balanced;
    ReliabilityPlot* m_plot;
    KeyValueTable* m_table;
    std::jthread m_worker;   // bands are resampled off the GUI thread
    std::uint64_t m_request = 0;
    bool m_running = false, m_again = false;
};

} // namespace foresight
