<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name>Language</name>
    <message>
        <source>Follow the system</source>
        <translation>Wie das System</translation>
    </message>
</context>
<context>
    <name>foresight::CalibrationView</name>
    <message>
        <source>Most likely bin</source>
        <translation>Wahrscheinlichste Klasse</translation>
    </message>
    <message>
        <source>Speedup above %1</source>
        <translation>Beschleunigung über %1</translation>
    </message>
    <message>
        <source>Which probability is checked</source>
        <translation>Welche Wahrscheinlichkeit geprüft wird</translation>
    </message>
    <message>
        <source>Reliability of the forecasts</source>
        <translation>Zuverlässigkeit der Vorhersagen</translation>
    </message>
    <message>
        <source>Scores of the forecasts</source>
        <translation>Bewertung der Vorhersagen</translation>
    </message>
    <message>
        <source>No forecast has met its measurement yet.</source>
        <translation>Noch keine Vorhersage ist auf ihre Messung getroffen.</translation>
    </message>
    <message>
        <source>No search yet: forecasts are judged here against what was measured.</source>
        <translation>Noch keine Suche: Hier werden Vorhersagen an dem geprüft, was gemessen wurde.</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s) with an outcome, over %1.</source>
        <translation>
            <numerusform>%n Vorhersage mit Ergebnis, gegenüber %1.</numerusform>
            <numerusform>%n Vorhersagen mit Ergebnis, gegenüber %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of the start, made before anything was known, left out.</source>
        <translation>
            <numerusform>%n vom Anfang, erstellt, bevor etwas bekannt war, ist ausgelassen.</numerusform>
            <numerusform>%n vom Anfang, erstellt, bevor etwas bekannt war, sind ausgelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Too few to judge: look at the bands.</source>
        <translation>Zu wenige für ein Urteil: Die Bänder beachten.</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message>
        <source>ECE</source>
        <translation>ECE</translation>
    </message>
    <message>
        <source>Expected calibration error, ten bins of equal width.</source>
        <translation>Erwarteter Kalibrierungsfehler, zehn Klassen gleicher Breite.</translation>
    </message>
    <message>
        <source>ECE if perfect, 95 %</source>
        <translation>ECE falls perfekt, 95 %</translation>
    </message>
    <message>
        <source>A perfectly calibrated forecaster stays below this in 95 of 100 cases at this number of rows.</source>
        <translation>Ein perfekt kalibrierter Vorhersager bleibt bei dieser Zeilenzahl in 95 von 100 Fällen darunter.</translation>
    </message>
    <message>
        <source>ECE of climatology</source>
        <translation>ECE der Klimatologie</translation>
    </message>
    <message>
        <source>Of always forecasting the frequencies so far.</source>
        <translation>Wenn stets die bisherigen Häufigkeiten vorhergesagt werden.</translation>
    </message>
    <message>
        <source>Largest gap</source>
        <translation>Größte Lücke</translation>
    </message>
    <message>
        <source>Largest distance of a bar from the diagonal.</source>
        <translation>Größter Abstand eines Balkens von der Diagonalen.</translation>
    </message>
    <message>
        <source>Half-Brier</source>
        <translation>Halber Brier-Wert</translation>
    </message>
    <message>
        <source>Mean squared error of the eight probabilities, halved. The uniform forecast has 0.4375.</source>
        <translation>Mittlerer quadratischer Fehler der acht Wahrscheinlichkeiten, halbiert. Die gleichverteilte Vorhersage hat 0,4375.</translation>
    </message>
    <message>
        <source>RPS</source>
        <translation>RPS</translation>
    </message>
    <message>
        <source>Ranked probability score: like Brier, but a miss by one bin costs less than by five.</source>
        <translation>Ranked Probability Score: wie Brier, aber um eine Klasse danebenzuliegen kostet weniger als um fünf.</translation>
    </message>
    <message>
        <source>RPS skill</source>
        <translation>RPS-Güte</translation>
    </message>
    <message>
        <source>1 is perfect, 0 no better than climatology, below 0 worse.</source>
        <translation>1 ist perfekt, 0 nicht besser als die Klimatologie, unter 0 schlechter.</translation>
    </message>
    <message>
        <source>Log loss</source>
        <translation>Log-Verlust</translation>
    </message>
    <message>
        <source>Negative log likelihood of the true bin.</source>
        <translation>Negative Log-Likelihood der wahren Klasse.</translation>
    </message>
    <message>
        <source>Forecast error (log2)</source>
        <translation>Vorhersagefehler (log2)</translation>
    </message>
    <message>
        <source>Mean distance of the most likely bin&apos;s representative from the measured log2 speedup.</source>
        <translation>Mittlerer Abstand des Repräsentanten der wahrscheinlichsten Klasse von der gemessenen log2-Beschleunigung.</translation>
    </message>
    <message>
        <source>Error against confidence</source>
        <translation>Fehler gegen Konfidenz</translation>
    </message>
    <message>
        <source>Spearman&apos;s rank correlation; negative is good: the surer, the closer.</source>
        <translation>Rangkorrelation nach Spearman; negativ ist gut: je sicherer, desto näher.</translation>
    </message>
    <message>
        <source>Equal width</source>
        <translation>Gleiche Breite</translation>
    </message>
    <message>
        <source>Equal counts</source>
        <translation>Gleiche Anzahl</translation>
    </message>
    <message>
        <source>How confidences are put into bars</source>
        <translation>Wie Konfidenzen auf Balken verteilt werden</translation>
    </message>
    <message>
        <source>Bars of equal width, or with equally many forecasts in each</source>
        <translation>Balken gleicher Breite oder mit gleich vielen Vorhersagen</translation>
    </message>
    <message>
        <source>Which table of speedup bins</source>
        <translation>Welche Tabelle der Beschleunigungsklassen</translation>
    </message>
    <message>
        <source>Two tables of the eight bins are in use; forecasts are binned again for the one chosen</source>
        <translation>Zwei Tabellen der acht Klassen sind gebräuchlich; die Vorhersagen werden für die gewählte neu eingeteilt</translation>
    </message>
    <message>
        <source>Audited, chosen at random (%1)</source>
        <translation>Stichprobe, zufällig gewählt (%1)</translation>
    </message>
    <message>
        <source>First half (%1)</source>
        <translation>Erste Hälfte (%1)</translation>
    </message>
    <message>
        <source>Second half (%1)</source>
        <translation>Zweite Hälfte (%1)</translation>
    </message>
    <message>
        <source>Of few forecasts it is large even for a perfect forecaster.</source>
        <translation>Bei wenigen Vorhersagen ist er auch bei perfekter Vorhersage groß.</translation>
    </message>
</context>
<context>
    <name>foresight::Capabilities</name>
    <message>
        <source>Open recorded sessions and search over recorded measurements</source>
        <translation>Aufgezeichnete Sitzungen öffnen und über aufgezeichnete Messungen suchen</translation>
    </message>
    <message>
        <source>Recorded sessions and kernel families are missing</source>
        <translation>Aufgezeichnete Sitzungen und Kernelfamilien fehlen</translation>
    </message>
    <message>
        <source>Measure kernels on the GPU of this machine</source>
        <translation>Kernel auf der GPU dieses Rechners messen</translation>
    </message>
    <message>
        <source>Measure kernels on a GPU</source>
        <translation>Kernel auf einer GPU messen</translation>
    </message>
    <message>
        <source>no NVIDIA driver here; recorded measurements answer instead</source>
        <translation>kein NVIDIA-Treiber hier; stattdessen antworten aufgezeichnete Messungen</translation>
    </message>
    <message>
        <source>this build has no foresight-worker: build with the CUDA toolkit&apos;s headers</source>
        <translation>dieser Build hat keinen foresight-worker: mit den Headern des CUDA-Toolkits bauen</translation>
    </message>
    <message>
        <source>Everything in detail: foresight-cli doctor</source>
        <translation>Alles im Einzelnen: foresight-cli doctor</translation>
    </message>
