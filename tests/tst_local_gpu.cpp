// SPDX-License-Identifier: Apache-2.0
// Everything that can go wrong between a search and a GPU, played by the scripted worker.
#include "core/gpu/gpu_lock.h"
#include "core/gpu/worker_client.h"
#include "tests/local_gpu_fixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <thread>

using namespace foresight;
using namespace fixture;
using namespace std::chrono_literals;

class TestLocalGpu : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void names();
    void compilesVerifiesAndMeasures();
    void untilStopsEarlier();
    void badSourceAndBadPlans();
    void manyInOrderOnePerReply();
    void hangBecomesTimeoutAndTheNextWorks();
    void crashesAreTheCulprits_data();
    void crashesAreTheCulprits();
    void innocentsAreRetriedAlone();
    void failuresInARowAskTheCanary();
    void unwellGpuIsSaidAndNothingMoreTried();
    void outputIsCapped();
    void cancelAnswersAtOnce();
    void destructionAnswersEverything();
    void lockNamesItsHolder();
    void missingDeviceIsSaid();
    void problemThatDoesNotFit();
    void loanStopsMeasuring();
    void confirmsInFreshProcesses();
    void confirmReportsFailures();
    void workerGetsNoSecrets();

private:
    std::unique_ptr<LocalGpu> make(Replies& replies, LocalGpuOptions options)
    {
        auto gpu = LocalGpu::make(std::move(options));
        if (!gpu) {
            qWarning("%s", gpu.error().toString().c_str());
            return nullptr;
        }
        (*gpu)->setSink(replies.sink());
        return std::move(*gpu);
    }
    long events(const std::string& what)
    {
        const auto all = lines(m_events);
        return std::count(all.begin(), all.end(), what);
    }
    LocalGpuOptions options() { return optionsFor(m_folder->path().toStdString()); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_events;
};

void TestLocalGpu::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QVERIFY2(fileExists(scriptedWorker()), "build the target scripted_worker");
    m_events = m_folder->path().toStdString() + "/events";
    qputenv("FORESIGHT_SCRIPT_EVENTS", QByteArray::fromStdString(m_events));
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler");
}

void TestLocalGpu::names()
{
    for (int i = 0; i <= static_cast<int>(Outcome::Internal); ++i) {
        const auto outcome = static_cast<Outcome>(i);
        QVERIFY(outcomeFromName(outcomeName(outcome)) == outcome);
    }
    QVERIFY(outcomeName(Outcome::BuildFailed) == "build_failed");
    QVERIFY(outcomeName(Outcome::GpuUnwell) == "gpu_unwell");
    QVERIFY(outcomeFromName("no such outcome") == Outcome::Internal);
    QVERIFY(stageName(Stage::Verify) == "verify");
}

void TestLocalGpu::compilesVerifiesAndMeasures()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    QCOMPARE(gpu->info().spec.name, std::string("Scripted GPU"));
    QVERIFY(!gpu->info().recorded);
    QVERIFY(gpu->info().description.find("580.0") != std::string::npos);
    const GpuReply reply = replies.wait(gpu->submit(requestOf("good")));
    QVERIFY2(reply.outcome == Outcome::Ok, reply.message.c_str());
    QVERIFY(reply.stage == Stage::Measure);
    QVERIFY(reply.timing && reply.timing->candidateNs > 0 && reply.timing->look == 12);
    QVERIFY(reply.verification && reply.verification->passed);
    QCOMPARE(reply.cubinHash.size(), std::size_t{64});
    QCOMPARE(reply.resources.size(), std::size_t{1});
    QCOMPARE(reply.resources[0].kernel, std::string("good"));
    QCOMPARE(reply.resources[0].threadsPerBlock, 256);
    QVERIFY(reply.resources[0].occupancy > 0);
    QCOMPARE(reply.costs.compileSeconds, .25);
    QCOMPARE(reply.costs.gpuSeconds(), .375);
    QVERIFY(gpu->nowSeconds() > 0);
    QVERIFY(!gpu->advance());
}

