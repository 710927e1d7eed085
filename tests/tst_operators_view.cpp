// SPDX-License-Identifier: Apache-2.0
// Operators panel: model contract, order by headroom, filtering, and asking for a search by hand.
#include "tests/gui/gui_test_main.h"
#include "tests/sample_profile.h"
#include "views/operators/operators_model.h"
#include "views/operators/operators_view.h"
#include "widgets/filter_bar.h"
#include "widgets/status_label.h"
#include "widgets/table_view.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace foresight;

class TestOperatorsView : public QObject {
    Q_OBJECT

    static LoadedSession session()
    {
        LoadedSession loaded;
        loaded.path = QStringLiteral("sample.fsight");
        loaded.profile = sample::profile();
        OperatorMatch match;
        match.id = OperatorId(1);
        match.family = QStringLiteral("group_norm");
        match.problemKey = QStringLiteral("group_norm[...]");
        match.spacePath = QStringLiteral("space.t4.json.zst");
        loaded.matches = {match};
        return loaded;
    }

private slots:
    void init() { test::failOnQtWarnings(); }

    void modelKeepsItsContract()
    {
        SessionState state;
        OperatorsModel model(state);
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        state.setSession(session());
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.rowCount(model.index(0, 0)), 1);
        state.setRunning(OperatorId(1), true);
        QVERIFY(model.index(0, OperatorsModel::Search).data().toString().contains(QStringLiteral("searching")));
        OperatorVerdict verdict;
        verdict.id = OperatorId(1);
        verdict.deploy = true;
        verdict.speedup = 12.5;
        state.setVerdict(verdict);
        QVERIFY(model.index(0, OperatorsModel::Verdict).data().toString().contains(QStringLiteral("deploy")));
        state.setSession({});
        QCOMPARE(model.rowCount(), 0);
    }

    void rawValuesAreHandComputed()
    {
        SessionState state;
        OperatorsModel model(state);
        state.setSession(session());
        const auto raw = [&](int column) { return model.index(0, column).data(SortRole).toDouble(); };
        QCOMPARE(raw(OperatorsModel::GpuTime), 10e6);
        QCOMPARE(raw(OperatorsModel::Mean), 2.5e6);
        QCOMPARE(raw(OperatorsModel::Headroom), 9.5e6);      // 10 ms - 4 x 125 us
        QCOMPARE(raw(OperatorsModel::TimesFloor), 20.0);      // 2.5 ms / 125 us
        QCOMPARE(model.index(0, OperatorsModel::Headroom).data(BarRole).toDouble(), 1.0);
        QVERIFY(model.index(2, OperatorsModel::Name).data().toString().contains(QStringLiteral("part of another row")));
    }

    void sortsByHeadroomAndFilters()
    {
        SessionState state;
        SelectionHub selection;
        OperatorsView view(state, selection);
        view.resize(900, 500);
        view.show();
        state.setSession(session());
        QAbstractItemModel* shown = view.table()->model();
        QCOMPARE(shown->rowCount(), 3);
        QVERIFY(shown->index(0, 0).data().toString().contains(QStringLiteral("group_norm")));
        // Kernels are searched too, and keep their operator.
        view.filter()->lineEdit()->setText(QStringLiteral("aten::mm"));
        QTRY_COMPARE(shown->rowCount(), 1);
        QVERIFY(shown->index(0, 0).data().toString().contains(QStringLiteral("mm")));
        view.filter()->lineEdit()->clear();
        QTRY_COMPARE(shown->rowCount(), 3);
    }

    void searchIsOfferedOnlyWhereItWorks()
    {
        SessionState state;
        SelectionHub selection;
        OperatorsView view(state, selection);
        view.resize(900, 500);
        view.show();
        state.setSession(session());
        QCOMPARE(selection.operatorId(), OperatorId(1)); // the top searchable one is selected
        QSignalSpy spy(&view, &OperatorsView::searchRequested);
        view.table()->setFocus();
        QTest::keyClick(view.table(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(spy.count(), 1);
        selection.setOperator(OperatorId(2)); // no family
        QTest::keyClick(view.table(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(spy.count(), 1);
    }

    void droppedRecordsAreSaid()
    {
        SessionState state;
        SelectionHub selection;
        OperatorsView view(state, selection);
        LoadedSession loaded = session();
        loaded.profile->records.dropped = 900;
        QVERIFY(!loaded.profile->distrust().empty());
        state.setSession(loaded);
        const auto labels = view.findChildren<StatusLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](StatusLabel* l) { return l->kind() == StatusKind::Warning; }));
    }

    // An empty profile is not silent: it says why it is empty.
    void notesOfTheRecorderAreSaid()
    {
        SessionState state;
        SelectionHub selection;
        OperatorsView view(state, selection);
        LoadedSession loaded = session();
        loaded.profile->operators.clear();
        loaded.profile->notes = {"CUPTI refused: another profiler is attached"};
        state.setSession(loaded);
        const auto labels = view.findChildren<StatusLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](StatusLabel* l) {
            return l->kind() == StatusKind::Warning && l->text().contains(QStringLiteral("another profiler is attached"));
        }));
    }
};

FORESIGHT_GUI_TEST_MAIN(TestOperatorsView)
#include "tst_operators_view.moc"