</context>
<context>
    <name>foresight::FilterBar</name>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Groß-/Kleinschreibung beachten</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Not a valid expression at character %1: %2. The last valid filter stays in force.</source>
        <translation>Kein gültiger Ausdruck ab Zeichen %1: %2. Der letzte gültige Filter bleibt in Kraft.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>rows shown of all rows</comment>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>foresight::ForecastsView</name>
    <message>
        <source>Select a node of the search tree to see what was forecast for it.</source>
        <translation>Einen Knoten des Suchbaums auswählen, um zu sehen, was für ihn vorhergesagt wurde.</translation>
    </message>
    <message>
        <source>Forecast of the selected node</source>
        <translation>Vorhersage des ausgewählten Knotens</translation>
    </message>
    <message>
        <source>Forecasts of the same expansion</source>
        <translation>Vorhersagen derselben Expansion</translation>
    </message>
    <message>
        <source>Forecast against measured speedup</source>
        <translation>Vorhergesagte gegen gemessene Beschleunigung</translation>
    </message>
    <message>
        <source>#%1, forecast by %2 (model %3)</source>
        <translation>#%1, vorhergesagt von %2 (Modell %3)</translation>
    </message>
    <message>
        <source>failed: %1</source>
        <translation>fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>No search yet: start one from the Operators panel.</source>
        <translation>Noch keine Suche: Sie lässt sich im Bereich „Operatoren“ starten.</translation>
    </message>
    <message>
        <source>measured above this line, skipped below</source>
        <translation>über dieser Linie gemessen, darunter übersprungen</translation>
    </message>
    <message>
        <source>Against measured</source>
        <translation>Gegen gemessen</translation>
    </message>
    <message>
        <source>Same expansion</source>
        <translation>Gleiche Expansion</translation>
    </message>
    <message>
        <source>Speedups over %1</source>
        <translation>Beschleunigungen gegenüber %1</translation>
    </message>
</context>
<context>
    <name>foresight::GuardModel</name>
    <message>
        <source>search %1</source>
        <translation>Suche %1</translation>
    </message>
    <message>
        <source>deploy</source>
        <translation>einsetzen</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>beim Original bleiben</translation>
    </message>
    <message>
        <source>recorded measurements; confirm on a GPU before deploying</source>
        <translation>aufgezeichnete Messungen; vor dem Einsetzen auf einer GPU bestätigen</translation>
    </message>
    <message>
        <source>measured here, confirmed in two processes</source>
        <translation>hier gemessen, in zwei Prozessen bestätigt</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Nachweis</translation>
    </message>
    <message>
        <source>slower than the original</source>
        <translation>langsamer als das Original</translation>
    </message>
    <message>
        <source>the gain is not certain enough</source>
        <translation>der Gewinn ist nicht sicher genug</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>falsches Ergebnis</translation>
    </message>
    <message>
        <source>results change between runs</source>
        <translation>Ergebnisse ändern sich zwischen Läufen</translation>
    </message>
    <message>
        <source>faster than the hardware allows</source>
        <translation>schneller, als die Hardware erlaubt</translation>
    </message>
    <message>
        <source>does not build</source>
        <translation>lässt sich nicht bauen</translation>
    </message>
    <message>
        <source>does not end in time</source>
        <translation>endet nicht rechtzeitig</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>abgestürzt</translation>
    </message>
    <message>
        <source>not confirmed in two fresh processes</source>
        <translation>nicht in zwei frischen Prozessen bestätigt</translation>
    </message>
    <message>
        <source>nothing was measured</source>
        <translation>nichts wurde gemessen</translation>
    </message>
    <message>
        <source>GPU, driver or toolkit changed</source>
        <translation>GPU, Treiber oder Toolkit geändert</translation>
    </message>
    <message>
        <source>not supported here</source>
        <translation>hier nicht unterstützt</translation>
    </message>
</context>
<context>
    <name>foresight::GuardView</name>
    <message>
        <source>Verdicts</source>
        <translation>Urteile</translation>
    </message>
    <message>
        <source>Speedup intervals of searched operators</source>
        <translation>Beschleunigungsintervalle durchsuchter Operatoren</translation>
    </message>
    <message>
        <source>No verdict yet</source>
        <translation>Noch kein Urteil</translation>
    </message>
    <message>
        <source>When a search ends, the guard decides here whether its best kernel may replace the original, and why.</source>
        <translation>Wenn eine Suche endet, entscheidet der Wächter hier, ob ihr bester Kernel das Original ersetzen darf, und warum.</translation>
    </message>
    <message>
        <source>search %1</source>
        <translation>Suche %1</translation>
    </message>
</context>
<context>
    <name>foresight::Histogram8</name>
    <message>
        <source>No forecast: select a candidate</source>
        <translation>Keine Vorhersage: einen Kandidaten auswählen</translation>
    </message>
    <message>
        <source>Forecast histogram</source>
        <translation>Histogramm der Vorhersage</translation>
    </message>
    <message>
        <source>fails to run</source>
        <translation>läuft nicht</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>falsches Ergebnis</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>mehr als %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Bin %1, %2 (%3): %4</source>
        <translation>Klasse %1, %2 (%3): %4</translation>
    </message>
    <message>
        <source>measured: %1</source>
        <translation>gemessen: %1</translation>
    </message>
    <message>
        <source>speedup over the baseline</source>
        <translation>Beschleunigung gegenüber der Vergleichsbasis</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>scheitert</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>erwartet %1</translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation>gemessen %1</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>severe slowdown</source>
        <translation>massive Verlangsamung</translation>
    </message>
    <message>
        <source>significant slowdown</source>
        <translation>deutliche Verlangsamung</translation>
    </message>
    <message>
        <source>moderate slowdown</source>
        <translation>mäßige Verlangsamung</translation>
    </message>
    <message>
        <source>minor slowdown</source>
        <translation>leichte Verlangsamung</translation>
    </message>
    <message>
        <source>minor speedup</source>
        <translation>leichte Beschleunigung</translation>
    </message>
    <message>
        <source>significant speedup</source>
        <translation>deutliche Beschleunigung</translation>
    </message>
    <message>
        <source>high speedup</source>
        <translation>hohe Beschleunigung</translation>
    </message>
    <message>
        <source>extreme speedup</source>
        <translation>extreme Beschleunigung</translation>
    </message>
    <message>
        <source>No forecast.</source>
        <translation>Keine Vorhersage.</translation>
    </message>
    <message>
        <source>most likely %1 (%2).</source>
        <translation>am wahrscheinlichsten %1 (%2).</translation>
    </message>
    <message>
        <source>Expected speedup %1.</source>
        <translation>Erwartete Beschleunigung %1.</translation>
    </message>
    <message>
        <source>Fails to run: %1, wrong result: %2.</source>
        <translation>Läuft nicht: %1, falsches Ergebnis: %2.</translation>
    </message>
    <message>
        <source>Measuring it failed: %1.</source>
        <translation>Die Messung ist fehlgeschlagen: %1.</translation>
    </message>
    <message>
        <source>Measured: %1, %2.</source>
        <translation>Gemessen: %1, %2.</translation>
    </message>
    <message>
        <source>Not measured.</source>
        <translation>Nicht gemessen.</translation>
    </message>
    <message>
        <source>speedup over %1</source>
        <translation>Beschleunigung gegenüber %1</translation>
    </message>
