// SPDX-License-Identifier: GPL-3.0-or-later
// Recovered speedup panel: best so far against measurements, with the exact random expectation and the optimum when the
// space is known, and other searches of the session for comparison.
#pragma once

#include "views/common/lazy_panel.h"
#include "views/common/search_state.h"

class QComboBox;
class QLabel;

namespace foresight {

class RecoveredPlot;

class RecoveredView : public LazyPanel {
    Q_OBJECT
public:
    explicit RecoveredView(SearchState& search, QWidget* parent = nullptr);
    RecoveredPlot* plot() const { return m_plot; }

protected:
    void refresh() override;

private:
    SearchState& m_search;
    QComboBox* m_scale;
    QLabel* m_summary;
    RecoveredPlot* m_plot;
};

} // namespace foresight
