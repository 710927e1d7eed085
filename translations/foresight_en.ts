<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
    <name>Language</name>
    <message>
        <source>Follow the system</source>
        <translation>Follow the system</translation>
    </message>
</context>
<context>
    <name>foresight::CalibrationView</name>
    <message>
        <source>Most likely bin</source>
        <translation>Most likely bin</translation>
    </message>
    <message>
        <source>Speedup above %1</source>
        <translation>Speedup above %1</translation>
    </message>
    <message>
        <source>Which probability is checked</source>
        <translation>Which probability is checked</translation>
    </message>
    <message>
        <source>Reliability of the forecasts</source>
        <translation>Reliability of the forecasts</translation>
    </message>
    <message>
        <source>Scores of the forecasts</source>
        <translation>Scores of the forecasts</translation>
    </message>
    <message>
        <source>No forecast has met its measurement yet.</source>
        <translation>No forecast has met its measurement yet.</translation>
    </message>
    <message>
        <source>No search yet: forecasts are judged here against what was measured.</source>
        <translation>No search yet: forecasts are judged here against what was measured.</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s) with an outcome, over %1.</source>
        <translation>
            <numerusform>%n forecast with an outcome, over %1.</numerusform>
            <numerusform>%n forecasts with an outcome, over %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of the start, made before anything was known, left out.</source>
        <translation>
            <numerusform>%n of the start, made before anything was known, left out.</numerusform>
            <numerusform>%n of the start, made before anything was known, left out.</numerusform>
        </translation>
    </message>
    <message>
        <source>Too few to judge: look at the bands.</source>
        <translation>Too few to judge: look at the bands.</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>no data</translation>
    </message>
    <message>
        <source>ECE</source>
        <translation>ECE</translation>
    </message>
    <message>
        <source>Expected calibration error, ten bins of equal width.</source>
        <translation>Expected calibration error, ten bins of equal width.</translation>
    </message>
    <message>
        <source>ECE if perfect, 95 %</source>
        <translation>ECE if perfect, 95 %</translation>
    </message>
    <message>
        <source>A perfectly calibrated forecaster stays below this in 95 of 100 cases at this number of rows.</source>
        <translation>A perfectly calibrated forecaster stays below this in 95 of 100 cases at this number of rows.</translation>
    </message>
    <message>
        <source>ECE of climatology</source>
        <translation>ECE of climatology</translation>
    </message>
    <message>
        <source>Of always forecasting the frequencies so far.</source>
        <translation>Of always forecasting the frequencies so far.</translation>
    </message>
    <message>
        <source>Largest gap</source>
        <translation>Largest gap</translation>
    </message>
    <message>
        <source>Largest distance of a bar from the diagonal.</source>
        <translation>Largest distance of a bar from the diagonal.</translation>
    </message>
    <message>
        <source>Half-Brier</source>
        <translation>Half-Brier</translation>
    </message>
    <message>
        <source>Mean squared error of the eight probabilities, halved. The uniform forecast has 0.4375.</source>
        <translation>Mean squared error of the eight probabilities, halved. The uniform forecast has 0.4375.</translation>
    </message>
    <message>
        <source>RPS</source>
        <translation>RPS</translation>
    </message>
    <message>
        <source>Ranked probability score: like Brier, but a miss by one bin costs less than by five.</source>
        <translation>Ranked probability score: like Brier, but a miss by one bin costs less than by five.</translation>
    </message>
    <message>
        <source>RPS skill</source>
        <translation>RPS skill</translation>
    </message>
    <message>
        <source>1 is perfect, 0 no better than climatology, below 0 worse.</source>
        <translation>1 is perfect, 0 no better than climatology, below 0 worse.</translation>
    </message>
    <message>
        <source>Log loss</source>
        <translation>Log loss</translation>
    </message>
    <message>
        <source>Negative log likelihood of the true bin.</source>
        <translation>Negative log likelihood of the true bin.</translation>
    </message>
    <message>
        <source>Forecast error (log2)</source>
        <translation>Forecast error (log2)</translation>
    </message>
    <message>
        <source>Mean distance of the most likely bin&apos;s representative from the measured log2 speedup.</source>
        <translation>Mean distance of the most likely bin&apos;s representative from the measured log2 speedup.</translation>
    </message>
    <message>
        <source>Error against confidence</source>
        <translation>Error against confidence</translation>
    </message>
    <message>
        <source>Spearman&apos;s rank correlation; negative is good: the surer, the closer.</source>
        <translation>Spearman&apos;s rank correlation; negative is good: the surer, the closer.</translation>
    </message>
    <message>
        <source>Equal width</source>
        <translation>Equal width</translation>
    </message>
    <message>
        <source>Equal counts</source>
        <translation>Equal counts</translation>
    </message>
    <message>
        <source>How confidences are put into bars</source>
        <translation>How confidences are put into bars</translation>
    </message>
    <message>
        <source>Bars of equal width, or with equally many forecasts in each</source>
        <translation>Bars of equal width, or with equally many forecasts in each</translation>
    </message>
    <message>
        <source>Which table of speedup bins</source>
        <translation>Which table of speedup bins</translation>
    </message>
    <message>
        <source>Two tables of the eight bins are in use; forecasts are binned again for the one chosen</source>
        <translation>Two tables of the eight bins are in use; forecasts are binned again for the one chosen</translation>
    </message>
    <message>
        <source>Audited, chosen at random (%1)</source>
        <translation>Audited, chosen at random (%1)</translation>
    </message>
    <message>
        <source>First half (%1)</source>
        <translation>First half (%1)</translation>
    </message>
    <message>
        <source>Second half (%1)</source>
        <translation>Second half (%1)</translation>
    </message>
    <message>
        <source>Of few forecasts it is large even for a perfect forecaster.</source>
        <translation>Of few forecasts it is large even for a perfect forecaster.</translation>
    </message>
</context>
<context>
    <name>foresight::Capabilities</name>
    <message>
        <source>Open recorded sessions and search over recorded measurements</source>
        <translation>Open recorded sessions and search over recorded measurements</translation>
    </message>
    <message>
        <source>Recorded sessions and kernel families are missing</source>
        <translation>Recorded sessions and kernel families are missing</translation>
    </message>
    <message>
        <source>Measure kernels on the GPU of this machine</source>
        <translation>Measure kernels on the GPU of this machine</translation>
    </message>
    <message>
        <source>Measure kernels on a GPU</source>
        <translation>Measure kernels on a GPU</translation>
    </message>
    <message>
        <source>no NVIDIA driver here; recorded measurements answer instead</source>
        <translation>no NVIDIA driver here; recorded measurements answer instead</translation>
    </message>
    <message>
        <source>this build has no foresight-worker: build with the CUDA toolkit&apos;s headers</source>
        <translation>this build has no foresight-worker: build with the CUDA toolkit&apos;s headers</translation>
    </message>
    <message>
        <source>Everything in detail: foresight-cli doctor</source>
        <translation>Everything in detail: foresight-cli doctor</translation>
    </message>