</context>
<context>
    <name>foresight::HistogramGrid</name>
    <message>
        <source>skipped from here on</source>
        <translation>ab hier übersprungen</translation>
    </message>
    <message>
        <source>Forecasts of the siblings</source>
        <translation>Vorhersagen der Geschwister</translation>
    </message>
    <message>
        <source>No siblings with forecasts</source>
        <translation>Keine Geschwister mit Vorhersagen</translation>
    </message>
    <message>
        <source>(audit)</source>
        <translation>(Stichprobe)</translation>
    </message>
    <message>
        <source>No siblings with forecasts.</source>
        <translation>Keine Geschwister mit Vorhersagen.</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s) of siblings,</source>
        <translation>
            <numerusform>%n Vorhersage von Geschwistern,</numerusform>
            <numerusform>%n Vorhersagen von Geschwistern,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them chosen for measuring.</source>
        <translation>
            <numerusform>%n davon zum Messen ausgewählt.</numerusform>
            <numerusform>%n davon zum Messen ausgewählt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Ausgewählt: %1</translation>
    </message>
</context>
<context>
    <name>foresight::IntervalPlot</name>
    <message>
        <source>deploy</source>
        <translation>einsetzen</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>beim Original bleiben</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>pending</source>
        <translation>ausstehend</translation>
    </message>
    <message>
        <source>Verdict intervals</source>
        <translation>Intervalle der Urteile</translation>
    </message>
    <message>
        <source>No verdicts: search an operator first</source>
        <translation>Keine Urteile: zuerst einen Operator durchsuchen</translation>
    </message>
    <message>
        <source>margin %1</source>
        <translation>Marge %1</translation>
    </message>
    <message>
        <source>nothing measured yet</source>
        <translation>noch nichts gemessen</translation>
    </message>
    <message>
        <source>verdict: %1</source>
        <translation>Urteil: %1</translation>
    </message>
    <message>
        <source>%1, interval %2 to %3</source>
        <translation>%1, Intervall %2 bis %3</translation>
    </message>
    <message>
        <source>Verdicts per operator. None yet: search an operator first.</source>
        <translation>Urteile je Operator. Noch keine: zuerst einen Operator durchsuchen.</translation>
    </message>
    <message numerus="yes">
        <source>Verdicts of %n operator(s),</source>
        <translation>
            <numerusform>Urteil über %n Operator,</numerusform>
            <numerusform>Urteile über %n Operatoren,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to deploy, against a margin of %1.</source>
        <translation>
            <numerusform>%n einzusetzen, bei einer Marge von %1.</numerusform>
            <numerusform>%n einzusetzen, bei einer Marge von %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1, %2.</source>
        <translation>Ausgewählt: %1, %2.</translation>
    </message>
    <message>
        <source>Speedup %1, interval %2 to %3.</source>
        <translation>Beschleunigung %1, Intervall %2 bis %3.</translation>
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
        <translation>Wert</translation>
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
        <translation>Wert kopieren</translation>
    </message>
    <message>
        <source>Copy Name and Value</source>
        <translation>Name und Wert kopieren</translation>
    </message>
    <message>
        <source>Copy All</source>
        <translation>Alles kopieren</translation>
    </message>
</context>
<context>
    <name>foresight::MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Recorded &amp;sessions</source>
        <translation>Aufgezeichnete &amp;Sitzungen</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Export &amp;report…</source>
        <translation>B&amp;ericht exportieren…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suche</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Step one &amp;expansion</source>
        <translation>Eine E&amp;xpansion weiter</translation>
    </message>
    <message>
        <source>Step one e&amp;vent</source>
        <translation>Ein &amp;Ereignis weiter</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>St&amp;oppen</translation>
    </message>
    <message>
        <source>Resume &amp;interrupted search</source>
        <translation>&amp;Unterbrochene Suche fortsetzen</translation>
    </message>
    <message>
        <source> measurements</source>
        <translation> Messungen</translation>
    </message>
    <message>
        <source>Budget of the next search</source>
        <translation>Budget der nächsten Suche</translation>
    </message>
    <message>
        <source>Budget of the next search, in measurements</source>
        <translation>Budget der nächsten Suche, in Messungen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Volle Geschwindigkeit</translation>
    </message>
    <message>
        <source>10 per second</source>
        <translation>10 pro Sekunde</translation>
    </message>
    <message>
        <source>2 per second</source>
        <translation>2 pro Sekunde</translation>
    </message>
    <message>
        <source>How fast a search over recorded measurements runs, so that it can be watched</source>
        <translation>Wie schnell eine Suche über aufgezeichnete Messungen läuft, damit sie sich verfolgen lässt</translation>
    </message>
    <message>
        <source>Pace of recorded searches</source>
        <translation>Tempo aufgezeichneter Suchen</translation>
    </message>
    <message>
        <source>Speedups over</source>
        <translation>Beschleunigungen gegenüber</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>family default</source>
        <translation>Familienstandard</translation>
    </message>
    <message>
        <source>What the speedups in tree, forecasts and calibration are relative to. Verdicts are always over the baseline.</source>
        <translation>Worauf sich die Beschleunigungen in Baum, Vorhersagen und Kalibrierung beziehen. Urteile gelten immer gegenüber der Vergleichsbasis.</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Bereiche</translation>
    </message>
    <message>
        <source>&amp;Layouts</source>
        <translation>&amp;Anordnungen</translation>
    </message>
    <message>
        <source>&amp;Save this layout…</source>
        <translation>Diese Anordnung &amp;speichern…</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>Anordnung speichern</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>&amp;Reset to the default</source>
        <translation>Auf Standard &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Follow the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>L&amp;anguage</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>The language changes when Foresight starts again.</source>
        <translation>Die Sprache wechselt beim nächsten Start von Foresight.</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;About Foresight</source>
        <translation>Ü&amp;ber Foresight</translation>
    </message>
    <message>
        <source>About Foresight</source>
        <translation>Über Foresight</translation>
    </message>
    <message>
        <source>Foresight %1 (%2)

A debugger for kernel search: profile, search, forecast, guard.
The window is free software under the GNU GPL 3 or later, the engine under the Apache License 2.0.</source>
        <translation>Foresight %1 (%2)

