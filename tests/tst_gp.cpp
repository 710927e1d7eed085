// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/forecast/features.h"
#include "core/forecast/forecaster.h"
#include "core/forecast/gp.h"
#include "core/forecast/gp_forecaster.h"
#include "core/gpu/recorded_space.h"

#include <QtTest>

#include <cmath>
#include <numeric>
#include <set>

using namespace foresight;

namespace {

bool near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance;
}

std::shared_ptr<const ConfigSpace> gridSpace()
{
    const std::vector<std::int64_t> blocks{32, 64, 96, 128, 192, 256, 384, 512};
    const std::vector<std::int64_t> tiles{1, 2, 3, 4, 5, 6, 8};
    std::vector<Value> b(blocks.begin(), blocks.end()), t(tiles.begin(), tiles.end());
    std::vector<std::uint16_t> codes;
    for (std::uint16_t i = 0; i < b.size(); ++i)
        for (std::uint16_t j = 0; j < t.size(); ++j)
            for (std::uint16_t k = 0; k < 3; ++k)
                codes.insert(codes.end(), {i, j, k, 0});
    return std::make_shared<const ConfigSpace>(
        std::vector<TuningParameter>{{"block_size_x", b, {}},
                                     {"tile_size_x", t, {}},
                                     {"mode", {std::string("a"), std::string("b"), std::string("c")}, {}},
                                     {"one", {std::int64_t{7}}, {}}},
        codes);
}

// A smooth made-up speed with one mode far better and a failing corner.
std::optional<double> gridSpeed(const ConfigSpace& space, std::size_t i)
{
    const auto b = static_cast<double>(std::get<std::int64_t>(space.value(i, 0)));
    const auto t = static_cast<double>(std::get<std::int64_t>(space.value(i, 1)));
    if (b * t > 2000)
        return std::nullopt;
    const double x = std::log2(b) - 7, y = t - 4;
    return 1.5 - .3 * x * x - .08 * y * y + (space.code(i, 2) == 1 ? .7 : 0);
}

std::unique_ptr<Forecaster> make(const char* name, std::shared_ptr<const ConfigSpace> space,
                                 std::uint64_t seed = 1)
{
    ForecasterContext context;
    context.space = std::move(space);
    context.seed = seed;
    return std::move(*makeForecaster(name, std::move(context)));
}

ForecastLabel labelOf(const ConfigSpace& space, std::uint32_t index)
{
    ForecastLabel label;
    label.index = index;
    label.log2Speedup = gridSpeed(space, index);
    return label;
}

// Matern-5/2 written out once more, for checking.
double matern(const FeatureMatrix& f, std::size_t a, std::size_t b, double length)
{
    double squared = 0;
    for (std::size_t c = 0; c < f.columns; ++c) {
        const double d = (static_cast<double>(f.at(a, c)) - static_cast<double>(f.at(b, c))) / length;
        squared += d * d;
    }
    const double r = std::sqrt(5 * squared);
    return (1 + r + r * r / 3) * std::exp(-r);
}

// Solves A x = b by Gaussian elimination with pivoting: an independent way to the same posterior.
std::vector<double> solveDense(std::vector<std::vector<double>> a, std::vector<double> b)
{
    const std::size_t n = b.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c; r < n; ++r)
            if (std::fabs(a[r][c]) > std::fabs(a[pivot][c]))
                pivot = r;
        std::swap(a[c], a[pivot]);
        std::swap(b[c], b[pivot]);
        for (std::size_t r = c + 1; r < n; ++r) {
            const double factor = a[r][c] / a[c][c];
            for (std::size_t k = c; k < n; ++k)
                a[r][k] -= factor * a[c][k];
            b[r] -= factor * b[c];
        }
    }
    for (std::size_t c = n; c-- > 0;) {
        for (std::size_t k = c + 1; k < n; ++k)
            b[c] -= a[c][k] * b[k];
        b[c] /= a[c][c];
    }
    return b;
}

} // namespace