</context>
<context>
    <name>foresight::FilterBar</name>
    <message>
        <source>Regular expression</source>
        <translation>Regular expression</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Match case</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Not a valid expression at character %1: %2. The last valid filter stays in force.</source>
        <translation>Not a valid expression at character %1: %2. The last valid filter stays in force.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>rows shown of all rows</comment>
        <translation>%1 of %2</translation>
    </message>
</context>
<context>
    <name>foresight::ForecastsView</name>
    <message>
        <source>Select a node of the search tree to see what was forecast for it.</source>
        <translation>Select a node of the search tree to see what was forecast for it.</translation>
    </message>
    <message>
        <source>Forecast of the selected node</source>
        <translation>Forecast of the selected node</translation>
    </message>
    <message>
        <source>Forecasts of the same expansion</source>
        <translation>Forecasts of the same expansion</translation>
    </message>
    <message>
        <source>Forecast against measured speedup</source>
        <translation>Forecast against measured speedup</translation>
    </message>
    <message>
        <source>#%1, forecast by %2 (model %3)</source>
        <translation>#%1, forecast by %2 (model %3)</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>failed: %1</translation>
    </message>
    <message>
        <source>No search yet: start one from the Operators panel.</source>
        <translation>No search yet: start one from the Operators panel.</translation>
    </message>
    <message>
        <source>measured above this line, skipped below</source>
        <translation>measured above this line, skipped below</translation>
    </message>
    <message>
        <source>Against measured</source>
        <translation>Against measured</translation>
    </message>
    <message>
        <source>Same expansion</source>
        <translation>Same expansion</translation>
    </message>
    <message>
        <source>Speedups over %1</source>
        <translation>Speedups over %1</translation>
    </message>
</context>
<context>
    <name>foresight::GuardModel</name>
    <message>
        <source>search %1</source>
        <translation>search %1</translation>
    </message>
    <message>
        <source>deploy</source>
        <translation>deploy</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>fall back</translation>
    </message>
    <message>
        <source>recorded measurements; confirm on a GPU before deploying</source>
        <translation>recorded measurements; confirm on a GPU before deploying</translation>
    </message>
    <message>
        <source>measured here, confirmed in two processes</source>
        <translation>measured here, confirmed in two processes</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Verdict</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Interval</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Evidence</translation>
    </message>
    <message>
        <source>slower than the original</source>
        <translation>slower than the original</translation>
    </message>
    <message>
        <source>the gain is not certain enough</source>
        <translation>the gain is not certain enough</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>wrong result</translation>
    </message>
    <message>
        <source>results change between runs</source>
        <translation>results change between runs</translation>
    </message>
    <message>
        <source>faster than the hardware allows</source>
        <translation>faster than the hardware allows</translation>
    </message>
    <message>
        <source>does not build</source>
        <translation>does not build</translation>
    </message>
    <message>
        <source>does not end in time</source>
        <translation>does not end in time</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>crashed</translation>
    </message>
    <message>
        <source>not confirmed in two fresh processes</source>
        <translation>not confirmed in two fresh processes</translation>
    </message>
    <message>
        <source>nothing was measured</source>
        <translation>nothing was measured</translation>
    </message>
    <message>
        <source>GPU, driver or toolkit changed</source>
        <translation>GPU, driver or toolkit changed</translation>
    </message>
    <message>
        <source>not supported here</source>
        <translation>not supported here</translation>
    </message>
</context>
<context>
    <name>foresight::GuardView</name>
    <message>
        <source>Verdicts</source>
        <translation>Verdicts</translation>
    </message>
    <message>
        <source>Speedup intervals of searched operators</source>
        <translation>Speedup intervals of searched operators</translation>
    </message>
    <message>
        <source>No verdict yet</source>
        <translation>No verdict yet</translation>
    </message>
    <message>
        <source>When a search ends, the guard decides here whether its best kernel may replace the original, and why.</source>
        <translation>When a search ends, the guard decides here whether its best kernel may replace the original, and why.</translation>
    </message>
    <message>
        <source>search %1</source>
        <translation>search %1</translation>
    </message>
</context>
<context>
    <name>foresight::Histogram8</name>
    <message>
        <source>No forecast: select a candidate</source>
        <translation>No forecast: select a candidate</translation>
    </message>
    <message>
        <source>Forecast histogram</source>
        <translation>Forecast histogram</translation>
    </message>
    <message>
        <source>fails to run</source>
        <translation>fails to run</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>wrong result</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>at most %1</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>more than %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 to %2</translation>
    </message>
    <message>
        <source>Bin %1, %2 (%3): %4</source>
        <translation>Bin %1, %2 (%3): %4</translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation>measured: %1</translation>
    </message>
    <message>
        <source>speedup over the baseline</source>
        <translation>speedup over the baseline</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>fails</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>expected %1</translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation>measured %1</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>not measured</translation>
    </message>
    <message>
        <source>severe slowdown</source>
        <translation>severe slowdown</translation>
    </message>
    <message>
        <source>significant slowdown</source>
        <translation>significant slowdown</translation>
    </message>
    <message>
        <source>moderate slowdown</source>
        <translation>moderate slowdown</translation>
    </message>
    <message>
        <source>minor slowdown</source>
        <translation>minor slowdown</translation>
    </message>
    <message>
        <source>minor speedup</source>
        <translation>minor speedup</translation>
    </message>
    <message>
        <source>significant speedup</source>
        <translation>significant speedup</translation>
    </message>
    <message>
        <source>high speedup</source>
        <translation>high speedup</translation>
    </message>
    <message>
        <source>extreme speedup</source>
        <translation>extreme speedup</translation>
    </message>
    <message>
        <source>No forecast.</source>
        <translation>No forecast.</translation>
    </message>
    <message>
        <source>most likely %1 (%2).</source>
        <translation>most likely %1 (%2).</translation>
    </message>
    <message>
        <source>Expected speedup %1.</source>
        <translation>Expected speedup %1.</translation>
    </message>
    <message>
        <source>Fails to run: %1, wrong result: %2.</source>
        <translation>Fails to run: %1, wrong result: %2.</translation>
    </message>
    <message>
        <source>Measuring it failed: %1.</source>
        <translation>Measuring it failed: %1.</translation>
    </message>
    <message>
        <source>Measured: %1, %2.</source>
        <translation>Measured: %1, %2.</translation>
    </message>
    <message>
        <source>Not measured.</source>
        <translation>Not measured.</translation>
    </message>
    <message>
        <source>speedup over %1</source>
        <translation>speedup over %1</translation>
    </message>