Ein Debugger für die Kernelsuche: Profil, Suche, Vorhersage, Wächter.
Das Fenster ist freie Software unter der GNU GPL 3 oder neuer, der Kern unter der Apache License 2.0.</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
    <message>
        <source>Forget these</source>
        <translation>Diese vergessen</translation>
    </message>
    <message>
        <source>Save a copy of the session</source>
        <translation>Kopie der Sitzung speichern</translation>
    </message>
    <message>
        <source>Foresight sessions (*.fsight)</source>
        <translation>Foresight-Sitzungen (*.fsight)</translation>
    </message>
    <message>
        <source>Folder for the report</source>
        <translation>Ordner für den Bericht</translation>
    </message>
    <message>
        <source>Report written: %1</source>
        <translation>Bericht geschrieben: %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>%1: %2 of %3 measurements</source>
        <translation>%1: %2 von %3 Messungen</translation>
    </message>
    <message>
        <source>%1: %2 measurements</source>
        <translation>%1: %2 Messungen</translation>
    </message>
    <message>
        <source>, best %1</source>
        <translation>, beste %1</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Search tree</source>
        <translation>Suchbaum</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Forecasts</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Kalibrierung</translation>
    </message>
    <message>
        <source>Recovered speedup</source>
        <translation>Zurückgewonnene Beschleunigung</translation>
    </message>
    <message>
        <source>Guard</source>
        <translation>Wächter</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2</source>
        <translation>%1 konnte nicht geöffnet werden: %2</translation>
    </message>
    <message>
        <source>The session is read-only; the search is kept in a working copy: %1</source>
        <translation>Die Sitzung ist schreibgeschützt; die Suche wird in einer Arbeitskopie gespeichert: %1</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>Sitzung öffnen</translation>
    </message>
    <message>
        <source>Opening %1…</source>
        <translation>%1 wird geöffnet…</translation>
    </message>
    <message numerus="yes">
        <source>%n record(s) dropped</source>
        <translation>
            <numerusform>%n Datensatz verworfen</numerusform>
            <numerusform>%n Datensätze verworfen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The search of %1 was interrupted after %n measurement(s). Nothing is lost.</source>
        <translation>
            <numerusform>Die Suche für %1 wurde nach %n Messung unterbrochen. Nichts ist verloren.</numerusform>
            <numerusform>Die Suche für %1 wurde nach %n Messungen unterbrochen. Nichts ist verloren.</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>No operator of this session can be searched here: none matches a kernel family with recorded measurements, and there is no GPU.</source>
        <translation>Kein Operator dieser Sitzung lässt sich hier durchsuchen: Keiner passt zu einer Kernelfamilie mit aufgezeichneten Messungen, und es gibt keine GPU.</translation>
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
        <translation>%1, aufgezeichnet am %2</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1, aufgezeichnet</translation>
    </message>
    <message>
        <source>There is nothing to resume: this session has no interrupted search.</source>
        <translation>Es gibt nichts fortzusetzen: Diese Sitzung hat keine unterbrochene Suche.</translation>
    </message>
    <message>
        <source>%1 per second</source>
        <translation>%1 pro Sekunde</translation>
    </message>
</context>
<context>
    <name>foresight::NodeDetails</name>
    <message>
        <source>Forecast</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Expected speedup over %1</source>
        <translation>Erwartete Beschleunigung gegenüber %1</translation>
    </message>
    <message>
        <source>Geometric mean, given that it works.</source>
        <translation>Geometrisches Mittel, sofern er funktioniert.</translation>
    </message>
    <message>
        <source>Most likely</source>
        <translation>Am wahrscheinlichsten</translation>
    </message>
    <message>
        <source>Does not build or run</source>
        <translation>Lässt sich nicht bauen oder läuft nicht</translation>
    </message>
    <message>
        <source>Wrong result</source>
        <translation>Falsches Ergebnis</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Erstellt von</translation>
    </message>
    <message>
        <source>%1, model %2%3</source>
        <translation>%1, Modell %2%3</translation>
    </message>
    <message>
        <source>, before any measurement</source>
        <translation>, vor jeder Messung</translation>
    </message>
    <message>
        <source>Skipped by</source>
        <translation>Übersprungen durch</translation>
    </message>
    <message>
        <source>Chosen by</source>
        <translation>Gewählt durch</translation>
    </message>
    <message>
        <source>Rank in its batch</source>
        <translation>Rang in der Gruppe</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>measured although skipped, to keep the statistics honest</source>
        <translation>gemessen, obwohl übersprungen, damit die Statistik ehrlich bleibt</translation>
    </message>
    <message>
        <source>Recorded measurement</source>
        <translation>Aufgezeichnete Messung</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Speedup over %1</source>
        <translation>Beschleunigung gegenüber %1</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Anchor beside it</source>
        <translation>Anker daneben</translation>
    </message>
    <message>
        <source>The family&apos;s default configuration, timed in the same process.</source>
        <translation>Die Standardkonfiguration der Familie, im selben Prozess gemessen.</translation>
    </message>
    <message>
        <source>Quads</source>
        <translation>Vierergruppen</translation>
    </message>
    <message>
        <source>Regime</source>
        <translation>Messbedingung</translation>
    </message>
    <message>
        <source>cold cache</source>
        <translation>kalter Cache</translation>
    </message>
    <message>
        <source>hot cache</source>
        <translation>warmer Cache</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Ressourcen</translation>
    </message>
    <message>
        <source>%1 registers, %2 shared, occupancy %3</source>
        <translation>%1 Register, %2 Shared Memory, Auslastung %3</translation>
    </message>
    <message>
        <source>, %1 spilled</source>
        <translation>, %1 ausgelagert</translation>
    </message>
    <message>
        <source>limited by %1</source>
        <translation>begrenzt durch %1</translation>
    </message>
    <message>
        <source>Verification</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>failed: %1 (%2)</source>
        <translation>fehlgeschlagen: %1 (%2)</translation>
    </message>
    <message>
        <source>Largest error</source>
        <translation>Größter Fehler</translation>
    </message>
    <message>
        <source>%1 absolute, %2 relative</source>
        <translation>%1 absolut, %2 relativ</translation>
    </message>
    <message>
        <source>First bad element</source>
        <translation>Erstes falsches Element</translation>
    </message>
    <message>
        <source>%1[%2] is %3, expected %4</source>
        <translation>%1[%2] ist %3, erwartet %4</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>SM clock</source>
        <translation>SM-Takt</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Compiling</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>works</source>
        <translation>funktioniert</translation>
    </message>
    <message>
        <source>does not build</source>
        <translation>lässt sich nicht bauen</translation>
    </message>
    <message>
        <source>exceeds a limit of this GPU or its own requirements</source>
        <translation>überschreitet eine Grenze dieser GPU oder eigene Anforderungen</translation>
    </message>
    <message>
        <source>wrong result</source>
        <translation>falsches Ergebnis</translation>
    </message>
    <message>
        <source>leaves output elements unwritten</source>
        <translation>lässt Ausgabeelemente ungeschrieben</translation>
    </message>
    <message>
        <source>replays an old result</source>
        <translation>gibt ein altes Ergebnis wieder</translation>
    </message>
    <message>
        <source>results change between runs</source>
        <translation>Ergebnisse ändern sich zwischen Läufen</translation>
    </message>
    <message>
        <source>writes outside its buffers</source>
        <translation>schreibt außerhalb der eigenen Puffer</translation>
    </message>
    <message>
        <source>modifies its inputs</source>
        <translation>verändert die eigenen Eingaben</translation>
    </message>
    <message>
        <source>work outlives the timed window</source>
        <translation>Arbeit überdauert das gemessene Zeitfenster</translation>
    </message>
    <message>
        <source>faster than the hardware allows</source>
        <translation>schneller, als die Hardware erlaubt</translation>
    </message>
    <message>
        <source>did not end in time</source>
        <translation>endete nicht rechtzeitig</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>abgestürzt</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>Speicher erschöpft</translation>
    </message>
    <message>
        <source>not in the recorded space</source>
        <translation>nicht im aufgezeichneten Raum</translation>
    </message>
    <message>
        <source>the GPU is unwell</source>
        <translation>die GPU ist in schlechtem Zustand</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>internal error</source>
        <translation>interner Fehler</translation>
    </message>
    <message>
        <source>Root: the whole space competes here with local refinement.</source>
        <translation>Wurzel: Hier konkurriert der ganze Raum mit lokaler Verfeinerung.</translation>
    </message>
    <message>
        <source>%1: waiting for a decision</source>
        <translation>%1: wartet auf eine Entscheidung</translation>
    </message>
    <message>
        <source>%1: running</source>
        <translation>%1: läuft</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Proposed by</source>
        <translation>Vorgeschlagen von</translation>
    </message>
    <message>
        <source>Content hash</source>
        <translation>Inhalts-Hash</translation>
    </message>
    <message>
        <source>In the tree</source>
        <translation>Im Baum</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>Elternknoten</translation>
    </message>
    <message>
        <source>root</source>
        <translation>Wurzel</translation>
    </message>
    <message>
        <source>Children</source>
        <translation>Kinder</translation>
    </message>
    <message>
        <source>Expansions</source>
        <translation>Expansionen</translation>
    </message>
    <message>
        <source>%1 of the node, %2 with its descendants</source>
        <translation>%1 des Knotens, %2 mit allen Nachkommen</translation>
    </message>
    <message>
        <source>Proposed again</source>
        <translation>Erneut vorgeschlagen</translation>
    </message>
    <message>
        <source>%1: skipped, forecast %2 over %3</source>
        <translation>%1: übersprungen, Vorhersage %2 gegenüber %3</translation>
    </message>
    <message>
        <source>%1: %2 over %3</source>
        <translation>%1: %2 gegenüber %3</translation>
    </message>