class TestGp : public QObject
{
    Q_OBJECT
private slots:
    void featuresByHand()
    {
        const auto space = std::make_shared<const ConfigSpace>(
            std::vector<TuningParameter>{
                {"block_size_x", {std::int64_t{1}, std::int64_t{2}, std::int64_t{16}}, {}},
                {"tile_size_x", {std::int64_t{3}, std::int64_t{4}, std::int64_t{5}}, {}},
                {"mode", {std::string("z"), std::string("a")}, {}},
                {"same", {std::int64_t{4}}, {}}},
            std::vector<std::uint16_t>{0, 0, 0, 0, 1, 1, 1, 0, 2, 2, 0, 0});
        const FeatureMatrix f = makeFeatures(*space);
        QCOMPARE(f.names,
                 (std::vector<std::string>{"block_size_x", "tile_size_x", "mode", "zeros of tile_size_x"}));
        QCOMPARE(f.rows, std::size_t{3});
        // log2: 0, 1, 4; half rank, half value: 0, .5/2 + .5/4, 1.
        QCOMPARE(f.at(0, 0), 0.f);
        QCOMPARE(f.at(1, 0), .375f);
        QCOMPARE(f.at(2, 0), 1.f);
        // 3, 4, 5 stay linear: 0, .5, 1.
        QCOMPARE(f.at(1, 1), .5f);
        // Texts by their order: "a" is 0.
        QCOMPARE(f.at(0, 2), 1.f);
        QCOMPARE(f.at(1, 2), 0.f);
        // Trailing zeros of 3, 4, 5: 0, 2, 0.
        QCOMPARE(f.at(1, 3), 1.f);
        QCOMPARE(f.at(2, 3), 0.f);
        const FeatureMatrix grid = makeFeatures(*gridSpace());
        for (const float v : grid.data)
            QVERIFY(v >= 0 && v <= 1);
    }