</context>
<context>
    <name>foresight::HistogramGrid</name>
    <message>
        <source>skipped from here on</source>
        <translation>skipped from here on</translation>
    </message>
    <message>
        <source>Forecasts of the siblings</source>
        <translation>Forecasts of the siblings</translation>
    </message>
    <message>
        <source>No siblings with forecasts</source>
        <translation>No siblings with forecasts</translation>
    </message>
    <message>
        <source>(audit)</source>
        <translation>(audit)</translation>
    </message>
    <message>
        <source>No siblings with forecasts.</source>
        <translation>No siblings with forecasts.</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s) of siblings,</source>
        <translation>
            <numerusform>%n forecast of siblings,</numerusform>
            <numerusform>%n forecasts of siblings,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them chosen for measuring.</source>
        <translation>
            <numerusform>%n of them chosen for measuring.</numerusform>
            <numerusform>%n of them chosen for measuring.</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Selected: %1</translation>
    </message>
</context>
<context>
    <name>foresight::IntervalPlot</name>
    <message>
        <source>deploy</source>
        <translation>deploy</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>fall back</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>failed</translation>
    </message>
    <message>
        <source>pending</source>
        <translation>pending</translation>
    </message>
    <message>
        <source>Verdict intervals</source>
        <translation>Verdict intervals</translation>
    </message>
    <message>
        <source>No verdicts: search an operator first</source>
        <translation>No verdicts: search an operator first</translation>
    </message>
    <message>
        <source>margin %1</source>
        <translation>margin %1</translation>
    </message>
    <message>
        <source>nothing measured yet</source>
        <translation>nothing measured yet</translation>
    </message>
    <message>
        <source>verdict: %1</source>
        <translation>verdict: %1</translation>
    </message>
    <message>
        <source>%1, interval %2 to %3</source>
        <translation>%1, interval %2 to %3</translation>
    </message>
    <message>
        <source>Verdicts per operator. None yet: search an operator first.</source>
        <translation>Verdicts per operator. None yet: search an operator first.</translation>
    </message>
    <message numerus="yes">
        <source>Verdicts of %n operator(s),</source>
        <translation>
            <numerusform>Verdict of %n operator,</numerusform>
            <numerusform>Verdicts of %n operators,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to deploy, against a margin of %1.</source>
        <translation>
            <numerusform>%n to deploy, against a margin of %1.</numerusform>
            <numerusform>%n to deploy, against a margin of %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1, %2.</source>
        <translation>Selected: %1, %2.</translation>
    </message>
    <message>
        <source>Speedup %1, interval %2 to %3.</source>
        <translation>Speedup %1, interval %2 to %3.</translation>
    </message>
</context>
<context>
    <name>foresight::KeyValueTable</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Value</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Copy Value</source>
        <translation>Copy Value</translation>
    </message>
    <message>
        <source>Copy Name and Value</source>
        <translation>Copy Name and Value</translation>
    </message>
    <message>
        <source>Copy All</source>
        <translation>Copy All</translation>
    </message>
</context>
<context>
    <name>foresight::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;File</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Open…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Open &amp;recent</translation>
    </message>
    <message>
        <source>Recorded &amp;sessions</source>
        <translation>Recorded &amp;sessions</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Save &amp;as…</translation>
    </message>
    <message>
        <source>Export &amp;report…</source>
        <translation>Export &amp;report…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quit</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Search</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Run</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Step one &amp;expansion</source>
        <translation>Step one &amp;expansion</translation>
    </message>
    <message>
        <source>Step one e&amp;vent</source>
        <translation>Step one e&amp;vent</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>S&amp;top</translation>
    </message>
    <message>
        <source>Resume &amp;interrupted search</source>
        <translation>Resume &amp;interrupted search</translation>
    </message>
    <message>
        <source> measurements</source>
        <translation> measurements</translation>
    </message>
    <message>
        <source>Budget of the next search</source>
        <translation>Budget of the next search</translation>
    </message>
    <message>
        <source>Budget of the next search, in measurements</source>
        <translation>Budget of the next search, in measurements</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Search</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Full speed</translation>
    </message>
    <message>
        <source>10 per second</source>
        <translation>10 per second</translation>
    </message>
    <message>
        <source>2 per second</source>
        <translation>2 per second</translation>
    </message>
    <message>
        <source>How fast a search over recorded measurements runs, so that it can be watched</source>
        <translation>How fast a search over recorded measurements runs, so that it can be watched</translation>
    </message>
    <message>
        <source>Pace of recorded searches</source>
        <translation>Pace of recorded searches</translation>
    </message>
    <message>
        <source>Speedups over</source>
        <translation>Speedups over</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>baseline</translation>
    </message>
    <message>
        <source>family default</source>
        <translation>family default</translation>
    </message>
    <message>
        <source>What the speedups in tree, forecasts and calibration are relative to. Verdicts are always over the baseline.</source>
        <translation>What the speedups in tree, forecasts and calibration are relative to. Verdicts are always over the baseline.</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;View</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Panels</translation>
    </message>
    <message>
        <source>&amp;Layouts</source>
        <translation>&amp;Layouts</translation>
    </message>
    <message>
        <source>&amp;Save this layout…</source>
        <translation>&amp;Save this layout…</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>Save layout</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>&amp;Reset to the default</source>
        <translation>&amp;Reset to the default</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Theme</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>Follow the &amp;system</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Light</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dark</translation>
    </message>
    <message>
        <source>L&amp;anguage</source>
        <translation>L&amp;anguage</translation>
    </message>
    <message>
        <source>The language changes when Foresight starts again.</source>
        <translation>The language changes when Foresight starts again.</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Help</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Keyboard shortcuts</translation>
    </message>
    <message>
        <source>&amp;About Foresight</source>
        <translation>&amp;About Foresight</translation>
    </message>
    <message>
        <source>About Foresight</source>
        <translation>About Foresight</translation>
    </message>
    <message>
        <source>Foresight %1 (%2)

A debugger for kernel search: profile, search, forecast, guard.
The window is free software under the GNU GPL 3 or later, the engine under the Apache License 2.0.</source>
        <translation>Foresight %1 (%2)

