// SPDX-License-Identifier: Apache-2.0
// The built program `foresight` as a user has it: reports without a word from Qt, bad arguments refused, and
// a search that outlives a kill -9 of its window.
#include <QTest>

#include "core/search/event.h"
#include "core/search/tree.h"
#include "core/store/session.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace foresight;

class TestWindowProgram : public QObject
{
    Q_OBJECT

    QTemporaryDir m_home;
    QProcessEnvironment m_environment;
    const QString m_session =
        QStringLiteral(FORESIGHT_SOURCE_DIR "/profiles/sessions/qwen_prefill_bf16.fsight");

    QString writableCopy(const QString& name)
    {
        const QString path = m_home.filePath(name);
        if (!QFile::copy(m_session, path))
            return {};
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
        return path;
    }

    void start(QProcess& process, const QStringList& arguments) const
    {
        process.setProcessEnvironment(m_environment);
        process.start(QStringLiteral(FORESIGHT_BIN_DIR "/foresight"), arguments);
    }

    struct Ended
    {
        int status = -1; // -1: did not end by itself
        QString out, err;
    };
    Ended run(const QStringList& arguments) const
    {
        QProcess process;
        start(process, arguments);
        Ended ended;
        if (process.waitForFinished(120000) && process.exitStatus() == QProcess::NormalExit)
            ended.status = process.exitCode();
        ended.out = QString::fromUtf8(process.readAllStandardOutput());
        ended.err = QString::fromUtf8(process.readAllStandardError());
        return ended;
    }

    // What Qt said, but for what the offscreen platform always says.
    static QString complaints(const QString& err)
    {
        static const QRegularExpression kHarmless(
            QStringLiteral("^This plugin does not support [a-zA-Z]+\\(\\)$"));
        QStringList left;
        const QStringList lines = err.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        for (const QString& line : lines) {
            if (!kHarmless.match(line).hasMatch())
                left << line;
        }
        return left.join(QLatin1Char('\n'));
    }

    // The events of the session's last search; empty while it cannot be read.
    static std::vector<EventRow> eventsIn(const QString& path)
    {
        std::vector<EventRow> events;
        const auto session = Session::open(path.toStdString(), Session::Mode::ReadOnly);
        if (!session)
            return events;
        const auto searches = (*session)->searches();
        if (!searches || searches->empty())
            return events;
        const auto read =
            (*session)->readEvents(searches->back().id, 0, INT64_MAX, true, [&](EventRow&& row) {
                events.push_back(std::move(row));
                return true;
            });
        if (!read)
            events.clear();
        return events;
    }

    static std::int64_t measurements(const std::vector<EventRow>& events)
    {
        return std::count_if(events.begin(), events.end(), [](const EventRow& row) {
            const auto kind = static_cast<EventKind>(row.kind);
            return kind == EventKind::Measured || kind == EventKind::Failed;
        });
    }

    static std::size_t verdictsIn(const QString& path)
    {
        const auto session = Session::open(path.toStdString(), Session::Mode::ReadOnly);
        const auto verdicts =
            session ? (*session)->verdicts() : Result<std::vector<VerdictRecord>>(session.error());
        return verdicts ? verdicts->size() : 0;
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        m_environment = QProcessEnvironment::systemEnvironment();
        for (const char* name :
             {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "HOME"}) {
            const QString folder = m_home.filePath(QString::fromLatin1(name).toLower());
            QVERIFY(QDir().mkpath(folder));
            QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            m_environment.insert(QString::fromLatin1(name), folder);
        }
        m_environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        m_environment.insert(QStringLiteral("FORESIGHT_DATA"), QStringLiteral(FORESIGHT_SOURCE_DIR));
        m_environment.remove(QStringLiteral("QT_LOGGING_RULES"));
    }