void TestLocalGpu::untilStopsEarlier()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    const GpuReply compiled = replies.wait(gpu->submit(requestOf("good", Stage::Compile)));
    QVERIFY(compiled.outcome == Outcome::Ok && compiled.stage == Stage::Compile);
    QVERIFY(!compiled.verification && !compiled.timing);
    QCOMPARE(events("evaluate good"), 0L);
    const GpuReply verified = replies.wait(gpu->submit(requestOf("good", Stage::Verify)));
    QVERIFY(verified.outcome == Outcome::Ok && verified.stage == Stage::Verify);
    QVERIFY(verified.verification && !verified.timing);
}

void TestLocalGpu::badSourceAndBadPlans()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    GpuRequest broken = requestOf("k");
    broken.plan.source = "#error no";
    const JobId a = gpu->submit(broken);
    GpuRequest nameless = requestOf("k");
    nameless.plan.source = "extern \"C\" __global__ void other() {}";
    const JobId b = gpu->submit(nameless);
    GpuRequest wide = requestOf("k");
    wide.plan = planOf("k", 2048);
    const JobId c = gpu->submit(wide);
    GpuRequest foreign = requestOf("k");
    foreign.problem.key = "another";
    const JobId d = gpu->submit(foreign);
    GpuReply reply = replies.wait(a);
    QVERIFY(reply.outcome == Outcome::BuildFailed);
    QVERIFY2(reply.message.find("#error directive") != std::string::npos, reply.message.c_str());
    QVERIFY(reply.compileLog.find("kernel.cu(1)") != std::string::npos);
    reply = replies.wait(b);
    QVERIFY(reply.outcome == Outcome::BuildFailed);
    QVERIFY2(reply.message.find("only: other") != std::string::npos, reply.message.c_str());
    QVERIFY(replies.wait(c).outcome == Outcome::LaunchRejected);
    QVERIFY(replies.wait(d).outcome == Outcome::Internal);
    QCOMPARE(events("evaluate k"), 0L); // none of them came near the GPU
}

void TestLocalGpu::manyInOrderOnePerReply()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    std::vector<JobId> jobs;
    for (int i = 0; i < 12; ++i)
        jobs.push_back(gpu->submit(requestOf("good_" + std::to_string(i))));
    for (const JobId job : jobs)
        QVERIFY(replies.wait(job).outcome == Outcome::Ok);
    QVERIFY(replies.order() == jobs); // measured in the order submitted though compiled two at a time
    for (const JobId job : jobs)
        QCOMPARE(replies.count(job), 1);
    QCOMPARE(events("start"), 1L); // one worker did it all
}

void TestLocalGpu::hangBecomesTimeoutAndTheNextWorks()
{
    LocalGpuOptions quick = options();
    quick.requestTimeout = 700ms;
    Replies replies;
    const auto gpu = make(replies, quick);
    QVERIFY(gpu);
    const JobId hung = gpu->submit(requestOf("hang"));
    const JobId after = gpu->submit(requestOf("good"));
    QVERIFY(replies.wait(hung).outcome == Outcome::Timeout);
    QVERIFY(replies.wait(after).outcome == Outcome::Ok);
    QCOMPARE(events("start"), 2L);
    QCOMPARE(events("evaluate hang"), 1L);
}

void TestLocalGpu::crashesAreTheCulprits_data()
{
    QTest::addColumn<QByteArray>("kernel");
    for (const char* kernel : {"die", "torn", "garbage", "sticky"})
        QTest::newRow(kernel) << QByteArray(kernel);
}