    void startSpreadsOut()
    {
        const auto space = gridSpace();
        const FeatureMatrix f = makeFeatures(*space);
        const auto nearest = [&](const std::vector<std::uint32_t>& set) {
            double least = 1e9;
            for (std::size_t a = 0; a < set.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) {
                    double d = 0;
                    for (std::size_t c = 0; c < f.columns; ++c)
                        d += std::pow(static_cast<double>(f.at(set[a], c) - f.at(set[b], c)), 2);
                    least = std::min(least, d);
                }
            return least;
        };
        const auto values = [&](const std::vector<std::uint32_t>& set) {
            std::set<std::pair<std::size_t, std::uint16_t>> seen;
            for (const std::uint32_t i : set)
                for (std::size_t p = 0; p < space->parameterCount(); ++p)
                    seen.emplace(p, space->code(i, p));
            return static_cast<double>(seen.size());
        };
        std::vector<std::uint32_t> whole(space->size());
        std::iota(whole.begin(), whole.end(), 0u);
        double spread = 0, plain = 0, seen = 0, plainSeen = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            Random random(seed), again(seed);
            const auto design = startDesign(*space, f, 10, random);
            QCOMPARE(design, startDesign(*space, f, 10, again));
            QCOMPARE(std::set<std::uint32_t>(design.begin(), design.end()).size(), std::size_t{10});
            spread += nearest(design);
            std::vector<std::uint32_t> any;
            for (int i = 0; i < 10; ++i)
                any.push_back(static_cast<std::uint32_t>(random.below(f.rows)));
            plain += nearest(any);
            seen += values(design) / 40 / values(whole);
            plainSeen += values(any) / 40 / values(whole);
        }
        QVERIFY2(spread > 1.5 * plain, qPrintable(QString::number(spread / plain)));
        QVERIFY2(seen > .97 && seen > plainSeen + .03, qPrintable(QString::number(seen)));
        Random random(1);
        QCOMPARE(startDesign(*space, f, 10000, random).size(), f.rows);
        const std::vector<std::uint32_t> taken{0, 1, 2};
        for (const std::uint32_t i : startDesign(*space, f, f.rows, random, taken))
            QVERIFY(i > 2);
    }

    void posteriorMatchesDenseAlgebra()
    {
        const FeatureMatrix f = makeFeatures(*gridSpace());
        const std::vector<std::uint32_t> at{0, 17, 40, 77, 130, 150};
        const std::vector<double> y{1, -.5, .3, 0, 2, -1};
        const double noise = .01, length = .7; // where every model starts
        std::vector<std::vector<double>> k(6, std::vector<double>(6));
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                k[i][j] = matern(f, at[i], at[j], length) + (i == j ? noise : 0);
        const auto alpha = solveDense(k, y);

        GaussianProcess once(f), grown(f);
        once.factorise(at);
        grown.factorise(std::span(at).first(2));
        const std::vector<bool> none(6, false);
        auto growing = grown.solve(std::span(y).first(2), {false, false});
        for (std::size_t i = 2; i < 6; ++i) {
            grown.append(at[i]);
            grown.extend(growing, y[i], false);
        }
        const auto target = once.solve(y, none);
        const auto variance = once.variance(), grownVariance = grown.variance();
        for (std::size_t x = 0; x < f.rows; ++x) {
            std::vector<double> kx(6);
            double mean = 0;
            for (std::size_t i = 0; i < 6; ++i) {
                kx[i] = matern(f, at[i], x, length);
                mean += kx[i] * alpha[i];
            }
            const auto weights = solveDense(k, kx);
            const double explained = std::inner_product(kx.begin(), kx.end(), weights.begin(), 0.);
            QVERIFY(near(static_cast<double>(target.mean[x]), mean, 1e-4));
            QVERIFY(near(static_cast<double>(growing.mean[x]), mean, 1e-4));
            QVERIFY(near(variance[x], 1 - explained, 1e-4));
            QVERIFY(near(grownVariance[x], 1 - explained, 1e-4));
            QCOMPARE(once.varianceAt(static_cast<std::uint32_t>(x)), variance[x]);
        }
        // y' K^-1 y is the sum of the squared innovations.
        QVERIFY(near(target.sumSquares, std::inner_product(y.begin(), y.end(), alpha.begin(), 0.), 1e-6));
        // Assumed at their prediction, points narrow the variance as real ones do.
        GaussianProcess partial(f);
        partial.factorise(std::span(at).first(3));
        const auto pending = partial.variance(std::span(at).subspan(3));
        for (std::size_t x = 0; x < f.rows; ++x)
            QVERIFY(near(pending[x], variance[x], 1e-4));
        // An absent observation changes nothing.
        std::vector<bool> absent(6, false);
        absent[5] = true;
        const auto without = once.solve(y, absent);
        GaussianProcess five(f);
        five.factorise(std::span(at).first(5));
        const auto fewer = five.solve(std::span(y).first(5), std::vector<bool>(5, false));
        for (std::size_t x = 0; x < f.rows; ++x)
            QVERIFY(near(static_cast<double>(without.mean[x]), static_cast<double>(fewer.mean[x]), 1e-4));
    }

    void expectedImprovementValues()
    {
        // phi(0) = .398942...; E max(X - 1, 0) for X ~ N(0, 1) = phi(1) - (1 - Phi(1)) = .0833155.
        QVERIFY(near(normalExpectedImprovement(0, 1, 0), .3989422804, 1e-10));
        QVERIFY(near(normalExpectedImprovement(0, 1, 1), .0833154706, 1e-9));
        QVERIFY(near(normalExpectedImprovement(3, .001, 1), 2, 1e-12));
        // At z = -6 the closed form gives 1.563570e-10 (in 50 digits).
        QVERIFY(near(normalExpectedImprovement(-6, 1, 0) / 1.563570e-10, 1, 1e-3));
        double last = 0;
        for (double z = -40; z < 10; z += .01) { // positive, growing, also as floats
            const double value = normalExpectedImprovement(z, 1, 0);
            QVERIFY(static_cast<float>(value) > 0.f);
            QVERIFY(value >= last * (1 - 1e-3));
            last = value;
        }
    }

    void coldStartIsWideAndSaysSo()
    {
        for (const char* name : {"gp", "roofline"}) {
            auto f = make(name, gridSpace());
            QCOMPARE(f->name(), std::string_view(name));
            const std::uint32_t indices[] = {0, 5};
            const auto forecasts = f->forecast(indices);
            QCOMPARE(forecasts.size(), std::size_t{2});
            QVERIFY(forecasts[0].coldStart);
            QVERIFY(forecasts[0].sdLog2 >= 1);
            QVERIFY(forecasts[0].expectedImprovement > 0);
            QVERIFY(near(std::accumulate(forecasts[0].bins.begin(), forecasts[0].bins.end(), 0.), 1, 1e-12));
            QCOMPARE(f->modelVersion(), 0u);
            QCOMPARE(f->expectedImprovement().size(), gridSpace()->size());
        }
        QVERIFY(!makeForecaster("magic", {gridSpace(), {}, {}, {}, 0}).ok());
        QVERIFY(!makeForecaster("gp", {}).ok());
    }

    void rooflineKnowsTheFloor()
    {
        ForecasterContext context;
        context.space = gridSpace();
        context.problem = Problem{};
        context.problem->compulsoryBytes = 4e9; // 1 ms at 4 TB/s
        context.gpu.copyBandwidth = 4e12;
        context.baselineNs = 16e6;
        const SpeedupPrior far = speedupPrior(context);
        context.baselineNs = 1.1e6;
        const SpeedupPrior close = speedupPrior(context);
        // 16 times above the floor: between 1/4 and 16, so around 2; close to the floor: below 1.
        QVERIFY(near(far.meanLog2, 1, .01));
        QVERIFY(close.meanLog2 < 0);
        QVERIFY(far.sdLog2 > close.sdLog2);
    }

    void learnsTheGrid()
    {
        const auto space = gridSpace();
        auto f = make("gp", space);
        Random random(3);
        const auto design = startDesign(*space, makeFeatures(*space), 60, random);
        for (const std::uint32_t i : design)
            f->addLabel(labelOf(*space, i));
        QCOMPARE(f->modelVersion(), 5u); // at 10, 16, 24, 36, 54
        std::vector<std::uint32_t> rest;
        for (std::uint32_t i = 0; i < space->size(); ++i)
            if (std::find(design.begin(), design.end(), i) == design.end())
                rest.push_back(i);
        const auto forecasts = f->forecast(rest);
        double squares = 0, spread = 0, inside = 0, brier = 0;
        int n = 0;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            const auto truth = gridSpeed(*space, rest[i]);
            const double fails = 1 - forecasts[i].successProbability();
            QVERIFY(fails > 0 && fails < 1);
            brier += std::pow(fails - (truth ? 0 : 1), 2) / static_cast<double>(rest.size());
            if (!truth)
                continue;
            ++n;
            squares += std::pow(*truth - forecasts[i].meanLog2, 2);
            spread += std::pow(*truth - 1, 2);
            inside += std::fabs(*truth - forecasts[i].meanLog2) < 2 * forecasts[i].sdLog2;
        }
        const QByteArray seen = QByteArray::number(squares / spread) + " of the spread left, " +
                                QByteArray::number(inside / n) + " inside, Brier " +
                                QByteArray::number(brier);
        QVERIFY2(squares < .2 * spread, seen);
        QVERIFY2(inside / n > .85, seen);
        QVERIFY2(brier < .08, seen);
    }

    void measuredAndPendingAreClosed()
    {
        const auto space = gridSpace();
        auto f = make("gp", space);
        for (std::uint32_t i = 0; i < 12; ++i)
            f->addLabel(labelOf(*space, i * 13));
        const std::vector<float> before(f->expectedImprovement().begin(), f->expectedImprovement().end());
        QCOMPARE(before[13], 0.f);
        const auto best =
            static_cast<std::uint32_t>(std::max_element(before.begin(), before.end()) - before.begin());
        f->addPending(best);
        const std::vector<float> during(f->expectedImprovement().begin(), f->expectedImprovement().end());
        QCOMPARE(during[best], 0.f);
        // A neighbour that differs in nothing but the mode promises less while this one runs.
        double sumBefore = 0, sumDuring = 0;
        for (const std::uint32_t i : space->neighbours(best, 1)) {
            sumBefore += static_cast<double>(before[i]);
            sumDuring += static_cast<double>(during[i]);
        }
        QVERIFY(sumDuring < sumBefore);
        // The label settles it: as if it had never been pending.
        f->addLabel(labelOf(*space, best));
        auto direct = make("gp", space);
        for (std::uint32_t i = 0; i < 12; ++i)
            direct->addLabel(labelOf(*space, i * 13));
        direct->addLabel(labelOf(*space, best));
        const auto a = f->expectedImprovement(), b = direct->expectedImprovement();
        QVERIFY(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }

    void sameLabelsSameForecasts()
    {
        const auto space = gridSpace();
        auto a = make("gp", space), b = make("gp", space);
        Random random(9);
        for (int n = 0; n < 60; ++n) {
            const auto i = static_cast<std::uint32_t>(random.below(space->size()));
            a->expectedImprovement(); // asked in between or not: no difference
            if (n % 3 == 0)
                a->forecast(std::vector<std::uint32_t>{1, 2, 3});
            a->addLabel(labelOf(*space, i));
            b->addLabel(labelOf(*space, i)); // also twice the same now and then
        }
        const auto x = a->expectedImprovement(), y = b->expectedImprovement();
        QVERIFY(std::equal(x.begin(), x.end(), y.begin(), y.end()));
        const std::vector<std::uint32_t> some{0, 50, 100};
        const auto fa = a->forecast(some), fb = b->forecast(some);
        for (std::size_t i = 0; i < some.size(); ++i) {
            QCOMPARE(fa[i].meanLog2, fb[i].meanLog2);
            QCOMPARE(fa[i].sdLog2, fb[i].sdLog2);
            QCOMPARE(fa[i].failsToRun, fb[i].failsToRun);
        }
    }

    void failuresAndConstantsOnly()
    {
        const auto space = gridSpace();
        for (const bool failing : {true, false}) {
            auto f = make("gp", space);
            for (std::uint32_t i = 0; i < 30; ++i) {
                ForecastLabel label;
                label.index = i * 5;
                label.wrongResult = true;
                if (!failing)
                    label.log2Speedup = .25;
                f->addLabel(label);
                const auto improvement = f->expectedImprovement();
                const auto best = std::max_element(improvement.begin(), improvement.end());
                QVERIFY(std::isfinite(*best) && *best > 0);
                const std::vector<std::uint32_t> some{1, 150};
                for (const Forecast& forecast : f->forecast(some)) {
                    QVERIFY(std::isfinite(forecast.meanLog2) && forecast.sdLog2 > 0);
                    QVERIFY(near(std::accumulate(forecast.bins.begin(), forecast.bins.end(), 0.), 1, 1e-9));
                    QVERIFY(forecast.successProbability() > 0 && forecast.successProbability() < 1);
                    if (failing && i > 5)
                        QVERIFY(forecast.successProbability() < .4 && forecast.wrongResult > .4);
                    if (!failing && i > 5)
                        QVERIFY(forecast.successProbability() > .9);
                }
            }
        }
    }

    void spaceWithoutChoice()
    {
        const auto space = std::make_shared<const ConfigSpace>(
            std::vector<TuningParameter>{{"x", {std::int64_t{1}}, {}}}, std::vector<std::uint16_t>{0});
        auto f = make("gp", space);
        QCOMPARE(f->expectedImprovement().size(), std::size_t{1});
        ForecastLabel label;
        label.log2Speedup = 1;
        f->addLabel(label);
        QCOMPARE(f->expectedImprovement()[0], 0.f);
        QVERIFY(std::isfinite(f->forecast(std::vector<std::uint32_t>{0})[0].meanLog2));
    }

    void beatsRandomOnRecordedSpace()
    {
        const std::string path =
            qgetenv("FORESIGHT_SHARED").toStdString() + "/data/spaces/pnpoly_RTX_3090.json.gz";
        if (!fileExists(path))
            QSKIP("FORESIGHT_SHARED has no recorded spaces");
        const auto recorded = readRecordedSpace(path);
        QVERIFY(recorded.ok());
        const auto space = std::make_shared<const ConfigSpace>(recorded->space);
        const FeatureMatrix features = makeFeatures(*space);
        const double reference = recorded->rows[0].timeNs;
        double total = 0, nll = 0, uniform = 0;
        int forecasts = 0;
        const int seeds = 4, budget = 50;
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            auto f = make("gp", space, seed);
            Random random(seed + 100);
            const auto design = startDesign(*space, features, 10, random);
            double best = 0;
            std::vector<std::pair<double, std::uint32_t>> fastest;
            for (std::size_t n = 0; n < budget; ++n) {
                std::uint32_t next = n < 10 ? design[n] : 0;
                if (n >= 10) {
                    // Expected improvement over the whole space and near the three fastest, in turn.
                    const auto improvement = f->expectedImprovement();
                    std::sort(fastest.begin(), fastest.end());
                    std::vector<std::uint32_t> from(space->size());
                    std::iota(from.begin(), from.end(), 0u);
                    if (n % 2 == 1) {
                        std::vector<std::uint32_t> close;
                        for (std::size_t q = 0; q < std::min<std::size_t>(3, fastest.size()); ++q)
                            for (const std::uint32_t i :
                                 space->neighbours(fastest[q].second, n % 4 == 1 ? 1 : 2))
                                if (improvement[i] > 0)
                                    close.push_back(i);
                        if (!close.empty())
                            from = close;
                    }
                    next = *std::max_element(from.begin(), from.end(), [&](std::uint32_t a, std::uint32_t b) {
                        return improvement[a] < improvement[b];
                    });
                    // Any configuration, not only promising ones, is forecast better than by a uniform guess.
                    const auto probe = static_cast<std::uint32_t>(random.below(space->size()));
                    if (recorded->rows[probe].timeNs > 0) {
                        const auto bin = *binOf(reference / recorded->rows[probe].timeNs);
                        const auto forecast = f->forecast(std::vector<std::uint32_t>{probe})[0];
                        nll -= std::log(std::max(1e-12, forecast.bins[static_cast<std::size_t>(bin - 1)]));
                        uniform += std::log(8.);
                        ++forecasts;
                    }
                }
                const RecordedRow& row = recorded->rows[next];
                ForecastLabel label;
                label.index = next;
                if (row.timeNs > 0) {
                    label.log2Speedup = std::log2(reference / row.timeNs);
                    best = std::max(best, recorded->bestNs() / row.timeNs);
                    fastest.emplace_back(row.timeNs, next);
                }
                f->addLabel(label);
            }
            total += best;
        }
        const double mean = total / seeds;
        QVERIFY2(mean > recorded->exactRandom(budget) + .015, qPrintable(QString::number(mean)));
        QVERIFY(forecasts > 100);
        QVERIFY(nll < .6 * uniform);
    }
};

QTEST_APPLESS_MAIN(TestGp)
#include "tst_gp.moc"
