// SPDX-License-Identifier: GPL-3.0-or-later
// What one frame of the search tree costs at 1200x800 (offscreen raster), at three scales; the worst one is
// reported. 30 frames a second leave 33 ms. Live growth is measured as layout time and as the time the GUI
// thread is busy.
#include "tests/bench/bench.h"
#include "tests/gui/sample_tree.h"
#include "widgets/theme.h"
#include "widgets/tree_canvas.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QThread>

#include <algorithm>
#include <vector>

using namespace foresight;

namespace {

// One for all benchmarks of this file; lives until the program ends.
void needApplication()
{
    static int argc = 1;
    static char name[] = "foresight-bench";
    static char* argv[] = {name, nullptr};
    if (!qApp) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Never destroyed: Qt's own statics may be gone before ours.
        static auto* const app = new QApplication(argc, argv);
        Q_UNUSED(app)
        ThemeManager::instance().install();
    }
}

void waitForLayout(TreeCanvas& canvas)
{
    while (canvas.layoutPending())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

void paintBenchmark(bench::Context& context, int nodes, double rootShare)
{
    needApplication();
    const test::SampleTree tree = test::makeSampleTree(nodes, rootShare);
    TreeCanvas canvas;
    canvas.resize(1200, 800);
    canvas.show();
    QElapsedTimer timer;
    timer.start();
    canvas.setNodes(tree.nodes);
    canvas.setIncumbent(tree.incumbent);
    canvas.setBestPath(tree.bestPath);
    waitForLayout(canvas);
    context.report("layout_ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
    QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
    const auto frame = [&] {
        QPainter painter(&image);
        static_cast<QWidget&>(canvas).render(&painter);
    };
    // All in view, then nodes as small shapes, then with labels.
    double worst = -1;
    std::vector<std::pair<std::string, double>> worstValues;
    const double fitted = canvas.scale();
    for (const double scale : {fitted, std::max(fitted, 0.3), std::max(fitted, 1.0)}) {
        canvas.zoomAt(canvas.nodeRect(tree.incumbent).center(), scale / canvas.scale());
        canvas.centerOn(tree.incumbent);
        bench::Context one;
        one.measure(2, 20, frame);
        const double median = one.values().front().second;
        if (median > worst) {
            worst = median;
            worstValues = one.values();
            worstValues.emplace_back("at_scale", scale);
        }
    }
    for (const auto& [key, value] : worstValues)
        context.report(key, value);
}

} // namespace

FORESIGHT_BENCH(tree_paint_5k)
{
    paintBenchmark(context, 5000, 0.25);
}

FORESIGHT_BENCH(tree_paint_100k)
{
    paintBenchmark(context, 100000, 0.25);
}

// 1,000 nodes a second in 30 batches for two seconds, onto a tree of 20,000, with every repaint they cause.
FORESIGHT_BENCH(tree_append_1k_per_s)
{
    needApplication();
    const QVector<CanvasNode> all = test::makeSampleTree(22000).nodes;
    TreeCanvas canvas;
    canvas.resize(1200, 800);
    canvas.show();
    canvas.setNodes(all.mid(0, 20000));
    waitForLayout(canvas);
    QCoreApplication::processEvents();
    constexpr int kBatches = 60;
    constexpr qint64 kBatchNs = 1'000'000'000 / 30;
    const int size = 2000 / kBatches;
    QElapsedTimer clock, busy;
    clock.start();
    qint64 busyNs = 0;
    std::vector<double> blocks; // every stretch the GUI thread did not come back, in ms
    const auto add = [&] {
        const qint64 spent = busy.nsecsElapsed();
        busyNs += spent;
        blocks.push_back(static_cast<double>(spent) / 1e6);
    };
    for (int batch = 0; batch < kBatches; ++batch) {
        busy.start();
        canvas.upsertNodes(all.mid(20000 + batch * size, size));
        QCoreApplication::processEvents();
        add();
        while (clock.nsecsElapsed() < (batch + 1) * kBatchNs) {
            const qint64 left = ((batch + 1) * kBatchNs - clock.nsecsElapsed()) / 1'000'000;
            QThread::msleep(static_cast<unsigned long>(std::clamp<qint64>(left, 0, 4)));
            busy.start();
            QCoreApplication::processEvents();
            add();
        }
    }
    context.report("gui_busy_fraction",
                   static_cast<double>(busyNs) / static_cast<double>(clock.nsecsElapsed()));
    std::sort(blocks.begin(), blocks.end());
    context.report("median_ms", blocks[blocks.size() / 2]);
    context.report("p99_ms", blocks[blocks.size() * 99 / 100]);
    context.report("longest_block_ms", blocks.back());
    context.report("n", static_cast<double>(blocks.size()));
}