A debugger for kernel search: profile, search, forecast, guard.
The window is free software under the GNU GPL 3 or later, the engine under the Apache License 2.0.</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Nothing yet</translation>
    </message>
    <message>
        <source>Forget these</source>
        <translation>Forget these</translation>
    </message>
    <message>
        <source>Save a copy of the session</source>
        <translation>Save a copy of the session</translation>
    </message>
    <message>
        <source>Foresight sessions (*.fsight)</source>
        <translation>Foresight sessions (*.fsight)</translation>
    </message>
    <message>
        <source>Folder for the report</source>
        <translation>Folder for the report</translation>
    </message>
    <message>
        <source>Report written: %1</source>
        <translation>Report written: %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Open</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Continue</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Ready</translation>
    </message>
    <message>
        <source>%1: %2 of %3 measurements</source>
        <translation>%1: %2 of %3 measurements</translation>
    </message>
    <message>
        <source>%1: %2 measurements</source>
        <translation>%1: %2 measurements</translation>
    </message>
    <message>
        <source>, best %1</source>
        <translation>, best %1</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Keyboard shortcuts</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Action</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operators</translation>
    </message>
    <message>
        <source>Search tree</source>
        <translation>Search tree</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Forecasts</source>
        <translation>Forecasts</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Calibration</translation>
    </message>
    <message>
        <source>Recovered speedup</source>
        <translation>Recovered speedup</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>Guard</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>Notice</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2</source>
        <translation>%1 could not be opened: %2</translation>
    </message>
    <message>
        <source>The session is read-only; the search is kept in a working copy: %1</source>
        <translation>The session is read-only; the search is kept in a working copy: %1</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>Open a session</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>Opening %1…</translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) dropped</source>
        <translation>
            <numerusform>%n record dropped</numerusform>
            <numerusform>%n records dropped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The search of %1 was interrupted after %n measurement(s). Nothing is lost.</source>
        <translation>
            <numerusform>The search of %1 was interrupted after %n measurement. Nothing is lost.</numerusform>
            <numerusform>The search of %1 was interrupted after %n measurements. Nothing is lost.</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Resume</translation>
    </message>
    <message>
        <source>No operator of this session can be searched here: none matches a kernel family with recorded measurements, and there is no GPU.</source>
        <translation>No operator of this session can be searched here: none matches a kernel family with recorded measurements, and there is no GPU.</translation>
    </message>
    <message>
        <source>Foresight</source>
        <translation>Foresight</translation>
    </message>
    <message>
        <source>%1 – Foresight</source>
        <translation>%1 – Foresight</translation>
    </message>
    <message>
        <source>%1, recorded on %2</source>
        <translation>%1, recorded on %2</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1, recorded</translation>
    </message>
    <message>
        <source>There is nothing to resume: this session has no interrupted search.</source>
        <translation>There is nothing to resume: this session has no interrupted search.</translation>
    </message>
    <message>
        <source>%1 per second</source>
        <translation>%1 per second</translation>
    </message>
</context>
<context>
    <name>foresight::NodeDetails</name>
    <message>
        <source>Forecast</source>
        <translation>Forecast</translation>
    </message>
    <message>
        <source>Expected speedup over %1</source>
        <translation>Expected speedup over %1</translation>
    </message>
    <message>
        <source>Geometric mean, given that it works.</source>
        <translation>Geometric mean, given that it works.</translation>
    </message>
    <message>
        <source>Most likely</source>
        <translation>Most likely</translation>
    </message>
    <message>
        <source>Does not build or run</source>
        <translation>Does not build or run</translation>
    </message>
    <message>
        <source>Wrong result</source>
        <translation>Wrong result</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Made by</translation>
    </message>
    <message>
        <source>%1, model %2%3</source>
        <translation>%1, model %2%3</translation>
    </message>
    <message>
        <source>, before any measurement</source>
        <translation>, before any measurement</translation>
    </message>
    <message>
        <source>Skipped by</source>
        <translation>Skipped by</translation>
    </message>
    <message>
        <source>Chosen by</source>
        <translation>Chosen by</translation>
    </message>
    <message>
        <source>Rank in its batch</source>
        <translation>Rank in its batch</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 of %2</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>Audit</translation>
    </message>
    <message>
        <source>measured although skipped, to keep the statistics honest</source>
        <translation>measured although skipped, to keep the statistics honest</translation>
    </message>
    <message>
        <source>Recorded measurement</source>
        <translation>Recorded measurement</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Measured</translation>
    </message>
    <message>
        <source>Speedup over %1</source>
        <translation>Speedup over %1</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Interval</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Time</translation>
    </message>
    <message>
        <source>Anchor beside it</source>
        <translation>Anchor beside it</translation>
    </message>
    <message>
        <source>The family&apos;s default configuration, timed in the same process.</source>
        <translation>The family&apos;s default configuration, timed in the same process.</translation>
    </message>
    <message>
        <source>Quads</source>
        <translation>Quads</translation>
    </message>
    <message>
        <source>Regime</source>
        <translation>Regime</translation>
    </message>
    <message>
        <source>cold cache</source>
        <translation>cold cache</translation>
    </message>
    <message>
        <source>hot cache</source>
        <translation>hot cache</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Resources</translation>
    </message>
    <message>
        <source>%1 registers, %2 shared, occupancy %3</source>
        <translation>%1 registers, %2 shared, occupancy %3</translation>
    </message>
    <message>
        <source>, %1 spilled</source>
        <translation>, %1 spilled</translation>
    </message>
    <message>
        <source>limited by %1</source>
        <translation>limited by %1</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>Verification</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Result</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>passed</translation>
    </message>
    <message>
        <source>failed: %1 (%2)</source>
        <translation>failed: %1 (%2)</translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation>Largest error</translation>
    </message>
    <message>
        <source>%1 absolute, %2 relative</source>
        <translation>%1 absolute, %2 relative</translation>
    </message>
    <message>
        <source>First bad element</source>
        <translation>First bad element</translation>
    </message>
    <message>
        <source>%1[%2] is %3, expected %4</source>
        <translation>%1[%2] is %3, expected %4</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>Conditions</translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation>SM clock</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperature</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Power</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Cost</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Compiling</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>Verifying</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Measuring</translation>
    </message>
    <message>
        <source>works</source>
        <translation>works</translation>
    </message>
    <message>
        <source>does not build</source>
        <translation>does not build</translation>
    </message>
    <message>
        <source>exceeds a limit of this GPU or its own requirements</source>
        <translation>exceeds a limit of this GPU or its own requirements</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>wrong result</translation>
    </message>
    <message>
        <source>leaves output elements unwritten</source>
        <translation>leaves output elements unwritten</translation>
    </message>
    <message>
        <source>replays an old result</source>
        <translation>replays an old result</translation>
    </message>
    <message>
        <source>results change between runs</source>
        <translation>results change between runs</translation>
    </message>
    <message>
        <source>writes outside its buffers</source>
        <translation>writes outside its buffers</translation>
    </message>
    <message>
        <source>modifies its inputs</source>
        <translation>modifies its inputs</translation>
    </message>
    <message>
        <source>work outlives the timed window</source>
        <translation>work outlives the timed window</translation>
    </message>
    <message>
        <source>faster than the hardware allows</source>
        <translation>faster than the hardware allows</translation>
    </message>
    <message>
        <source>did not end in time</source>
        <translation>did not end in time</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>crashed</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>out of memory</translation>
    </message>
    <message>
        <source>not in the recorded space</source>
        <translation>not in the recorded space</translation>
    </message>
    <message>
        <source>the GPU is unwell</source>
        <translation>the GPU is unwell</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>cancelled</translation>
    </message>
    <message>
        <source>internal error</source>
        <translation>internal error</translation>
    </message>
    <message>
        <source>Root: the whole space competes here with local refinement.</source>
        <translation>Root: the whole space competes here with local refinement.</translation>
    </message>
    <message>
        <source>%1: waiting for a decision</source>
        <translation>%1: waiting for a decision</translation>
    </message>
    <message>
        <source>%1: running</source>
        <translation>%1: running</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Failed</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Outcome</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>What to do</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameters</translation>
    </message>
    <message>
        <source>Proposed by</source>
        <translation>Proposed by</translation>
    </message>
    <message>
        <source>Content hash</source>
        <translation>Content hash</translation>
    </message>
    <message>
        <source>In the tree</source>
        <translation>In the tree</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>Parent</translation>
    </message>
    <message>
        <source>root</source>
        <translation>root</translation>
    </message>
    <message>
        <source>Children</source>
        <translation>Children</translation>
    </message>
    <message>
        <source>Expansions</source>
        <translation>Expansions</translation>
    </message>
    <message>
        <source>%1 of the node, %2 with its descendants</source>
        <translation>%1 of the node, %2 with its descendants</translation>
    </message>
    <message>
        <source>Proposed again</source>
        <translation>Proposed again</translation>
    </message>
    <message>
        <source>%1: skipped, forecast %2 over %3</source>
        <translation>%1: skipped, forecast %2 over %3</translation>
    </message>
    <message>
        <source>%1: %2 over %3</source>
        <translation>%1: %2 over %3</translation>
    </message>
