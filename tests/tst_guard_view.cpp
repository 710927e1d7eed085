// SPDX-License-Identifier: Apache-2.0
// Guard panel: verdict rows, reasons in words, intervals, selection.
#include "tests/gui/gui_test_main.h"
#include "tests/sample_profile.h"
#include "views/guard/guard_model.h"
#include "views/guard/guard_view.h"
#include "widgets/interval_plot.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace foresight;

class TestGuardView : public QObject {
    Q_OBJECT

    static OperatorVerdict verdict(int id, bool deploy, const char* reason)
    {
        OperatorVerdict v;
        v.id = OperatorId(id);
        v.deploy = deploy;
        v.reason = QLatin1String(reason);
        v.speedup = 1.5;
        v.low = 1.4;
        v.high = 1.6;
        v.baseline = QStringLiteral("torch-eager");
        v.source = QStringLiteral("recorded");
        return v;
    }

private slots:
    void init() { test::failOnQtWarnings(); }

    void modelGrowsAndUpdatesInPlace()
    {
        SessionState state;
        LoadedSession loaded;
        loaded.path = QStringLiteral("s.fsight");
        loaded.profile = sample::profile();
        state.setSession(loaded);
        GuardModel model(state);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        state.setVerdict(verdict(1, false, "not_significant"));
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!model.index(0, GuardModel::Reason).data().toString().contains(QLatin1Char('_'))); // in words
        state.setVerdict(verdict(1, true, ""));
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(model.index(0, GuardModel::Reason).data().toString().isEmpty());
        state.setVerdict(verdict(2, true, ""));
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.index(1, GuardModel::Evidence).data().toString().contains(QStringLiteral("recorded")));
        state.setSession({});
        QCOMPARE(model.rowCount(), 0);
    }

    void everyReasonHasWords()
    {
        for (const char* reason : {"slower", "not_significant", "wrong_result", "nondeterministic", "suspect", "build_failed", "timeout",
                                   "crashed", "unconfirmed", "not_measured", "stale", "unsupported"})
            QVERIFY2(verdictReasonText(QLatin1String(reason)) != QLatin1String(reason) || QLatin1String(reason) == QLatin1String("crashed"), reason);
    }

    void plotShowsIntervalAndSelects()
    {
        SessionState state;
        SelectionHub selection;
        LoadedSession loaded;
        loaded.path = QStringLiteral("s.fsight");
        loaded.profile = sample::profile();
        loaded.verdicts = {verdict(1, true, ""), verdict(2, false, "slower")};
        GuardView view(state, selection);
        view.resize(700, 500);
        view.show();
        state.setSession(loaded);
        QCOMPARE(view.plot()->rows().size(), 2);
        QCOMPARE(view.plot()->rows()[0].low, 1.4);
        QVERIFY(view.plot()->rows()[1].verdict == IntervalVerdict::FallBack);
        QTest::mouseClick(view.plot(), Qt::LeftButton, {}, view.plot()->rowRect(1).center());
        QCOMPARE(selection.operatorId(), OperatorId(2));
    }
};

FORESIGHT_GUI_TEST_MAIN(TestGuardView)
#include "tst_guard_view.moc"
