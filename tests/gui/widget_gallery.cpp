// SPDX-License-Identifier: GPL-3.0-or-later
// Every widget with sample data, to look at. Without arguments it shows a window; with `--out DIR` it writes
// one picture per page and theme (run it with QT_SCALE_FACTOR=2 for the other scale). Exits 1 when Qt warned.
#include "tests/gui/sample_tree.h"
#include "widgets/bar_delegate.h"
#include "widgets/empty_state.h"
#include "widgets/filter_bar.h"
#include "widgets/histogram8.h"
#include "widgets/interval_plot.h"
#include "widgets/key_value_table.h"
#include "widgets/number_format.h"
#include "widgets/recovered_plot.h"
#include "widgets/reliability_plot.h"
#include "widgets/scatter_plot.h"
#include "widgets/source_view.h"
#include "widgets/table_view.h"
#include "widgets/theme.h"
#include "widgets/tree_canvas.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QThread>
#include <QVBoxLayout>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <random>

using namespace foresight;

namespace {

std::atomic<int> warnings = 0;

void countWarnings(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    const bool known = message.startsWith(QLatin1String("This plugin does not support")) ||
                       message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR"));
    if (!known && type != QtDebugMsg && type != QtInfoMsg)
        ++warnings;
    std::fprintf(stderr, "%s\n", qPrintable(message));
}

// The worked example of the design: p* with parent 1.
HistogramData sampleHistogram(int measuredBin)
{
    HistogramData d;
    d.valid = true;
    d.probabilities = {0, 0, .02, .08, .3, .4, .15, .05};
    d.expectedSpeedup = 1.6133;
    d.failsToRun = 0.06;
    d.wrongResult = 0.015;
    d.measuredBin = measuredBin;
    d.measuredSpeedup = measuredBin ? 1.83 : NAN;
    d.title = QStringLiteral("#217, forecast by gp (model 4)");
    return d;
}

QWidget* histogramPage()
{
    auto* page = new QWidget;
    auto* layout = new QGridLayout(page);
    auto* measured = new Histogram8;
    measured->setData(sampleHistogram(6));
    auto* open = new Histogram8;
    open->setData(sampleHistogram(0));
    auto* empty = new Histogram8;
    layout->addWidget(measured, 0, 0);
    layout->addWidget(open, 0, 1);
    auto* grid = new HistogramGrid;
    QVector<HistogramItem> items;
    std::mt19937 random(3);
    for (int i = 0; i < 16; ++i) {
        HistogramItem item;
        item.id = 300 + i;
        item.chosen = i < 4;
        item.audit = i == 9;
        HistogramData d;
        d.valid = true;
        double sum = 0;
        const double centre = 5.2 - i * 0.22;
        for (std::size_t b = 0; b < 8; ++b) {
            d.probabilities[b] = std::exp(-std::pow((static_cast<double>(b) - centre) / (0.8 + 0.05 * i), 2));
            sum += d.probabilities[b];
        }
        for (double& p : d.probabilities)
            p /= sum;
        d.expectedSpeedup = std::exp2((centre - 3.5) * 0.5);
        d.failsToRun = static_cast<double>(random() % 20) / 100;
        d.measuredBin = item.chosen ? 5 + i % 3 : 0;
        item.data = d;
        item.caption =
            QStringLiteral("#%1  %2").arg(QString::number(item.id), formatSpeedup(d.expectedSpeedup));
        items.append(item);
    }
    grid->setItems(items);
    grid->setSelected(301);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setWidget(grid);
    layout->addWidget(empty, 1, 0);
    layout->addWidget(scroll, 1, 1);
    layout->setRowStretch(0, 1);
    layout->setRowStretch(1, 1);
    return page;
}

ReliabilityData sampleReliability(double bend, const QString& title)
{
    ReliabilityData d;
    d.title = title;
    for (int i = 0; i < 10; ++i) {
        ReliabilityBin bin;
        bin.lower = i / 10.0;
        bin.upper = (i + 1) / 10.0;
        bin.count = i < 2 ? 0 : i == 9 ? 6 : 20 + (i * 37) % 60;
        if (bin.count > 0) {
            bin.meanConfidence = bin.lower + 0.03 + 0.005 * i;
            bin.accuracy = std::pow(bin.meanConfidence, bend);
            const double se =
                std::sqrt(bin.meanConfidence * (1 - bin.meanConfidence) / static_cast<double>(bin.count));
            bin.consistencyLow = std::max(0.0, bin.meanConfidence - 1.96 * se);
            bin.consistencyHigh = std::min(1.0, bin.meanConfidence + 1.96 * se);
            bin.confidenceLow = std::max(0.0, bin.accuracy - 2.2 * se);
            bin.confidenceHigh = std::min(1.0, bin.accuracy + 2.2 * se);
        }
        d.count += bin.count;
        d.bins.append(bin);
    }
    d.ece = 0.104 / bend;
    d.perfectEce95 = 0.052;
    d.climatologyEce = 0.031;
    return d;
}

QWidget* plotsPage()
{
    auto* page = new QWidget;
    auto* layout = new QGridLayout(page);
    auto* reliability = new ReliabilityPlot;
    reliability->setData(sampleReliability(1.5, QStringLiteral("as forecast")),
                         sampleReliability(1.08, QStringLiteral("recalibrated")));
    auto* scatter = new ScatterPlot;
    QVector<ScatterPoint> points;
    std::mt19937 random(5);
    std::normal_distribution<double> normal(0, 1);
    for (int i = 0; i < 160; ++i) {
        const double truth = normal(random) * 0.9 + 0.3;
        points.append({i, std::exp2(truth * 0.8 + normal(random) * 0.35), std::exp2(truth), i % 23 == 0,
                       false, QStringLiteral("#%1").arg(i)});
    }
    points[40].incumbent = true;
    points[40].measuredSpeedup = 7.4;
    points[40].forecastSpeedup = 4.1;
    scatter->setPoints(points);
    scatter->setSelected(40);
    auto* recovered = new RecoveredPlot;
    RecoveredData data;
    RecoveredCurve puct, gp, chance;
    puct.name = QStringLiteral("puct");
    gp.name = QStringLiteral("plain gp");
    chance.name = QStringLiteral("random (exact)");
    chance.step = false;
    chance.reference = true;
    for (int i = 1; i <= 100; ++i) {
        const double y = 3.1 - 2.3 * std::exp(-i / 14.0), z = 3.1 - 2.5 * std::exp(-i / 22.0);
        puct.x.append(i);
        puct.y.append(std::floor(y * 6) / 6);
        puct.low.append(std::floor(y * 6) / 6 - 0.6 * std::exp(-i / 40.0));
        puct.high.append(std::min(3.1, std::floor(y * 6) / 6 + 0.4 * std::exp(-i / 40.0)));
        gp.x.append(i);
        gp.y.append(std::floor(z * 5) / 5);
        chance.x.append(i);
        chance.y.append(3.1 - 2.4 * std::exp(-i / 45.0));
    }
    data.curves = {puct, gp, chance};
    data.optimum = 3.1;
    recovered->setData(data);
    auto* interval = new IntervalPlot;
    interval->setRows(
        {{1, QStringLiteral("group_norm+silu [1,128,1024,1024] f16"), 12.4, 11.9, 12.9,
          IntervalVerdict::Deploy, QStringLiteral("lower bound above the margin in two processes")},
         {2, QStringLiteral("rms_norm [8192,4096] bf16"), 1.04, 0.98, 1.09, IntervalVerdict::FallBack,
          QStringLiteral("lower bound 0.98 is below the margin")},
         {3, QStringLiteral("softmax [8,2048,2048] bf16"), 1.92, 1.86, 1.99, IntervalVerdict::Pending, {}},
         {4, QStringLiteral("gelu [4096,11008] bf16"), NAN, NAN, NAN, IntervalVerdict::Failed,
          QStringLiteral("wrong result in the second process")}},
        1.02);
    interval->setSelected(2);
    layout->addWidget(reliability, 0, 0);
    layout->addWidget(scatter, 0, 1);
    layout->addWidget(recovered, 1, 0);
    layout->addWidget(interval, 1, 1);
    return page;
}

QWidget* emptyPlotsPage()
{
    auto* page = new QWidget;
    auto* layout = new QGridLayout(page);
    layout->addWidget(new ReliabilityPlot, 0, 0);
    layout->addWidget(new ScatterPlot, 0, 1);
    layout->addWidget(new RecoveredPlot, 1, 0);
    layout->addWidget(new IntervalPlot, 1, 1);
    auto* state = new EmptyState(
        QStringLiteral("tree"), QStringLiteral("No search yet"),
        QStringLiteral("Pick an operator with headroom and start a search; its candidates grow "
                       "here as a tree."),
        QStringLiteral("Search the top operator"));
    layout->addWidget(state, 0, 2);
    layout->addWidget(new TreeCanvas, 1, 2);
    return page;
}

QWidget* treePage(int nodes, double rootShare, double zoom)
{
    auto* canvas = new TreeCanvas;
    const test::SampleTree tree = test::makeSampleTree(nodes, rootShare);
    canvas->setNodes(tree.nodes);
    canvas->setIncumbent(tree.incumbent);
    canvas->setBestPath(tree.bestPath);
    canvas->setSelected(tree.bestPath.value(1));
    if (nodes < 1000)
        canvas->setHighlighted({20, 21, 40});
    if (zoom > 0) {
        QObject::connect(
            canvas, &TreeCanvas::layoutFinished, canvas,
            [canvas, zoom, id = tree.incumbent] {
                canvas->centerOn(id);
                canvas->zoomAt(canvas->nodeRect(id).center(), zoom / canvas->scale());
            },
            Qt::SingleShotConnection);
    }
    return canvas;
}

QWidget* tablesPage()
{
    auto* page = new QWidget;
    auto* layout = new QGridLayout(page);
    auto* model = new QStandardItemModel(0, 5, page);
    model->setHorizontalHeaderLabels({QStringLiteral("Operator"), QStringLiteral("Calls"),
                                      QStringLiteral("GPU time"), QStringLiteral("Share"),
                                      QStringLiteral("Headroom")});
    std::mt19937 random(11);
    for (int i = 0; i < 40; ++i) {
        const double share = std::exp(-i / 6.0) * 0.32, time = share * 8.1e7;
        auto* name = new QStandardItem;
        const QString full =
            i % 3 == 0
                ? QStringLiteral("void at::native::vectorized_elementwise_kernel<4, "
                                 "at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul> >(int, "
                                 "at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul>)")
                : QStringLiteral("aten::group_norm [1,128,%1,%1] f16").arg(64 << (i % 5));
        name->setText(i % 3 == 0 ? shortKernelName(full) : full);
        name->setData(full, CopyRole);
        const auto number = [](const QString& text, double raw) {
            auto* item = new QStandardItem(text);
            item->setData(raw, SortRole);
            item->setData(raw, RawRole);
            return item;
        };
        const double calls = static_cast<double>(random() % 2000), headroom = share * (1 - 0.02 * i);
        QList<QStandardItem*> row{name, number(formatCount(static_cast<qint64>(calls)), calls),
                                  number(formatTime(time, TimeUnit::Us), time),
                                  number(formatPercent(share), share),
                                  number(formatTime(time * 0.8, TimeUnit::Us), headroom)};
        row[3]->setData(share / 0.32, BarRole);
        row[4]->setData(headroom / 0.32, BarRole);
        row[4]->setData(static_cast<int>(ColorRole::Good), BarColorRole);
        model->appendRow(row);
    }
    auto* proxy = new TableProxy(page);
    proxy->setSourceModel(model);
    auto* bar = new FilterBar;
    auto* wrong = new FilterBar;
    auto* view = new TableView;
    view->setModel(proxy);
    view->setItemDelegateForColumn(3, new BarDelegate(view));
    view->setItemDelegateForColumn(4, new BarDelegate(view));
    view->header()->resizeSection(0, 320);
    view->sortByColumn(4, Qt::DescendingOrder);
    bar->setProxy(proxy);
    bar->setText(QStringLiteral("norm"));
    wrong->setRegexMode(true);
    wrong->setText(QStringLiteral("group_norm(["));
    view->setCurrentIndex(proxy->index(2, 0));
    auto* left = new QVBoxLayout;
    left->addWidget(bar);
    left->addWidget(view, 1);
    left->addWidget(wrong);
    layout->addLayout(left, 0, 0, 2, 1);

    auto* source = new SourceView;
    source->setSource(QStringLiteral(
        "// group norm: one block per group\n#include <cuda_fp16.h>\n#define VEC 8\n\n"
        "template <int kBlock>\n__global__ void __launch_bounds__(kBlock)\n"
        "group_norm(const __half* __restrict__ x, __half* __restrict__ y, int n, float eps)\n{\n"
        "    __shared__ float partial[32]; /* one per\n       warp */\n    float sum = 0.0f;\n"
        "    for (int i = threadIdx.x; i < n; i += blockDim.x)\n        sum += __half2float(x[i]);\n"
        "    const char* note = \"mean // not a comment\";\n    sum = __shfl_down_sync(0xffffffffu, sum, "
        "16);\n"
        "    if (threadIdx.x == 0)\n        partial[0] = sum * 1.0e-3f + eps;\n    __syncthreads();\n"
        "    y[blockIdx.x] = static_cast<__half>(rsqrtf(partial[0]));\n}\n"));
    source->setMarkedLines({13});
    layout->addWidget(source, 0, 1);
    auto* details = new KeyValueTable;
    details->setRows(
        {{QStringLiteral("Candidate"), {}, {}, true},
         {QStringLiteral("block"), QStringLiteral("256")},
         {QStringLiteral("vector width"), QStringLiteral("8")},
         {QStringLiteral("Compiled"), {}, {}, true},
         {QStringLiteral("registers"), QStringLiteral("64")},
         {QStringLiteral("occupancy"), formatPercent(0.75)},
         {QStringLiteral("verified"), QStringLiteral("all 12 checks passed"), {}, false, StatusKind::Good},
         {QStringLiteral("timing"),
          QStringLiteral("clocks moved while measuring"),
          {},
          false,
          StatusKind::Warning},
         {QStringLiteral("determinism"), QStringLiteral("two runs differ"), {}, false, StatusKind::Error}});
    layout->addWidget(details, 1, 1);
    auto* states = new QHBoxLayout;
    for (auto kind : {StatusKind::Neutral, StatusKind::Info, StatusKind::Running, StatusKind::Good,
                      StatusKind::Warning, StatusKind::Error})
        states->addWidget(new StatusLabel(kind, statusKindName(kind)));
    layout->addLayout(states, 2, 0, 1, 2);
    layout->setColumnStretch(0, 3);
    layout->setColumnStretch(1, 2);
    return page;
}

QWidget* iconsPage()
{
    auto* page = new QWidget;
    auto* layout = new QGridLayout(page);
    int i = 0;
    for (const QString& file : QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")})) {
        auto* label = new QLabel(page);
        auto* name = new QLabel(file.chopped(4), page);
        label->setPixmap(themedIcon(file.chopped(4)).pixmap(QSize(32, 32), page->devicePixelRatioF()));
        layout->addWidget(label, i / 9 * 2, i % 9, Qt::AlignHCenter);
        layout->addWidget(name, i / 9 * 2 + 1, i % 9, Qt::AlignHCenter);
        ++i;
    }
    return page;
}

struct Page
{
    QString name;
    QWidget* (*make)();
};

const Page kPages[] = {{QStringLiteral("histograms"), &histogramPage},
                       {QStringLiteral("plots"), &plotsPage},
                       {QStringLiteral("empty"), &emptyPlotsPage},
                       {QStringLiteral("tree-small"), [] { return treePage(180, 0.3, 0); }},
                       {QStringLiteral("tree-5k"), [] { return treePage(5000, 0.25, 0); }},
                       {QStringLiteral("tree-5k-close"), [] { return treePage(5000, 0.25, 1.0); }},
                       {QStringLiteral("tree-wide"), [] { return treePage(12000, 0.8, 0); }},
                       {QStringLiteral("tree-100k"), [] { return treePage(100000, 0.1, 0); }},
                       {QStringLiteral("tables"), &tablesPage},
                       {QStringLiteral("icons"), &iconsPage}};

void settle(QWidget* page)
{
    QElapsedTimer timer;
    timer.start();
    const auto* canvas = qobject_cast<TreeCanvas*>(page);
    do {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        QThread::msleep(5);
    } while (timer.elapsed() < 100 || (canvas && canvas->layoutPending() && timer.elapsed() < 20000));
}

} // namespace