</context>
<context>
    <name>foresight::NodeView</name>
    <message>
        <source>Details of the candidate</source>
        <translation>Details of the candidate</translation>
    </message>
    <message>
        <source>Scores of the nodes that competed for this expansion</source>
        <translation>Scores of the nodes that competed for this expansion</translation>
    </message>
    <message>
        <source>Source of the candidate</source>
        <translation>Source of the candidate</translation>
    </message>
    <message>
        <source>Compiler log</source>
        <translation>Compiler log</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>No node selected</source>
        <translation>No node selected</translation>
    </message>
    <message>
        <source>Select a node of the search tree to see what it is, what was forecast and measured, and why it was chosen.</source>
        <translation>Select a node of the search tree to see what it is, what was forecast and measured, and why it was chosen.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Score</translation>
    </message>
    <message>
        <source>Q (log2)</source>
        <translation>Q (log2)</translation>
    </message>
    <message>
        <source>Prior</source>
        <translation>Prior</translation>
    </message>
    <message>
        <source>Visits</source>
        <translation>Visits</translation>
    </message>
    <message>
        <source>root</source>
        <translation>root</translation>
    </message>
    <message>
        <source>%1 (selected)</source>
        <translation>%1 (selected)</translation>
    </message>
    <message>
        <source>No source is known for this candidate.</source>
        <translation>No source is known for this candidate.</translation>
    </message>
    <message>
        <source>Nothing was compiled for this candidate here.</source>
        <translation>Nothing was compiled for this candidate here.</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Why</translation>
    </message>
    <message>
        <source>Why this one: the scores of the nodes that competed for this expansion</source>
        <translation>Why this one: the scores of the nodes that competed for this expansion</translation>
    </message>
</context>
<context>
    <name>foresight::NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Dismiss</translation>
    </message>
</context>
<context>
    <name>foresight::OperatorsModel</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message>
        <source>Part of another row: its headroom is counted there.</source>
        <translation>Part of another row: its headroom is counted there.</translation>
    </message>
    <message>
        <source>The least time this GPU needs: compulsory bytes, arithmetic, or an empty kernel.</source>
        <translation>The least time this GPU needs: compulsory bytes, arithmetic, or an empty kernel.</translation>
    </message>
    <message>
        <source>An estimate: inputs and outputs read and written once.</source>
        <translation>An estimate: inputs and outputs read and written once.</translation>
    </message>
    <message>
        <source>Needs a GPU here: no recorded measurements of this shape.</source>
        <translation>Needs a GPU here: no recorded measurements of this shape.</translation>
    </message>
    <message>
        <source>%1 (part of another row)</source>
        <translation>%1 (part of another row)</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>searching…</translation>
    </message>
    <message>
        <source>searched</source>
        <translation>searched</translation>
    </message>
    <message>
        <source>%1 (needs a GPU)</source>
        <translation>%1 (needs a GPU)</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1, recorded</translation>
    </message>
    <message>
        <source>deploy, %1</source>
        <translation>deploy, %1</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>fall back</translation>
    </message>
    <message numerus="yes">
        <source>grid %1×%2×%3, block %4×%5×%6, %n register(s)</source>
        <translation>
            <numerusform>grid %1×%2×%3, block %4×%5×%6, %n register</numerusform>
            <numerusform>grid %1×%2×%3, block %4×%5×%6, %n registers</numerusform>
        </translation>
    </message>
    <message>
        <source>Operator and module; its kernels below it</source>
        <translation>Operator and module; its kernels below it</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Calls in the recorded window, exact</source>
        <translation>Calls in the recorded window, exact</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Calls</translation>
    </message>
    <message>
        <source>Total GPU time in the recorded window (ms)</source>
        <translation>Total GPU time in the recorded window (ms)</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU time</translation>
    </message>
    <message>
        <source>Share of all GPU time</source>
        <translation>Share of all GPU time</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Share</translation>
    </message>
    <message>
        <source>Mean GPU time of one call (µs)</source>
        <translation>Mean GPU time of one call (µs)</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mean</translation>
    </message>
    <message>
        <source>95th percentile of one call (µs)</source>
        <translation>95th percentile of one call (µs)</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>The least time one call can take on this GPU (µs)</source>
        <translation>The least time one call can take on this GPU (µs)</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Floor</translation>
    </message>
    <message>
        <source>Mean time as a multiple of the floor</source>
        <translation>Mean time as a multiple of the floor</translation>
    </message>
    <message>
        <source>× floor</source>
        <translation>× floor</translation>
    </message>
    <message>
        <source>GPU time above the floor: what could be won back (ms)</source>
        <translation>GPU time above the floor: what could be won back (ms)</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>Headroom</translation>
    </message>
    <message>
        <source>Shapes and types of the inputs</source>
        <translation>Shapes and types of the inputs</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Inputs</translation>
    </message>
    <message>
        <source>Can it be searched, and has it been?</source>
        <translation>Can it be searched, and has it been?</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Search</translation>
    </message>
    <message>
        <source>The guard&apos;s verdict on the best kernel found</source>
        <translation>The guard&apos;s verdict on the best kernel found</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Verdict</translation>
    </message>