</context>
<context>
    <name>foresight::NodeView</name>
    <message>
        <source>Details of the candidate</source>
        <translation>Details des Kandidaten</translation>
    </message>
    <message>
        <source>Scores of the nodes that competed for this expansion</source>
        <translation>Bewertungen der Knoten, die um diese Expansion konkurrierten</translation>
    </message>
    <message>
        <source>Source of the candidate</source>
        <translation>Quelltext des Kandidaten</translation>
    </message>
    <message>
        <source>Compiler log</source>
        <translation>Compilerprotokoll</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>No node selected</source>
        <translation>Kein Knoten ausgewählt</translation>
    </message>
    <message>
        <source>Select a node of the search tree to see what it is, what was forecast and measured, and why it was chosen.</source>
        <translation>Einen Knoten des Suchbaums auswählen, um zu sehen, was er ist, was vorhergesagt und gemessen wurde und warum er gewählt wurde.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <source>Q (log2)</source>
        <translation>Q (log2)</translation>
    </message>
    <message>
        <source>Prior</source>
        <translation>A-priori-Wert</translation>
    </message>
    <message>
        <source>Visits</source>
        <translation>Besuche</translation>
    </message>
    <message>
        <source>root</source>
        <translation>Wurzel</translation>
    </message>
    <message>
        <source>%1 (selected)</source>
        <translation>%1 (ausgewählt)</translation>
    </message>
    <message>
        <source>No source is known for this candidate.</source>
        <translation>Für diesen Kandidaten ist kein Quelltext bekannt.</translation>
    </message>
    <message>
        <source>Nothing was compiled for this candidate here.</source>
        <translation>Für diesen Kandidaten wurde hier nichts kompiliert.</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Why this one: the scores of the nodes that competed for this expansion</source>
        <translation>Warum dieser: die Bewertungen der Knoten, die um diese Expansion konkurrierten</translation>
    </message>
</context>
<context>
    <name>foresight::NoticeBar</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>foresight::OperatorsModel</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Part of another row: its headroom is counted there.</source>
        <translation>Teil einer anderen Zeile: Der Spielraum wird dort gezählt.</translation>
    </message>
    <message>
        <source>The least time this GPU needs: compulsory bytes, arithmetic, or an empty kernel.</source>
        <translation>Die kürzeste Zeit, die diese GPU braucht: für zwingend zu bewegende Bytes, Arithmetik oder einen leeren Kernel.</translation>
    </message>
    <message>
        <source>An estimate: inputs and outputs read and written once.</source>
        <translation>Eine Schätzung: Ein- und Ausgaben einmal gelesen und geschrieben.</translation>
    </message>
    <message>
        <source>Needs a GPU here: no recorded measurements of this shape.</source>
        <translation>Braucht hier eine GPU: keine aufgezeichneten Messungen dieser Form.</translation>
    </message>
    <message>
        <source>%1 (part of another row)</source>
        <translation>%1 (Teil einer anderen Zeile)</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>searched</source>
        <translation>durchsucht</translation>
    </message>
    <message>
        <source>%1 (needs a GPU)</source>
        <translation>%1 (braucht eine GPU)</translation>
    </message>
    <message>
        <source>%1, recorded</source>
        <translation>%1, aufgezeichnet</translation>
    </message>
    <message>
        <source>deploy, %1</source>
        <translation>einsetzen, %1</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>beim Original bleiben</translation>
    </message>
    <message numerus="yes">
        <source>grid %1×%2×%3, block %4×%5×%6, %n register(s)</source>
        <translation>
            <numerusform>Grid %1×%2×%3, Block %4×%5×%6, %n Register</numerusform>
            <numerusform>Grid %1×%2×%3, Block %4×%5×%6, %n Register</numerusform>
        </translation>
    </message>
    <message>
        <source>Operator and module; its kernels below it</source>
        <translation>Operator und Modul; darunter die Kernel</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Calls in the recorded window, exact</source>
        <translation>Aufrufe im aufgezeichneten Zeitfenster, exakt</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Total GPU time in the recorded window (ms)</source>
        <translation>Gesamte GPU-Zeit im aufgezeichneten Zeitfenster (ms)</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
    <message>
        <source>Share of all GPU time</source>
        <translation>Anteil an der gesamten GPU-Zeit</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Mean GPU time of one call (µs)</source>
        <translation>Mittlere GPU-Zeit eines Aufrufs (µs)</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>95th percentile of one call (µs)</source>
        <translation>95. Perzentil eines Aufrufs (µs)</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>The least time one call can take on this GPU (µs)</source>
        <translation>Die kürzeste Zeit, die ein Aufruf auf dieser GPU dauern kann (µs)</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Untergrenze</translation>
    </message>
    <message>
        <source>Mean time as a multiple of the floor</source>
        <translation>Mittlere Zeit als Vielfaches der Untergrenze</translation>
    </message>
    <message>
        <source>× floor</source>
        <translation>× Untergrenze</translation>
    </message>
    <message>
        <source>GPU time above the floor: what could be won back (ms)</source>
        <translation>GPU-Zeit über der Untergrenze: was sich zurückgewinnen ließe (ms)</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>Spielraum</translation>
    </message>
    <message>
        <source>Shapes and types of the inputs</source>
        <translation>Formen und Typen der Eingaben</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Can it be searched, and has it been?</source>
        <translation>Lässt er sich durchsuchen, und ist es geschehen?</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>The guard&apos;s verdict on the best kernel found</source>
        <translation>Das Urteil des Wächters über den besten gefundenen Kernel</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
