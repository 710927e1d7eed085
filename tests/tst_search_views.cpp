// SPDX-License-Identifier: Apache-2.0
// Search panels on a real (small) search: what they show is what the log says, live batches and whole logs give the
// same picture, selection travels between panels.
#include "tests/gui/gui_test_main.h"
#include "tests/sample_search.h"
#include "views/calibration/calibration_view.h"
#include "views/forecasts/forecasts_view.h"
#include "views/node/node_view.h"
#include "views/recovered/recovered_view.h"
#include "views/search_tree/search_tree_view.h"
#include "widgets/histogram8.h"
#include "widgets/key_value_table.h"
#include "widgets/recovered_plot.h"
#include "widgets/reliability_plot.h"
#include "widgets/scatter_plot.h"
#include "widgets/table_view.h"
#include "widgets/tree_canvas.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTabWidget>
#include <QTest>

#include <cmath>

using namespace foresight;

class TestSearchViews : public QObject {
    Q_OBJECT

    sample::FinishedSearch m_done;

    SearchInfo info() const
    {
        SearchInfo i;
        i.operatorName = QStringLiteral("synthetic");
        i.baseline = QStringLiteral("family-default");
        i.recorded = true;
        i.measurementBudget = 30;
        for (std::size_t k = 1; k <= 30; ++k)
            i.exactRandom.push_back(m_done.recorded->exactRandom(k));
        i.optimumLog2 = std::log2(2e5 / m_done.recorded->bestNs());
        return i;
    }

private slots:
    void init() { test::failOnQtWarnings(); }

    void initTestCase() { m_done = sample::search(30); }

    void stateFollowsTheLog()
    {
        SearchState whole, live;
        whole.reset(info(), SearchState::Phase::Running);
        whole.append(m_done.events);
        live.reset(info(), SearchState::Phase::Running);
        for (std::size_t i = 0; i < m_done.events.size(); i += 7) {
            const auto end = std::min(i + 7, m_done.events.size());
            live.append({m_done.events.begin() + static_cast<std::ptrdiff_t>(i), m_done.events.begin() + static_cast<std::ptrdiff_t>(end)});
        }
        QCOMPARE(live.tree().nodes().size(), whole.tree().nodes().size());
        QCOMPARE(live.tree().incumbent()->value, whole.tree().incumbent()->value);
        QCOMPARE(live.outcomes().size(), whole.outcomes().size());
        QCOMPARE(whole.tree().counts().measured + whole.tree().counts().failed, std::int64_t(30));
        // The incumbent's time is in its payload, and its speedup is anchor over time.
        const auto measured = whole.measured(*whole.tree().incumbent());
        QVERIFY(measured.has_value());
        QVERIFY(std::abs(whole.tree().node(*whole.tree().incumbent()).measuredLog2 - std::log2(2e5 / measured->timeNs)) < 1e-9);
    }

    void brokenLogsAreSaid()
    {
        SearchState state;
        state.reset(info(), SearchState::Phase::Running);
        auto events = m_done.events;
        events.erase(events.begin() + 20); // a gap
        state.append(events);
        QCOMPARE(state.phase(), SearchState::Phase::Failed);
        QVERIFY(!state.message().isEmpty());
        QCOMPARE(state.events().size(), std::size_t(20)); // what was read before is kept
    }