</context>
<context>
    <name>foresight::OperatorsView</name>
    <message>
        <source>Search for a faster kernel</source>
        <translation>Search for a faster kernel</translation>
    </message>
    <message>
        <source>Filter by name, module, shape or kernel</source>
        <translation>Filter by name, module, shape or kernel</translation>
    </message>
    <message>
        <source>Operators by headroom</source>
        <translation>Operators by headroom</translation>
    </message>
    <message>
        <source>No profile</source>
        <translation>No profile</translation>
    </message>
    <message>
        <source>Operators of a recorded model appear here, ranked by how much of their GPU time could be won back.</source>
        <translation>Operators of a recorded model appear here, ranked by how much of their GPU time could be won back.</translation>
    </message>
    <message>
        <source>Open a session…</source>
        <translation>Open a session…</translation>
    </message>
    <message>
        <source>Select an operator first.</source>
        <translation>Select an operator first.</translation>
    </message>
    <message>
        <source>No kernel family implements this operator.</source>
        <translation>No kernel family implements this operator.</translation>
    </message>
    <message>
        <source>Search the family %1 for %2</source>
        <translation>Search the family %1 for %2</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n step(s), %2 of GPU time</source>
        <translation>
            <numerusform>%1, %n step, %2 of GPU time</numerusform>
            <numerusform>%1, %n steps, %2 of GPU time</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 launch-bound</source>
        <translation>, %1 launch-bound</translation>
    </message>
    <message>
        <source>%1 records, %2 dropped, %3 untimed, %4 unmatched.</source>
        <translation>%1 records, %2 dropped, %3 untimed, %4 unmatched.</translation>
    </message>
    <message>
        <source>No operator was recorded.</source>
        <translation>No operator was recorded.</translation>
    </message>
</context>
<context>
    <name>foresight::PlotWidget</name>
    <message>
        <source>Cannot write %1: %2. Choose another folder or free some space.</source>
        <translation>Cannot write %1: %2. Choose another folder or free some space.</translation>
    </message>
    <message>
        <source>Cannot export to &quot;%1&quot;: the name must end in .png, .svg or .pdf.</source>
        <translation>Cannot export to &quot;%1&quot;: the name must end in .png, .svg or .pdf.</translation>
    </message>
    <message>
        <source>Copy Data as CSV</source>
        <translation>Copy Data as CSV</translation>
    </message>
    <message>
        <source>Copy Picture</source>
        <translation>Copy Picture</translation>
    </message>
    <message>
        <source>Copy Description</source>
        <translation>Copy Description</translation>
    </message>
    <message>
        <source>Export Picture…</source>
        <translation>Export Picture…</translation>
    </message>
    <message>
        <source>Export Picture</source>
        <translation>Export Picture</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg);;PNG picture (*.png);;PDF document (*.pdf)</source>
        <translation>SVG drawing (*.svg);;PNG picture (*.png);;PDF document (*.pdf)</translation>
    </message>
</context>
<context>
    <name>foresight::RecoveredPlot</name>
    <message>
        <source>Recovered speedup</source>
        <translation>Recovered speedup</translation>
    </message>
    <message>
        <source>measurements</source>
        <translation>measurements</translation>
    </message>
    <message>
        <source>share of the best possible</source>
        <translation>share of the best possible</translation>
    </message>
    <message>
        <source>best speedup so far</source>
        <translation>best speedup so far</translation>
    </message>
    <message>
        <source>No data: nothing has been measured yet</source>
        <translation>No data: nothing has been measured yet</translation>
    </message>
    <message>
        <source>best possible</source>
        <translation>best possible</translation>
    </message>
    <message>
        <source>best possible: %1</source>
        <translation>best possible: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>curve: value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>at %1 %2</source>
        <comment>number, unit</comment>
        <translation>at %1 %2</translation>
    </message>
    <message>
        <source>Best speedup so far against cost.</source>
        <translation>Best speedup so far against cost.</translation>
    </message>
    <message>
        <source>%1 reaches %2 at %3 %4.</source>
        <comment>curve, value, number, unit</comment>
        <translation>%1 reaches %2 at %3 %4.</translation>
    </message>
    <message>
        <source>No data: nothing has been measured yet.</source>
        <translation>No data: nothing has been measured yet.</translation>
    </message>
    <message>
        <source>The best possible is %1.</source>
        <translation>The best possible is %1.</translation>
    </message>
</context>
<context>
    <name>foresight::RecoveredView</name>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Share of the optimum</source>
        <translation>Share of the optimum</translation>
    </message>
    <message>
        <source>What the vertical axis shows</source>
        <translation>What the vertical axis shows</translation>
    </message>
    <message>
        <source>Best so far against measurements</source>
        <translation>Best so far against measurements</translation>
    </message>
    <message>
        <source>measurements</source>
        <translation>measurements</translation>
    </message>
    <message>
        <source>this search</source>
        <translation>this search</translation>
    </message>
    <message>
        <source>random choice (exact expectation)</source>
        <translation>random choice (exact expectation)</translation>
    </message>
    <message>
        <source>No search yet. This panel shows the best speedup found against what it cost.</source>
        <translation>No search yet. This panel shows the best speedup found against what it cost.</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>Nothing measured yet.</translation>
    </message>
    <message numerus="yes">
        <source>%n measurement(s)</source>
        <translation>
            <numerusform>%n measurement</numerusform>
            <numerusform>%n measurements</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of the optimum after %2</source>
        <translation>%1 of the optimum after %2</translation>
    </message>
    <message>
        <source>%1 over %2 after %3</source>
        <translation>%1 over %2 after %3</translation>
    </message>