</context>
<context>
    <name>foresight::OperatorsView</name>
    <message>
        <source>Search for a faster kernel</source>
        <translation>Nach einem schnelleren Kernel suchen</translation>
    </message>
    <message>
        <source>Filter by name, module, shape or kernel</source>
        <translation>Nach Name, Modul, Form oder Kernel filtern</translation>
    </message>
    <message>
        <source>Operators by headroom</source>
        <translation>Operatoren nach Spielraum</translation>
    </message>
    <message>
        <source>No profile</source>
        <translation>Kein Profil</translation>
    </message>
    <message>
        <source>Operators of a recorded model appear here, ranked by how much of their GPU time could be won back.</source>
        <translation>Hier erscheinen die Operatoren eines aufgezeichneten Modells, geordnet danach, wie viel ihrer GPU-Zeit sich zurückgewinnen ließe.</translation>
    </message>
    <message>
        <source>Open a session…</source>
        <translation>Sitzung öffnen…</translation>
    </message>
    <message>
        <source>Select an operator first.</source>
        <translation>Zuerst einen Operator auswählen.</translation>
    </message>
    <message>
        <source>No kernel family implements this operator.</source>
        <translation>Keine Kernelfamilie implementiert diesen Operator.</translation>
    </message>
    <message>
        <source>Search the family %1 for %2</source>
        <translation>Die Familie %1 für %2 durchsuchen</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n step(s), %2 of GPU time</source>
        <translation>
            <numerusform>%1, %n Schritt, %2 GPU-Zeit</numerusform>
            <numerusform>%1, %n Schritte, %2 GPU-Zeit</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 launch-bound</source>
        <translation>, %1 durch Kernelstarts begrenzt</translation>
    </message>
    <message>
        <source>%1 records, %2 dropped, %3 untimed, %4 unmatched.</source>
        <translation>%1 Datensätze, %2 verworfen, %3 ohne Zeit, %4 nicht zugeordnet.</translation>
    </message>
    <message>
        <source>No operator was recorded.</source>
        <translation>Es wurde kein Operator aufgezeichnet.</translation>
    </message>
</context>
<context>
    <name>foresight::PlotWidget</name>
    <message>
        <source>Cannot write %1: %2. Choose another folder or free some space.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Einen anderen Ordner wählen oder Platz schaffen.</translation>
    </message>
    <message>
        <source>Cannot export to &quot;%1&quot;: the name must end in .png, .svg or .pdf.</source>
        <translation>Export nach „%1“ nicht möglich: Der Name muss auf .png, .svg oder .pdf enden.</translation>
    </message>
    <message>
        <source>Copy Data as CSV</source>
        <translation>Daten als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy Picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy Description</source>
        <translation>Beschreibung kopieren</translation>
    </message>
    <message>
        <source>Export Picture…</source>
        <translation>Bild exportieren…</translation>
    </message>
    <message>
        <source>Export Picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg);;PNG picture (*.png);;PDF document (*.pdf)</source>
        <translation>SVG-Zeichnung (*.svg);;PNG-Bild (*.png);;PDF-Dokument (*.pdf)</translation>
    </message>
</context>
<context>
    <name>foresight::RecoveredPlot</name>
    <message>
        <source>Recovered speedup</source>
        <translation>Zurückgewonnene Beschleunigung</translation>
    </message>
    <message>
        <source>measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>share of the best possible</source>
        <translation>Anteil am bestmöglichen Wert</translation>
    </message>
    <message>
        <source>best speedup so far</source>
        <translation>beste Beschleunigung bisher</translation>
    </message>
    <message>
        <source>No data: nothing has been measured yet</source>
        <translation>Keine Daten: Noch wurde nichts gemessen</translation>
    </message>
    <message>
        <source>best possible</source>
        <translation>bestmöglich</translation>
    </message>
    <message>
        <source>best possible: %1</source>
        <translation>bestmöglich: %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>curve: value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>at %1 %2</source>
        <comment>number, unit</comment>
        <translation>bei %1 %2</translation>
    </message>
    <message>
        <source>Best speedup so far against cost.</source>
        <translation>Beste Beschleunigung bisher gegen Kosten.</translation>
    </message>
    <message>
        <source>%1 reaches %2 at %3 %4.</source>
        <comment>curve, value, number, unit</comment>
        <translation>%1 erreicht %2 bei %3 %4.</translation>
    </message>
    <message>
        <source>No data: nothing has been measured yet.</source>
        <translation>Keine Daten: Noch wurde nichts gemessen.</translation>
    </message>
    <message>
        <source>The best possible is %1.</source>
        <translation>Bestmöglich ist %1.</translation>
    </message>
</context>
<context>
    <name>foresight::RecoveredView</name>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Share of the optimum</source>
        <translation>Anteil am Optimum</translation>
    </message>
    <message>
        <source>What the vertical axis shows</source>
        <translation>Was die senkrechte Achse zeigt</translation>
    </message>
    <message>
        <source>Best so far against measurements</source>
        <translation>Bisher bester Wert gegen Messungen</translation>
    </message>
    <message>
        <source>measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>this search</source>
        <translation>diese Suche</translation>
    </message>
    <message>
        <source>random choice (exact expectation)</source>
        <translation>zufällige Wahl (exakter Erwartungswert)</translation>
    </message>
    <message>
        <source>No search yet. This panel shows the best speedup found against what it cost.</source>
        <translation>Noch keine Suche. Dieser Bereich zeigt die beste gefundene Beschleunigung gegen das, was sie gekostet hat.</translation>
    </message>
    <message>
        <source>Nothing measured yet.</source>
        <translation>Noch nichts gemessen.</translation>
    </message>
    <message numerus="yes">
        <source>%n measurement(s)</source>
        <translation>
            <numerusform>%n Messung</numerusform>
            <numerusform>%n Messungen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of the optimum after %2</source>
        <translation>%1 des Optimums nach %2</translation>
    </message>
    <message>
        <source>%1 over %2 after %3</source>
        <translation>%1 gegenüber %2 nach %3</translation>
    </message>
