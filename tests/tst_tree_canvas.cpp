// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas as a person uses it: click, drag, wheel, keys; live growth; what is painted; what a screen
// reader hears.
#include "tests/gui/qt_test_support.h"
#include "tests/gui/sample_tree.h"
#include "widgets/theme.h"
#include "widgets/tree_canvas.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QWheelEvent>

#include <cmath>

using namespace foresight;

namespace {

CanvasNode makeNode(qint64 id, qint64 parent, CanvasNodeState state, float log2 = NAN, float forecast = NAN)
{
    CanvasNode n;
    n.id = id;
    n.parent = parent;
    n.state = state;
    n.log2Speedup = log2;
    n.forecastLog2 = forecast;
    return n;
}

// 0 -> 1 (measured), 2 (ghost), 3 (failed); 1 -> 4 (measured, best), 5 (running).
QVector<CanvasNode> smallTree()
{
    return {makeNode(0, -1, CanvasNodeState::Root, 0),
            makeNode(1, 0, CanvasNodeState::Measured, 0.5f, 0.3f),
            makeNode(2, 0, CanvasNodeState::Ghost, NAN, -0.5f),
            makeNode(3, 0, CanvasNodeState::FailedVerify, NAN, 0.1f),
            makeNode(4, 1, CanvasNodeState::Measured, 1.0f, 0.6f),
            makeNode(5, 1, CanvasNodeState::Running, NAN, 0.2f)};
}

void waitForLayout(TreeCanvas& canvas)
{
    QTRY_VERIFY_WITH_TIMEOUT(!canvas.layoutPending(), 20000);
}

void wheel(QWidget* widget, const QPointF& pos, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWheelEvent event(pos, widget->mapToGlobal(pos), QPoint(), QPoint(0, delta), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(widget, &event);
}

} // namespace

class TestTreeCanvas : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { ThemeManager::instance().setMode(ThemeMode::Light); }
    void init() { test::failOnQtWarnings(); }