</context>
<context>
    <name>foresight::ReliabilityPlot</name>
    <message>
        <source>Reliability diagram</source>
        <translation>Reliability diagram</translation>
    </message>
    <message>
        <source>as forecast</source>
        <translation>as forecast</translation>
    </message>
    <message>
        <source>recalibrated</source>
        <translation>recalibrated</translation>
    </message>
    <message>
        <source>No data: no forecast has an outcome yet</source>
        <translation>No data: no forecast has an outcome yet</translation>
    </message>
    <message>
        <source>came true</source>
        <translation>came true</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>confidence</translation>
    </message>
    <message>
        <source>count</source>
        <translation>count</translation>
    </message>
    <message>
        <source>95 % if calibrated</source>
        <translation>95 % if calibrated</translation>
    </message>
    <message>
        <source>n = %1</source>
        <translation>n = %1</translation>
    </message>
    <message>
        <source>ECE %1</source>
        <translation>ECE %1</translation>
    </message>
    <message>
        <source>Confidence %1 to %2</source>
        <translation>Confidence %1 to %2</translation>
    </message>
    <message>
        <source>no forecasts</source>
        <translation>no forecasts</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s), mean confidence %1, came true %2</source>
        <translation>
            <numerusform>%n forecast, mean confidence %1, came true %2</numerusform>
            <numerusform>%n forecasts, mean confidence %1, came true %2</numerusform>
        </translation>
    </message>
    <message>
        <source>95 % band of the observed share: %1 to %2</source>
        <translation>95 % band of the observed share: %1 to %2</translation>
    </message>
    <message>
        <source>95 % band if calibrated: %1 to %2</source>
        <translation>95 % band if calibrated: %1 to %2</translation>
    </message>
    <message>
        <source>Reliability diagram. No data: no forecast has an outcome yet.</source>
        <translation>Reliability diagram. No data: no forecast has an outcome yet.</translation>
    </message>
    <message numerus="yes">
        <source>Reliability diagram of %n forecast(s).</source>
        <translation>
            <numerusform>Reliability diagram of %n forecast.</numerusform>
            <numerusform>Reliability diagram of %n forecasts.</numerusform>
        </translation>
    </message>
    <message>
        <source>Expected calibration error %1.</source>
        <translation>Expected calibration error %1.</translation>
    </message>
    <message>
        <source>A calibrated forecaster would stay below %1 in 95 of 100 cases.</source>
        <translation>A calibrated forecaster would stay below %1 in 95 of 100 cases.</translation>
    </message>
    <message numerus="yes">
        <source>Largest gap: at confidence %1, %2 came true (%n forecast(s)).</source>
        <translation>
            <numerusform>Largest gap: at confidence %1, %2 came true (%n forecast).</numerusform>
            <numerusform>Largest gap: at confidence %1, %2 came true (%n forecasts).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>foresight::Report</name>
    <message>
        <source>Operators by headroom</source>
        <translation>Operators by headroom</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Inputs</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Calls</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU time</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Share</translation>
    </message>
    <message>
        <source>Floor of a call</source>
        <translation>Floor of a call</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>Headroom</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Family</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Search</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>Candidates forecast</source>
        <translation>Candidates forecast</translation>
    </message>
    <message>
        <source>Skipped without measuring</source>
        <translation>Skipped without measuring</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Measured</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Failed</translation>
    </message>
    <message>
        <source>Best speedup</source>
        <translation>Best speedup</translation>
    </message>
    <message>
        <source>Best candidate</source>
        <translation>Best candidate</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>Verdicts</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Verdict</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Reason</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Interval</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Evidence</translation>
    </message>
    <message>
        <source>deploy</source>
        <translation>deploy</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>fall back</translation>
    </message>
    <message>
        <source>The window</source>
        <translation>The window</translation>
    </message>
    <message>
        <source>Foresight report</source>
        <translation>Foresight report</translation>
    </message>
    <message>
        <source>Foresight %1 (%2), %3</source>
        <translation>Foresight %1 (%2), %3</translation>
    </message>
    <message>
        <source>Recorded on %1, driver %2, PyTorch %3, %4.</source>
        <translation>Recorded on %1, driver %2, PyTorch %3, %4.</translation>
    </message>
    <message>
        <source>Longest time the window was kept from responding during the search: %1 ms.</source>
        <translation>Longest time the window was kept from responding during the search: %1 ms.</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Pictures</translation>
    </message>
    <message>
        <source>Without waiting for a processor that other work had: %1 ms.</source>
        <translation>Without waiting for a processor that other work had: %1 ms.</translation>
    </message>
</context>
<context>
    <name>foresight::ScatterPlot</name>
    <message>
        <source>Forecast against measured</source>
        <translation>Forecast against measured</translation>
    </message>
    <message>
        <source>No data: nothing forecast has been measured yet</source>
        <translation>No data: nothing forecast has been measured yet</translation>
    </message>
    <message>
        <source>forecast speedup</source>
        <translation>forecast speedup</translation>
    </message>
    <message>
        <source>measured speedup</source>
        <translation>measured speedup</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>measured</translation>
    </message>
    <message>
        <source>audit</source>
        <translation>audit</translation>
    </message>
    <message>
        <source>best</source>
        <translation>best</translation>
    </message>
    <message>
        <source>#%1</source>
        <translation>#%1</translation>
    </message>
    <message>
        <source>forecast %1, measured %2</source>
        <translation>forecast %1, measured %2</translation>
    </message>
    <message>
        <source>audit: measured although the rule would have skipped it</source>
        <translation>audit: measured although the rule would have skipped it</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>best so far</translation>
    </message>
    <message>
        <source>Forecast against measured speedup. No data: nothing forecast has been measured yet.</source>
        <translation>Forecast against measured speedup. No data: nothing forecast has been measured yet.</translation>
    </message>
    <message numerus="yes">
        <source>Forecast against measured speedup, %n candidate(s).</source>
        <translation>
            <numerusform>Forecast against measured speedup, %n candidate.</numerusform>
            <numerusform>Forecast against measured speedup, %n candidates.</numerusform>
        </translation>
    </message>
    <message>
        <source>The median forecast is off by a factor of %1.</source>
        <translation>The median forecast is off by a factor of %1.</translation>
    </message>
    <message numerus="yes">
        <source>%n without a usable value left out.</source>
        <translation>
            <numerusform>%n without a usable value left out.</numerusform>
            <numerusform>%n without a usable value left out.</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1, forecast %2, measured %3.</source>
        <translation>Selected: %1, forecast %2, measured %3.</translation>
    </message>
</context>
<context>
    <name>foresight::SearchState</name>
    <message>
        <source>root</source>
        <translation>root</translation>
    </message>
