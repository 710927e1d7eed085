// SPDX-License-Identifier: Apache-2.0
// The real probe library in a real process, over the real socket, with a stand-in for CUPTI: each way a
// recording can go wrong is reachable without a GPU.
#include "core/base/subprocess.h"
#include "core/profile/recorder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace foresight;

namespace {

Result<Profile> record(const std::string& scenario,
                       const std::map<std::string, std::string>& environment = {}, int count = 3)
{
    RecordOptions options;
    options.command = {std::string(FORESIGHT_BIN_DIR) + "/probe_target", scenario, std::to_string(count)};
    options.environment = environment;
    options.environment.emplace("FORESIGHT_CUPTI_LIBRARY",
                                std::string(FORESIGHT_LIB_DIR) + "/libfake_cupti.so");
    options.probeLibrary = std::string(FORESIGHT_LIB_DIR) + "/libforesight-probe.so";
    options.dataFolder = FORESIGHT_SOURCE_DIR;
    options.serve = [](const OperatorDescription&) { return std::nullopt; };
    return recordProfile(options);
}

bool hasNote(const Profile& profile, const std::string& part)
{
    return std::any_of(profile.notes.begin(), profile.notes.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

const ProfiledOperator* find(const Profile& profile, const std::string& name)
{
    for (const auto& op : profile.operators) {
        if (op.description.name == name)
            return &op;
    }
    return nullptr;
}

} // namespace

class TestProbe : public QObject
{
    Q_OBJECT
private slots:
    void init()
    {
        QVERIFY(m_runtime.isValid());
        qputenv("XDG_RUNTIME_DIR", m_runtime.path().toUtf8());
    }

    void kernelsJoinTheirRanges()
    {
        const auto profile = record("ranges", {}, 500);
        QVERIFY2(profile.ok(), profile.ok() ? "" : profile.error().message.c_str());
        const auto* op = find(*profile, "aten::silu");
        QVERIFY(op);
        QCOMPARE(op->calls, std::int64_t{500});
        QCOMPARE(op->gpuNs, 500 * 1000.0);
        QCOMPARE(op->kernels.size(), std::size_t{1});
        QCOMPARE(op->kernels[0].name, std::string("silu_kernel"));
        QCOMPARE(op->kernels[0].grid[0], std::int64_t{7});
        QCOMPARE(profile->steps, std::int64_t{1});
        QCOMPARE(profile->records.dropped, std::int64_t{0});
        QCOMPARE(profile->records.unmatched, std::int64_t{0});
        QCOMPARE(profile->distrust(), std::string());
        QVERIFY(profile->notes.empty());
    }

    void refusalsCarryAdvice_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("advice");
        QTest::newRow("another subscriber") << "39"
                                            << "Another profiler already uses CUPTI";
        QTest::newRow("no privilege") << "35"
                                      << "NVreg_RestrictProfilingToAdminUsers=0";
        QTest::newRow("old driver") << "15"
                                    << "driver is older";
        QTest::newRow("no driver") << "999"
                                   << "nvidia-smi";
    }
    void refusalsCarryAdvice()
    {
        QFETCH(QString, code);
        QFETCH(QString, advice);
        const auto profile = record("refused", {{"FAKE_CUPTI_RESULT", code.toStdString()}});
        QVERIFY2(profile.ok(), profile.ok() ? "" : profile.error().message.c_str());
        QVERIFY(profile->operators.empty());
        QVERIFY(hasNote(*profile, "CUPTI refused to record kernels"));
        QVERIFY(hasNote(*profile, "(" + code.toStdString() + ")"));
        QVERIFY(hasNote(*profile, advice.toStdString()));
        QVERIFY(!profile->distrust().empty());
    }

    void aMissingLibraryIsSaid()
    {
        const auto profile = record("no-cupti", {{"FORESIGHT_CUPTI_LIBRARY", "/nowhere/libcupti.so"}});
        QVERIFY(profile.ok());
        QVERIFY(hasNote(*profile, "libcupti was not found"));
        QVERIFY(hasNote(*profile, "/nowhere/libcupti.so"));
    }

    void untimedKernelsAreCounted()
    {
        const auto profile = record("untimed");
        QVERIFY(profile.ok());
        QCOMPARE(profile->records.untimed, std::int64_t{1});
        QVERIFY(!find(*profile, "lost_kernel"));
        QVERIFY(profile->distrust().find("without times") != std::string::npos);
    }

    void nothingOutsideTheWindowIsRecorded()
    {
        const auto profile = record("window", {}, 4);
        QVERIFY(profile.ok());
        const auto* op = find(*profile, "aten::silu");
        QVERIFY(op);
        QCOMPARE(op->calls, std::int64_t{4});
        QVERIFY(!find(*profile, "before_kernel"));
        QVERIFY(!find(*profile, "outer range from before the window"));
    }

    void anotherProfilerTakingOverIsSaid()
    {
        const auto profile = record("disturbed");
        QVERIFY(profile.ok());
        QCOMPARE(profile->records.disturbedBy, std::string("torch.profiler"));
        QVERIFY(profile->distrust().find("torch.profiler") != std::string::npos);
    }

    void aForkedChildStaysSilent()
    {
        const auto profile = record("fork", {}, 5);
        QVERIFY(profile.ok());
        const auto* op = find(*profile, "aten::silu");
        QVERIFY(op);
        QCOMPARE(op->calls, std::int64_t{5});
    }

    void aCrashKeepsWhatWasSent()
    {
        const auto profile = record("crash", {}, 5);
        QVERIFY(profile.ok());
        const auto* op = find(*profile, "aten::silu");
        QVERIFY(op);
        QCOMPARE(op->calls, std::int64_t{5});
        QVERIFY(hasNote(*profile, "without a last word"));
        QVERIFY(hasNote(*profile, "signal"));
    }

    void aProgramWithoutGpuWorkIsAnError()
    {
        RecordOptions options;
        options.command = {"/bin/true"};
        options.probeLibrary = std::string(FORESIGHT_LIB_DIR) + "/libforesight-probe.so";
        options.dataFolder = FORESIGHT_SOURCE_DIR;
        options.serve = [](const OperatorDescription&) { return std::nullopt; };
        const auto profile = recordProfile(options);
        QVERIFY(!profile.ok());
        QVERIFY(profile.error().message.find("never used a GPU") != std::string::npos);
        options.command.clear();
        QCOMPARE(recordProfile(options).error().code, ErrorCode::InvalidArgument);
    }

    // The library must load into programs on systems older than the one it was built on.
    void needsNoRecentSystemLibrary()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitised builds are not deployed");
#else
        ProcessOptions options;
        options.argv = {"objdump", "-T", std::string(FORESIGHT_LIB_DIR) + "/libforesight-probe.so"};
        const auto output = runProcess(options, {}, std::chrono::seconds(60));
        if (!output || output->exit.status != 0)
            QSKIP("objdump is not installed");
        int newest = 0;
        const std::string& text = output->out;
        for (std::size_t at = text.find("GLIBC_2."); at != std::string::npos;
             at = text.find("GLIBC_2.", at + 1))
            newest = std::max(newest, std::atoi(text.c_str() + at + 8));
        qInfo("highest system library symbol version: GLIBC_2.%d", newest);
        QVERIFY(newest > 0);
        QVERIFY(newest <= 34);
        QVERIFY(text.find("GLIBCXX_") == std::string::npos);
#endif
    }

private:
    QTemporaryDir m_runtime;
};

QTEST_APPLESS_MAIN(TestProbe)
#include "tst_probe.moc"