</context>
<context>
    <name>foresight::ReliabilityPlot</name>
    <message>
        <source>Reliability diagram</source>
        <translation>Zuverlässigkeitsdiagramm</translation>
    </message>
    <message>
        <source>as forecast</source>
        <translation>wie vorhergesagt</translation>
    </message>
    <message>
        <source>recalibrated</source>
        <translation>neu kalibriert</translation>
    </message>
    <message>
        <source>No data: no forecast has an outcome yet</source>
        <translation>Keine Daten: Noch hat keine Vorhersage ein Ergebnis</translation>
    </message>
    <message>
        <source>came true</source>
        <translation>eingetroffen</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>Konfidenz</translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>95 % if calibrated</source>
        <translation>95 %, falls kalibriert</translation>
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
        <translation>Konfidenz %1 bis %2</translation>
    </message>
    <message>
        <source>no forecasts</source>
        <translation>keine Vorhersagen</translation>
    </message>
    <message numerus="yes">
        <source>%n forecast(s), mean confidence %1, came true %2</source>
        <translation>
            <numerusform>%n Vorhersage, mittlere Konfidenz %1, eingetroffen %2</numerusform>
            <numerusform>%n Vorhersagen, mittlere Konfidenz %1, eingetroffen %2</numerusform>
        </translation>
    </message>
    <message>
        <source>95 % band of the observed share: %1 to %2</source>
        <translation>95-%-Band des beobachteten Anteils: %1 bis %2</translation>
    </message>
    <message>
        <source>95 % band if calibrated: %1 to %2</source>
        <translation>95-%-Band, falls kalibriert: %1 bis %2</translation>
    </message>
    <message>
        <source>Reliability diagram. No data: no forecast has an outcome yet.</source>
        <translation>Zuverlässigkeitsdiagramm. Keine Daten: Noch hat keine Vorhersage ein Ergebnis.</translation>
    </message>
    <message numerus="yes">
        <source>Reliability diagram of %n forecast(s).</source>
        <translation>
            <numerusform>Zuverlässigkeitsdiagramm von %n Vorhersage.</numerusform>
            <numerusform>Zuverlässigkeitsdiagramm von %n Vorhersagen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Expected calibration error %1.</source>
        <translation>Erwarteter Kalibrierungsfehler %1.</translation>
    </message>
    <message>
        <source>A calibrated forecaster would stay below %1 in 95 of 100 cases.</source>
        <translation>Ein kalibrierter Vorhersager bliebe in 95 von 100 Fällen unter %1.</translation>
    </message>
    <message numerus="yes">
        <source>Largest gap: at confidence %1, %2 came true (%n forecast(s)).</source>
        <translation>
            <numerusform>Größte Lücke: Bei Konfidenz %1 traf %2 ein (%n Vorhersage).</numerusform>
            <numerusform>Größte Lücke: Bei Konfidenz %1 trafen %2 ein (%n Vorhersagen).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>foresight::Report</name>
    <message>
        <source>Operators by headroom</source>
        <translation>Operatoren nach Spielraum</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Floor of a call</source>
        <translation>Untergrenze eines Aufrufs</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>Spielraum</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleichsbasis</translation>
    </message>
    <message>
        <source>Candidates forecast</source>
        <translation>Vorhergesagte Kandidaten</translation>
    </message>
    <message>
        <source>Skipped without measuring</source>
        <translation>Ohne Messung übersprungen</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Best speedup</source>
        <translation>Beste Beschleunigung</translation>
    </message>
    <message>
        <source>Best candidate</source>
        <translation>Bester Kandidat</translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>Urteile</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Nachweis</translation>
    </message>
    <message>
        <source>deploy</source>
        <translation>einsetzen</translation>
    </message>
    <message>
        <source>fall back</source>
        <translation>beim Original bleiben</translation>
    </message>
    <message>
        <source>The window</source>
        <translation>Das Fenster</translation>
    </message>
    <message>
        <source>Foresight report</source>
        <translation>Foresight-Bericht</translation>
    </message>
    <message>
        <source>Foresight %1 (%2), %3</source>
        <translation>Foresight %1 (%2), %3</translation>
    </message>
    <message>
        <source>Recorded on %1, driver %2, PyTorch %3, %4.</source>
        <translation>Aufgezeichnet auf %1, Treiber %2, PyTorch %3, %4.</translation>
    </message>
    <message>
        <source>Longest time the window was kept from responding during the search: %1 ms.</source>
        <translation>Längste Zeit, in der das Fenster während der Suche nicht reagieren konnte: %1 ms.</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Without waiting for a processor that other work had: %1 ms.</source>
        <translation>Ohne das Warten auf einen anderweitig belegten Prozessor: %1 ms.</translation>
    </message>
</context>
<context>
    <name>foresight::ScatterPlot</name>
    <message>
        <source>Forecast against measured</source>
        <translation>Vorhergesagt gegen gemessen</translation>
    </message>
    <message>
        <source>No data: nothing forecast has been measured yet</source>
        <translation>Keine Daten: Noch wurde nichts Vorhergesagtes gemessen</translation>
    </message>
    <message>
        <source>forecast speedup</source>
        <translation>vorhergesagte Beschleunigung</translation>
    </message>
    <message>
        <source>measured speedup</source>
        <translation>gemessene Beschleunigung</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>audit</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>#%1</source>
        <translation>#%1</translation>
    </message>
    <message>
        <source>forecast %1, measured %2</source>
        <translation>vorhergesagt %1, gemessen %2</translation>
    </message>
    <message>
        <source>audit: measured although the rule would have skipped it</source>
        <translation>Stichprobe: gemessen, obwohl die Regel übersprungen hätte</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>bisher bester</translation>
    </message>
    <message>
        <source>Forecast against measured speedup. No data: nothing forecast has been measured yet.</source>
        <translation>Vorhergesagte gegen gemessene Beschleunigung. Keine Daten: Noch wurde nichts Vorhergesagtes gemessen.</translation>
    </message>
    <message numerus="yes">
        <source>Forecast against measured speedup, %n candidate(s).</source>
        <translation>
            <numerusform>Vorhergesagte gegen gemessene Beschleunigung, %n Kandidat.</numerusform>
            <numerusform>Vorhergesagte gegen gemessene Beschleunigung, %n Kandidaten.</numerusform>
        </translation>
    </message>
    <message>
        <source>The median forecast is off by a factor of %1.</source>
        <translation>Die Vorhersage liegt im Median um den Faktor %1 daneben.</translation>
    </message>
    <message numerus="yes">
        <source>%n without a usable value left out.</source>
        <translation>
            <numerusform>%n ohne brauchbaren Wert ausgelassen.</numerusform>
            <numerusform>%n ohne brauchbaren Wert ausgelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected: %1, forecast %2, measured %3.</source>
        <translation>Ausgewählt: %1, vorhergesagt %2, gemessen %3.</translation>
    </message>
</context>
<context>
    <name>foresight::SearchState</name>
    <message>
        <source>root</source>
        <translation>Wurzel</translation>
    </message>
