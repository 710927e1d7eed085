// SPDX-License-Identifier: Apache-2.0
#include "core/base/random.h"
#include "core/gpu/recorded_space.h"

#include <QtTest>

#include <cmath>
#include <map>

using namespace foresight;

namespace {

// Configurations x = 0..n-1, all successful: 1 s to compile, .25 s to verify, .5 s to measure.
std::shared_ptr<RecordedSpace> makeSpace(int n)
{
    auto space = std::make_shared<RecordedSpace>();
    TuningParameter parameter{"x", {}, {}};
    std::vector<std::uint16_t> codes;
    for (int i = 0; i < n; ++i) {
        parameter.values.push_back(std::int64_t{i});
        codes.push_back(static_cast<std::uint16_t>(i));
        RecordedRow row;
        row.outcome = Outcome::Ok;
        row.timeNs = 1000 + 100 * i;
        row.samplesNs = {row.timeNs - 10, row.timeNs, row.timeNs + 10};
        row.costs = {1, .25, .5};
        space->rows.push_back(row);
    }
    space->space = ConfigSpace({parameter}, codes);
    space->gpuName = "NVIDIA Test";
    space->date = "2026-11-29";
    return space;
}

struct Delivery
{
    std::int64_t job;
    double at;
    GpuReply reply;
};

class Session
{
public:
    explicit Session(std::shared_ptr<const RecordedSpace> space, RecordedMode mode = RecordedMode::Mean,
                     std::uint64_t seed = 0, int compileSlots = 1)
        : gpu(makeRecordedGpu(std::move(space), mode, seed, compileSlots))
    {
        gpu->setSink([this](JobId id, GpuReply reply) {
            deliveries.push_back({id.value, gpu->nowSeconds(), std::move(reply)});
        });
    }

    JobId ask(std::uint32_t index, Stage until = Stage::Measure)
    {
        GpuRequest request;
        request.spaceIndex = index;
        request.until = until;
        return gpu->submit(std::move(request));
    }

    void drain()
    {
        while (gpu->advance()) {
        }
    }

    const GpuReply& last() const { return deliveries.back().reply; }

    std::unique_ptr<Gpu> gpu;
    std::vector<Delivery> deliveries;
};

} // namespace

class TestRecordedGpu : public QObject
{
    Q_OBJECT
private slots:
    void saysWhatItIs()
    {
        Session s(makeSpace(2), RecordedMode::Mean, 0, 3);
        QVERIFY(s.gpu->info().recorded);
        QCOMPARE(s.gpu->info().maxCompiles, 3);
        QCOMPARE(s.gpu->info().description, std::string("NVIDIA Test (recorded 2026-11-29)"));
        QCOMPARE(s.gpu->nowSeconds(), 0.);
        QVERIFY(!s.gpu->advance());
    }

    void oneAfterAnother()
    {
        Session s(makeSpace(3));
        s.ask(0);
        s.ask(1);
        QVERIFY(s.deliveries.empty()); // never from inside submit
        s.drain();
        QCOMPARE(s.deliveries.size(), std::size_t{2});
        // Compile 0..1, measure 1..1.75; compile 1..2, measure 2..2.75.
        QCOMPARE(s.deliveries[0].at, 1.75);
        QCOMPARE(s.deliveries[1].at, 2.75);
        QCOMPARE(s.last().outcome, Outcome::Ok);
        QCOMPARE(s.last().stage, Stage::Measure);
        QCOMPARE(s.last().timeNs(), 1100.);
        QCOMPARE(s.last().costs.compileSeconds, 1.);
        QCOMPARE(s.last().costs.gpuSeconds(), .75);
        QVERIFY(s.last().verification && s.last().verification->passed);
    }

