// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/qt_test_support.h"
#include "widgets/number_format.h"

#include <cmath>

using namespace foresight;

class TestNumberFormat : public QObject
{
    Q_OBJECT
private slots:
    void init() { test::failOnQtWarnings(); }

    void times_data()
    {
        QTest::addColumn<double>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("ns") << 12.0 << QStringLiteral("12\u202Fns");
        QTest::newRow("just below") << 999.4 << QStringLiteral("999\u202Fns");
        QTest::newRow("rounds up to us") << 999.6 << QStringLiteral("1.000\u202Fµs");
        QTest::newRow("us") << 1234.0 << QStringLiteral("1.234\u202Fµs");
        QTest::newRow("rounds up to ms") << 999999.9 << QStringLiteral("1.000\u202Fms");
        QTest::newRow("ms") << 2.5e6 << QStringLiteral("2.500\u202Fms");
        QTest::newRow("s") << 1.5e9 << QStringLiteral("1.500\u202Fs");
        QTest::newRow("unknown") << double(NAN) << QStringLiteral("–");
    }
    void times()
    {
        QFETCH(double, ns);
        QTEST(formatTime(ns, TimeUnit::Auto, QLocale::c()), "text");
    }

    void fixedUnitLinesUp()
    {
        QCOMPARE(formatTime(5, TimeUnit::Us, QLocale::c()), QStringLiteral("0.005\u202Fµs"));
        QCOMPARE(formatTime(2.5e6, TimeUnit::Us, QLocale::c()), QStringLiteral("2500.000\u202Fµs"));
    }

    void localeNumbers()
    {
        const QLocale german(QLocale::German, QLocale::Germany);
        QCOMPARE(formatSpeedup(1.8333, german), QStringLiteral("1,83×"));
        QCOMPARE(formatPercent(0.1234, 1, german), QStringLiteral("12,3\u202F%"));
        QCOMPARE(formatCount(1234567, german), QStringLiteral("1.234.567"));
        QCOMPARE(formatCount(1234567, QLocale(QLocale::English, QLocale::UnitedStates)),
                 QStringLiteral("1,234,567"));
    }

    void bytesAndDurations()
    {
        QCOMPARE(formatBytes(1536, QLocale::c()), QStringLiteral("1.50\u202FKiB"));
        QCOMPARE(formatBytes(900, QLocale::c()), QStringLiteral("900\u202FB"));
        QCOMPARE(formatBytes(1024.0 * 1024 - 1, QLocale::c()), QStringLiteral("1.00\u202FMiB"));
        QCOMPARE(formatDuration(12.34, QLocale::c()), QStringLiteral("12.3\u202Fs"));
        QCOMPARE(formatDuration(59.97, QLocale::c()), QStringLiteral("1:00"));
        QCOMPARE(formatDuration(3725, QLocale::c()), QStringLiteral("1:02:05"));
    }

    void kernelNames_data()
    {
        QTest::addColumn<QString>("full");
        QTest::addColumn<int>("depth");
        QTest::addColumn<QString>("text");
        const QString add = QStringLiteral(
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::Half>, "
            "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul>)");
        QTest::newRow("template") << add << 0 << QStringLiteral("vectorized_elementwise_kernel<…>");
        QTest::newRow("depth 1") << add << 1
                                 << QStringLiteral("vectorized_elementwise_kernel<4, "
                                                   "at::native::CUDAFunctor_add<…>, std::array<…> >");
        QTest::newRow("plain") << QStringLiteral("my_kernel") << 0 << QStringLiteral("my_kernel");
        QTest::newRow("arguments") << QStringLiteral("ns::my_kernel(float*, int)") << 0
                                   << QStringLiteral("my_kernel");
        QTest::newRow("anonymous") << QStringLiteral("void (anonymous namespace)::softmax<float>(float*)")
                                   << 0 << QStringLiteral("softmax<…>");
        QTest::newRow("library")
            << QStringLiteral("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64") << 0
            << QStringLiteral("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64");
        QTest::newRow("call operator") << QStringLiteral("void ns::lambda::operator()<int>(int)") << 0
                                       << QStringLiteral("operator()<…>");
        QTest::newRow("empty") << QString() << 0 << QString();
    }
    void kernelNames()
    {
        QFETCH(QString, full);
        QFETCH(int, depth);
        QTEST(shortKernelName(full, depth), "text");
    }

    // Foreign text: whatever comes, it ends, and never grows beyond its input by more than the marks.
    void anyTextIsShortened()
    {
        const QString alphabet = QStringLiteral("<>():, abzoperator&*~");
        quint32 state = 12345;
        for (int round = 0; round < 3000; ++round) {
            QString text;
            for (int i = 0; i < 40; ++i) {
                state = state * 1664525u + 1013904223u;
                text += alphabet[static_cast<int>((state >> 16) % static_cast<quint32>(alphabet.size()))];
            }
            for (int depth = 0; depth < 3; ++depth)
                QVERIFY(shortKernelName(text, depth).size() <= text.size() * 3);
        }
    }
};

QTEST_MAIN(TestNumberFormat)
#include "tst_number_format.moc"