void TestLocalGpu::crashesAreTheCulprits()
{
    QFETCH(QByteArray, kernel);
    const std::string name = kernel.toStdString();
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    const JobId before = gpu->submit(requestOf("good_a"));
    const JobId culprit = gpu->submit(requestOf(name));
    const JobId queued = gpu->submit(requestOf("good_b"));
    QVERIFY(replies.wait(before).outcome == Outcome::Ok);
    const GpuReply reply = replies.wait(culprit);
    QVERIFY2(reply.outcome == Outcome::Crashed, std::string(outcomeName(reply.outcome)).c_str());
    QVERIFY(!reply.message.empty());
    QVERIFY(replies.wait(queued).outcome == Outcome::Ok);
    // It was given a second chance alone, since the worker had served another candidate before.
    QCOMPARE(events("evaluate " + name), 2L);
    QCOMPARE(events("evaluate good_b"), 1L);
}

void TestLocalGpu::innocentsAreRetriedAlone()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    const JobId poison = gpu->submit(requestOf("poison"));
    const JobId innocent = gpu->submit(requestOf("good"));
    QVERIFY(replies.wait(poison).outcome == Outcome::Ok); // it looked fine itself
    const GpuReply reply = replies.wait(innocent);
    QVERIFY2(reply.outcome == Outcome::Ok, reply.message.c_str());
    QCOMPARE(events("evaluate good"), 2L);
    QCOMPARE(events("start"), 2L);
}

void TestLocalGpu::failuresInARowAskTheCanary()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    for (int i = 0; i < 11; ++i)
        QVERIFY(replies.wait(gpu->submit(requestOf("wrong_" + std::to_string(i)))).outcome ==
                Outcome::WrongResult);
    QCOMPARE(events("canary"), 2L); // after the 5th and the 10th; the GPU is fine
    QVERIFY(replies.wait(gpu->submit(requestOf("good"))).outcome == Outcome::Ok);
}

void TestLocalGpu::unwellGpuIsSaidAndNothingMoreTried()
{
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler,canary_fails");
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    for (int i = 0; i < 4; ++i)
        QVERIFY(replies.wait(gpu->submit(requestOf("wrong_" + std::to_string(i)))).outcome ==
                Outcome::WrongResult);
    const GpuReply fifth = replies.wait(gpu->submit(requestOf("memory")));
    QVERIFY(fifth.outcome == Outcome::GpuUnwell);
    QVERIFY2(fifth.message.find("5 candidates failed in a row") != std::string::npos, fifth.message.c_str());
    QVERIFY(fifth.message.find("the anchor's result is wrong") != std::string::npos);
    QVERIFY(!fifth.hint.empty());
    QVERIFY(replies.wait(gpu->submit(requestOf("good"))).outcome == Outcome::GpuUnwell);
    QCOMPARE(events("evaluate good"), 0L);
}

void TestLocalGpu::outputIsCapped()
{
    WorkerOptions worker;
    worker.path = scriptedWorker();
    auto client = WorkerClient::start(worker);
    QVERIFY(client.ok());
    protocol::EvaluateRequest request;
    BoundLaunch launch;
    launch.kernel = "chatty";
    request.candidate.plan.launches.push_back(launch);
    const auto frame = protocol::encodeEvaluate((*client)->nextId(), request, {});
    QVERIFY(frame.ok());
    const auto reply = (*client)->call(*frame, 60s);
    QVERIFY2(reply.ok(), reply.ok() ? "" : reply.error().message.c_str());
    QVERIFY(reply->ok);
    QVERIFY((*client)->outputTail().size() <= 16u << 10);
    QVERIFY((*client)->outputDropped() >=
            (10u << 20) - (200u << 10)); // what still sat in the pipe is not counted
    (*client)->quit();
    QVERIFY(!(*client)->alive());
    QVERIFY(!(*client)->call(*frame, 1s).ok());
}