    void severalCompileSlotsOneMeasuringSlot()
    {
        Session s(makeSpace(4), RecordedMode::Mean, 0, 4);
        for (std::uint32_t i = 0; i < 4; ++i)
            s.ask(i);
        s.drain();
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(s.deliveries[i].job, static_cast<std::int64_t>(i));
            QCOMPARE(s.deliveries[i].at, 1.75 + .75 * static_cast<double>(i));
        }
    }

    void quickCompilesOvertake()
    {
        auto space = makeSpace(2);
        space->rows[0].costs.compileSeconds = 10;
        Session s(space, RecordedMode::Mean, 0, 2);
        s.ask(0);
        s.ask(1);
        s.drain();
        QCOMPARE(s.deliveries[0].job, 1);
        QCOMPARE(s.deliveries[0].at, 1.75);
        QCOMPARE(s.deliveries[1].job, 0);
        QCOMPARE(s.deliveries[1].at, 10.75);
    }

    void revisitsAreFree()
    {
        Session s(makeSpace(2));
        s.ask(0);
        s.drain();
        const double now = s.gpu->nowSeconds();
        s.ask(0);
        s.drain();
        QCOMPARE(s.deliveries.size(), std::size_t{2});
        QCOMPARE(s.gpu->nowSeconds(), now);
        QCOMPARE(s.last().costs.total(), 0.);
        QCOMPARE(s.last().timeNs(), 1000.);
        // Two at once: the second waits for the first and costs nothing.
        s.ask(1);
        s.ask(1);
        s.drain();
        QCOMPARE(s.deliveries.size(), std::size_t{4});
        QCOMPARE(s.last().costs.total(), 0.);
        QCOMPARE(s.gpu->nowSeconds(), now + 1.75);
    }

    void stagesArePaidOnce()
    {
        Session s(makeSpace(1));
        s.ask(0, Stage::Compile);
        s.drain();
        QCOMPARE(s.last().stage, Stage::Compile);
        QVERIFY(!s.last().timing && !s.last().verification);
        QCOMPARE(s.gpu->nowSeconds(), 1.);
        s.ask(0, Stage::Verify);
        s.drain();
        QCOMPARE(s.last().stage, Stage::Verify);
        QCOMPARE(s.gpu->nowSeconds(), 1.25);
        s.ask(0);
        s.drain();
        QVERIFY(s.last().timing.has_value());
        QCOMPARE(s.last().costs.compileSeconds, 0.);
        QCOMPARE(s.last().costs.gpuSeconds(), .5);
        QCOMPARE(s.gpu->nowSeconds(), 1.75);
    }

    void failuresEndWhereTheyHappened()
    {
        auto space = makeSpace(3);
        space->rows[0].outcome = Outcome::BuildFailed;
        space->rows[0].message = "no such register";
        space->rows[1].outcome = Outcome::OutOfBounds;
        space->rows[2].outcome = Outcome::Suspect;
        Session s(space);
        s.ask(0);
        s.drain();
        QCOMPARE(s.last().outcome, Outcome::BuildFailed);
        QCOMPARE(s.last().stage, Stage::Compile);
        QCOMPARE(s.last().message, std::string("no such register"));
        QCOMPARE(s.last().costs.gpuSeconds(), 0.);
        s.ask(1, Stage::Compile); // it compiles all right
        s.drain();
        QCOMPARE(s.last().outcome, Outcome::Ok);
        s.ask(1);
        s.drain();
        QCOMPARE(s.last().outcome, Outcome::OutOfBounds);
        QCOMPARE(s.last().stage, Stage::Verify);
        QVERIFY(s.last().verification && !s.last().verification->passed);
        QVERIFY(!s.last().timing);
        s.ask(2);
        s.drain();
        QCOMPARE(s.last().outcome, Outcome::Suspect);
        QVERIFY(!s.last().timing);
    }

    void unknownIsNoError()
    {
        Session s(makeSpace(2));
        s.ask(77);
        GpuRequest request;
        request.configuration = {{"x", std::int64_t{9}}};
        s.gpu->submit(request);
        s.drain();
        QCOMPARE(s.deliveries.size(), std::size_t{2});
        QCOMPARE(s.deliveries[0].reply.outcome, Outcome::Unknown);
        QCOMPARE(s.deliveries[1].reply.outcome, Outcome::Unknown);
        QCOMPARE(s.gpu->nowSeconds(), 0.);
    }

    void resolvesByConfigurationAndContent()
    {
        auto space = makeSpace(3);
        GpuRequest request;
        request.plan.source = "extern \"C\" __global__ void k() {}";
        space->rows[2].contentHash = request.plan.contentHash();
        space->rows[1].contentHash = "another";
        Session s(space);
        s.gpu->submit(request);
        s.drain();
        QCOMPARE(s.last().timeNs(), 1200.);
        // The configuration wins over an index of another enumeration.
        request.spaceIndex = 0;
        request.configuration = {{"x", std::int64_t{1}}};
        s.gpu->submit(request);
        s.drain();
        QCOMPARE(s.last().timeNs(), 1100.);
        QVERIFY(s.last().message.find("another version") != std::string::npos);
    }

    void cacheHitsCostTheMedian()
    {
        auto space = makeSpace(5);
        space->rows[0].costs.compileSeconds = 1e-4;
        space->rows[1].costs.compileSeconds = 0;
        space->rows[2].costs.measureSeconds = 0; // then the samples' own time
        Session s(space);
        s.ask(0, Stage::Compile);
        s.ask(1, Stage::Compile);
        s.ask(2);
        s.drain();
        QCOMPARE(s.deliveries[0].reply.costs.compileSeconds, 1.);
        QCOMPARE(s.deliveries[1].reply.costs.compileSeconds, 1.);
        QVERIFY(std::fabs(s.deliveries[2].reply.costs.measureSeconds - 3600e-9) < 1e-15);
    }

    void cancelledJobsAnswerOnceAndFreeTheirSlot()
    {
        Session s(makeSpace(3));
        const JobId a = s.ask(0);
        const JobId follower = s.ask(0);
        s.ask(1);
        s.gpu->cancel(a);
        s.gpu->cancel(a);
        s.gpu->cancel(JobId{99});
        s.drain();
        QCOMPARE(s.deliveries.size(), std::size_t{3});
        QCOMPARE(s.deliveries[0].job, a.value);
        QCOMPARE(s.deliveries[0].reply.outcome, Outcome::Cancelled);
        // The one that waited for it now does the work.
        for (const Delivery& d : s.deliveries)
            if (d.job == follower.value) {
                QCOMPARE(d.reply.outcome, Outcome::Ok);
                QCOMPARE(d.reply.costs.compileSeconds, 1.);
            }
        QCOMPARE(s.gpu->nowSeconds(), 2.75);
    }

    void timingComesFromTheRecording()
    {
        auto space = makeSpace(2);
        space->defaultIndex = 1;
        RecordedRow& row = space->rows[0];
        row.lnRatio = .2;
        row.lnLow = .15;
        row.lnHigh = .26;
        row.look = 24;
        Session s(space);
        s.ask(0);
        s.drain();
        const Timing t = *s.last().timing;
        // The ratio agrees with the best estimates of both; the interval keeps its recorded width.
        QVERIFY(std::fabs(t.lnRatio - std::log(1.1)) < 1e-12);
        QVERIFY(std::fabs(t.lnHigh - t.lnLow - .11) < 1e-12);
        QCOMPARE(t.look, 24);
        QCOMPARE(t.anchorNs, 1100.);
        s.ask(1);
        s.drain();
        QCOMPARE(s.last().timing->look, 0); // recorded without quads: no interval is claimed
        QCOMPARE(s.last().timing->lnRatio, 0.);
        Session foreign(makeSpace(2));
        foreign.ask(0);
        foreign.drain();
        QCOMPARE(foreign.last().timing->anchorNs, 0.);
        QCOMPARE(foreign.last().timing->lnRatio, 0.);
    }

    void noisyDrawsAStoredSetAndIsRepeatable()
    {
        auto space = makeSpace(1);
        space->rows[0].sampleSets = {{2000, 2000, 2000}, {3000, 3000, 3000}};
        std::map<double, int> seen;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            double times[2];
            for (double& time : times) {
                Session s(space, RecordedMode::Noisy, seed);
                s.ask(0);
                s.drain();
                time = s.last().timeNs();
            }
            QCOMPARE(times[0], times[1]);
            ++seen[times[0] < 1500 ? 1000 : times[0]];
        }
        QCOMPARE(seen.size(), std::size_t{3});
        for (const auto& [time, count] : seen)
            QVERIFY(count > 60 && count < 140);
        Session mean(space);
        mean.ask(0);
        mean.drain();
        QCOMPARE(mean.last().timeNs(), 1000.);
    }

    void impossibleSamplesFallBackToTheEstimate()
    {
        for (const double sample : {0., -1e300}) {
            auto space = makeSpace(1);
            space->rows[0].samplesNs = {sample, sample, sample};
            Session s(space, RecordedMode::Noisy);
            s.ask(0);
            s.drain();
            QCOMPARE(s.last().timeNs(), 1000.);
        }
        auto space = makeSpace(1);
        space->rows[0].lnRatio = 1e300;
        space->rows[0].lnLow = 0;
        space->rows[0].lnHigh = 1e300;
        space->defaultIndex = 0;
        Session s(space, RecordedMode::Noisy);
        s.ask(0);
        s.drain();
        QCOMPARE(s.last().timeNs(), 1000.);
        QCOMPARE(s.last().timing->lnRatio, 0.);
    }

    void replyOrderIsDeterministicAndInTimeOrder()
    {
        auto space = makeSpace(50);
        Random random(4);
        for (RecordedRow& row : space->rows) {
            row.costs = {random.uniform() * 3 + .1, random.uniform(), random.uniform()};
            if (random.coin(.3))
                row.outcome = random.coin(.5) ? Outcome::BuildFailed : Outcome::WrongResult;
        }
        std::vector<std::int64_t> first;
        for (int repeat = 0; repeat < 2; ++repeat) {
            Session s(space, RecordedMode::Mean, 0, 3);
            Random choice(8);
            std::vector<JobId> ids;
            std::size_t asked = 0;
            while (asked < 400 || s.gpu->advance()) {
                if (asked < 400) {
                    ids.push_back(s.ask(static_cast<std::uint32_t>(choice.below(60)),
                                        static_cast<Stage>(choice.below(3))));
                    ++asked;
                    if (choice.coin(.2))
                        s.gpu->cancel(ids[choice.below(ids.size())]);
                    if (choice.coin(.6))
                        s.gpu->advance();
                }
            }
            QCOMPARE(s.deliveries.size(), std::size_t{400}); // exactly one reply a job
            std::map<std::int64_t, int> replies;
            std::vector<std::int64_t> order;
            double last = 0;
            for (const Delivery& d : s.deliveries) {
                ++replies[d.job];
                order.push_back(d.job);
                QVERIFY(d.at >= last);
                last = d.at;
            }
            QCOMPARE(replies.size(), std::size_t{400});
            if (repeat == 0)
                first = order;
            QCOMPARE(order, first);
        }
    }

    void submittingFromTheSinkIsSafe()
    {
        auto gpu = makeRecordedGpu(makeSpace(20));
        std::uint32_t next = 1;
        int replies = 0;
        gpu->setSink([&](JobId, const GpuReply&) {
            ++replies;
            if (next < 20) {
                GpuRequest request;
                request.spaceIndex = next++;
                gpu->submit(request);
            }
        });
        GpuRequest request;
        request.spaceIndex = 0;
        gpu->submit(request);
        while (gpu->advance()) {
        }
        QCOMPARE(replies, 20);
        QCOMPARE(gpu->nowSeconds(), 20 * 1.75);
    }
};

QTEST_APPLESS_MAIN(TestRecordedGpu)
#include "tst_recorded_gpu.moc"