</context>
<context>
    <name>foresight::SearchTreeView</name>
    <message>
        <source>Search tree</source>
        <translation>Search tree</translation>
    </message>
    <message>
        <source>Find: #12, VEC=8, failed…</source>
        <translation>Find: #12, VEC=8, failed…</translation>
    </message>
    <message>
        <source>Find nodes by number, parameter or state</source>
        <translation>Find nodes by number, parameter or state</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Measured</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>Forecast</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Depth</translation>
    </message>
    <message>
        <source>Colour nodes by</source>
        <translation>Colour nodes by</translation>
    </message>
    <message>
        <source>Show the whole tree</source>
        <translation>Show the whole tree</translation>
    </message>
    <message>
        <source>Show skipped candidates</source>
        <translation>Show skipped candidates</translation>
    </message>
    <message>
        <source>No search</source>
        <translation>No search</translation>
    </message>
    <message>
        <source>Pick an operator and start a search: every candidate it considers appears here, measured or skipped.</source>
        <translation>Pick an operator and start a search: every candidate it considers appears here, measured or skipped.</translation>
    </message>
    <message>
        <source>Search the top operator</source>
        <translation>Search the top operator</translation>
    </message>
    <message>
        <source>%1 proposed, %2 measured, %3 skipped, %4 failed</source>
        <translation>%1 proposed, %2 measured, %3 skipped, %4 failed</translation>
    </message>
    <message>
        <source>; best %1 over %2 (#%3)</source>
        <translation>; best %1 over %2 (#%3)</translation>
    </message>
    <message>
        <source>Preparing the search…</source>
        <translation>Preparing the search…</translation>
    </message>
    <message>
        <source>Paused. </source>
        <translation>Paused. </translation>
    </message>
    <message>
        <source>Finished: %1. </source>
        <translation>Finished: %1. </translation>
    </message>
    <message>
        <source>Interrupted; it can be resumed. </source>
        <translation>Interrupted; it can be resumed. </translation>
    </message>
    <message>
        <source>the budget is used up</source>
        <translation>the budget is used up</translation>
    </message>
    <message>
        <source>the budget of measurements is used up</source>
        <translation>the budget of measurements is used up</translation>
    </message>
    <message>
        <source>the budget of GPU seconds is used up</source>
        <translation>the budget of GPU seconds is used up</translation>
    </message>
    <message>
        <source>the budget of wall seconds is used up</source>
        <translation>the budget of wall seconds is used up</translation>
    </message>
    <message>
        <source>every configuration has been tried</source>
        <translation>every configuration has been tried</translation>
    </message>
    <message>
        <source>stopped by the user</source>
        <translation>stopped by the user</translation>
    </message>
    <message>
        <source>the GPU is unwell</source>
        <translation>the GPU is unwell</translation>
    </message>
</context>
<context>
    <name>foresight::SourceService</name>
    <message>
        <source>// compiled with:
%1
</source>
        <translation>// compiled with:
%1
</translation>
    </message>
</context>
<context>
    <name>foresight::SourceView</name>
    <message numerus="yes">
        <source> … (line cut; %n more character(s))</source>
        <translation>
            <numerusform> … (line cut; %n more character)</numerusform>
            <numerusform> … (line cut; %n more characters)</numerusform>
        </translation>
    </message>
    <message>
        <source>… (text cut after %1 MB; Copy All copies everything)</source>
        <translation>… (text cut after %1 MB; Copy All copies everything)</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Copy All</source>
        <translation>Copy All</translation>
    </message>
</context>
<context>
    <name>foresight::StartPage</name>
    <message>
        <source>Foresight</source>
        <translation>Foresight</translation>
    </message>
    <message>
        <source>Find out where a model&apos;s GPU time can be won back, watch the search for faster kernels, and know which results to trust.</source>
        <translation>Find out where a model&apos;s GPU time can be won back, watch the search for faster kernels, and know which results to trust.</translation>
    </message>
    <message>
        <source>Open a session…</source>
        <translation>Open a session…</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>Recorded sessions</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Recent</translation>
    </message>
    <message>
        <source>What can be done here</source>
        <translation>What can be done here</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Open %1</translation>
    </message>
    <message>
        <source>Sessions you open appear here.</source>
        <translation>Sessions you open appear here.</translation>
    </message>
    <message>
        <source>None found: the program&apos;s data folder is missing. Reinstall, or set FORESIGHT_DATA.</source>
        <translation>None found: the program&apos;s data folder is missing. Reinstall, or set FORESIGHT_DATA.</translation>
    </message>
    <message>
        <source>Shipped with Foresight; opened read-only</source>
        <translation>Shipped with Foresight; opened read-only</translation>
    </message>
</context>
<context>
    <name>foresight::StatusLabel</name>
    <message>
        <source>information</source>
        <translation>information</translation>
    </message>
    <message>
        <source>running</source>
        <translation>running</translation>
    </message>
    <message>
        <source>good</source>
        <translation>good</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>warning</translation>
    </message>
    <message>
        <source>error</source>
        <translation>error</translation>
    </message>
    <message>
        <source>no state</source>
        <translation>no state</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>foresight::TableView</name>
    <message>
        <source>Reset Columns</source>
        <translation>Reset Columns</translation>
    </message>
    <message>
        <source>Copy Cell</source>
        <translation>Copy Cell</translation>
    </message>
    <message>
        <source>Copy Selected Rows As</source>
        <translation>Copy Selected Rows As</translation>
    </message>
    <message>
        <source>Copy All Rows As</source>
        <translation>Copy All Rows As</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Columns</translation>
    </message>
</context>
<context>
    <name>foresight::TreeCanvas</name>
    <message>
        <source>Search tree</source>
        <translation>Search tree</translation>
    </message>
    <message>
        <source>#%1</source>
        <translation>#%1</translation>
    </message>
    <message>
        <source>#%1 %2</source>
        <comment>id, label</comment>
        <translation>#%1 %2</translation>
    </message>
    <message>
        <source>speedup %1</source>
        <translation>speedup %1</translation>
    </message>
    <message>
        <source>forecast %1</source>
        <translation>forecast %1</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>best so far</translation>
    </message>
    <message>
        <source>on the path to the best</source>
        <translation>on the path to the best</translation>
    </message>
    <message>
        <source>audit</source>
        <translation>audit</translation>
    </message>
    <message>
        <source>added by hand</source>
        <translation>added by hand</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>pinned</translation>
    </message>
    <message>
        <source>subtree forbidden</source>
        <translation>subtree forbidden</translation>
    </message>
    <message numerus="yes">
        <source>proposed again %n time(s)</source>
        <translation>
            <numerusform>proposed again %n time</numerusform>
            <numerusform>proposed again %n times</numerusform>
        </translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>depth %1</translation>
    </message>
    <message numerus="yes">
        <source>%n child(ren)</source>
        <translation>
            <numerusform>%n child</numerusform>
            <numerusform>%n children</numerusform>
        </translation>
    </message>
    <message>
        <source>(collapsed)</source>
        <translation>(collapsed)</translation>
    </message>
    <message>
        <source>Search tree, empty.</source>
        <translation>Search tree, empty.</translation>
    </message>
    <message>
        <source>Search tree of %1 candidates: %2 measured, %3 skipped, %4 failed.</source>
        <translation>Search tree of %1 candidates: %2 measured, %3 skipped, %4 failed.</translation>
    </message>
    <message>
        <source>Best: %1.</source>
        <translation>Best: %1.</translation>
    </message>
    <message>
        <source>Selected: %1.</source>
        <translation>Selected: %1.</translation>
    </message>
    <message>
        <source>No candidates yet</source>
        <translation>No candidates yet</translation>
    </message>
    <message>
        <source>start</source>
        <translation>start</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>proposed</translation>
    </message>
    <message>
        <source>skipped (ghost)</source>
        <translation>skipped (ghost)</translation>
    </message>
    <message>
        <source>running</source>
        <translation>running</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>measured</translation>
    </message>
    <message>
        <source>failed: does not build</source>
        <translation>failed: does not build</translation>
    </message>
    <message>
        <source>failed: does not run</source>
        <translation>failed: does not run</translation>
    </message>
    <message>
        <source>failed: wrong result</source>
        <translation>failed: wrong result</translation>
    </message>
    <message>
        <source>failed: timing</source>
        <translation>failed: timing</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>duplicate</translation>
    </message>
    <message>
        <source>colour: forecast speedup</source>
        <translation>colour: forecast speedup</translation>
    </message>
    <message>
        <source>colour: depth</source>
        <translation>colour: depth</translation>
    </message>
    <message>
        <source>colour: measured speedup</source>
        <translation>colour: measured speedup</translation>
    </message>
    <message>
        <source>audit: measured at random</source>
        <translation>audit: measured at random</translation>
    </message>
</context>
</TS>