    void reportsWithoutAWordFromQt_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QString>("size");
        QTest::addColumn<int>("scale");
        QTest::newRow("en") << QStringLiteral("en") << QStringLiteral("light") << QStringLiteral("1600x1000")
                            << 1;
        QTest::newRow("de, small") << QStringLiteral("de") << QStringLiteral("dark")
                                   << QStringLiteral("1024x700") << 1;
        QTest::newRow("zh_CN, 2x") << QStringLiteral("zh_CN") << QStringLiteral("dark")
                                   << QStringLiteral("1366x768") << 2;
    }

    void reportsWithoutAWordFromQt()
    {
        QFETCH(QString, language);
        QFETCH(QString, theme);
        QFETCH(QString, size);
        QFETCH(int, scale);
        m_environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QString::number(scale));
        const QString folder = m_home.filePath(QStringLiteral("report-") + language);
        const Ended ended =
            run({m_session, QStringLiteral("--search-top"), QStringLiteral("--measurements"),
                 QStringLiteral("20"), QStringLiteral("--report"), folder, QStringLiteral("--size"), size,
                 QStringLiteral("--language"), language, QStringLiteral("--theme"), theme});
        m_environment.remove(QStringLiteral("QT_SCALE_FACTOR"));
        QVERIFY2(ended.status == 0, qPrintable(ended.err));
        QCOMPARE(complaints(ended.err), QString());
        QCOMPARE(ended.out.trimmed(), QDir(folder).filePath(QStringLiteral("report.html")));
        // The window keeps the size it was given: no panel's needs stretch it.
        const QImage window(QDir(folder).filePath(QStringLiteral("window.png")));
        const QStringList wanted = size.split(QLatin1Char('x'));
        QCOMPARE(window.size(), QSize(wanted[0].toInt(), wanted[1].toInt()) * scale);
    }

    void refusesBadArguments_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        QTest::newRow("no session") << QStringList{QStringLiteral("--report"), QStringLiteral("x")}
                                    << QStringLiteral("--report");
        QTest::newRow("budget") << QStringList{m_session, QStringLiteral("--measurements"),
                                               QStringLiteral("none")}
                                << QStringLiteral("--measurements");
        QTest::newRow("pace") << QStringList{m_session, QStringLiteral("--pace"), QStringLiteral("-1")}
                              << QStringLiteral("--pace");
        QTest::newRow("size") << QStringList{m_session, QStringLiteral("--size"), QStringLiteral("large")}
                              << QStringLiteral("--size");
        QTest::newRow("both") << QStringList{m_session, QStringLiteral("--resume"),
                                             QStringLiteral("--search-top")}
                              << QStringLiteral("--resume");
    }

    void refusesBadArguments()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, named);
        const Ended ended = run(arguments);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains(named), qPrintable(ended.err));
    }

    void killedInMidSearchGoesOn()
    {
        constexpr int kBudget = 40;
        const QStringList search{QStringLiteral("--search-top"), QStringLiteral("--measurements"),
                                 QString::number(kBudget), QStringLiteral("--report")};
        const QString killed = writableCopy(QStringLiteral("killed.fsight")),
                      whole = writableCopy(QStringLiteral("whole.fsight"));

        QProcess window;
        start(window, QStringList{killed} + search +
                          QStringList{m_home.filePath(QStringLiteral("never")), QStringLiteral("--pace"),
                                      QStringLiteral("0.2")});
        QVERIFY(window.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(measurements(eventsIn(killed)) >= 10, 60000);
        window.kill(); // SIGKILL
        QVERIFY(window.waitForFinished(30000));
        QCOMPARE(window.exitStatus(), QProcess::CrashExit);

        // Whole to its last event.
        const std::vector<EventRow> before = eventsIn(killed);
        QVERIFY(measurements(before) >= 10 && measurements(before) < kBudget);
        Tree tree;
        for (std::size_t i = 0; i < before.size(); ++i) {
            QCOMPARE(before[i].seq, static_cast<std::int64_t>(i) + 1);
            const auto applied = tree.apply(before[i]);
            QVERIFY2(applied.ok(), applied ? "" : applied.error().toString().c_str());
        }
        QVERIFY(!tree.finished());
        QCOMPARE(verdictsIn(killed), std::size_t(0));

        const Ended resumed = run({killed, QStringLiteral("--resume"), QStringLiteral("--report"),
                                   m_home.filePath(QStringLiteral("resumed"))});
        QVERIFY2(resumed.status == 0, qPrintable(resumed.err));
        QCOMPARE(complaints(resumed.err), QString());
        const std::vector<EventRow> after = eventsIn(killed);
        QVERIFY(after.size() > before.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            QCOMPARE(after[i].kind, before[i].kind);
            QCOMPARE(after[i].node, before[i].node);
            QCOMPARE(after[i].payload, before[i].payload);
        }
        QCOMPARE(measurements(after), kBudget);
        QCOMPARE(verdictsIn(killed), std::size_t(1));

        // The same search as one that nobody disturbed.
        const Ended undisturbed =
            run(QStringList{whole} + search + QStringList{m_home.filePath(QStringLiteral("whole"))});
        QVERIFY2(undisturbed.status == 0, qPrintable(undisturbed.err));
        QCOMPARE(canonicalLogHash(after), canonicalLogHash(eventsIn(whole)));

        const Ended again = run({killed, QStringLiteral("--resume"), QStringLiteral("--report"),
                                 m_home.filePath(QStringLiteral("never"))});
        QCOMPARE(again.status, 1);
        QVERIFY2(again.err.contains(QStringLiteral("nothing to resume")), qPrintable(again.err));
    }
};

QTEST_GUILESS_MAIN(TestWindowProgram)
#include "tst_window_program.moc"