void TestLocalGpu::cancelAnswersAtOnce()
{
    LocalGpuOptions patient = options();
    patient.requestTimeout = 60s;
    patient.compileTimeout = 60s;
    Replies replies;
    const auto gpu = make(replies, patient);
    QVERIFY(gpu);
    // One running on the GPU, one waiting for it, one compiling for ever.
    const JobId running = gpu->submit(requestOf("hang"));
    const JobId waiting = gpu->submit(requestOf("good"));
    GpuRequest endless = requestOf("endless");
    const JobId compiling = gpu->submit(endless);
    QTRY_COMPARE(events("evaluate hang"), 1L);
    for (const JobId job : {compiling, waiting, running}) {
        gpu->cancel(job);
        const auto start = std::chrono::steady_clock::now();
        QVERIFY(replies.wait(job).outcome == Outcome::Cancelled);
        // The promise is 200 ms; the bound here leaves room for a loaded machine, the hang itself lasts 60 s.
        QVERIFY(std::chrono::steady_clock::now() - start < 5s);
    }
    gpu->cancel(running);
    gpu->cancel(JobId(12345));
    QVERIFY(replies.wait(gpu->submit(requestOf("good_2"))).outcome == Outcome::Ok);
    QCOMPARE(replies.count(running), 1);
    QCOMPARE(replies.count(compiling), 1);
}

void TestLocalGpu::destructionAnswersEverything()
{
    Replies replies;
    LocalGpuOptions patient = options();
    patient.requestTimeout = 60s;
    auto gpu = make(replies, patient);
    QVERIFY(gpu);
    std::vector<JobId> jobs{gpu->submit(requestOf("hang"))};
    for (int i = 0; i < 6; ++i)
        jobs.push_back(gpu->submit(requestOf("good_" + std::to_string(i))));
    jobs.push_back(gpu->submit(requestOf("endless")));
    QTRY_COMPARE(events("evaluate hang"), 1L);
    gpu.reset();
    for (const JobId job : jobs) {
        QVERIFY(replies.has(job));
        QVERIFY(replies.wait(job).outcome == Outcome::Cancelled);
        QCOMPARE(replies.count(job), 1);
    }
}

void TestLocalGpu::lockNamesItsHolder()
{
    Replies replies;
    auto gpu = make(replies, options());
    QVERIFY(gpu);
    const auto second = LocalGpu::make(options());
    QVERIFY(!second.ok());
    QCOMPARE(second.error().code, ErrorCode::Busy);
    QVERIFY2(second.error().message.find("tst_local_gpu (process ") != std::string::npos,
             second.error().message.c_str());
    QVERIFY(second.error().message.find("search") != std::string::npos);
    gpu.reset();
    QVERIFY(LocalGpu::make(options()).ok());

    // A held lock moves with its object and never blocks another GPU.
    const std::string folder = m_folder->path().toStdString();
    auto lock = GpuLock::acquire("GPU-1/..", "one", folder);
    QVERIFY(lock.ok() && lock->held());
    GpuLock moved = std::move(*lock);
    QVERIFY(!GpuLock::acquire("GPU-1/..", "two", folder).ok());
    QVERIFY(GpuLock::acquire("GPU-2", "two", folder).ok());
    moved.setPurpose("something else");
    QVERIFY(GpuLock::acquire("GPU-1/..", "two", folder).error().message.find("something else") !=
            std::string::npos);
    moved = GpuLock();
    QVERIFY(GpuLock::acquire("GPU-1/..", "two", folder).ok());
}

void TestLocalGpu::missingDeviceIsSaid()
{
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler,no_device");
    const auto gpu = LocalGpu::make(options());
    QVERIFY(!gpu.ok());
    QCOMPARE(gpu.error().code, ErrorCode::NotFound);
    QVERIFY(gpu.error().message.find("no CUDA driver") != std::string::npos);
    QVERIFY(!probeLocalGpu(0, scriptedWorker()).ok());
    QCOMPARE(probeLocalGpu(0, "/nonexistent/worker").error().code, ErrorCode::NotFound);
}

void TestLocalGpu::problemThatDoesNotFit()
{
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler,problem_oom");
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    QVERIFY(replies.wait(gpu->submit(requestOf("good"))).outcome == Outcome::OutOfMemory);
}