    void clickSelectsDoubleClickActivates()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        QSignalSpy selected(&canvas, &TreeCanvas::nodeSelected),
            activated(&canvas, &TreeCanvas::nodeActivated);
        for (const qint64 id : {1, 2, 3, 4, 5}) {
            const QPoint centre = canvas.nodeRect(id).center().toPoint();
            QCOMPARE(canvas.nodeAt(centre), id);
            QTest::mouseClick(&canvas, Qt::LeftButton, {}, centre);
            QCOMPARE(canvas.selected(), id);
            QCOMPARE(selected.takeLast().at(0).toLongLong(), id);
        }
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.nodeRect(5).center().toPoint());
        QCOMPARE(selected.count(), 0); // the same node again is no news
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, canvas.nodeRect(4).center().toPoint());
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated.first().at(0).toLongLong(), 4);
        QCOMPARE(canvas.nodeAt(QPointF(2, 598)), -1);
    }

    void setSelectedDoesNotEmit()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QSignalSpy selected(&canvas, &TreeCanvas::nodeSelected);
        canvas.setSelected(4);
        QCOMPARE(canvas.selected(), 4);
        canvas.setSelected(99);
        QCOMPARE(canvas.selected(), -1);
        QCOMPARE(selected.count(), 0);
    }

    void keysWalk()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        canvas.setIncumbent(4);
        canvas.setBestPath({0, 1, 4});
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        QSignalSpy selected(&canvas, &TreeCanvas::nodeSelected),
            activated(&canvas, &TreeCanvas::nodeActivated);
        QTest::keyClick(&canvas, Qt::Key_Home);
        QCOMPARE(canvas.selected(), 0);
        QTest::keyClick(&canvas, Qt::Key_Down); // towards the best
        QCOMPARE(canvas.selected(), 1);
        QTest::keyClick(&canvas, Qt::Key_Left); // childless ones stand before those with subtrees
        QCOMPARE(canvas.selected(), 3);
        QTest::keyClick(&canvas, Qt::Key_Left);
        QCOMPARE(canvas.selected(), 2);
        QTest::keyClick(&canvas, Qt::Key_Left);
        QCOMPARE(canvas.selected(), 2);
        QTest::keyClick(&canvas, Qt::Key_Right);
        QTest::keyClick(&canvas, Qt::Key_Right);
        QCOMPARE(canvas.selected(), 1);
        QTest::keyClick(&canvas, Qt::Key_Down);
        QCOMPARE(canvas.selected(), 4);
        QTest::keyClick(&canvas, Qt::Key_Up);
        QTest::keyClick(&canvas, Qt::Key_Up);
        QCOMPARE(canvas.selected(), 0);
        QTest::keyClick(&canvas, Qt::Key_Up);
        QCOMPARE(canvas.selected(), 0);
        QTest::keyClick(&canvas, Qt::Key_End);
        QCOMPARE(canvas.selected(), 4);
        QTest::keyClick(&canvas, Qt::Key_Return);
        QCOMPARE(activated.last().at(0).toLongLong(), 4);
        QVERIFY(selected.count() >= 8);
        // The siblings' visual order is the order walked.
        QVERIFY(canvas.nodeRect(2).center().x() < canvas.nodeRect(3).center().x());
        QVERIFY(canvas.nodeRect(3).center().x() < canvas.nodeRect(1).center().x());
    }

    void wheelZoomsAtTheCursor()
    {
        TreeCanvas canvas;
        canvas.setNodes(test::makeSampleTree(800).nodes);
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        const QPointF cursor = canvas.nodeRect(100).center();
        const double before = canvas.scale();
        QSignalSpy scaled(&canvas, &TreeCanvas::scaleChanged);
        for (int i = 0; i < 6; ++i)
            wheel(&canvas, cursor, 120);
        QVERIFY(canvas.scale() > before * 2);
        QVERIFY(scaled.count() >= 6);
        QVERIFY(QLineF(canvas.nodeRect(100).center(), cursor).length() < 2);
        for (int i = 0; i < 60; ++i)
            wheel(&canvas, cursor, -120);
        QVERIFY(canvas.scale() < before && canvas.scale() > 0);
        QTest::keyClick(&canvas, Qt::Key_F);
        QCOMPARE(canvas.scale(), before);
    }

    void dragPansAndSelectsNothing()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        QSignalSpy selected(&canvas, &TreeCanvas::nodeSelected);
        const QPoint start = canvas.nodeRect(1).center().toPoint();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, start);
        QTest::mouseMove(&canvas, start + QPoint(20, 5));
        QTest::mouseMove(&canvas, start + QPoint(60, 30));
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, start + QPoint(60, 30));
        QCOMPARE(selected.count(), 0);
        QVERIFY(QLineF(canvas.nodeRect(1).center(), QPointF(start) + QPointF(60, 30)).length() < 2);
    }

    void cannotBeLostByDragging()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QVERIFY(test::showSized(&canvas, 400, 300));
        waitForLayout(canvas);
        for (int i = 0; i < 10; ++i) {
            QTest::mousePress(&canvas, Qt::LeftButton, {}, QPoint(10, 10));
            QTest::mouseMove(&canvas, QPoint(300, 200));
            QTest::mouseMove(&canvas, QPoint(390, 290));
            QTest::mouseRelease(&canvas, Qt::LeftButton, {}, QPoint(390, 290));
        }
        bool visible = false;
        for (const qint64 id : {0, 1, 2, 3, 4, 5})
            visible = visible || canvas.nodeRect(id).intersects(QRectF(canvas.rect()));
        QVERIFY(visible);
    }

    void growsLiveWithoutJumping()
    {
        TreeCanvas canvas;
        const QVector<CanvasNode> all = test::makeSampleTree(3000).nodes;
        QCOMPARE(canvas.upsertNodes(all.mid(0, 400)), 0);
        QVERIFY(test::showSized(&canvas, 900, 600));
        waitForLayout(canvas);
        canvas.setSelected(17);
        canvas.centerOn(17);
        const QPointF before = canvas.nodeRect(17).center();
        for (int i = 400; i < 3000; i += 200)
            QCOMPARE(canvas.upsertNodes(all.mid(i, 200)), 0);
        QCOMPARE(canvas.nodeCount(), 3000);
        waitForLayout(canvas);
        QVERIFY(canvas.nodeRect(2999).isValid());
        QVERIFY(QLineF(canvas.nodeRect(17).center(), before).length() < 2);
    }

    void refusesOrphansAndKeepsParents()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QCOMPARE(canvas.upsertNodes(
                     {makeNode(70, 69, CanvasNodeState::Ghost), makeNode(-4, 0, CanvasNodeState::Ghost)}),
                 2);
        QCOMPARE(canvas.nodeCount(), 6);
        QCOMPARE(canvas.upsertNodes({makeNode(2, 1, CanvasNodeState::Measured, 0.25f)}), 0);
        QCOMPARE(canvas.node(2)->parent, 0);
        QCOMPARE(canvas.node(2)->state, CanvasNodeState::Measured);
        QCOMPARE(canvas.nodeCount(), 6);
    }

    void ghostsHideButKeepWhatHangsBelow()
    {
        TreeCanvas canvas;
        auto nodes = smallTree();
        nodes.append(makeNode(6, 0, CanvasNodeState::Ghost));
        nodes.append(makeNode(7, 6, CanvasNodeState::Measured, 0.1f));
        canvas.setNodes(nodes);
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        QVERIFY(canvas.nodeRect(2).isValid());
        canvas.setGhostsVisible(false);
        waitForLayout(canvas);
        QVERIFY(!canvas.nodeRect(2).isValid());
        QVERIFY(canvas.nodeRect(6).isValid());
        QVERIFY(canvas.nodeRect(7).isValid());
        // Measured after all: it comes back by its state alone.
        canvas.upsertNodes({makeNode(2, 0, CanvasNodeState::Measured, 0.3f)});
        waitForLayout(canvas);
        QVERIFY(canvas.nodeRect(2).isValid());
    }

    void collapses()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        canvas.setSelected(1);
        QTest::keyClick(&canvas, Qt::Key_Space);
        QVERIFY(canvas.isCollapsed(1));
        waitForLayout(canvas);
        QVERIFY(!canvas.nodeRect(4).isValid());
        QTest::keyClick(&canvas, Qt::Key_Space);
        waitForLayout(canvas);
        QVERIFY(canvas.nodeRect(4).isValid());
        canvas.setCollapsed(2, true); // nothing below: nothing to collapse
        QVERIFY(!canvas.isCollapsed(2));
    }

    void foundNodesAreWalked()
    {
        TreeCanvas canvas;
        canvas.setNodes(test::makeSampleTree(400).nodes);
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        canvas.setHighlighted({30, 10, 200, 5000});
        QSignalSpy selected(&canvas, &TreeCanvas::nodeSelected);
        QVector<qint64> walked;
        for (int i = 0; i < 4; ++i) {
            canvas.selectNextHighlighted();
            walked.append(canvas.selected());
        }
        QCOMPARE(walked, (QVector<qint64>{10, 30, 200, 10}));
        canvas.selectNextHighlighted(true);
        QCOMPARE(canvas.selected(), 200);
        QCOMPARE(selected.count(), 5);
    }

    void contextMenuKnowsItsNode()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        QSignalSpy menu(&canvas, &TreeCanvas::contextMenuRequested);
        const auto ask = [&canvas](const QPoint& pos, QContextMenuEvent::Reason reason) {
            QContextMenuEvent event(reason, pos, canvas.mapToGlobal(pos));
            QCoreApplication::sendEvent(&canvas, &event);
        };
        ask(canvas.nodeRect(2).center().toPoint(), QContextMenuEvent::Mouse);
        QCOMPARE(menu.takeFirst().at(0).toLongLong(), 2);
        QCOMPARE(canvas.selected(), 2);
        ask(QPoint(2, 590), QContextMenuEvent::Mouse);
        QCOMPARE(menu.takeFirst().at(0).toLongLong(), -1);
        ask(QPoint(0, 0), QContextMenuEvent::Keyboard);
        QCOMPARE(menu.takeFirst().at(0).toLongLong(), 2);
    }

    // The measured node is drawn in its diverging colour, with its number on it; ghosts are hollow.
    void paintsStates()
    {
        TreeCanvas canvas;
        canvas.setLegendVisible(false);
        canvas.setNodes(smallTree());
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        const QImage image = test::grabSettled(&canvas);
        const auto part = [&](qint64 id) { return image.copy(canvas.nodeRect(id).toAlignedRect()); };
        const Theme& theme = currentTheme();
        const int area = static_cast<int>(canvas.nodeRect(1).width() * canvas.nodeRect(1).height());
        // The colours span what was measured: one octave holds both.
        QVERIFY(test::countPixels(part(1), theme.diverging(0.5, 1), 10) > area / 2);
        QVERIFY(test::countPixels(part(4), theme.diverging(1.0, 1), 10) > area / 2);
        QVERIFY(test::countPixels(part(2), theme.color(ColorRole::Base)) > area / 2);
        QVERIFY(test::countPixels(part(3), theme.color(ColorRole::Failed), 10) > 20);
        QVERIFY(test::countPixels(part(5), theme.color(ColorRole::Running), 10) > 20);
        canvas.setColorMode(CanvasColorMode::Forecast);
        const QImage forecast = test::grabSettled(&canvas);
        QVERIFY(test::countPixels(forecast.copy(canvas.nodeRect(1).toAlignedRect()), theme.diverging(0.3, 1),
                                  10) > area / 2);
    }

    void marksAreVisibleAtEveryScale()
    {
        TreeCanvas canvas;
        canvas.setLegendVisible(false);
        const test::SampleTree tree = test::makeSampleTree(20000);
        canvas.setNodes(tree.nodes);
        canvas.setIncumbent(tree.incumbent);
        canvas.setBestPath(tree.bestPath);
        QVERIFY(test::showSized(&canvas, 900, 600));
        waitForLayout(canvas);
        const Theme& theme = currentTheme();
        QImage image = test::grabSettled(&canvas);
        QVERIFY(test::countPixels(image, theme.color(ColorRole::Incumbent), 12) > 30);
        canvas.setHighlighted({5});
        image = test::grabSettled(&canvas);
        QVERIFY(test::countPixels(image, theme.color(ColorRole::Match), 40) > 10);
    }

    void miniMapPans()
    {
        TreeCanvas canvas;
        canvas.setLegendVisible(false);
        canvas.setNodes(test::makeSampleTree(3000).nodes);
        QVERIFY(test::showSized(&canvas, 900, 600));
        waitForLayout(canvas);
        canvas.centerOn(0);
        canvas.zoomAt(canvas.nodeRect(0).center(), 1.0 / canvas.scale());
        test::grabSettled(&canvas);
        const QPointF before = canvas.nodeRect(0).center();
        QSignalSpy selected(&canvas, &TreeCanvas::nodeSelected);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(canvas.width() - 40, canvas.height() - 30));
        QVERIFY(QLineF(canvas.nodeRect(0).center(), before).length() > 100);
        QCOMPARE(selected.count(), 0);
    }

    void timeTravelKeepsTheSelection()
    {
        TreeCanvas canvas;
        const auto all = test::makeSampleTree(600).nodes;
        canvas.setNodes(all);
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        canvas.setSelected(40);
        canvas.setNodes(all.mid(0, 100));
        QCOMPARE(canvas.selected(), 40);
        canvas.setNodes(all.mid(0, 20));
        QCOMPARE(canvas.selected(), -1);
        waitForLayout(canvas);
        QVERIFY(canvas.nodeRect(19).isValid());
        canvas.setNodes(all);
        canvas.clear();
        waitForLayout(canvas);
        QCOMPARE(canvas.nodeCount(), 0);
        test::grabSettled(&canvas);
    }

    void destroyedWhileLayingOut()
    {
        for (int i = 0; i < 10; ++i) {
            TreeCanvas canvas;
            canvas.setNodes(test::makeSampleTree(20000, 0.1, static_cast<unsigned>(i)).nodes);
            QCoreApplication::processEvents();
        }
        QCoreApplication::processEvents();
    }

    void describesInWords()
    {
        TreeCanvas canvas;
        auto nodes = smallTree();
        nodes[4].label = QStringLiteral("block=256");
        nodes[4].audit = true;
        canvas.setNodes(nodes);
        canvas.setIncumbent(4);
        const QString text = canvas.describeNode(4);
        QVERIFY2(text.contains(QStringLiteral("#4 block=256")) && text.contains(QStringLiteral("measured")) &&
                     text.contains(QStringLiteral("best so far")) && text.contains(QStringLiteral("audit")) &&
                     text.contains(QStringLiteral("depth 2")),
                 qPrintable(text));
        QVERIFY(canvas.describe().contains(QStringLiteral("6 candidates")));
        QAccessibleInterface* iface = QAccessible::queryAccessibleInterface(&canvas);
        QVERIFY(iface);
        QCOMPARE(iface->role(), QAccessible::Tree);
        QCOMPARE(iface->text(QAccessible::Value), canvas.describe());
        canvas.setSelected(3);
        QVERIFY(iface->text(QAccessible::Value).contains(QStringLiteral("wrong result")));
    }

    void rendersForExport()
    {
        TreeCanvas canvas;
        canvas.setNodes(smallTree());
        QVERIFY(test::showSized(&canvas, 800, 600));
        waitForLayout(canvas);
        QImage image(400, 300, QImage::Format_RGB32);
        QPainter painter(&image);
        static_cast<const TreeCanvas&>(canvas).render(&painter, image.size());
        painter.end();
        QVERIFY(test::countPixels(image, currentTheme().diverging(0.5, 1), 10) > 100);
    }
};

QTEST_MAIN(TestTreeCanvas)
#include "tst_tree_canvas.moc"
