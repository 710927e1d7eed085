// SPDX-License-Identifier: Apache-2.0
// The doctor on the scripted worker: what is there, what is missing, and that no check hides another.
#include "core/gpu/gpu_doctor.h"
#include "core/gpu/gpu_lock.h"
#include "tests/local_gpu_fixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <optional>

using namespace foresight;
using State = GpuCheck::State;

class TestGpuDoctor : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void reportsEverything();
    void noDeviceIsNotTheEnd();
    void noWorkerIsAbsent();
    void busyGpuIsSaid();
    void namesOfStates();

private:
    GpuDoctorOptions options() const
    {
        GpuDoctorOptions made;
        made.workerPath = fixture::scriptedWorker();
        made.lockFolder = made.cacheFolder = m_folder->path().toStdString();
        return made;
    }
    static std::optional<GpuCheck> find(const std::vector<GpuCheck>& checks, const std::string& id)
    {
        const auto found =
            std::find_if(checks.begin(), checks.end(), [&](const GpuCheck& check) { return check.id == id; });
        return found == checks.end() ? std::nullopt : std::optional<GpuCheck>(*found);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestGpuDoctor::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler");
}

void TestGpuDoctor::reportsEverything()
{
    const auto checks = gpuDoctor(options());
    for (const char* id :
         {"driver", "nvml", "nvrtc", "worker", "gpu", "compile", "gpu_lock", "flush", "clocks"})
        QVERIFY2(find(checks, id), id);
    QVERIFY(find(checks, "nvrtc")->state == State::Ok);
    QVERIFY(find(checks, "gpu")->detail.find("Scripted GPU, sm_90, 132 SMs, 80 GiB") != std::string::npos);
    QVERIFY(find(checks, "compile")->state == State::Ok);
    QVERIFY(find(checks, "flush")->state == State::Ok);
    QVERIFY(find(checks, "clocks")->state == State::Warn);
    QCOMPARE(find(checks, "clocks")->fix, std::string("cool it"));
    for (const GpuCheck& check : checks) {
        QVERIFY(!check.detail.empty());
        if (check.state != State::Ok)
            QVERIFY2(!check.fix.empty(), check.id.c_str());
    }
    GpuDoctorOptions quick = options();
    quick.measure = false;
    QVERIFY(!find(gpuDoctor(quick), "flush"));
}

void TestGpuDoctor::noDeviceIsNotTheEnd()
{
    qputenv("FORESIGHT_SCRIPT_MODE", "fake_compiler,no_device");
    const auto checks = gpuDoctor(options());
    QVERIFY(find(checks, "worker")->state == State::Ok);
    QVERIFY(find(checks, "gpu")->state != State::Ok);
    QVERIFY(find(checks, "compile")->state == State::Ok); // compiling needs no GPU
}

void TestGpuDoctor::noWorkerIsAbsent()
{
    GpuDoctorOptions lost = options();
    lost.workerPath = "/nonexistent/foresight-worker";
    const auto checks = gpuDoctor(lost);
    QVERIFY(find(checks, "worker")->state == State::Absent);
    QVERIFY(!find(checks, "worker")->fix.empty());
    QVERIFY(find(checks, "driver").has_value());
}

void TestGpuDoctor::busyGpuIsSaid()
{
    const auto lock = GpuLock::acquire("GPU-scripted", "search", m_folder->path().toStdString());
    QVERIFY(lock.ok());
    const auto checks = gpuDoctor(options());
    QVERIFY(find(checks, "gpu_lock")->state == State::Warn);
    QVERIFY(find(checks, "gpu_lock")->detail.find("search") != std::string::npos);
    QVERIFY(!find(checks, "flush"));
}

void TestGpuDoctor::namesOfStates()
{
    QVERIFY(gpuCheckStateName(State::Ok) == "ok");
    QVERIFY(gpuCheckStateName(State::Warn) == "warn");
    QVERIFY(gpuCheckStateName(State::Fail) == "fail");
    QVERIFY(gpuCheckStateName(State::Absent) == "absent");
}

QTEST_APPLESS_MAIN(TestGpuDoctor)
#include "tst_gpu_doctor.moc"