void TestLocalGpu::loanStopsMeasuring()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    QVERIFY(replies.wait(gpu->submit(requestOf("good_a"))).outcome == Outcome::Ok);
    auto loan = gpu->lend("PyTorch");
    QVERIFY(loan.ok());
    QVERIFY(!gpu->lend("another").ok());
    const auto other = LocalGpu::make(options());
    QVERIFY(!other.ok());
    QVERIFY(other.error().message.find("PyTorch") != std::string::npos);
    const JobId compiled = gpu->submit(requestOf("good_b", Stage::Compile));
    const JobId waits = gpu->submit(requestOf("good_c"));
    QVERIFY(replies.wait(compiled).outcome == Outcome::Ok); // compiling goes on
    QVERIFY(!replies.has(waits));
    QCOMPARE(events("evaluate good_c"), 0L);
    loan->reset();
    QVERIFY(replies.wait(waits).outcome == Outcome::Ok);
}

void TestLocalGpu::confirmsInFreshProcesses()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    const long before = events("start");
    ConfirmOptions confirm;
    confirm.spacing = 50ms;
    const auto result =
        gpu->confirm({requestOf("good_a"), requestOf("good_b"), requestOf("good_c")}, confirm);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
    QCOMPARE(result->size(), std::size_t{3});
    QCOMPARE(events("start") - before, 6L); // two processes for each
    for (const Confirmation& each : *result) {
        QVERIFY(each.outcome == Outcome::Ok);
        QCOMPARE(each.runs.size(), std::size_t{2});
        const Timing& one = *each.runs[0].timing;
        const Timing& two = *each.runs[1].timing;
        QCOMPARE(one.look, 48);
        QVERIFY(one.lnRatio != two.lnRatio); // other seeds
        QCOMPARE(each.lnRatio, (one.lnRatio + two.lnRatio) / 2);
        QCOMPARE(each.lnLow, std::min(one.lnLow, two.lnLow));
        QCOMPARE(each.lnHigh, std::max(one.lnHigh, two.lnHigh));
    }
    QVERIFY(replies.wait(gpu->submit(requestOf("good_d"))).outcome == Outcome::Ok); // the search goes on

    std::stop_source stop;
    stop.request_stop();
    const auto stopped = gpu->confirm({requestOf("good_a")}, confirm, stop.get_token());
    QVERIFY(!stopped.ok() && stopped.error().isCancelled());
}

void TestLocalGpu::confirmReportsFailures()
{
    Replies replies;
    const auto gpu = make(replies, options());
    QVERIFY(gpu);
    ConfirmOptions confirm;
    confirm.spacing = 0ms;
    GpuRequest broken = requestOf("k");
    broken.plan.source = "#error no";
    const auto result = gpu->confirm({requestOf("wrong"), broken, requestOf("good")}, confirm);
    QVERIFY(result.ok());
    QVERIFY((*result)[0].outcome == Outcome::WrongResult);
    QCOMPARE((*result)[0].runs.size(), std::size_t{1});
    QVERIFY((*result)[1].outcome == Outcome::BuildFailed);
    QVERIFY((*result)[2].outcome == Outcome::Ok);
}

void TestLocalGpu::workerGetsNoSecrets()
{
    qputenv("SOME_API_KEY", "s3cret");
    qputenv("FORESIGHT_API_KEY", "s3cret");
    qputenv("CUDA_VISIBLE_DEVICES", "0");
    const auto environment = workerEnvironment();
    qunsetenv("SOME_API_KEY");
    qunsetenv("FORESIGHT_API_KEY");
    qunsetenv("CUDA_VISIBLE_DEVICES");
    for (const auto& [name, value] : environment)
        QVERIFY2(value.find("s3cret") == std::string::npos, name.c_str());
    QVERIFY(environment.contains("PATH"));
    QCOMPARE(environment.at("CUDA_VISIBLE_DEVICES"), std::string("0"));
}

QTEST_APPLESS_MAIN(TestLocalGpu)
#include "tst_local_gpu.moc"
