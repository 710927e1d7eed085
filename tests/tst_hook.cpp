// SPDX-License-Identifier: Apache-2.0
// Runs tests/hook_test.py with a Python that has torch. $FORESIGHT_TEST_PYTHON, else python3, else the
// system's.
#include "core/base/subprocess.h"

#include <QTest>

using namespace foresight;

class TestHook : public QObject
{
    Q_OBJECT
private slots:
    void hookUnderRealTorch()
    {
        std::vector<std::string> interpreters;
        if (const QByteArray chosen = qgetenv("FORESIGHT_TEST_PYTHON"); !chosen.isEmpty())
            interpreters.push_back(chosen.toStdString());
        interpreters.insert(interpreters.end(), {"python3", "/usr/bin/python3"});
        std::string skipped;
        for (const auto& interpreter : interpreters) {
            qputenv("PYTHONPATH", FORESIGHT_SOURCE_DIR "/resources/python");
            qputenv("PYTHONDONTWRITEBYTECODE", "1");
            ProcessOptions options;
            options.argv = {interpreter, FORESIGHT_SOURCE_DIR "/tests/hook_test.py"};
            const auto output = runProcess(options, {}, std::chrono::seconds(220));
            if (!output) {
                skipped += interpreter + ": " + output.error().message + "; ";
                continue;
            }
            if (output->out.rfind("SKIP:", 0) == 0) {
                skipped += output->out;
                continue;
            }
            QVERIFY2(output->exit.exited && output->exit.status == 0, (output->out + output->err).c_str());
            QVERIFY2(output->err.find("\nOK") != std::string::npos, output->err.c_str());
            return;
        }
        QSKIP(skipped.c_str());
    }
};

QTEST_APPLESS_MAIN(TestHook)
#include "tst_hook.moc"