    void treeShowsEveryNodeAndFinds()
    {
        SearchState state;
        SelectionHub selection;
        SearchTreeView view(state, selection);
        view.resize(900, 600);
        view.show();
        state.reset(info(), SearchState::Phase::Running);
        state.append(m_done.events);
        QTRY_COMPARE(view.canvas()->nodeCount(), static_cast<int>(state.tree().nodes().size()));
        QCOMPARE(view.canvas()->incumbent(), static_cast<qint64>(state.tree().incumbent()->value));
        view.findBox()->setText(QStringLiteral("BLOCK=1024"));
        QSet<qint64> expected;
        for (const TreeNode& node : state.tree().nodes()) {
            if (state.nodeTitle(node.id).contains(QStringLiteral("BLOCK=1024")))
                expected.insert(node.id.value);
        }
        QVERIFY(!expected.isEmpty());
        QCOMPARE(view.canvas()->highlighted(), expected);
        // Click on a node: the selection says so.
        const qint64 target = state.tree().incumbent()->value;
        QTRY_VERIFY(!view.canvas()->layoutPending());
        view.canvas()->fit();
        QTRY_VERIFY(!view.canvas()->nodeRect(target).isNull());
        view.canvas()->centerOn(target);
        QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, view.canvas()->nodeRect(target).center().toPoint());
        QCOMPARE(selection.node().value, target);
    }

    void forecastsShowTheSelectedNode()
    {
        SearchState state;
        SelectionHub selection;
        ForecastsView view(state, selection);
        view.resize(900, 600);
        view.show();
        state.reset(info(), SearchState::Phase::Running);
        state.append(m_done.events);
        const NodeId best = *state.tree().incumbent();
        selection.setNode(best);
        QTRY_VERIFY(view.histogram()->data().valid);
        double total = 0;
        for (const double p : view.histogram()->data().probabilities)
            total += p;
        QVERIFY(std::abs(total - 1) < 1e-9);
        QCOMPARE(view.histogram()->data().measuredBin, binOf(std::exp2(state.tree().node(best).measuredLog2)).value());
        QVERIFY(view.siblings()->items().size() >= 1);
        QTRY_VERIFY(!view.scatter()->points().isEmpty());
        const qint64 other = view.scatter()->points().first().id;
        view.scatter()->setFocus();
        emit view.scatter()->pointSelected(other);
        QCOMPARE(selection.node().value, other);
    }

    void nodePanelSaysWhy()
    {
        SearchState state;
        SelectionHub selection;
        NodeView view(state, selection);
        view.resize(500, 600);
        view.show();
        state.reset(info(), SearchState::Phase::Running);
        state.append(m_done.events);
        NodeId expanded;
        for (const TreeNode& node : state.tree().nodes()) {
            if (node.state == NodeState::Measured && state.selectionOf(node.id))
                expanded = node.id;
        }
        QVERIFY(expanded.valid());
        selection.setNode(expanded);
        QTRY_VERIFY(!view.details()->rows().isEmpty());
        view.tabs()->setCurrentIndex(1);
        QVERIFY(view.whyTable()->model()->rowCount() >= 1);
        // The largest score is the selected parent's.
        double bestScore = -1e9;
        QString bestName;
        for (int row = 0; row < view.whyTable()->model()->rowCount(); ++row) {
            const double score = view.whyTable()->model()->index(row, 1).data(SortRole).toDouble();
            if (score > bestScore) {
                bestScore = score;
                bestName = view.whyTable()->model()->index(row, 0).data().toString();
            }
        }
        QVERIFY(bestName.contains(QStringLiteral("selected")));
    }

    void calibrationCountsWhatWasMeasured()
    {
        SearchState state;
        CalibrationView view(state);
        view.resize(900, 500);
        view.show();
        state.reset(info(), SearchState::Phase::Running);
        state.append(m_done.events);
        qint64 expected = 0;
        for (const ForecastOutcome& outcome : state.outcomes())
            expected += outcome.coldStart ? 0 : 1;
        QVERIFY(expected > 0);
        QTRY_COMPARE(view.plot()->data().count, expected);
        qint64 inBars = 0;
        for (const ReliabilityBin& bin : view.plot()->data().bins)
            inBars += bin.count;
        QCOMPARE(inBars, expected);
    }

    void calibrationIsCutAsAsked()
    {
        // Four forecasts, two bins: right, right, wrong, right; the third was an audit.
        CalibrationRequest request;
        for (int i = 0; i < 4; ++i) {
            ScoredForecast row;
            row.bins[4] = 0.75;
            row.bins[3] = 0.25;
            row.trueSpeedup = i == 2 ? 0.9 : 1.2;
            row.trueBin = binOf(row.trueSpeedup).value();
            request.rows.push_back(row);
            request.audited.push_back(i == 2);
        }
        const CalibrationResult all = computeCalibration(request);
        QVERIFY(all.error && std::abs(all.error->ece) < 1e-12); // 3 of 4 at 75 %
        QCOMPARE(all.groups.size(), std::size_t(3));
        QVERIFY(all.groups[0].kind == CalibrationGroup::Kind::Audited && all.groups[0].scores->rows == 1);
        QVERIFY(std::abs(*all.groups[0].ece - 0.75) < 1e-12);
        QVERIFY(std::abs(*all.groups[1].ece - 0.25) < 1e-12); // both right at 75 %
        QVERIFY(std::abs(*all.groups[2].ece - 0.25) < 1e-12); // one of two
        request.binning = Binning::EqualMass; // equal confidences stay together
        QVERIFY(std::abs(computeCalibration(request).error->ece) < 1e-12);

        // The other table of bins: the same rows, another most likely bin.
        SearchState state;
        CalibrationView view(state);
        view.resize(900, 500);
        view.show();
        state.reset(info(), SearchState::Phase::Running);
        state.append(m_done.events);
        view.waitForResult();
        const qint64 rows = view.plot()->data().count;
        const auto choices = view.findChildren<QComboBox*>();
        const auto scheme = std::find_if(choices.begin(), choices.end(), [](QComboBox* c) { return c->findText(QStringLiteral("gf8-formula")) >= 0; });
        QVERIFY(scheme != choices.end());
        (*scheme)->setCurrentIndex((*scheme)->findText(QStringLiteral("gf8-formula")));
        view.waitForResult();
        QVERIFY(view.plot()->data().count > 0 && view.plot()->data().count <= rows);
        const auto named = [&](const QString& key) {
            const auto& table = view.table()->rows();
            return std::any_of(table.begin(), table.end(), [&](const KeyValueRow& row) { return row.key == key; });
        };
        QVERIFY(!named(QStringLiteral("Forecast error (log2)")));
        choices.first()->setCurrentIndex(1);
        QVERIFY(!(*scheme)->isEnabled());
    }

    void noDataIsNotZero()
    {
        const CalibrationResult empty = computeCalibration({});
        QVERIFY(!empty.error && !empty.scores);
        SearchState state;
        CalibrationView view(state);
        view.resize(900, 500);
        view.show();
        view.waitForResult();
        QVERIFY(view.plot()->isEmpty());
        QCOMPARE(view.table()->rows().first().value, QStringLiteral("no data"));
    }

    void recoveredCurveIsMonotoneAndBelowTheOptimum()
    {
        SearchState state;
        RecoveredView view(state);
        view.resize(900, 500);
        view.show();
        state.reset(info(), SearchState::Phase::Running);
        state.append(m_done.events);
        QTRY_COMPARE(view.plot()->data().curves.size(), 2);
        const RecoveredCurve& curve = view.plot()->data().curves.first();
        QCOMPARE(curve.x.size(), 30);
        for (int i = 1; i < curve.y.size(); ++i)
            QVERIFY(std::isnan(curve.y[i - 1]) || curve.y[i] >= curve.y[i - 1]);
        QVERIFY(curve.y.last() <= view.plot()->data().optimum + 1e-9);
        QVERIFY(view.plot()->data().curves.last().reference);
    }
};

FORESIGHT_GUI_TEST_MAIN(TestSearchViews)
#include "tst_search_views.moc"
