// SPDX-License-Identifier: Apache-2.0
// What is computed from a recorded space: the exact expectation of random search, the best's standard error.
#include "core/base/file.h"
#include "core/gpu/recorded_space.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace foresight;

namespace {

bool near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance;
}

std::string sharedPath(const std::string& name)
{
    const QByteArray folder = qgetenv("FORESIGHT_SHARED");
    return folder.isEmpty() ? std::string() : folder.toStdString() + "/data/" + name;
}

RecordedSpace spaceOfTimes(const std::vector<double>& times) // 0: failed
{
    RecordedSpace space;
    TuningParameter parameter{"x", {}, {}};
    std::vector<std::uint16_t> codes;
    for (std::size_t i = 0; i < times.size(); ++i) {
        parameter.values.push_back(static_cast<std::int64_t>(i));
        codes.push_back(static_cast<std::uint16_t>(i));
        RecordedRow row;
        row.outcome = times[i] > 0 ? Outcome::Ok : Outcome::Crashed;
        row.timeNs = times[i];
        space.rows.push_back(row);
    }
    space.space = ConfigSpace({parameter}, codes);
    return space;
}

} // namespace

class TestSpaceStatistics : public QObject
{
    Q_OBJECT

private slots:
    void exactRandomWorkedExample()
    {
        const auto space = spaceOfTimes({1, 2, 4, 4, 0});
        QVERIFY(near(space.exactRandom(1), .4, 1e-12));
        QVERIFY(near(space.exactRandom(2), .625, 1e-12));
        QVERIFY(near(space.exactRandom(5), 1, 1e-12));
        QVERIFY(near(space.exactRandom(500), 1, 1e-12));
        QCOMPARE(space.exactRandom(0), 0.);
        QCOMPARE(spaceOfTimes({0, 0}).exactRandom(2), 0.);
        QVERIFY(near(spaceOfTimes({7}).exactRandom(1), 1, 1e-15));
    }

    void exactRandomAgainstEnumeration()
    {
        // All subsets of a small space, drawn by hand.
        const std::vector<double> times{3, 0, 1, 8, 2, 2, 0, 5};
        const auto space = spaceOfTimes(times);
        for (std::size_t k = 1; k <= times.size(); ++k) {
            double total = 0;
            int subsets = 0;
            for (unsigned mask = 0; mask < 256; ++mask) {
                if (static_cast<std::size_t>(__builtin_popcount(mask)) != k)
                    continue;
                double best = 0;
                for (std::size_t i = 0; i < times.size(); ++i)
                    if ((mask >> i & 1) && times[i] > 0)
                        best = std::max(best, 1 / times[i]);
                total += best;
                ++subsets;
            }
            QVERIFY(near(space.exactRandom(k), total / subsets, 1e-12));
        }
    }

    void exactRandomOfManyIsFiniteAndGrows()
    {
        std::vector<double> times(20000);
        std::iota(times.begin(), times.end(), 1.);
        const auto space = spaceOfTimes(times);
        double last = 0;
        for (const std::size_t k : {1u, 10u, 1000u, 10000u, 19999u, 20000u}) {
            const double value = space.exactRandom(k);
            QVERIFY(std::isfinite(value) && value > last && value <= 1 + 1e-9);
            last = value;
        }
        QVERIFY(near(last, 1, 1e-9));
    }

    void publicSpacesMatchTheirTable_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("valid");
        QTest::addColumn<QList<double>>("expected");
        QTest::newRow("pnpoly") << QByteArray("pnpoly_RTX_3090") << 4092 << 3774
                                << QList<double>{.8976, .9324, .9581, .9759};
        QTest::newRow("convolution") << QByteArray("convolution_RTX_3090") << 6768 << 5220
                                     << QList<double>{.8012, .8643, .9131, .9473};
        QTest::newRow("gemm") << QByteArray("gemm_RTX_3090") << 17956 << 17956
                              << QList<double>{.7536, .7995, .8375, .8699};
        QTest::newRow("2080") << QByteArray("convolution_RTX_2080_Ti") << 6768 << 5256
                              << QList<double>{.732, .795, .850, .900};
    }

    void publicSpacesMatchTheirTable()
    {
        QFETCH(QByteArray, file);
        QFETCH(int, rows);
        QFETCH(int, valid);
        QFETCH(QList<double>, expected);
        const std::string path = sharedPath("spaces/" + file.toStdString() + ".json.gz");
        if (!fileExists(path))
            QSKIP("FORESIGHT_SHARED has no recorded spaces");
        const auto space = readRecordedSpace(path);
        QVERIFY2(space.ok(), space ? "" : space.error().toString().c_str());
        QCOMPARE(space->rows.size(), static_cast<std::size_t>(rows));
        QCOMPARE(space->space.size(), space->rows.size());
        QCOMPARE(space->validCount(), static_cast<std::size_t>(valid));
        QVERIFY(space->claimable());
        const std::size_t budgets[] = {25, 50, 100, 200};
        for (int i = 0; i < 4; ++i)
            QVERIFY(near(space->exactRandom(budgets[i]), expected[i], 5.1e-4));
    }

    void standardErrorOfTheBest()
    {
        auto space = spaceOfTimes({100, 200});
        QVERIFY(!space.claimable());
        // sd of (99, 100, 101) is 1, its standard error 1/sqrt(3) %.
        space.rows[0].samplesNs = {99, 100, 101};
        QVERIFY(near(space.bestStandardError(), .01 / std::sqrt(3.), 1e-12));
        QVERIFY(space.claimable());
        // A second process 10 % off: the two means count, not the many samples. Means 100, 110: 5 / 105.
        space.rows[0].sampleSets = {{110, 110, 110}};
        QVERIFY(near(space.bestStandardError(), 5. / 105, 1e-9));
        QVERIFY(!space.claimable());
    }
};

QTEST_APPLESS_MAIN(TestSpaceStatistics)
#include "tst_space_statistics.moc"