</context>
<context>
    <name>foresight::SearchTreeView</name>
    <message>
        <source>Search tree</source>
        <translation>Suchbaum</translation>
    </message>
    <message>
        <source>Find: #12, VEC=8, failed…</source>
        <translation>Suchen: #12, VEC=8, fehlgeschlagen…</translation>
    </message>
    <message>
        <source>Find nodes by number, parameter or state</source>
        <translation>Knoten nach Nummer, Parameter oder Zustand suchen</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Colour nodes by</source>
        <translation>Knoten einfärben nach</translation>
    </message>
    <message>
        <source>Show the whole tree</source>
        <translation>Ganzen Baum zeigen</translation>
    </message>
    <message>
        <source>Show skipped candidates</source>
        <translation>Übersprungene Kandidaten zeigen</translation>
    </message>
    <message>
        <source>No search</source>
        <translation>Keine Suche</translation>
    </message>
    <message>
        <source>Pick an operator and start a search: every candidate it considers appears here, measured or skipped.</source>
        <translation>Einen Operator wählen und eine Suche starten: Jeder betrachtete Kandidat erscheint hier, gemessen oder übersprungen.</translation>
    </message>
    <message>
        <source>Search the top operator</source>
        <translation>Obersten Operator durchsuchen</translation>
    </message>
    <message>
        <source>%1 proposed, %2 measured, %3 skipped, %4 failed</source>
        <translation>%1 vorgeschlagen, %2 gemessen, %3 übersprungen, %4 fehlgeschlagen</translation>
    </message>
    <message>
        <source>; best %1 over %2 (#%3)</source>
        <translation>; beste %1 gegenüber %2 (#%3)</translation>
    </message>
    <message>
        <source>Preparing the search…</source>
        <translation>Suche wird vorbereitet…</translation>
    </message>
    <message>
        <source>Paused. </source>
        <translation>Pausiert. </translation>
    </message>
    <message>
        <source>Finished: %1. </source>
        <translation>Beendet: %1. </translation>
    </message>
    <message>
        <source>Interrupted; it can be resumed. </source>
        <translation>Unterbrochen; kann fortgesetzt werden. </translation>
    </message>
    <message>
        <source>the budget is used up</source>
        <translation>das Budget ist aufgebraucht</translation>
    </message>
    <message>
        <source>the budget of measurements is used up</source>
        <translation>das Budget an Messungen ist aufgebraucht</translation>
    </message>
    <message>
        <source>the budget of GPU seconds is used up</source>
        <translation>das Budget an GPU-Sekunden ist aufgebraucht</translation>
    </message>
    <message>
        <source>the budget of wall seconds is used up</source>
        <translation>das Budget an Sekunden ist aufgebraucht</translation>
    </message>
    <message>
        <source>every configuration has been tried</source>
        <translation>jede Konfiguration wurde versucht</translation>
    </message>
    <message>
        <source>stopped by the user</source>
        <translation>vom Benutzer beendet</translation>
    </message>
    <message>
        <source>the GPU is unwell</source>
        <translation>die GPU ist in schlechtem Zustand</translation>
    </message>
</context>
<context>
    <name>foresight::SourceService</name>
    <message>
        <source>// compiled with:
%1
</source>
        <translation>// kompiliert mit:
%1
</translation>
    </message>
</context>
<context>
    <name>foresight::SourceView</name>
    <message numerus="yes">
        <source> … (line cut; %n more character(s))</source>
        <translation>
            <numerusform> … (Zeile gekürzt; %n weiteres Zeichen)</numerusform>
            <numerusform> … (Zeile gekürzt; %n weitere Zeichen)</numerusform>
        </translation>
    </message>
    <message>
        <source>… (text cut after %1 MB; Copy All copies everything)</source>
        <translation>… (Text nach %1 MB gekürzt; „Alles kopieren“ kopiert alles)</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelltext</translation>
    </message>
    <message>
        <source>Copy All</source>
        <translation>Alles kopieren</translation>
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
        <translation>Herausfinden, wo sich GPU-Zeit eines Modells zurückgewinnen lässt, die Suche nach schnelleren Kerneln verfolgen und wissen, welchen Ergebnissen zu trauen ist.</translation>
    </message>
    <message>
        <source>Open a session…</source>
        <translation>Sitzung öffnen…</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>Aufgezeichnete Sitzungen</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>What can be done here</source>
        <translation>Was hier möglich ist</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Sessions you open appear here.</source>
        <translation>Geöffnete Sitzungen erscheinen hier.</translation>
    </message>
    <message>
        <source>None found: the program&apos;s data folder is missing. Reinstall, or set FORESIGHT_DATA.</source>
        <translation>Keine gefunden: Der Datenordner des Programms fehlt. Neu installieren oder FORESIGHT_DATA setzen.</translation>
    </message>
    <message>
        <source>Shipped with Foresight; opened read-only</source>
        <translation>Mit Foresight geliefert; wird schreibgeschützt geöffnet</translation>
    </message>
</context>
<context>
    <name>foresight::StatusLabel</name>
    <message>
        <source>information</source>
        <translation>Information</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>no state</source>
        <translation>kein Zustand</translation>
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
        <translation>Spalten zurücksetzen</translation>
    </message>
    <message>
        <source>Copy Cell</source>
        <translation>Zelle kopieren</translation>
    </message>
    <message>
        <source>Copy Selected Rows As</source>
        <translation>Ausgewählte Zeilen kopieren als</translation>
    </message>
    <message>
        <source>Copy All Rows As</source>
        <translation>Alle Zeilen kopieren als</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
</context>
<context>
    <name>foresight::TreeCanvas</name>
    <message>
        <source>Search tree</source>
        <translation>Suchbaum</translation>
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
        <translation>Beschleunigung %1</translation>
    </message>
    <message>
        <source>forecast %1</source>
        <translation>Vorhersage %1</translation>
    </message>
    <message>
        <source>best so far</source>
        <translation>bisher bester</translation>
    </message>
    <message>
        <source>on the path to the best</source>
        <translation>auf dem Weg zum besten</translation>
    </message>
    <message>
        <source>audit</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>added by hand</source>
        <translation>von Hand hinzugefügt</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>subtree forbidden</source>
        <translation>Teilbaum gesperrt</translation>
    </message>
    <message numerus="yes">
        <source>proposed again %n time(s)</source>
        <translation>
            <numerusform>%n-mal erneut vorgeschlagen</numerusform>
            <numerusform>%n-mal erneut vorgeschlagen</numerusform>
        </translation>
    </message>
    <message>
        <source>depth %1</source>
        <translation>Tiefe %1</translation>
    </message>
    <message numerus="yes">
        <source>%n child(ren)</source>
        <translation>
            <numerusform>%n Kind</numerusform>
            <numerusform>%n Kinder</numerusform>
        </translation>
    </message>
    <message>
        <source>(collapsed)</source>
        <translation>(eingeklappt)</translation>
    </message>
    <message>
        <source>Search tree, empty.</source>
        <translation>Suchbaum, leer.</translation>
    </message>
    <message>
        <source>Search tree of %1 candidates: %2 measured, %3 skipped, %4 failed.</source>
        <translation>Suchbaum mit %1 Kandidaten: %2 gemessen, %3 übersprungen, %4 fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Best: %1.</source>
        <translation>Bester: %1.</translation>
    </message>
    <message>
        <source>Selected: %1.</source>
        <translation>Ausgewählt: %1.</translation>
    </message>
    <message>
        <source>No candidates yet</source>
        <translation>Noch keine Kandidaten</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>vorgeschlagen</translation>
    </message>
    <message>
        <source>skipped (ghost)</source>
        <translation>übersprungen (Geist)</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>failed: does not build</source>
        <translation>fehlgeschlagen: lässt sich nicht bauen</translation>
    </message>
    <message>
        <source>failed: does not run</source>
        <translation>fehlgeschlagen: läuft nicht</translation>
    </message>
    <message>
        <source>failed: wrong result</source>
        <translation>fehlgeschlagen: falsches Ergebnis</translation>
    </message>
    <message>
        <source>failed: timing</source>
        <translation>fehlgeschlagen: Zeitmessung</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>Duplikat</translation>
    </message>
    <message>
        <source>colour: forecast speedup</source>
        <translation>Farbe: vorhergesagte Beschleunigung</translation>
    </message>
    <message>
        <source>colour: depth</source>
        <translation>Farbe: Tiefe</translation>
    </message>
    <message>
        <source>colour: measured speedup</source>
        <translation>Farbe: gemessene Beschleunigung</translation>
    </message>
    <message>
        <source>audit: measured at random</source>
        <translation>Stichprobe: zufällig gemessen</translation>
    </message>
</context>
</TS>
