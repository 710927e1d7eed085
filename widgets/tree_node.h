// SPDX-License-Identifier: GPL-3.0-or-later
// What the tree canvas is given: plain values, one per node. Ids are the caller's (>= 0); a parent must be
// given before or together with its children. Speedups are log2 of baseline time / candidate time.
#pragma once

#include <QString>

#include <limits>

namespace foresight {

enum class CanvasNodeState : quint8 {
    Root,
    Proposed, // forecast or decision pending
    Ghost,    // forecast, then skipped
    Running,  // chosen, result pending
    Measured,
    FailedCompile, // did not build
    FailedRun,     // crashed, hung, hit a limit
    FailedVerify,  // wrong result
    FailedTiming,  // built and correct, could not be timed
    Duplicate,     // imported logs: proposed again under another id
};

enum class CanvasColorMode : quint8 { Measured, Forecast, Depth };

struct CanvasNode
{
    qint64 id = -1;
    qint64 parent = -1; // -1: the root
    CanvasNodeState state = CanvasNodeState::Proposed;
    float log2Speedup = std::numeric_limits<float>::quiet_NaN(); // measured; NaN: not
    float forecastLog2 = std::numeric_limits<float>::quiet_NaN();
    bool audit = false; // a skipped one measured at random
    bool pinned = false;
    bool forbidden = false; // its subtree is not expanded
    bool byUser = false;
    int duplicates = 0; // times it was proposed again
    QString label;      // short; shown in tooltips and to screen readers
};

// "measured", "skipped (ghost)", "failed: does not build" ... in the user's language.
QString canvasStateName(CanvasNodeState state);
inline bool isFailed(CanvasNodeState state)
{
    return state >= CanvasNodeState::FailedCompile && state <= CanvasNodeState::FailedTiming;
}

} // namespace foresight