int main(int argc, char** argv)
{
    qInstallMessageHandler(&countWarnings);
    QApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    const QCommandLineOption out(QStringLiteral("out"), QStringLiteral("Write pictures into DIR and exit."),
                                 QStringLiteral("DIR"));
    const QCommandLineOption only(QStringLiteral("only"), QStringLiteral("Only the page of that name."),
                                  QStringLiteral("PAGE"));
    parser.addOptions({out, only});
    parser.process(app);
    ThemeManager& themes = ThemeManager::instance();
    themes.install();
    if (!parser.isSet(out)) {
        QTabWidget tabs;
        for (const Page& page : kPages)
            tabs.addTab(page.make(), page.name);
        tabs.resize(1200, 800);
        tabs.show();
        return app.exec();
    }
    const QDir dir(parser.value(out));
    if (!dir.mkpath(QStringLiteral("."))) {
        std::fprintf(stderr, "cannot make the folder %s\n", qPrintable(dir.path()));
        return 1;
    }
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        themes.setMode(mode);
        for (const Page& page : kPages) {
            if (parser.isSet(only) && page.name != parser.value(only))
                continue;
            const std::unique_ptr<QWidget> widget(page.make());
            widget->resize(1100, 720);
            widget->show();
            settle(widget.get());
            const QString file =
                dir.filePath(QStringLiteral("%1-%2-%3x.png")
                                 .arg(page.name, mode == ThemeMode::Light ? QStringLiteral("light")
                                                                          : QStringLiteral("dark"))
                                 .arg(widget->devicePixelRatioF()));
            if (!widget->grab().save(file)) {
                std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
                return 1;
            }
        }
    }
    return warnings == 0 ? 0 : 1;
}
